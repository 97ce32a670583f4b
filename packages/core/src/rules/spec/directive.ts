import { hint } from "../../model/nearest.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "spec/directive",
  severity: "warning",
  for: "any",
  over: "text",
  messages: {
    word: (d: { word: string; words: readonly string[]; nearest: string | null }) =>
      `"${d.word}" is not a keyword of a vmlint comment.${d.nearest ? ` Did you mean ${d.nearest}=...?` : ""} It takes ${d.words.map((w) => `${w}=...`).join(", ")}.`,
    empty: () => "This vmlint comment is empty: add a declaration, such as host=4x10x2@8.0 or workload=mssql.",
    missing: (d: { word: string; example: string }) => `${d.word} has no value: write it without a space, such as ${d.word}=${d.example}.`,
    value: (d: { word: string; value: string; allowed: readonly string[] }) =>
      `${d.word} cannot be "${d.value}". It is ${d.allowed.length > 1 ? "one of " : ""}${d.allowed.join(", ")}.${hint(d.value, d.allowed, String)}`,
    twice: (d: { word: string; first: string; last: string }) =>
      `This comment says ${d.word}=${d.first} and ${d.word}=${d.last}, and the last one counts. Keep one.`,
    alone: (d: { word: string }) => `${d.word} has no effect without a workload: add workload=mssql, or the workload that the VM has.`,
    host: (d: { host: string; nearest: string | null; reason: string }) => `${d.reason}${d.nearest ? ` Did you mean "${d.nearest}"?` : ""}`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Invalid `# vmlint:` comment",
  why: "A `# vmlint:` comment names the host and the workload of a VM. A misspelt word would otherwise switch off the checks it was written for.",
  whenNot: "Never: correct the word.",
  bad: [
    { title: "A misspelt word", vmx: `# vmlint: hots=dl580g7\nnumvcpus = "4"`, expect: "word" },
    { title: "A word without its value", vmx: `# vmlint: workload\nnumvcpus = "4"`, expect: "missing" },
    { title: "A comment without a word", vmx: `# vmlint:\nnumvcpus = "4"`, expect: "empty" },
    { title: "An edition that does not exist", vmx: `# vmlint: workload=mssql edition=premium\nnumvcpus = "4"`, expect: "value" },
    { title: "Two workloads of one VM", vmx: `# vmlint: workload=mssql workload=latency\nnumvcpus = "4"`, expect: "twice" },
    { title: "An edition without its workload", vmx: `# vmlint: edition=standard version=2022\nnumvcpus = "4"`, expect: "alone" },
    { title: "An undeclared host", vmx: `# vmlint: host=dl580g8\nnumvcpus = "4"`, expect: "host" },
  ],
  good: [{ title: "Host and workload", vmx: `# vmlint: host=dl580g7 workload=mssql edition=standard version=2012\nnumvcpus = "4"` }],
});
