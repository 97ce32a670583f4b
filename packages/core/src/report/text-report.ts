import { type Cell, cellReference } from "../model/cell.ts";
import { fixTitle, type Related, type Severity } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { LineIndex, type Range } from "../model/source.ts";
import type { Rule } from "../rules/define.ts";
import { type PageById, pagesOf } from "../rules/page-of.ts";
import { checkedVms, foundWords, scopeWords, suppressedLine, verdictWithout } from "./counts.ts";
import { type Entry, entriesOf, type FindingInFile } from "./entries.ts";
import type { NotChecked } from "./json-report.ts";
import { overview } from "./overview.ts";
import { type Paint, type Palette, PLAIN } from "./palette.ts";
import { inColumns, printable, widthOf } from "./printable.ts";
import { quotedLine } from "./quoted-line.ts";
import { type FileResult, type Lines, linesOf } from "./result.ts";
import { skippedChecks } from "./skipped.ts";
import { aboutWords, cellText, cellWords, vmNames } from "./subject.ts";
import { wrapped } from "./wrap.ts";

const paintOf = (palette: Palette, severity: Severity): Paint =>
  ({ error: palette.red, warning: palette.yellow, info: palette.blue, hint: palette.dim })[severity];

/** A longer report is an overview. A report on many VMs fits the first screen. */
const MOST_LINES = 100;
const FIRST_SCREEN = 40;
const FEW_VMS = 20;

/**
 * Returns findings for people: the most severe first, equal ones together, each with its line and measured values. A long report is an
 * overview of 40 lines.
 *
 * @example
 * const { results } = await workspace.check();
 * console.log(textReport(results));
 */
export function textReport(
  results: readonly FileResult[],
  palette: Palette = PLAIN,
  withoutVm: readonly NotChecked[] = [],
  rules?: readonly Rule[],
): string {
  const view: View = { linesIn: linesOf(results), lines: linesOfFiles(), palette, explained: new Set(), page: pagesOf(rules) };
  const entries = entriesOf(results);
  const end = summary(results, palette, withoutVm);
  const most = checkedVms(results) > FEW_VMS ? FIRST_SCREEN - end.length : MOST_LINES;
  const lines = entryLines(entries, view, most) ?? shortLines(results, entries, view, end.length);
  return [...lines, ...end, ""].join("\n");
}

interface View {
  /** The lines of other files. */
  readonly linesIn: Lines;
  readonly lines: (file: FileResult) => LineIndex;
  readonly palette: Palette;
  /** The rules whose evidence was printed. */
  readonly explained: Set<string>;
  readonly page: PageById;
}

/** Returns a function that indexes the lines of each file once. */
function linesOfFiles(): View["lines"] {
  const indexes = new Map<FileResult, LineIndex>();
  return (file) => getOrInsert(indexes, file, () => new LineIndex(file.text));
}

/** Returns the lines of all entries; `undefined` if they are too many. */
function entryLines(entries: readonly Entry[], view: View, most: number): readonly string[] | undefined {
  const all: string[] = [];
  for (const entry of entries) {
    all.push(...entryBlock(entry, view), "");
    if (all.length > most) return undefined;
  }
  return all;
}

/** The most related places per finding; the JSON report has all. */
const RELATED_SHOWN = 4;

/** The most places of equal findings. */
const EQUAL_SHOWN = 6;

function entryBlock([{ file, diagnostic }, ...equal]: Entry, view: View): readonly string[] {
  const { palette, explained, page } = view;
  const { ruleId, severity, message, related, fixes } = diagnostic;
  const paint = paintOf(palette, severity);
  // The evidence is the same for all findings of a rule.
  const evidence = explained.has(ruleId) ? undefined : page(ruleId)?.evidence;
  explained.add(ruleId);
  const notes = [
    ...(evidence ? [`why: ${evidence.figure}`] : []),
    ...(evidence?.against ? [`but: ${evidence.against}`] : []),
    ...(equal.length > 0 ? [`also: ${equalWords(equal, view)}`] : []),
    ...related.slice(0, RELATED_SHOWN).map((place) => `see: ${placeText(place, file, view)}, ${place.message}`),
    ...(related.length > RELATED_SHOWN ? [`see: ${related.length - RELATED_SHOWN} more (--format json lists them)`] : []),
    ...fixes.map((fix) => `fix: ${fixTitle(fix)}`),
  ];
  return [
    ...head({ file, diagnostic }, view),
    ...wrapped(`  ${printable(message)}`, palette.width),
    ...(file.isSecret
      ? []
      : diagnostic.cell
        ? cellFrame(diagnostic.cell, view)
        : frame(diagnostic.range, file.text, view.lines(file), paint, palette)),
    ...notes.flatMap((note) => wrapped(`    ${printable(note)}`, palette.width, "    why: ".length).map(palette.dim)),
  ];
}

/** Returns the severity, the rule, the place, the VM and the host of a finding. */
function head(finding: FindingInFile, view: View): readonly string[] {
  const { palette } = view;
  const { ruleId, severity, docsUrl } = finding.diagnostic;
  const about = printable(aboutWords(finding.diagnostic));
  const { link = (text) => text } = palette;
  const rule = palette.bold(docsUrl ? link(ruleId, { url: docsUrl }) : ruleId);
  const at = printable(placeOf(finding, view));
  const line = `${paintOf(palette, severity)(severity)} ${rule} ${palette.dim(link(at, { path: finding.file.path }))}`;
  if (about === "") return [line];
  const isWide = palette.width !== undefined && widthOf(`${severity} ${ruleId} ${at}  ${about}`) > palette.width;
  return isWide ? [line, ...wrapped(`  ${about}`, palette.width).map(palette.dim)] : [`${line}${palette.dim(`  ${about}`)}`];
}

