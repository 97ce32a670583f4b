import type { HostedVm } from "../../../lint/hosted-vms.ts";
import type { Related } from "../../../model/diagnostic.ts";
import { getOrInsert } from "../../../model/maps.ts";
import { filesSvg } from "../../picture/picture.ts";
import { escapeXml } from "../../picture/text.ts";
import type { FileResult, Lines } from "../../result.ts";
import { vmNames, vmsOf } from "../../subject.ts";
import { type FindingAtPlace, placed, placesIn, whereIs } from "../reporter.ts";
import { badge, link } from "./parts.ts";

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

/** Groups the findings of a file by their VMs. */
export function groupsOf(file: FileResult): readonly Group[] {
  const groups = new Map<string, Omit<Group, "file" | "findings"> & { readonly findings: FindingAtPlace[] }>();
  for (const found of placed(file)) {
    const { host, assumedOfHost = [] } = found.diagnostic;
    const vms = vmsOf(found.diagnostic);
    const key = JSON.stringify([vms, host]);
    const about = { vms, about: vmNames(found.diagnostic), host: host ?? "", assumedOfHost };
    getOrInsert(groups, key, () => ({ ...about, findings: [] })).findings.push(found);
  }
  return [...groups.values()].map((group) => ({ file, ...group }));
}

/** Returns the findings and the layout of a VM. */
export function vmSection(
  { file, vms, about, host, assumedOfHost, findings }: Group,
  index: number,
  linesIn: Lines,
  drawn: Budget,
): string {
  const places = [...(about ? [file.path] : []), ...(host ? [`host ${host}`] : [])];
  return [
    `<section class="vm" data-name="${escapeXml([...vms, file.path, host].join(" "))}">`,
    `<h3><bdi>${escapeXml(about || file.path)}</bdi></h3>`,
    `<p class="about">${places.map((part) => `<bdi>${escapeXml(part)}</bdi>`).join(", ")}</p>`,
    ...assumedOfHost.map((assumption) => `<p class="about">assumed of the host: <bdi>${escapeXml(assumption)}</bdi></p>`),
    ...findings.map((found) => article(found, linesIn)),
    ...pictures(file, vms, host, index, drawn),
    "</section>",
  ].join("\n");
}

function article(found: FindingAtPlace, linesIn: Lines): string {
  const { file, diagnostic } = found;
  const { severity, ruleId, message, docsUrl, evidence, related, fixes } = diagnostic;
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["why", evidence ? [evidence.figure] : []],
    ["source", evidence ? [evidence.source] : []],
    ["but", evidence?.against ? [evidence.against] : []],
    [
      "see",
      [
        ...related.slice(0, SEEN).map((other) => seen(other, file.path, linesIn)),
        ...(related.length > SEEN ? [`${related.length - SEEN} more, which --format json lists`] : []),
      ],
    ],
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

/** The most related places per finding. */
const SEEN = 12;

function seen({ path, range, message }: Related, own: string, linesIn: Lines): string {
  const { line, column } = placesIn(linesIn(path ?? own))(range);
  return `${path ?? own}:${line}:${column}, ${message}`;
}

/** The most characters of a line on each side of a finding. */
const CONTEXT = 80;

/** Returns the line of a finding with the range marked; nothing for files that may hold passwords. */
function frame({ file: { text, isSecret }, diagnostic: { range }, place }: FindingAtPlace): string {
  if (isSecret) return "";
  const [from, to] = range;
  const start = from - (place.column - 1);
  const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
  const end = Math.min(to, start + line.length);
  const before = text.slice(Math.max(start, from - CONTEXT), from);
  const found = text.slice(from, Math.min(end, from + CONTEXT));
  const after = text.slice(end, Math.min(start + line.length, end + CONTEXT));
  return `<pre tabindex="0"><span class="number">${place.line} </span>${escapeXml(before)}<mark>${escapeXml(found)}</mark>${escapeXml(after)}</pre>`;
}

/** The most pictures on a page, each up to 60 kB. */
const PICTURES = 100;

/** Returns pictures until the page has its maximum. */
export type Budget = () => boolean;

export function pictureBudget(): Budget {
  let left = PICTURES;
  return () => left-- > 0;
}

/** Returns the layouts of the VMs with these names; if one place defines several, the first. */
function pictures({ path, placed }: FileResult, names: readonly string[], host: string, index: number, drawn: Budget): readonly string[] {
  const [name = "", ...others] = names;
  const isMeant = ({ spec, target }: HostedVm): boolean => spec.name === name && target.host.name === host;
  const of = others.length > 0 ? ` of ${escapeXml(name)}` : "";
  return placed.filter(isMeant).map((vm, i) => {
    const summaryLine = `<summary>Layout${of} on ${escapeXml(host)}</summary>`;
    if (!drawn())
      return `<details>${summaryLine}<p>Not drawn: this page has ${PICTURES} pictures. vmlint topology --format svg draws each.</p></details>`;
    const svg = filesSvg([{ path, text: "", vms: [vm], diagnostics: [], skipped: [], foreign: undefined }], { id: `vm-${index}-${i}` });
    const [, width = "960"] = /viewBox="0 0 ([\d.]+) /.exec(svg) ?? [];
    return `<details class="layout">${summaryLine}<figure tabindex="0" style="--width:${width}px">${svg}</figure></details>`;
  });
}
