import { groupText } from "../../esxi/layout.ts";
import { NUMA_INFO_API } from "../../model/sources.ts";
import { defineRule } from "../define.ts";

/** A running VM of 20 vCPUs, with the node size that its server reports. */
const running = (coresPerNumaNode: number, more = ""): string =>
  JSON.stringify({
    virtualMachines: [
      {
        name: "app",
        runtime: { powerState: "poweredOn" },
        config: {
          name: "app",
          version: "vmx-20",
          hardware: { numCPU: 20, memoryMB: 8192, numCoresPerSocket: 1, autoCoresPerSocket: true, device: [] },
          numaInfo: { coresPerNumaNode, autoCoresPerNumaNode: true, vnumaOnCpuHotaddExposed: false },
          cpuAllocation: { reservation: 0 },
          memoryAllocation: { reservation: 0 },
          ...(more && { extraConfig: [{ key: "numa.vcpu.maxPerVirtualNode", value: more }] }),
        },
      },
    ],
  });

export const rule = defineRule({
  id: "topo/observed-differs",
  since: "0.1.0",
  severity: "info",
  summary: "vCenter reports other NUMA nodes than vmlint computes",
  why: "For a running VM, vCenter reports the size of the NUMA nodes that the guest sees. A different size comes from another host, from an option that has changed since, or from a mistake in vmlint. In each case the findings about NUMA nodes do not describe the guest as it runs now.",
  whenNot: "When the VM was started on a host with other NUMA nodes and moved here.",
  evidence: null,
  sources: [NUMA_INFO_API],
  presets: ["recommended"],
  on: ["observed"],
  needs: ["host", "topology"],
  reads: ["vcpus"],
  messages: {
    differs: (d: NodeDifference) =>
      `The guest sees NUMA nodes of ${groupText(d.reported)} by ${d.source}, but vmlint computes ${groupText(d.computed)} on ${d.host}. If the VM was started on this host, report the numa: lines of its vmware.log to vmlint.`,
    elsewhere: (d: NodeDifference & { there: string }) =>
      `The guest sees NUMA nodes of ${groupText(d.reported)} by ${d.source}, as on ${d.there}; ${d.host} gives ${groupText(d.computed)}. Power the VM off and on to get the nodes of ${d.host}.`,
  },
  bad: [
    { title: "Nodes of 5 where 10+10 is computed", host: "2x16x2@8.0", json: running(5), expect: "differs" },
    {
      title: "Started on another host of the cluster",
      host: "2x16x2@8.0",
      otherHosts: ["4x6x2@8.0"],
      json: running(5),
      expect: "elsewhere",
    },
  ],
  good: [
    { title: "Nodes of 10, as computed", host: "2x16x2@8.0", json: running(10) },
    { title: "An option that sets the size explains it", host: "2x16x2@8.0", json: running(5, "7") },
  ],
  *check({ vm, host, topology, observed, onOtherHosts }) {
    const compared = observed();
    if (!vm.vcpus || !compared || compared.agrees || compared.explainedBy.length > 0) return;
    const { nodes: reported, observed: at } = compared;
    const data = { reported, computed: topology.vnumaNodes, host: host.name, source: at.value.source };
    const origin = onOtherHosts().find(({ topology: other }) => other?.vnumaNodes.join() === reported.join());
    if (origin) yield { messageId: "elsewhere", data: { ...data, there: origin.host.name }, at: at.range };
    else yield { messageId: "differs", data, at: at.range };
  },
});

interface NodeDifference {
  readonly reported: readonly number[];
  readonly computed: readonly number[];
  readonly host: string;
  /** Who reports it. */
  readonly source: string;
}
