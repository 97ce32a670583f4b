import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "suppression/unused",
  severity: "warning",
  for: "any",
  over: "text",
  messages: {
    rule: (d: { rule: string }) => `This suppression hides no finding of ${d.rule}. Remove it.`,
    all: () => "This suppression hides no finding. Remove it.",
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Suppression hides no finding",
  why: "A suppression that outlives its finding also hides the next finding of the rule. It is reported only if its rules ran: not if a rule was off, or a host, a workload or a value was missing.",
  whenNot: "Never: remove it.",
  bad: [
    { title: "The finding is gone", vmx: `# vmlint-disable-next-line vmx/type -- to be fixed\nnumvcpus = "4"`, expect: "rule" },
    { title: "Nothing on the line", vmx: `numvcpus = "4" # vmlint-disable-line`, expect: "all" },
  ],
  good: [{ title: "A finding is hidden", vmx: `# vmlint-disable-next-line vmx/type -- to be fixed\nnumvcpus = "four"` }],
});
