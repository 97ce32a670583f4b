import { SHARES_DOC_70 } from "../../model/sources.ts";
import { builtinRule, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

/** Shares per vCPU and per MiB at the level "normal". The level "low" is half of that (table in SHARES_DOC_70). */
const NORMAL_CPU = 1000;
const NORMAL_MEMORY = 10;

/** Whether shares are at or below the level "low"; false if the normal shares of the VM are unknown. */
const isLow = (shares: string | undefined, normal: number | undefined): boolean =>
  shares === "low" || (normal !== undefined && shares !== undefined && /^\d+$/.test(shares) && Number(shares) <= normal / 2);

export const rule = builtinRule({
  id: "cpu/tier-1-low-shares",
  severity: "warning",
  on: ["cpuShares", "memoryShares"],
  needs: ["workload"],
  reads: ["vcpus", "memoryMiB", "cpuShares", "memoryShares"],
  messages: {
    cpu: (d: { shares: string }) =>
      `CPU shares of ${d.shares} give this tier-1 VM half of a normal VM's CPU time, or less, when cores are short. Set them to normal or high.`,
    memory: (d: { shares: string }) =>
      `Memory shares of ${d.shares} give this tier-1 VM half of a normal VM's memory, or less, when memory is short. Set them to normal or high.`,
  },
  applies: ({ cpuShares, memoryShares }, _, workload) =>
    workload?.environment === "tier-1" && (cpuShares.state !== "absent" || memoryShares.state !== "absent"),
  *check({ vm }) {
    const { cpuShares: cpu, memoryShares: memory, memoryMiB } = vm;
    if (cpu && isLow(cpu.value, vcpusOf(vm) * NORMAL_CPU))
      yield {
        messageId: "cpu",
        data: { shares: cpu.value },
        at: cpu.range,
        fixes: [unsafeFix("Set normal CPU shares", { cpuShares: "normal" })],
      };
    if (memory && isLow(memory.value, memoryMiB && memoryMiB.value * NORMAL_MEMORY))
      yield {
        messageId: "memory",
        data: { shares: memory.value },
        at: memory.range,
        fixes: [unsafeFix("Set normal memory shares", { memoryShares: "normal" })],
      };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Tier-1 workload with low shares",
  why: "When CPUs or memory are short, ESXi divides them by shares. A VM with low shares then gets half the share of an ordinary VM of its size, so a tier-1 workload waits longest.",
  whenNot: "When all VMs of its resource pool have low shares too: shares count only within a pool.",
  evidence: {
    figure: "Shares of a vCPU: high 2,000, normal 1,000, low 500. Shares of a MB of memory: 20, 10 and 5 (documented)",
    source: SHARES_DOC_70,
    against: "Shares change nothing while the host has enough for all.",
  },
  bad: [
    { title: "CPU", workload: "mssql, tier-1", vmx: `sched.cpu.shares = "low"`, expect: "cpu" },
    { title: "500 shares a vCPU", workload: "general, tier-1", vmx: `numvcpus = "8"\nsched.cpu.shares = "4000"`, expect: "cpu" },
    { title: "Memory", workload: "oracle, tier-1", vmx: `sched.mem.shares = "low"`, expect: "memory" },
  ],
  good: [
    { title: "Normal", workload: "mssql, tier-1", vmx: `sched.cpu.shares = "normal"` },
    { title: "501 shares a vCPU", workload: "mssql, tier-1", vmx: `numvcpus = "8"\nsched.cpu.shares = "4008"` },
    { title: "A test", workload: "mssql, test", vmx: `sched.cpu.shares = "low"` },
    { title: "Not declared", workload: "mssql", vmx: `sched.cpu.shares = "low"` },
  ],
});
