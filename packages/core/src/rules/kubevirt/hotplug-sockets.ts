import { threadsOf } from "../../model/host.ts";
import { KUBEVIRT_17248, KUBEVIRT_DEFAULTS } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

export const rule = builtinRule({
  id: "kubevirt/hotplug-sockets",
  severity: "info",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    beyond: (d: { vcpus: number; possible: number; threads: number; sockets: number }) =>
      `Hot plug can add up to ${d.possible} vCPUs, more than the ${d.threads} CPUs of the host. Set maxSockets: ${d.sockets}, or a number that the host has CPUs for.`,
  },
  *check({ vm: { kvm, vcpus, range }, host, guest }) {
    const view = guest();
    const possible = view?.sets?.possibleVcpus;
    if (!kvm || kvm.statesMaxSockets || !view || !possible) return;
    const threads = threadsOf(host);
    // Another fault is worse: a VM that is larger than the host.
    if (possible <= threads || view.vcpus > threads) return;
    yield { messageId: "beyond", data: { vcpus: view.vcpus, possible, threads, sockets: view.sockets }, at: vcpus?.range ?? range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hot plug reserves more vCPUs than the host has",
  why: "Without maxSockets, KubeVirt prepares the guest for four times its sockets. QEMU warns about vCPUs above the CPUs of the host, and the guest keeps memory for each.",
  whenNot: "When the VM is meant to move to larger hosts. A maximum in the KubeVirt object of the cluster may lower the number.",
  evidence: { figure: "2 sockets of 26 cores on a host of 56 CPUs: 208 possible vCPUs, and a warning of QEMU", source: KUBEVIRT_17248 },
  sources: [KUBEVIRT_DEFAULTS],
  shared: { host: "2x14x2" },
  bad: [{ title: "52 vCPUs on a host of 56 CPUs", yaml: kubevirtVm("cpu:\n  sockets: 2\n  cores: 26") }],
  good: [{ title: "A stated maximum", yaml: kubevirtVm("cpu:\n  sockets: 2\n  cores: 26\n  maxSockets: 2") }],
});
