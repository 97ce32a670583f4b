import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "inventory/unreadable",
  severity: "error",
  for: "any",
  over: "text",
  messages: {
    broken: ({ language, message }: { language: string; message: string }) =>
      `This file is ${message.startsWith("more ") ? "too large to read" : `truncated or invalid ${language}`}: ${message.replace(/\.$/, "")}. No VM in it was checked.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Truncated, invalid or too large inventory or OVF file",
  why: "Such a file was usually cut while it was copied or piped. Its VMs were not checked, so a clean result would mean nothing.",
  whenNot: "Never: export the file again.",
  bad: [
    { title: "The output of govc, cut off", json: `{"virtualMachines":[{"name":"sql01","config":{"hardware":{"numCPU":8` },
    { title: "A descriptor without its end", ovf: `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1">\n  <VirtualSystem>` },
  ],
  good: [
    {
      title: "The output of govc",
      json: `{"virtualMachines":[{"name":"sql01","config":{"hardware":{"numCPU":8,"numCoresPerSocket":8,"memoryMB":65536}}}]}`,
    },
  ],
});
