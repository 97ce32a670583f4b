import type { SyntaxError as Mistake, TemplatePart } from "./ast.ts";
import { expression } from "./expressions.ts";
import { Reader } from "./reader.ts";
import { templateParts } from "./templates.ts";

/** Parses a whole text as a template, with only the escapes `$${` and `%%{`, as in a JSON string. */
export function parseTemplate(text: string): { readonly parts: readonly TemplatePart[]; readonly errors: readonly Mistake[] } {
  const reader = new Reader(text);
  reader.at = 0;
  return { parts: templateParts(reader, expression), errors: reader.errors };
}
