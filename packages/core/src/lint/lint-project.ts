import { type Format, isProject } from "../formats/format.ts";
import { defaultFormat } from "../formats/index.ts";
import { inputsIn, type ParsedProject, type Reading } from "../formats/project.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import { type SourceFile, Sources } from "../model/files.ts";
import { getOrInsert, grouped } from "../model/maps.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Problem } from "../model/problem.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import { writtenVm } from "./assume.ts";
import { byPlace } from "./finding.ts";
import { type LintOptions, type LintResult, lintParsed, safest, type Withheld } from "./lint.ts";
import type { LintedVm, Severities } from "./target.ts";

/** A checked file with its VMs. */
export interface LintedFile extends LintResult {
  /** Relative to the working directory, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Texts of other files that findings point into, because these files may not be part of the run. */
  readonly otherTexts?: ReadonlyMap<string, string>;
  /** Reports must not show lines of this file: it may hold passwords. */
  readonly isSecret?: boolean;
}

export interface ProjectOptions extends Pick<LintOptions, "target" | "rules" | "keeps"> {
  /** Returns the severities for findings of a file without VMs. */
  readonly severitiesOf?: ((path: string) => Severities | undefined) | undefined;
}

/** The result of a text without a VM. */
const NO_RESULT: LintResult = { vms: [], diagnostics: [], skipped: [], foreign: undefined };

/** Checks one text by itself; suppressions are left to the caller. */
export function lintText(text: string, options: LintOptions = {}): LintResult {
  const { format = defaultFormat, bytes, context, severities } = options;
  const path = context?.path ?? "";
  const reading = { paths: [path], files: context?.files, text, bytes, inputs: inputsIn(context) };
  const parsed = format.readEach?.(reading) ?? format.read(reading);
  const [file = NO_RESULT] = lintRead(parsed, { path, text }, { ...options, severitiesOf: severities });
  const { vms, vmCount, ran, diagnostics, skipped, foreign, withheld } = file;
  return { vms, vmCount, ran, diagnostics, skipped, foreign, ...(withheld && { withheld }) };
}

/** A reading with the parser that it needed. */
export interface ReadUnit<P extends Parsed<Iterable<VmSpec>> = Parsed<Iterable<VmSpec>>> {
  readonly parsed: P;
  readonly read: Format["read"];
}

/** Reads a unit; `larger` returns the parser that a project needs, if the first reading wants a larger one. */
export function readUnit(
  { read }: Pick<Format, "read">,
  reading: Reading,
  larger: (first: ParsedProject) => Format["read"] | undefined,
): ReadUnit<Parsed> {
  const first = read(reading);
  const more = isProject(first) ? larger(first) : undefined;
  return more ? { parsed: more(reading), read: more } : { parsed: first, read };
}

/** Reads a unit, and loads a larger parser if it needs one. */
export async function readWhole<P extends Parsed>(format: Format<P>, reading: Reading): Promise<P | ParsedProject> {
  const first = format.read(reading);
  const more = isProject(first) ? await first.loadMore?.() : undefined;
  return more?.(reading) ?? first;
}

/** Checks each file with its own VMs, so that findings do not depend on the other files of the run. */
export function lintProject(project: ParsedProject, { target, rules, severitiesOf }: ProjectOptions = {}): readonly LintedFile[] {
  const parts = new Map<string, { readonly vms: VmSpec[]; readonly problems: Problem[] }>();
  const of = (path: string) => getOrInsert(parts, path, () => ({ vms: [], problems: [] }));
  for (const vm of project.vms) of(project.pathOf(vm)).vms.push(vm);
  for (const problem of project.problems) {
    const [start] = problem.range;
    of(project.sources.at(start)?.path ?? "").problems.push(problem);
  }
  const linted = [...parts].map(([path, part]) => {
    const severities = () => severitiesOf?.(path) ?? {};
    const { diagnostics, ...rest } = lintParsed(part, { target, rules, severities });
    return [path, { ...rest, diagnostics: diagnostics.map((one) => ({ ...one, vmPath: path })) }] as const;
  });
  return byFile(new Map(linted), project);
}

/**
 * Checks a unit that a format has read: a project, or the text of a file by itself, which is a project of one. A project has no result for
 * files without VMs and findings.
 */
export function lintRead(
  parsed: Parsed<Iterable<VmSpec>>,
  { path, text }: Pick<LintedFile, "path" | "text">,
  options: ProjectOptions,
): readonly LintedFile[] {
  if (isProject(parsed)) return lintProject(parsed, options);
  const { target, rules, keeps, severitiesOf } = options;
  const severities = () => severitiesOf?.(path) ?? {};
  const { vms, vmCount, ran, diagnostics, skipped, foreign } = lintParsed(parsed, { target, rules, keeps, severities });
  const { countUsers } = parsed;
  // Where no two VMs share a place, nothing is to be joined.
  if (!countUsers) return [{ path, text, vms, vmCount, ran, diagnostics, skipped, foreign }];
  const sources = new Sources();
  sources.add(path, text);
  const [file] = byFile(new Map([[path, { vms, ran, diagnostics, skipped }]]), { sources, pathOf: () => path, countUsers });
  const { diagnostics: joined = [], withheld = [] } = file ?? {};
  return [{ path, text, vms, vmCount, ran, diagnostics: joined, skipped, foreign, ...(withheld.length > 0 && { withheld }) }];
}

/** The places of a project's VMs. */
type Placed = Pick<ParsedProject, "sources" | "pathOf" | "countUsers" | "isSecret">;

