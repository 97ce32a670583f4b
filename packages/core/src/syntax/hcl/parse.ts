import type { SyntaxError as Mistake, ParsedHcl } from "./ast.ts";
import { file } from "./bodies.ts";
import { Indentation } from "./indentation.ts";
import { Reader } from "./reader.ts";

/**
 * Parses HCL native syntax (HashiCorp's specification, hclsyntax/spec.md). A text with a syntax error is read once more, by
 * how its lines are laid out, so that a line one is typing takes nothing from its neighbours.
 */
export function parseHcl(text: string): ParsedHcl {
  const strict = parse(new Reader(text));
  const [first] = strict.errors;
  if (!first) return strict;
  const filled = filledIn(text, first);
  if (filled) return { ...strict, body: { attributes: [], blocks: [], start: 0, end: text.length }, errors: [filled] };
  const lenient = parse(new Reader(text, new Indentation(text)));
  return lenient.errors.length > 0 ? lenient : { ...lenient, errors: strict.errors };
}

function parse(reader: Reader): ParsedHcl {
  const body = file(reader);
  return { body, comments: reader.comments, errors: reader.errors };
}

/**
 * What is said of a text that Jinja or the like makes HCL of, told by the line that cannot be read: which of its other lines will stay is
 * not known.
 */
function filledIn(text: string, first: Mistake): Mistake | undefined {
  const from = text.lastIndexOf("\n", first.range[0] - 1) + 1;
  const end = text.indexOf("\n", from);
  const line = text.slice(from, end < 0 ? text.length : end).replace(QUOTED, (quoted) => " ".repeat(quoted.length));
  const at = line.search(/(?<![$%])\{[{%]/);
  if (at < 0) return undefined;
  const message = `${line.slice(at, at + 2)} is another program's, such as Jinja's. Check what that program writes, or list this file under ignore`;
  return { message, range: [from + at, from + at + 2] };
}

/** An open one ends with the line: each quote is looked at once. */
const QUOTED = /"(?:[^"\\]|\\.)*"?/g;
