import { OPEN_VM_TOOLS } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "vmx/unreadable",
  severity: "info",
  for: "any",
  over: "text",
  messages: {
    encrypted: (d: { clear: number }) => `The configuration is encrypted: only its ${d.clear} clear keys were checked.`,
    lfs: (_: Record<string, never>) => "This is a Git LFS pointer, not the VM's configuration. Run git lfs pull and lint again.",
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Settings of the file cannot be read",
  why: "An encrypted configuration has most keys inside `encryption.data`, and a Git LFS pointer replaces a file that was not fetched. A clean result would be misleading.",
  whenNot: "When you know this: turn the rule off for those files.",
  sources: [OPEN_VM_TOOLS],
  bad: [
    {
      title: "Encrypted",
      vmx: `displayName = "vault"\nencryption.keySafe = "vmware:key/list/..."\nencryption.data = "..."`,
      expect: "encrypted",
    },
    { title: "A pointer", vmx: `version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5679`, expect: "lfs" },
  ],
  good: [{ title: "A plain file", vmx: `numvcpus = "4"` }],
});
