import { AUTO_TOPOLOGY_HARDWARE, mayRun } from "../../limits/hardware.ts";
import { CONFIG_OPTION_9, TOPOLOGY_DOC_80 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

const spec = (...lines: readonly string[]): string =>
  ["apiVersion: vmlint.dev/v1", "kind: VirtualMachine", "spec:", ...lines.map((line) => `  ${line}`), ""].join("\n");

export const rule = builtinRule({
  id: "topo/auto-cps-hw",
  severity: "warning",
  on: ["coresPerSocket"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    old: (d: { hardwareVersion: number; first: number; upgrade: boolean }) =>
      `ESXi chooses cores per socket (auto) only from hardware version ${d.first} on; this VM has ${d.hardwareVersion}. Set a number${d.upgrade ? `, or version ${d.first}` : ""}.`,
  },
  applies: ({ coresPerSocket }) => holds(coresPerSocket, (cores) => cores === "auto"),
  *check({ vm, host }) {
    if (!vm.coresPerSocket || !vm.hardwareVersion || vm.hardwareVersion.value >= AUTO_TOPOLOGY_HARDWARE || vm.vcpus?.value === 1) return;
    yield {
      messageId: "old",
      data: {
        hardwareVersion: vm.hardwareVersion.value,
        first: AUTO_TOPOLOGY_HARDWARE,
        upgrade: mayRun(host?.esxi, AUTO_TOPOLOGY_HARDWARE),
      },
      at: vm.coresPerSocket.range,
      related: [{ message: `hardware version ${vm.hardwareVersion.value} is set here`, range: vm.hardwareVersion.range }],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version has no automatic cores per socket",
  why: "Choosing the cores per socket at power-on is a feature of hardware version 20. An older version always has a number (default 1), so the guest sees one socket for each vCPU instead.",
  whenNot: "Never: set a number, or raise the hardware version.",
  evidence: {
    figure: "autoCoresPerSocket is supported in hardware versions 20 to 22, but not in 10 to 19",
    source: CONFIG_OPTION_9,
    against: "No source states the effect of the setting on an older version.",
  },
  sources: [TOPOLOGY_DOC_80],
  bad: [{ title: "Version 19", yaml: spec("hardwareVersion: 19", "vcpus: 8", "coresPerSocket: auto") }],
  good: [
    { title: "Version 20", yaml: spec("hardwareVersion: 20", "vcpus: 8", "coresPerSocket: auto") },
    { title: "A number", yaml: spec("hardwareVersion: 19", "vcpus: 8", "coresPerSocket: 8") },
    { title: "1 vCPU is one socket in any case", yaml: spec("hardwareVersion: 19", "vcpus: 1", "coresPerSocket: auto") },
  ],
});
