import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "suppression/unused",
  since: "0.1.0",
  severity: "warning",
  summary: "Suppression hides no finding",
  why: "A suppression that outlives its finding hides the next one of the same rule, which nobody has looked at. It is reported only where its rules ran: not where one was switched off or lacked a host, a workload or a value.",
  whenNot: "Never: remove it.",
  evidence: null,
  sources: [],
  esxiOnly: false,
  over: "text",
  messages: {
    rule: (d: { rule: string }) => `Nothing of ${d.rule} is hidden by this suppression. Remove it.`,
    all: () => "Nothing is hidden by this suppression. Remove it.",
  },
  bad: [
    { title: "The finding is gone", vmx: `# vmlint-disable-next-line vmx/type -- to be fixed\nnumvcpus = "4"`, expect: "rule" },
    { title: "Nothing on the line", vmx: `numvcpus = "4" # vmlint-disable-line`, expect: "all" },
  ],
  good: [{ title: "A finding is hidden", vmx: `# vmlint-disable-next-line vmx/type -- to be fixed\nnumvcpus = "four"` }],
});
