import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "spec/too-large",
  severity: "error",
  severities: { newer: "info" },
  for: "any",
  over: "text",
  messages: {
    large: (d: { value: number; what: string; most: number }) =>
      `${d.value} ${d.what} are more than any ESXi host has. Set ${d.most} or fewer.`,
    version: (d: { value: number; newest: number }) =>
      `No ESXi release has hardware version ${d.value}: the newest that vmlint knows is ${d.newest}. Set ${d.newest} or lower.`,
    newer: (d: { value: number; newest: number }) =>
      `Hardware version ${d.value} is newer than vmlint knows: its limits are not checked. The newest that it knows is ${d.newest}.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Number larger than any ESXi host allows",
  why: "vmlint treats the setting as unknown, and skips the checks that need it.",
  whenNot: "Never: correct the number.",
  bad: [
    { title: "A count with too many digits", vmx: `numvcpus = "2147483648"\ncpuid.coresPerSocket = "3"`, expect: "large" },
    { title: "A hardware version that does not exist", vmx: `virtualHW.version = "99"`, expect: "version" },
    { title: "A hardware version after the newest", vmx: `virtualHW.version = "23"`, expect: "newer" },
    { title: "Bytes for MiB", yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  memoryMiB: 8589934592\n`, expect: "large" },
  ],
  good: [
    { title: "The newest hardware version", vmx: `virtualHW.version = "22"` },
    { title: "A very large VM", vmx: `numvcpus = "768"\ncpuid.coresPerSocket = "96"` },
  ],
});
