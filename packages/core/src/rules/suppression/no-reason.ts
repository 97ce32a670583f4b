import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "suppression/no-reason",
  severity: "warning",
  optIn: true,
  presets: ["strict"],
  for: "any",
  over: "text",
  messages: { missing: () => "This suppression has no reason: add -- and the reason." },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Suppression without a reason",
  why: "The next reader needs the reason for the decision. Reports contain it too, for auditors.",
  whenNot: "When commit messages contain the reasons. The rule is off unless you use the preset `strict` or set a severity.",
  bad: [{ title: "No reason", vmx: `numvcpus = "four" # vmlint-disable-line vmx/type` }],
  good: [{ title: "A reason", vmx: `numvcpus = "four" # vmlint-disable-line vmx/type -- a template fills it in` }],
});
