import { sequence } from "../../model/sequence.ts";
import { DENNEMAN_2016_DECOUPLING, NUMA_INFO_API } from "../../model/sources.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { govcVm } from "../govc-example.ts";

/** A running VM of 20 vCPUs, with the node size that its server reports. */
const running = (coresPerNumaNode: number, more = ""): string =>
  govcVm({
    version: "vmx-20",
    hardware: { numCPU: 20, memoryMB: 8192, numCoresPerSocket: 1, autoCoresPerSocket: true, device: [] },
    numaInfo: { coresPerNumaNode, autoCoresPerNumaNode: true, vnumaOnCpuHotaddExposed: false },
    cpuAllocation: { reservation: 0 },
    memoryAllocation: { reservation: 0 },
    ...(more && { extraConfig: [{ key: "numa.vcpu.maxPerVirtualNode", value: more }] }),
  });

/** A vmware.log of a VM with two NUMA nodes. */
const log = (vcpus: number, clientOf: (vcpu: number) => number): string =>
  [
    "Log for VMware ESX pid=2099527 version=7.0.3",
    "DICT --- CONFIGURATION",
    'DICT virtualHW.version = "19"',
    `DICT numvcpus = "${vcpus}"`,
    'DICT memSize = "65536"',
    "DICT --- USER DEFAULTS",
    ...sequence(vcpus, (vcpu) => `numaHost: VCPU ${vcpu} VPD ${Math.floor((2 * vcpu) / vcpus)} PPD ${clientOf(vcpu)}`),
  ].join("\n");

export const rule = builtinRule({
  id: "topo/observed-differs",
  severity: "info",
  presets: ["recommended"],
  on: ["observed"],
  needs: ["host", "topology"],
  reads: ["vcpus"],
  messages: {
    differs: (d: NodeDifference) =>
      `According to ${d.source}, the guest sees NUMA nodes of ${groupText(d.reported)}, but vmlint computes ${groupText(d.computed)} on ${d.host}. If the VM was started on this host, report the numa: lines of its vmware.log to vmlint.`,
    clients: (d: NodeDifference) =>
      `According to ${d.source}, the VM has NUMA clients of ${groupText(d.reported)}, but vmlint computes ${groupText(d.computed)} on ${d.host}. If the VM was started on this host, report the numa: lines of its vmware.log to vmlint.`,
    elsewhere: (d: NodeDifference & { there: string }) =>
      `According to ${d.source}, the guest sees NUMA nodes of ${groupText(d.reported)}, as on ${d.there}; ${d.host} would give it ${groupText(d.computed)}. Power the VM off and on to get the nodes of ${d.host}.`,
  },
  *check({ vm, host, topology, observed, onOtherHosts }) {
    const compared = observed();
    if (!vm.vcpus || !compared || compared.agrees || compared.explainedBy.length > 0) return;
    const { value, range } = compared.observed;
    const { vnumaNodes: reported, numaClients: clients, source } = value;
    if (clients && (!reported || reported.join() === topology.vnumaNodes.join()))
      yield { messageId: "clients", data: { reported: clients, computed: topology.numaClients, host: host.name, source }, at: range };
    if (!reported || reported.join() === topology.vnumaNodes.join()) return;
    const data = { reported, computed: topology.vnumaNodes, host: host.name, source };
    const origin = onOtherHosts().find(({ topology: other }) => other?.vnumaNodes.join() === reported.join());
    if (origin) yield { messageId: "elsewhere", data: { ...data, there: origin.host.name }, at: range };
    else yield { messageId: "differs", data, at: range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "A running VM has other NUMA nodes than computed",
  why: "For a running VM, vCenter reports the size of the NUMA nodes that the guest sees, vmware.log lists the node and the NUMA client of each vCPU, and sched-stats the vCPUs of each client. A difference comes from another host, from an option that has changed since, or from a mistake in vmlint. In each case the findings about NUMA nodes do not describe the guest as it runs now.",
  whenNot: "When the VM was started on a host with other NUMA nodes and moved here.",
  sources: [NUMA_INFO_API, DENNEMAN_2016_DECOUPLING],
  shared: { host: "2x16x2@8.0" },
  bad: [
    { title: "Nodes of 5 where 10+10 is computed", json: running(5), expect: "differs" },
    { title: "Started on another host of the cluster", otherHosts: ["4x6x2@8.0"], json: running(5), expect: "elsewhere" },
    {
      title: "Three NUMA clients where two are computed",
      host: "2x6x2@7.0",
      log: log(12, (vcpu) => Math.floor(vcpu / 4)),
      expect: "clients",
    },
  ],
  good: [
    { title: "Nodes of 10, as computed", json: running(10) },
    { title: "An option that sets the size explains it", json: running(5, "7") },
  ],
});

interface NodeDifference {
  readonly reported: readonly number[];
  readonly computed: readonly number[];
  readonly host: string;
  /** The source of the observation. */
  readonly source: string;
}
