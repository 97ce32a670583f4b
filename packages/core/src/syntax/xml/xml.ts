import { SaxesParser, type SaxesTagNS } from "saxes";
import type { Located, Range } from "../../model/source.ts";
import { DEEPEST, excessOf, NESTED } from "../extent.ts";

/** An element of an XML document with its local name and namespace; prefixes are ignored. */
export interface Element {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: readonly Attribute[];
  readonly children: readonly Element[];
  /** The text of an element without children, trimmed. */
  readonly content: XmlText;
  /** Its opening tag, and the offset behind its closing tag. */
  readonly tag: Range;
  readonly end: number;
}

export interface Attribute extends XmlText {
  readonly name: string;
  readonly namespace: string;
}

/** A text of a document, or of another language with the same tree. */
interface XmlText extends Located<string> {
  /** Why the other language does not decide it. */
  readonly unsure?: string | undefined;
}

export interface Broken {
  readonly message: string;
  readonly offset: number;
}

interface XmlDocument {
  readonly root: Element;
  readonly comments: readonly Range[];
}

interface Open extends Element {
  readonly attributes: Attribute[];
  readonly children: Element[];
  /** Offset behind its opening tag. */
  readonly start: number;
  text: string;
}

/** Parses a well-formed document with ranges, or returns its first error. Entities are never expanded. */
export function readXml(text: string): XmlDocument | Broken {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: Open[] = [];
  const comments: Range[] = [];
  let ranges: Range[] = [];
  let root: Element | undefined;
  let broken: Broken | undefined;
  let parts = 0;
  const fail = (message: string): never => {
    broken = { message, offset: Math.min(parser.position, text.length) };
    throw broken;
  };

  parser.on("error", ({ message }) => fail(message));
  parser.on("opentagstart", () => {
    ranges = [];
  });
  parser.on("attribute", () => {
    // The parser is behind the closing quote, which the value itself cannot contain.
    const end = parser.position - 1;
    ranges.push([text.lastIndexOf(text[end] ?? "", end - 1) + 1, end]);
  });
  parser.on("opentag", (tag) => {
    parts += 1 + ranges.length;
    const excess = open.length === DEEPEST ? NESTED : excessOf(parts, "XML elements");
    if (excess !== undefined) fail(excess);
    const start = parser.position;
    // Neither a name nor a value has this sign.
    const range: Range = [text.lastIndexOf("<", start - 1), start];
    open.push({ ...named(tag, ranges), tag: range, end: start, start, children: [], content: NOTHING, text: "" });
  });
  parser.on("text", (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
  });
  parser.on("cdata", (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
  });
  parser.on("comment", () => {
    const end = text.lastIndexOf("--", parser.position - 1);
    comments.push(trimmed(text, text.lastIndexOf("<!--", end - 1) + "<!--".length, end));
  });
  parser.on("closetag", ({ isSelfClosing }) => {
    const element = open.pop();
    if (!element) return;
    const { start, text: value, ...rest } = element;
    const end = isSelfClosing ? start : text.lastIndexOf("</", parser.position - 1);
    const content = rest.children.length > 0 ? NOTHING : { value: value.trim(), range: trimmed(text, start, Math.max(start, end)) };
    const closed = { ...rest, content, end: parser.position };
    const parent = open.at(-1);
    if (parent) parent.children.push(closed);
    else root = closed;
  });

  try {
    parser.write(text).close();
  } catch (error) {
    if (!broken || error !== broken) throw error;
    return broken;
  }
  return root ? { root, comments } : { message: "it has no element", offset: 0 };
}

const NOTHING: Located<string> = { value: "", range: [0, 0] };

function named({ local, uri, attributes }: SaxesTagNS, ranges: readonly Range[]) {
  return {
    name: local,
    namespace: uri,
    attributes: Object.values(attributes).map((attribute, i) => ({
      name: attribute.local,
      namespace: attribute.uri,
      value: attribute.value,
      range: ranges[i] ?? NOTHING.range,
    })),
  };
}

function trimmed(text: string, start: number, end: number): Range {
  const inside = text.slice(start, end);
  const from = start + inside.length - inside.trimStart().length;
  return [from, Math.max(from, start + inside.trimEnd().length)];
}
