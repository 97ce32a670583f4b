import { MEMORY_STEP_MIB } from "../../limits/hardware.ts";
import { CLOUD_DIRECTOR_API, MEMORY_DOC } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "mem/step-4mb",
  severity: "warning",
  on: ["memoryMiB"],
  reads: ["memoryMiB"],
  messages: {
    step: (d: { memoryMiB: number; fits: number }) => `${d.memoryMiB} MiB of memory are not a multiple of 4 MiB. Set ${d.fits} MiB.`,
  },
  // A VM that runs starts with such a size.
  applies: ({ memoryMiB }, { running }) => (running ? false : holds(memoryMiB, (mib = 0) => mib % MEMORY_STEP_MIB !== 0)),
  *check({ vm }) {
    if (!vm.memoryMiB) return;
    const memoryMiB = vm.memoryMiB.value;
    const fits = Math.ceil(memoryMiB / MEMORY_STEP_MIB) * MEMORY_STEP_MIB;
    yield {
      messageId: "step",
      data: { memoryMiB, fits },
      at: vm.memoryMiB.range,
      fixes: [unsafeFix(`Set ${fits} MiB`, { memoryMiB: fits })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory is not a multiple of 4 MiB",
  why: "The memory of a VM must be a multiple of 4 MiB. The vSphere client and the API enforce this; an edited or generated file may break it, often because a tool counted in GB of 1,000 MB.",
  whenNot: "When the VM is known to start as it is: no source documents what ESXi does with such a size.",
  evidence: { figure: "The memory size must be a multiple of 4 MB", source: MEMORY_DOC },
  sources: [CLOUD_DIRECTOR_API],
  bad: [{ title: "4,095 MiB", vmx: `memSize = "4095"` }],
  good: [
    { title: "4,096 MiB", vmx: `memSize = "4096"` },
    { title: "4,000 MiB", vmx: `memSize = "4000"` },
  ],
});
