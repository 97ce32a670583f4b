import { exclusiveCores, isFullReservation, latencyRequirement, requiresCpuReservation } from "../../limits/latency.ts";
import { LATENCY_DOC, LATENCY_REFUSED, VHT_RESERVATION_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isLatencyCritical } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf, type ProposedFix, unsafeFix, vcpusOf } from "../define.ts";
import { isBelow } from "../memory-reservation.ts";

interface MissingReservation {
  readonly reservedMHz: number;
  readonly requiredMHz: number;
  readonly cores: number;
  readonly mhz: number;
  /** Whether the CPU limit is below the reservation. */
  readonly limited: boolean;
}

export const rule = builtinRule({
  id: "latency/high-needs-cpu-reservation",
  severity: "warning",
  severities: { required: "error" },
  refused: ["required"],
  presets: ["latency"],
  on: ["latencySensitivity"],
  reads: ["latencySensitivity", "vcpus", "threadsPerCore", "cpuReservationMHz", "cpuReservationLocked"],
  messages: {
    none: (d: { vcpus: number; cores: number }) =>
      `Latency sensitivity High reserves no CPU for its ${plural(d.vcpus, "vCPU")}. Reserve ${d.cores} x the core frequency of the host.`,
    short: (d: MissingReservation) =>
      `Latency sensitivity High needs ${d.requiredMHz} MHz reserved (${plural(d.cores, "core")} x ${d.mhz} MHz), but ${d.reservedMHz} MHz are reserved. Reserve ${d.requiredMHz} MHz${d.limited ? ", and remove the CPU limit" : ""}.`,
    required: (d: MissingReservation) =>
      `This host powers on a VM with latency sensitivity High only if ${d.requiredMHz} MHz are reserved (${plural(d.cores, "core")} x ${d.mhz} MHz), but ${d.reservedMHz} MHz are. Reserve ${d.requiredMHz} MHz${d.limited ? ", and remove the CPU limit" : ""}.`,
  },
  consequence: {
    of: "latency/high",
    messages: {
      none: () => "High needs a full CPU reservation, and has none",
      short: (d) => `High needs ${d.requiredMHz} MHz reserved (${plural(d.cores, "core")} x ${d.mhz} MHz), and has ${d.reservedMHz} MHz`,
      required: (d) =>
        `High needs ${d.requiredMHz} MHz reserved (${plural(d.cores, "core")} x ${d.mhz} MHz) to power on here, and has ${d.reservedMHz} MHz`,
    },
  },
  applies: ({ latencySensitivity }) => holds(latencySensitivity, (level) => level === "high"),
  *check({ vm, host, workload, ifKnown }) {
    // A locked reservation overrides the number (VM_OPERATOR).
    if (!vm.latencySensitivity || vm.cpuReservationLocked?.value) return;
    const vcpus = vcpusOf(vm);
    const reservedMHz = vm.cpuReservationMHz?.value ?? 0;
    const at = vm.cpuReservationMHz?.range ?? vm.latencySensitivity.range;
    if (host?.mhz === undefined) {
      if (reservedMHz === 0) yield { messageId: "none", data: { vcpus, cores: exclusiveCores(vcpus, vm.threadsPerCore?.value ?? 1) }, at };
      else yield host ? { skip: "host-incomplete", lacks: ["mhz"] } : { skip: "no-host" };
      return;
    }
    const { cpuReservationMHz: requiredMHz, exclusiveCores: cores } = latencyRequirement(vcpus, vm.threadsPerCore?.value ?? 1, host.mhz);
    if (isFullReservation(reservedMHz, requiredMHz)) return;
    // For other workloads the message advises against High.
    const fixes: ProposedFix[] = isLatencyCritical(workload)
      ? [unsafeFix(`Reserve ${requiredMHz} MHz`, { cpuReservationMHz: requiredMHz })]
      : [];
    const limited = isBelow(ifKnown("cpuLimitMHz"), requiredMHz);
    const data = { reservedMHz, requiredMHz, cores, mhz: host.mhz, limited };
    yield { messageId: requiresCpuReservation(host) ? "required" : "short", data, at, fixes };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency sensitivity High without a full CPU reservation",
  why: "A vCPU gets an exclusive core only if the whole core is reserved: vCPUs times the core's frequency, or half of that with virtual hyper-threading. ESXi 7.0 and later will not power on the VM with less. Older releases may power it on, and let it share cores.",
  whenNot: "Never: reserve the CPU, or set latency sensitivity back to normal.",
  evidence: { figure: "20 vCPUs on 2.0 GHz cores: 40 GHz; with two virtual threads per core 20 GHz", source: VHT_RESERVATION_DOC },
  sources: [LATENCY_DOC, LATENCY_REFUSED],
  bad: [
    { title: "No reservation, no host", vmx: `numvcpus = "4"\nsched.cpu.latencySensitivity = "high"`, expect: "none" },
    {
      title: "No reservation, two virtual threads a core",
      vmx: `virtualHW.version = "20"\nnumvcpus = "4"\ncpuid.numSMT = "2"\nsched.cpu.latencySensitivity = "high"`,
      expect: "none",
    },
    {
      title: "More than 1 % short before 7.0",
      host: "dl580g7",
      vmx: `numvcpus = "4"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.min = "9503"`,
      expect: "short",
    },
    {
      title: "More than 1 % short on 8.0",
      host: "r640",
      workload: "latency",
      vmx: `virtualHW.version = "20"\nnumvcpus = "4"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.min = "9503"`,
      expect: "required",
    },
    {
      title: "Virtual hyper-threading halves it",
      host: "r640",
      vmx: `virtualHW.version = "20"\nnumvcpus = "20"\ncpuid.numSMT = "2"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.min = "23759"`,
      expect: "required",
    },
  ],
  good: [
    {
      title: "4 x 2,399 MHz, as ESXi may measure it",
      host: "r640",
      vmx: `virtualHW.version = "20"\nnumvcpus = "4"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.min = "9596"`,
    },
    { title: "4 x 2,400 MHz", host: "dl580g7", vmx: `numvcpus = "4"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.min = "9600"` },
    {
      title: "10 cores x 2,400 MHz for 20 virtual threads",
      host: "r640",
      vmx: `virtualHW.version = "20"\nnumvcpus = "20"\ncpuid.numSMT = "2"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.min = "24000"`,
    },
    {
      title: "Some reservation, and no host to measure it by",
      vmx: `numvcpus = "4"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.min = "1"`,
    },
  ],
});
