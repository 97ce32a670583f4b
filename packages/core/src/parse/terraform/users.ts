import type { Range } from "../../model/source.ts";
import type { VmSpec } from "../../model/spec.ts";
import type { SettingReader } from "./reader.ts";

/** Which VMs a place in the files has a part in. */
export class Users {
  readonly #literals = new Map<number, Set<VmSpec>>();
  /** By the start of a resource's block. */
  readonly #blocks = new Map<number, { readonly range: Range; readonly vms: Set<VmSpec> }>();

  add(vm: VmSpec, reader: SettingReader, block: Range): void {
    const ofBlock = this.#blocks.get(block[0]) ?? { range: block, vms: new Set() };
    this.#blocks.set(block[0], ofBlock);
    ofBlock.vms.add(vm);
    for (const setting of [...Object.values(vm.settings), ...vm.scsiControllers.map(({ type }) => type)]) {
      const literal = reader.literalOf(setting);
      if (!literal) continue;
      const users = this.#literals.get(literal[0]) ?? new Set();
      this.#literals.set(literal[0], users.add(vm));
    }
  }

  /** How many VMs a literal is a value of, or the block around a place writes. */
  count([start, end]: Range): number {
    // The quotes of a text are no part of an edit.
    const users = this.#literals.get(start) ?? this.#literals.get(start - 1);
    if (users && end > start) return users.size;
    for (const { range, vms } of this.#blocks.values()) if (range[0] <= start && end <= range[1]) return vms.size;
    return 0;
  }
}
