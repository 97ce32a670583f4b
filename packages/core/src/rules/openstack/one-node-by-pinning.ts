import { coresPerNode } from "../../model/host.ts";
import { NOVA_HARDWARE } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { flavorOf } from "./refused.ts";

export const rule = builtinRule({
  id: "openstack/one-node-by-pinning",
  severity: "info",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    wide: (d: { vcpus: number; perNode: number }) =>
      `The flavor makes one NUMA node of ${plural(d.vcpus, "vCPU")}, and a node of the host has ${plural(d.perNode, "CPU")}: no server of it starts there. Set hw:numa_nodes.`,
  },
  *check({ vm: { kvm, vcpus }, host }) {
    if (kvm?.stack !== "nova" || kvm.refused || kvm.machine?.cells.length !== 1 || !vcpus) return;
    const perNode = coresPerNode(host) * host.threadsPerCore;
    if (vcpus.value > perNode) yield { messageId: "wide", data: { vcpus: vcpus.value, perNode }, at: vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Dedicated CPUs need one NUMA node of the host",
  why: "Dedicated CPUs or a page size make one NUMA cell of all vCPUs if hw:numa_nodes is missing. All of them must then be free on one node of the host.",
  whenNot: "When each host has a node with that many free CPUs.",
  sources: [NOVA_HARDWARE],
  bad: [{ title: "24 vCPUs on nodes of 16 CPUs", host: "2x8x2", json: flavorOf(24, { "hw:cpu_policy": "dedicated" }) }],
  good: [
    { title: "2 nodes of 12", host: "2x8x2", json: flavorOf(24, { "hw:cpu_policy": "dedicated", "hw:numa_nodes": "2" }) },
    { title: "8 vCPUs fit", host: "2x8x2", json: flavorOf(8, { "hw:cpu_policy": "dedicated" }) },
  ],
});
