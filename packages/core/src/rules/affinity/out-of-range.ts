import { threadsOf } from "../../model/host.ts";
import { AFFINITY_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { pinningOf } from "../../platforms/esxi/pinning.ts";
import { isPinned, removeAffinity } from "../cpu-affinity.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/out-of-range",
  severity: "error",
  on: ["cpuAffinity"],
  needs: ["host"],
  reads: ["cpuAffinity"],
  messages: {
    range: (d: { outOfRange: readonly number[]; threads: number }) =>
      `The affinity lists ${plural(d.outOfRange.length, "logical CPU")} this host does not have (${numberList(d.outOfRange)}); it has 0 to ${d.threads - 1}. Write a list for this host, or remove the affinity.`,
  },
  applies: isPinned,
  *check({ vm, host }) {
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all") return;
    const { outOfRange } = pinningOf(vm.cpuAffinity.value, host);
    if (outOfRange.length === 0) return;
    yield { messageId: "range", data: { outOfRange, threads: threadsOf(host) }, at: vm.cpuAffinity.range, fixes: [removeAffinity] };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM is pinned to logical CPUs the host lacks",
  why: "A list of logical CPUs is valid only for the machine it was written for. On a host with fewer logical CPUs, or without hyper-threading, some of them do not exist.",
  whenNot: "When the VM runs only on a larger host: set that host for it.",
  sources: [AFFINITY_DOC],
  bad: [
    { title: "CPU 80 of 80", host: "dl580g7", vmx: `numvcpus = "2"\nsched.cpu.affinity = "78,80"` },
    { title: "Hyper-threading is off", host: "2x10x1@6.5", vmx: `numvcpus = "2"\nsched.cpu.affinity = "20,22"` },
  ],
  good: [{ title: "The last two CPUs", host: "dl580g7", vmx: `numvcpus = "2"\nsched.cpu.affinity = "78,79"` }],
});

const NUMBERS_SHOWN = 8;

const numberList = (numbers: readonly number[]): string =>
  numbers.length <= NUMBERS_SHOWN
    ? numbers.join(",")
    : `${numbers.slice(0, NUMBERS_SHOWN).join(",")} and ${numbers.length - NUMBERS_SHOWN} more`;
