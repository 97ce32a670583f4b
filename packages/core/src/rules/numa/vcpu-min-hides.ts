import { isDecided } from "../../advice/aligned-size.ts";
import { valueIfKnown } from "../../model/source.ts";
import { DENNEMAN_2019_EPYC, KB_67996, VNUMA_CONTROLS_67, VNUMA_DOC_65 } from "../../model/sources.ts";
import { DEFAULT_MIN_VCPUS } from "../../platforms/esxi/input.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/vcpu-min-hides",
  severity: "warning",
  on: ["vcpus", "vnumaMinVcpus"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["vcpus", "vnumaMinVcpus"],
  messages: {
    byDefault: (d: { vcpus: number; clients: readonly number[]; min: number }) =>
      `${d.vcpus} vCPUs span ${d.clients.length} NUMA nodes (${groupText(d.clients)}) but the guest sees one: ESXi shows nodes only from ${d.min} vCPUs on. Set numa.vcpu.min to ${d.vcpus} to show them.`,
    raised: (d: { vcpus: number; clients: readonly number[]; min: number }) =>
      `numa.vcpu.min is ${d.min}, so the ${d.vcpus} vCPUs see one NUMA node but span ${d.clients.length} (${groupText(d.clients)}). Set it to ${Math.min(d.vcpus, DEFAULT_MIN_VCPUS)}.`,
  },
  applies: ({ vcpus, vnumaMinVcpus }) =>
    vnumaMinVcpus.state === "unknown"
      ? undefined
      : holds(vcpus, (count = 1) => count > 1 && count < (valueIfKnown(vnumaMinVcpus) ?? DEFAULT_MIN_VCPUS)),
  *check({ vm, topology, whatIf }) {
    const { numaClients: clients, vnumaNodes, numaManaged } = topology;
    const vcpus = vcpusOf(vm);
    const min = vm.vnumaMinVcpus?.value ?? DEFAULT_MIN_VCPUS;
    if (vcpus >= min || !numaManaged || clients.length === 1 || vnumaNodes.length > 1 || !isDecided(topology)) return;
    // Other settings can hide the nodes too. The rule only blames the option if its removal shows the nodes.
    const withSetting = whatIf({ vnumaMinVcpus: vcpus });
    if (
      !withSetting ||
      !isDecided(withSetting) ||
      [withSetting.vnumaNodes, withSetting.numaClients].some((nodes) => groupText(nodes) !== groupText(clients))
    )
      return;
    const value = Math.min(vcpus, DEFAULT_MIN_VCPUS);
    yield {
      messageId: min > DEFAULT_MIN_VCPUS ? "raised" : "byDefault",
      data: { vcpus, clients, min },
      at: vm.vnumaMinVcpus?.range ?? vm.vcpus?.range ?? vm.range,
      fixes: [unsafeFix(`Set numa.vcpu.min to ${value}`, { vnumaMinVcpus: value })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "numa.vcpu.min hides NUMA nodes from the guest",
  why: "ESXi shows NUMA nodes only to VMs with at least numa.vcpu.min vCPUs (default 9). A smaller VM can still be wider than a node on hosts with small nodes. It then spans two nodes but sees one, and cannot keep threads and memory local.",
  whenNot: "When nothing in the guest is aware of NUMA.",
  evidence: {
    figure: "8 vCPUs on an EPYC 7401 with 6 cores a node: one virtual node on two clients of 4; with numa.vcpu.min = 6 the guest sees two",
    source: DENNEMAN_2019_EPYC,
    against:
      "From 6.5 U3 and 6.7 U2 on ESXi may show small VMs their nodes by itself (KB 67996, the rule is not published), so vmlint then does not report the default.",
  },
  sources: [VNUMA_DOC_65, VNUMA_CONTROLS_67, KB_67996],
  shared: { host: "1x24x2/4@6.5u2", vmx: `virtualHW.version = "13"` },
  bad: [
    { title: "8 vCPUs on 6-core nodes", vmx: `numvcpus = "8"`, expect: "byDefault" },
    {
      title: "16 vCPUs on 10-core nodes",
      host: "2x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "16"\nnuma.vcpu.min = "20"`,
      expect: "raised",
    },
  ],
  good: [
    { title: "8 vCPUs on 6-core nodes, shown", vmx: `numvcpus = "8"\nnuma.vcpu.min = "6"` },
    { title: "6 vCPUs fit one node", vmx: `numvcpus = "6"` },
    { title: "No source decides it", host: "1x24x2/4@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "8"` },
  ],
});
