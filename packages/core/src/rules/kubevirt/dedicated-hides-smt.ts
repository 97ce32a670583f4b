import { KUBEVIRT_PIN_TEST, KUBEVIRT_VCPU } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { SPREAD_OVER_CORES } from "../../platforms/kvm/starts.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

const vm = (threads: string): string => kubevirtVm(`cpu:\n  cores: ${threads}\n  dedicatedCpuPlacement: true`);

export const rule = builtinRule({
  id: "kubevirt/dedicated-hides-smt",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  reads: ["vcpus", "threadsPerCore"],
  messages: {
    hidden: (d: { vcpus: number; hostCores: number }) =>
      `${d.vcpus} virtual cores with dedicated CPUs run on both threads of ${plural(d.hostCores, "host core")}. Set threads: 2 and half the cores, so that the guest knows.`,
  },
  *check({ vm: { kvm, vcpus, threadsPerCore }, host }) {
    if (!kvm?.dedicated || kvm.refused || !vcpus || (threadsPerCore?.value ?? 1) > 1 || host.threadsPerCore < 2) return;
    if (host.kvm?.kubernetes?.options?.includes(SPREAD_OVER_CORES)) return;
    // The kubelet gives whole cores first. The CPU of the emulator may be on the core of a vCPU, so that no two vCPUs share one.
    const cores = Math.ceil((vcpus.value + kvm.moreCpus) / host.threadsPerCore);
    if (vcpus.value <= cores) return;
    yield { messageId: "hidden", data: { vcpus: vcpus.value, hostCores: Math.ceil(vcpus.value / host.threadsPerCore) }, at: vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Dedicated CPUs are threads that the guest takes for cores",
  why: "KubeVirt fills one host core before the next. With threads: 1, two virtual cores run on the two threads of one host core, and the scheduler of the guest treats them as equal to two cores.",
  whenNot: "When the kubelet distributes CPUs over cores (distribute-cpus-across-cores), or a licence counts the virtual cores.",
  evidence: {
    figure: "12 vCPUs shown as 12 cores run on both threads of 6 host cores",
    source: KUBEVIRT_PIN_TEST,
    against:
      "Nothing here measures the cost. A guest that knows its threads has half as many cores, which licences by core may like less or more.",
  },
  sources: [KUBEVIRT_VCPU],
  bad: [{ title: "12 cores on hosts with hyper-threading", host: "2x16x2", yaml: vm("12") }],
  good: [
    { title: "6 cores of 2 threads", host: "2x16x2", yaml: vm("6\n  threads: 2") },
    { title: "Hosts without hyper-threading", host: "2x16x1", yaml: vm("12") },
    { title: "2 vCPUs and a CPU for the emulator", host: "2x16x2", yaml: vm("2\n  isolateEmulatorThread: true") },
  ],
});
