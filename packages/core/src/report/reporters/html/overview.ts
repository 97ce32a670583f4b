import { SEVERITIES, type Severity } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/words.ts";
import type { Rule } from "../../../rules/define.ts";
import { rules as builtin } from "../../../rules/index.ts";
import { checkedFiles, checkedVms, foundWords, wordOf } from "../../counts.ts";
import type { NotChecked } from "../../json.ts";
import { escapeXml } from "../../picture/text.ts";
import type { FileResult } from "../../result.ts";
import { skippedChecks } from "../../skipped.ts";
import { placed, whereIs } from "../reporter.ts";
import { badge, link } from "./parts.ts";
import type { Group } from "./vm.ts";

/** Returns the number of findings, VMs and files, and the unchecked files. */
export function summary(results: readonly FileResult[], notChecked: readonly NotChecked[] = []): string {
  const bold = (count: string): string => count.replace(/^\d+/, "<b>$&</b>");
  const found = foundWords(results);
  const cells = [
    ...found.map(({ severity, words }) => `<li class="${severity}">${bold(words)}</li>`),
    ...(found.length === 0 ? ["<li><b>0</b> findings</li>"] : []),
    `<li>${bold(plural(checkedVms(results), "VM"))}</li>`,
    `<li>${bold(plural(checkedFiles(results), "file"))}</li>`,
  ];
  return [`<ul class="counts">`, ...cells, "</ul>", ...unchecked(notChecked), ...skipped(results)].join("\n");
}

function unchecked(notChecked: readonly NotChecked[]): readonly string[] {
  if (notChecked.length === 0) return [];
  const items = notChecked.map(({ path, reason }) => `<li><code>${escapeXml(path)}</code>: ${escapeXml(reason)}</li>`).join("");
  return [`<details open=""><summary>${plural(notChecked.length, "path")} not checked</summary><ul>${items}</ul></details>`];
}

function skipped(results: readonly FileResult[]): readonly string[] {
  const { ran, steps, rest } = skippedChecks(results);
  if (ran === undefined) return [];
  const items = [...steps, ...rest].map((line) => `<li>${escapeXml(line)}</li>`).join("");
  return [`<details><summary>${ran}</summary><ul>${items}</ul></details>`];
}

/** Returns a table of rules with their findings, most severe first. */
export function ruleTable(groups: readonly Group[], rules: readonly Rule[] = builtin): string {
  const counts = new Map<string, { severity: Severity; url: string; count: number }>();
  for (const { diagnostic } of groups.flatMap(({ findings }) => findings)) {
    const { ruleId, severity, docsUrl } = diagnostic;
    const row = counts.get(ruleId) ?? { severity, url: docsUrl, count: 0 };
    const worse = SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(row.severity) ? severity : row.severity;
    counts.set(ruleId, { ...row, severity: worse, count: row.count + 1 });
  }
  const rank = (severity: Severity) => SEVERITIES.indexOf(severity);
  const rows = [...counts].sort(([, a], [, b]) => rank(a.severity) - rank(b.severity) || b.count - a.count);
  const cells = rows.map(([id, { severity, url, count }]) => {
    const finds = rules.find((rule) => rule.id === id)?.summary ?? "";
    return `<tr><td class="number">${count}</td><td>${badge(severity)} ${link(id, url)}<br/><span class="about">${escapeXml(finds)}</span></td></tr>`;
  });
  return [
    "<h2>By rule</h2>",
    '<div class="scroll" tabindex="0" role="region" aria-label="Findings by rule"><table>',
    '<thead><tr><th class="number">found</th><th>rule, and its worst finding</th></tr></thead>',
    `<tbody>\n${cells.join("\n")}\n</tbody>`,
    "</table></div>",
  ].join("\n");
}

/** The filters are hidden until their script has run. */
export function filters(groups: readonly Group[]): string {
  const diagnostics = groups.flatMap(({ findings }) => findings.map(({ diagnostic }) => diagnostic));
  const severities = SEVERITIES.filter((severity) => diagnostics.some((one) => one.severity === severity));
  const ids = [...new Set(diagnostics.map(({ ruleId }) => ruleId))].sort();
  const boxes = severities.map((severity) => `<label><input type="checkbox" value="${severity}" checked=""/> ${wordOf(severity)}s</label>`);
  const options = ids.map((id) => `<option>${escapeXml(id)}</option>`);
  return [
    "<h2>By VM</h2>",
    '<form class="filters" hidden="" autocomplete="off">',
    `<fieldset><legend>Severities</legend>${boxes.join("")}</fieldset>`,
    `<select name="rule" aria-label="Rule"><option value="">all rules</option>${options.join("")}</select>`,
    '<input name="words" type="search" placeholder="VM, file, host, words" aria-label="VM, file, host or words"/>',
    "<output></output>",
    "</form>",
  ].join("\n");
}

const suppressedRows = ({ path, text, suppressed = [] }: FileResult): readonly string[] =>
  placed(
    { path, text, diagnostics: [], skipped: [], placed: [], vmCount: 0 },
    suppressed.map(({ diagnostic }) => diagnostic),
  ).map(
    (found, i) =>
      `<tr><td>${link(found.diagnostic.ruleId, found.diagnostic.docsUrl)}</td><td><code>${escapeXml(whereIs(found))}</code></td><td>${escapeXml(suppressed[i]?.reason ?? "no reason given")}</td></tr>`,
  );

/** Returns a collapsed table of suppressed findings. */
export function suppressedTable(results: readonly FileResult[]): readonly string[] {
  const rows = results.flatMap(suppressedRows);
  if (rows.length === 0) return [];
  return [
    `<details><summary>${plural(rows.length, "suppressed finding")}</summary>`,
    '<div class="scroll" tabindex="0" role="region" aria-label="Suppressed findings"><table>',
    "<thead><tr><th>rule</th><th>where</th><th>reason</th></tr></thead>",
    `<tbody>\n${rows.join("\n")}\n</tbody>`,
    "</table></div></details>",
  ];
}
