import { isEqual, type Memo } from "../memo/memo.ts";
import type { Files } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { type CheckedFile, checkUnit, type RunSettings, type Unit } from "./unit.ts";
import { type OpenUnit, openUnits } from "./units.ts";

/** The inputs of the checks of a run. */
interface CheckSources {
  /** Returns another value for a file that has changed. */
  readonly version: (path: string) => unknown;
  /** Everything else that checks depend on. */
  readonly around: readonly unknown[];
  /** Whether there is memory for more answers. */
  readonly hasRoom: () => boolean;
  /** Receives the paths that an answer read. */
  readonly noted: (path: string, by: ReaderKind) => void;
  readonly settings: RunSettings;
  readonly inTime: <T>(work: () => T) => T;
}

type ReaderKind = "single" | "project";

/** A unit of a run. */
interface AskedUnit {
  readonly key: string;
  readonly unitOf: () => Unit;
}

export type UnitChecks = ReturnType<typeof openUnitChecks>;

/** Answers questions about the units of runs. */
export function openUnitChecks(memo: Memo) {
  let now: CheckSources | undefined;
  /** How the units of this run are made, by key. */
  const makers = new Map<string, () => Unit>();
  /** The paths that each question has read, each with the kind of its reader. */
  const reads = new Map<string, Map<string, ReaderKind>>();
  let reading = new Map<string, ReaderKind>();
  const sources = (): CheckSources => {
    if (!now) throw new Error("no run has begun");
    return now;
  };
  const version = memo.input("version", (path) => sources().version(path));
  const around = memo.input("around", () => sources().around, isEqualList);
  const units = openUnits(memo, {
    unitOf: (key, by) => {
      around("");
      const unit = makers.get(key)?.();
      // Only a unit that is read anew reads all of its files again.
      if (by === "reading" || unit?.given) reading.clear();
      return unit;
    },
    answerOf: ({ unit, read }: OpenUnit): readonly CheckedFile[] => checkUnit(unit, read, sources().settings),
    inTime: (unit, work) => (unit.given ? work() : sources().inTime(work)),
  });
  const readers = new Map<ReaderKind, (files: Files) => Files>();
  const asked = <T>({ key, unitOf }: AskedUnit, ask: () => T): T => {
    makers.set(key, unitOf);
    reading = getOrInsert(reads, key, () => new Map());
    return ask();
  };
  const tell = (key: string): void => {
    for (const [path, kind] of reads.get(key) ?? []) sources().noted(path, kind);
  };
  return {
    /** Takes the inputs of the checks of a run. */
    begin(next: CheckSources): void {
      now = next;
      makers.clear();
    },
    /** Whether a question has an answer already, or there is memory for it. */
    keeps: (key: string): boolean => reads.has(key) || sources().hasRoom(),
    /** Reads a unit. */
    async read(one: AskedUnit): Promise<OpenUnit> {
      const open = await asked(one, () => memo.settle(() => units.read(one.key)));
      if (!open) throw new Error(`${one.key} is no unit`);
      tell(one.key);
      return open;
    },
    /** Checks a unit, or returns the last answer. */
    check(one: AskedUnit): readonly CheckedFile[] {
      const checked = asked(one, () => memo.now(() => units.answer(one.key)));
      tell(one.key);
      return checked ?? [];
    },
    version,
    /** Returns files whose readers depend on what they read. */
    files: (kind: ReaderKind, files: Files): Files =>
      getOrInsert(readers, kind, () => trackedFiles(memo, kind, (path) => reading.set(path, kind)))(files),
  };
}

/** Returns a function that makes files depend on the memo, and tells each path that is read. */
function trackedFiles(memo: Memo, kind: ReaderKind, seen: (path: string) => void): (files: Files) => Files {
  let own: Files | undefined;
  const text = memo.input(`${kind} text`, (path) => own?.read(path));
  const names = memo.input(`${kind} names`, (path) => own?.list(path) ?? [], isEqual);
  const telling =
    <T>(ask: (path: string) => T) =>
    (path: string) => {
      seen(path);
      return ask(path);
    };
  return (next) => {
    own = next;
    return { ...next, read: telling(text), list: telling(names) };
  };
}

const isEqualList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => Object.is(one, b[at]));
