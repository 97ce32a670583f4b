import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { type LintedFile, printable, rules } from "@vmlint/core/program";
import {
  type Demand,
  type DemandOptions,
  demandInText,
  demandInWorkbook,
  type EstateVm,
  type RightSizeOptions,
  type RightSizing,
  rightSizeCsv,
  rightSizeEstate,
  rightSizeHtml,
  rightSizeJson,
  rightSizeText,
  rightSizeWorkbook,
} from "@vmlint/core/size";
import { json, TOOL, usage } from "../args/command-output.ts";
import { type Flags, inputOf } from "../args/options.ts";
import { readBytes, shownPath, statsOf } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { answerPrinter } from "../report/answer-printer.ts";
import { configFinder } from "../run/disk-workspace.ts";
import { lintFiles } from "../run/lint-files.ts";
import { collectSooner } from "../run/optimize.ts";

/** Prints `vmlint size --estate`: the need of each VM by the exports of demand among the files, and its smallest good shape. */
export async function sizeEstate(patterns: readonly string[], flags: Flags, io: Io): Promise<void> {
  const foreign = (["memory", "hardware-version", "range"] as const).find((name) => flags[name] !== undefined);
  if (foreign) throw usage(`--${foreign} is for one VM: the VMs of an estate have their own.`);
  const print = answerPrinter(flags.formats[0] ?? "text", io);
  const { config } = await configFinder(io.cwd, { config: flags.config, plugins: flags.plugins?.rules })(io.cwd);
  const reading = { columns: config.size?.columns, percent: percentileOf(flags) };
  await collectSooner();
  const demands: Demand[] = [];
  const inventories: string[] = [];
  for (const path of patterns) {
    const found = demandsIn(path, resolve(io.cwd, path), reading);
    if (found) demands.push(...found);
    // Live Optics and the like list VMs, too, but not as an inventory.
    else inventories.push(path);
  }
  if (inventories.length === 0) throw usage("vmlint size --estate needs files with the VMs, such as an export of RVTools.");
  if (inventories.length === patterns.length)
    throw usage(
      "None of the named files has demand or recommendations: name a view of VCF Operations, Live Optics or Get-Stat, or the columns of your table under size: columns: in vmlint.yaml.",
    );
  const sizing = await rightSized({ inventories, demands, options: { least: config.size?.leastChange } }, flags, io);
  if (sizing.vms.length === 0) throw usage("No VM was found.");
  const answer = {
    text: (palette: Io["palette"]) => rightSizeText(sizing, palette),
    json: () => json(rightSizeJson(sizing, TOOL)),
    csv: () => rightSizeCsv(sizing),
    html: () => rightSizeHtml(sizing),
    xlsx: () => rightSizeWorkbook(sizing),
  };
  print(answer, patterns);
}

interface Question {
  readonly inventories: readonly string[];
  readonly demands: readonly Demand[];
  readonly options: RightSizeOptions;
}

async function rightSized({ inventories: patterns, demands, options }: Question, flags: Flags, io: Io): Promise<RightSizing> {
  const reading = rules.filter(({ over }) => over === "text");
  const run = await lintFiles({ patterns, host: flags.host?.[0], config: flags.config, rules: reading, ...inputOf(flags) }, io);
  const sizing = rightSizeEstate(vmsOf(run.files()), demands, options);
  for (const [path, reason] of run.unchecked.empty) io.err(`vmlint: ${printable(shownPath(path, io.cwd))}: no VM is read: ${reason}.\n`);
  return sizing;
}

function* vmsOf(files: Iterable<LintedFile>): Iterable<EstateVm> {
  for (const { path, vms } of files) for (const vm of vms) yield { path, vm };
}

function percentileOf({ percentile }: Flags): number | undefined {
  if (percentile === undefined) return undefined;
  const percent = Number(percentile);
  if (!/^\d+(?:\.\d+)?$/.test(percentile) || percent < 50 || percent > 100)
    throw usage(`--percentile takes a number from 50 to 100, not "${percentile}".`);
  return percent;
}

/** Returns the demand in a file; `undefined` for other files. */
function demandsIn(path: string, full: string, options: DemandOptions): readonly Demand[] | undefined {
  if (statsOf(full)?.isFile() !== true) return undefined;
  const found = /\.xlsx$/i.test(path) ? demandInWorkbook(path, readBytes(full), options) : demandInText(path, partsOf(full), options);
  if (found && "refused" in found) throw usage(`${path} is not read: ${found.refused}.`);
  return found;
}

/** How many bytes of a file are read at once. Larger texts are not freed soon. */
const PART = 1 << 16;

/** Reads a file part by part. */
function* partsOf(path: string): Iterable<string> {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(PART);
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    for (let read = readSync(file, bytes, 0, PART, null); read > 0; read = readSync(file, bytes, 0, PART, null)) {
      decoder ??= new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8");
      yield decoder.decode(bytes.subarray(0, read), { stream: true });
    }
  } finally {
    closeSync(file);
  }
}
