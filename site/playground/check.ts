import {
  type Config,
  DISABLE,
  type Diagnostic,
  EMPTY_CONFIG,
  type FileResult,
  type Fix,
  type Format,
  formatsOf,
  isAlone,
  isIn,
  LineIndex,
  type LintedVm,
  lint,
  type Preset,
  type ProjectEntry,
  type Severity,
  targetOf,
  textReport,
  type VmSpec,
  type Workload,
} from "@vmlint/core";
import { type Drawn, draw } from "./draw.ts";
import { guess } from "./files.ts";
import { hostOf } from "./host.ts";

/** What the page asks: a text, and what its VMs are checked against. */
export interface Question {
  readonly text: string;
  /** One of `FILES`; empty: told by the text. */
  readonly file: string;
  /** A host's name, short form, processors or dump; empty: what comments in the text say. */
  readonly host: string;
  /** In place of the host's own ESXi release; empty: that. */
  readonly esxi: string;
  readonly workload?: Workload | undefined;
  readonly preset: Preset;
  readonly scheme: "light" | "dark";
  /** As 2026-12-31. */
  readonly today: string;
}

export interface Finding {
  readonly ruleId: string;
  readonly severity: Severity;
  readonly message: string;
  readonly vm: string;
  /** From 1. */
  readonly line: number;
  readonly range: readonly [number, number];
  readonly figure: string;
  readonly source: string;
  readonly against: string;
  readonly related: readonly string[];
  readonly fixes: readonly Fix[];
}

export interface Answer {
  /** The format that the text was read in. */
  readonly format: string;
  /** Why the text or the host cannot be used, or what is doubtful about them. */
  readonly problems: readonly string[];
  readonly findings: readonly Finding[];
  readonly moreFindings: number;
  readonly vms: readonly Drawn[];
  readonly moreVms: number;
  /** How much was found, and what could not be checked. */
  readonly summary: readonly string[];
}

/** A page with more is no longer read, and slow. */
const MOST_FINDINGS = 100;
const MOST_PICTURES = 12;

/** Checks a text as the command would check a file with it. Never throws, whatever the text. */
export async function check(question: Question): Promise<Answer> {
  const { text, preset, workload, scheme, today } = question;
  const path = question.file || guess(text);
  const found = await hostOf(question.host, question.esxi);
  const config: Config = { ...EMPTY_CONFIG, selects: (rule) => isIn(rule, preset), ...(workload && { workload }) };
  const entry = formatsOf(path).find(({ mayHold }) => !mayHold || mayHold(text));
  const problems = "reason" in found ? [found.reason] : [...(found.host?.assumed ?? []).map((one) => `Assumed of the host: ${one}.`)];
  if (text.trim() === "" || !entry) {
    const nothing = text.trim() === "" ? "Paste a VM definition, or choose a sample." : "Nothing in this text is a VM that vmlint reads.";
    return { format: "", problems: [...problems, nothing], findings: [], moreFindings: 0, vms: [], moreVms: 0, summary: [] };
  }
  const against = targetOf(config, "host" in found ? found.host : undefined);
  // A host that was asked for and cannot be used is never replaced by another one.
  const target = (vm: VmSpec) => ({ ...against(vm, () => path), ...("reason" in found && { host: undefined }) });
  const read = isAlone(entry) ? readAlone(text, await entry.load(), target) : await readProject(text, path, entry, target);
  const { vms, diagnostics, suppressed, skipped } = await withoutSuppressed(read, text, path, today);
  const lines = new LineIndex(text);
  const file = { path, text, diagnostics, suppressed, skipped, placed: [], vmCount: vms.length };
  const none = vms.length === 0 && read.foreign === undefined ? ["No VM is described in this text."] : [];
  return {
    format: entry.name,
    problems: [...problems, ...(read.foreign === undefined ? none : [`This is no VM definition: ${read.foreign}.`])],
    findings: diagnostics.slice(0, MOST_FINDINGS).map((one) => findingOf(one, lines)),
    moreFindings: Math.max(0, diagnostics.length - MOST_FINDINGS),
    vms: await Promise.all(vms.slice(0, MOST_PICTURES).map((vm, i) => draw(vm, path, scheme, `layout-${i}`))),
    moreVms: Math.max(0, vms.length - MOST_PICTURES),
    summary: summaryOf(file),
  };
}

/** What a text says, before anything is hidden. */
interface Read {
  readonly vms: readonly LintedVm[];
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: ReturnType<typeof lint>["skipped"];
  readonly foreign: string | undefined;
  readonly comments: readonly (readonly [number, number])[];
}

type TargetOf = (vm: VmSpec) => LintedVm["target"];

function readAlone(text: string, format: Format, target: TargetOf): Read {
  return { ...lint(text, { format, target }), comments: commentsIn(text, format.comments) };
}

/** A text of a format whose files refer to each other, as a folder with nothing but it. */
async function readProject(text: string, path: string, entry: ProjectEntry, target: TargetOf): Promise<Read> {
  const format = await entry.loadProject();
  const { byFile, lintProject, readProject: readFiles } = await import("@vmlint/core/project");
  const files = { read: (other: string) => (other === path ? text : undefined), list: () => [path] };
  const { project } = await readFiles(format, [path], files, { environment: {}, options: [] });
  const result = lintProject(project, { target });
  const own = byFile(result, project).find((file) => file.path === path);
  const { vms, diagnostics, skipped } = own ?? { vms: [], diagnostics: [], skipped: [] };
  return { vms, diagnostics, skipped, foreign: undefined, comments: commentsIn(text, (of) => format.comments?.(path, of) ?? []) };
}

const commentsIn = (text: string, comments: Format["comments"]): Read["comments"] =>
  text.includes(DISABLE) ? (comments?.(text) ?? []) : [];

async function withoutSuppressed({ comments, foreign, ...read }: Read, text: string, path: string, today: string) {
  const { vms, diagnostics, skipped } = read;
  if (comments.length === 0 || foreign !== undefined) return { vms, diagnostics, skipped, suppressed: [] };
  const { suppress } = await import("@vmlint/core/suppress");
  const file = { path, text, diagnostics, skipped, placed: [], vmCount: vms.length };
  const silencers = new Map([[path, { text, comments, declared: [], vms }]]);
  const [shown] = suppress([file], { silencers, configs: [], isWhole: () => false, today });
  return { vms, diagnostics: shown?.diagnostics ?? [], skipped, suppressed: shown?.suppressed ?? [] };
}

/** The end of the command's own report. */
function summaryOf(file: FileResult): readonly string[] {
  const length = linesOf(textReport([{ ...file, diagnostics: [] }])).length;
  return linesOf(textReport([file])).slice(-length);
}

const linesOf = (report: string): readonly string[] => report.trimEnd().split("\n");

function findingOf({ ruleId, severity, message, vm, vms, range, evidence, related, fixes }: Diagnostic, lines: LineIndex): Finding {
  return {
    ruleId,
    severity,
    message,
    vm: vms?.join(", ") ?? vm ?? "",
    line: lines.at(range[0]).line + 1,
    range,
    figure: evidence?.figure ?? "",
    source: evidence?.source ?? "",
    against: evidence?.against ?? "",
    related: related.map((place) => `line ${lines.at(place.range[0]).line + 1}: ${place.message}`),
    fixes: fixes.filter(({ edits }) => edits.every(({ path }) => path === undefined)),
  };
}
