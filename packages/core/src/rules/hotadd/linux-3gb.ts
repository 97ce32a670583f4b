import { isLinux64, LINUX_HOT_ADD_MIB } from "../../limits/guest-limits.ts";
import { TERRAFORM_1352, TERRAFORM_HOT_ADD } from "../../model/sources.ts";
import { memoryWords } from "../../model/words.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

/** The proposed memory: the next usual size that can grow. */
const ENOUGH_MIB = 4096;

export const rule = builtinRule({
  id: "hotadd/linux-3gb",
  severity: "info",
  on: ["memoryHotAdd"],
  reads: ["memoryMiB", "memoryHotAdd", "guestOs"],
  messages: {
    stuck: (d: { memoryMiB: number; mostMiB: number; enoughMiB: number }) =>
      `A 64-bit Linux that starts with ${memoryWords(d.memoryMiB)} takes no more than ${memoryWords(d.mostMiB)} by memory hot add. Turn hot add off, or start the VM with ${memoryWords(d.enoughMiB)}.`,
  },
  applies: ({ memoryHotAdd, guestOs }) => {
    const linux = holds(guestOs, (guest = "") => isLinux64(guest));
    return linux === false ? false : holds(memoryHotAdd, (on) => on === true) === false ? false : linux;
  },
  *check({ vm }) {
    const { memoryMiB, memoryHotAdd } = vm;
    if (!memoryMiB || !memoryHotAdd || memoryMiB.value > LINUX_HOT_ADD_MIB) return;
    yield {
      messageId: "stuck",
      data: { memoryMiB: memoryMiB.value, mostMiB: LINUX_HOT_ADD_MIB, enoughMiB: ENOUGH_MIB },
      at: memoryHotAdd.range,
      related: [{ message: `${memoryWords(memoryMiB.value)} are set here`, range: memoryMiB.range }],
      fixes: [
        unsafeFix("Turn memory hot add off", { memoryHotAdd: false }),
        unsafeFix(`Set ${memoryWords(ENOUGH_MIB)}`, { memoryMiB: ENOUGH_MIB }),
      ],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory hot add is limited on a small 64-bit Linux",
  why: "A running 64-bit Linux that was started with 3 GiB or less takes memory only up to 3 GiB; for more, it must be powered off. vSphere refuses the change, and Terraform, for example, repeats it at each run. A VM that starts with more memory has no such limit.",
  whenNot: "When the VM grows to 3 GiB at most, or grows only while it is off, like the clones of a template.",
  evidence: {
    figure: '2 GB with hot add on, raised to 4 GB while it runs: "Invalid virtual machine configuration"',
    source: TERRAFORM_1352,
  },
  sources: [TERRAFORM_HOT_ADD, TERRAFORM_1352],
  bad: [
    {
      title: "2 GiB, in Terraform",
      terraform: `resource "vsphere_virtual_machine" "web" {\n  guest_id               = "ubuntu64Guest"\n  memory                 = 2048\n  memory_hot_add_enabled = true\n}`,
    },
    { title: "3 GiB", vmx: `guestOS = "rhel8-64"\nmemSize = "3072"\nmem.hotadd = "TRUE"` },
  ],
  good: [
    { title: "More than 3 GiB", vmx: `guestOS = "rhel8-64"\nmemSize = "3076"\nmem.hotadd = "TRUE"` },
    { title: "Without hot add", vmx: `guestOS = "rhel8-64"\nmemSize = "2048"` },
    { title: "Windows", vmx: `guestOS = "windows2019srv-64"\nmemSize = "2048"\nmem.hotadd = "TRUE"` },
    { title: "A 32-bit guest, which the note does not cover", vmx: `guestOS = "debian10"\nmemSize = "2048"\nmem.hotadd = "TRUE"` },
  ],
});
