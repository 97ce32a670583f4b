import { printable } from "./printable.ts";

/** Returns rows as comma-separated values (RFC 4180). */
export const csvRows = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

/** A spreadsheet computes a cell that begins like a formula, unless an apostrophe is before it. A negative number is none. */
function cell(value: string | number): string {
  const text = typeof value === "number" ? String(value) : printable(value).replace(/^[=+\-@]/, "'$&");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
