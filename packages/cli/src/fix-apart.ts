import { folderOf, type ParsedProject } from "@vmlint/core";
import type { ProjectFile } from "@vmlint/core/project";

// Groups the files of a project that can be fixed together, because they affect different VMs.

/** Finds the blocks that write the VMs a file is about. */
type BlocksOf = (path: string) => ReadonlySet<number> | undefined;

/** Returns the first of some files, and all further files that affect different VMs. */
export function apart(paths: readonly string[], blocksOf: BlocksOf): readonly string[] {
  const used = new Set<number>();
  const isApart = (path: string): boolean => {
    const blocks = blocksOf(path);
    if (!blocks || [...blocks].some((block) => used.has(block))) return false;
    for (const block of blocks) used.add(block);
    return true;
  };
  const [first] = paths;
  return first !== undefined && !blocksOf(first) ? [first] : paths.filter(isApart);
}

/** Two configurations may use the same name for different VMs, so a VM counts only within files that are read together. */
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
      const blocksOfVms = [...(names.get(path) ?? [])].map((name) =>
        (byName.get(name ?? "") ?? []).flatMap(({ block, folder }) => (!folders || folders.has(folder) ? block : [])),
      );
      // A finding without a VM, or about a new VM, may concern any VM.
      return blocksOfVms.every(({ length }) => length > 0) ? new Set(blocksOfVms.flat()) : undefined;
    };
  };
}

/** Returns the names of the VMs that each file affects: the VMs in it, and the VMs with findings or fixes in it. */
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
