import { type Format, isProject } from "../formats/format.ts";
import type { ParsedProject } from "../formats/project.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import { writtenVm } from "../lint/assume.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import type { SourceFile } from "../model/files.ts";
import type { Range, TextEdit } from "../model/source.ts";
import type { FileResult } from "../report/result.ts";
import type { Language } from "../syntax/language.ts";
import { reviewParts } from "../workspace/compare.ts";
import { type AloneOptions, type CheckedUnit, checkAlone } from "../workspace/editor-units.ts";
import { type OpenDocument, type Place, placeIn, placesOf, type Row } from "./document.ts";

/** The options of a check. */
export interface CheckSettings extends Pick<AloneOptions, "config" | "path" | "host" | "baseline"> {
  /** As 2026-12-31. */
  readonly today: string;
}

export interface CheckOptions extends CheckSettings, AloneOptions {
  readonly language?: Language | undefined;
}

export interface CheckedText extends OpenDocument {
  /** Why the host of the setting cannot be used. */
  readonly badHost: string | undefined;
}

/** Checks a text in an editor, saved or not, without suppressed findings and findings in the baseline, like the command line. */
export function checkText(text: string, { language, today, ...options }: CheckOptions): CheckedText {
  return documentAlone(checkAlone(text, options), today, language) as CheckedText;
}

/** Returns a text that was checked by itself as a document; `undefined` if its unit does not have it. */
export function documentAlone(unit: CheckedUnit, today: string, language: Language | undefined): CheckedText | undefined {
  const [{ path = "" } = {}] = unit.sources;
  return documentIn(unit, { findings: findingsIn(unit, reviewParts([unit], today)), language }, path);
}

/** Returns the findings of files by path, without fixes of files that other units use; files without findings are missing. */
export function findingsIn({ isOwn }: CheckedUnit, results: readonly FileResult[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const findings = new Map<string, readonly Diagnostic[]>();
  for (const { path, diagnostics } of results) {
    const isOwnFix = ({ edits }: Fix): boolean => edits.every((edit) => isOwn(edit.path ?? path));
    const shown = diagnostics.map((one) => ({ ...one, fixes: one.fixes.filter(isOwnFix) }));
    if (shown.length > 0) findings.set(path, shown);
  }
  return findings;
}

interface Shown {
  readonly findings: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly language: Language | undefined;
}

/** Returns a file of a unit as a document; `undefined` for a file that the unit does not use. */
export function documentIn(unit: CheckedUnit, { findings, language }: Shown, path: string): CheckedText | undefined {
  const { parsed, sources, format, vms, isOwn, badHost } = unit;
  const file = sources.find((one) => one.path === path);
  if (!file) return undefined;
  const linted = unit.linted.find((one) => one.path === path);
  const { text } = file;
  const project = isProject(parsed) ? parsed : undefined;
  const row = project && rowOf(file, project);
  const tidied = project && tidiedIn(path, project, format);
  const placeOf = row?.placeOf ?? ((range: Range): Place => ({ range }));
  return {
    text,
    result: {
      vms: project && row ? vms.filter((vm) => isIn(vm, path, project, { text, row })) : vms,
      diagnostics: findings.get(path) ?? [],
      skipped: linted?.skipped ?? [],
      foreign: linted?.foreign,
    },
    comments: (of) => format.comments?.(of, path) ?? [],
    edit: (vm, changes) => {
      const edits = vm.edit?.(changes);
      // A place that defines several VMs is not edited for a single VM.
      if (!edits?.every(({ range }) => (parsed.countUsers?.(range) ?? 1) <= 1)) return undefined;
      const placed = edits.map(({ range, newText }) => ({ ...placeOf(range), newText }));
      return placed.every((edit) => isOwn(edit.path ?? path)) ? (tidied?.(placed) ?? placed) : undefined;
    },
    language,
    badHost,
    ...(tidied && { tidied }),
    ...(row && { row }),
  };
}

/** Whether a file of a project declares a VM, or one of its values. */
function isIn(vm: LintedVm, path: string, project: ParsedProject, document: Pick<OpenDocument, "text"> & { readonly row: Row }): boolean {
  const isHere = (range: Range): boolean => placeIn(document, range) !== undefined;
  const written = writtenVm(vm.spec);
  return (
    project.pathOf(written) === path ||
    document.row.partsOf(written).some(({ name }) => isHere(name)) ||
    Object.values(vm.spec.settings).some((setting) => setting.state !== "absent" && placesOf(vm, setting.range).some(isHere))
  );
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
