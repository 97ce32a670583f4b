import { nearest } from "../model/nearest.ts";
import type { Problem } from "../model/problem.ts";
import type { Located, Range } from "../model/source.ts";
import type { Directive } from "../model/spec.ts";
import { allowedFor, exampleFor, readWorkloadField, WORKLOAD_FIELD_NAMES, type WorkloadField } from "../model/workload.ts";
import { excessOf, tooLarge } from "../syntax/extent.ts";

/** Words for a workload with the fact that each declares: `workload` is the kind. */
export const WORKLOAD_WORDS: ReadonlyMap<string, WorkloadField> = new Map(
  WORKLOAD_FIELD_NAMES.map((field) => [field === "kind" ? "workload" : field, field]),
);

const WORDS = ["host", ...WORKLOAD_WORDS.keys()];

/** Returns an example value for a word. */
function exampleOf(word: string): string {
  const field = WORKLOAD_WORDS.get(word);
  return field === undefined ? "4x10x2@8.0" : exampleFor(field);
}

/** Returns the valid values if the value of a word is invalid; `undefined` if it is valid. Hosts are resolved later. */
export function wrongValue(word: string, value: string): readonly string[] | undefined {
  const field = WORKLOAD_WORDS.get(word);
  return field === undefined || readWorkloadField(field, value) !== undefined ? undefined : allowedFor(field);
}

/** The prefix of all suppression comments. `suppress/` reads the rest; nearly all files have none. */
export const DISABLE = "vmlint-disable";

const NONE: { directive: Directive; problems: readonly Problem[] } = { directive: new Map(), problems: [] };

/** Reads `# vmlint: host=lab workload=mssql edition=enterprise` from the comments of a file. */
export function readDirective(text: string, comments: readonly Range[]): { directive: Directive; problems: readonly Problem[] } {
  if (comments.length === 0) return NONE;
  const directive = new Map<string, Located<string>>();
  const problems: Problem[] = [];
  for (const [start, end] of comments) {
    const comment = text.slice(start, end);
    const intro = /^(?:#|\/\/)\s*vmlint:/.exec(comment);
    if (!intro) continue;
    if (intro[0].length === comment.trimEnd().length)
      problems.push({ ruleId: "spec/directive", messageId: "empty", data: {}, range: [start, start + intro[0].length] });
    for (const match of comment.matchAll(/\S+/g)) {
      if (match.index < intro[0].length) continue;
      const range: Range = [start + match.index, start + match.index + match[0].length];
      const excess = excessOf(problems.length, "mistakes");
      if (excess !== undefined)
        return { directive, problems: [{ ruleId: "spec/syntax", messageId: "syntax", data: { message: tooLarge(excess) }, range }] };
      const [, word = match[0], value = ""] = /^([^=]*)=(.*)$/.exec(match[0]) ?? [];
      if (!WORDS.includes(word)) {
        problems.push({
          ruleId: "spec/directive",
          messageId: "word",
          data: { word, words: WORDS, nearest: nearest(word, WORDS) ?? null },
          range,
        });
        continue;
      }
      if (value === "") {
        problems.push({ ruleId: "spec/directive", messageId: "missing", data: { word, example: exampleOf(word) }, range });
        // `host = lab` is one mistake, not three.
        if (/^\s*=\s/.test(comment.slice(match.index + match[0].length))) break;
        continue;
      }
      const allowed = wrongValue(word, value);
      if (allowed) {
        problems.push({ ruleId: "spec/directive", messageId: "value", data: { word, value, allowed }, range });
        continue;
      }
      const normal = word === "host" ? value : value.toLowerCase();
      const earlier = directive.get(word);
      // With two comments, the one closer to the VM wins.
      if (earlier && earlier.range[0] > start && earlier.value !== normal)
        problems.push({ ruleId: "spec/directive", messageId: "twice", data: { word, first: earlier.value, last: normal }, range });
      directive.set(word, { value: normal, range: [range[0] + word.length + 1, range[1]] });
    }
  }
  return { directive, problems };
}
