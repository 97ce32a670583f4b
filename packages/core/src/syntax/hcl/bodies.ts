import { type Attribute, type Block, type Body, type Label, missing } from "./ast.ts";
import * as char from "./characters.ts";
import { expression } from "./expressions.ts";
import type { Reader } from "./reader.ts";
import { quoted } from "./templates.ts";

/** The parts of a body during parsing. */
interface Content {
  readonly attributes: Attribute[];
  readonly blocks: Block[];
}

/** Reads a whole file. */
export function file(reader: Reader): Body {
  const attributes: Attribute[] = [];
  const blocks: Block[] = [];
  const content: Content = { attributes, blocks };
  while (reader.skipNewlines() !== char.END) {
    item(reader, content);
    const code = reader.peek();
    if (code !== char.LF && code !== char.END) reader.error("A new line is missing here.");
  }
  return { attributes, blocks, start: 0, end: reader.text.length };
}

/** Reads the content of a block, from after the opening brace to after the closing brace. */
function braced(reader: Reader): Body {
  const start = reader.at;
  const attributes: Attribute[] = [];
  const blocks: Block[] = [];
  const content: Content = { attributes, blocks };
  let isOneLine = reader.peek() !== char.LF;
  let isReported = false;
  for (;;) {
    const closer = reader.takeCloser();
    if (closer === "closed") return { attributes, blocks, start, end: reader.at - 1 };
    if (closer === "unclosed") return { attributes, blocks, start, end: reader.at };
    if (closer === "stray") continue;
    item(reader, content, isOneLine);
    const code = reader.peek();
    if (isOneLine && (code !== char.CLOSE_BRACE || blocks.length > 0)) {
      if (!isReported) reader.error("A block on one line holds one attribute at most, and ends there.");
      isReported = true;
      // As in an object, the attributes after a comma are read.
      if (code === char.COMMA) reader.at++;
      else isOneLine = false;
    } else if (!isOneLine && code !== char.LF) {
      reader.error("A new line is missing here.");
    }
  }
}

function item(reader: Reader, content: Content, mayEndAtComma = false): void {
  const readItem = (from: Reader) => attributeOrBlock(from, mayEndAtComma);
  const read = reader.attempt(readItem) ?? readItem(reader);
  if (!read) return;
  if ("type" in read) content.blocks.push(read);
  else content.attributes.push(read);
}

/** Reads the attribute or block at the current position; undefined if there is neither. */
function attributeOrBlock(reader: Reader, mayEndAtComma: boolean): Attribute | Block | undefined {
  const start = reader.at;
  const name = reader.name();
  const end = reader.at;
  if (name === "") {
    reader.error("An attribute or a block is expected here: both begin with a name.");
    reader.recover(start);
    return undefined;
  }
  const isAttribute = reader.peek() === char.EQUALS && reader.ahead() !== char.EQUALS;
  return isAttribute ? attribute(reader, name, start, end, mayEndAtComma) : block(reader, name, start, end);
}

function attribute(reader: Reader, name: string, start: number, nameEnd: number, mayEndAtComma: boolean): Attribute {
  const mistakes = reader.errors.length;
  reader.at++;
  const value = expression(reader);
  const code = reader.peek();
  if (code === char.LF || code === char.END || code === char.CLOSE_BRACE || (mayEndAtComma && code === char.COMMA)) {
    // The lines of an unclosed bracket can look like attributes.
    if (reader.errors.length > mistakes && code === char.LF) reader.recover(start);
    return { name, nameStart: start, nameEnd, value, start, end: value.end };
  }
  reader.error("A new line is missing here.");
  reader.recover(start);
  return { name, nameStart: start, nameEnd, value: missing(value.start, reader.at), start, end: reader.at };
}

/** Returns undefined if there is no block, such as for a name that is still being typed. */
function block(reader: Reader, type: string, start: number, typeEnd: number): Block | undefined {
  const labels = labelsOf(reader);
  const hasBrace = reader.peek() === char.OPEN_BRACE;
  if (!hasBrace) {
    reader.error(labels.length > 0 ? "{ is missing here." : "= or { is missing here.");
    reader.skipLine();
    if (!reader.layout?.isFollowedByDeeper(start)) return undefined;
  }
  if (reader.skipUnclear()) return undefined;
  reader.open(hasBrace ? 1 : 0, false);
  const before = reader.descend();
  const body = braced(reader);
  reader.ascend(before);
  reader.close();
  return { type, typeStart: start, typeEnd, labels, body, start, end: reader.at };
}

function labelsOf(reader: Reader): readonly Label[] {
  const labels: Label[] = [];
  for (;;) {
    const isQuoted = reader.peek() === char.QUOTE;
    const start = reader.at;
    const value = isQuoted ? quotedLabel(reader) : reader.name();
    if (reader.at === start) return labels;
    const quote = isQuoted ? 1 : 0;
    labels.push({ value, start: start + quote, end: Math.max(start + quote, reader.at - quote) });
  }
}

function quotedLabel(reader: Reader): string {
  const start = reader.at;
  const string = quoted(reader, expression);
  if (string.kind !== "template") return reader.text.slice(start + 1, reader.at);
  let label = "";
  for (const part of string.parts) {
    if (part.kind === "text") label += part.value;
    else reader.error("A label is plain text: nothing is filled in.", start, reader.at);
  }
  return label;
}
