import { byPlace, type LintedVm, type LintResult } from "./lint.ts";
import type { Diagnostic, Fix, Skip } from "./model/diagnostic.ts";
import type { SourceFile } from "./model/files.ts";
import type { Range } from "./model/source.ts";
import type { ParsedProject } from "./parse/project.ts";

/** One of a project's files with what was found in it. */
export interface ProjectFile extends LintResult {
  readonly path: string;
  readonly text: string;
  readonly others?: ReadonlyMap<string, string>;
  readonly isSecret?: boolean;
}

/**
 * The result of a project as the results of its files: each range in its own file, each VM with the file it belongs to. What one place does
 * to several VMs is one finding, and a fix is kept only where it is right for every VM that the place is a part of.
 */
export function byFile({ vms, diagnostics, skipped }: LintResult, project: ParsedProject): readonly ProjectFile[] {
  const files = new Map<string, { vms: LintedVm[]; diagnostics: Diagnostic[]; skipped: Skip[] }>();
  const of = (path: string) => {
    const known = files.get(path) ?? { vms: [], diagnostics: [], skipped: [] };
    files.set(path, known);
    return known;
  };
  for (const vm of vms) {
    const path = project.pathOf(vm.spec);
    of(path).vms.push({ ...vm, locate: (range) => locate(range, path, project) });
  }
  for (const together of sameCause(diagnostics)) {
    const file = project.sources.at(together.range[0]);
    if (file) of(file.path).diagnostics.push(placed(together, file, project));
  }
  const [first] = files.keys();
  if (first !== undefined) of(first).skipped.push(...skipped);
  const texts = new Map(project.sources.files.map(({ path, text }) => [path, text]));
  return [...files].map(([path, found]) => {
    const others = new Map(found.diagnostics.flatMap(pathsIn).map((other) => [other, texts.get(other) ?? ""]));
    const diagnostics = found.diagnostics.sort(byPlace);
    return {
      path,
      text: texts.get(path) ?? "",
      ...found,
      diagnostics,
      foreign: undefined,
      ...(others.size > 0 && { others }),
      ...(project.isSecret?.(path) && { isSecret: true }),
    };
  });
}

/** The other files that a finding leads to. */
const pathsIn = ({ related, fixes }: Diagnostic): readonly string[] =>
  [...related, ...fixes.flatMap(({ edits }) => edits)].flatMap(({ path }) => path ?? []);

/** What a rule finds at one place is one finding, about all VMs that have it from there; what it says of the others is beside it. */
function sameCause(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const { ruleId, messageId, range, host, severity } = diagnostic;
    const key = [ruleId, messageId, severity, host, ...range].join("\n");
    const group = groups.get(key);
    if (group) group.push(diagnostic);
    else groups.set(key, [diagnostic]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    const names = [...new Set(group.flatMap(({ vm }) => vm ?? []))];
    if (!first || names.length < 2) return group;
    const fixes = first.fixes.filter((fix) => others.every((other) => other.fixes.some((same) => sameFix(same, fix))));
    const differing = others.filter(({ message }) => message !== first.message);
    const related = differing.map(({ vm, message, range }) => ({ range, message: `${vm}: ${message}` }));
    return { ...first, fixes, vms: names, related: [...first.related, ...related] };
  });
}

const sameFix = (a: Fix, b: Fix): boolean => a.title === b.title && JSON.stringify(a.edits) === JSON.stringify(b.edits);

/** Where a range in the row of a project's files lies; the path where that is another than the file it is asked for. */
function locate([from, to]: Range, path: string, { sources }: ParsedProject): { readonly path?: string; readonly range: Range } {
  const file = sources.at(from);
  const start = file?.start ?? 0;
  return { ...(file && file.path !== path && { path: file.path }), range: [from - start, to - start] };
}

function placed(diagnostic: Diagnostic, file: SourceFile, project: ParsedProject): Diagnostic {
  const { users } = project;
  const local = (range: Range) => locate(range, file.path, project);
  const count = diagnostic.vms?.length ?? 1;
  const fixes = diagnostic.fixes.filter(({ edits }) => edits.every(({ range }) => users(range) <= count));
  return {
    ...diagnostic,
    ...local(diagnostic.range),
    related: diagnostic.related.map(({ message, range }) => ({ message, ...local(range) })),
    fixes: fixes.map((fix) => ({ ...fix, edits: fix.edits.map(({ range, newText }) => ({ ...local(range), newText })) })),
  };
}
