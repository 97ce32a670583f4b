import type { HostedVm } from "../../../lint/hosted-vms.ts";
import type { LintedVm } from "../../../lint/target.ts";
import { type Fix, fixTitle, type Related, SEVERITIES } from "../../../model/diagnostic.ts";
import { getOrInsert, grouped } from "../../../model/maps.ts";
import type { PageById } from "../../../rules/page-of.ts";
import { countBySeverity } from "../../counts.ts";
import { countWords, worstFirst } from "../../finding-groups.ts";
import { bestFix } from "../../picture/best-fix.ts";
import { vmHtml } from "../../picture/drawing.ts";
import { escapeXml } from "../../picture/svg-text.ts";
import { quotedLine } from "../../quoted-line.ts";
import type { FileResult, Lines } from "../../result.ts";
import { cellText, cellWords, vmNames, vmsOf } from "../../subject.ts";
import { framed } from "../../text-report.ts";
import { type FindingAtPlace, findingsAtPlaces, placesIn, whereIs } from "../reporter.ts";
import { changedLines } from "./changed-lines.ts";
import { badge, link } from "./elements.ts";

/** The findings of one VM, or of all VMs of one place. */
export interface Group {
  readonly file: FileResult;
  readonly vms: readonly string[];
  /** The names of the VMs. */
  readonly about: string;
  readonly host: string;
  readonly assumedOfHost: readonly string[];
  readonly findings: readonly FindingAtPlace[];
}

/** Returns the VMs with findings, the one with the most and the most severe findings first. */
export const worstGroups = (results: readonly FileResult[]): readonly Group[] =>
  results
    .flatMap(groupsOf)
    .map((group) => ({ group, counts: countsOf([group]) }))
    .sort((a, b) => worstFirst(a.counts, b.counts))
    .map(({ group }) => group);

/** Counts the findings of some groups by severity. */
export const countsOf = (groups: readonly Group[]) =>
  countBySeverity(groups.map(({ findings }) => ({ diagnostics: findings.map(({ diagnostic }) => diagnostic) })));

const rank = ({ diagnostic }: FindingAtPlace): number => SEVERITIES.indexOf(diagnostic.severity);

/** Groups the findings of a file by their VMs, in each group the most severe first. */
function groupsOf(file: FileResult): readonly Group[] {
  const groups = new Map<string, Omit<Group, "file" | "findings"> & { readonly findings: FindingAtPlace[] }>();
  for (const finding of findingsAtPlaces(file)) {
    const { host, subject, vm, assumedOfHost = [] } = finding.diagnostic;
    const vms = vmsOf(finding.diagnostic);
    const own = vm === null ? subject?.name : undefined;
    const key = JSON.stringify([own ?? vms, host]);
    const about = { vms, about: own ?? vmNames(finding.diagnostic), host: host ?? "", assumedOfHost };
    getOrInsert(groups, key, () => ({ ...about, findings: [] })).findings.push(finding);
  }
  return [...groups.values()].map((group) => ({ file, ...group, findings: group.findings.sort((a, b) => rank(a) - rank(b)) }));
}

/** The context of a section. */
export interface Page {
  readonly linesIn: Lines;
  /** Returns the text of a file whose lines the page may show. */
  readonly textOf: (path: string) => string | undefined;
  readonly drawn: Budget;
  readonly rulePage: PageById;
  /** Whether the sections are open at first. */
  readonly isOpen: boolean;
}

/** Returns the findings and the layout of a VM. */
export function vmSection(group: Group, index: number, page: Page): string {
  const { file, vms, about, host, assumedOfHost, findings } = group;
  const places = [...(about ? [file.path] : []), ...(host ? [`host ${host}`] : [])];
  return [
    `<details class="vm"${page.isOpen ? ' open=""' : ""} data-name="${escapeXml([...vms, file.path, host].join(" "))}">`,
    `<summary><h3><bdi>${escapeXml(about || file.path)}</bdi></h3> <span class="about">${countWords({ counts: countsOf([group]) })}</span></summary>`,
    `<div id="vm-${index}">`,
    `<p class="about">${places.map((part) => `<bdi>${escapeXml(part)}</bdi>`).join(", ")}</p>`,
    ...assumedOfHost.map((assumption) => `<p class="about">assumed of the host: <bdi>${escapeXml(assumption)}</bdi></p>`),
    ...findings.map((finding) => article(finding, page)),
    ...pictures(group, index, page.drawn),
    "</div>",
    "</details>",
  ].join("\n");
}

function article(finding: FindingAtPlace, { linesIn, textOf, rulePage }: Page): string {
  const { file, diagnostic } = finding;
  const { severity, ruleId, message, docsUrl, related, fixes } = diagnostic;
  const evidence = rulePage(ruleId)?.evidence;
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["why", evidence ? [evidence.figure] : []],
    ["source", evidence ? [evidence.source.title] : []],
    ["but", evidence?.against ? [evidence.against] : []],
    [
      "see",
      [
        ...related.slice(0, SEEN).map((other) => seen(other, file.path, linesIn)),
        ...(related.length > SEEN ? [`${related.length - SEEN} more, which --format json lists`] : []),
      ],
    ],
  ];
  const list = facts.flatMap(([term, all]) =>
    all.length > 0 ? [`<dt>${term}</dt>`, ...all.map((fact) => `<dd>${escapeXml(fact)}</dd>`)] : [],
  );
  return [
    `<article class="finding ${severity}" data-severity="${severity}" data-rule="${escapeXml(ruleId)}">`,
    `<p class="head">${badge(severity)} ${link(ruleId, docsUrl)} <code class="place">${escapeXml(whereIs(finding))}</code></p>`,
    `<p class="message">${escapeXml(message)}</p>`,
    frame(finding),
    ...(list.length > 0 ? [`<dl>${list.join("")}</dl>`] : []),
    ...fixes.map((fix) => fixBlock(fix, file.path, textOf)),
    "</article>",
  ].join("\n");
}

