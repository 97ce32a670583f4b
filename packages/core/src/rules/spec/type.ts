import { builtinRule, type PageOf, quote } from "../define.ts";

export const rule = builtinRule({
  id: "spec/type",
  severity: "error",
  for: "any",
  over: "text",
  messages: {
    type: (d: { key: string; value: string; expected: string; meant?: string }) => {
      const wrong = d.value === "" ? "" : `, not ${quote(d.value)}`;
      return `${d.key} must be ${d.expected}${wrong}.${d.meant === undefined ? "" : ` Did you mean ${d.meant}?`}`;
    },
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Value of the wrong type in a VM spec",
  why: "vmlint treats the setting as unknown, and skips the checks that need it.",
  whenNot: "Never: a value that a template fills in later is recognised as such and not reported.",
  bad: [
    { title: "A word instead of a number", yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: four\n` },
    { title: "A kind that does not exist", yaml: `apiVersion: vmlint.dev/v1\nkind: Machine\n` },
  ],
  good: [
    {
      title: "Numbers, lists and a template value",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 4\n  coresPerSocket: auto\n  memoryMiB: "{{ memory }}"\n  cpuAffinity: [0, 2, 4, 6]\n`,
    },
  ],
});
