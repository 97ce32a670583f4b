import { LINUX_SMPBOOT } from "../../model/sources.ts";
import { list } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf } from "../domain-example.ts";

const TWO_THREADS = "sockets='2' cores='2' threads='2'";

export const rule = builtinRule({
  id: "kvm/cell-splits-core",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    split: (d: { vcpus: readonly number[]; cells: readonly number[]; threads: number }) =>
      `vCPUs ${list(d.vcpus, "and")} are threads of one core, and are in the NUMA cells ${list(d.cells, "and")}: Linux drops them as siblings. End cells at a multiple of ${d.threads} vCPUs.`,
  },
  *check({ vm: { kvm } }) {
    const { machine, refused } = kvm ?? {};
    if (!machine || refused || machine.threads < 2) return;
    const { threads } = machine;
    const cellOf = new Map(machine.cells.flatMap(({ vcpus }, cell) => vcpus.map((vcpu) => [vcpu, cell] as const)));
    for (const first of machine.present) {
      if (first % threads !== 0) continue;
      const vcpus = machine.present.filter((vcpu) => Math.floor(vcpu / threads) === first / threads);
      // Another rule reports vCPUs of no cell.
      const cells = [...new Set(vcpus.flatMap((vcpu) => cellOf.get(vcpu) ?? []))];
      const cell = machine.cells[Math.min(...cells)];
      if (cells.length < 2 || !cell) continue;
      yield { messageId: "split", data: { vcpus, cells, threads }, at: cell.range };
      return;
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "A NUMA cell splits a virtual core",
  why: "The threads of a core cannot be in two nodes. Linux warns that a sibling is not on the same node, and treats the threads as cores of their own.",
  whenNot: "Never on purpose: a cell that ends between two cores costs nothing.",
  evidence: { figure: '"sched: CPU #3\'s smt-sibling CPU #2 is not on the same node!"', source: LINUX_SMPBOOT },
  bad: [
    {
      title: "The first cell ends inside of a core",
      xml: domainOf(cpuOf(TWO_THREADS, "id='0' cpus='0-2' memory='8' unit='GiB'", "id='1' cpus='3-7' memory='8' unit='GiB'")),
    },
  ],
  good: [
    {
      title: "Cells end between cores",
      xml: domainOf(cpuOf(TWO_THREADS, "id='0' cpus='0-3' memory='8' unit='GiB'", "id='1' cpus='4-7' memory='8' unit='GiB'")),
    },
  ],
});
