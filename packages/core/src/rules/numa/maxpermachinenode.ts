import { isAligned, isPlaced } from "../../advice/aligned-size.ts";
import { nodeMiB, nodesForMemory } from "../../limits/vm-memory.ts";
import { coresPerNode, type HostModel } from "../../model/host.ts";
import { VNUMA_ATTRIBUTES_60 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "numa/maxpermachinenode",
  severity: "info",
  on: ["maxVcpusPerPhysicalNode", "maxVcpusPerClient"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["memoryMiB", "maxVcpusPerPhysicalNode", "maxVcpusPerClient", "preferHt"],
  messages: {
    splits: (d: { key: string; cap: number; vcpus: number; clients: readonly number[]; capacity: number; without: readonly number[] }) =>
      `${d.key} = ${d.cap} splits the ${plural(d.vcpus, "vCPU")} ${groupText(d.clients)}; on nodes of ${d.capacity} they would ${d.without.length === 1 ? "fit one" : `be split ${groupText(d.without)}`}. Set it to ${d.capacity}.`,
  },
  applies: ({ maxVcpusPerPhysicalNode, maxVcpusPerClient }) =>
    holds(maxVcpusPerClient, (cap) => cap !== undefined) || holds(maxVcpusPerPhysicalNode, (cap) => cap !== undefined),
  *check({ vm, host, topology, whatIf, onOtherHosts }) {
    const { vcpus, numaClients: clients, numaManaged } = topology;
    // The lower limit splits the VM.
    const isClient = (vm.maxVcpusPerClient?.value ?? Infinity) < (vm.maxVcpusPerPhysicalNode?.value ?? Infinity);
    const setting = isClient ? "maxVcpusPerClient" : "maxVcpusPerPhysicalNode";
    const cap = vm[setting];
    const capacityOf = (model: HostModel) => coresPerNode(model) * ((vm.preferHt?.value ?? model.preferHt) ? model.threadsPerCore : 1);
    const capacity = capacityOf(host);
    const without = whatIf({ [setting]: capacity });
    if (!cap || cap.value >= capacity || !numaManaged || !without || without.numaClients.length >= clients.length) return;
    // No source says where ESXi places the VM without the limit.
    if (!isPlaced(without)) return yield { skip: "layout-unknown" };
    // The limit may have been set to make the clients equal.
    if (!isAligned(without, host.numaNodes)) return;
    // Another host of the cluster may have nodes of that size.
    if (onOtherHosts().some((otherHost) => capacityOf(otherHost.host) < capacity)) return;
    if (!vm.memoryMiB || nodeMiB(host) === undefined)
      return yield vm.memoryMiB ? { skip: "host-incomplete", lacks: ["memoryGiB"] } : { skip: "unknown-value" };
    if (nodesForMemory(vm.memoryMiB.value, host) > without.numaClients.length) return;
    const key = setting === "maxVcpusPerClient" ? "numa.vcpu.maxPerClient" : "numa.vcpu.maxPerMachineNode";
    yield {
      messageId: "splits",
      data: { key, cap: cap.value, vcpus, clients, capacity, without: without.numaClients },
      at: cap.range,
      fixes: [unsafeFix(`Set ${key} to ${capacity}`, { [setting]: capacity })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Limit set by hand uses more NUMA nodes than needed",
  why: "numa.vcpu.maxPerMachineNode and numa.vcpu.maxPerClient cap how many of a VM's vCPUs ESXi keeps on one NUMA node; the default is the node's cores. With a lower value the VM uses more nodes, and part of its memory is farther away than necessary.",
  whenNot:
    "When the VM needs the memory bandwidth of several nodes more than short paths, or also runs on hosts with nodes of this size. The hosts of its cluster are checked.",
  sources: [VNUMA_ATTRIBUTES_60],
  shared: { host: "2x20x2:512@7.0", vmx: `virtualHW.version = "17"` },
  bad: [{ title: "At most 6 on nodes of 20 cores", vmx: `numvcpus = "12"\nmemSize = "65536"\nnuma.vcpu.maxPerMachineNode = "6"` }],
  good: [
    { title: "As many as the node has cores", vmx: `numvcpus = "12"\nmemSize = "65536"\nnuma.vcpu.maxPerMachineNode = "20"` },
    { title: "The memory needs both nodes", vmx: `numvcpus = "12"\nmemSize = "393216"\nnuma.vcpu.maxPerMachineNode = "6"` },
    {
      title: "The nodes of another host of the cluster have 6 cores",
      otherHosts: ["4x6x2:512@7.0"],
      vmx: `numvcpus = "12"\nmemSize = "65536"\nnuma.vcpu.maxPerMachineNode = "6"`,
    },
    { title: "The vCPUs need both nodes", vmx: `numvcpus = "24"\nmemSize = "65536"\nnuma.vcpu.maxPerMachineNode = "12"` },
  ],
});
