import type { SyntaxError as Mistake, TemplatePart } from "./ast.ts";
import { expression } from "./expressions.ts";
import { Reader } from "./reader.ts";
import { templateParts } from "./templates.ts";

/** Reads a text that is a template as a whole, and in which nothing is escaped but `$${` and `%%{`: a string of JSON. */
export function parseTemplate(text: string): { readonly parts: readonly TemplatePart[]; readonly errors: readonly Mistake[] } {
  const reader = new Reader(text);
  reader.at = 0;
  return { parts: templateParts(reader, expression), errors: reader.errors };
}
