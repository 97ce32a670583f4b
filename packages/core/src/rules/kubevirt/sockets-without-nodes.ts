import { coresPerNode } from "../../model/host.ts";
import { KUBEVIRT_NUMA, KUBEVIRT_VCPU } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

const vm = (cores: number): string => kubevirtVm(`cpu:\n  sockets: 2\n  cores: ${cores}\n  maxSockets: 2`);

export const rule = builtinRule({
  id: "kubevirt/sockets-without-nodes",
  severity: "info",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    one: (d: { vcpus: number; sockets: number; perNode: number }) =>
      `The guest sees ${d.sockets} sockets and one NUMA node, and its ${d.vcpus} vCPUs need more than a host node of ${plural(d.perNode, "CPU")}. Use at most ${d.perNode} vCPUs, or guestMappingPassthrough with dedicated CPUs and huge pages.`,
  },
  *check({ vm: { kvm, vcpus }, host, guest }) {
    const view = guest();
    const perNode = coresPerNode(host) * host.threadsPerCore;
    if (!kvm || kvm.machine || kvm.hostNodes || !vcpus || !view || view.sockets < 2 || view.vnumaNodes.length !== 1 || host.numaNodes < 2)
      return;
    // On a host that is too small the VM does not run.
    if (view.vcpus <= perNode || view.vcpus > perNode * host.numaNodes) return;
    yield { messageId: "one", data: { vcpus: view.vcpus, sockets: view.sockets, perNode }, at: vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "A wide VM has sockets, but no NUMA nodes",
  why: "On KVM, sockets are not NUMA nodes. A guest that is wider than a node of its host sees one node with all memory, and cannot keep threads near their memory.",
  whenNot:
    "When the VM is not sensitive to memory latency. Only guestMappingPassthrough gives the guest nodes, and it needs dedicated CPUs and huge pages.",
  sources: [KUBEVIRT_VCPU, KUBEVIRT_NUMA],
  bad: [{ title: "2 sockets of 20 on nodes of 32 CPUs", host: "2x16x2", yaml: vm(20) }],
  good: [{ title: "2 sockets of 8 fit one node", host: "2x16x2", yaml: vm(8) }],
});
