import { NUMA_CONTROLS_DOC } from "../../model/sources.ts";
import { names } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/node-affinity-set",
  severity: "info",
  on: ["numaNodeAffinity"],
  needs: ["host"],
  reads: ["numaNodeAffinity"],
  messages: {
    moves: (d: { nodes: readonly number[]; others: readonly string[] }) =>
      `The VM is kept on NUMA ${d.nodes.length === 1 ? "node" : "nodes"} ${d.nodes.join(",")} of every host it runs on, including ${names(d.others)}. Remove numa.nodeAffinity, or keep the VM on one host.`,
  },
  *check({ vm, onOtherHosts }) {
    const otherHosts = onOtherHosts().map(({ host }) => host.name);
    if (!vm.numaNodeAffinity || otherHosts.length === 0) return;
    yield { messageId: "moves", data: { nodes: vm.numaNodeAffinity.value, others: otherHosts }, at: vm.numaNodeAffinity.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "NUMA node affinity of a VM that can change hosts",
  why: "numa.nodeAffinity goes with the VM to every host and keeps it on the nodes of these numbers, however busy they are there. Two VMs that were kept apart by hand on two hosts meet on the same node of a third. Documentation leaves the choice to ESXi in most cases. Hosts that share VMs are declared under clusters: in vmlint.yaml.",
  whenNot: "When the hosts have a device on the same node, which the VM has to be near.",
  sources: [NUMA_CONTROLS_DOC],
  bad: [{ title: "In a cluster of two", host: "2x10x2@7.0", otherHosts: ["2x12x2@7.0"], vmx: `numvcpus = "4"\nnuma.nodeAffinity = "0"` }],
  good: [
    { title: "One host", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nnuma.nodeAffinity = "0"` },
    { title: "No affinity", host: "2x10x2@7.0", otherHosts: ["2x12x2@7.0"], vmx: `numvcpus = "4"` },
  ],
});
