import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "spec/too-large",
  since: "0.1.0",
  severity: "error",
  summary: "Number larger than any ESXi host allows",
  why: "vmlint treats the setting as unknown, and skips the checks that need it.",
  whenNot: "Never: correct the number.",
  evidence: null,
  sources: [],
  anyPlatform: true,
  over: "text",
  messages: {
    large: (d: { value: number; what: string; most: number }) =>
      `${d.value} ${d.what} are more than any ESXi host has. Set ${d.most} or fewer.`,
  },
  bad: [
    { title: "A count with too many digits", vmx: `numvcpus = "2147483648"\ncpuid.coresPerSocket = "3"`, expect: "large" },
    { title: "Bytes for MiB", yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  memoryMiB: 8589934592\n`, expect: "large" },
  ],
  good: [{ title: "A very large VM", vmx: `numvcpus = "768"\ncpuid.coresPerSocket = "96"` }],
});
