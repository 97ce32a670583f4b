import { isDecided, isPlaced } from "../../advice/aligned-size.ts";
import { DENNEMAN_2017_HOTADD, SQL55, VCAT_VNUMA, VNUMA_DOC_65 } from "../../model/sources.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "numa/hidden-by-hotadd",
  severity: "warning",
  on: ["cpuHotAdd"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["cpuHotAdd"],
  messages: {
    hidden: (d: { vcpus: number; clients: readonly number[] }) =>
      `CPU hot add shows the guest one NUMA node of ${d.vcpus} vCPUs, but the VM spans ${d.clients.length} (${groupText(d.clients)}). Turn hot add off to show the guest ${d.clients.length} nodes.`,
  },
  applies: ({ cpuHotAdd }) => holds(cpuHotAdd, (on) => on === true),
  *check({ vm, topology, whatIf }) {
    const { vcpus, numaClients: clients, vnumaNodes, numaManaged } = topology;
    if (!vm.cpuHotAdd || !numaManaged || clients.length === 1 || vnumaNodes.length > 1) return;
    // Other settings can hide the nodes too. The rule only blames hot add if its removal shows the nodes.
    const without = whatIf({ cpuHotAdd: false });
    if (!without || [without.vnumaNodes, without.numaClients].some(({ length }) => length !== clients.length)) return;
    if (!isPlaced(topology) || !isDecided(without)) return yield { skip: "layout-unknown" };
    yield {
      messageId: "hidden",
      data: { vcpus, clients },
      at: vm.cpuHotAdd.range,
      fixes: [unsafeFix("Turn CPU hot add off", { cpuHotAdd: false })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU hot add hides virtual NUMA nodes (vNUMA) from the guest",
  why: "With CPU hot add on, ESXi shows the guest a single NUMA node, however many the VM spans, and spreads its memory over all of them. The guest can then keep neither threads nor memory local.",
  whenNot: "When vCPUs are really added while the VM runs, or nothing in the guest is aware of NUMA.",
  evidence: {
    figure: "12 vCPUs on 2 x 10 cores: one node of 12 with hot add, and the memory of both nodes interleaved",
    source: DENNEMAN_2017_HOTADD,
    against:
      "3 VMs x 32 vCPUs on 4 x 10 cores lost only 0.8 % without virtual NUMA: 421,263 instead of 424,860 operations a minute. According to VMware's vCloud Architecture Toolkit, hot add hides no nodes from 6.0 on, which contradicts the documentation of 6.5 and 8.0.",
  },
  sources: [VNUMA_DOC_65, SQL55, VCAT_VNUMA],
  shared: { host: "2x10x2@6.5", vmx: `virtualHW.version = "13"` },
  bad: [{ title: "12 vCPUs on 10-core nodes", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "6"\nvcpu.hotadd = "TRUE"` }],
  good: [
    { title: "Hot add off", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "6"\nvcpu.hotadd = "FALSE"` },
    { title: "10 vCPUs fit one node, so hot add hides no node", vmx: `numvcpus = "10"\nvcpu.hotadd = "TRUE"` },
    {
      title: "Three sockets of 6 on two nodes of 10: no source states which nodes the VM spans",
      vmx: `numvcpus = "18"\ncpuid.coresPerSocket = "6"\nvcpu.hotadd = "TRUE"`,
    },
    {
      title: "Without hot add its sockets would be its nodes, which span four clients",
      host: "2x20x2@8.0",
      vmx: `virtualHW.version = "10"\nnumvcpus = "62"\ncpuid.coresPerSocket = "31"\nnuma.vcpu.followcorespersocket = "1"\nvcpu.hotadd = "TRUE"`,
    },
  ],
});
