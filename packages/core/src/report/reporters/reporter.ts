import { cellReference } from "../../model/cell.ts";
import { type Diagnostic, SEVERITIES, type Severity } from "../../model/diagnostic.ts";
import type { ListedHost } from "../../model/inventory-host.ts";
import { LineIndex, type Range } from "../../model/source.ts";
import type { AboutRun, NotChecked } from "../json-report.ts";
import type { Palette } from "../palette.ts";
import { asJson } from "../printable.ts";
import type { FileResult } from "../result.ts";
import { cellWords, vmNames } from "../subject.ts";

/** Facts about the run that a report may use. */
export interface Run extends AboutRun {
  /** The lowest severity that makes the command fail. */
  readonly failOn: Severity | "never";
  /** The colours of terminal reports. */
  readonly palette: Palette;
  /** The day of the run: 2026-12-31. */
  readonly date?: string | undefined;
  /** The fixes that the run applied. */
  readonly fixed?: "safe" | "all" | undefined;
  /** The hosts of the inventories. */
  readonly hosts?: readonly ListedHost[] | undefined;
  /** The files and folders on the command line. */
  readonly inputs?: readonly string[] | undefined;
}

/** Returns why a file or folder was not checked. */
export const whyUnchecked = ({ reason }: NotChecked): string => `This is not checked: ${reason}.`;

/** Whether a path that was not checked makes the run incomplete. */
export const isFailure = ({ makesNoVm }: NotChecked): boolean => makesNoVm !== true;

/** Turns results into text. A reporter does not print, sort or filter. */
export type Reporter = (results: readonly FileResult[], run: Run) => string;

/** The same for a report that is no text. */
export type BinaryReporter = (results: readonly FileResult[], run: Run) => Uint8Array;

/** A range as other programs count: one-based, with the end after the last character. */
export interface FindingPlace {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Returns a function that turns ranges of a text into places. */
export function placesIn(lines: LineIndex): (range: Range) => FindingPlace {
  return ([from, to]) => {
    const start = lines.at(from);
    const end = lines.at(to);
    return { line: start.line + 1, column: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 };
  };
}

export interface FindingAtPlace {
  readonly file: FileResult;
  readonly diagnostic: Diagnostic;
  readonly place: FindingPlace;
  /** Returns the message, prefixed with its VMs if the file has findings of other VMs. For formats without a field for the VM. */
  readonly text: string;
}

/** Returns the findings of one file, in order. */
export function findingsAtPlaces(file: FileResult, diagnostics: readonly Diagnostic[] = file.diagnostics): readonly FindingAtPlace[] {
  if (diagnostics.length === 0) return [];
  const placeOf = placesIn(new LineIndex(file.text));
  const names = diagnostics.map(vmNames);
  const areSeveral = new Set(names).size > 1;
  return diagnostics.map((diagnostic, i) => {
    const text = areSeveral && names[i] ? `${names[i]}: ${diagnostic.message}` : diagnostic.message;
    return { file, diagnostic, place: placeOf(diagnostic.range), text };
  });
}

/** Returns the findings of a run, file by file. */
export const allPlaced = (results: readonly FileResult[]): readonly FindingAtPlace[] => results.flatMap((file) => findingsAtPlaces(file));

/** Returns whether the command fails for a finding. */
export const fails = ({ diagnostic }: FindingAtPlace, { failOn }: Run): boolean =>
  failOn !== "never" && SEVERITIES.indexOf(diagnostic.severity) <= SEVERITIES.indexOf(failOn);

/** Returns `path:line:column`, as compilers write it, or `estate.xlsx vInfo!J9`. */
export const whereIs = ({ file, diagnostic: { cell }, place }: FindingAtPlace): string =>
  cell ? cellWords(file.path, cell) : `${file.path}:${place.line}:${place.column}`;

/** Returns the message with its cell, for formats that know only lines. */
export const withCell = ({ diagnostic: { cell }, text }: FindingAtPlace): string => (cell ? `${cellReference(cell)}: ${text}` : text);

/** Joins lines into a document; empty for no lines. */
export const lines = (texts: readonly string[]): string => texts.map((line) => `${line}\n`).join("");

/** Returns a value as a JSON document. */
export const document = (value: unknown): string => `${asJson(value, 2)}\n`;
