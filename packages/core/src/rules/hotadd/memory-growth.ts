import { HOT_ADD_TIMES, mostByHotAdd } from "../../limits/guest-limits.ts";
import { MEMORY_STEP_MIB } from "../../limits/hardware.ts";
import { HOT_ADD_2019, MEMORY_API, TERRAFORM_1352, TERRAFORM_HOT_ADD } from "../../model/sources.ts";
import { memoryWords } from "../../model/words.ts";
import { builtinRule, type PageOf, unsafeFix } from "../define.ts";

/** A plan that changes the memory of a running VM. */
const plan = (from: number, to: number, guest: string): string => {
  const vm = (memory: number): string => `{"guest_id":"${guest}","memory":${memory},"memory_hot_add_enabled":true,"num_cpus":2}`;
  const resource = `"address":"vsphere_virtual_machine.web","mode":"managed","type":"vsphere_virtual_machine","name":"web","provider_name":"registry.terraform.io/vmware/vsphere"`;
  return `{"format_version":"1.2","planned_values":{"root_module":{"resources":[{${resource},"values":${vm(to)}}]}},\n "resource_changes":[{${resource},"change":{"actions":["update"],"before":${vm(from)},"after":${vm(to)}}}]}`;
};

export const rule = builtinRule({
  id: "hotadd/memory-growth",
  severity: "error",
  on: ["configured"],
  reads: ["memoryMiB"],
  messages: {
    refused: (d: { fromMiB: number; toMiB: number; mostMiB: number; linux: boolean; stepMiB: number }) =>
      `This plan takes a running VM from ${memoryWords(d.fromMiB)} to ${memoryWords(d.toMiB)}, and ${d.linux ? "a 64-bit Linux of this size" : "this VM"} takes ${d.mostMiB > d.fromMiB ? `at most ${memoryWords(d.mostMiB)} by hot add, in steps of ${d.stepMiB} MiB` : "no more by hot add"}. Power it off before the apply${d.mostMiB > d.fromMiB ? `, or plan at most ${memoryWords(d.mostMiB)}` : ""}.`,
  },
  applies: (_, { configured }) => configured?.().memoryBefore !== undefined,
  *check({ vm: { configured, memoryMiB }, ifKnown }) {
    const fromMiB = configured?.().memoryBefore;
    if (fromMiB === undefined || !memoryMiB) return;
    const mostMiB = mostByHotAdd(ifKnown("guestOs"), fromMiB);
    if (memoryMiB.value <= mostMiB) return;
    const data = { fromMiB, toMiB: memoryMiB.value, mostMiB, linux: mostMiB < fromMiB * HOT_ADD_TIMES, stepMiB: MEMORY_STEP_MIB };
    const fixes = [unsafeFix(`Set ${memoryWords(mostMiB)}`, { memoryMiB: mostMiB })];
    yield { messageId: "refused", data, at: memoryMiB.range, fixes };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Plan adds more memory than a running VM takes",
  why: "With memory hot add on, a provider does not power the VM off to add memory. A running VM takes at most 16 times its memory at power-on. A 64-bit Linux that started with 3 GiB or less takes at most 3 GiB. vSphere refuses more, and the plan shows the same change at each run.",
  whenNot: "When the VM is powered off before the plan is applied.",
  evidence: {
    figure: '2 GB with hot add on, raised to 4 GB while it runs: "Invalid virtual machine configuration"',
    source: TERRAFORM_1352,
  },
  sources: [TERRAFORM_HOT_ADD, HOT_ADD_2019, MEMORY_API],
  bad: [
    { title: "Linux, from 2 GiB to 4", json: plan(2048, 4096, "ubuntu64Guest") },
    { title: "Windows, from 2 GiB to 64", json: plan(2048, 65536, "windows2019srv_64Guest") },
  ],
  good: [
    { title: "Linux, from 2 GiB to 3", json: plan(2048, 3072, "ubuntu64Guest") },
    { title: "Linux, from 4 GiB to 64", json: plan(4096, 65536, "ubuntu64Guest") },
    { title: "Less memory: the provider powers the VM off", json: plan(65536, 2048, "ubuntu64Guest") },
  ],
});
