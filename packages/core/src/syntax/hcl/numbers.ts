import type { Expression } from "./ast.ts";

/** Any decimal number of so many digits is read into a double and written back unchanged (DBL_DIG of IEEE 754 binary64). */
const SAFE_DIGITS = 15;

/** A number as it is written: HCL counts in decimal with any number of digits, so the text is kept where a double does not hold it. */
export function numberLiteral(text: string, start: number, end: number): Expression {
  const value = Number(text);
  const isExact = text.length <= SAFE_DIGITS || canonical(text) === canonical(String(value));
  return isExact && Number.isFinite(value) ? { kind: "literal", start, end, value } : { kind: "literal", start, end, value, text };
}

/** The same text for the same number, however it is written: 10, 1e1 and 10.0 are 1e1. */
function canonical(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return start === end ? "0" : `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
