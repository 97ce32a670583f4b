import type { SourceFile, Sources } from "../../model/files.ts";
import { known, type Range, type Setting, type TextEdit } from "../../model/source.ts";
import type { Change, ScsiType, VmSpec } from "../../model/spec.ts";
import type { Attribute, Block } from "../../syntax/hcl/ast.ts";
import { flagText } from "../advanced.ts";
import type { Replacement } from "../yaml/kind.ts";
import type { ConfigBlock } from "./config-block.ts";
import type { Arguments, SettingReader } from "./setting-reader.ts";

/** The data that editing a VM needs. */
export interface EditPlace {
  /** The block of the VM. */
  readonly declaration: ConfigBlock;
  readonly arguments: Arguments;
  /** The argument for the type of its SCSI controllers, if it can be added, and the names of the types. */
  readonly scsi?: { readonly argument?: string; readonly names: Readonly<Record<ScsiType, string>> };
  /** The value that makes ESXi choose the cores per socket, if there is one. */
  readonly automatic?: string | undefined;
  readonly reader: SettingReader;
  readonly sources: Sources;
}

/** Returns edits that replace the literals of settings, or add new arguments; `undefined` if a value cannot be written. */
export function editDeclared(vm: VmSpec, place: EditPlace, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (const change of changes) {
    const edit = editOf(vm, place, change);
    if (!edit) return undefined;
    edits.push(...edit);
  }
  return edits;
}

/** Returns edits that replace literals by the places of their values; `undefined` if a value is no literal. */
export function editReplacements(replacements: readonly Replacement[] | undefined, place: EditPlace): readonly TextEdit[] | undefined {
  const edits = replacements?.map(({ at, text }) => replaced(known(text, at), text, place));
  return edits?.every((edit) => edit !== undefined) ? edits.flat() : undefined;
}

function editOf(vm: VmSpec, place: EditPlace, change: Change): readonly TextEdit[] | undefined {
  const value = valueText(change, place);
  if (value === undefined) return undefined;
  if (change.setting === "scsiType") {
    const type = vm.scsiControllers.find(({ id }) => id === change.controller)?.type;
    // One argument may set the type of all controllers, including the boot controller.
    if (!type || vm.scsiControllers.some((other) => other.id !== change.controller && other.type === type)) return undefined;
    return replaced(type, value, place) ?? inserted(place.scsi?.argument, value, place);
  }
  const current: Setting<unknown> = vm.settings[change.setting];
  return current.state === "absent" ? inserted(place.arguments[change.setting]?.[0], value, place) : replaced(current, value, place);
}

/** Returns the value as HCL; undefined if the argument cannot express it. */
function valueText({ setting, value }: Change, { scsi, automatic }: EditPlace): string | undefined {
  if (setting === "scsiType") return scsi && `"${scsi.names[value]}"`;
  if (setting === "coresPerSocket" && value === "auto") return automatic;
  if (value === "unlimited") return "-1";
  if (typeof value === "boolean") return flagText(setting, value, "true", "false");
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? `"${value}"` : `"${value.join(",")}"`;
}

const LITERAL = /^(?:-?\d+(?:\.\d+)?|true|false|"[^"\\$%\n]*")$/;

function replaced(current: Setting<unknown>, value: string, { reader, sources }: EditPlace): readonly TextEdit[] | undefined {
  const literal = reader.literalOf(current);
  const file = literal && sources.at(literal[0]);
  if (!literal || !file) return undefined;
  const text = file.text.slice(literal[0] - file.start, literal[1] - file.start);
  if (!LITERAL.test(text)) return undefined;
  const bare = value.replace(/^"|"$/g, "");
  // Keeps the quotes of a text.
  if (text.startsWith('"')) return [{ range: [literal[0] + 1, literal[1] - 1], newText: bare }];
  return value.startsWith('"') ? undefined : [{ range: literal, newText: value }];
}

