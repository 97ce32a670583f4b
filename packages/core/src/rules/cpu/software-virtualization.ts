import { EPT_2009, SOFTWARE_MMU_DOC_65 } from "../../model/sources.ts";
import { builtinRule, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "cpu/software-virtualization",
  severity: "warning",
  on: ["mmuVirtualization", "cpuVirtualization"],
  reads: ["mmuVirtualization", "cpuVirtualization"],
  messages: {
    mmu: () =>
      "Software translates this VM's memory although the processor can. Set memory virtualization (monitor.virtual_mmu) to automatic.",
    code: () =>
      "Software runs this VM's privileged code although the processor can. Set CPU virtualization (monitor.virtual_exec) to automatic.",
  },
  applies: ({ mmuVirtualization: mmu, cpuVirtualization: cpu }) =>
    [mmu, cpu].some((setting) => setting.state === "known" && setting.value === "software"),
  *check({ vm: { mmuVirtualization: mmu, cpuVirtualization: cpu } }) {
    if (mmu?.value === "software")
      yield { messageId: "mmu", at: mmu.range, fixes: [unsafeFix("Let ESXi choose", { mmuVirtualization: "automatic" })] };
    if (cpu?.value === "software")
      yield { messageId: "code", at: cpu.range, fixes: [unsafeFix("Let ESXi choose", { cpuVirtualization: "automatic" })] };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM uses software instead of hardware virtualization",
  why: "Processors of the last 15 years translate the guest's memory and run its privileged code themselves. Doing this in software costs CPU time at every change of a page table, and more with more vCPUs. ESXi chooses hardware by itself when hardware is better. The setting is mostly left over from an old host.",
  whenNot: "When a support case asks for it, or a measurement of this guest shows that it is faster.",
  evidence: {
    figure: "Hardware translation (EPT) against software: up to 48 % more in benchmarks that change page tables much (Xeon 5500, ESX)",
    source: EPT_2009,
    against:
      "EPT raised memory latency for a few workloads, less with large pages; a guest that misses the TLB very often may gain from software (vSphere 6.5 documentation).",
  },
  sources: [SOFTWARE_MMU_DOC_65],
  bad: [
    { title: "Memory", vmx: `monitor.virtual_mmu = "software"`, expect: "mmu" },
    { title: "Code", vmx: `monitor.virtual_exec = "software"`, expect: "code" },
  ],
  good: [
    { title: "Hardware", vmx: `monitor.virtual_mmu = "hardware"\nmonitor.virtual_exec = "hardware"` },
    { title: "ESXi chooses", vmx: `monitor.virtual_mmu = "automatic"` },
  ],
});
