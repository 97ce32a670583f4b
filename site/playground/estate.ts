import { type FileResult, openWorkspace, textReport, VERSION, type WorkspaceVm } from "@vmlint/core";
import { EMPTY_CONFIG, isIn, PLAIN, type Preset } from "@vmlint/core/program";
import type { Demand } from "@vmlint/core/size";

/** A file of an export, as a page reads it. */
interface ExportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files to check together: an export, and perhaps exports with the demand of its VMs. */
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
  /** The counts of findings and of skipped checks, or the sums of each cluster. */
  readonly summary: readonly string[];
  /** The sizes of all VMs, if some of the files have their demand. */
  readonly tables?: { readonly csv: string; readonly xlsx: Uint8Array };
  /** Files that are no export, assumptions about hosts, and missing hosts. */
  readonly notes: readonly string[];
}

/**
 * Checks the files of an export together: each VM on its own host, as `vmlint FILES` does. With files of demand among them, the report has the
 * sizes of the VMs, as `vmlint size --estate FILES` prints them.
 */
export async function checkEstate({ files: all, preset, today }: EstateQuestion): Promise<Estate> {
  const { demands, files, refused } = await demandIn(all);
  const paths = files.map(({ name }) => name);
  if (paths.length === 0) return { vms: 0, report: "", summary: [], notes: [...refused, ...(demands.length > 0 ? [NO_VM] : [])] };
  const config = { ...EMPTY_CONFIG, selects: (rule: Parameters<typeof isIn>[0]) => isIn(rule, preset) };
  const { vms, results, notChecked, notes } = await openWorkspace({
    files: new Map(files.map(({ name, bytes }) => [name, bytes])),
    config,
    today,
  }).check(paths);
  const said = [...refused, ...notChecked.map(({ path, reason }) => `${path} is not checked: ${reason}`), ...notes].map(
    (note) => `${note}.`,
  );
  if (vms.length === 0) {
    const found = results.flatMap(({ path, diagnostics }) => diagnostics.map(({ message }) => `${path}: ${message}`));
    const notes = [...found, ...said, ...(demands.length > 0 ? [NO_VM] : [])];
    return { vms: 0, report: "", summary: [], notes: notes.length > 0 ? notes : ["There is no VM in these files."] };
  }
  if (demands.length > 0) return { vms: vms.length, ...(await sizesOf(vms, demands)), notes: said };
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

const NO_VM = "These files have demand, but no VM: open them together with an export of the VMs.";

/** How many bytes of a file are read at once, as the command does. */
const PART = 1 << 16;

/** Reads a file part by part. */
function* partsOf(bytes: Uint8Array): Iterable<string> {
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8");
  for (let at = 0; at < bytes.length; at += PART) yield decoder.decode(bytes.subarray(at, at + PART), { stream: true });
}

/** Returns the demand in the files, the other files, and why files of demand are not read. */
async function demandIn(all: readonly ExportFile[]) {
  const { demandInText, demandInWorkbook } = await import("@vmlint/core/size");
  const demands: Demand[] = [];
  const files: ExportFile[] = [];
  const refused: string[] = [];
  for (const one of all) {
    const { name, bytes } = one;
    const found = /\.xlsx$/i.test(name) ? demandInWorkbook(name, bytes) : demandInText(name, partsOf(bytes));
    if (!found) files.push(one);
    else if ("refused" in found) refused.push(`${name} is not read: ${found.refused}.`);
    else demands.push(...found);
  }
  return { demands, files, refused };
}

async function sizesOf(vms: readonly WorkspaceVm[], demands: readonly Demand[]): Promise<Pick<Estate, "report" | "summary" | "tables">> {
  const { rightSizeCsv, rightSizeEstate, rightSizeHtml, rightSizeText, rightSizeWorkbook } = await import("@vmlint/core/size");
  const sizing = rightSizeEstate(
    vms.map((vm) => ({ path: vm.path, vm })),
    demands,
  );
  const [sums = ""] = rightSizeText(sizing).split("\n\n");
  const tables = { csv: rightSizeCsv(sizing), xlsx: rightSizeWorkbook(sizing) };
  return { report: rightSizeHtml(sizing), summary: sums.split("\n"), tables };
}

/** The end of the command's own report, which counts. */
function summaryOf(results: readonly FileResult[]): readonly string[] {
  const counts = textReport(results.map((file) => ({ ...file, diagnostics: [] })))
    .trimEnd()
    .split("\n").length;
  return textReport(results).trimEnd().split("\n").slice(-counts);
}
