import { LIBVIRT_FORMAT } from "../../model/sources.ts";
import { memoryWords, numberRuns } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf } from "../domain-example.ts";

const cells = () =>
  cpuOf("sockets='2' cores='4' threads='1'", "id='0' cpus='0-3' memory='8' unit='GiB'", "id='1' cpus='4-7' memory='8' unit='GiB'");

export const rule = builtinRule({
  id: "kvm/node-without-cpus",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    empty: (d: { node: number; vcpus: readonly number[]; memoryMiB: number | null; present: number; possible: number }) =>
      `Node ${d.node} has ${d.memoryMiB === null ? "memory" : `${memoryWords(d.memoryMiB)} of memory`} and no vCPU at start: its vCPUs ${numberRuns(d.vcpus, ", ")} are absent, as ${d.present} of ${d.possible} are present. Start with vCPUs of each node, or give the guest one node.`,
  },
  *check({ vm: { kvm } }) {
    const { machine, refused } = kvm ?? {};
    if (!machine || refused) return;
    const present = new Set(machine.present);
    const isEmpty = (vcpus: readonly number[]): boolean => vcpus.length > 0 && !vcpus.some((vcpu) => present.has(vcpu));
    const node = machine.cells.findIndex(({ vcpus }) => isEmpty(vcpus));
    const cell = machine.cells[node];
    if (!cell) return;
    const { vcpus, memoryMiB, range } = cell;
    yield { messageId: "empty", data: { node, vcpus, memoryMiB, present: present.size, possible: machine.possible }, at: range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "A NUMA node starts without vCPUs",
  why: "vCPUs for hot plug are absent at start, and NUMA cells list them. A cell whose vCPUs are all absent is a node with memory and without CPUs: all accesses to that memory are remote for the guest.",
  whenNot: "When the vCPUs are added right after start, or the node is meant to have memory only. Cells that list no vCPUs are left out.",
  sources: [LIBVIRT_FORMAT],
  bad: [{ title: "4 of 8 vCPUs are present", xml: domainOf(cells(), "<vcpu current='4'>8</vcpu>") }],
  good: [{ title: "All are present", xml: domainOf(cells()) }],
});
