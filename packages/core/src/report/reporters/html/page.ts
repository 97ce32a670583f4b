import { type Related, SEVERITIES, type Severity } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/words.ts";
import type { PlacedVm } from "../../../placed.ts";
import { rules } from "../../../rules/index.ts";
import { byReason, countBySeverity, skipLines } from "../../counts.ts";
import { filesSvg } from "../../picture/picture.ts";
import { escapeXml } from "../../picture/text.ts";
import { type FileResult, type Lines, linesOf } from "../../result.ts";
import { type Placed, placed, placesIn, type Reporter, whereIs } from "../reporter.ts";
import { SCRIPT, SCRIPT_HASH } from "./script.ts";
import { STYLE } from "./style.ts";

/** Most pictures of one page: each takes up to 60 kB. */
const PICTURES = 100;

/**
 * A page that needs nothing but itself: what was found, by VM, with filters and a picture of each layout.
 * Its elements are closed as in XML, which lets a test read it with any name in it.
 */
export const html: Reporter = (results, { tool }) => {
  const groups = results.flatMap(groupsOf);
  const linesIn = linesOf(results);
  const drawn = pictureBudget();
  const suppressed = results.flatMap(suppressedRows);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8"/>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"/>`,
    '<link rel="icon" href="data:,"/>',
    "<title>vmlint report</title>",
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    `<header>\n<h1>vmlint <small>${escapeXml(tool.version)}</small></h1>\n${summary(results)}\n</header>`,
    "<main>",
    ...(groups.length > 0 ? [ruleTable(groups), filters(groups), ...groups.map((group, i) => vmSection(group, i, linesIn, drawn))] : []),
    ...(suppressed.length > 0 ? [suppressedTable(suppressed)] : []),
    "</main>",
    `<footer><p>Made by vmlint ${escapeXml(tool.version)}. This page loads nothing.</p></footer>`,
    ...(groups.length > 0 ? [`<script>${SCRIPT}</script>`] : []),
    "</body>",
    "</html>",
    "",
  ].join("\n");
};

const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src '${SCRIPT_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;

/** The findings of one VM. */
interface Group {
  readonly file: FileResult;
  readonly vm: string;
  readonly host: string;
  readonly findings: readonly Placed[];
}

function groupsOf(file: FileResult): readonly Group[] {
  const groups = new Map<string, { vm: string; host: string; findings: Placed[] }>();
  for (const found of placed(file)) {
    const { vm, host } = found.diagnostic;
    const key = JSON.stringify([vm, host]);
    const group = groups.get(key) ?? { vm: vm ?? "", host: host ?? "", findings: [] };
    group.findings.push(found);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({ file, ...group }));
}

const wordOf = (severity: Severity): string => (severity === "info" ? "note" : severity);

function summary(results: readonly FileResult[]): string {
  const counts = countBySeverity(results);
  const vms = results.reduce((total, { vmCount }) => total + vmCount, 0);
  const found = SEVERITIES.filter((severity) => counts[severity] > 0);
  const cells = [
    ...found.map(
      (severity) =>
        `<li class="${severity}"><b>${counts[severity]}</b> ${plural(counts[severity], wordOf(severity)).replace(/^\d+ /, "")}</li>`,
    ),
    ...(found.length === 0 ? ["<li><b>0</b> findings</li>"] : []),
    `<li><b>${vms}</b> ${vms === 1 ? "VM" : "VMs"}</li>`,
    `<li><b>${results.length}</b> ${results.length === 1 ? "file" : "files"}</li>`,
  ];
  return [`<ul class="counts">`, ...cells, "</ul>", ...skipped(results)].join("\n");
}

function skipped(results: readonly FileResult[]): readonly string[] {
  const lines = skipLines(results);
  if (lines.length === 0) return [];
  const count = byReason(results).reduce((total, skip) => total + skip.count, 0);
  const items = lines.map((line) => `<li>${escapeXml(line)}</li>`).join("");
  return [`<details><summary>${plural(count, "check")} could not be made</summary><ul>${items}</ul></details>`];
}

function ruleTable(groups: readonly Group[]): string {
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

const badge = (severity: Severity): string => `<span class="badge ${severity}">${wordOf(severity)}</span>`;

const link = (text: string, url: string): string => `<a href="${escapeXml(url)}" rel="noreferrer">${escapeXml(text)}</a>`;

/** Hidden until the script that makes them work has run. */
function filters(groups: readonly Group[]): string {
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

function vmSection({ file, vm, host, findings }: Group, index: number, linesIn: Lines, drawn: Budget): string {
  const about = [...(vm ? [file.path] : []), ...(host ? [`host ${host}`] : [])];
  return [
    `<section class="vm" data-name="${escapeXml([vm, file.path, host].join(" "))}">`,
    `<h3><bdi>${escapeXml(vm || file.path)}</bdi></h3>`,
    `<p class="about">${about.map((part) => `<bdi>${escapeXml(part)}</bdi>`).join(", ")}</p>`,
    ...findings.map((found) => article(found, linesIn)),
    ...pictures(file, vm, host, index, drawn),
    "</section>",
  ].join("\n");
}

function article(found: Placed, linesIn: Lines): string {
  const { file, diagnostic } = found;
  const { severity, ruleId, message, docsUrl, evidence, related, fixes } = diagnostic;
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["why", evidence ? [evidence.figure] : []],
    ["source", evidence ? [evidence.source] : []],
    ["but", evidence?.against ? [evidence.against] : []],
    ["see", related.slice(0, SEEN).map((other) => seen(other, file.path, linesIn))],
    ["", related.length > SEEN ? [`${related.length - SEEN} more, which --format json lists`] : []],
    ["fix", fixes.map(({ title, safety }) => `${title} (${safety})`)],
  ];
  const list = facts.flatMap(([term, all]) =>
    all.length > 0 ? [`<dt>${term}</dt>`, ...all.map((fact) => `<dd>${escapeXml(fact)}</dd>`)] : [],
  );
  return [
    `<article class="finding ${severity}" data-severity="${severity}" data-rule="${escapeXml(ruleId)}">`,
    `<p class="head">${badge(severity)} ${link(ruleId, docsUrl)} <code class="place">${escapeXml(whereIs(found))}</code></p>`,
    `<p class="message">${escapeXml(message)}</p>`,
    frame(found),
    ...(list.length > 0 ? [`<dl>${list.join("")}</dl>`] : []),
    "</article>",
  ].join("\n");
}

/** Most other places that a finding lists. */
const SEEN = 12;

function seen({ path, range, message }: Related, own: string, linesIn: Lines): string {
  const { line, column } = placesIn(linesIn(path ?? own))(range);
  return `${path ?? own}:${line}:${column}, ${message}`;
}

/** Most characters of a line that are shown on each side of a finding. */
const CONTEXT = 80;

/** The line of a finding, with the finding marked. */
function frame({ file: { text }, diagnostic: { range }, place }: Placed): string {
  const [from, to] = range;
  const start = from - (place.column - 1);
  const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
  const end = Math.min(to, start + line.length);
  const before = text.slice(Math.max(start, from - CONTEXT), from);
  const found = text.slice(from, Math.min(end, from + CONTEXT));
  const after = text.slice(end, Math.min(start + line.length, end + CONTEXT));
  return `<pre tabindex="0"><span class="number">${place.line} </span>${escapeXml(before)}<mark>${escapeXml(found)}</mark>${escapeXml(after)}</pre>`;
}

/** Hands out the pictures that a page may hold. */
type Budget = () => boolean;

function pictureBudget(): Budget {
  let left = PICTURES;
  return () => left-- > 0;
}

/** The layouts of the VMs of a file that are called so. */
function pictures({ path, placed: vms }: FileResult, name: string, host: string, index: number, drawn: Budget): readonly string[] {
  const isMeant = ({ spec, target }: PlacedVm): boolean => spec.name === name && target.host.name === host;
  return vms.filter(isMeant).map((vm, i) => {
    const summaryLine = `<summary>Layout on ${escapeXml(host)}</summary>`;
    if (!drawn())
      return `<details>${summaryLine}<p>Not drawn: this page has ${PICTURES} pictures. vmlint topology --format svg draws each.</p></details>`;
    const svg = filesSvg([{ path, text: "", vms: [vm], diagnostics: [], skipped: [], foreign: undefined }], { id: `vm-${index}-${i}` });
    const [, width = "960"] = /viewBox="0 0 ([\d.]+) /.exec(svg) ?? [];
    return `<details class="layout">${summaryLine}<figure tabindex="0" style="--width:${width}px">${svg}</figure></details>`;
  });
}

const suppressedRows = ({ path, text, suppressed = [] }: FileResult): readonly string[] =>
  placed(
    { path, text, diagnostics: [], skipped: [], placed: [], vmCount: 0 },
    suppressed.map(({ diagnostic }) => diagnostic),
  ).map(
    (found, i) =>
      `<tr><td>${link(found.diagnostic.ruleId, found.diagnostic.docsUrl)}</td><td><code>${escapeXml(whereIs(found))}</code></td><td>${escapeXml(suppressed[i]?.reason ?? "no reason given")}</td></tr>`,
  );

const suppressedTable = (rows: readonly string[]): string =>
  [
    `<details><summary>${plural(rows.length, "suppressed finding")}</summary>`,
    '<div class="scroll" tabindex="0" role="region" aria-label="Suppressed findings"><table>',
    "<thead><tr><th>rule</th><th>where</th><th>reason</th></tr></thead>",
    `<tbody>\n${rows.join("\n")}\n</tbody>`,
    "</table></div></details>",
  ].join("\n");
