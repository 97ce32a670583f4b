import { folderOf, type ParsedProject } from "@vmlint/core";
import type { ProjectFile } from "@vmlint/core/project";

// Which files of a project can be fixed at once: those that are about no VM in common.

/** Finds the blocks that write the VMs a file is about. */
type BlocksOf = (path: string) => ReadonlySet<number> | undefined;

/** The first of some files, and all others that can be fixed at once with it: none is about a VM that another is about. */
export function apart(paths: readonly string[], blocksOf: BlocksOf): readonly string[] {
  const taken = new Set<number>();
  const isApart = (path: string): boolean => {
    const blocks = blocksOf(path);
    if (!blocks || [...blocks].some((block) => taken.has(block))) return false;
    for (const block of blocks) taken.add(block);
    return true;
  };
  const [first] = paths;
  return first !== undefined && !blocksOf(first) ? [first] : paths.filter(isApart);
}

/** Names are those of VMs of several configurations: only those that are read as one are meant. */
export function blocksIn({ vms, pathOf, partsOf, together }: ParsedProject): (linted: readonly ProjectFile[]) => BlocksOf {
  const byName = new Map<string, { readonly block: number; readonly folder: string }[]>();
  for (const vm of vms) {
    const [block] = partsOf?.(vm).at(-1)?.block ?? vm.range;
    const place = { block, folder: folderOf(pathOf(vm)) };
    const known = byName.get(vm.name);
    if (known) known.push(place);
    else byName.set(vm.name, [place]);
  }
  return (linted) => {
    const names = vmsIn(linted);
    return (path) => {
      const folders = together?.(folderOf(path));
      const found = [...(names.get(path) ?? [])].map((name) =>
        (byName.get(name ?? "") ?? []).flatMap(({ block, folder }) => (!folders || folders.has(folder) ? block : [])),
      );
      // What is said of no VM, or of one that was not there before, may be about any.
      return found.every(({ length }) => length > 0) ? new Set(found.flat()) : undefined;
    };
  };
}

/** The names of the VMs that a file is about: those in it, and those with findings that stand in it or are fixed in it. */
export function vmsIn(linted: readonly ProjectFile[]): ReadonlyMap<string, ReadonlySet<string | null>> {
  const names = new Map<string, Set<string | null>>();
  const add = (path: string, vm: string | null) => names.set(path, (names.get(path) ?? new Set()).add(vm));
  for (const { path: own, vms, diagnostics } of linted) {
    for (const { spec } of vms) add(own, spec.name);
    for (const { vm, vms = [vm], fixes } of diagnostics) {
      const paths = fixes.flatMap(({ edits }) => edits.map(({ path = own }) => path));
      for (const one of vms) for (const path of one === null ? paths : [own, ...paths]) add(path, one);
    }
  }
  return names;
}
