import type { Diagnostic, Related, Severity } from "../model/diagnostic.ts";
import { LineIndex } from "../model/source.ts";
import { foundWords, scopeWords, suppressedLine } from "./counts.ts";
import type { NotChecked } from "./json.ts";
import { type Paint, type Palette, PLAIN } from "./palette.ts";
import { type FileResult, type Lines, linesOf } from "./result.ts";
import { skippedChecks } from "./skipped.ts";
import { vmNames } from "./subject.ts";

const paintOf = (palette: Palette, severity: Severity): Paint =>
  ({ error: palette.red, warning: palette.yellow, info: palette.blue, hint: palette.dim })[severity];

/**
 * Returns findings for people: grouped by file, each with its line and measured values.
 *
 * @example
 * const { results } = await workspace.check();
 * console.log(textReport(results));
 */
export function textReport(results: readonly FileResult[], palette: Palette = PLAIN, withoutVm: readonly NotChecked[] = []): string {
  const linesIn = linesOf(results);
  const blocks = results.filter(({ diagnostics }) => diagnostics.length > 0).map((result) => fileBlock(result, linesIn, palette));
  return [...blocks, summary(results, palette, withoutVm)].join("\n");
}

function fileBlock({ path, text, diagnostics, isSecret = false }: FileResult, linesIn: Lines, palette: Palette): string {
  const lines = new LineIndex(text);
  const [about = "", ...others] = new Set(diagnostics.map(subject));
  const title = `${palette.underline(printable(path))}${about && others.length === 0 ? palette.dim(`  ${about}`) : ""}\n`;
  const named = (d: Diagnostic) => (others.length > 0 ? palette.dim(`  ${subject(d)}`.trimEnd()) : "");
  const shown = { path, text: isSecret ? undefined : text, lines, linesIn, palette };
  return `${title}\n${diagnostics.map((d) => finding(d, named(d), shown)).join("\n")}`;
}

/** Returns the VM and the host of a finding. A file with one VM shows them in its title, other files with each finding. */
const subject = (d: Diagnostic): string => printable([vmNames(d), d.host && `host ${d.host}`].filter(Boolean).join(", "));

/** The most related places per finding; the JSON report has all. */
const RELATED_SHOWN = 4;

interface FileView {
  readonly path: string;
  /** Missing if reports must not show lines of the file. */
  readonly text: string | undefined;
  readonly lines: LineIndex;
  /** The lines of other files. */
  readonly linesIn: Lines;
  readonly palette: Palette;
}

function finding(d: Diagnostic, about: string, { path, text, lines, linesIn, palette }: FileView): string {
  const { line, column } = lines.at(d.range[0]);
  const paint = paintOf(palette, d.severity);
  const head = `  ${paint(d.severity)} ${palette.bold(d.ruleId)} ${palette.dim(`${printable(path)}:${line + 1}:${column + 1}`)}${about}`;
  const notes = [
    ...(d.evidence ? [`why: ${d.evidence.figure}`] : []),
    ...(d.evidence?.against ? [`but: ${d.evidence.against}`] : []),
    ...d.related.slice(0, RELATED_SHOWN).map((place) => `see: ${where(place, lines, linesIn)}, ${place.message}`),
    ...(d.related.length > RELATED_SHOWN ? [`see: ${d.related.length - RELATED_SHOWN} more (--format json lists them)`] : []),
    ...d.fixes.map(({ title, safety }) => `fix: ${title} (${safety})`),
  ];
  return [
    head,
    `  ${printable(d.message)}`,
    ...(text === undefined ? [] : frame(d, text, lines, paint, palette)),
    ...notes.map((note) => palette.dim(`    ${printable(note)}`)),
    "",
  ].join("\n");
}

function where({ path, range }: Related, lines: LineIndex, linesIn: Lines): string {
  const { line, column } = (path === undefined ? lines : linesIn(path)).at(range[0]);
  return path === undefined ? `line ${line + 1}` : `${path}:${line + 1}:${column + 1}`;
}

