import type { Range } from "../../model/source.ts";
import type { Attribute, Block, Body, Label } from "./ast.ts";
import * as char from "./characters.ts";
import { expression, missing } from "./expressions.ts";
import type { Reader } from "./reader.ts";
import { quoted } from "./templates.ts";

/** What a body holds, while it is read. */
interface Content {
  readonly attributes: Attribute[];
  readonly blocks: Block[];
}

/** Reads a whole file. */
export function file(reader: Reader): Body {
  const content: Content = { attributes: [], blocks: [] };
  while (reader.skipNewlines() !== char.END) {
    item(reader, content);
    const code = reader.peek();
    if (code !== char.LF && code !== char.END) reader.error("A new line is missing here.");
  }
  return { ...content, range: [0, reader.text.length] };
}

/** Reads what stands between braces, from behind the opening one to behind the closing one. */
function braced(reader: Reader): Body {
  const start = reader.at;
  const content: Content = { attributes: [], blocks: [] };
  let isOneLine = reader.peek() !== char.LF;
  for (;;) {
    reader.skipNewlines();
    const closer = reader.takeCloser();
    if (closer === "closed") return { ...content, range: [start, reader.at - 1] };
    if (closer === "unclosed") return { ...content, range: [start, reader.at] };
    if (closer === "stray") continue;
    item(reader, content);
    const code = reader.peek();
    if (isOneLine && (code !== char.CLOSE_BRACE || content.blocks.length > 0)) {
      reader.error("A block on one line holds one attribute at most, and ends there.");
      isOneLine = false;
    } else if (!isOneLine && code !== char.LF) {
      reader.error("A new line is missing here.");
    }
  }
}

/** Reads the attribute or block that begins at the current position. */
function item(reader: Reader, content: Content): void {
  const start = reader.at;
  const name = reader.name();
  const nameRange: Range = [start, reader.at];
  const code = reader.peek();
  if (name === "") {
    reader.error("An attribute or a block is expected here: both begin with a name.");
    reader.recover(start);
  } else if (code === char.EQUALS && reader.ahead() !== char.EQUALS) {
    content.attributes.push(attribute(reader, name, nameRange));
  } else {
    const read = block(reader, name, nameRange);
    if (read) content.blocks.push(read);
  }
}

function attribute(reader: Reader, name: string, nameRange: Range): Attribute {
  const start = nameRange[0];
  reader.at++;
  const value = expression(reader);
  const code = reader.peek();
  if (code === char.LF || code === char.END || code === char.CLOSE_BRACE) return { name, nameRange, value, range: [start, value.range[1]] };
  reader.error("A new line is missing here.");
  reader.recover(start);
  return { name, nameRange, value: missing([value.range[0], reader.at]), range: [start, reader.at] };
}

/** Undefined when no block is there: a name alone, as one begins to type it. */
function block(reader: Reader, type: string, typeRange: Range): Block | undefined {
  const start = typeRange[0];
  const labels = labelsOf(reader);
  const hasBrace = reader.peek() === char.OPEN_BRACE;
  if (!hasBrace) {
    reader.error(labels.length > 0 ? "{ is missing here." : "= or { is missing here.");
    reader.skipLine();
    if (!reader.layout?.isFollowedByDeeper(start)) return undefined;
  }
  const before = reader.descend();
  reader.open(hasBrace ? 1 : 0, false);
  const body = braced(reader);
  reader.close();
  reader.ascend(before);
  return { type, typeRange, labels, body, range: [start, reader.at] };
}

function labelsOf(reader: Reader): readonly Label[] {
  const labels: Label[] = [];
  for (;;) {
    const isQuoted = reader.peek() === char.QUOTE;
    const start = reader.at;
    const value = isQuoted ? quotedLabel(reader) : reader.name();
    if (reader.at === start) return labels;
    labels.push({ value, range: isQuoted ? [start + 1, Math.max(start + 1, reader.at - 1)] : [start, reader.at] });
  }
}

function quotedLabel(reader: Reader): string {
  const start = reader.at;
  const string = quoted(reader);
  if (string.kind !== "template") return reader.text.slice(start + 1, reader.at);
  if (string.parts.some(({ kind }) => kind !== "text")) reader.error("A label is plain text: nothing is filled in.", start, reader.at);
  return string.parts.map((part) => (part.kind === "text" ? part.value : "")).join("");
}
