// Keeps answers to questions, with the reads of each answer. It knows no files and no VMs.

export type Query<V> = (key: string) => V;

/** A value from outside, which a caller may also set. */
export interface Input<V> {
  (key: string): V;
  readonly set: (key: string, value: V) => void;
  /** Returns the last value, even if it may have changed; `undefined` before the first. */
  readonly last: (key: string) => V | undefined;
  /** Frees the memory of a value. It loads again if a query reads it again. */
  readonly drop: (key: string) => void;
  /** The keys that were asked. */
  readonly keys: () => Iterable<string>;
}

/** An answer, or the error in its place. */
export interface Outcome<V> {
  readonly value?: V;
  readonly error?: unknown;
}

type Equal<V> = (a: V, b: V) => boolean;

/** Thrown by a read whose value is on its way. `settle` waits for the value and asks again. */
const PENDING = new Error("a value is on its way: ask through settle()");

interface Kind {
  readonly name: string;
  readonly isInput: boolean;
  readonly answer: (key: string) => unknown;
  readonly equal: Equal<never>;
  readonly entries: Map<string, Entry>;
}

/** One question with its last answer. */
class Entry {
  readonly kind: Kind;
  readonly key: string;
  /** The answer, or the error that each asker gets. */
  value: unknown;
  isError = false;
  /** The reads of the last run, in order. */
  reads: readonly Entry[] = [];
  /** The revision that last brought another value. */
  changedAt = 0;
  /** The last revision with a check that the value is right; 0: none. */
  rightAt = 0;
  /** Whether an input must be loaded. */
  isStale: boolean;
  isDropped = false;
  loading: Promise<void> | undefined;
  isActive = false;
  /** The last round without a value of a read. It is tried again in the next round. */
  pendingIn = 0;
  /** The last run that read it, so that a run lists it once. */
  readBy = 0;

  constructor(kind: Kind, key: string) {
    this.kind = kind;
    this.key = key;
    this.isStale = kind.isInput;
  }

  get label(): string {
    return `${this.kind.name}(${this.key})`;
  }

  keep(value: unknown, isError: boolean, revision: number): void {
    const equal = (isError ? sameMessage : this.kind.equal) as Equal<unknown>;
    // An equal value stays the same object.
    const isSame = this.isDropped ? !this.isStale : this.rightAt > 0 && this.isError === isError && equal(this.value, value);
    if (!isSame) this.changedAt = revision;
    if (!isSame || this.isDropped) {
      this.value = value;
      this.isError = isError;
    }
    this.isDropped = false;
    this.rightAt = revision;
    this.isStale = false;
    this.loading = undefined;
  }
}

/** A run of a query, with its reads so far. */
interface Run {
  readonly id: number;
  readonly reads: Entry[];
  isPending: boolean;
}

/** Answers without use in so many revisions may go. */
const KEPT_REVISIONS = 100;
const FEWEST_TO_SWEEP = 2000;

/** Each round loads what the previous one lacked. No chain of references is as long. */
const MOST_ROUNDS = 1000;

export class Memo {
  /** It grows with each change of an input. */
  #revision = 1;
  /** It grows whenever a pending value may have come. */
  #round = 1;
  /** The loads that the current round waits for. */
  #loads = new Set<Promise<void>>();
  #runs = 0;
  readonly #running: Run[] = [];
  /** The entries that are being brought up to date, from the question to its innermost read. */
  readonly #active: Entry[] = [];
  readonly #kinds: Kind[] = [];
  #sweepAt = FEWEST_TO_SWEEP;
  /** Called for each run of a query with the read that caused it. */
  onRun: ((query: string, key: string, because: string) => unknown) | undefined;

