import { builtinRule, type PageOf, quote } from "../define.ts";

export const rule = builtinRule({
  id: "suppression/unknown",
  severity: "warning",
  for: "any",
  over: "text",
  messages: {
    rule: (d: { rule: string; nearest: string | null }) =>
      `There is no rule ${quote(d.rule)}.${d.nearest ? ` Did you mean "${d.nearest}"?` : d.rule.includes("/") ? "" : ' Write a reason after "--".'}`,
    word: (d: { word: string }) =>
      `${quote(d.word)} has no effect: write vmlint-disable-line, vmlint-disable-next-line or vmlint-disable-file.`,
    date: (d: { date: string }) => `${quote(d.date)} is not a date: write until=2026-12-31.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Invalid suppression",
  why: "A suppression with a misspelt rule, word or date does not do what it was written for. In vmlint.yaml the same is an error.",
  whenNot: "Never: correct the word.",
  bad: [
    { title: "A misspelt rule", vmx: `numvcpus = "four" # vmlint-disable-line vmx/typ`, expect: "rule" },
    { title: "A misspelt word", vmx: `# vmlint-disable-nextline vmx/type\nnumvcpus = "4"`, expect: "word" },
    { title: "A date that does not exist", vmx: `numvcpus = "four" # vmlint-disable-line vmx/type until=2026-02-30`, expect: "date" },
  ],
  good: [{ title: "Two rules", vmx: `# vmlint-disable-next-line vmx/type, vmx/duplicate-key -- filled in later\nnumvcpus = "four"` }],
});
