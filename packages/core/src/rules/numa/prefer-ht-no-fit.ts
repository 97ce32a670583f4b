import { isDecided } from "../../advice/aligned-size.ts";
import { coresOf, type HostModel } from "../../model/host.ts";
import { DENNEMAN_2016_NUMA5, KB_415687 } from "../../model/sources.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { groupText, isSameLayout } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "numa/prefer-ht-no-fit",
  severity: "warning",
  severities: { same: "info" },
  on: ["preferHt"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["preferHt"],
  messages: {
    noThreads: (d: { vcpus: number; clients: readonly number[] }) =>
      `preferHT has no effect: this host has one thread per core, and the ${d.vcpus} vCPUs stay split ${groupText(d.clients)}. Remove it, or enable hyper-threading.`,
    same: (d: { vcpus: number; clients: readonly number[] }) =>
      `preferHT has no effect on this host: the ${d.vcpus} vCPUs are split ${groupText(d.clients)} with and without it. Remove it.`,
  },
  applies: ({ preferHt }) => holds(preferHt, (on) => on === true),
  *check({ vm, host, topology, whatIf, onOtherHosts }) {
    const { vcpus, numaClients: clients, numaManaged } = topology;
    if (!vm.preferHt || !numaManaged || clients.length === 1 || !isIdle(host, topology, whatIf({ preferHt: false }))) return;
    const without = onOtherHosts({ preferHt: false });
    if (!onOtherHosts().every((otherHost, i) => isIdle(otherHost.host, otherHost.topology, without[i]?.topology))) return;
    yield {
      messageId: host.threadsPerCore === 1 ? "noThreads" : "same",
      data: { vcpus, clients },
      at: vm.preferHt.range,
      fixes: [unsafeFix("Turn preferHT off", { preferHt: false })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "preferHT does not reduce the NUMA nodes",
  why: "preferHT counts the hyper-threads of a node in place of its cores, so that a VM takes fewer nodes. On a host without hyper-threading, and for nodes of a size set by hand, it changes nothing.",
  whenNot:
    "When the VM also runs on hosts with larger nodes. The hosts of its cluster are checked. A VM with more vCPUs than the host has cores is not reported: preferHT then shows the intent.",
  sources: [DENNEMAN_2016_NUMA5, KB_415687],
  shared: { vmx: `virtualHW.version = "17"` },
  bad: [
    { title: "Hyper-threading is off", host: "2x10x1@7.0", vmx: `numvcpus = "16"\nnuma.vcpu.preferHT = "TRUE"`, expect: "noThreads" },
    {
      title: "Two nodes by hand",
      host: "2x10x2@7.0",
      vmx: `numvcpus = "16"\nnuma.vcpu.maxPerVirtualNode = "8"\nnuma.vcpu.preferHT = "TRUE"`,
      expect: "same",
    },
  ],
  good: [
    { title: "16 vCPUs on 20 threads", host: "2x10x2@7.0", vmx: `numvcpus = "16"\nnuma.vcpu.preferHT = "TRUE"` },
    { title: "22 vCPUs share 20 cores in any case", host: "2x10x2@7.0", vmx: `numvcpus = "22"\nnuma.vcpu.preferHT = "TRUE"` },
    {
      title: "16 vCPUs on the 20 threads of another host of the cluster",
      host: "2x10x1@7.0",
      otherHosts: ["2x10x2@7.0"],
      vmx: `numvcpus = "16"\nnuma.vcpu.preferHT = "TRUE"`,
    },
    { title: "8 vCPUs fit the cores anyway", host: "2x10x1@7.0", vmx: `numvcpus = "8"\nnuma.vcpu.preferHT = "TRUE"` },
  ],
});

/** Whether preferHT is known to change nothing on a host, which has a core for every vCPU. */
const isIdle = (host: HostModel, topology: Topology | undefined, without: Topology | undefined): boolean =>
  topology !== undefined &&
  without !== undefined &&
  topology.vcpus <= coresOf(host) &&
  isDecided(topology) &&
  isDecided(without) &&
  isSameLayout(topology, without);