  /** Makes an input. If `load` returns a promise, `settle` waits for it. */
  input<V>(name: string, load: (key: string) => V | Promise<V>, equal: Equal<V> = Object.is): Input<V> {
    const entries = new Map<string, Entry>();
    const entry = this.#entriesOf({ name, isInput: true, answer: load, equal, entries });
    const ask = (key: string): V => this.#get(entry(key)) as V;
    const set = (key: string, value: V): void => {
      const one = entry(key);
      // An equal value is no new revision.
      if (one.rightAt > 0 && !one.isStale && !one.isDropped && !one.isError && equal(one.value as V, value)) return;
      one.isStale = true;
      one.keep(value, false, this.#next());
    };
    const drop = (key: string): void => {
      const one = entries.get(key);
      if (one && !one.loading && !one.isError) Object.assign(one, { value: undefined, isDropped: true });
    };
    return Object.assign(ask, { set, drop, last: (key: string) => entries.get(key)?.value as V | undefined, keys: () => entries.keys() });
  }

  /** Makes a query. If a run returns an equal value, its readers do not run again. */
  query<V>(name: string, compute: (key: string) => V, equal: Equal<V> = Object.is): Query<V> {
    const entry = this.#entriesOf({ name, isInput: false, answer: compute, equal, entries: new Map() });
    return (key) => this.#get(entry(key)) as V;
  }

  /** Asks for several values, so that their inputs load at the same time. */
  all<K, V>(keys: readonly K[], ask: (key: K) => V): readonly V[] {
    let isPending = false;
    const values = keys.map((key) =>
      tryNow(
        () => ask(key),
        () => (isPending = true),
      ),
    );
    if (isPending) throw PENDING;
    return values as V[];
  }

  /** Asks without waiting: `undefined` for a value on its way. The query that asks runs again with the value. */
  ifReady<V>(ask: () => V): V | undefined {
    return tryNow(ask, () => {});
  }

  /** Returns the answer or the error. A value on its way is neither. */
  outcome<V>(ask: () => V): Outcome<V> {
    try {
      return { value: ask() };
    } catch (error) {
      if (error === PENDING) throw error;
      return { error };
    }
  }

  /** Call it when inputs may have changed. They load again when a query needs them; an equal value changes nothing. */
  changed(isHit: (input: string, key: string) => boolean): void {
    this.#next();
    for (const { name, isInput, entries } of this.#kinds) {
      if (!isInput) continue;
      for (const entry of entries.values())
        if (isHit(name, entry.key)) {
          entry.isStale = true;
          entry.loading = undefined;
        }
    }
  }

  /** Asks until no value is on its way. This is the only place that knows that files may be slow. */
  async settle<T>(ask: () => T): Promise<T> {
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      this.#round++;
      const loads = new Set<Promise<void>>();
      this.#loads = loads;
      // A time limit may have stopped the code of an earlier question at any place.
      this.#leave(0, 0);
      let isPending = false;
      const answer = tryNow(ask, () => (isPending = true));
      if (!isPending) {
        this.sweep();
        return answer as T;
      }
      await Promise.all(loads);
    }
    throw new Error(`a question still lacked a value after ${MOST_ROUNDS} rounds`);
  }

  /** Asks a question whose inputs are all at hand. */
  now<T>(ask: () => T): T {
    this.#round++;
    // A time limit may have stopped the code of an earlier question at any place.
    this.#leave(0, 0);
    return ask();
  }

  get size(): number {
    return this.#kinds.reduce((sum, { entries }) => sum + entries.size, 0);
  }

