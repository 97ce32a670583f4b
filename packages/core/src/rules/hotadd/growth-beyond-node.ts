import { fewestCores } from "../../advice/sockets-and-cores.ts";
import { DENNEMAN_2017_HOTADD, KB_340275 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";
import { GROWTH_SETTINGS, growthOf } from "../growth.ts";

export const rule = builtinRule({
  id: "hotadd/growth-beyond-node",
  severity: "info",
  on: ["maxVcpusByHotAdd"],
  needs: ["host", "topology"],
  reads: ["cpuHotAdd", "maxVcpusByHotAdd", ...GROWTH_SETTINGS],
  messages: {
    grows: (d: { vcpus: number; most: number; capacity: number | null; clients: readonly number[]; perSocket: number }) =>
      `${plural(d.vcpus, "vCPU")} ${d.vcpus === 1 ? "fits" : "fit"} one NUMA node, but hot add allows ${d.most} (cpuid.maxVCPUs${d.perSocket === 1 ? "" : `, in sockets of ${d.perSocket}`}), which span ${d.clients.length} nodes (${groupText(d.clients)}) and see one. ${d.capacity === null ? "Turn hot add off, or use smaller sockets." : `Set cpuid.maxVCPUs to ${d.capacity}.`}`,
  },
  applies: ({ cpuHotAdd, maxVcpusByHotAdd }) =>
    holds(maxVcpusByHotAdd, (maxVcpus) => maxVcpus !== undefined) === false ? false : holds(cpuHotAdd, (on) => on === true),
  *check({ vm, topology, whatIf }) {
    const { vcpus, numaClients, nodeCapacity: capacity, numaManaged } = topology;
    const maxVcpus = vm.maxVcpusByHotAdd;
    if (!vm.cpuHotAdd || !maxVcpus || maxVcpus.value <= capacity || !numaManaged || numaClients.length > 1) return;
    const growth = growthOf(vm, vcpus);
    const most = growth.upTo(maxVcpus.value);
    // Another rule reports a maximum that whole sockets do not reach.
    if (most <= capacity) return;
    const grown = whatIf({ vcpus: most, coresPerSocket: growth.perSocket === 1 ? fewestCores(most) : growth.perSocket });
    if (!grown || grown.numaClients.length === 1 || grown.vnumaNodes.length > 1) return;
    const inNode = growth.upTo(capacity);
    yield {
      messageId: "grows",
      data: { vcpus, most, capacity: inNode > vcpus ? inNode : null, clients: grown.numaClients, perSocket: growth.perSocket },
      at: maxVcpus.range,
      related: [{ message: "CPU hot add is set here", range: vm.cpuHotAdd.range }],
      fixes: [
        inNode > vcpus
          ? unsafeFix(`Set cpuid.maxVCPUs to ${inNode}`, { maxVcpusByHotAdd: inNode })
          : unsafeFix("Turn CPU hot add off", { cpuHotAdd: false }),
      ],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU hot add can outgrow the NUMA node",
  why: "While a VM fits one NUMA node, CPU hot add costs it nothing. Once it grows past the cores of the node, it spans several nodes, and hot add hides them: the guest cannot keep threads and memory together.",
  whenNot: "When so many vCPUs are only added for a short peak, or nothing in the guest is aware of NUMA.",
  evidence: {
    figure:
      "12 vCPUs on 2 x 10 cores: one node of 12 with hot add, and the memory of both nodes interleaved; up to 10 vCPUs nothing changes",
    source: DENNEMAN_2017_HOTADD,
  },
  sources: [KB_340275],
  shared: { host: "2x10x2@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "8"` },
  bad: [{ title: "Up to 16 on nodes of 10 cores", vmx: `vcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "16"` }],
  good: [
    { title: "Sockets of 8 do not reach 12", vmx: `cpuid.coresPerSocket = "8"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "12"` },
    { title: "Up to the cores of a node", vmx: `vcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "10"` },
    { title: "No growth is declared", vmx: `vcpu.hotadd = "TRUE"` },
    { title: "Hot add is off", vmx: `vcpu.hotadd = "FALSE"\ncpuid.maxVCPUs = "16"` },
  ],
});
