import type { Located } from "../model/source.ts";
import type { KvmFacts } from "../model/spec.ts";

/** Returns the host CPU and its place of each present vCPU that is pinned to one CPU. */
export function singlePins({ machine, pins }: KvmFacts): ReadonlyMap<number, Located<number>> {
  return new Map(
    (machine?.present ?? []).flatMap((vcpu) => {
      const { value = [], range } = pins?.vcpus.get(vcpu) ?? {};
      const [cpu] = value;
      return cpu !== undefined && value.length === 1 && range ? [[vcpu, { value: cpu, range }] as const] : [];
    }),
  );
}

/** Returns the single pins of the vCPUs of each guest core; missing for a core with other pins. */
export function pinnedCores(kvm: KvmFacts): readonly (readonly Located<number>[])[] {
  const pins = singlePins(kvm);
  const { machine } = kvm;
  if (!machine) return [];
  const cores = new Map<number, Located<number>[]>();
  for (const vcpu of machine.present) {
    const core = Math.floor(vcpu / machine.threads);
    const pin = pins.get(vcpu);
    if (pin) cores.set(core, [...(cores.get(core) ?? []), pin]);
  }
  return [...cores.values()].filter(({ length }) => length === machine.threads);
}
