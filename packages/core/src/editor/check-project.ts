import type { Format } from "../formats/format.ts";
import type { ParsedProject } from "../formats/project.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import { writtenVm } from "../lint/assume.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import type { SourceFile } from "../model/files.ts";
import type { Range, TextEdit } from "../model/source.ts";
import type { FileResult } from "../report/result.ts";
import type { CheckedProject } from "../workspace/units.ts";
import type { CheckedText } from "./check-text.ts";
import { type Place, placeIn, placesOf, type Row } from "./document.ts";

/** Returns the findings of files by path, without fixes of files that other projects use; files without findings are missing. */
export function findingsIn({ isOwn }: CheckedProject, results: readonly FileResult[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const findings = new Map<string, readonly Diagnostic[]>();
  for (const { path, diagnostics } of results) {
    const isOwnFix = ({ edits }: Fix): boolean => edits.every((edit) => isOwn(edit.path ?? path));
    const shown = diagnostics.map((one) => ({ ...one, fixes: one.fixes.filter(isOwnFix) }));
    if (shown.length > 0) findings.set(path, shown);
  }
  return findings;
}

/** Returns a file of a project as a document; `undefined` for a file that the project does not use. */
export function documentIn(
  { parsed, format, vms, isOwn }: CheckedProject,
  findings: ReadonlyMap<string, readonly Diagnostic[]>,
  path: string,
): Omit<CheckedText, "badHost"> | undefined {
  const file = parsed.sources.files.find((one) => one.path === path);
  if (!file) return undefined;
  const { text } = file;
  const row = rowOf(file, parsed);
  const tidied = tidiedIn(path, parsed, format);
  const isHere = (range: Range): boolean => placeIn({ text, row }, range) !== undefined;
  const isOf = (vm: LintedVm): boolean =>
    parsed.pathOf(writtenVm(vm.spec)) === path ||
    row.partsOf(writtenVm(vm.spec)).some(({ name }) => isHere(name)) ||
    Object.values(vm.spec.settings).some((setting) => setting.state !== "absent" && placesOf(vm, setting.range).some(isHere));
  return {
    text,
    result: { vms: vms.filter(isOf), diagnostics: findings.get(path) ?? [], skipped: [], foreign: undefined },
    comments: (of) => format.comments?.(of, path) ?? [],
    edit: (vm, changes) => {
      const edits = vm.edit?.(changes);
      // A place that defines several VMs is not edited for a single VM.
      if (!edits?.every(({ range }) => parsed.countUsers(range) <= 1)) return undefined;
      const placed = edits.map(({ range, newText }) => ({ ...row.placeOf(range), newText }));
      return placed.every((edit) => isOwn(edit.path ?? path)) ? tidied(placed) : undefined;
    },
    tidied,
    row,
  };
}

/** Returns a function that adds formatting edits; edits without a path belong to `path`. */
const tidiedIn =
  (path: string, { sources }: ParsedProject, format: Format) =>
  (edits: readonly TextEdit[]): readonly TextEdit[] =>
    [...new Set(edits.map((edit) => edit.path))].flatMap((other) => {
      const own = edits.filter((edit) => edit.path === other);
      const name = other ?? path;
      const text = sources.files.find((file) => file.path === name)?.text;
      if (text === undefined) return own;
      const after = applyEdits(text, own);
      const tidy = format.tidy?.(name, text, after) ?? [];
      const before = tidy.map((edit) => ({ ...edit, ...(other !== undefined && { path: other }), range: rangeBefore(edit.range, own) }));
      const all = [...own, ...before];
      // Text that an edit inserts has no range in the original.
      return applyEdits(text, all) === applyEdits(after, tidy) ? all : own;
    });

/** Returns the range of a text before some edits. */
function rangeBefore([start, end]: Range, edits: readonly TextEdit[]): Range {
  let added = 0;
  for (const { range, newText } of edits.toSorted((a, b) => a.range[0] - b.range[0])) {
    if (range[0] + added + newText.length > start) break;
    added += newText.length - (range[1] - range[0]);
  }
  return [start - added, end - added];
}

function rowOf({ start, path }: SourceFile, { sources, partsOf, valueAt }: ParsedProject): Row {
  const placeOf = ([from, to]: Range): Place => {
    const file = sources.at(from);
    const range: Range = [from - (file?.start ?? 0), to - (file?.start ?? 0)];
    return file === undefined || file.path === path ? { range } : { path: file.path, range };
  };
  return { start, placeOf, partsOf: (vm) => partsOf?.(vm) ?? [], valueAt: (offset) => valueAt?.(offset) };
}
