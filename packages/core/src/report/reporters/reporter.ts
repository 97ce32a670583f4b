import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import { joinPath } from "../../model/files.ts";
import { LineIndex, type Range } from "../../model/source.ts";
import type { Rule } from "../../rules/define.ts";
import type { AboutRun, NotChecked } from "../json.ts";
import type { Palette } from "../palette.ts";
import type { FileResult } from "../result.ts";
import { vmNames } from "../subject.ts";

/** What a report says of the run besides its results. */
export interface Run extends AboutRun {
  /** Findings from this severity on make the command fail. */
  readonly failOn: Severity | "never";
  /** Colours, for the forms that people read in a terminal. */
  readonly palette: Palette;
  /** All rules of the run, where plugins bring some. */
  readonly rules?: readonly Rule[] | undefined;
  /** The folder that paths start from, as it is written from the root of the repository. */
  readonly base?: string | undefined;
}

/** What a report says of a file or folder that was not checked. */
export const whyUnchecked = ({ reason }: NotChecked): string => `This is not checked: ${reason}.`;

/** A path as services know it: most count from the root of the repository. */
export const fromRoot = (path: string, { base }: Run): string => (base === undefined ? path : joinPath(base, path));

/** Results in, text out. A reporter does not print, sort or filter. */
export type Reporter = (results: readonly FileResult[], run: Run) => string;

/** Where something is, as other programs count: from 1, the end behind the last character. */
export interface FindingPlace {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Turns ranges of a text into places. */
export function placesIn(lines: LineIndex): (range: Range) => FindingPlace {
  return ([from, to]) => {
    const start = lines.at(from);
    const end = lines.at(to);
    return { line: start.line + 1, column: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 };
  };
}

/** A finding with its file and place. */
export interface FindingAtPlace {
  readonly file: FileResult;
  readonly diagnostic: Diagnostic;
  readonly place: FindingPlace;
  /** Its message, behind its VMs where other findings of the file are about others: for forms with no place for a VM. */
  readonly said: string;
}

/** The findings of one file, in its order. */
export function placed(file: FileResult, diagnostics: readonly Diagnostic[] = file.diagnostics): readonly FindingAtPlace[] {
  if (diagnostics.length === 0) return [];
  const placeOf = placesIn(new LineIndex(file.text));
  const names = diagnostics.map(vmNames);
  const areSeveral = new Set(names).size > 1;
  return diagnostics.map((diagnostic, i) => {
    const said = areSeveral && names[i] ? `${names[i]}: ${diagnostic.message}` : diagnostic.message;
    return { file, diagnostic, place: placeOf(diagnostic.range), said };
  });
}

/** The findings of a run, file by file. */
export const allPlaced = (results: readonly FileResult[]): readonly FindingAtPlace[] => results.flatMap((file) => placed(file));

/** Where a finding is, as compilers write it. */
export const whereIs = ({ file, place }: FindingAtPlace): string => `${file.path}:${place.line}:${place.column}`;

/** Lines as a document; nothing for none. */
export const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

/** A value as a document of its own. */
export const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
