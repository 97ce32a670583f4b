import { printable } from "../printable.ts";
import { vmNames } from "../subject.ts";
import { allPlaced, isFailure, type Reporter, whyUnchecked } from "./reporter.ts";

const COLUMNS = ["path", "line", "column", "severity", "rule", "vm", "host", "message"];

/** RFC 4180: a row for each finding, and one for each file that is not checked. */
export const csv: Reporter = (results, { notChecked = [] }) => {
  const rows = allPlaced(results).map(({ file, diagnostic, place }) => {
    const { severity, ruleId, host, message } = diagnostic;
    return [file.path, place.line, place.column, severity, ruleId, vmNames(diagnostic), host ?? "", message];
  });
  const unchecked = notChecked.map((file) => [file.path, "", "", isFailure(file) ? "error" : "info", "", "", "", whyUnchecked(file)]);
  return [COLUMNS, ...rows, ...unchecked].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
};

/** A spreadsheet computes a cell that begins like a formula, unless an apostrophe is before it. */
function cell(value: string | number): string {
  const text = printable(String(value)).replace(/^[=+\-@]/, "'$&");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
