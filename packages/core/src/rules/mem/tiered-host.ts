import { LARGE_TIERED_VM, MEMORY_TIERS } from "../../limits/releases.ts";
import { atLeast } from "../../model/esxi.ts";
import { valueIfKnown } from "../../model/source.ts";
import { KB_448305, MEMORY_TIERING, MEMORY_TIERING_91, MEMORY_TIERING_BLOG_91 } from "../../model/sources.ts";
import { isFaultTolerant, isLatencyCritical, reservesMemory } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { tieredHost } from "../example-host.ts";
import { RESERVATION_SETTINGS, unreserved } from "../memory-reservation.ts";

export const rule = builtinRule({
  id: "mem/tiered-host",
  severity: "info",
  severities: { refused: "warning" },
  refused: ["refused"],
  presets: ["latency", "recommended"],
  needs: ["host"],
  reads: [...RESERVATION_SETTINGS, "vcpus", "latencySensitivity", "memoryTiering"],
  messages: {
    refused: (d: { host: string; dramGiB: number | null; nvmeGiB: number; kind: "latency sensitivity High" | "Fault Tolerance" }) =>
      `${tiersOf(d)}. ESX 9.0 does not start a VM with ${d.kind} on such a host. Run it on a host without memory tiering, or use ESX 9.1.`,
    cold: (d: { host: string; dramGiB: number | null; nvmeGiB: number; memoryMiB: number }) =>
      `${tiersOf(d)}: memory that this VM seldom uses moves to NVMe. Set sched.mem.enableTiering to FALSE and reserve ${d.memoryMiB} MiB.`,
    large: (d: { host: string; dramGiB: number | null; nvmeGiB: number; memoryMiB: number }) =>
      `${tiersOf(d)}: a VM of more than ${LARGE_TIERED_VM.memoryGiB} GiB and ${LARGE_TIERED_VM.vcpus} vCPUs may be slower there. Set sched.mem.enableTiering to FALSE and reserve ${d.memoryMiB} MiB.`,
  },
  applies: ({ latencySensitivity, vcpus, memoryMiB }, _, workload) =>
    isCritical(workload) || latencySensitivity.state === "known" || isLarge(valueIfKnown(vcpus), valueIfKnown(memoryMiB)),
  *check(facts) {
    const { vm, host, workload } = facts;
    if (host.nvmeTierGiB === undefined) return;
    const data = { host: host.name, dramGiB: host.memoryGiB ?? null, nvmeGiB: host.nvmeTierGiB };
    const isHigh = vm.latencySensitivity?.value === "high";
    if (isHigh || isFaultTolerant(workload)) {
      if (!host.esxi) return yield { skip: "no-esxi-version" };
      if (!atLeast(host.esxi, MEMORY_TIERS.since) || atLeast(host.esxi, MEMORY_TIERS.keepsInDram)) return;
      const kind = isHigh ? ("latency sensitivity High" as const) : ("Fault Tolerance" as const);
      return void (yield { messageId: "refused", data: { ...data, kind }, at: vm.latencySensitivity?.range ?? vm.range });
    }
    const isSlower = isLarge(vm.vcpus?.value, vm.memoryMiB?.value) && host.esxi && atLeast(host.esxi, MEMORY_TIERS.keepsInDram);
    if (!(isCritical(workload) || isSlower) || vm.memoryTiering?.value === false) return;
    const reservation = unreserved(facts);
    const messageId = isCritical(workload) ? "cold" : "large";
    if (reservation) yield { messageId, data: { ...data, memoryMiB: reservation.data.memoryMiB }, at: reservation.at };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency-critical VM on a host with tiered memory",
  why: "Memory tiering moves pages that a VM does not use for a while from DRAM to NVMe. The next access to such a page waits for the NVMe. ESX 9.1 keeps VMs of latency sensitivity High and Fault Tolerant VMs in DRAM, and ESX 9.0 does not start them on such a host.",
  whenNot: "When all active memory of the host stays below half of its DRAM, and the VM may wait for a page that it seldom uses.",
  evidence: { figure: "The active memory of all VMs must fit half of the DRAM, because NVMe is slower", source: MEMORY_TIERING },
  sources: [MEMORY_TIERING_91, MEMORY_TIERING_BLOG_91, KB_448305],
  shared: { host: tieredHost(1, 512) },
  bad: [
    {
      title: "Latency sensitivity High on 9.0",
      host: tieredHost(0, 512),
      vmx: `memSize = "65536"\nsched.cpu.latencySensitivity = "high"`,
      expect: "refused",
    },
    { title: "Fault Tolerance on 9.0", host: tieredHost(0, 512), workload: "ft", vmx: `memSize = "65536"`, expect: "refused" },
    { title: "A tier-1 database", workload: "mssql, tier-1", vmx: `memSize = "65536"`, expect: "cold" },
    { title: "More than 64 vCPUs and 512 GiB on 9.1", vmx: `numvcpus = "72"\nmemSize = "614400"`, expect: "large" },
    { title: "SAP HANA", workload: "hana", vmx: `memSize = "65536"`, expect: "cold" },
  ],
  good: [
    { title: "No tier", host: tieredHost(0), vmx: `memSize = "65536"\nsched.cpu.latencySensitivity = "high"` },
    { title: "9.1 keeps it in DRAM", vmx: `memSize = "65536"\nsched.cpu.latencySensitivity = "high"` },
    { title: "Fully reserved", workload: "mssql, tier-1", vmx: `memSize = "65536"\nsched.mem.pin = "TRUE"` },
    {
      title: "A tier-1 database that stays out of the tier",
      workload: "mssql, tier-1",
      vmx: `memSize = "65536"\nsched.mem.enableTiering = "FALSE"`,
    },
    { title: "An ordinary VM", vmx: `memSize = "65536"` },
  ],
});

const isLarge = (vcpus = 0, memoryMiB = 0): boolean => vcpus > LARGE_TIERED_VM.vcpus && memoryMiB > LARGE_TIERED_VM.memoryGiB * 1024;

const isCritical = (workload: Parameters<typeof reservesMemory>[0]): boolean =>
  isFaultTolerant(workload) || isLatencyCritical(workload) || reservesMemory(workload);

const tiersOf = (d: { host: string; dramGiB: number | null; nvmeGiB: number }): string =>
  `${d.host} has ${d.dramGiB === null ? "" : `${d.dramGiB} GiB of DRAM and `}${d.nvmeGiB} GiB of NVMe as memory`;
