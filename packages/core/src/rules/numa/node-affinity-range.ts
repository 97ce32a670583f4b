import { NUMA_CONTROLS_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/node-affinity-range",
  severity: "error",
  on: ["numaNodeAffinity"],
  needs: ["host"],
  reads: ["numaNodeAffinity"],
  messages: {
    range: (d: { outOfRange: readonly number[]; nodes: number }) =>
      `numa.nodeAffinity names ${d.outOfRange.length === 1 ? "node" : "nodes"} ${d.outOfRange.join(",")}; this host has ${plural(d.nodes, "NUMA node")}, ${d.nodes === 1 ? "number 0" : `0 to ${d.nodes - 1}`}. List only existing nodes, or remove the affinity.`,
  },
  *check({ vm, host }) {
    if (!vm.numaNodeAffinity) return;
    const outOfRange = vm.numaNodeAffinity.value.filter((node) => node >= host.numaNodes);
    if (outOfRange.length === 0) return;
    yield { messageId: "range", data: { outOfRange, nodes: host.numaNodes }, at: vm.numaNodeAffinity.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "NUMA node affinity names nodes the host lacks",
  why: "numa.nodeAffinity names nodes of one machine. On a host with fewer of them, or with sub-NUMA clustering switched off, part of the list names no node.",
  whenNot: "When the VM only ever runs on a host with more nodes: name that host for it.",
  sources: [NUMA_CONTROLS_DOC],
  bad: [{ title: "Node 2 of a host with two", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nnuma.nodeAffinity = "1,2"` }],
  good: [{ title: "Both nodes", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nnuma.nodeAffinity = "0,1"` }],
});
