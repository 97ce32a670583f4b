import { FUSION_12 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

/** The highest limit whose documentation was found (FUSION_12). Older releases allow less (Fusion 10: 8 virtual processors and 64 GB). */
const MOST = { vcpus: 32, memoryMiB: 128 * 1024 };

export const rule = builtinRule({
  id: "vmx/too-large-for-desktop",
  severity: "warning",
  onDesktop: true,
  on: ["vcpus", "memoryMiB"],
  reads: ["vcpus", "memoryMiB"],
  messages: {
    vcpus: (d: { value: number; most: number }) =>
      `Workstation and Fusion are documented for at most ${d.most} vCPUs, and the VM has ${d.value}. Set ${d.most}.`,
    memory: (d: { value: number; most: number }) =>
      `Workstation and Fusion are documented for at most ${d.most} MiB of memory, and the VM has ${d.value}. Set ${d.most}.`,
  },
  applies: (_, { platform }) => platform === "desktop",
  *check({ vm: { vcpus, memoryMiB } }) {
    if (vcpus && vcpus.value > MOST.vcpus) yield { messageId: "vcpus", data: { value: vcpus.value, most: MOST.vcpus }, at: vcpus.range };
    if (memoryMiB && memoryMiB.value > MOST.memoryMiB)
      yield { messageId: "memory", data: { value: memoryMiB.value, most: MOST.memoryMiB }, at: memoryMiB.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs or memory than Workstation and Fusion are documented to allow",
  why: "A file of Workstation or Fusion has keys that ESXi does not write. The highest limit that is documented for them is 32 virtual processors and 128 GB.",
  whenNot: "When the VM moves to ESXi, or a later release allows more.",
  evidence: { figure: "Up to 32 virtual processors and 128 GB in Fusion 12", source: FUSION_12 },
  bad: [
    { title: "40 vCPUs", vmx: `virtualHW.version = "16"\nnumvcpus = "40"`, expect: "vcpus" },
    { title: "256 GiB", vmx: `virtualHW.version = "16"\nmemsize = "262144"`, expect: "memory" },
  ],
  good: [
    { title: "32 vCPUs and 128 GiB", vmx: `virtualHW.version = "16"\nnumvcpus = "32"\nmemsize = "131072"` },
    { title: "A VM of ESXi", vmx: `virtualHW.version = "19"\nnumvcpus = "40"` },
  ],
});