/** Adds a line below a related argument. If the equals signs are aligned as by `terraform fmt`, they stay aligned. */
function inserted(argument: string | undefined, value: string, place: EditPlace): readonly TextEdit[] | undefined {
  const { declaration, arguments: table } = place;
  const { block, file } = declaration;
  if (argument === undefined || declaration.attributes.has(argument) || file.path.endsWith(".json")) return undefined;
  const related = new Set(Object.values(table).map(([name]) => name as string));
  const lines = linesOf(block, file.text);
  const first = table.vcpus?.[0];
  const anchor = lines.find(({ attribute }) => attribute.name === first) ?? lines.find(({ attribute }) => related.has(attribute.name));
  if (!anchor?.isWhole) return undefined;
  const group = groupOf(lines, anchor);
  const width = Math.max(...group.map(({ attribute }) => attribute.name.length));
  const isFormatted = group.every(({ attribute, gap }) => file.text.slice(...gap) === " ".repeat(width - attribute.name.length + 1));
  const growth = isFormatted ? Math.max(0, argument.length - width) : 0;
  const moved = growth > 0 ? group.map(({ gap: [, at] }) => ({ range: globally([at, at], file), newText: " ".repeat(growth) })) : [];
  const gap = " ".repeat(isFormatted ? width + growth - argument.length + 1 : 1);
  let at = group.indexOf(anchor);
  // The comments of consecutive lines stay aligned too.
  while (group[at]?.hasComment && group[at + 1]?.hasComment) at++;
  const { end, eol, indent } = group[at] ?? anchor;
  return [...moved, { range: globally([end, end], file), newText: `${eol}${indent}${argument}${gap}= ${value}` }];
}

const globally = ([start, end]: Range, { start: base }: SourceFile): Range => [start + base, end + base];

/** The line of an argument. */
interface Line {
  readonly attribute: Attribute;
  readonly number: number;
  /** The number of its last line. */
  readonly last: number;
  readonly indent: string;
  /** The spaces between the name and the equals sign. */
  readonly gap: Range;
  /** The offset before its line end, which is `eol`. */
  readonly end: number;
  readonly eol: string;
  /** Whether the line contains only this argument and complete comments. */
  readonly isWhole: boolean;
  readonly hasComment: boolean;
  /** Whether its equals sign is aligned with adjacent lines, because no bracket is open (hclwrite, format.go: linesForFormat). */
  readonly isAligned: boolean;
}

/** The text that may follow a value on its line: comments that end on the line. */
const ENDS_LINE = /^[ \t]*(?:\/\*(?:[^*]|\*(?!\/))*\*\/[ \t]*)*(?:$|#|\/\/)/;

function linesOf({ body, start: first }: Block, text: string): readonly Line[] {
  const lines: Line[] = [];
  let number = 0;
  let counted = first;
  for (const attribute of body.attributes.toSorted((a, b) => a.start - b.start)) {
    const { start, nameEnd, value, end: valueEnd } = attribute;
    number += linesIn(text.slice(counted, start));
    counted = start;
    const indent = /(?:^|\n)([ \t]*)$/.exec(text.slice(Math.max(0, start - 200), start))?.[1];
    const eol = /\r?\n/.exec(text.slice(start));
    if (indent === undefined || !eol) continue;
    const equals = text.indexOf("=", nameEnd);
    const end = start + eol.index;
    const isWhole = valueEnd <= end && /^[ \t]*$/.test(text.slice(nameEnd, equals)) && ENDS_LINE.test(text.slice(valueEnd, end));
    const hasComment = text.slice(valueEnd, end).trim() !== "";
    const isAligned = isWhole || (value.kind === "template" && value.heredoc);
    const last = number + linesIn(text.slice(start, valueEnd).trimEnd());
    lines.push({ attribute, number, last, indent, gap: [nameEnd, equals], end, eol: eol[0], isWhole, hasComment, isAligned });
  }
  return lines;
}

const linesIn = (text: string): number => text.split("\n").length - 1;

/** Returns the consecutive lines around a line, which share the column of their equals signs. */
function groupOf(lines: readonly Line[], anchor: Line): readonly Line[] {
  let from = lines.indexOf(anchor);
  let to = from;
  while (lines[from - 1]?.isAligned && lines[from - 1]?.last === (lines[from]?.number ?? 0) - 1) from--;
  while (lines[to + 1]?.isAligned && lines[to + 1]?.number === (lines[to]?.last ?? 0) + 1) to++;
  return lines.slice(from, to + 1);
}
