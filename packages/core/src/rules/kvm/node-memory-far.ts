import type { HostModel } from "../../model/host.ts";
import { LIBVIRT_FORMAT } from "../../model/sources.ts";
import { list } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf, pinned } from "../domain-example.ts";

const HOST: HostModel = {
  name: "2x4x1",
  sockets: 2,
  coresPerSocket: 4,
  threadsPerCore: 1,
  numaNodes: 2,
  linuxCpus: [0, 0, 0, 0, 1, 1, 1, 1].map((node, core) => ({ core, node })),
};
const memory = (node: number): string => `<numatune>\n  <memory mode='strict' nodeset='${node}'/>\n</numatune>`;
const FOUR = "<vcpu>4</vcpu>";
const oneSocket = () => cpuOf("sockets='1' cores='4' threads='1'");

export const rule = builtinRule({
  id: "kvm/node-memory-far",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  messages: {
    far: (d: { node: number; memory: readonly number[]; vcpus: readonly number[] }) =>
      `The vCPUs of guest node ${d.node} are pinned to host node ${list(d.vcpus, "and")}, and its memory is bound to node ${list(d.memory, "and")}. Bind both to the same nodes.`,
  },
  *check({ vm: { kvm }, guest, host: { linuxCpus } }) {
    const { machine, pins, refused } = kvm ?? {};
    const nodes = guest()?.sets?.nodes ?? [];
    if (!machine || !pins || refused || !linuxCpus) return;
    for (const [node, { vcpus, hostNodes }] of nodes.entries()) {
      const sets = vcpus.map((vcpu) => (pins.vcpus.get(vcpu) ?? pins.others)?.value);
      const cpus = sets.flatMap((set) => set ?? []);
      if (!hostNodes || cpus.length === 0 || !sets.every(Boolean) || cpus.some((cpu) => !linuxCpus[cpu])) continue;
      const of = [...new Set(cpus.map((cpu) => linuxCpus[cpu]?.node ?? -1))].sort((a, b) => a - b);
      if (of.some((one) => hostNodes.includes(one))) continue;
      const at = machine.cells[node]?.range ?? pins.memory?.range;
      if (at) yield { messageId: "far", data: { node, memory: hostNodes, vcpus: of }, at };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory and vCPUs are bound to different nodes",
  why: "All vCPUs of a node run on one NUMA node of the host, and its memory is bound to another. Every access crosses the link between the nodes, and the guest cannot see it.",
  whenNot: "When the near node has too little memory, and the VM rarely uses its own.",
  sources: [LIBVIRT_FORMAT],
  bad: [
    { title: "CPUs of node 1, memory of node 0", host: HOST, xml: domainOf(`${oneSocket()}\n${pinned([4, 5, 6, 7])}\n${memory(0)}`, FOUR) },
  ],
  good: [{ title: "Both of node 1", host: HOST, xml: domainOf(`${oneSocket()}\n${pinned([4, 5, 6, 7])}\n${memory(1)}`, FOUR) }],
});
