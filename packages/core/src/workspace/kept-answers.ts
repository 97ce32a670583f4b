import { isEqual, Memo } from "../memo/memo.ts";
import type { Files } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Folder } from "./folders.ts";

/** The inputs of the checks of a run. */
interface Sources {
  /** Returns another value for a file that has changed. */
  readonly version: (path: string) => unknown;
  readonly folderAt: (folder: string) => Folder | undefined;
  /** Everything else that checks depend on. */
  readonly around: readonly unknown[];
  /** Whether there is memory for more answers. */
  readonly hasRoom: () => boolean;
}

type ReaderKind = "single" | "project";

/** Receives the paths that an answer read. */
type Noted = (path: string, by: ReaderKind) => void;

/** The answers of earlier runs. A changed input repeats the questions whose answers read it. */
export type KeptAnswers = ReturnType<typeof keepAnswers>;

export function keepAnswers() {
  const memo = new Memo();
  let now: Sources | undefined;
  let noted: Noted = () => {};
  let works = new Map<string, () => unknown>();
  /** The paths that the current question has read, each with the kind of its reader. */
  let reading = new Map<string, ReaderKind>();
  const sources = (): Sources => {
    if (!now) throw new Error("no run has begun");
    return now;
  };
  const version = memo.input("version", (path) => sources().version(path));
  const around = memo.input("around", () => sources().around, isEqualList);
  const folder = memo.input("folder", (path) => sources().folderAt(path), isSameFolder);
  const config = memo.input("config", (key) => sources().folderAt(key.split("\n")[0] ?? "")?.found.config);
  const answer = memo.query("answer", (key) => {
    around("");
    reading = new Map();
    const value = works.get(key)?.();
    return { value, reads: reading };
  });
  const kept = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  const readers = new Map<ReaderKind, (files: Files) => Files>();
  return {
    /** Runs share the inputs, so that each waits for the end of the run before. */
    inTurn<T>(run: () => Promise<T>): Promise<T> {
      const next = last.then(run, run);
      last = next;
      return next;
    },
    /** Begins a run. When a question needs an input, its value is compared with its value in the last run. */
    begin(next: Sources, note: Noted): void {
      [now, noted, works] = [next, note, new Map()];
      memo.changed(() => true);
      memo.sweep();
    },
    /** Returns the last answer, or a new one. */
    ask<T>(key: string, work: () => T): T {
      if (!kept.has(key) && !sources().hasRoom()) return work();
      kept.add(key);
      works.set(key, work);
      const { value, reads } = memo.now(() => answer(key));
      works.delete(key);
      for (const [path, kind] of reads) noted(path, kind);
      return value as T;
    },
    /** Reads what an earlier question of this run answered. */
    after: (key: string): unknown => answer(key).value,
    version,
    folder,
    /** A project is read when the configurations of some of its folders are not found yet. */
    config: (path: string) => config([path, sources().folderAt(path) ? "found" : "open"].join("\n")),
    /** Returns files whose readers depend on what they read. */
    files: (kind: ReaderKind, files: Files): Files =>
      getOrInsert(readers, kind, () => {
        let own = files;
        const text = memo.input(`${kind} text`, (path) => own.read(path));
        const names = memo.input(`${kind} names`, (path) => own.list(path), isEqual);
        const seen =
          <T>(ask: (path: string) => T) =>
          (path: string) => {
            reading.set(path, kind);
            return ask(path);
          };
        return (next) => {
          own = next;
          return { ...next, read: seen(text), list: seen(names) };
        };
      })(files),
  };
}

const isEqualList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => Object.is(one, b[at]));

const isSameFolder = (a: Folder | undefined, b: Folder | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && a.found.config === b.found.config && a.hides === b.hides && isEqual(a.options, b.options));
