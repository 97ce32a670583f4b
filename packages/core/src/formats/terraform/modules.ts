import { type Files, joinPath, type SourceFile, type Sources } from "../../model/files.ts";
import { addTo } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import { reachedFrom } from "../../model/reach.ts";
import type { ConfigBlock, PlacedBlock } from "../hcl/config-block.ts";
import type { ValueFile } from "../hcl/inputs.ts";
import type { NamedFiles } from "../hcl/references.ts";
import type { Symlinks } from "../hcl/symlinks.ts";
import type { Project } from "./instance.ts";
import type { ModuleFile } from "./module-files.ts";
import { callsIn, type ModuleSource, readModule, sourceOf } from "./module-source.ts";
import { typeOfResource } from "./types.ts";
import { VALUE_FILES } from "./value-files.ts";

/** The modules of a run, each read when it is first asked for. */
export interface Modules {
  readonly files: Files;
  readonly sources: Sources;
  /** By their folders; `undefined` for a folder that holds none. */
  readonly byFolder: Map<string, ModuleSource | undefined>;
  readonly fileOf: Map<SourceFile, ModuleFile>;
  /** Where calls lead whose source is computed, as far as they were followed. */
  readonly computed: Project["computed"];
}

/** No module is read yet. */
export const noModules = (files: Files, sources: Sources): Modules => ({
  files,
  sources,
  byFolder: new Map(),
  fileOf: new Map(),
  computed: new Map(),
});

/** The module in a folder. */
export function load(folder: string, { byFolder, fileOf, files, sources }: Modules): ModuleSource | undefined {
  if (!byFolder.has(folder)) {
    const source = readModule(folder, files, sources, isWanted);
    for (const file of source.files) fileOf.set(file.file, file);
    byFolder.set(folder, source.files.length > 0 ? source : undefined);
  }
  return byFolder.get(folder);
}

const isWanted = (type: string): boolean => typeOfResource(type) !== undefined;

/** The folders that a call of a module leads to; those of a source that is computed only as far as it was followed. */
function foldersOf(call: ConfigBlock, folder: string, { computed }: Modules): readonly string[] {
  const source = sourceOf(call);
  if (!source) return [...(computed.get(call) ?? [])];
  return "local" in source ? [joinPath(folder, source.local)] : [];
}

/** The folders that a folder calls as modules. */
const calledBy = (folder: string, modules: Modules): readonly string[] => {
  const module = load(folder, modules);
  return (module ? callsIn(module) : []).flatMap((call) => foldersOf(call, folder, modules));
};

/** The folders that a folder calls or is called by, and so on from each of these. */
export function connected(modules: Modules, links: () => Symlinks): (folder: string) => ReadonlySet<string> {
  const beside = once(() => {
    const found = new Map<string, string[]>();
    for (const folder of modules.byFolder.keys()) {
      for (const called of calledBy(folder, modules)) {
        addTo(found, folder, called);
        addTo(found, called, folder);
      }
    }
    return found;
  });
  return (folder) => reachedFrom([folder], (one) => [...(beside().get(one) ?? []), ...links().foldersBeside(one)]);
}

/** A folder, and those it calls as modules, and so on from each of these. */
export const withCalled = (root: string, modules: Modules): ReadonlySet<string> =>
  reachedFrom([root], (folder) => calledBy(folder, modules));

/**
 * The folders that no other one calls as a module, and those that are applied though a test or an example calls them; of folders that
 * call each other in a circle, the first.
 */
export function rootsAmong(folders: readonly string[], modules: Modules): readonly string[] {
  const reached = new Set<string>();
  const reach = (from: string): void => {
    for (const folder of withCalled(from, modules)) reached.add(folder);
  };
  const called = new Set(folders.flatMap((folder) => calledBy(folder, modules).filter((other) => other !== folder)));
  const found = new Set(folders.filter((folder) => !called.has(folder) || isApplied(folder, modules)));
  for (const root of found) reach(root);
  for (const folder of folders) {
    if (reached.has(folder) || found.has(folder)) continue;
    found.add(folder);
    reach(folder);
  }
  return [...found];
}

/** Whether a folder holds what only that of a root does: where its state is kept, or values of its variables. */
function isApplied(folder: string, modules: Modules): boolean {
  const keepsState = ({ block }: PlacedBlock): boolean => block.type === "backend" || block.type === "cloud";
  return (
    VALUE_FILES.automatic(modules.files.list(folder)).length > 0 ||
    load(folder, modules)?.settings.some(({ blocks }) => blocks.some(keepsState)) === true
  );
}

/** The modules as names are looked up in them; `given`: by their folders, the files that give values to roots. */
export function namedFiles(modules: Modules, given: ReadonlyMap<string, readonly ValueFile[]>): readonly NamedFiles[] {
  const all = [...modules.byFolder.values()].flatMap((module) => module ?? []);
  const called = new Set(all.flatMap(({ folder }) => calledBy(folder, modules)));
  return all.flatMap((module) => {
    const { folder, files } = module;
    const calls = [...module.calls].map(([name, call]) => {
      const isRepeated = call.attributes.has("count") || call.attributes.has("for_each");
      return { name, isRepeated, ids: foldersOf(call, folder, modules).filter((id) => modules.byFolder.get(id)) };
    });
    const named = { id: folder, files, values: given.get(folder) ?? [], isCalled: called.has(folder) };
    // Once for each of the folders that a source which is computed leads to.
    const ways = Math.max(1, ...calls.map(({ ids }) => ids.length));
    return Array.from({ length: ways }, (_, way) => {
      const ofWay = calls.flatMap(({ name, isRepeated, ids }) => {
        const id = ids[way] ?? ids[0];
        return id === undefined ? [] : [[name, { id, isRepeated }] as const];
      });
      return { ...named, calls: new Map(ofWay) };
    });
  });
}
