import type { Range, TextEdit } from "../../model/source.ts";
import type { Change } from "../../model/spec.ts";
import { at, isAliased, isNothing, lineOfBlock, rangeOf, startOfBlock, type Value } from "../../syntax/yaml/tree.ts";
import { optionText } from "../advanced.ts";
import { PASSED_ON } from "../api-keys.ts";
import { VMX_SPELLINGS } from "../vmx/keys.ts";
import type { EditableValue, Field, ValuePlace } from "./kind.ts";

/** Returns edits that replace values, and add lines for missing ones. */
export function editYaml(text: string, span: Range, place: ValuePlace, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (const change of changes) {
    const edit = editOf(text, span, place, change);
    if (!edit) return undefined;
    edits.push(edit);
  }
  return edits;
}

function editOf(text: string, span: Range, place: ValuePlace, change: Change): TextEdit | undefined {
  if (wouldChangeReference(change, place)) return undefined;
  const spot = change.setting === "scsiType" ? place.scsi.get(change.controller) : place.statedValues.get(change.setting);
  if (spot) return replaced(span, spot, change.value);
  if (change.setting === "scsiType") return undefined;
  const { setting, value } = change;
  const field = place.fields[setting] as Field<unknown> | undefined;
  if (field) {
    const key = field.path.at(-1) ?? "";
    const newText = field.write(value);
    return newText === undefined ? undefined : added(text, span, at(place.base, field.path.slice(0, -1)), `${key}: ${newText}`, place);
  }
  const key = (place.options?.takesAll ? VMX_SPELLINGS : PASSED_ON).find(({ name }) => name === setting)?.key;
  return key === undefined ? undefined : withOption(text, span, place, key, `"${optionText(setting, value)}"`);
}

/** Whether another part of the text uses the value of a key that would change. */
function wouldChangeReference({ setting }: Change, { fields, options, statedValues, isReferenced }: ValuePlace): boolean {
  if (setting === "scsiType") return false;
  const spot = statedValues.get(setting);
  const isOption = spot !== undefined && options !== undefined && isInside(rangeOf(spot.value), rangeOf(options.value));
  const key = (isOption ? undefined : fields[setting]?.path[0]) ?? options?.key;
  return key !== undefined && isReferenced?.(key) === true;
}

/** Values outside of the VM, such as the target of an alias or a variable, may be shared, so they are not edited. */
function replaced(span: Range, { value, write }: EditableValue, newValue: unknown): TextEdit | undefined {
  const newText = write(newValue as never);
  const range = rangeOf(value);
  const isOwn = !value.usedAt && isInside(range, span) && !isAliased(value, range[0]);
  return newText === undefined || !isOwn ? undefined : { range, newText };
}

function withOption(text: string, span: Range, place: ValuePlace, key: string, newText: string): TextEdit | undefined {
  const { options, base } = place;
  if (!options) return undefined;
  const { style, value } = options;
  if (style === "mapping") {
    const line = `${key}: ${newText}`;
    return isNothing(value) ? added(text, span, base, `${options.key}: { ${line} }`, place) : added(text, span, value, line, place);
  }
  const item = `{ key: ${key}, value: ${newText} }`;
  return isNothing(value) ? added(text, span, base, `${options.key}: [${item}]`, place) : added(text, span, value, `- ${item}`, place);
}

/**
 * Adds a line below a one-line entry of a block, otherwise before its first entry and the comments above that. Leaves a block in braces, or
 * of another VM, alone.
 */
function added(text: string, span: Range, block: Value, line: string, { statedValues }: ValuePlace): TextEdit | undefined {
  const start = startOfBlock(block);
  if (start === undefined || !isInside([start, start], span) || isAliased(block, start)) return undefined;
  // The first key of a list item follows the dash.
  const indent = /(?:^|[\r\n])([ ]*(?:- +)*)$/.exec(text.slice(Math.max(0, start - 200), start))?.[1];
  if (indent === undefined) return undefined;
  const blanks = indent.replaceAll("-", " ");
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const lineStart = lineOfBlock(block, statedValues.get("vcpus")?.value);
  if (lineStart !== undefined) {
    const end = lineStart + text.slice(lineStart).search(/[\r\n]|$/);
    return { range: [end, end], newText: `${eol}${blanks}${line}` };
  }
  if (indent !== blanks) return { range: [start, start], newText: `${line}${eol}${blanks}` };
  const lines = text.slice(span[0], start).split(/(?<=\n|\r(?!\n))/);
  const comment = lines.slice(lines.slice(0, -1).findLastIndex((candidate) => !/^[ ]*#/.test(candidate)) + 1).join("");
  const place = start - comment.length;
  return { range: [place, place], newText: `${indent}${line}${eol}` };
}

const isInside = ([start, end]: Range, [from, to]: Range): boolean => start >= from && end <= to;
