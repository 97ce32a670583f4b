import { OPEN_VM_TOOLS } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "vmx/malformed-line",
  severity: "warning",
  for: "any",
  over: "text",
  messages: {
    ignored: (d: { line: string }) =>
      `VMware ignores this line${d.line.includes('"') ? ": the quotes do not close, or text follows them" : ""}. Write name = "value", or start it with #.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VMware ignores a malformed line",
  why: 'VMware reads comments and lines such as `name = "value"`, and silently ignores any other line. The VM then runs without that setting.',
  whenNot: "When the line is a note that nothing should read: start it with # and it is a comment.",
  sources: [OPEN_VM_TOOLS],
  bad: [
    { title: "The closing quote is missing", vmx: `numvcpus = "4"\nsched.cpu.affinity = "0,2,4,6` },
    { title: "Two words without quotes", vmx: `numvcpus = "4"\ndisplayName = my vm` },
    { title: "No equals sign", vmx: `numvcpus = "4"\n// four of them` },
  ],
  good: [
    { title: "Comments, blank lines and unquoted values", vmx: `# four\n\nnumvcpus = 4 # of them` },
    { title: "A line that a template fills in", vmx: `numvcpus = {{ cpus }}\nmemSize = "\${memory}"` },
  ],
});
