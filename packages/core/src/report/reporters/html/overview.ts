import { SEVERITIES } from "../../../model/diagnostic.ts";
import { grouped } from "../../../model/maps.ts";
import { plural } from "../../../model/words.ts";
import type { PageById } from "../../../rules/page-of.ts";
import { checkedFiles, checkedVms, countBySeverity, fixLine, foundWords } from "../../counts.ts";
import { countWords, worstFirst } from "../../finding-groups.ts";
import type { NotChecked } from "../../json-report.ts";
import { escapeXml } from "../../picture/svg-text.ts";
import type { FileResult } from "../../result.ts";
import { skippedChecks } from "../../skipped.ts";
import { findingsAtPlaces, type Run, whereIs } from "../reporter.ts";
import { countBadges, folded, link } from "./elements.ts";
import { countsOf, type Group } from "./vm-section.ts";

/** Returns the number of findings, VMs and files, and the unchecked files. */
export function summary(results: readonly FileResult[], { notChecked = [], fixed }: Run): string {
  const bold = (count: string): string => count.replace(/^\d+/, "<b>$&</b>");
  const counts = foundWords(results);
  const cells = [
    ...counts.map(({ severity, words }) => `<li class="${severity}">${bold(words)}</li>`),
    ...(counts.length === 0 ? ["<li><b>0</b> findings</li>"] : []),
    `<li>${bold(plural(checkedVms(results), "VM"))}</li>`,
    `<li>${bold(plural(checkedFiles(results), "file"))}</li>`,
  ];
  return [
    `<ul class="counts">`,
    ...cells,
    "</ul>",
    ...unchecked(notChecked),
    ...skipped(results),
    ...fixLine(results, { fixed }).map((line) => `<p>${escapeXml(line)}</p>`),
  ].join("\n");
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

/** The most hosts, inputs, and entries of a list that the page shows without opening something. */
const SHOWN = 12;

/** Returns the date, the version, the checked paths and the hosts of a run. */
export function about(results: readonly FileResult[], { date, tool, inputs = [] }: Run): string {
  const hosts = new Map<string, number>();
  for (const { hostedVms: vms, diagnostics } of results) {
    for (const { target } of vms) hosts.set(target.host.name, (hosts.get(target.host.name) ?? 0) + 1);
    for (const { host } of diagnostics) if (host !== null && !hosts.has(host)) hosts.set(host, 0);
  }
  const hostNames = [...hosts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name, count]) => hostWords(name, count));
  const rows = [
    ["date", date === undefined ? [] : [`<time>${escapeXml(date)}</time>`]],
    ["checked", inputs.map((path) => `<code>${escapeXml(path)}</code>`)],
    ["hosts", hostNames],
    ["version", [`vmlint ${escapeXml(tool.version)}`]],
  ] as const;
  return `<dl class="run">${rows.flatMap(([term, all]) => (all.length === 0 ? [] : [`<dt>${term}</dt><dd>${listed(all)}</dd>`])).join("")}</dl>`;
}

const hostWords = (name: string, count: number): string => `<bdi>${escapeXml(name)}</bdi>${count > 0 ? ` (${plural(count, "VM")})` : ""}`;

const listed = (all: readonly string[]): string =>
  [...all.slice(0, SHOWN), ...(all.length > SHOWN ? [`and ${all.length - SHOWN} more`] : [])].join(", ");

/** The most rules or hosts before the rest is folded. */
const ROWS = 20;

/** The most findings or VMs in a list of the views by rule and by host. */
const LISTED = 50;

const items = (all: readonly string[], word: string): string =>
  `<ul>${all.slice(0, LISTED).join("")}${all.length > LISTED ? `<li>and ${plural(all.length - LISTED, `more ${word}`)}: see By VM</li>` : ""}</ul>`;

/** Returns the rules with their findings, the most severe first. */
export function ruleList(groups: readonly Group[], page: PageById): string {
  const all = groups.flatMap((group, index) => group.findings.map((finding) => ({ ...finding, index, group })));
  const byRule = [...grouped(all, ({ diagnostic }) => diagnostic.ruleId)].map(([id, findings]) => ({
    id,
    found: findings,
    counts: countBySeverity([{ diagnostics: findings.map(({ diagnostic }) => diagnostic) }]),
  }));
  const rows = byRule
    .sort((a, b) => worstFirst(a.counts, b.counts) || (a.id < b.id ? -1 : 1))
    .map(({ id, found: findings, counts }) => {
      const url = findings[0]?.diagnostic.docsUrl ?? "";
      const finds = page(id)?.summary ?? "";
      const entries = findings.map(
        (item) =>
          `<li><a href="#vm-${item.index}"><bdi>${escapeXml(item.group.about || item.file.path)}</bdi></a> <code class="place">${escapeXml(whereIs(item))}</code></li>`,
      );
      return [
        `<details class="row"><summary>${countBadges(counts)} <span class="name">${escapeXml(id)}</span> <span class="about">${escapeXml(finds)}</span></summary>`,
        ...(url === "" ? [] : [`<p>${link(`About ${id}`, url)}</p>`]),
        `${items(entries, "finding")}</details>`,
      ].join("");
    });
  return ["<h2>By rule</h2>", ...folded(rows, "rule", ROWS)].join("\n");
}

/** Returns the hosts with their VMs, the one with the most and the most severe findings first; nothing for one host. */
export function hostList(groups: readonly Group[]): readonly string[] {
  const byHost = [
    ...grouped(
      groups.map((group, index) => ({ group, index })),
      ({ group }) => group.host,
    ),
  ];
  if (byHost.length < 2) return [];
  const rows = byHost
    .map(([host, all]) => ({ host, all, counts: countsOf(all.map(({ group }) => group)) }))
    .sort((a, b) => worstFirst(a.counts, b.counts) || (a.host < b.host ? -1 : 1))
    .map(({ host, all, counts }) => {
      const entries = all.map(
        ({ group, index }) =>
          `<li><a href="#vm-${index}"><bdi>${escapeXml(group.about || group.file.path)}</bdi></a> <span class="about">${countWords({ counts: countsOf([group]) })}</span></li>`,
      );
      const name = host === "" ? "No host" : host;
      return `<details class="row"><summary>${countBadges(counts)} <span class="name"><bdi>${escapeXml(name)}</bdi></span> <span class="about">${plural(all.length, "VM")}</span></summary>${items(entries, "VM")}</details>`;
    });
  return ["<h2>By host</h2>", ...folded(rows, "host", ROWS)];
}

/** The filters are hidden until their script has run. */
export function filters(groups: readonly Group[]): string {
  const diagnostics = groups.flatMap(({ findings }) => findings.map(({ diagnostic }) => diagnostic));
  const severities = SEVERITIES.filter((severity) => diagnostics.some((diagnostic) => diagnostic.severity === severity));
  const ids = [...new Set(diagnostics.map(({ ruleId }) => ruleId))].sort();
  const boxes = severities.map((severity) => `<label><input type="checkbox" value="${severity}" checked=""/> ${severity}s</label>`);
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
  findingsAtPlaces(
    { path, text, diagnostics: [], skipped: [], hostedVms: [], vmCount: 0 },
    suppressed.map(({ diagnostic }) => diagnostic),
  ).map(
    (finding, i) =>
      `<tr><td>${link(finding.diagnostic.ruleId, finding.diagnostic.docsUrl)}</td><td><code>${escapeXml(whereIs(finding))}</code></td><td>${escapeXml(suppressed[i]?.reason ?? "no reason given")}</td></tr>`,
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
