import { grouped } from "../model/maps.ts";
import type { GuestPins, GuestView } from "../model/topology.ts";
import { list, numberRuns } from "../model/words.ts";

/** Returns the vCPUs of each host CPU that several vCPUs are pinned to, and to no other. */
export function sharedCpus({ vcpus }: GuestPins): ReadonlyMap<number, readonly number[]> {
  const alone = [...vcpus].filter(([, { length }]) => length === 1);
  const byCpu = grouped(alone, ([, [cpu = 0]]) => cpu);
  return new Map([...byCpu].flatMap(([cpu, all]) => (all.length > 1 ? [[cpu, all.map(([vcpu]) => vcpu)] as const] : [])));
}

/** Returns a sentence for each host CPU that pinned vCPUs share. */
export const sharedWords = (pins: GuestPins): readonly string[] =>
  [...sharedCpus(pins)].map(([cpu, vcpus]) => `vCPUs ${list(vcpus, "and")} take turns on CPU ${cpu}.`);

/** Returns the host CPUs of each vCPU and of other threads, with CPUs that several vCPUs are pinned to; empty without pins. */
export function pinLines({ sets }: GuestView, most: number): readonly string[] {
  const { pins, nodes = [] } = sets ?? {};
  if (!pins) return [];
  const ids = nodes.flatMap(({ vcpus }) => vcpus).sort((a, b) => a - b);
  const shared = sharedCpus(pins);
  const byCpus = pins.vcpus.size === 0 ? [] : [...grouped(ids, (vcpu) => pins.vcpus.get(vcpu)?.join() ?? "")];
  const lines = byCpus.slice(0, most).map(([, vcpus]) => {
    const cpus = pins.vcpus.get(vcpus[0] ?? 0);
    const names = `${vcpus.length === 1 ? "vCPU" : "vCPUs"} ${numberRuns(vcpus, ", ")}`;
    if (!cpus) return `${names}: any CPU`;
    const turns = cpus.length === 1 && shared.has(cpus[0] ?? -1) ? ` ! ${vcpus.length} vCPUs run in turns` : "";
    return `${names}: ${cpuWords(cpus)}${turns}`;
  });
  const more = byCpus.length - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`${more} more sets of vCPUs`] : []),
    ...pins.others.slice(0, most).map(({ name, cpus }) => `${name}: ${cpuWords(cpus)}`),
  ];
}

const cpuWords = (cpus: readonly number[]): string => `${cpus.length === 1 ? "CPU" : "CPUs"} ${numberRuns(cpus, ", ")}`;
