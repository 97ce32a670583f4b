import { type View, vcpusOf } from "./define.ts";

/** Per cent of the time that a vCPU may wait for a core (READY_KB). */
export const MOST_READY = 5;

/**
 * Returns the per cent of the time that each vCPU of a running VM waited for a core, if it was measured. If a server reports an average
 * instead of a sum, the result is too small.
 */
export function readyOfEach(vm: Pick<View<"vcpus">, "vcpus" | "defaults" | "measured">): number | undefined {
  const ready = vm.measured?.readyPercent?.value;
  return ready === undefined ? undefined : perVcpu(ready, vcpusOf(vm));
}

/** Divides a per cent of the time that is added up over all vCPUs. */
export const perVcpu = (ready: number, vcpus: number): number => Math.round((ready / vcpus) * 10) / 10;
