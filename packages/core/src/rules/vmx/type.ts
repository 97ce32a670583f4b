import { builtinRule, type PageOf, quote } from "../define.ts";

export const rule = builtinRule({
  id: "vmx/type",
  severity: "error",
  for: "any",
  over: "text",
  messages: { type: (d: { key: string; value: string; expected: string }) => `${d.key} must be ${d.expected}, not ${quote(d.value)}.` },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Value of the wrong type",
  why: "The intended value and the reaction of ESXi are unknown. vmlint treats the setting as unknown and skips the checks that need it.",
  whenNot: "Never: a value that a template fills in later is recognised as such and not reported.",
  bad: [
    { title: "A word instead of a number", vmx: `numvcpus = "four"` },
    { title: "No vCPUs", vmx: `numvcpus = "0"` },
    { title: "Not a list of CPUs", vmx: `numvcpus = "4"\nsched.cpu.affinity = "0;2;4;6"` },
  ],
  good: [
    { title: "Numbers, booleans, lists", vmx: `numvcpus = "4"\nvcpu.hotadd = "true"\nsched.cpu.affinity = "0,2-4"` },
    { title: "A template", vmx: `numvcpus = "{{ cpus }}"` },
  ],
});
