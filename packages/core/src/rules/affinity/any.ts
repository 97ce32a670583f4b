import { nodesForMemory } from "../../limits/vm-memory.ts";
import { coresPerNode, type HostModel } from "../../model/host.ts";
import { AFFINITY_DOC, NUMA_CONTROLS_DOC, ORACLE_PARTITIONING, SQL55 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { type Pinning, pinningFlaw, pinningOf } from "../../platforms/esxi/pinning.ts";
import { isPinned, removeAffinity } from "../cpu-affinity.ts";
import { builtinRule, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/any",
  severity: "info",
  severities: { some: "hint" },
  on: ["cpuAffinity"],
  needs: ["host"],
  reads: ["vcpus", "cpuAffinity", "cpuReservationMHz", "latencySensitivity", "numaNodeAffinity"],
  messages: {
    nodes: (d: { vcpus: number; pcpus: number; nodes: readonly number[] }) =>
      `The ${d.pcpus} logical CPUs are all in NUMA ${d.nodes.length === 1 ? "node" : "nodes"} ${d.nodes.join(",")}. Set numa.nodeAffinity to ${d.nodes.join(",")} instead of the affinity, so that ESXi can still manage the VM there.`,
    some: (d: { vcpus: number; pcpus: number }) =>
      `${plural(d.vcpus, "vCPU")} can run only on ${plural(d.pcpus, "logical CPU")}, so ESXi cannot choose by load and NUMA node. Remove the affinity unless you measured a gain.`,
  },
  applies: isPinned,
  *check({ vm, host, ifKnown }) {
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all") return;
    const vcpus = vcpusOf(vm);
    const pinning = pinningOf(vm.cpuAffinity.value, host);
    // Other rules report flaws of the list and of the settings next to it.
    if (pinning.outOfRange.length > 0 || pinningFlaw(pinning, vcpus, host) || pinning.cores <= vcpus) return;
    if (vm.latencySensitivity?.value === "high" || vm.numaNodeAffinity || (vm.cpuReservationMHz?.value ?? 0) > 0) return;
    const nodes = wholeNodes(pinning, host);
    if (nodes?.length === host.numaNodes) return;
    const data = { vcpus, pcpus: pinning.pcpus };
    const at = vm.cpuAffinity.range;
    // A node affinity only replaces the list if the nodes hold the memory. ESXi ignores node affinity with a memory affinity.
    if (nodes && (ifKnown("memoryAffinity") ?? "all") === "all" && nodes.length >= nodesForMemory(ifKnown("memoryMiB"), host)) {
      const fix = unsafeFix("Use a NUMA node affinity", { cpuAffinity: "all", numaNodeAffinity: nodes });
      yield { messageId: "nodes", data: { ...data, nodes }, at, fixes: [fix] };
    } else yield { messageId: "some", data, at, fixes: [removeAffinity] };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM is pinned by hand",
  why: "ESXi knows the load of every core, shared threads and near memory, and moves vCPUs accordingly. An affinity takes that choice away and turns off NUMA scheduling. To keep a VM on a NUMA node, use a NUMA node affinity: ESXi then still manages the VM. The SQL Server study saw no gain from affinity for several VMs, and at most a modest gain for a single VM.",
  whenNot:
    "For a VM that was measured to be faster. Pinning saves no Oracle licences: Oracle counts affinity and VMware as soft partitioning. One core for each vCPU, as in the study, is not reported.",
  sources: [AFFINITY_DOC, NUMA_CONTROLS_DOC, ORACLE_PARTITIONING, SQL55],
  bad: [
    { title: "All of a node", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nsched.cpu.affinity = "0-19"`, expect: "nodes" },
    { title: "A part of a node", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nsched.cpu.affinity = "0-15"`, expect: "some" },
  ],
  good: [
    { title: "The NUMA node affinity", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nnuma.nodeAffinity = "0"` },
    { title: "A core for each vCPU", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nsched.cpu.affinity = "0,2,4,6"` },
    { title: "All of the host", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nsched.cpu.affinity = "0-39"` },
    { title: "Written out as free", host: "2x10x2@7.0", vmx: `numvcpus = "4"\nsched.cpu.affinity = "all"` },
  ],
});

/** Returns the NUMA nodes that a list covers completely; `undefined` if it also covers parts of nodes. */
function wholeNodes({ pcpus, perNode }: Pinning, host: HostModel): readonly number[] | undefined {
  const size = coresPerNode(host);
  const nodes = [...perNode.keys()].filter((node) => perNode[node] === size);
  const isWhole = perNode.every((cores) => cores === 0 || cores === size);
  return isWhole && pcpus === nodes.length * size * host.threadsPerCore ? nodes : undefined;
}
