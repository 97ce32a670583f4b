import type { ParsedHcl } from "./ast.ts";
import { file } from "./bodies.ts";
import { Layout } from "./layout.ts";
import { Reader } from "./reader.ts";

/**
 * Parses HCL native syntax (HashiCorp's specification, hclsyntax/spec.md). A text with a syntax error is read once more, by
 * how its lines are laid out, so that a line one is typing takes nothing from its neighbours.
 */
export function parseHcl(text: string): ParsedHcl {
  const strict = parse(new Reader(text));
  if (strict.errors.length === 0) return strict;
  const lenient = parse(new Reader(text, new Layout(text)));
  return lenient.errors.length > 0 ? lenient : { ...lenient, errors: strict.errors };
}

function parse(reader: Reader): ParsedHcl {
  const body = file(reader);
  return { body, comments: reader.comments, errors: reader.errors };
}
