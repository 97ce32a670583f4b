import type { Located } from "../../model/source.ts";
import { LIBVIRT_FORMAT } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf, pinned, SIBLINGS } from "../domain-example.ts";
import { pinnedCores } from "../pinned-cpus.ts";

const twoThreads = () => cpuOf("sockets='1' cores='4' threads='2'");

export const rule = builtinRule({
  id: "kvm/threads-not-siblings",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    apart: (d: { first: number; second: number; cores: number }) =>
      `The threads of a virtual core are pinned to CPUs ${d.first} and ${d.second}, which are no siblings on this host, as in ${plural(d.cores, "core")} of the VM. Pin them to both threads of one core.`,
    uneven: (d: { first: number; second: number; like: number; likeSecond: number }) =>
      `The threads of a virtual core are pinned to CPUs ${d.first} and ${d.second}, which are ${apart(d.first, d.second)} apart. CPUs ${d.like} and ${d.likeSecond} of another core are ${apart(d.like, d.likeSecond)} apart. No numbering makes both pairs siblings. Pin each pair to both threads of one core.`,
  },
  *check({ vm: { kvm }, host }) {
    if (!kvm?.machine || kvm.refused || kvm.machine.threads < 2) return;
    const cores = pinnedCores(kvm);
    const { linuxCpus } = host ?? {};
    if (linuxCpus) {
      const apart = cores.filter((pins) => new Set(pins.map(({ value }) => linuxCpus[value]?.core ?? -1)).size > 1);
      const [first, second] = apart[0] ?? [];
      if (first && second)
        yield { messageId: "apart", data: { first: first.value, second: second.value, cores: apart.length }, at: second.range };
      return;
    }
    if (kvm.machine.threads !== 2) return;
    // Two vCPUs on one CPU share it, and have no distance.
    const pairs = (cores as readonly (readonly [Located<number>, Located<number>])[]).filter(([a, b]) => a.value !== b.value);
    const distances = pairs.map(([a, b]) => apart(a.value, b.value));
    const usual = mostFrequent(distances);
    const [first, second] = pairs.find((_, i) => distances[i] !== usual) ?? [];
    const [like, likeSecond] = pairs.find((_, i) => distances[i] === usual) ?? [];
    if (!first || !second || !like || !likeSecond) return;
    const data = { first: first.value, second: second.value, like: like.value, likeSecond: likeSecond.value };
    yield { messageId: "uneven", data, at: second.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Threads of a virtual core run on different cores",
  why: "The guest takes the two threads of a virtual core for siblings. Its scheduler avoids the second thread of a busy core, and shares data between threads of a core. Neither is right if they run on different cores of the host.",
  whenNot: "When the host numbers its CPUs in no regular way, as some processors with two kinds of cores do: pass its dump as the host.",
  sources: [LIBVIRT_FORMAT],
  bad: [
    { title: "The last pair is one off", xml: domainOf(`${twoThreads()}\n${pinned([0, 4, 1, 5, 2, 6, 3, 8])}`), expect: "uneven" },
    {
      title: "Neighbours are cores of this host",
      host: SIBLINGS,
      xml: domainOf(`${twoThreads()}\n${pinned([0, 1, 2, 3, 4, 5, 6, 7])}`),
      expect: "apart",
    },
  ],
  good: [
    { title: "Each pair is 4 apart", xml: domainOf(`${twoThreads()}\n${pinned([0, 4, 1, 5, 2, 6, 3, 7])}`) },
    { title: "A pair on one CPU, which another rule finds", xml: domainOf(`${twoThreads()}\n${pinned([0, 4, 1, 5, 2, 2, 3, 7])}`) },
    { title: "Siblings of this host", host: SIBLINGS, xml: domainOf(`${twoThreads()}\n${pinned([0, 4, 1, 5, 2, 6, 3, 7])}`) },
  ],
});

const apart = (first: number, second: number): number => Math.abs(first - second);

function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
