import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { printable, rules } from "@vmlint/core";
import {
  type Demand,
  demandReader,
  isDemand,
  joinDemand,
  type RightSizing,
  rightSizeCsv,
  rightSizeJson,
  rightSizer,
  rightSizeText,
} from "@vmlint/core/size";
import { json, TOOL, usage } from "../args/command-output.ts";
import { type Flags, inputOf } from "../args/options.ts";
import { shownPath, statsOf } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { configFinder } from "../run/find-config.ts";
import { lintFiles } from "../run/lint-files.ts";

/** Returns the output of `vmlint size --estate`: the need of each VM by the exports of demand among the files, and its smallest good shape. */
export async function sizeEstate(patterns: readonly string[], flags: Flags, io: Io): Promise<string> {
  const foreign = (["memory", "hardware-version", "range"] as const).find((name) => flags[name] !== undefined);
  if (foreign) throw usage(`--${foreign} is for one VM: the VMs of an estate have their own.`);
  const isExport = (path: string): boolean => {
    const full = resolve(io.cwd, path);
    return statsOf(full)?.isFile() === true && /\.(?:csv|tsv|txt)$/i.test(path) && isDemand(headOf(full));
  };
  const exports = patterns.filter(isExport);
  const inventories = patterns.filter((path) => !exports.includes(path));
  if (inventories.length === 0) throw usage("vmlint size --estate needs files with the VMs, such as an export of RVTools.");
  if (exports.length === 0)
    throw usage("None of the named files has demand or recommendations: name a view of VCF Operations as CSV, too.");
  const demands = exports.flatMap((path) => demandsIn(path, resolve(io.cwd, path)));
  const sizing = await rightSized(inventories, demands, flags, io);
  if (sizing.vms.length === 0) throw usage("No VM was found.");
  if (flags.format === "csv") return rightSizeCsv(sizing);
  return flags.format === "json" ? json(rightSizeJson(sizing, TOOL)) : rightSizeText(sizing, io.palette);
}

async function rightSized(patterns: readonly string[], demands: readonly Demand[], flags: Flags, io: Io): Promise<RightSizing> {
  const reading = rules.filter(({ over }) => over === "text");
  const run = await lintFiles({ patterns, host: flags.host?.[0], config: flags.config, rules: reading, ...inputOf(flags) }, io);
  const placed = [...run.files()].flatMap(({ path, vms }) =>
    vms.filter(({ spec }) => !spec.template).map((vm) => ({ path, vm, name: vm.spec.name })),
  );
  for (const [path, reason] of run.unchecked.empty) io.err(`vmlint: ${printable(shownPath(path, io.cwd))}: no VM is read: ${reason}.\n`);
  const { of, unknown, ambiguous } = joinDemand(placed, demands);
  const { config } = await configFinder(flags.config, io.cwd, flags.plugins?.rules)(io.cwd);
  const sizeOf = rightSizer({ percent: percentileOf(flags), least: config.size?.leastChange });
  return { vms: placed.map((one) => sizeOf({ ...one, demand: of(one) })), unknown, ambiguous };
}

function percentileOf({ percentile }: Flags): number | undefined {
  if (percentile === undefined) return undefined;
  const percent = Number(percentile);
  if (!/^\d+(?:\.\d+)?$/.test(percentile) || percent < 50 || percent > 100)
    throw usage(`--percentile takes a number from 50 to 100, not "${percentile}".`);
  return percent;
}

/** How much of a file is read at once. */
const PART = 1 << 20;

function demandsIn(path: string, full: string): readonly Demand[] {
  const reader = demandReader(path);
  readTextParts(full, PART, reader.push);
  const read = reader.end();
  if ("refused" in read) throw usage(`${path} is not read: ${read.refused}.`);
  return read;
}

/** Returns the beginning of a file. */
function headOf(path: string): string {
  let head = "";
  readTextParts(path, 1 << 16, (text) => {
    head = text;
    return false;
  });
  return head;
}

/** Reads a file part by part, until `use` returns false. */
function readTextParts(path: string, size: number, use: (text: string) => unknown): void {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(size);
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    for (let read = readSync(file, bytes, 0, size, null); read > 0; read = readSync(file, bytes, 0, size, null)) {
      decoder ??= new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8");
      if (use(decoder.decode(bytes.subarray(0, read), { stream: true })) === false) return;
    }
  } finally {
    closeSync(file);
  }
}
