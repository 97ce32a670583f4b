import { resolve } from "node:path";
import { acrossHosts, compareText, type LintedFile, rules, topologyJson, topologyText } from "@vmlint/core/program";
import { json, TOOL } from "../args/command-output.ts";
import { type Flags, inputOf } from "../args/options.ts";
import type { Io } from "../io.ts";
import { secondsAtOnce, tellOver } from "../run/budget.ts";
import { type Faults, ofSound, orFault, tellFaults } from "../run/fault.ts";
import { lintFiles } from "../run/lint-files.ts";
import { inTime } from "../run/time-limit.ts";

/** Prints the layout of each VM. A file that fails by a bug is left out. */
export async function topology(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  // `topology` reports only rules about the text. Rules about the shape are for linting.
  const readingRules = rules.filter(({ over }) => over === "text");
  const runs: (readonly LintedFile[])[] = [];
  const printed = new Set<string>();
  // Every host reads the files anew, and a note about a file is to be printed once.
  const err = (note: string) => {
    if (!printed.has(note)) io.err(note);
    printed.add(note);
  };
  const faults: Faults = { bugs: new Map(), over: new Map() };
  for (const host of flags.host ?? [undefined]) {
    const request = { patterns, host, config: flags.config, rules: readingRules, ...inputOf(flags) };
    const run = await lintFiles({ ...request, tolerates: ["faults", "over"] }, { ...io, err });
    runs.push([...run.files()]);
    for (const [path, fault] of run.unchecked.faults) faults.bugs.set(path, fault);
    for (const [path, reason] of run.unchecked.over) faults.over.set(path, reason);
  }
  const inAll = runs.reduce((some, run) => some.filter(({ path }) => run.some((file) => file.path === path)));
  const show = await layoutPrinter(flags, io);
  const layouts = (files: readonly LintedFile[]): string => {
    const paths = new Set(files.map(({ path }) => path));
    return inTime(secondsAtOnce(), () => show(runs.map((run) => run.filter(({ path }) => paths.has(path)))));
  };
  io.out(ofSound(inAll, layouts, ({ path }, use) => orFault([resolve(io.cwd, path)], faults, use)));
  const isFaulty = tellFaults(faults.bugs, io);
  const isOver = tellOver(faults.over, io);
  const isEmpty = runs.every((files) => files.every(({ vms }) => vms.length === 0));
  if (isEmpty) io.err("vmlint: no VM was found.\n");
  return isFaulty ? 3 : isOver || isEmpty ? 2 : 0;
}

/** Returns how the layouts of some runs over the same files are printed. */
async function layoutPrinter({ format }: Flags, { palette }: Io): Promise<(runs: readonly (readonly LintedFile[])[]) => string> {
  if (format === "svg") {
    const { filesSvg } = await import("@vmlint/core/picture");
    return (runs) => filesSvg(acrossHosts(runs));
  }
  if (format === "json") return (runs) => json(topologyJson(acrossHosts(runs), TOOL));
  return (runs) => {
    const results = acrossHosts(runs);
    if (results.every(({ vms, foreign }) => vms.length === 0 && foreign === undefined)) return "No VMs found.\n";
    return runs.length > 1 ? compareText(runs, palette) : topologyText(results, palette);
  };
}
