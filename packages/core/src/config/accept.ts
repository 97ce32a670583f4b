import { isMap, isSeq, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { applyEdits } from "../lint/apply-edits.ts";
import { nameOf } from "../model/files.ts";
import { startOfLine, type TextEdit } from "../model/source.ts";
import { globOf } from "./globs.ts";
import { inOneLine, insert, isSame, pairOf } from "./host-edit.ts";
import { readLayer } from "./layers.ts";

/** A finding to suppress. */
export interface Accepted {
  readonly rule: string;
  /** The VM's name; without one, every VM of the file. */
  readonly vm?: string | undefined;
  /** The path of the file, relative to the configuration. */
  readonly path: string;
  readonly reason: string;
}

/**
 * Returns the edit that adds an entry to `suppress:` of a configuration and leaves the rest unchanged; `undefined` if no such edit works.
 * Throws CONFIG_INVALID if the configuration is invalid.
 */
export function acceptIn(text: string, path: string, { rule, vm, path: file, reason }: Accepted): TextEdit | undefined {
  const before = readLayer(text, path).raw;
  const entry = { rule, ...(vm && { vm: globOf(vm) }), path: globOf(file), ...(reason.trim() && { reason: reason.trim() }) };
  const document = parseDocument(text, { logLevel: "error" });
  const edit = editFor(text, nameOf(path) === "package.json" ? document.get("vmlint", true) : document.contents, entry);
  if (!edit) return undefined;
  // Reads the result back, because the file may have any layout.
  const after = { ...before, suppress: [...(before.suppress ?? []), entry] };
  try {
    return isSame(readLayer(applyEdits(text, [edit]), path).raw, after) ? edit : undefined;
  } catch {
    return undefined;
  }
}

type Entry = Readonly<Record<string, string>>;

function editFor(text: string, root: unknown, entry: Entry): TextEdit | undefined {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const [flow, json] = [inOneLine(entry), jsonText(entry)];
  if (isMap(root) && root.flow) return inFlowMap(text, root, json, eol);
  const pair = isMap(root) ? pairOf(root, "suppress") : undefined;
  if (!pair) return atEnd(text, isMap(root) ? columnOf(text, root) : 0, flow, eol);
  const list = pair.value;
  if (!isSeq(list)) return undefined;
  return list.flow ? inFlowSeq(text, list, flow, eol) : inBlockSeq(text, list, flow, eol);
}

const jsonText = (entry: Entry): string =>
  `{ ${Object.entries(entry)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(", ")} }`;

function atEnd(text: string, column: number, flow: string, eol: string): TextEdit {
  const before = text === "" || /[\r\n]$/.test(text) ? "" : eol;
  const indent = " ".repeat(column);
  return insert(text.length, `${before}${indent}suppress:${eol}${indent}  - ${flow}${eol}`);
}

function inBlockSeq(text: string, list: YAMLSeq, flow: string, eol: string): TextEdit {
  const line = `${" ".repeat(columnOf(text, list))}- ${flow}`;
  const end = (list.items.at(-1) as Node | undefined)?.range?.[1] ?? list.range?.[1] ?? text.length;
  // The end of a multi-line value is at the start of the next line.
  if (/[\r\n]/.test(text[end - 1] ?? "")) return insert(end, `${line}${eol}`);
  return insert(endOfLine(text, end), `${eol}${line}`);
}

function inFlowSeq(text: string, list: YAMLSeq, entry: string, eol: string): TextEdit {
  return behindLast(text, list, (list.items as readonly Node[]).at(-1), entry, eol);
}

function inFlowMap(text: string, map: YAMLMap, entry: string, eol: string): TextEdit | undefined {
  const list = pairOf(map, "suppress")?.value;
  if (list) return isSeq(list) && list.flow ? inFlowSeq(text, list, entry, eol) : undefined;
  const last = (map.items as readonly Pair<Node, Node | null>[]).at(-1);
  return behindLast(text, map, last?.value ?? last?.key, `"suppress": [${entry}]`, eol);
}

/** Adds an entry on its own line if the previous one has its own line. */
function behindLast(text: string, collection: Node, last: Node | undefined, entry: string, eol: string): TextEdit {
  const [start = 0, end = 0] = collection.range ?? [];
  if (!last?.range) return insert(start + 1, entry);
  const [from, at] = last.range;
  const ownLine = /[\r\n]/.test(text.slice(at, end));
  const indent = /^[ \t]*/.exec(text.slice(startOfLine(text, from)))?.[0] ?? "";
  return insert(at, ownLine ? `,${eol}${indent}${entry}` : `, ${entry}`);
}

const endOfLine = (text: string, offset: number): number => offset + text.slice(offset).search(/[\r\n]|$/);

function columnOf(text: string, { range }: Node): number {
  const start = range?.[0] ?? 0;
  return start - startOfLine(text, start);
}
