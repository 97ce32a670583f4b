import { asksForLatencyHardware, LATENCY_HARDWARE } from "../../limits/latency.ts";
import { LATENCY_DOC } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "latency/hw-version",
  severity: "info",
  presets: ["latency"],
  on: ["latencySensitivity"],
  needs: ["host"],
  reads: ["latencySensitivity", "hardwareVersion"],
  messages: {
    old: (d: { hardwareVersion: number; needs: number }) =>
      `Latency sensitivity High is documented for hardware version ${d.needs} and later on this host; this VM has ${d.hardwareVersion}. Upgrade the virtual hardware.`,
  },
  applies: ({ latencySensitivity }) => holds(latencySensitivity, (level) => level === "high"),
  *check({ vm, host }) {
    if (!vm.latencySensitivity || !vm.hardwareVersion || vm.hardwareVersion.value >= LATENCY_HARDWARE) return;
    if (!host.esxi) return yield { skip: "no-esxi-version" };
    if (!asksForLatencyHardware(host.esxi)) return;
    yield {
      messageId: "old",
      data: { hardwareVersion: vm.hardwareVersion.value, needs: LATENCY_HARDWARE },
      at: vm.latencySensitivity.range,
      related: [{ message: `hardware version ${vm.hardwareVersion.value} is set here`, range: vm.hardwareVersion.range }],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version is too old for latency sensitivity High",
  why: "The documentation of 8.0 makes hardware version 20 a prerequisite of High, but does not describe the effect on an older VM.",
  whenNot: "When the VM must still run on hosts older than 8.0.",
  evidence: { figure: "Prerequisite: hardware version 20 or later", source: LATENCY_DOC },
  bad: [{ title: "Hardware version 19 on 8.0", host: "r640", vmx: `virtualHW.version = "19"\nsched.cpu.latencySensitivity = "high"` }],
  good: [
    { title: "Hardware version 20 on 8.0", host: "r640", vmx: `virtualHW.version = "20"\nsched.cpu.latencySensitivity = "high"` },
    { title: "Hardware version 19 on 7.0", host: "2x24x2@7.0", vmx: `virtualHW.version = "19"\nsched.cpu.latencySensitivity = "high"` },
  ],
});
