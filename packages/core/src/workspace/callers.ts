import type { Format, FormatEntry } from "../formats/format.ts";
import { entryNamed } from "../formats/index.ts";
import { isEqual, type Memo } from "../memo/memo.ts";
import { folderOf } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { reachedFrom } from "../model/reach.ts";
import type { Inputs } from "./inputs.ts";

/** The called folders of each file that calls some. */
type Calls = ReadonlyMap<string, readonly string[]>;

export type Callers = ReturnType<typeof openCallers>;

/** Answers which folders call each other, per format, by the text of their files. */
export function openCallers(memo: Memo, { text, search, openPaths, counts, format }: Inputs) {
  /** The folders that a file may call. */
  const callsOf = memo.query(
    "callsOf",
    (key): readonly string[] => {
      const [name, path = ""] = partsOf(key);
      const content = counts(path) ? text(path) : undefined;
      return content === undefined ? [] : calledBy(path, content, entryNamed(name), format(name));
    },
    isEqual,
  );
  const calls = memo.query(
    "calls",
    (name): Calls => {
      const entry = entryNamed(name);
      if (!format(name).refersTo) return new Map();
      const paths = [...new Set([...search(entry.extensions.join(" ")), ...openPaths("")])].filter((path) => hasEnding(path, entry));
      const called = memo.all(paths, (path) => callsOf([name, path].join("\n")));
      return new Map(paths.flatMap((path, at) => (called[at]?.length ? [[path, called[at]] as const] : [])));
    },
    (a, b) => isEqual([...a], [...b]),
  );
  const callers = memo.query("callers", (name) => callersIn(calls(name)));
  const rootsOf = memo.query(
    "rootsOf",
    (key) => {
      const [name, folder = ""] = partsOf(key);
      return rootsIn(callers(name), folder);
    },
    isEqual,
  );
  const withCalled = memo.query(
    "withCalled",
    (key) => {
      const [name, ...folders] = partsOf(key);
      return foldersWithCalled(calls(name), folders);
    },
    isEqual,
  );
  return {
    /** Returns the folders without callers that lead to a folder; of folders in a circle, the first. */
    rootsOf: ({ name }: FormatEntry, folder: string): readonly string[] => rootsOf([name, folder].join("\n")),
    /** Returns some folders and all folders that they call, directly or indirectly. */
    withCalled: ({ name }: FormatEntry, folders: readonly string[]): readonly string[] => withCalled([name, ...folders].join("\n")),
  };
}

const partsOf = (key: string): readonly [name: string, ...paths: string[]] => key.split("\n") as [string, ...string[]];

const hasEnding = (path: string, { extensions }: FormatEntry): boolean => {
  const name = path.toLowerCase();
  return extensions.some((extension) => name.endsWith(extension));
};

const calledBy = (path: string, text: string, entry: FormatEntry, format: Format): readonly string[] =>
  entry.mayHold?.(text) === false ? [] : (format.refersTo?.(path, text) ?? []);

/** The folders that call each folder, or each prefix. */
function callersIn(calls: Calls): ReadonlyMap<string, ReadonlySet<string>> {
  const callers = new Map<string, Set<string>>();
  for (const [path, folders] of calls) for (const callee of folders) getOrInsert(callers, callee, () => new Set()).add(folderOf(path));
  return callers;
}

function rootsIn(callers: ReadonlyMap<string, ReadonlySet<string>>, folder: string): readonly string[] {
  const patterns = [...callers].filter(([pattern]) => pattern.endsWith("*"));
  const callersOf = (callee: string): readonly string[] => [
    ...(callers.get(callee) ?? []),
    ...patterns.flatMap(([pattern, from]) => (callee.startsWith(pattern.slice(0, -1)) ? [...from] : [])),
  ];
  const ancestors = reachedFrom([folder], callersOf);
  // A folder that may be called is read as a root; the format decides later.
  const isRoot = (candidate: string): boolean => [...(callers.get(candidate) ?? [])].every((caller) => caller === candidate);
  const roots = [...ancestors].filter(isRoot);
  return roots.length > 0 ? roots.sort() : [...ancestors].sort().slice(0, 1);
}

function foldersWithCalled(calls: Calls, folders: readonly string[]): readonly string[] {
  const calledIn = new Map<string, Set<string>>();
  for (const [path, called] of calls)
    for (const callee of called) if (!callee.endsWith("*")) getOrInsert(calledIn, folderOf(path), () => new Set()).add(callee);
  return [...reachedFrom(folders, (current) => calledIn.get(current) ?? [])];
}
