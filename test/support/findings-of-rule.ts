import { lint, requireHost, rules, type Workload } from "@vmlint/core";
import { expect } from "vitest";

/** Returns the findings of one rule on a VM, each as `message severity`. */
export function said(id: string, lines: readonly string[], host: string | undefined, workload?: Workload): readonly string[] {
  const only = rules.filter((rule) => rule.id === id);
  expect(only).toHaveLength(1);
  const { diagnostics } = lint(lines.join("\n"), {
    rules: only,
    target: { workload, ...(host !== undefined && { host: requireHost(host) }) },
  });
  return diagnostics.map(({ messageId, severity }) => `${messageId} ${severity}`);
}

/** Short words for the keys that tests write most; any other is written as it is. */
const KEYS: Readonly<Record<string, string>> = {
  vcpus: "numvcpus",
  cps: "cpuid.coresPerSocket",
  hw: "virtualHW.version",
  guest: "guestOS",
  mem: "memSize",
  memMin: "sched.mem.min",
  memMax: "sched.mem.max",
  pin: "sched.mem.pin",
  cpuMin: "sched.cpu.min",
  cpuMax: "sched.cpu.max",
  node: "numa.vcpu.coresPerNode",
  preferHt: "numa.vcpu.preferHT",
  hotadd: "vcpu.hotadd",
  allow: "numa.allowHotadd",
  smt: "cpuid.numSMT",
  latency: "sched.cpu.latencySensitivity",
  affinity: "sched.cpu.affinity",
  nodes: "numa.nodeAffinity",
  min: "numa.vcpu.min",
  perVirtual: "numa.vcpu.maxPerVirtualNode",
  perMachine: "numa.vcpu.maxPerMachineNode",
  follow: "numa.vcpu.followcorespersocket",
  consolidate: "numa.consolidate",
  cookie: "numa.autosize.cookie",
  stored: "numa.autosize.vcpu.maxPerVirtualNode",
  once: "numa.autosize.once",
  most: "cpuid.maxVCPUs",
};
/** `vcpus 4; cps 2` as the lines of a .vmx. */
export const written = (lines: string): readonly string[] =>
  lines.split("; ").map((line) => {
    const [key = "", value = ""] = line.split(" ");
    return `${KEYS[key] ?? key} = "${value}"`;
  });
