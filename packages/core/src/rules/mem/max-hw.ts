import { CONFIG_OPTION_9, HARDWARE_DOC, HARDWARE_DOC_67 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { beyond, overDocumentedLimit, overLimit } from "../limit.ts";

/** The least limit of all versions. No VM below it has too much. */
const LEAST_GIB = 64;

export const rule = builtinRule({
  id: "mem/max-hw",
  severity: "error",
  severities: { documented: "warning" },
  refused: ["over"],
  on: ["memoryMiB"],
  reads: ["memoryMiB", "hardwareVersion"],
  messages: { over: overLimit("GiB of memory"), documented: overDocumentedLimit("GiB of memory") },
  applies: ({ memoryMiB }) => holds(memoryMiB, (mib = 0) => mib > LEAST_GIB * 1024),
  *check({ vm, host }) {
    if (!vm.memoryMiB || !vm.hardwareVersion) return;
    const gib = vm.memoryMiB.value / 1024;
    const excess = beyond("memoryGiB", { value: gib, range: vm.memoryMiB.range }, vm.hardwareVersion, host);
    if (excess) yield { ...excess, data: { ...excess.data, value: Math.ceil(gib * 10) / 10 } };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More memory than the hardware version allows",
  why: "Each virtual hardware version has a maximum amount of memory, and ESXi will not power on a VM above it. For hardware version 17 the documentation (6,128 GiB) and an ESX 9 host (24,560 GiB) disagree: between the two an older host may refuse.",
  whenNot:
    "When every host the VM runs on is ESX 9.0 or later: name it as the host, and hardware version 17 is not reported below 24,560 GiB.",
  evidence: {
    figure: "24,560 GiB from hardware version 18 on, 6,128 for 13 to 17, 4,080 for 11, 1,011 for 8 to 10",
    source: HARDWARE_DOC,
    against: "For hardware version 7 the documentation says 255 GiB (6.7) and 256 (8.0): only more than 256 is reported.",
  },
  sources: [HARDWARE_DOC_67, CONFIG_OPTION_9],
  bad: [
    { title: "1,012 GiB on hardware version 10", vmx: `virtualHW.version = "10"\nmemSize = "1036288"`, expect: "over" },
    { title: "8,192 GiB on hardware version 17", vmx: `virtualHW.version = "17"\nmemSize = "8388608"`, expect: "documented" },
  ],
  good: [
    { title: "1,011 GiB on hardware version 10", vmx: `virtualHW.version = "10"\nmemSize = "1035264"` },
    { title: "8,192 GiB on hardware version 19", vmx: `virtualHW.version = "19"\nmemSize = "8388608"` },
  ],
});