/** The result of a file's own VMs, with findings in any file. */
type ResultOfVms = Pick<LintResult, "vms" | "ran" | "diagnostics" | "skipped">;

/**
 * Splits results by file: each range in its own file, each VM in the file that it belongs to. VMs with the same cause share one finding, and a
 * fix stays only if it is right for all of them.
 */
function byFile(results: ReadonlyMap<string, ResultOfVms>, project: Placed): readonly LintedFile[] {
  const files = new Map<string, { vms: LintedVm[]; diagnostics: Diagnostic[]; skipped: readonly Skip[]; withheld: Withheld[] }>();
  const of = (path: string) =>
    getOrInsert(files, path, () => ({ vms: [], diagnostics: [], skipped: results.get(path)?.skipped ?? [], withheld: [] }));
  const all = [...results.values()];
  for (const { spec, target } of all.flatMap(({ vms }) => vms)) {
    const path = project.pathOf(writtenVm(spec));
    of(path).vms.push({ spec, target, locate: (range) => locate(range, path, project) });
  }
  for (const cause of sameCause(all.flatMap(({ diagnostics }) => diagnostics).sort(byPlace))) {
    const [start] = cause.diagnostic.range;
    const file = project.sources.at(start);
    if (!file) continue;
    const { diagnostic, withheld } = withPlace(cause, file, project);
    const found = of(file.path);
    found.diagnostics.push(diagnostic);
    for (const one of withheld) found.withheld.push(one);
  }
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
      ran: results.get(path)?.ran,
      ...(others.size > 0 && { otherTexts: others }),
      ...(project.isSecret?.(path) && { isSecret: true }),
    };
  });
}

/** The other files that a finding leads to. */
const pathsIn = ({ related, fixes }: Diagnostic): readonly string[] =>
  [...related, ...fixes.flatMap(({ edits }) => edits)].flatMap(({ path }) => path ?? []);

/** A finding with the number of VMs, or of their variants, that have it. */
interface Cause {
  readonly diagnostic: Diagnostic;
  readonly count: number;
  /** Whether all of them need a fix. */
  readonly agrees: (fix: Fix) => boolean;
}

/** Joins findings of one rule at one place into one finding with all VMs; the other messages are related places. */
function sameCause(diagnostics: readonly Diagnostic[]): readonly Cause[] {
  const groups = grouped(diagnostics, ({ ruleId, messageId, range, host, otherHost, severity, variants = [] }) =>
    [ruleId, messageId, severity, host, otherHost, ...range, ...variants].join("\n"),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (!first) return [];
    const count = group.length * (first.variants?.length ?? 1);
    // Loops, and roots that call a module by one name, make VMs of one name.
    const names = [...new Set(group.flatMap(({ vm }) => vm ?? []))];
    const agrees = (fix: Fix): boolean => others.every((other) => other.fixes.some((same) => sameFix(same, fix)));
    const differing = others.filter(({ message }) => message !== first.message);
    const messages = differing.map(({ vm, message, range }) => ({ range, message: names.length > 1 ? `${vm}: ${message}` : message }));
    const places = [...(names.length > 1 ? first.related : group.flatMap((one) => one.related)), ...messages];
    const related = [...new Map(places.map((one) => [`${one.message}\n${one.range.join()}`, one])).values()];
    const { docsUrl, ...rest } = first;
    // In JSON, a finding's VMs stand before its evidence and its address.
    return { diagnostic: { ...rest, ...(names.length > 1 && { vms: names }), related, docsUrl }, count, agrees };
  });
}

const sameFix = (a: Fix, b: Fix): boolean => a.title === b.title && JSON.stringify(a.edits) === JSON.stringify(b.edits);

/** Converts a range of the joined files to a range in a file, with its path if it is not the requested file. */
function locate([from, to]: Range, path: string, { sources }: Placed): { readonly path?: string; readonly range: Range } {
  const file = sources.at(from);
  const start = file?.start ?? 0;
  return { ...(file && file.path !== path && { path: file.path }), range: [from - start, to - start] };
}

interface PlacedDiagnostic {
  readonly diagnostic: Diagnostic;
  readonly withheld: readonly Withheld[];
}

function withPlace({ diagnostic: cause, count, agrees }: Cause, file: SourceFile, project: Placed): PlacedDiagnostic {
  const { vmPath, ...diagnostic } = cause;
  const { countUsers } = project;
  const local = (range: Range) => locate(range, file.path, project);
  const shared = (fix: Fix) => fix.edits.find(({ range }) => countUsers(range) > (agrees(fix) ? count : 1));
  const fixes = diagnostic.fixes.filter((fix) => agrees(fix) && !shared(fix));
  const safety = safest(diagnostic.fixes);
  // An unsafe fix is not missed if a fix of equal safety remains.
  const first = safety === safest(fixes) ? undefined : diagnostic.fixes.find((fix) => fix.safety === safety);
  const edit = first && shared(first);
  const found: Diagnostic = {
    ...diagnostic,
    ...(vmPath !== undefined && vmPath !== file.path && diagnostic.vm !== null && { vmPath }),
    ...local(diagnostic.range),
    related: diagnostic.related.map(({ message, range }) => ({ message, ...local(range) })),
    fixes: fixes.map((fix) => ({ ...fix, edits: fix.edits.map(({ range, newText }) => ({ ...local(range), newText })) })),
  };
  if (!edit) return { diagnostic: found, withheld: [] };
  const { path } = local(edit.range);
  const withheld = { diagnostic: found, safety: first.safety, ...(path !== undefined && { path }) };
  return { diagnostic: found, withheld: [withheld] };
}
