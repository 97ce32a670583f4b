import { parseWorkload } from "../model/workload.ts";
import type { BuiltinExample, BuiltinPage, RulePage } from "./define.ts";

/** Returns a page whose sources begin with the source of its evidence, and whose examples have what they share. */
export function completePage({ shared = {}, sources: listed = [], bad, good, ...page }: BuiltinPage, onlyMessage = ""): RulePage {
  const { vmx: lines = "", ...target } = shared;
  const complete = <E extends BuiltinExample>(example: E) => {
    const { workload, ...facts } = { ...target, ...example, ...completeVmx(lines, example.vmx) };
    return { ...facts, ...(workload !== undefined && { workload: workloadIn(workload) }) };
  };
  const first = page.evidence?.source;
  return {
    ...page,
    sources: first && !listed.includes(first) ? [first, ...listed] : listed,
    bad: bad.map((example) => ({ expect: onlyMessage, ...complete(example) })),
    good: good.map(complete),
  };
}

function workloadIn(text: string) {
  const workload = parseWorkload(text);
  if (typeof workload === "string") throw new Error(workload);
  return workload;
}

function completeVmx(lines: string, vmx: string | readonly string[] | undefined) {
  if (lines === "" || vmx === undefined) return {};
  return { vmx: typeof vmx === "string" ? withFirstLines(lines, vmx) : vmx.map((text) => withFirstLines(lines, text)) };
}

/** Returns a .vmx text behind those lines whose keys it does not set. */
function withFirstLines(lines: string, text: string): string {
  const keys = new Set(text.split("\n").map(keyOf));
  return [...lines.split("\n").filter((line) => !keys.has(keyOf(line))), ...(text ? [text] : [])].join("\n");
}

const keyOf = (line: string): string => line.slice(0, line.indexOf(" ="));
