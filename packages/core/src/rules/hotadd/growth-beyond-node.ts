import { fewestCores } from "../../advice/sockets-and-cores.ts";
import { groupText } from "../../esxi/layout.ts";
import { DENNEMAN_2017_HOTADD, KB_340275 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { defineRule, holds } from "../define.ts";

export const rule = defineRule({
  id: "hotadd/growth-beyond-node",
  since: "0.1.0",
  severity: "info",
  summary: "CPU hot add can outgrow the NUMA node",
  why: "While a VM fits one NUMA node, CPU hot add costs it nothing. Once it grows past the cores of the node, it spans several nodes, and hot add hides them: the guest cannot keep threads and memory together.",
  whenNot: "When so many vCPUs are only added for a short peak, or nothing in the guest is aware of NUMA.",
  evidence: {
    figure:
      "12 vCPUs on 2 x 10 cores: one node of 12 with hot add, and the memory of both nodes interleaved; up to 10 vCPUs nothing changes",
    source: DENNEMAN_2017_HOTADD,
  },
  sources: [DENNEMAN_2017_HOTADD, KB_340275],
  on: ["maxVcpusByHotAdd"],
  needs: ["host", "topology"],
  reads: ["cpuHotAdd", "maxVcpusByHotAdd"],
  messages: {
    grows: (d: { vcpus: number; most: number; capacity: number; clients: readonly number[] }) =>
      `${plural(d.vcpus, "vCPU")} ${d.vcpus === 1 ? "fits" : "fit"} one NUMA node, but hot add allows ${d.most} (cpuid.maxVCPUs), which span ${d.clients.length} nodes (${groupText(d.clients)}) and see one. Set cpuid.maxVCPUs to ${d.capacity}.`,
  },
  bad: [
    {
      title: "Up to 16 on nodes of 10 cores",
      host: "2x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "8"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "16"`,
      expect: "grows",
    },
  ],
  good: [
    {
      title: "Up to the cores of a node",
      host: "2x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "8"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "10"`,
    },
    {
      title: "No growth is declared",
      host: "2x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "8"\nvcpu.hotadd = "TRUE"`,
    },
    {
      title: "Hot add is off",
      host: "2x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "8"\nvcpu.hotadd = "FALSE"\ncpuid.maxVCPUs = "16"`,
    },
  ],
  applies: ({ cpuHotAdd, maxVcpusByHotAdd }) =>
    holds(maxVcpusByHotAdd, (maxVcpus) => maxVcpus !== undefined) === false ? false : holds(cpuHotAdd, (on) => on === true),
  *check({ vm, topology, whatIf }) {
    const { vcpus, numaClients, nodeCapacity: capacity, numaManaged } = topology;
    const maxVcpus = vm.maxVcpusByHotAdd;
    if (!vm.cpuHotAdd || !maxVcpus || maxVcpus.value <= capacity || !numaManaged || numaClients.length > 1) return;
    // Small sockets, as the VM's own need not divide the larger count.
    const grown = whatIf({ vcpus: maxVcpus.value, coresPerSocket: fewestCores(maxVcpus.value) });
    if (!grown || grown.numaClients.length === 1 || grown.vnumaNodes.length > 1) return;
    yield {
      messageId: "grows",
      data: { vcpus, most: maxVcpus.value, capacity, clients: grown.numaClients },
      at: maxVcpus.range,
      related: [{ message: "CPU hot add is set here", range: vm.cpuHotAdd.range }],
      fixes: [
        { title: `Set cpuid.maxVCPUs to ${capacity}`, safety: "unsafe", changes: [{ setting: "maxVcpusByHotAdd", value: capacity }] },
      ],
    };
  },
});
