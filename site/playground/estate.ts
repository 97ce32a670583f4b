import { EMPTY_CONFIG, type FileResult, isIn, openWorkspace, PLAIN, type Preset, textReport, VERSION } from "@vmlint/core";

/** A file of an export, as a page reads it. */
interface ExportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files of an export, to be checked together. */
export interface EstateQuestion {
  readonly files: readonly ExportFile[];
  readonly preset: Preset;
  /** A date such as 2026-12-31. */
  readonly today: string;
}

/** The result for an export. */
export interface Estate {
  readonly vms: number;
  /** A page of its own: findings by rule, host and VM. Empty without a VM. */
  readonly report: string;
  /** The counts of findings and of skipped checks. */
  readonly summary: readonly string[];
  /** Files that are no export, assumptions about hosts, and missing hosts. */
  readonly notes: readonly string[];
}

/** Checks the files of an export together: each VM on its own host, as `vmlint FILES` does. */
export async function checkEstate({ files, preset, today }: EstateQuestion): Promise<Estate> {
  const paths = files.map(({ name }) => name);
  const config = { ...EMPTY_CONFIG, selects: (rule: Parameters<typeof isIn>[0]) => isIn(rule, preset) };
  const { vms, results, notChecked, notes } = await openWorkspace({
    files: new Map(files.map(({ name, bytes }) => [name, bytes])),
    config,
    today,
  }).check(paths);
  const said = [...notChecked.map(({ path, reason }) => `${path} is not checked: ${reason}`), ...notes].map((note) => `${note}.`);
  if (vms.length === 0) {
    const found = results.flatMap(({ path, diagnostics }) => diagnostics.map(({ message }) => `${path}: ${message}`));
    const all = [...found, ...said];
    return { vms: 0, report: "", summary: [], notes: all.length > 0 ? all : ["There is no VM in these files."] };
  }
  const { reporters } = await import("@vmlint/core/reporters");
  const run = {
    tool: { name: "vmlint", version: VERSION },
    failOn: "never",
    palette: PLAIN,
    date: today,
    inputs: paths,
    notChecked,
  } as const;
  return { vms: vms.length, report: reporters.html(results, run), summary: summaryOf(results), notes: said };
}

/** The end of the command's own report, which counts. */
function summaryOf(results: readonly FileResult[]): readonly string[] {
  const counts = textReport(results.map((file) => ({ ...file, diagnostics: [] })))
    .trimEnd()
    .split("\n").length;
  return textReport(results).trimEnd().split("\n").slice(-counts);
}
