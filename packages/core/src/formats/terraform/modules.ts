import { type Files, joinPath, type SourceFile, type Sources } from "../../model/files.ts";
import { addTo } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import { reachedFrom } from "../../model/reach.ts";
import { sequence } from "../../model/sequence.ts";
import type { ConfigBlock, PlacedBlock } from "../hcl/config-block.ts";
import type { ValueFile } from "../hcl/inputs.ts";
import type { NamedFiles } from "../hcl/references.ts";
import type { Symlinks } from "../hcl/symlinks.ts";
import type { Project } from "./instance.ts";
import type { ModuleFile } from "./module-files.ts";
import { callsIn, type ModuleSource, readModule, sourceOf } from "./module-source.ts";
import { typeOfResource } from "./types.ts";
import { VALUE_FILES } from "./value-files.ts";

/** The modules of a run, parsed on first use. */
export interface Modules {
  readonly files: Files;
  readonly sources: Sources;
  /** By their folders; `undefined` for a folder without module. */
  readonly byFolder: Map<string, ModuleSource | undefined>;
  readonly fileOf: Map<SourceFile, ModuleFile>;
  /** The folders of calls with a computed source, once they are followed. */
  readonly computed: Project["computed"];
}

export const noModules = (files: Files, sources: Sources): Modules => ({
  files,
  sources,
  byFolder: new Map(),
  fileOf: new Map(),
  computed: new Map(),
});

export function load(folder: string, { byFolder, fileOf, files, sources }: Modules): ModuleSource | undefined {
  if (!byFolder.has(folder)) {
    const source = readModule(folder, files, sources, isWanted);
    for (const file of source.files) fileOf.set(file.file, file);
    byFolder.set(folder, source.files.length > 0 ? source : undefined);
  }
  return byFolder.get(folder);
}

const isWanted = (type: string): boolean => typeOfResource(type) !== undefined;

/** Returns the folders of a module call; for a computed source, the folders found so far. */
function foldersOf(call: ConfigBlock, folder: string, { computed }: Modules): readonly string[] {
  const source = sourceOf(call);
  if (!source) return [...(computed.get(call) ?? [])];
  return "local" in source ? [joinPath(folder, source.local)] : [];
}

/** Returns the folders that a folder calls as modules. */
const calledBy = (folder: string, modules: Modules): readonly string[] => {
  const module = load(folder, modules);
  return (module ? callsIn(module) : []).flatMap((call) => foldersOf(call, folder, modules));
};

/** Returns the folders connected to a folder by calls in either direction, directly or indirectly. */
export function connected(modules: Modules, links: () => Symlinks): (folder: string) => ReadonlySet<string> {
  const neighbours = once(() => {
    const graph = new Map<string, string[]>();
    for (const folder of modules.byFolder.keys()) {
      for (const called of calledBy(folder, modules)) {
        addTo(graph, folder, called);
        addTo(graph, called, folder);
      }
    }
    return graph;
  });
  return (folder) => reachedFrom([folder], (current) => [...(neighbours().get(current) ?? []), ...links().foldersBeside(current)]);
}

/** Returns a folder and all modules that it calls, directly or indirectly. */
export const withCalled = (root: string, modules: Modules): ReadonlySet<string> =>
  reachedFrom([root], (folder) => calledBy(folder, modules));

/**
 * Returns the folders that no folder calls as a module, folders that are applied although a test or an example calls them, and the first of
 * each circle of calls.
 */
export function rootsAmong(folders: readonly string[], modules: Modules): readonly string[] {
  const reachable = new Set<string>();
  const reach = (from: string): void => {
    for (const folder of withCalled(from, modules)) reachable.add(folder);
  };
  const called = new Set(folders.flatMap((folder) => calledBy(folder, modules).filter((other) => other !== folder)));
  const roots = new Set(folders.filter((folder) => !called.has(folder) || isApplied(folder, modules)));
  for (const root of roots) reach(root);
  for (const folder of folders) {
    if (reachable.has(folder) || roots.has(folder)) continue;
    roots.add(folder);
    reach(folder);
  }
  return [...roots];
}

/** Whether a folder has a feature of root modules: a backend, or values of its variables. */
function isApplied(folder: string, modules: Modules): boolean {
  const keepsState = ({ block }: PlacedBlock): boolean => block.type === "backend" || block.type === "cloud";
  return (
    VALUE_FILES.automatic(modules.files.list(folder)).length > 0 ||
    load(folder, modules)?.settings.some(({ blocks }) => blocks.some(keepsState)) === true
  );
}

/**
 * Returns the folders that no folder calls as a module, folders that are applied although a test or an example calls them, and the first of
 * each circle of calls.
 */
export function namedFiles(modules: Modules, valueFilesByFolder: ReadonlyMap<string, readonly ValueFile[]>): readonly NamedFiles[] {
  const loaded = [...modules.byFolder.values()].flatMap((module) => module ?? []);
  const called = new Set(loaded.flatMap(({ folder }) => calledBy(folder, modules)));
  return loaded.flatMap((module) => {
    const { folder, files } = module;
    const calls = [...module.calls].map(([name, call]) => {
      const isRepeated = call.attributes.has("count") || call.attributes.has("for_each");
      return { name, isRepeated, ids: foldersOf(call, folder, modules).filter((id) => modules.byFolder.get(id)) };
    });
    const entry = { id: folder, files, values: valueFilesByFolder.get(folder) ?? [], isCalled: called.has(folder) };
    // Whether a folder has a feature of root modules: a backend, or values of its variables.
    const ways = Math.max(1, ...calls.map(({ ids }) => ids.length));
    return sequence(ways, (way) => {
      const ofWay = calls.flatMap(({ name, isRepeated, ids }) => {
        const id = ids[way] ?? ids[0];
        return id === undefined ? [] : [[name, { id, isRepeated }] as const];
      });
      return { ...entry, calls: new Map(ofWay) };
    });
  });
}
