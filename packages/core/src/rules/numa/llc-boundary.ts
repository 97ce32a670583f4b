import { DENNEMAN_2021_CPS, VTOPO80 } from "../../model/sources.ts";
import { isLatencyCritical } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/llc-boundary",
  severity: "hint",
  on: ["vcpus"],
  needs: ["host", "topology"],
  reads: ["vcpus"],
  messages: {
    wider: (d: { vcpus: number; group: number; groups: number }) =>
      `${d.vcpus} vCPUs need at least ${d.groups} L3 caches of this host, each shared by ${d.group} cores. Use at most ${d.group} vCPUs to stay on one cache.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check({ vm, host, workload, topology }) {
    const { vcpus, numaManaged } = topology;
    const group = host.coresPerL3;
    if (!vm.vcpus || group === undefined || !isLatencyCritical(workload) || !numaManaged || vcpus <= group) return;
    yield { messageId: "wider", data: { vcpus, group, groups: Math.ceil(vcpus / group) }, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency-critical VM is wider than an L3 group",
  why: "On AMD EPYC a NUMA node has several groups of cores, each with its own L3 cache. Threads in different groups exchange data through memory, not through the cache. Only latency-critical work suffers, so only VMs declared as latency or imdg are checked.",
  whenNot: "When the VM's threads share little data, or it needs this many vCPUs.",
  evidence: {
    figure: "8 cores of an EPYC 7763 share 32 MB of L3; with one socket per vCPU the guest takes it for 256 MB",
    source: VTOPO80,
    against: "The cost was not measured, and not every workload is sensitive to its cache (Denneman 2021).",
  },
  sources: [DENNEMAN_2021_CPS],
  bad: [
    { title: "16 vCPUs on groups of 8 cores", host: "dual-epyc-7763", workload: "imdg", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
  ],
  good: [
    { title: "8 vCPUs", host: "dual-epyc-7763", workload: "imdg", vmx: `virtualHW.version = "20"\nnumvcpus = "8"` },
    { title: "A general workload", host: "dual-epyc-7763", workload: "general", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
    { title: "All cores of a node share one cache", host: "r640", workload: "imdg", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
  ],
});
