import { mostFtGiB } from "../../limits/fault-tolerance.ts";
import { atLeast, esxi, formatEsxi } from "../../model/esxi.ts";
import { OVH_FT, VROOM_FT } from "../../model/sources.ts";
import { isFaultTolerant } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "ft/mem-limit",
  severity: "error",
  severities: { provider: "warning" },
  on: ["memoryMiB"],
  needs: ["host", "workload"],
  presets: ["ft"],
  reads: ["memoryMiB"],
  messages: {
    over: (d: { memoryMiB: number; most: number; esxi: string }) =>
      `Fault Tolerance on ESXi ${d.esxi} protects at most ${d.most} GiB of memory; this VM has ${d.memoryMiB} MiB. Use ${d.most * 1024} MiB or less.`,
    provider: (d: { memoryMiB: number; most: number; esxi: string }) =>
      `A provider states that Fault Tolerance protects at most ${d.most} GiB of memory, and this VM on ESXi ${d.esxi} has ${d.memoryMiB} MiB. Use ${d.most * 1024} MiB or less.`,
  },
  applies: ({ memoryMiB }, _, workload) => (isFaultTolerant(workload) ? holds(memoryMiB, (mib = 0) => mib > 64 * 1024) : false),
  *check({ vm, host }) {
    if (!vm.memoryMiB) return;
    if (!host.esxi) return yield { skip: "no-esxi-version" };
    const maxGiB = mostFtGiB(host.esxi);
    if (maxGiB === undefined || vm.memoryMiB.value <= maxGiB * 1024) return;
    const data = { memoryMiB: vm.memoryMiB.value, most: maxGiB, esxi: formatEsxi(host.esxi) };
    yield { messageId: atLeast(host.esxi, esxi(7, 0)) ? "provider" : "over", data, at: vm.memoryMiB.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More memory than Fault Tolerance can protect",
  why: "Fault Tolerance copies changed memory to a second host, and supports VMs only up to a limit.",
  whenNot:
    "When you do not use Fault Tolerance: correct the declaration. 6.5, 6.7 and 9.x are not checked, because their limit is unknown.",
  evidence: { figure: "vSphere 6.0: up to 64 GB of memory", source: VROOM_FT },
  sources: [OVH_FT],
  bad: [
    { title: "65 GiB on 6.0", host: "dl380gen9", workload: "ft", vmx: `memSize = "66560"`, expect: "over" },
    { title: "129 GiB on 8.0", host: "r640", workload: "ft", vmx: `memSize = "132096"`, expect: "provider" },
  ],
  good: [
    { title: "64 GiB on 6.0", host: "dl380gen9", workload: "ft", vmx: `memSize = "65536"` },
    { title: "128 GiB on 8.0", host: "r640", workload: "ft", vmx: `memSize = "131072"` },
    { title: "129 GiB on 9.0", host: "2x20x2@9.0", workload: "ft", vmx: `memSize = "132096"` },
    { title: "65 GiB on 8.0", host: "r640", workload: "ft", vmx: `memSize = "66560"` },
    { title: "Without Fault Tolerance", host: "dl380gen9", workload: "mssql", vmx: `memSize = "66560"` },
  ],
});
