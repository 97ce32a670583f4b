import { coresOf, threadsOf } from "../../model/host.ts";
import { VCPU_LIMITS_DOC_67 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { defineRule, holds } from "../define.ts";

export const rule = defineRule({
  id: "cpu/exceeds-host-threads",
  since: "0.1.0",
  severity: "error",
  summary: "More vCPUs than the host has logical CPUs",
  why: "A VM cannot have more vCPUs than its host has logical CPUs: one for each core, or two with hyper-threading.",
  whenNot: "When the VM runs on another host: declare that host.",
  evidence: { figure: "A VM cannot have more virtual CPUs than the host has logical cores", source: VCPU_LIMITS_DOC_67 },
  sources: [VCPU_LIMITS_DOC_67],
  on: ["vcpus"],
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    more: (d: { vcpus: number; threads: number; cores: number }) =>
      `${d.vcpus} vCPUs are more than this host's ${plural(d.threads, "logical CPU")} (${plural(d.cores, "core")}). Use at most ${d.threads}${d.threads > d.cores ? `, ${d.cores} to give each a core` : ""}, or a larger host.`,
  },
  bad: [
    { title: "9 vCPUs on 4 cores with hyper-threading", host: "1x4x2@7.0", vmx: `numvcpus = "9"`, expect: "more" },
    { title: "5 vCPUs on 4 cores without", host: "1x4x1@7.0", vmx: `numvcpus = "5"`, expect: "more" },
  ],
  good: [
    { title: "8 vCPUs on 4 cores with hyper-threading", host: "1x4x2@7.0", vmx: `numvcpus = "8"` },
    { title: "4 vCPUs on 4 cores", host: "1x4x1@7.0", vmx: `numvcpus = "4"` },
  ],
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check({ vm, host }) {
    if (!vm.vcpus || vm.vcpus.value <= threadsOf(host)) return;
    yield { messageId: "more", data: { vcpus: vm.vcpus.value, threads: threadsOf(host), cores: coresOf(host) }, at: vm.vcpus.range };
  },
});
