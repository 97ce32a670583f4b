import { EditedRanges } from "../fix/edited-ranges.ts";
import { DISABLE } from "../formats/directive.ts";
import { type Diagnostic, type Fix, fixTitle } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { type Range, touches } from "../model/source.ts";
import type { OpenDocument } from "./document.ts";

/** A fix that a user can choose. */
export interface Action {
  readonly title: string;
  readonly fix: Fix;
  readonly finding: Diagnostic;
}

/** Returns the fixes of the findings that a selection touches. */
export const actionsAt = ({ result, tidied = (edits) => edits }: OpenDocument, selection: Range): readonly Action[] =>
  result.diagnostics
    .filter(({ range }) => touches(range, selection))
    .flatMap((finding) => finding.fixes.map((fix) => ({ title: fixTitle(fix), fix: { ...fix, edits: tidied(fix.edits) }, finding })));

/** Returns suppression comments for the findings that a selection touches: one per rule, for its lines or for the file. */
export function suppressionsAt({ text, result, comments }: OpenDocument, selection: Range): readonly Omit<Action, "finding">[] {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const before = text === "" || /[\r\n]$/.test(text) ? "" : eol;
  // Only if the format would read it as a comment.
  const isRead = (at: number, newText: string): boolean =>
    comments?.(text.slice(0, at) + newText + text.slice(at)).some(([from]) => from >= at && from < at + newText.length) === true;
  const endsOfRules = new Map<string, Set<number>>();
  for (const { ruleId, range } of result.diagnostics.filter(({ range }) => touches(range, selection))) {
    const lineEnd = range[0] + text.slice(range[0]).search(/[\r\n]|$/);
    getOrInsert(endsOfRules, ruleId, () => new Set()).add(lineEnd);
  }
  return [...endsOfRules].flatMap(([ruleId, ends]) => {
    const lines = ends.size > 1 ? `these ${ends.size} lines` : "this line";
    const places = [
      { title: `Accept ${ruleId} on ${lines}`, ends: [...ends], newText: ` # ${DISABLE}-line ${ruleId}` },
      { title: `Accept ${ruleId} in this file`, ends: [text.length], newText: `${before}# ${DISABLE}-file ${ruleId}${eol}` },
    ];
    return places
      .filter(({ ends, newText }) => ends.every((at) => isRead(at, newText)))
      .map(({ title, ends, newText }) => ({
        title,
        fix: { title, safety: "safe" as const, edits: ends.map((at) => ({ range: [at, at] as const, newText })) },
      }));
  });
}

/** A finding that a configuration can suppress, without the reason. */
export interface Acceptable {
  readonly title: string;
  readonly rule: string;
  readonly vm: string | undefined;
}

/** Returns the findings in a selection that the nearest configuration can suppress: one per rule and VM. */
export function acceptableAt({ result }: OpenDocument, selection: Range, configName: string): readonly Acceptable[] {
  const overlapping = result.diagnostics.filter(({ range }) => touches(range, selection));
  return [...new Map(overlapping.map((finding) => [`${finding.ruleId} ${finding.vm}`, finding])).values()].map(({ ruleId, vm, vms }) => ({
    title: `Accept ${ruleId}${vm && !vms ? ` of ${vm}` : ""} in ${configName}, with a reason...`,
    rule: ruleId,
    vm: (vms ? undefined : vm) || undefined,
  }));
}

/** Returns the safe fixes of a document that can be applied together, as one list of edits. */
export function safeFixes({ result }: OpenDocument): readonly Fix[] {
  const edits = new EditedRanges();
  const preferred: Fix[] = [];
  for (const { fixes } of result.diagnostics) {
    const fix = fixes.find(({ safety }) => safety === "safe");
    if (!fix || edits.conflictsWith(fix)) continue;
    edits.add(fix);
    preferred.push(fix);
  }
  return preferred;
}
