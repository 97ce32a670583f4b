import { SEVERITIES } from "../../model/diagnostic.ts";
import { grouped } from "../../model/maps.ts";
import { plural } from "../../model/words.ts";
import { foundWords, scopeWords, suppressedLine, wordOf } from "../counts.ts";
import type { NotChecked } from "../json.ts";
import { escapeXml } from "../picture/text.ts";
import type { FileResult } from "../result.ts";
import { skippedChecks } from "../skipped.ts";
import { vmNames } from "../subject.ts";
import { allPlaced, type FindingAtPlace, type Reporter, whereIs } from "./reporter.ts";

/** The most findings in the table; readers do not read further. */
const SHOWN = 50;

/** The largest comment that GitHub accepts, in characters. */
const LONGEST = 65_536;

/** Writes a summary for a pull request comment, most severe findings first, cut to the size of a comment. */
export const md: Reporter = (results, { notChecked = [] }) => {
  const findings = allPlaced(results).toSorted((a, b) => rank(a) - rank(b));
  for (let most = SHOWN; ; most = Math.floor(most / 2)) {
    const report = written(results, findings, notChecked, most);
    if (report.length <= LONGEST || most === 0) return report;
  }
};

function written(
  results: readonly FileResult[],
  findings: readonly FindingAtPlace[],
  notChecked: readonly NotChecked[],
  most: number,
): string {
  const shown = findings.slice(0, most);
  const more = findings.length - shown.length;
  const skipped = skippedChecks(results);
  const parts = [
    `## vmlint\n\n${verdict(results)}`,
    ...uncheckedParts(notChecked.slice(0, most), notChecked.length),
    ...(shown.length > 0 ? [["| | finding | where |", "|---|---|---|", ...shown.map(row)].join("\n")] : []),
    ...(more > 0 ? [`${plural(more, "more finding")} not shown.`] : []),
    ...details(shown),
    ...[...suppressedLine(results), ...skipped.steps, ...skipped.rest].map((line) => `<sub>${prose(line)}</sub>`),
  ];
  return `${parts.join("\n\n")}\n`;
}

function uncheckedParts(shown: readonly NotChecked[], all: number): readonly string[] {
  if (all === 0) return [];
  const more = all - shown.length;
  return [
    `**Not checked**: ${shown.map(({ path, reason }) => `${code(path)} (${prose(reason)})`).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  ];
}

const rank = ({ diagnostic }: FindingAtPlace): number => SEVERITIES.indexOf(diagnostic.severity);

function verdict(results: readonly FileResult[]): string {
  const found = foundWords(results).map(({ words }) => words);
  const { ran, isOpen } = skippedChecks(results);
  const none = isOpen ? "No findings yet" : "Nothing to report";
  return `${found.length > 0 ? `**${found.join(", ")}**` : none} in ${scopeWords(results)}.${ran === undefined ? "" : ` ${ran}.`}`;
}

const row = (found: FindingAtPlace): string => {
  const { severity, ruleId, message, docsUrl } = found.diagnostic;
  const vms = vmNames(found.diagnostic);
  return `| ${wordOf(severity)} | ${docsUrl === "" ? prose(ruleId) : `[${prose(ruleId)}](${docsUrl})`}<br>${prose(message)} | ${code(whereIs(found))}${vms ? `<br>${code(vms)}` : ""} |`;
};

/** Returns collapsed details for each rule: the reason, the sources and the fixes of its findings. */
function details(findings: readonly FindingAtPlace[]): readonly string[] {
  const byRule = grouped(findings, ({ diagnostic }) => diagnostic.ruleId);
  const items = [...byRule].flatMap(([ruleId, all]) => {
    const evidence = all[0]?.diagnostic.evidence;
    const facts = [
      ...(evidence ? [`why: ${prose(evidence.figure)}; source: ${prose(evidence.source)}`] : []),
      ...(evidence?.against ? [`but: ${prose(evidence.against)}`] : []),
      ...all.flatMap((found) => found.diagnostic.fixes.map(({ title, safety }) => `${code(whereIs(found))}: ${prose(title)} (${safety})`)),
    ];
    return facts.length === 0 ? [] : [`- ${prose(ruleId)}\n${facts.map((fact) => `  - ${fact}`).join("\n")}`];
  });
  return items.length === 0 ? [] : [`<details><summary>Why, and what to set</summary>\n\n${items.join("\n")}\n\n</details>`];
}

/** Returns a sentence with all values escaped: no markup, mention, reference, link or end of a table cell. */
const prose = (text: string): string =>
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
