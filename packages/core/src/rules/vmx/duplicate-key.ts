import { OPEN_VM_TOOLS } from "../../model/sources.ts";
import { builtinRule, type PageOf, quote } from "../define.ts";

export const rule = builtinRule({
  id: "vmx/duplicate-key",
  severity: "warning",
  severities: { differs: "error", unknown: "error" },
  for: "any",
  over: "text",
  messages: {
    same: (d: { key: string }) => `${d.key} is set twice to the same value. Remove one.`,
    differs: (d: { key: string; first: string; second: string }) =>
      `${d.key} is set to ${quote(d.first)} and to ${quote(d.second)}, and VMware does not document which counts. Keep one.`,
    unknown: (d: { key: string }) => `${d.key} is set to two values, and VMware does not document which counts. Keep one.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Duplicate key",
  why: "Keys are case-insensitive, and VMware does not document which of two equal keys counts: libvirt takes the first, Packer the last. vmlint treats such a setting as unknown.",
  whenNot: "Never: keep one of the two.",
  sources: [OPEN_VM_TOOLS],
  bad: [
    { title: "Two values", vmx: `numvcpus = "4"\nnumVCPUs = "8"`, expect: "differs" },
    {
      title: "Two values of a key that vmlint does not read",
      vmx: `numvcpus = "4"\nguestinfo.a = "4"\nguestinfo.a = "8"`,
      expect: "unknown",
    },
    { title: "The same value twice", vmx: `numvcpus = "4"\nnumvcpus = "4"`, expect: "same" },
  ],
  good: [{ title: "Once", vmx: `numvcpus = "4"` }],
});
