import type { Diagnostic, Related, Severity } from "../model/diagnostic.ts";
import { LineIndex } from "../model/source.ts";
import { foundWords, scopeWords, skipLines, suppressedLine } from "./counts.ts";
import { type Paint, type Palette, PLAIN } from "./palette.ts";
import { type FileResult, type Lines, linesOf } from "./result.ts";
import { vmNames } from "./subject.ts";

const paintOf = (palette: Palette, severity: Severity): Paint =>
  ({ error: palette.red, warning: palette.yellow, info: palette.blue, hint: palette.dim })[severity];

/** Findings for people: grouped by file, each with its line, what was measured and where it was. */
export function textReport(results: readonly FileResult[], palette: Palette = PLAIN): string {
  const linesIn = linesOf(results);
  const blocks = results.filter(({ diagnostics }) => diagnostics.length > 0).map((result) => fileBlock(result, linesIn, palette));
  return [...blocks, summary(results, palette)].join("\n");
}

function fileBlock({ path, text, diagnostics, isSecret = false }: FileResult, linesIn: Lines, palette: Palette): string {
  const lines = new LineIndex(text);
  const [about = "", ...others] = new Set(diagnostics.map(subject));
  const title = `${palette.underline(printable(path))}${about && others.length === 0 ? palette.dim(`  ${about}`) : ""}\n`;
  const named = (d: Diagnostic) => (others.length > 0 ? palette.dim(`  ${subject(d)}`.trimEnd()) : "");
  const shown = { path, text: isSecret ? undefined : text, lines, linesIn, palette };
  return `${title}\n${diagnostics.map((d) => finding(d, named(d), shown)).join("\n")}`;
}

/** The VM that a finding is about, and the host: in the title of a file with one VM, with each finding of a file with several. */
const subject = (d: Diagnostic): string => printable([vmNames(d), d.host && `host ${d.host}`].filter(Boolean).join(", "));

/** Most other places a finding lists; the JSON report has them all. */
const RELATED_SHOWN = 4;

interface Shown {
  readonly path: string;
  /** Missing where no line of it is to be shown. */
  readonly text: string | undefined;
  readonly lines: LineIndex;
  /** Those of other files. */
  readonly linesIn: Lines;
  readonly palette: Palette;
}

function finding(d: Diagnostic, about: string, { path, text, lines, linesIn, palette }: Shown): string {
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

/** Widest line a frame shows; a longer one is cut around the finding. */
const FRAME_WIDTH = 100;

/** The line of a finding with its range underlined. */
function frame({ range }: Diagnostic, text: string, lines: LineIndex, paint: Paint, palette: Palette): string[] {
  const { line, column } = lines.at(range[0]);
  const start = lines.start(line) ?? 0;
  const cut = column > FRAME_WIDTH / 2 ? column - FRAME_WIDTH / 2 : 0;
  // The line itself may be as long as the file, when a program wrote it.
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

/** As many signs as a text takes columns in a terminal. */
const inColumns = (text: string, sign: string): string =>
  ASCII.test(text) ? sign.repeat(text.length) : [...text].map((character) => sign.repeat(columnsOf(character))).join("");

/** A text with blanks behind it that make it so many columns wide. */
export const padded = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** Columns of a terminal that a text takes. */
export const widthOf = (text: string): number => inColumns(text, " ").length;

const ASCII = /^[\x20-\x7e]*$/;

/**
 * Two for what Unicode's UAX #11 calls wide: the blocks that are wide as a whole, and emoji. None for the vowels and last consonants of
 * Hangul, which join the first, as for other marks. The expressions stand where they are needed:
 * to look up such properties takes Node a third of a millisecond, at every start otherwise.
 */
function columnsOf(character: string): number {
  if (/[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff\u200b-\u200f\ufeff]/u.test(character)) return 0;
  const isWide =
    /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{20000}-\u{3fffd}]/u;
  return isWide.test(character) ? 2 : 1;
}

/** Control characters of a hostile file must not reach the terminal, nor those that turn the order of what follows (Unicode UAX #9). */
export const printable = (text: string): string => (CONTROL.test(text) ? text.replace(/[\t\n\r]/g, " ").replace(CONTROLS, "\ufffd") : text);

/** The same, but for the ends of lines and tabs. */
export const visible = (text: string): string => text.replace(/[^\t\n\r]+/g, printable);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const CONTROL = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const CONTROLS = new RegExp(CONTROL, "g");

function summary(results: readonly FileResult[], palette: Palette): string {
  const found = foundWords(results).map(({ severity, words }) => paintOf(palette, severity)(words));
  const verdict = found.length > 0 ? found.join(", ") : palette.green("Nothing to report");
  const line = `${verdict} in ${scopeWords(results)}.`;
  return [line, ...[...suppressedLine(results), ...skipLines(results)].map((skip) => palette.dim(skip)), ""].join("\n");
}
