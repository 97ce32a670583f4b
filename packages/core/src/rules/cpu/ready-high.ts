import { READY_KB } from "../../model/sources.ts";
import { builtinRule, type PageOf, vcpusOf } from "../define.ts";
import { govcHardware, govcVm } from "../govc-example.ts";
import { MOST_READY, readyOfEach } from "../readiness.ts";

/** Returns a running VM that waits this percentage of the time. */
const waiting = (overallCpuReadiness: number, numCPU = 4): string =>
  govcVm({ version: "vmx-19", hardware: govcHardware(numCPU) }, { summary: { quickStats: { overallCpuReadiness } } });

export const rule = builtinRule({
  id: "cpu/ready-high",
  severity: "warning",
  presets: ["recommended"],
  on: ["measured"],
  reads: ["vcpus"],
  messages: {
    waits: (d: { ready: number; each: number; vcpus: number; limited: boolean }) =>
      d.vcpus === 1
        ? `The vCPU of this VM waited for a core ${d.ready} % of the time. ${d.limited ? "Remove the CPU limit" : "Move it to another host"}.`
        : `The ${d.vcpus} vCPUs of this VM waited for a core ${d.ready} % of the time, ${d.each} % each. ${d.limited ? "Remove the CPU limit" : "Remove vCPUs it does not use, or move it to another host"}.`,
  },
  *check({ vm, ifKnown }) {
    const ready = vm.measured?.readyPercent;
    const readyPerVcpu = readyOfEach(vm);
    if (!ready || readyPerVcpu === undefined || readyPerVcpu < MOST_READY) return;
    const limited = typeof ifKnown("cpuLimitMHz") === "number";
    yield { messageId: "waits", data: { ready: ready.value, each: readyPerVcpu, vcpus: vcpusOf(vm), limited }, at: ready.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "vCPUs wait for a core, as measured",
  why: "A vCPU is ready when it has work and no core is free. The guest sees this time as a slower processor. The measurement decides if a host has too many vCPUs: a ratio of vCPUs to cores does not.",
  whenNot: "When the value comes from a short peak: measure again at a usual time.",
  evidence: {
    figure: "Under normal operating conditions %READY remains under 5 %",
    source: READY_KB,
    against: "No source relates the value to throughput; other authors accept up to 10 % for each vCPU.",
  },
  bad: [
    { title: "24 % over 4 vCPUs", json: waiting(24) },
    { title: "7 % over 1 vCPU", json: waiting(7, 1) },
  ],
  good: [
    { title: "4 % over 4 vCPUs", json: waiting(4) },
    { title: "No measurement", vmx: `numvcpus = "4"` },
  ],
});
