import { atLeast, esxi, formatEsxi } from "../../model/esxi.ts";
import { coresOf, coresPerNode } from "../../model/host.ts";
import { DENNEMAN_2011, DENNEMAN_2021_CPS, VNUMA_DOC_65, VTOPO80 } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";
import { chooseCount, nodeSizes } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "cpu/cps-exceeds-pnode",
  severity: "warning",
  on: ["coresPerSocket"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerSocket", "cpuHotAdd", "storedNodeSize", "storedCookie", "numaAutosize", "numaAutosizeOnce"],
  messages: {
    larger: (d: {
      vcpus: number;
      coresPerSocket: number;
      capacity: number;
      physicalNodes: number;
      instead: number | null;
      stored: boolean;
      hotAdd: boolean;
      layouts: readonly (readonly number[])[];
    }) =>
      `A virtual socket of ${d.coresPerSocket} cores is wider than a NUMA node of ${d.capacity}, and no source says whether ESXi divides the VM as ${orWords(d.layouts)}. ${
        d.instead
          ? `Set ${plural(d.instead, "core")} per socket${d.stored ? ", and numa.autosize.once to FALSE" : ""}${d.hotAdd ? ", and turn CPU hot add off" : ""}: ${plural(d.vcpus / d.instead, "socket")}, one for each node.`
          : chooseCount({ ...d, forMemory: 1 })
      }`.trimEnd(),
    cut: (d: { coresPerSocket: number; capacity: number; esxi: string; clients: readonly number[]; instead: number }) =>
      `A virtual socket of ${d.coresPerSocket} cores is wider than a NUMA node of ${d.capacity}: ESXi ${d.esxi} cuts it ${groupText(d.clients)}. Set ${plural(d.instead, "core")} per socket, which keeps each socket on one node.`,
  },
  applies: ({ coresPerSocket }) => holds(coresPerSocket, (cores) => typeof cores === "number" && cores > 1),
  *check(facts) {
    const { vm, host, topology, advise, storedSize, layouts: possible } = facts;
    const { vcpus, coresPerSocket, threadsPerCore, nodeCapacity: capacity, numaClients: clients, numaManaged } = topology;
    // More vCPUs than cores do not fit with any sockets, and a client that fits a node was not sized by the sockets.
    if (!vm.coresPerSocket || !numaManaged || coresPerSocket <= capacity || vcpus > coresOf(host)) return;
    // No source says whether such a socket has that many cores or threads.
    if (threadsPerCore > 1) return yield { skip: "layout-unknown" };
    // If a manual limit is below the cores of a node, the limit is the cause, not the sockets.
    if (capacity < coresPerNode(host)) return;
    const cases = possible()?.cases ?? [{ topology }];
    const layouts = [...new Map(cases.map((one) => [groupText(one.topology.numaClients), one.topology.numaClients])).values()];
    if (layouts.every((layout) => layout.every((client) => client <= capacity))) {
      // From 5.0 to 6.0 the sockets size the virtual nodes, and another rule reports nodes that span several.
      if (atLeast(topology.esxi, esxi(5, 0)) || clients.length === 1) return;
      const instead = commonDivisor(vcpus, capacity);
      const data = { coresPerSocket, capacity, esxi: formatEsxi(topology.esxi), clients, instead };
      const title = `Set ${plural(instead, "core")} per socket`;
      yield { messageId: "cut", data, at: vm.coresPerSocket.range, fixes: [unsafeFix(title, { coresPerSocket: instead })] };
      return;
    }
    // Nodes stored at an earlier power-on stay when the sockets change.
    const stored = storedSize() !== null;
    const settings: SettingValues = stored ? { numaAutosizeOnce: false } : {};
    const sizeBeside = (others: SettingValues): number | undefined =>
      advise(() => nodeSizes(facts, (size) => ({ coresPerSocket: size, ...others }))[0]);
    const restSize = sizeBeside(settings);
    // With hot add on, the guest sees no virtual NUMA nodes.
    const hidden = vm.cpuHotAdd?.value ? sizeBeside({ ...settings, cpuHotAdd: false }) : undefined;
    const instead = restSize ?? hidden ?? null;
    const hotAdd = restSize === undefined && hidden !== undefined;
    const others = { ...settings, ...(hotAdd && { cpuHotAdd: false }) };
    yield {
      messageId: "larger",
      data: {
        vcpus,
        coresPerSocket,
        capacity,
        physicalNodes: host.numaNodes,
        instead,
        stored,
        hotAdd,
        layouts: layouts.slice().sort((a, b) => b.length - a.length),
      },
      at: vm.coresPerSocket.range,
      fixes: instead === null ? [] : [unsafeFix(`Set ${plural(instead, "core")} per socket`, { coresPerSocket: instead, ...others })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Socket is wider than a NUMA node",
  why: "No source documents how ESXi 6.5 and later place a socket that is wider than a node. They may cut it: the guest then sees cores that share a socket and its cache, but physically they do not. Or they may keep it whole, in a client wider than any node. ESX 4.1 fills one node and cuts the socket there.",
  whenNot: "When a licence counts sockets and this shape is the price of using all vCPUs.",
  evidence: {
    figure: "The cache follows the socket: 8 vCPUs on an EPYC 7763 see 262,144K of L3 as 8 sockets and 32,768K as one (lscpu)",
    source: VTOPO80,
    against: "The cost of a socket wider than a node was not measured.",
  },
  sources: [DENNEMAN_2021_CPS, VNUMA_DOC_65, VTOPO80, DENNEMAN_2011],
  bad: [
    {
      title: "12 vCPUs in one socket, on 10-core nodes",
      host: "2x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "12"\ncpuid.coresPerSocket = "12"`,
      expect: "larger",
    },
    {
      title: "Sized on 2 x 20 cores, in two sockets",
      host: "4x14x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "36"\ncpuid.coresPerSocket = "18"\nnuma.autosize.cookie = "360182"\nnuma.autosize.vcpu.maxPerVirtualNode = "18"`,
      expect: "larger",
    },
    {
      title: "CPU hot add, which hides the nodes that the sockets would go into",
      host: "2x20x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "26"\ncpuid.coresPerSocket = "26"\nvcpu.hotadd = "TRUE"`,
      expect: "larger",
    },
    {
      title: "8 vCPUs in one socket, on 6-core nodes of ESX 4.1",
      host: "2x6x2@4.1",
      vmx: `virtualHW.version = "7"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"`,
      expect: "cut",
    },
  ],
  good: [
    { title: "Two sockets of 6", host: "2x10x2@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "12"\ncpuid.coresPerSocket = "6"` },
    { title: "10 vCPUs in one socket", host: "2x10x2@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "10"\ncpuid.coresPerSocket = "10"` },
    {
      title: "preferHT: a node holds 20",
      host: "2x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "12"\ncpuid.coresPerSocket = "12"\nnuma.vcpu.preferHT = "TRUE"`,
    },
    {
      title: "Sockets of 2 fill 6-core nodes of ESX 4.1",
      host: "2x6x2@4.1",
      vmx: `virtualHW.version = "7"\nnumvcpus = "8"\ncpuid.coresPerSocket = "2"`,
    },
  ],
});

const orWords = (layouts: readonly (readonly number[])[]): string => layouts.map(groupText).join(" or ");

/** Returns the largest size that divides the vCPUs and a node, so that no node's limit cuts a socket. */
const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
