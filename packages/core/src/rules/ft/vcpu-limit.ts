import { knowsFtVcpus, mostFtVcpus } from "../../limits/fault-tolerance.ts";
import { formatEsxi } from "../../model/esxi.ts";
import { FT_DOC_41, FT_DOC_67, FT_DOC_80, VROOM_FT } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isFaultTolerant } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "ft/vcpu-limit",
  severity: "error",
  on: ["vcpus"],
  needs: ["workload"],
  presets: ["ft"],
  reads: ["vcpus"],
  messages: {
    over: (d: { vcpus: number; most: number; esxi: string | null }) =>
      `Fault Tolerance protects at most ${plural(d.most, "vCPU")}${d.esxi === null ? "" : ` on ESXi ${d.esxi}`}; this VM has ${d.vcpus}. Use ${d.most === 1 ? "1" : `${d.most} or fewer`}.`,
  },
  applies: ({ vcpus }, _, workload) => (isFaultTolerant(workload) ? holds(vcpus, (count = 1) => count > 1) : false),
  *check({ vm, host }) {
    const maxVcpus = mostFtVcpus(host?.esxi);
    if (!vm.vcpus || vm.vcpus.value <= maxVcpus) return;
    yield {
      messageId: "over",
      data: { vcpus: vm.vcpus.value, most: maxVcpus, esxi: host?.esxi && knowsFtVcpus(host.esxi) ? formatEsxi(host.esxi) : null },
      at: vm.vcpus.range,
      fixes: [useVcpus(maxVcpus)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than Fault Tolerance can protect",
  why: "Fault Tolerance keeps a second VM in step with the first, for a limited number of vCPUs: one before 6.0, up to 4 in 6.0, up to 8 in 6.7 and 8.0. It cannot be turned on for a larger VM, and ESXi does not start a larger VM with it.",
  whenNot: "When you do not use Fault Tolerance: correct the declaration.",
  evidence: { figure: "vSphere 8.0: up to 8 vCPUs with Enterprise Plus, up to 2 with Standard and Enterprise", source: FT_DOC_80 },
  sources: [FT_DOC_67, VROOM_FT, FT_DOC_41],
  bad: [
    { title: "9 vCPUs", host: "r640", workload: "ft", vmx: `numvcpus = "9"` },
    { title: "8 vCPUs on 6.0", host: "dl380gen9", workload: "mssql, faultTolerance=true", vmx: `numvcpus = "8"` },
  ],
  good: [
    { title: "8 vCPUs", host: "r640", workload: "ft", vmx: `numvcpus = "8"` },
    { title: "8 vCPUs on a host that is not named", workload: "ft", vmx: `numvcpus = "8"` },
    { title: "Without Fault Tolerance", host: "r640", workload: "mssql", vmx: `numvcpus = "9"` },
  ],
});
