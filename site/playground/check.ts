import {
  type Config,
  type Diagnostic,
  type FileResult,
  type Fix,
  LineIndex,
  openWorkspace,
  type Severity,
  textReport,
  type Workload,
} from "@vmlint/core";
import { EMPTY_CONFIG, formatsOf, isIn, messageInCell, type Preset, pagesOf } from "@vmlint/core/program";
import { type Drawn, draw } from "./draw.ts";
import { guess } from "./file-kinds.ts";
import { hostOf } from "./find-host.ts";

/** A text, with the host and workload to check it against. */
export interface Question {
  readonly text: string;
  /** One of `FILES`; empty: told by the text. */
  readonly file: string;
  /** A host's name, short form, processors or dump. If empty, comments in the text set the host. */
  readonly host: string;
  /** In place of the host's own ESXi release; empty: that. */
  readonly esxi: string;
  readonly workload?: Workload | undefined;
  readonly preset: Preset;
  readonly scheme: "light" | "dark";
  /** A date such as 2026-12-31. */
  readonly today: string;
}

/** A cell of a row, with the title of its column. */
type Cell = NonNullable<Diagnostic["cell"]>;

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
  /** The row of its cell, for a finding in a table. */
  readonly row: readonly Cell[];
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
  /** The counts of findings and of skipped checks. */
  readonly summary: readonly string[];
}

/** A page with more is no longer read, and slow. */
const MOST_FINDINGS = 100;
const MOST_PICTURES = 12;

/** Checks a text as the command would check a file. Never throws. */
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
  // If the chosen host is invalid, no other host takes its place.
  const host = "host" in found ? found.host : null;
  const { vms, results, notChecked } = await openWorkspace({ files: { [path]: text }, config, host, today }).check([path]);
  const file = results.find((one) => one.path === path) ?? { path, text, diagnostics: [], skipped: [], hostedVms: [], vmCount: vms.length };
  const { diagnostics } = file;
  const [foreign] = notChecked;
  const rowOf = ({ cell }: Diagnostic) => (cell && vms[0]?.spec.rowOf?.(cell)) ?? [];
  const lines = new LineIndex(text);
  const none = vms.length === 0 && foreign === undefined ? ["No VM is described in this text."] : [];
  return {
    format: entry.name,
    problems: [...problems, ...(foreign === undefined ? none : [`This is not a VM definition: ${foreign.reason}.`])],
    findings: diagnostics.slice(0, MOST_FINDINGS).map((one) => findingOf(one, lines, rowOf)),
    moreFindings: Math.max(0, diagnostics.length - MOST_FINDINGS),
    vms: await Promise.all(vms.slice(0, MOST_PICTURES).map((vm, i) => draw(vm, path, scheme, `layout-${i}`))),
    moreVms: Math.max(0, vms.length - MOST_PICTURES),
    summary: summaryOf(file),
  };
}

/** The end of the command's own report. */
function summaryOf(file: FileResult): readonly string[] {
  const length = linesOf(textReport([{ ...file, diagnostics: [] }])).length;
  return linesOf(textReport([file])).slice(-length);
}

const linesOf = (report: string): readonly string[] => report.trimEnd().split("\n");

const rulePage = pagesOf();

function findingOf(diagnostic: Diagnostic, lines: LineIndex, rowOf: (one: Diagnostic) => readonly Cell[]): Finding {
  const { ruleId, severity, vm, vms, range, related, fixes } = diagnostic;
  const evidence = rulePage(ruleId)?.evidence;
  return {
    ruleId,
    severity,
    message: messageInCell(diagnostic),
    vm: vms?.join(", ") ?? vm ?? "",
    line: lines.at(range[0]).line + 1,
    range,
    figure: evidence?.figure ?? "",
    source: evidence?.source.title ?? "",
    against: evidence?.against ?? "",
    related: related.map((place) => `line ${lines.at(place.range[0]).line + 1}: ${place.message}`),
    row: rowOf(diagnostic),
    fixes: fixes.filter(({ edits }) => edits.every(({ path }) => path === undefined)),
  };
}