function placeOf({ file, diagnostic }: FindingInFile, { lines }: View): string {
  if (diagnostic.cell) return cellWords(file.path, diagnostic.cell);
  const { line, column } = lines(file).at(diagnostic.range[0]);
  return `${file.path}:${line + 1}:${column + 1}`;
}

/** Returns the places and VMs of equal findings. */
function equalWords(equal: readonly FindingInFile[], view: View): string {
  const shown = equal
    .slice(0, EQUAL_SHOWN)
    .map((finding) => [placeOf(finding, view), vmNames(finding.diagnostic)].filter(Boolean).join(" "));
  const more = equal.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function placeText({ path, range, cell }: Related, file: FileResult, { lines, linesIn }: View): string {
  if (cell) return `${cellWords(file.path, cell)} (${cellText(cell)})`;
  const { line, column } = (path === undefined ? lines(file) : linesIn(path)).at(range[0]);
  return path === undefined ? `line ${line + 1}` : `${path}:${line + 1}:${column + 1}`;
}

/** Returns an overview for a run with too many findings. */
function shortLines(results: readonly FileResult[], entries: readonly Entry[], view: View, used: number) {
  const { palette, page } = view;
  const how = wrapped(
    "--format compact lists all findings, csv and html show them all; vmlint explain RULE explains a rule.",
    palette.width,
  );
  const most = FIRST_SCREEN - used - how.length - 2;
  return [
    ...overview(results, entries.flat(), { palette, page, most, head: (finding) => head(finding, view) }),
    ...how.map(palette.dim),
    "",
  ];
}

/** The widest line of a code frame; a longer line is cut around the finding. */
const FRAME_WIDTH = 100;

/** Returns the content of a cell below the title of its column. */
const cellFrame = (cell: Cell, { palette }: View): readonly string[] =>
  wrapped(`    ${palette.dim(`${cellReference(cell)} | `)}${printable(cellText(cell))}`, palette.width);

/** Returns the line of a finding with its range underlined. */
function frame(range: Range, text: string, lines: LineIndex, paint: Paint, palette: Palette): readonly string[] {
  const { line, column } = lines.at(range[0]);
  const start = lines.start(line) ?? 0;
  const number = String(line + 1);
  const margin = " ".repeat(number.length);
  const width = Math.min(FRAME_WIDTH, (palette.width ?? FRAME_WIDTH) - number.length - "     | ".length);
  const cut = column > width / 2 ? column - Math.floor(width / 2) : 0;
  // A generated file may consist of one very long line.
  const from = column - cut;
  const to = from + range[1] - range[0];
  const visible = printable(framed(text, start, range).slice(cut, cut + width));
  const marked = visible.slice(from, to);
  return [
    palette.dim(`    ${number} | `) + visible,
    palette.dim(`    ${margin} | `) + inColumns(visible.slice(0, from), " ") + paint(inColumns(marked, "^") || "^"),
  ];
}

/** The longest line that is searched for values. */
const LONGEST_LINE = 10_000;

/** Returns the line of a finding, whose own value stays: vmlint read it. A whole line or mapping may hold other values. */
export function framed(text: string, start: number, [from, to]: Range): string {
  const line = /^[^\r\n]*/.exec(text.slice(start, start + LONGEST_LINE))?.[0] ?? "";
  const own = line.slice(from - start, to - start);
  const isValue = !/[={]|:\s/.test(own) && (/["':=>,;[]\s*$/.test(line.slice(0, from - start)) || !/\s/.test(own));
  const quoted = quotedLine(line);
  return isValue ? quoted.slice(0, from - start) + own + quoted.slice(to - start) : quoted;
}

/** The number of resources without a VM that the summary names. */
const WITHOUT_VM_SHOWN = 3;

/** One line with the resources and module calls without a VM. */
function withoutVmLine(all: readonly NotChecked[]): readonly string[] {
  const [first] = all;
  if (!first) return [];
  const skippedFiles = all.slice(0, WITHOUT_VM_SHOWN).map(({ path, reason }) => `${path}: ${reason}`);
  const more = all.length - skippedFiles.length;
  return [printable(`Not checked: ${skippedFiles.join("; ")}${more > 0 ? `; and ${more} more (--format json lists them)` : ""}.`)];
}

/** Returns the counts of findings and checks, and the steps that make more checks run. */
export function summary(results: readonly FileResult[], palette: Palette, withoutVm: readonly NotChecked[]): readonly string[] {
  const counts = foundWords(results).map(({ severity, words }) => paintOf(palette, severity)(words));
  const { ran, isOpen, steps, rest } = skippedChecks(results);
  const none = (isOpen ? String : palette.green)(verdictWithout(results, isOpen));
  const verdict = `${counts.length > 0 ? counts.join(", ") : none} in ${scopeWords(results)}`;
  const more = steps.length > 0 ? " To run more:" : "";
  const checks = ran === undefined ? "" : `${ran}.${more}`;
  const isWide = palette.width !== undefined && widthOf(`${verdict}. ${checks}`) > palette.width;
  return [
    ...(isWide ? [`${verdict}.`, checks] : [`${verdict}. ${checks}`.trimEnd()]),
    ...steps.flatMap((step) => wrapped(`  ${step}`, palette.width, 4)),
    ...[...rest, ...suppressedLine(results), ...withoutVmLine(withoutVm)]
      .flatMap((line) => wrapped(line, palette.width, 2))
      .map(palette.dim),
  ];
}
