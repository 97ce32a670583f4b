import type { Expression } from "./ast.ts";

/** Any decimal number of so many digits is read into a double and written back unchanged (DBL_DIG of IEEE 754 binary64). */
const SAFE_DIGITS = 15;

/** Returns a number literal. HCL uses decimals with any number of digits, so a number that a double cannot hold keeps its text. */
export function numberLiteral(text: string, start: number, end: number): Expression {
  const value = Number(text);
  const isExact = text.length <= SAFE_DIGITS || canonical(text) === canonical(String(value));
  return isExact && Number.isFinite(value) ? { kind: "literal", start, end, value } : { kind: "literal", start, end, value, text };
}

/** Returns the same text for equal numbers: 10, 1e1 and 10.0 become 1e1. */
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
