import { KB_326270, LIMITS_DOC_60 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

/** The slowest base frequency in the processor table in MHz; `test/rules/cpu-limit.test.ts` checks it. */
export const SLOWEST_MHZ = 1600;

/** MHz per vCPU; a lower limit is low on any server. The table lacks some low-power processors. */
const LOW_MHZ = 1000;

/** A limit above this share probably equals the full capacity of another host with slightly slower cores. */
const NEARLY = 0.8;

/** A tool may have computed the limit of the whole VM from a rounded frequency; the difference does not matter. */
const ROUNDING = 0.97;

export const rule = builtinRule({
  id: "cpu/limit-lt-size",
  severity: "warning",
  severities: { nearly: "info" },
  on: ["cpuLimitMHz"],
  reads: ["vcpus", "cpuLimitMHz", "cpuReservationMHz"],
  messages: {
    below: (d: Share) => sentence(d),
    nearly: (d: Share) => sentence(d),
    slow: (d: { limitMHz: number; vcpus: number; each: number }) =>
      `The CPU limit (${d.limitMHz} MHz) leaves ${d.vcpus === 1 ? "this vCPU" : `each of ${d.vcpus} vCPUs`} ${d.each} MHz, and no server processor that vmlint knows runs below ${SLOWEST_MHZ} MHz. Set the limit to unlimited.`,
  },
  applies: ({ cpuLimitMHz }) => holds(cpuLimitMHz, (limit) => typeof limit === "number" && limit > 0),
  *check({ vm, host }) {
    const limitMHz = vm.cpuLimitMHz?.value;
    // Another rule reports a limit below the reservation, which is more severe.
    if (!vm.cpuLimitMHz || typeof limitMHz !== "number" || limitMHz < (vm.cpuReservationMHz?.value ?? 0)) return;
    const vcpus = vcpusOf(vm);
    const finding = {
      at: vm.cpuLimitMHz.range,
      related: vm.vcpus ? [{ message: `${plural(vcpus, "vCPU")} set here`, range: vm.vcpus.range }] : [],
      fixes: [unsafeFix("Remove the CPU limit", { cpuLimitMHz: "unlimited" })],
    } as const;
    if (host?.mhz !== undefined) {
      const full = vcpus * host.mhz;
      if (limitMHz >= full * ROUNDING) return;
      const data = { limitMHz, vcpus, mhz: host.mhz, percent: Math.floor((100 * limitMHz) / full) };
      yield { messageId: limitMHz < full * NEARLY ? "below" : "nearly", data, ...finding };
    } else if (limitMHz < vcpus * LOW_MHZ) {
      yield { messageId: "slow", data: { limitMHz, vcpus, each: Math.floor(limitMHz / vcpus) }, ...finding };
    } else yield host ? { skip: "host-incomplete", lacks: ["mhz"] } : { skip: "no-host" };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU limit is below what the vCPUs can use",
  why: "The limit is for all vCPUs together. Once they have used it up, ESXi stops the VM for the rest of the interval, even on an idle host. The guest does not see the limit: its CPUs only look slow. Such limits are mostly left over from a template or a smaller VM.",
  whenNot:
    "When the VM is throttled on purpose: a cloud that sells MHz, a test of a smaller server, or a VM that must not disturb others. Fewer vCPUs then do the same work with less waiting.",
  evidence: {
    figure: "8 vCPUs on cores of 2,400 MHz under a limit of 2,000 MHz: together they run 2,000 of 19,200 MHz, about a tenth",
    source: KB_326270,
    against: "A VM that never needs more than the limit loses nothing: no source measured how much is lost.",
  },
  sources: [LIMITS_DOC_60],
  bad: [
    { title: "2,000 MHz for 8 vCPUs", host: "r640", vmx: `numvcpus = "8"\nsched.cpu.max = "2000"`, expect: "below" },
    { title: "No host, and 250 MHz a vCPU", vmx: `numvcpus = "8"\nsched.cpu.max = "2000"`, expect: "slow" },
    { title: "All that cores of 2,200 MHz have", host: "r640", vmx: `numvcpus = "2"\nsched.cpu.max = "4400"`, expect: "nearly" },
    { title: "Half of the frequency", host: "r640", vmx: `numvcpus = "4"\nsched.cpu.max = "4800"`, expect: "below" },
  ],
  good: [
    { title: "As much as the cores have", host: "r640", vmx: `numvcpus = "8"\nsched.cpu.max = "19200"` },
    { title: "The frequency as ESXi measures it", host: "r640", vmx: `numvcpus = "8"\nsched.cpu.max = "19152"` },
    { title: "No limit", host: "r640", vmx: `numvcpus = "8"\nsched.cpu.max = "unlimited"` },
    { title: "0 is none", vmx: `numvcpus = "8"\nsched.cpu.max = "0"` },
    { title: "No host, and a limit that may be enough", vmx: `numvcpus = "2"\nsched.cpu.max = "4000"` },
  ],
});

interface Share {
  readonly limitMHz: number;
  readonly vcpus: number;
  readonly mhz: number;
  readonly percent: number;
}

const sentence = ({ limitMHz, vcpus, mhz, percent }: Share): string =>
  `The CPU limit (${limitMHz} MHz) lets ${plural(vcpus, "vCPU")} run ${percent} % of the ${vcpus * mhz} MHz of ${plural(vcpus, "core")} of this host. Set the limit to unlimited.`;