/** The most lines of a fix to show. */
const CHANGED = 40;

/** Returns a fix with the lines that it removes and adds, where the page may show them. */
function fixBlock(fix: Fix, ownPath: string, textOf: Page["textOf"]): string {
  const words = `fix: ${escapeXml(fixTitle(fix))}`;
  const byFile = grouped(fix.edits, ({ path = ownPath }) => path);
  const parts = [...byFile].map(([path, all]) => {
    const text = textOf(path);
    return text === undefined ? undefined : { path, lines: changedLines(text, all) };
  });
  const shown = parts.flatMap((part) => (part && part.lines.length > 0 ? [part] : []));
  if (shown.length < byFile.size || shown.some(({ lines }) => lines.length > CHANGED)) return `<p class="fix">${words}</p>`;
  const rows = shown.flatMap(({ path, lines }) => [
    ...(path === ownPath ? [] : [`<span class="number">${escapeXml(path)}</span>`]),
    ...lines.map(({ sign, line, text }) => {
      const row = `<span class="number">${line}</span> ${sign} ${escapeXml(quotedLine(text).slice(0, 2 * CONTEXT))}`;
      return sign === "-" ? `<del>${row}</del>` : `<ins>${row}</ins>`;
    }),
  ]);
  return `<details class="fix"><summary>${words}</summary><pre tabindex="0">${rows.join("\n")}</pre></details>`;
}

/** The most related places per finding. */
const SEEN = 12;

function seen({ path, range, message, cell }: Related, ownPath: string, linesIn: Lines): string {
  if (cell) return `${cellWords(ownPath, cell)} (${cellText(cell)}), ${message}`;
  const { line, column } = placesIn(linesIn(path ?? ownPath))(range);
  return `${path ?? ownPath}:${line}:${column}, ${message}`;
}

/** The most characters of a line on each side of a finding. */
const CONTEXT = 80;

/** Returns the line of a finding with the range marked; nothing for files that may hold passwords. */
function frame({ file: { text, isSecret }, diagnostic: { range, cell }, place }: FindingAtPlace): string {
  if (isSecret) return "";
  if (cell) return `<pre tabindex="0">${escapeXml(cell.title)} = <mark>${escapeXml(cell.value.slice(0, CONTEXT))}</mark></pre>`;
  const [from, to] = range;
  const start = from - (place.column - 1);
  const line = framed(text, start, range);
  const [at, end] = [from - start, Math.min(to - start, line.length)];
  const before = line.slice(Math.max(0, at - CONTEXT), at);
  const marked = line.slice(at, Math.min(end, at + CONTEXT));
  const after = line.slice(end, end + CONTEXT);
  return `<pre tabindex="0"><span class="number">${place.line} </span>${escapeXml(before)}<mark>${escapeXml(marked)}</mark>${escapeXml(after)}</pre>`;
}

/** The most pictures on a page, each up to 60 kB. */
const PICTURES = 100;

/** Returns pictures until the page has its maximum. */
export type Budget = () => boolean;

export function pictureBudget(): Budget {
  let left = PICTURES;
  return () => left-- > 0;
}

/** Returns the layout of each VM of a group, and its layout after the best fix. If one place defines several VMs, the first counts. */
function pictures({ file: { path, hostedVms }, vms: names, host, findings }: Group, index: number, drawn: Budget): readonly string[] {
  const [name = "", ...others] = names;
  const isMeant = ({ spec, target }: HostedVm): boolean => spec.name === name && target.host.name === host;
  const of = others.length > 0 ? ` of ${escapeXml(name)}` : "";
  const fixes = findings.flatMap(({ diagnostic }) => diagnostic.fixes);
  return hostedVms.filter(isMeant).map((vm, i) => {
    const title = `<summary>Layout${of} on ${escapeXml(host)}</summary>`;
    if (!drawn())
      return `<details>${title}<p>Not drawn: this page has ${PICTURES} pictures. vmlint topology --format svg draws each.</p></details>`;
    const fixed = bestFix(vm, fixes);
    const id = `vm-${index}-${i}`;
    const now = figure(path, vm, `picture-${id}`, fixed ? "Now" : "");
    const then = fixed && drawn() ? figure(path, fixed.vm, `fixed-${id}`, `After the fix: ${fixed.fix.title}`) : "";
    return `<details class="layout">${title}<div class="pair">${now}${then}</div></details>`;
  });
}

function figure(path: string, vm: LintedVm, id: string, caption: string): string {
  const words = caption === "" ? "" : `<figcaption>${escapeXml(caption)}</figcaption>`;
  return `<figure tabindex="0">${words}${vmHtml(path, vm, id)}</figure>`;
}
