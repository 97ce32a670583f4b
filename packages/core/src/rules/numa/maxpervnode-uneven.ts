import { nodesOf } from "../../advice/aligned-size.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { SQL55, VNUMA_CONTROLS_67 } from "../../model/sources.ts";
import { isEven } from "../../platforms/esxi/layout.ts";
import { builtinRule, type PageOf, unsafeFix } from "../define.ts";
import { chooseCount, dividesInto, nodeSizes, type Room } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/maxpervnode-uneven",
  severity: "warning",
  on: ["maxVcpusPerVnumaNode"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerNumaNode", "maxVcpusPerVnumaNode"],
  messages: {
    /** `sockets`: whether cores per socket must have the same value. */
    uneven: (d: Uneven) =>
      `${d.vcpus} vCPUs in NUMA nodes of at most ${d.size} make ${d.nodes} nodes that cannot be equal. ${
        d.instead ? `Set numa.vcpu.maxPerVirtualNode ${d.sockets ? "and cores per socket " : ""}to ${d.instead}.` : remedy(d)
      }`.trimEnd(),
  },
  *check(facts) {
    const { vm, host, topology, ifKnown } = facts;
    const { vcpus, vnumaNodes, nodeCapacity: capacity } = topology;
    if (!vm.maxVcpusPerVnumaNode || (vm.coresPerNumaNode?.value ?? 0) > 0) return;
    const { value: size, range } = vm.maxVcpusPerVnumaNode;
    const nodes = Math.ceil(vcpus / size);
    // The documentation describes an even split over that many nodes, but the engine fills nodes in turn. Only a split that is uneven both
    // ways is certain.
    if (isEven(vnumaNodes) || vnumaNodes[0] !== size || vcpus % nodes === 0) return;
    const settings = (newSize: number) => nodesOf(topology, "maxVcpusPerVnumaNode", newSize);
    const forMemory = nodesForMemory(ifKnown("memoryMiB"), host);
    const sizes = nodeSizes(facts, settings);
    const removable = Math.ceil(vcpus / capacity) >= forMemory;
    // The nearest lower size, otherwise the nearest higher size.
    const instead = sizes.find((newSize) => newSize < size) ?? sizes.at(-1) ?? null;
    const chosen = instead === null ? {} : settings(instead);
    const sockets = chosen.coresPerSocket !== undefined;
    yield {
      messageId: "uneven",
      data: { vcpus, size, nodes, physicalNodes: host.numaNodes, capacity, forMemory, instead, sockets, removable },
      at: range,
      fixes: instead === null ? [] : [unsafeFix(`Make nodes of ${instead}`, chosen)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "maxPerVirtualNode does not divide the vCPUs",
  why: "The option sets the size of the virtual NUMA nodes by hand. If the nodes cannot have the same number of vCPUs, one is smaller. A guest that spreads work over its nodes then overloads the small node.",
  whenNot: "Never: choose a size that divides the vCPUs, or leave the sizing to ESXi.",
  evidence: {
    figure: "64 vCPUs on 4 x 10 cores: 16+16+16+16 gave 30 % more throughput than 10+10+10+10+10+10+4",
    source: SQL55,
    against: "Those layouts came from preferHT and ESXi's own sizing, not from this option.",
  },
  sources: [VNUMA_CONTROLS_67, SQL55],
  shared: { host: "4x10x2@7.0", vmx: `virtualHW.version = "17"` },
  bad: [{ title: "20 vCPUs in nodes of 8", vmx: `numvcpus = "20"\nnuma.vcpu.maxPerVirtualNode = "8"` }],
  good: [
    { title: "20 vCPUs in nodes of 10", vmx: `numvcpus = "20"\nnuma.vcpu.maxPerVirtualNode = "10"` },
    { title: "18 vCPUs in nodes of at most 8 may be 6+6+6", vmx: `numvcpus = "18"\nnuma.vcpu.maxPerVirtualNode = "8"` },
  ],
});

interface Uneven extends Room {
  readonly size: number;
  readonly nodes: number;
  readonly instead: number | null;
  readonly sockets: boolean;
  readonly removable: boolean;
}

/** Advice without a size. A vCPU count that does not divide is uneven without the option too, so removing it would not help. */
const remedy = ({ removable, ...room }: Uneven): string =>
  removable && dividesInto(room) ? "Remove numa.vcpu.maxPerVirtualNode." : chooseCount(room);
