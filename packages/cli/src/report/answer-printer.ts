import { resolve } from "node:path";
import {
  type Comparison,
  comparisonCsv,
  comparisonHtml,
  comparisonMarkdown,
  comparisonText,
  comparisonWorkbook,
} from "@vmlint/core/migrate";
import { type Palette, PLAIN } from "@vmlint/core/program";
import { usage } from "../args/command-output.ts";
import { realOf } from "../files/disk.ts";
import { shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { reportFile, writeReport } from "./reports.ts";

/** An answer in each of its formats. */
export interface Answer {
  readonly text: (palette: Palette) => string;
  readonly json: () => string;
  readonly csv: () => string;
  readonly html: () => string;
  readonly xlsx: () => Uint8Array;
  readonly md?: () => string;
}

/** Returns a function that prints an answer, or writes it to a file that it does not read. Throws USAGE for a file that it must not replace. */
export function answerPrinter(word: string, io: Io): (answer: Answer, inputs: readonly string[]) => void {
  const { format, file } = reportFile(word, io.cwd);
  return (answer, inputs) => {
    const name = format in answer ? (format as keyof Answer) : "text";
    const textOf = (palette: Palette): string | Uint8Array => answer[name]?.(palette) ?? "";
    if (file === undefined) {
      io.out(String(textOf(io.palette)));
      return;
    }
    if (inputs.some((path) => realOf(resolve(io.cwd, path)) === realOf(file)))
      throw usage(`${shownPath(file, io.cwd)} cannot be replaced by a report: this run reads it. Name another file.`);
    writeReport(file, textOf(PLAIN));
  };
}

/** Prints a comparison. */
export function comparisonPrinter(word: string, io: Io): (comparison: Comparison, json: () => string) => void {
  const print = answerPrinter(word, io);
  return (comparison, json) => {
    const answer: Answer = {
      json,
      text: (palette) => comparisonText(comparison, palette),
      csv: () => comparisonCsv(comparison),
      html: () => comparisonHtml(comparison),
      xlsx: () => comparisonWorkbook(comparison),
      md: () => comparisonMarkdown(comparison),
    };
    print(
      answer,
      comparison.vms.map(({ path }) => path),
    );
  };
}
