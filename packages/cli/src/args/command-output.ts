import { asJson, hint, list, SCHEMA_VERSION, VERSION, VmlintError, wrapped } from "@vmlint/core/program";

/** The tool name and version in reports. */
export const TOOL = { name: "vmlint", version: VERSION };

/** Returns a value as JSON for other programs. */
export const json = (value: unknown): string => `${asJson(value, 2)}\n`;

/** Returns an answer of the command as JSON for other programs. */
export const jsonAnswer = (fields: Readonly<Record<string, unknown>>): string =>
  json({ schemaVersion: SCHEMA_VERSION, tool: TOOL, ...fields });

/** The error for a command line that asks for what cannot be done. */
export const usage = (message: string): VmlintError => new VmlintError("USAGE", message);

/** The error for a word that an option or a command does not take. */
export const notOneOf = (taker: string, names: readonly string[], word: string): VmlintError =>
  usage(`${taker} takes ${list(names, "or")}${word && `, not "${word}"`}.${hint(word, names, String)}`);

/** The value of an option that is a number. */
export function wholeNumber(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw usage(`${option} takes a whole number, not "${text}".`);
  return Number(text);
}

/** Compares names, because each separately loaded part of the command has its own copy of the class. */
export const isVmlintError = (error: unknown): error is VmlintError => error instanceof Error && error.name === "VmlintError";

/** How V8 refuses a text of more characters than it can count (2^29 - 24 in Node 20): a report of millions of findings, say. */
export const isTooLong = (error: unknown): boolean => error instanceof RangeError && error.message === "Invalid string length";

/** A line of text, wrapped to the width of a terminal. */
export const lines = (text: string, width: number | undefined, hanging?: number): string => `${wrapped(text, width, hanging).join("\n")}\n`;
