import { CONFIG_OPTION_9, HARDWARE_DOC, HARDWARE_DOC_67 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { beyond, overDocumentedLimit, overLimit } from "../limit.ts";

export const rule = builtinRule({
  id: "cpu/max-vcpus-hw",
  severity: "error",
  severities: { documented: "warning" },
  refused: ["over"],
  on: ["vcpus"],
  reads: ["vcpus", "hardwareVersion"],
  messages: { over: overLimit("vCPUs"), documented: overDocumentedLimit("vCPUs") },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 4),
  *check({ vm, host }) {
    if (!vm.vcpus || !vm.hardwareVersion) return;
    const excess = beyond("vcpus", vm.vcpus, vm.hardwareVersion, host);
    if (excess) yield excess;
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than the hardware version allows",
  why: "Each virtual hardware version has a maximum number of vCPUs, and ESXi will not power on a VM above it. For hardware version 17 the documentation (256) and an ESX 9 host (768) disagree: between the two an older host may refuse.",
  whenNot: "When every host the VM runs on is ESX 9.0 or later: name it as the host, and hardware version 17 is not reported below 768.",
  evidence: {
    figure: "768 vCPUs from hardware version 18 on, 256 for 15 to 17, 128 for 11 to 14, 64 for 9 and 10, 32 for 8",
    source: HARDWARE_DOC,
  },
  sources: [HARDWARE_DOC_67, CONFIG_OPTION_9],
  bad: [
    { title: "129 vCPUs on hardware version 14", vmx: `virtualHW.version = "14"\nnumvcpus = "129"`, expect: "over" },
    { title: "257 vCPUs on hardware version 17", vmx: `virtualHW.version = "17"\nnumvcpus = "257"`, expect: "documented" },
    { title: "769 vCPUs on hardware version 17", host: "8x60x2@9.0", vmx: `virtualHW.version = "17"\nnumvcpus = "769"`, expect: "over" },
  ],
  good: [
    { title: "128 vCPUs on hardware version 14", vmx: `virtualHW.version = "14"\nnumvcpus = "128"` },
    { title: "257 vCPUs on hardware version 17 of ESX 9.0", host: "8x60x2@9.0", vmx: `virtualHW.version = "17"\nnumvcpus = "257"` },
    { title: "A hardware version vmlint has no figures for", vmx: `virtualHW.version = "99"\nnumvcpus = "2000"` },
  ],
});
