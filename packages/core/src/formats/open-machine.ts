import { type Range, unknown } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";

/** Returns a VM of KVM with an unknown machine, because another text may change its definition. */
export function withOpenMachine(vm: VmSpec, reason: string, range: Range): VmSpec {
  if (!vm.kvm) return vm;
  const { remade: _, ...rest } = vm;
  const { machine: __, pins: ___, ...kvm } = vm.kvm;
  return { ...rest, kvm: { ...kvm, unknown: reason }, settings: { ...vm.settings, coresPerSocket: unknown(reason, range) } };
}
