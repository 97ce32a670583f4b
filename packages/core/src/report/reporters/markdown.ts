import { fixTitle, SEVERITIES } from "../../model/diagnostic.ts";
import { grouped } from "../../model/maps.ts";
import { plural } from "../../model/words.ts";
import { type PageById, pagesOf } from "../../rules/page-of.ts";
import { fixLine, foundWords, scopeWords, suppressedLine, verdictWithout } from "../counts.ts";
import type { NotChecked } from "../json-report.ts";
import { noteHint } from "../overview.ts";
import { escapeXml } from "../picture/svg-text.ts";
import type { FileResult } from "../result.ts";
import { skippedChecks } from "../skipped.ts";
import { vmNames } from "../subject.ts";
import { allPlaced, type FindingAtPlace, type Reporter, type Run, whereIs } from "./reporter.ts";

/** The most rules, messages of a rule and places of a message; readers do not read further. */
const MOST: Most = { rules: 50, messages: 5, places: 5 };

interface Most {
  readonly rules: number;
  readonly messages: number;
  readonly places: number;
}

/** The largest comment that GitHub accepts, in characters. */
const LONGEST = 65_536;

/** Writes a summary for a pull request comment: findings by rule, the most severe first, cut to the size of a comment. */
export const md: Reporter = (results, { notChecked = [], fixed, rules }) => {
  const findings = allPlaced(results).toSorted((a, b) => rank(a) - rank(b));
  for (let most = MOST; ; most = half(most)) {
    const report = written(results, findings, { notChecked, fixed, rules }, most);
    if (report.length <= LONGEST || most.rules === 0) return report;
  }
};

const half = ({ rules, messages, places }: Most): Most =>
  messages > 1
    ? { rules, messages: Math.floor(messages / 2), places: Math.ceil(places / 2) }
    : { rules: Math.floor(rules / 2), messages, places };

function written(
  results: readonly FileResult[],
  findings: readonly FindingAtPlace[],
  { notChecked, fixed, rules }: { readonly notChecked: readonly NotChecked[] } & Pick<Run, "fixed" | "rules">,
  most: Most,
): string {
  const byRule = [...grouped(findings, ({ diagnostic }) => diagnostic.ruleId)];
  const shown = byRule.slice(0, most.rules);
  const left = byRule.slice(most.rules).reduce((sum, [, all]) => sum + all.length, 0);
  const skipped = skippedChecks(results);
  const parts = [
    `## vmlint\n\n${verdict(results)}`,
    ...uncheckedParts(notChecked.slice(0, most.rules), notChecked.length),
    ...(shown.length > 0 ? [shown.map(([ruleId, all]) => ruleItem(ruleId, all, most)).join("\n")] : []),
    ...(left > 0 ? [`${plural(left, "more finding")} not shown.`] : []),
    ...details(shown, most, pagesOf(rules)),
    ...[...noteHint(results), ...suppressedLine(results), ...skipped.steps, ...skipped.rest, ...fixLine(results, { fixed })].map(
      (line) => `<sub>${markdownText(line)}</sub>`,
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

function uncheckedParts(shown: readonly NotChecked[], all: number): readonly string[] {
  if (all === 0) return [];
  const more = all - shown.length;
  return [
    `**Not checked**: ${shown.map(({ path, reason }) => `${code(path)} (${markdownText(reason)})`).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  ];
}

const rank = ({ diagnostic }: FindingAtPlace): number => SEVERITIES.indexOf(diagnostic.severity);

function verdict(results: readonly FileResult[]): string {
  const counts = foundWords(results).map(({ words }) => words);
  const { ran, isOpen } = skippedChecks(results);
  const none = verdictWithout(results, isOpen);
  return `${counts.length > 0 ? `**${counts.join(", ")}**` : none} in ${scopeWords(results)}.${ran === undefined ? "" : ` ${ran}.`}`;
}

/** Returns a rule with its distinct messages, each with its places. */
function ruleItem(ruleId: string, all: readonly FindingAtPlace[], most: Most): string {
  const [first] = all;
  const url = first?.diagnostic.docsUrl ?? "";
  const name = url === "" ? markdownText(ruleId) : `[${markdownText(ruleId)}](${url})`;
  const byMessage = [...grouped(all, ({ diagnostic }) => diagnostic.message)];
  const left = byMessage.slice(most.messages).reduce((sum, [, equal]) => sum + equal.length, 0);
  return [
    `- **${first?.diagnostic.severity}** ${name}${all.length > 1 ? `, ${all.length} findings` : ""}`,
    ...byMessage.slice(0, most.messages).map(([message, equal]) => `  - ${markdownText(message)}<br>${placesOf(equal, most)}`),
    ...(left > 0 ? [`  - and ${plural(left, "more finding")}`] : []),
  ].join("\n");
}

function placesOf(all: readonly FindingAtPlace[], { places }: Most): string {
  const shown = all.slice(0, places).map((finding) => {
    const vms = vmNames(finding.diagnostic);
    return `${code(whereIs(finding))}${vms ? ` ${code(vms)}` : ""}`;
  });
  return [...shown, ...(all.length > places ? [`and ${all.length - places} more`] : [])].join(", ");
}

/** Returns collapsed details for each rule: the reason, the sources and the fixes of its findings. */
function details(byRule: readonly (readonly [string, readonly FindingAtPlace[]])[], { places }: Most, page: PageById): readonly string[] {
  const items = byRule.flatMap(([ruleId, all]) => {
    const evidence = page(ruleId)?.evidence;
    const fixes = all.flatMap((finding) =>
      finding.diagnostic.fixes.map((fix) => `${code(whereIs(finding))}: ${markdownText(fixTitle(fix))}`),
    );
    const facts = [
      ...(evidence ? [`why: ${markdownText(evidence.figure)}; source: ${markdownText(evidence.source.title)}`] : []),
      ...(evidence?.against ? [`but: ${markdownText(evidence.against)}`] : []),
      ...fixes.slice(0, places),
      ...(fixes.length > places ? [`and ${fixes.length - places} more`] : []),
    ];
    return facts.length === 0 ? [] : [`- ${markdownText(ruleId)}\n${facts.map((fact) => `  - ${fact}`).join("\n")}`];
  });
  return items.length === 0 ? [] : [`<details><summary>Why, and what to set</summary>\n\n${items.join("\n")}\n\n</details>`];
}

/** Returns a sentence with all values escaped: no markup, mention, reference, link or end of a table cell. */
export const markdownText = (text: string): string =>
  unlinked(
    escapeXml(text.replace(/\s+/g, " "))
      .replace(/&(?:quot|apos);/g, (entity) => (entity === "&quot;" ? '"' : "'"))
      .replace(MARKS, "\\$&"),
  );

/** Returns a name with its punctuation as entities, which Markdown does not interpret. */
const code = (text: string): string =>
  `<code>${unlinked(escapeXml(text.replace(/[\r\n\t]/g, " "))).replace(MARKS, (c) => `&#${c.charCodeAt(0)};`)}</code>`;

const MARKS = /[\\`*_[\]|~$]/g;

/** GitHub finds links, mentions and references after it renders Markdown, so only a zero-width character breaks them. */
const unlinked = (text: string): string => text.replace(/[@#](?=[\w.+-])|:(?=\/\/)|\/(?=\/)|\bwww(?=\.)/gi, "$&\u200b");
