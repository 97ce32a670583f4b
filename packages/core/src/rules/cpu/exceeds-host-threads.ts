import { coresOf, threadsOf } from "../../model/host.ts";
import { KUBEVIRT_17248, VCPU_LIMITS_DOC_67 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

export const rule = builtinRule({
  id: "cpu/exceeds-host-threads",
  severity: "error",
  severities: { overcommitted: "warning" },
  for: ["esxi", "kvm"],
  on: ["vcpus"],
  needs: ["host"],
  onlyWiderThan: "host",
  reads: ["vcpus"],
  messages: {
    more: (d: { vcpus: number; threads: number; cores: number }) =>
      `${d.vcpus} vCPUs are more than this host's ${plural(d.threads, "logical CPU")} (${plural(d.cores, "core")}). Use at most ${d.threads}${d.threads > d.cores ? `, ${d.cores} to give each a core` : ""}, or a larger host.`,
    overcommitted: (d: { vcpus: number; threads: number }) =>
      `${d.vcpus} vCPUs share this host's ${plural(d.threads, "logical CPU")}, and QEMU warns about more vCPUs than a host has CPUs. Use at most ${d.threads}, or a larger host.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check({ vm, host }) {
    if (!vm.vcpus || vm.vcpus.value <= threadsOf(host)) return;
    const { value: vcpus, range: at } = vm.vcpus;
    const threads = threadsOf(host);
    // The pod of dedicated CPUs finds no such node.
    if (vm.kvm && !vm.kvm.dedicated) yield { messageId: "overcommitted", data: { vcpus, threads }, at };
    else yield { messageId: "more", data: { vcpus, threads, cores: coresOf(host) }, at };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than the host has logical CPUs",
  why: "A VM cannot have more vCPUs than its host has logical CPUs: one for each core, or two with hyper-threading. KVM starts such a VM, unless each vCPU has a host CPU of its own: its vCPUs then wait for each other.",
  whenNot: "When the VM runs on another host: declare that host.",
  evidence: { figure: "A VM cannot have more virtual CPUs than the host has logical cores", source: VCPU_LIMITS_DOC_67 },
  sources: [KUBEVIRT_17248],
  bad: [
    { title: "9 vCPUs on 4 cores with hyper-threading", host: "1x4x2@7.0", vmx: `numvcpus = "9"`, expect: "more" },
    { title: "5 vCPUs on 4 cores without", host: "1x4x1@7.0", vmx: `numvcpus = "5"`, expect: "more" },
    {
      title: "9 vCPUs of KubeVirt on 4 cores with hyper-threading",
      host: "1x4x2",
      yaml: kubevirtVm("cpu:\n  cores: 9"),
      expect: "overcommitted",
    },
  ],
  good: [
    { title: "8 vCPUs on 4 cores with hyper-threading", host: "1x4x2@7.0", vmx: `numvcpus = "8"` },
    { title: "4 vCPUs on 4 cores", host: "1x4x1@7.0", vmx: `numvcpus = "4"` },
  ],
});
