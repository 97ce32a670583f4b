import { isEqual, Memo } from "../memo/memo.ts";
import type { Files } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Folder } from "./folders.ts";
import { type CheckedFile, checkUnit, type RunSettings, type Unit } from "./unit.ts";
import { type OpenUnit, openUnits } from "./units.ts";

/** The inputs of the checks of a run. */
interface Sources {
  /** Returns another value for a file that has changed. */
  readonly version: (path: string) => unknown;
  readonly folderAt: (folder: string) => Folder | undefined;
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
interface Asked {
  readonly key: string;
  readonly unitOf: () => Unit;
}

/** The answers of runs. A run after another repeats only what read a changed input. */
export type RunAnswers = ReturnType<typeof openAnswers>;

export function openAnswers() {
  const memo = new Memo();
  let now: Sources | undefined;
  /** How the units of this run are made, by key. */
  const makers = new Map<string, () => Unit>();
  /** The paths that each question has read, each with the kind of its reader. */
  const reads = new Map<string, Map<string, ReaderKind>>();
  let reading = new Map<string, ReaderKind>();
  const sources = (): Sources => {
    if (!now) throw new Error("no run has begun");
    return now;
  };
  const version = memo.input("version", (path) => sources().version(path));
  const around = memo.input("around", () => sources().around, isEqualList);
  const folder = memo.input("folder", (path) => sources().folderAt(path), isSameFolder);
  const config = memo.input("config", (key) => sources().folderAt(key.split("\n")[0] ?? "")?.found.config);
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
  let last: Promise<unknown> = Promise.resolve();
  const readers = new Map<ReaderKind, (files: Files) => Files>();
  const asked = <T>({ key, unitOf }: Asked, ask: () => T): T => {
    makers.set(key, unitOf);
    reading = getOrInsert(reads, key, () => new Map());
    return ask();
  };
  const tell = (key: string): void => {
    for (const [path, kind] of reads.get(key) ?? []) sources().noted(path, kind);
  };
  return {
    /** Runs share the inputs, so that each waits for the end of the run before. */
    inTurn<T>(run: () => Promise<T>): Promise<T> {
      const next = last.then(run, run);
      last = next;
      return next;
    },
    /** Begins a run. When a question needs an input, its value is compared with its value in the last run. */
    begin(next: Sources): void {
      now = next;
      makers.clear();
      memo.changed((input) => input !== "larger");
      memo.sweep();
    },
    /** Whether a question has an answer already, or there is memory for it. */
    keeps: (key: string): boolean => reads.has(key) || sources().hasRoom(),
    /** Reads a unit. */
    async read(one: Asked): Promise<OpenUnit> {
      const open = await asked(one, () => memo.settle(() => units.read(one.key)));
      if (!open) throw new Error(`${one.key} is no unit`);
      tell(one.key);
      return open;
    },
    /** Checks a unit, or returns the last answer. */
    check(one: Asked): readonly CheckedFile[] {
      const checked = asked(one, () => memo.now(() => units.answer(one.key)));
      tell(one.key);
      return checked ?? [];
    },
    version,
    folder,
    /** A project is read when the configurations of some of its folders are not found yet. */
    config: (path: string) => config([path, sources().folderAt(path) ? "found" : "open"].join("\n")),
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

const isSameFolder = (a: Folder | undefined, b: Folder | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && a.found.config === b.found.config && a.hides === b.hides && isEqual(a.options, b.options));
