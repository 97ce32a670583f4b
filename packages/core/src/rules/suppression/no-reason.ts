import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "suppression/no-reason",
  since: "0.1.0",
  severity: "warning",
  optIn: true,
  summary: "Suppression without a reason",
  why: "Whoever meets a suppression later has to know what was decided. The reason also goes into reports, where auditors look for it.",
  whenNot: "When commit messages say why: the rule is off unless it is given a severity.",
  evidence: null,
  sources: [],
  esxiOnly: false,
  over: "text",
  messages: {
    missing: () => "This suppression says no reason: add -- and why.",
  },
  bad: [{ title: "No reason", vmx: `numvcpus = "four" # vmlint-disable-line vmx/type`, expect: "missing" }],
  good: [{ title: "A reason", vmx: `numvcpus = "four" # vmlint-disable-line vmx/type -- a template fills it in` }],
});
