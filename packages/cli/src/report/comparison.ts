import { resolve } from "node:path";
import { type Palette, PLAIN } from "@vmlint/core";
import {
  type Comparison,
  comparisonCsv,
  comparisonHtml,
  comparisonMarkdown,
  comparisonText,
  comparisonWorkbook,
} from "@vmlint/core/migrate";
import { usage } from "../args/command-output.ts";
import { realOf } from "../files/disk.ts";
import { shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { wantedOf, writeReport } from "./reports.ts";

/** Returns a function that prints a comparison, or writes it to a file that it does not read. Throws USAGE for a file that it must not replace. */
export function comparisonPrinter(word: string, io: Io): (comparison: Comparison, json: () => string) => void {
  const [wanted] = wantedOf([word], io.cwd);
  return (comparison, json) => {
    const { format, file } = wanted ?? { format: "text", file: undefined };
    const textOf = (palette: Palette) => (format === "json" ? json() : textIn(format, comparison, palette));
    if (file === undefined) {
      io.out(String(textOf(io.palette)));
      return;
    }
    if (comparison.vms.some(({ path }) => realOf(resolve(io.cwd, path)) === realOf(file)))
      throw usage(`${shownPath(file, io.cwd)} cannot be replaced by a report: this run reads it. Name another file.`);
    writeReport(file, textOf(PLAIN));
  };
}

function textIn(format: string, comparison: Comparison, palette: Palette): string | Uint8Array {
  if (format === "csv") return comparisonCsv(comparison);
  if (format === "html") return comparisonHtml(comparison);
  if (format === "xlsx") return comparisonWorkbook(comparison);
  return format === "md" ? comparisonMarkdown(comparison) : comparisonText(comparison, palette);
}
