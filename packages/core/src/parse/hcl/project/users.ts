import { once } from "../../../model/once.ts";
import type { Range } from "../../../model/source.ts";
import type { VmSpec } from "../../../model/spec.ts";
import type { SettingReader } from "./reader.ts";

/** A VM with the block of its resource. */
export interface User {
  readonly vm: VmSpec;
  readonly reader: SettingReader;
  readonly block: Range;
}

/** Says of a place how many VMs have a value from a literal there, or are written by the block around it. */
export function usersOf(all: readonly User[]): (range: Range) => number {
  const literals = once(() => byLiteral(all));
  const blocks = once(() => byBlock(all));
  return ([start, end]) => {
    // The quotes of a text are no part of an edit.
    const users = end > start ? (literals().get(start) ?? literals().get(start - 1)) : undefined;
    if (users) return users.size;
    const around = blocks().find(({ range }) => range[0] <= start && end <= range[1]);
    return around?.count ?? 0;
  };
}

function byLiteral(all: readonly User[]): ReadonlyMap<number, ReadonlySet<VmSpec>> {
  const found = new Map<number, Set<VmSpec>>();
  for (const { vm, reader } of all) {
    for (const setting of [...Object.values(vm.settings), ...vm.scsiControllers.map(({ type }) => type)]) {
      const literal = reader.literalOf(setting);
      if (!literal) continue;
      const users = found.get(literal[0]) ?? new Set();
      found.set(literal[0], users.add(vm));
    }
  }
  return found;
}

function byBlock(all: readonly User[]): readonly { readonly range: Range; readonly count: number }[] {
  const found = new Map<number, { readonly range: Range; count: number }>();
  for (const { block } of all) {
    const known = found.get(block[0]);
    if (known) known.count++;
    else found.set(block[0], { range: block, count: 1 });
  }
  return [...found.values()];
}
