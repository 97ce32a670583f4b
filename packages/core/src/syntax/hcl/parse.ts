import type { SyntaxError as Mistake, ParsedHcl } from "./ast.ts";
import { file } from "./bodies.ts";
import { Indentation } from "./indentation.ts";
import { Reader } from "./reader.ts";

/**
 * Parses HCL native syntax (HashiCorp's specification, hclsyntax/spec.md). A text with a syntax error is parsed again with its indentation,
 * so that an unfinished line does not affect its neighbours.
 */
export function parseHcl(text: string): ParsedHcl {
  const reader = new Reader(text);
  const strict = parse(reader);
  const [first] = strict.errors;
  if (!first || reader.isStopped) return strict;
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
 * Returns the error for a text that Jinja or a similar tool turns into HCL, judged by the first unreadable line: its other lines may not
 * stay either.
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

/** An unclosed quote ends with the line, so each quote is visited once. */
const QUOTED = /"(?:[^"\\]|\\.)*"?/g;