/** The widest line of a code frame; a longer line is cut around the finding. */
const FRAME_WIDTH = 100;

/** Returns the line of a finding with its range underlined. */
function frame({ range }: Diagnostic, text: string, lines: LineIndex, paint: Paint, palette: Palette): string[] {
  const { line, column } = lines.at(range[0]);
  const start = lines.start(line) ?? 0;
  const cut = column > FRAME_WIDTH / 2 ? column - FRAME_WIDTH / 2 : 0;
  // A generated file may consist of one very long line.
  const [window = ""] = text.slice(start + cut, start + cut + FRAME_WIDTH).split(/[\r\n]/, 1);
  const visible = printable(window);
  const from = column - cut;
  const found = visible.slice(from, from + range[1] - range[0]);
  const number = String(line + 1);
  const margin = " ".repeat(number.length);
  return [
    palette.dim(`    ${number} | `) + visible,
    palette.dim(`    ${margin} | `) + inColumns(visible.slice(0, from), " ") + paint(inColumns(found, "^") || "^"),
  ];
}

/** Repeats a sign over the terminal columns of a text. */
const inColumns = (text: string, sign: string): string =>
  ASCII.test(text) ? sign.repeat(text.length) : [...text].map((character) => sign.repeat(columnsOf(character))).join("");

/** Pads a text with blanks to a number of columns. */
export const padded = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** Returns the number of terminal columns of a text. */
export const widthOf = (text: string): number => inColumns(text, " ").length;

const ASCII = /^[\x20-\x7e]*$/;

/**
 * Returns two for wide characters (Unicode UAX #11: the blocks that are wide as a whole, and emoji), and zero for combining marks and for
 * the vowels and final consonants of Hangul. The expressions are inline because Node needs a third of a millisecond to compile such
 * properties, which would slow each start.
 */
function columnsOf(character: string): number {
  if (/[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff\u200b-\u200f\ufeff]/u.test(character)) return 0;
  const isWide =
    /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{20000}-\u{3fffd}]/u;
  return isWide.test(character) ? 2 : 1;
}

/**
 * Replaces control characters, which a hostile file could send to the terminal, and characters that change the text direction (Unicode UAX
 * #9).
 */
export const printable = (text: string): string => (CONTROL.test(text) ? text.replace(/[\t\n\r]/g, " ").replace(CONTROLS, "\ufffd") : text);

/** Like printable, but keeps line ends and tabs. */
export const visible = (text: string): string => text.replace(/[^\t\n\r]+/g, printable);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const CONTROL = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const CONTROLS = new RegExp(CONTROL, "g");

/** The number of resources without a VM that the summary names. */
const WITHOUT_VM_SHOWN = 3;

/** One line with the resources and module calls without a VM. */
function withoutVmLine(all: readonly NotChecked[]): readonly string[] {
  const [first] = all;
  if (!first) return [];
  const named = all.slice(0, WITHOUT_VM_SHOWN).map(({ path, reason }) => `${path}: ${reason}`);
  const more = all.length - named.length;
  return [printable(`Not checked: ${named.join("; ")}${more > 0 ? `; and ${more} more (--format json lists them)` : ""}.`)];
}

function summary(results: readonly FileResult[], palette: Palette, withoutVm: readonly NotChecked[]): string {
  const found = foundWords(results).map(({ severity, words }) => paintOf(palette, severity)(words));
  const { ran, isOpen, steps, rest } = skippedChecks(results);
  const none = isOpen ? "No findings yet" : palette.green("Nothing to report");
  const verdict = `${found.length > 0 ? found.join(", ") : none} in ${scopeWords(results)}`;
  const more = steps.length > 0 ? " To run more:" : "";
  return [
    ran === undefined ? `${verdict}.` : `${verdict}. ${ran}.${more}`,
    ...steps.map((step) => `  ${step}`),
    ...[...rest, ...suppressedLine(results), ...withoutVmLine(withoutVm)].map((line) => palette.dim(line)),
    "",
  ].join("\n");
}
