import { coresPerNode } from "../../model/host.ts";
import { CPU_MANAGER, KUBEVIRT_NUMA } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

const vm = (cores: number): string =>
  kubevirtVm(
    `cpu:\n  cores: ${cores}\n  threads: 2\n  dedicatedCpuPlacement: true\n  numa:\n    guestMappingPassthrough: {}\nmemory:\n  guest: 40Gi\n  hugepages:\n    pageSize: 2Mi`,
  );

export const rule = builtinRule({
  id: "kubevirt/uneven-nodes",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    uneven: (d: { vcpus: number; nodes: readonly number[]; perNode: number }) =>
      `${d.vcpus} vCPUs get nodes of ${d.nodes.join(" and ")}: the kubelet packs CPUs. Use at most ${d.perNode} vCPUs, or set distribute-cpus-across-numa on the nodes.`,
  },
  *check({ vm: { kvm, vcpus }, host, guest }) {
    const view = guest();
    if (!kvm?.hostNodes || !vcpus || !view || new Set(view.vnumaNodes).size < 2) return;
    const perNode = coresPerNode(host) * host.threadsPerCore - (host.kvm?.kubernetes?.reservedCpus ?? 0);
    yield { messageId: "uneven", data: { vcpus: view.vcpus, nodes: view.vnumaNodes, perNode }, at: vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "The guest gets uneven NUMA nodes of its host",
  why: "With guestMappingPassthrough the guest gets the nodes of its host CPUs, and the kubelet fills one node before the next. Memory is divided equally all the same, so the small node has much memory and few vCPUs.",
  whenNot: "When the kubelet distributes CPUs over nodes (distribute-cpus-across-numa), or the free CPUs of the hosts differ.",
  evidence: {
    figure: "40 vCPUs on 2 nodes of 32 CPUs: 8 and 32 vCPUs, each with half of the memory",
    source: CPU_MANAGER,
    against: "The free CPUs of a node decide at start. KubeVirt's guide calls the topology possibly asymmetrical.",
  },
  sources: [KUBEVIRT_NUMA],
  bad: [{ title: "40 vCPUs on nodes of 32 CPUs", host: "2x16x2", yaml: vm(20) }],
  good: [{ title: "16 vCPUs fit one node", host: "2x16x2", yaml: vm(8) }],
});
