import { coresPerNode } from "../../model/host.ts";
import { CLOUD_DIRECTOR_API, TURBONOMIC_2016 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";
import { GROWTH_SETTINGS, growthOf } from "../growth.ts";

export const rule = builtinRule({
  id: "hotadd/whole-sockets",
  severity: "info",
  on: ["maxVcpusByHotAdd"],
  reads: ["vcpus", "cpuHotAdd", "maxVcpusByHotAdd", ...GROWTH_SETTINGS],
  messages: {
    between: (d: { vcpus: number; perSocket: number; most: number; reached: number; next: number }) =>
      `CPU hot add brings whole sockets of ${d.perSocket}: from ${d.vcpus} vCPUs it reaches ${d.reached}, and never the ${d.most} of cpuid.maxVCPUs. Set ${d.reached} or ${d.next}, or use smaller sockets.`,
    none: (d: { vcpus: number; perSocket: number; most: number; next: number }) =>
      `CPU hot add brings whole sockets of ${d.perSocket}: the next size after ${d.vcpus} vCPUs is ${d.next}, and cpuid.maxVCPUs is ${d.most}, so that no vCPU can be added. Set ${d.next}, use smaller sockets, or turn hot add off.`,
  },
  applies: ({ cpuHotAdd, maxVcpusByHotAdd }) =>
    holds(maxVcpusByHotAdd, (maxVcpus) => maxVcpus !== undefined) === false ? false : holds(cpuHotAdd, (on) => on === true),
  *check({ vm, host }) {
    const { cpuHotAdd, maxVcpusByHotAdd } = vm;
    const vcpus = vcpusOf(vm);
    if (!cpuHotAdd?.value || !maxVcpusByHotAdd || maxVcpusByHotAdd.value <= vcpus) return;
    const growth = growthOf(vm, vcpus);
    const { perSocket } = growth;
    const most = maxVcpusByHotAdd.value;
    const reached = growth.upTo(most);
    if (reached === most) return;
    const data = { vcpus, perSocket, most, next: reached + perSocket };
    // A larger maximum may leave the node, which another rule reports.
    const value = reached > vcpus ? reached : !host || data.next <= coresPerNode(host) ? data.next : undefined;
    const fixes = value === undefined ? [] : [unsafeFix(`Set cpuid.maxVCPUs to ${value}`, { maxVcpusByHotAdd: value })];
    const place = { at: maxVcpusByHotAdd.range, related: [{ message: "CPU hot add is set here", range: cpuHotAdd.range }], fixes };
    if (reached > vcpus) yield { messageId: "between", data: { ...data, reached }, ...place };
    else yield { messageId: "none", data, ...place };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Whole sockets do not reach the maximum of hot add",
  why: "The vCPUs stay a multiple of the cores per socket while the VM runs, so CPU hot add brings whole sockets. A maximum between two such sizes is never reached, and one below the next size allows no growth.",
  whenNot: "When the VM is only grown while it is off, with other sockets.",
  evidence: { figure: "A VM of 4 vCPUs with 4 cores per socket was resized to 5, and got 8", source: TURBONOMIC_2016 },
  sources: [CLOUD_DIRECTOR_API],
  shared: { vmx: `virtualHW.version = "17"` },
  bad: [
    {
      title: "Up to 16 in sockets of 12",
      vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "12"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "16"`,
      expect: "none",
    },
    {
      title: "Up to 10 in sockets of 4",
      vmx: `numvcpus = "4"\ncpuid.coresPerSocket = "4"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "10"`,
      expect: "between",
    },
  ],
  good: [
    {
      title: "Up to 24 in sockets of 12",
      vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "12"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "24"`,
    },
    { title: "No growth is meant", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "12"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "12"` },
    { title: "Single cores", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "1"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "16"` },
  ],
});
