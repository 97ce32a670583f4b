import type { Change } from "../../model/change.ts";
import type { TextEdit } from "../../model/parsed.ts";
import type { Range } from "../../model/source.ts";
import { ADVANCED, optionText } from "../advanced.ts";
import type { Field, Place, Spot } from "./kind.ts";
import { at, isNothing, rangeOf, startOfBlock, type Value } from "./tree.ts";

/** Replaces a value where it stands, and puts a line before the first key where it is not. */
export function editYaml(text: string, span: Range, place: Place, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (const change of changes) {
    const edit = editOf(text, span, place, change);
    if (!edit) return undefined;
    edits.push(edit);
  }
  return edits;
}

function editOf(text: string, span: Range, place: Place, change: Change): TextEdit | undefined {
  const spot = change.setting === "scsiType" ? place.scsi.get(change.controller) : place.stated.get(change.setting);
  if (spot) return replaced(span, spot, change.value);
  if (change.setting === "scsiType") return undefined;
  const { setting, value } = change;
  const field = place.fields[setting] as Field<unknown> | undefined;
  if (field) {
    const key = field.path.at(-1) ?? "";
    const written = field.write(value);
    return written === undefined ? undefined : before(text, span, at(place.base, field.path.slice(0, -1)), `${key}: ${written}`);
  }
  if (!(setting in ADVANCED) || !place.options) return undefined;
  return withOption(text, span, place, ADVANCED[setting as keyof typeof ADVANCED][0], `"${optionText(setting, value)}"`);
}

/** What stands outside of the VM is shared with others, and a variable may be: both are left alone. */
function replaced(span: Range, { value, write }: Spot, wanted: unknown): TextEdit | undefined {
  const newText = write(wanted as never);
  const range = rangeOf(value);
  return newText === undefined || value.usedAt || !isInside(range, span) ? undefined : { range, newText };
}

function withOption(text: string, span: Range, { options, base }: Place, key: string, written: string): TextEdit | undefined {
  if (!options) return undefined;
  const { style, value } = options;
  if (style === "mapping") {
    const line = `${key}: ${written}`;
    return isNothing(value) ? before(text, span, base, `${options.key}: { ${line} }`) : before(text, span, value, line);
  }
  const item = `{ key: ${key}, value: ${written} }`;
  return isNothing(value) ? before(text, span, base, `${options.key}: [${item}]`) : before(text, span, value, `- ${item}`);
}

/** A line of its own before the first key or item of a block; one in braces, or of another VM, is left alone. */
function before(text: string, span: Range, block: Value, line: string): TextEdit | undefined {
  const start = startOfBlock(block);
  if (start === undefined || !isInside([start, start], span)) return undefined;
  // The first key of an item of a list stands behind the dash.
  const indent = /(?:^|[\r\n])([ ]*(?:- +)*)$/.exec(text.slice(Math.max(0, start - 200), start))?.[1];
  if (indent === undefined) return undefined;
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  return { range: [start, start], newText: `${line}${eol}${indent.replaceAll("-", " ")}` };
}

const isInside = ([start, end]: Range, [from, to]: Range): boolean => start >= from && end <= to;