  #next(): number {
    this.#round++;
    return ++this.#revision;
  }

  #entriesOf(kind: Kind): (key: string) => Entry {
    this.#kinds.push(kind);
    const { entries } = kind;
    return (key) => {
      let entry = entries.get(key);
      if (!entry) {
        entry = new Entry(kind, key);
        entries.set(key, entry);
      }
      return entry;
    };
  }

  #get(entry: Entry): unknown {
    const run = this.#running.at(-1);
    if (run && entry.readBy !== run.id) {
      entry.readBy = run.id;
      run.reads.push(entry);
    }
    try {
      if (entry.isDropped) this.#load(entry);
      else this.#update(entry);
    } catch (error) {
      // The run is incomplete even if its code catches this error.
      if (run && error === PENDING) run.isPending = true;
      throw error;
    }
    if (entry.isError) throw entry.value;
    return entry.value;
  }

  /** Makes a value right for this revision. */
  #update(entry: Entry): void {
    if (entry.isStale) {
      this.#load(entry);
      return;
    }
    if (entry.rightAt === this.#revision) return;
    if (entry.pendingIn === this.#round) throw PENDING;
    if (entry.isActive) {
      const path = this.#active.slice(this.#active.indexOf(entry)).map(({ label }) => label);
      throw new Error(`a question asks itself: ${[...path, entry.label].join(" > ")}`);
    }
    const [active, running] = [this.#active.length, this.#running.length];
    entry.isActive = true;
    this.#active.push(entry);
    try {
      const because = entry.rightAt > 0 || entry.kind.isInput ? this.#changedRead(entry) : "it is new";
      if (because === undefined) entry.rightAt = this.#revision;
      else this.#run(entry, because);
    } catch (error) {
      if (error === PENDING) entry.pendingIn = this.#round;
      throw error;
    } finally {
      this.#leave(active, running);
    }
  }

  /** Returns to a state with fewer active entries and runs. */
  #leave(active: number, running: number): void {
    for (const entry of this.#active.splice(active)) entry.isActive = false;
    this.#running.length = running;
  }

  /** Returns the first read with another value than in the last run. */
  #changedRead(entry: Entry): string | undefined {
    let isPending = false;
    for (const read of entry.reads) {
      try {
        this.#update(read);
      } catch (error) {
        if (error !== PENDING) return read.label;
        isPending = true;
      }
      if (read.changedAt > entry.rightAt) return read.label;
    }
    if (isPending) throw PENDING;
    return undefined;
  }

  #run(entry: Entry, because: string): void {
    const run: Run = { id: ++this.#runs, reads: [], isPending: false };
    const [active, running] = [this.#active.length, this.#running.length];
    this.#running.push(run);
    this.onRun?.(entry.kind.name, entry.key, because);
    const { value, isError } = outcomeOf(entry);
    this.#leave(active, running);
    if (run.isPending) throw PENDING;
    entry.reads = run.reads;
    entry.keep(value, isError, this.#revision);
  }

  #load(entry: Entry): void {
    if (!entry.loading) {
      const { value, isError } = outcomeOf(entry);
      if (!(value instanceof Promise)) {
        entry.keep(value, isError, this.#revision);
        return;
      }
      const arrived = (result: unknown, failed: boolean): void => {
        // A change meanwhile has begun another load.
        if (entry.loading === loading) entry.keep(result, failed, this.#revision);
      };
      const loading: Promise<void> = value.then(
        (result) => arrived(result, false),
        (error) => arrived(error, true),
      );
      entry.loading = loading;
    }
    this.#loads.add(entry.loading);
    throw PENDING;
  }

  /** Drops answers without recent use. The reads of a used answer count as used. */
  sweep(): void {
    if (this.size < this.#sweepAt) return;
    const oldest = this.#revision - KEPT_REVISIONS;
    for (const { entries } of this.#kinds) {
      for (const [key, { rightAt, loading }] of entries) if (!loading && rightAt < oldest) entries.delete(key);
    }
    this.#sweepAt = Math.max(FEWEST_TO_SWEEP, 2 * this.size);
  }
}

function outcomeOf({ kind, key }: Entry): Pick<Entry, "value" | "isError"> {
  try {
    return { value: kind.answer(key), isError: false };
  } catch (error) {
    return { value: error, isError: true };
  }
}

/** Asks now; calls `later` if a value is on its way. */
function tryNow<T>(ask: () => T, later: () => void): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error !== PENDING) throw error;
    later();
    return undefined;
  }
}

const sameMessage = (a: unknown, b: unknown): boolean => String(a) === String(b);

/** Whether plain data is equal in all parts. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isEqual(a[key as never], b[key as never]));
}
