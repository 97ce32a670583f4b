import { nodesOf } from "../../advice/aligned-size.ts";
import { SQL55, VNUMA_CONTROLS_67 } from "../../model/sources.ts";
import type { SettingName, SettingValues } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { readsCoresPerNode } from "../../platforms/esxi/esxi-8.0.ts";
import { isEven } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";
import { nodeSizes } from "../shape-advice.ts";

/** In the priority order of ESXi, with the option names for messages. */
const BY_HAND = { coresPerNumaNode: "numa.vcpu.coresPerNode", maxVcpusPerVnumaNode: "numa.vcpu.maxPerVirtualNode" } as const satisfies {
  readonly [K in SettingName]?: string;
};

export const rule = builtinRule({
  id: "numa/more-nodes-than-host",
  severity: "info",
  on: ["coresPerNumaNode", "maxVcpusPerVnumaNode"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerNumaNode", "maxVcpusPerVnumaNode"],
  messages: {
    /** `sockets`: whether cores per socket must have the same value. */
    more: (d: { key: string; size: number; vcpus: number; nodes: number; physicalNodes: number; instead: number; sockets: boolean }) =>
      `${d.key} = ${d.size} cuts the ${d.vcpus} vCPUs into ${d.nodes} NUMA nodes on a host of ${d.physicalNodes}. Set ${d.sockets ? "it and cores per socket to " : ""}${d.instead} to make ${plural(d.vcpus / d.instead, "node")} of ${d.instead}.`,
  },
  applies: ({ coresPerNumaNode, maxVcpusPerVnumaNode }) => {
    const sizesSet = [coresPerNumaNode, maxVcpusPerVnumaNode].map((setting) => holds(setting, (size = 0) => size > 0));
    return sizesSet.includes(true) || (sizesSet.includes(undefined) ? undefined : false);
  },
  *check(facts) {
    const { vm, host, topology, onOtherHosts } = facts;
    const { vcpus, vnumaNodes: nodes, numaManaged } = topology;
    const hostNodes = host.numaNodes;
    // Another rule reports uneven nodes.
    if (!numaManaged || nodes.length <= hostNodes || !isEven(nodes)) return;
    const [size = 0] = nodes;
    const readSettings = BY_HAND_SETTINGS.filter((name) => name !== "coresPerNumaNode" || readsCoresPerNode(host));
    const setting = readSettings.find((name) => vm[name]?.value === size);
    const at = setting && vm[setting]?.range;
    if (!at || size % (host.coresPerL3 ?? Infinity) === 0) return;
    // Nodes of this option need matching sockets.
    const settings = (newSize: number): SettingValues =>
      setting === "coresPerNumaNode" ? { [setting]: newSize, coresPerSocket: newSize } : nodesOf(topology, setting, newSize);
    const [instead] = nodeSizes(facts, settings);
    if (instead === undefined) return;
    if (onOtherHosts().some((otherHost) => otherHost.host.numaNodes >= nodes.length)) return;
    // EPYC hosts (at most two sockets) may have cache groups of that size, and the processor is not declared.
    if (host.cpu === undefined && host.coresPerL3 === undefined && host.sockets <= 2)
      return yield { skip: "host-incomplete", lacks: ["cpu"] };
    const chosen = settings(instead);
    const sockets = chosen.coresPerSocket !== undefined;
    yield {
      messageId: "more",
      data: { key: BY_HAND[setting], size, vcpus, nodes: nodes.length, physicalNodes: hostNodes, instead, sockets },
      at,
      fixes: [unsafeFix(`Make nodes of ${instead}`, chosen)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Size set by hand makes more NUMA nodes than exist",
  why: "numa.vcpu.maxPerVirtualNode and numa.vcpu.coresPerNode set the size of the virtual NUMA nodes, independent of the host. If they are smaller than the nodes of the host, several of them share one, and the guest separates threads and memory that are equally near.",
  whenNot:
    "When the nodes match groups of cores that share a cache, or the VM also runs on hosts with as many nodes. The hosts of its cluster are checked.",
  evidence: {
    figure: "3 VMs x 32 vCPUs on 4 x 10 cores: 4 nodes each 424,860 operations a minute, 8 nodes 411,648, 16 nodes 385,412",
    source: SQL55,
    against: "Those nodes were made by cores per socket, as up to ESXi 6.0. No measurement of these options is published.",
  },
  sources: [VNUMA_CONTROLS_67, SQL55],
  shared: { vmx: `virtualHW.version = "17"` },
  bad: [
    { title: "32 vCPUs as 8 nodes of 4", host: "4x10x2@7.0", vmx: `numvcpus = "32"\nnuma.vcpu.maxPerVirtualNode = "4"` },
    {
      title: "12 vCPUs that fit one node, as 6 nodes of 2",
      host: "r640",
      vmx: `virtualHW.version = "20"\nnumvcpus = "12"\ncpuid.coresPerSocket = "2"\nnuma.vcpu.coresPerNode = "2"`,
    },
    {
      title: "With the setting of 8.0, which older releases ignore",
      host: "4x10x2@7.0",
      vmx: `numvcpus = "32"\nnuma.vcpu.maxPerVirtualNode = "4"\nnuma.vcpu.coresPerNode = "4"`,
    },
  ],
  good: [
    { title: "As many nodes as the host has", host: "4x10x2@7.0", vmx: `numvcpus = "32"\nnuma.vcpu.maxPerVirtualNode = "8"` },
    {
      title: "SQL Server is supported with nodes of at most 64",
      host: "4x80x2@8.0",
      workload: "mssql, enterprise, core, 2022",
      vmx: `virtualHW.version = "20"\nnumvcpus = "320"\ncpuid.coresPerSocket = "40"\nnuma.vcpu.coresPerNode = "40"`,
    },
    {
      title: "Groups of 8 cores that share a cache",
      host: "dual-epyc-7763",
      vmx: `virtualHW.version = "20"\nnumvcpus = "64"\ncpuid.coresPerSocket = "8"\nnuma.vcpu.coresPerNode = "8"`,
    },
    {
      title: "Another host of the cluster has as many nodes",
      host: "r640",
      otherHosts: ["r930"],
      vmx: `numvcpus = "32"\nnuma.vcpu.maxPerVirtualNode = "8"`,
    },
  ],
});

const BY_HAND_SETTINGS = Object.keys(BY_HAND) as (keyof typeof BY_HAND)[];
