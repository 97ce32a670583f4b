import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar } from "yaml";
import { rangeIn, type SourceFile } from "../../../model/files.ts";
import { lastAnswer, onceFor } from "../../../model/memoize.ts";
import { composeDocuments } from "../../yaml/compose.ts";
import { convert } from "../convert.ts";
import { parseReal } from "../real.ts";
import {
  boolValue,
  failure,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  type Unknown,
  unknownValue,
  type Value,
  withTrace,
} from "../value.ts";
import { STRING } from "../value-type.ts";
import { type Definition, fileOf, holds } from "./define-function.ts";

const NOT_SURE = "this YAML is not evaluated";

/** Evaluates scalars that all YAML readers agree on: plain words, whole numbers, simple fractions, true, false and null. */
function plainScalar(text: string): Value {
  if (text === "" || text === "~" || text === "null") return nullValue();
  if (text === "true" || text === "false") return boolValue(text === "true");
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text)) return numberValue(parseReal(text));
  // Libraries disagree about dates and about other notations of numbers and booleans.
  return /^[-+.\d]|^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i.test(text) ? unknownValue(NOT_SURE) : stringValue(text);
}

/**
 * A block scalar. On one line it may look like another plain value, and its end is ambiguous if the text lacks a final line end
 * (go-cty-yaml, resolve.go: resolveScalar; scannerc.go: yaml_parser_scan_block_scalar; checked against Terraform itself).
 */
function blockScalar({ value, range }: Scalar, text: string): Value {
  const lines = String(value);
  const isCut = (range?.[1] ?? text.length) >= text.length && !/[\r\n]$/.test(text);
  if ((isCut && /[\r\n][ \t]+$/.test(text)) || /^\n*\t/.test(lines)) return unknownValue(NOT_SURE);
  const whole = isCut ? lines.replace(/\n$/, "") : lines;
  if (whole.includes("\n")) return stringValue(whole);
  const word = plainScalar(whole);
  return word.kind === "null" ? word : convert(word, STRING);
}

/** The text of a YAML document, and its file if the text is all of one. */
interface Source {
  readonly text: string;
  readonly file: SourceFile | undefined;
}

/** Converts a node to a value of the language; with a file, each part has its own trace. */
function valueOfNode(node: Node | null, source: Source, depth = 0): Value {
  const value = untraced(node, source, depth);
  return source.file && node?.range
    ? withTrace(value, [{ range: rangeIn(source.file, [node.range[0], node.range[1]]), what: "written here" }])
    : value;
}

function untraced(node: Node | null, source: Source, depth: number): Value {
  if (depth > 50) return unknownValue(NOT_SURE);
  if (node === null) return nullValue();
  if (isAlias(node) || node.tag !== undefined) return unknownValue(NOT_SURE);
  if (isScalar(node)) {
    if (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED) return blockScalar(node, source.text);
    const isPlain = node.type === undefined || node.type === Scalar.PLAIN;
    return isPlain ? plainScalar(node.source ?? "") : stringValue(String(node.value));
  }
  if (isSeq(node)) return tupleValue(node.items.map((item) => valueOfNode(item as Node | null, source, depth + 1)));
  if (!isMap(node)) return unknownValue(NOT_SURE);
  const entries = new Map<string, Value>();
  for (const { key, value } of node.items as readonly Pair<Node, Node | null>[]) {
    const name = valueOfNode(key, source, depth + 1);
    // Merge keys, duplicate keys and keys that are not text depend on Terraform's own reader.
    if (name.kind !== "string" || name.value === "<<" || entries.has(name.value)) return unknownValue(NOT_SURE);
    entries.set(name.value, valueOfNode(value, source, depth + 1));
  }
  return objectValue(entries);
}

/** Line ends in YAML 1.1, which Go's reader follows, but not in the library here. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/;

function decoded(text: string, file?: SourceFile): Value | Unknown {
  if (OTHER_LINE_ENDS.test(text)) return unknownValue(NOT_SURE);
  const [document, another] = composeDocuments(text, { uniqueKeys: false });
  if (!document || another || document.errors.length > 0) return unknownValue(NOT_SURE);
  return valueOfNode(document.contents as Node | null, { text, file });
}

const ofText = lastAnswer((text) => decoded(text));
const ofFile = onceFor((file: SourceFile) => decoded(file.text, file));

/** Terraform's functions/yamldecode, for unambiguous YAML. */
export const yamldecode: Definition = {
  parameters: [{ type: STRING }],
  call: ([text]) => {
    if (!text) return failure("a text is needed");
    const file = fileOf(text);
    return file ? ofFile(file) : ofText(holds.text(text));
  },
};
