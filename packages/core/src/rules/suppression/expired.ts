import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "suppression/expired",
  severity: "warning",
  for: "any",
  over: "text",
  messages: {
    expired: (d: { until: string }) => `This suppression ended on ${d.until} and has no effect. Set another date, or remove it.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Suppression is past its date",
  why: "A suppression with `until` hides its findings up to that day. After that day they are reported again: renew or remove the suppression.",
  whenNot: "Never: set another date, or remove it.",
  bad: [{ title: "Last year", vmx: `numvcpus = "four" # vmlint-disable-line vmx/type until=2025-12-31 -- asked the team` }],
  good: [{ title: "Not yet", vmx: `numvcpus = "four" # vmlint-disable-line vmx/type until=2999-12-31 -- asked the team` }],
});
