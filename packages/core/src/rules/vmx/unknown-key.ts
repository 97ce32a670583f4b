import { VNUMA_CONTROLS_67 } from "../../model/sources.ts";
import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "vmx/unknown-key",
  since: "0.1.0",
  severity: "warning",
  summary: "A key is a slip of one that VMware knows",
  why: "VMware passes over a key it does not know in silence: the VM starts, without what the line was meant to set.",
  whenNot: "When the key is one that vmlint does not know: name the rule in an override for the file.",
  evidence: null,
  sources: [VNUMA_CONTROLS_67],
  esxiOnly: false,
  messages: {
    near: (d: { key: string; meant: string }) => `VMware knows no key ${d.key}, and ignores the line. Did you mean ${d.meant}?`,
  },
  bad: [
    { title: "A letter too few", vmx: `numvcpus = "16"\nnuma.vcpu.preferT = "TRUE"`, expect: "near" },
    { title: "Two letters swapped", vmx: `numvcpus = "16"\nnuma.vcpu.maxPerVirtaulNode = "8"`, expect: "near" },
  ],
  good: [
    { title: "Keys in any case", vmx: `numvcpus = "16"\nNUMA.VCPU.PREFERHT = "TRUE"\nsched.mem.minSize = "0"` },
    {
      title: "A CPUID mask, a vCPU's own affinity and a disk's shares",
      vmx: `cpuid.1.eax = "----"\nsched.vcpu0.affinity = "0"\nsched.scsi0:1.shares = "normal"`,
    },
    { title: "A key that is like no other: there are keys no list has", vmx: `numvcpus = "2"\nsched.something.else = "1"` },
  ],
});
