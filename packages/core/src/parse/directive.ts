import type { Problem } from "../model/parsed.ts";
import type { Located, Range } from "../model/source.ts";
import type { Directive } from "../model/spec.ts";
import { SQL_EDITIONS, SQL_LICENSING, SQL_VERSIONS, WORKLOAD_KINDS } from "../model/workload.ts";

/** The words a `vmlint:` comment takes; `null` = any value, checked where it is used. */
export const WORDS: Readonly<Record<string, readonly string[] | null>> = {
  host: null,
  workload: WORKLOAD_KINDS,
  edition: SQL_EDITIONS,
  version: SQL_VERSIONS,
  licensing: SQL_LICENSING,
};

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
    for (const match of comment.matchAll(/\S+/g)) {
      if (match.index < intro[0].length) continue;
      const range: Range = [start + match.index, start + match.index + match[0].length];
      const [, word = match[0], value] = /^([^=]*)=(.*)$/.exec(match[0]) ?? [];
      const allowed = WORDS[word];
      if (allowed === undefined || value === undefined) {
        problems.push({ ruleId: "spec/directive", messageId: "word", data: { word, words: Object.keys(WORDS) }, range });
      } else if (allowed && !allowed.includes(value.toLowerCase())) {
        problems.push({ ruleId: "spec/directive", messageId: "value", data: { word, value, allowed }, range });
      } else {
        const valueStart = range[0] + word.length + 1;
        directive.set(word, { value: allowed ? value.toLowerCase() : value, range: [valueStart, range[1]] });
      }
    }
  }
  return { directive, problems };
}
