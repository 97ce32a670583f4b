import { HT_SHARING_API, KB_326271 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isLatencyCritical } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "cpu/ht-sharing-off",
  severity: "info",
  on: ["hyperthreadSharing"],
  reads: ["vcpus", "hyperthreadSharing"],
  messages: {
    none: (d: { vcpus: number }) =>
      `htsharing none halts the second thread of up to ${plural(d.vcpus, "core")} while the ${plural(d.vcpus, "vCPU")} of this VM ${d.vcpus === 1 ? "runs" : "run"}. Set it to any.`,
  },
  applies: ({ hyperthreadSharing }) => holds(hyperthreadSharing, (sharing) => sharing === "none"),
  *check({ vm, host, workload }) {
    if (!vm.hyperthreadSharing || host?.threadsPerCore === 1 || isLatencyCritical(workload)) return;
    yield {
      messageId: "none",
      data: { vcpus: vcpusOf(vm) },
      at: vm.hyperthreadSharing.range,
      fixes: [unsafeFix("Share cores", { hyperthreadSharing: "any" })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Every vCPU takes both threads of its core",
  why: "With sched.cpu.htsharing none, the other thread of a core stays halted while a vCPU of this VM runs. The host loses what that thread would have done, and the VM may wait until whole cores are free.",
  whenNot: "When a security policy forbids shared cores, or a measurement shows that the VM gains from cores of its own.",
  evidence: {
    figure: "Both threads of a core give 10 to 30 % more throughput than one",
    source: KB_326271,
    against:
      "A vCPU alone on its core is faster: with both threads busy, each gets 55 to 65 % of the core. The API calls the setting deprecated since 6.7.",
  },
  sources: [HT_SHARING_API, KB_326271],
  bad: [{ title: "None", host: "r640", vmx: `numvcpus = "8"\nsched.cpu.htsharing = "none"` }],
  good: [
    { title: "Any", host: "r640", vmx: `numvcpus = "8"\nsched.cpu.htsharing = "any"` },
    { title: "Its own vCPUs share", host: "r640", vmx: `numvcpus = "8"\nsched.cpu.htsharing = "internal"` },
    { title: "No hyper-threading", host: "2x12x1@8.0", vmx: `numvcpus = "8"\nsched.cpu.htsharing = "none"` },
    { title: "Latency-critical work", host: "r640", workload: "latency", vmx: `numvcpus = "8"\nsched.cpu.htsharing = "none"` },
  ],
});
