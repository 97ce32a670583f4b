import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { FileResult, Severity } from "@vmlint/core";
import {
  BASELINE,
  CONFIG_NAMES,
  countBySeverity,
  faultOf,
  formatsOf,
  foundAtLeast,
  joinPath,
  PLAIN,
  plural,
  VmlintError,
  withPaths,
} from "@vmlint/core/program";
import { REPORT_FORMATS, type ReportFormat, type Run, reporters, statsText, WORKBOOK_MARK } from "@vmlint/core/reporters";
import { isTooLong, notOneOf, TOOL, usage, wholeNumber } from "../args/command-output.ts";
import type { Flags } from "../args/options.ts";
import { realOf } from "../files/disk.ts";
import { isFile, isWithin, readText, shownPath, statsOf, toSlashes } from "../files/read-files.ts";
import { makeFolder, nameBeside } from "../files/write-file.ts";
import type { Io } from "../io.ts";
import { secondsAtOnce } from "../run/budget.ts";
import { FAULTY } from "../run/fault.ts";
import type { Unchecked } from "../run/lint-files.ts";
import { noVmIn } from "../run/paths-without-vm.ts";
import { inTime } from "../run/time-limit.ts";
import type { Pseudonyms } from "./anonymise.ts";
import { type Failure, failedReport } from "./failed-report.ts";

type NotChecked = NonNullable<Run["notChecked"]>[number];

type Report = string | Uint8Array;
type AnyReporter = (results: readonly FileResult[], run: Run) => Report;

export interface Wanted {
  readonly format: ReportFormat;
  /** Undefined: stdout. */
  readonly file: string | undefined;
}

/** A file that a rule failed on. */
const failedRules = ({ path, skipped }: FileResult) =>
  [...new Set(skipped.flatMap(({ ruleId, reason }) => (reason === "rule-failed" ? ruleId : [])))].map((ruleId) => ({
    path,
    reason: `rule ${ruleId} failed on it`,
  }));

/** The result of writing the reports. */
export interface Written {
  /** Whether the findings make the run fail. */
  readonly fails: boolean;
  /** Whether one of the reports could not be made, by a bug. */
  readonly isFaulty: boolean;
}

export interface Reports {
  /** Replaces names, if the reports are anonymous. */
  readonly names: Pseudonyms | undefined;
  /** Writes all reports. */
  readonly write: (results: readonly FileResult[], run?: Partial<Unchecked> & Pick<Run, "hosts">) => Promise<Written>;
  /** Writes the error into the structured report files. Otherwise results of an earlier run would remain there. */
  readonly fail: (failure: Failure) => void;
}

/** Lists the unchecked parts of a run, with the reasons. */
function notCheckedOf(all: readonly FileResult[], run: Partial<Unchecked>, allowsEmpty: boolean, { cwd }: Io): readonly NotChecked[] {
  const reasons = (paths: ReadonlyMap<string, string> = new Map()): readonly NotChecked[] =>
    Array.from(paths, ([path, reason]) => ({ path: shownPath(path, cwd), reason }));
  return [
    ...Array.from(run.lost ?? [], (path) => ({ path: shownPath(path, cwd), reason: "it could not be read" })),
    ...Array.from(run.mistakes ?? [], ([path, own]) => ({ path: shownPath(path, cwd), reason: own.join(" ").replace(/\.$/, "") })),
    ...reasons(run.over),
    ...reasons(run.empty).map((one) => (allowsEmpty ? { ...one, makesNoVm: true as const } : one)),
    ...Array.from(run.faults?.keys() ?? [], (path) => ({ path: shownPath(path, cwd), reason: FAULTY })),
    ...all.flatMap(failedRules),
    ...noVmIn(run.withoutVm ?? [], cwd),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * For a run that asks for more than the ordinary text. Throws USAGE for what cannot be done, before anything is linted. No report takes the
 * place of a file that was `read` by the time it is written.
 */
export async function planReports(
  flags: Flags,
  failOn: Severity | "never",
  inputPaths: ReadonlySet<string>,
  io: Io,
  inputs: readonly string[] = [],
  by: Readonly<Record<ReportFormat, AnyReporter>> = reporters,
): Promise<Reports> {
  const wanted = wantedOf(flags.formats, io.cwd);
  const rules = flags.plugins?.allRules;
  const names = flags.anonymise === undefined ? undefined : (await import("./anonymise.ts")).pseudonyms(flags.anonymise);
  const { "max-warnings": limit } = flags;
  const most = limit === undefined ? undefined : wholeNumber("--max-warnings", limit);
  const isIn = (paths: ReadonlySet<string>, file: string): boolean => existsSync(file) && (paths.has(file) || paths.has(realOf(file)));
  const write: Reports["write"] = async (all, run = {}) => {
    const { lost = new Set<string>(), mistakes = new Map(), hosts } = run;
    const linted = new Set(all.map(({ path }) => resolve(io.cwd, path)));
    for (const { file } of wanted)
      if (file !== undefined && (isIn(inputPaths, file) || isIn(linted, file)))
        throw usage(`${shownPath(file, io.cwd)} cannot be replaced by a report: this run reads it. Name another file.`);
    const { warning } = countBySeverity(all);
    const tooMany = most !== undefined && warning > most;
    // A number of warnings is a threshold between the two severities.
    const threshold = most !== undefined && (failOn === "error" || failOn === "warning") ? (tooMany ? "warning" : "error") : failOn;
    const named = flags.quiet ? all.map(errorsOf) : all;
    const results = names ? named.map(names.result) : named;
    const unread = [...lost, ...mistakes.keys()].map((path) => shownPath(path, io.cwd)).sort();
    const notChecked = notCheckedOf(all, run, flags["allow-empty"] ?? false, io);
    const pluginsFailed = await flags.plugins?.haveFailed();
    const nameless = (one: NotChecked): NotChecked =>
      names ? { ...one, path: names.path(one.path), reason: names.text(one.reason) } : one;
    const made = ({ format, file }: Wanted, failed: readonly NotChecked[]): Report => {
      // The folders of a build are names, too.
      const pathOf = names ? undefined : pathsIn(format, io);
      const moved = <T extends { readonly path: string }>(one: T): T => (pathOf ? { ...one, path: pathOf(one.path) } : one);
      return by[format](pathOf ? results.map((result) => withPaths(result, pathOf)) : results, {
        tool: TOOL,
        failOn: threshold,
        rules,
        fixed: flags["fix-unsafe"] ? "all" : flags.fix ? "safe" : undefined,
        unread: names ? unread.map(names.path) : unread,
        notChecked: [...notChecked, ...failed].map(nameless).map(moved),
        pluginsFailed,
        hosts: names ? hosts?.map(names.host) : hosts,
        date: io.today(),
        inputs: names ? inputs.map(names.path) : inputs,
        palette: file === undefined ? io.palette : PLAIN,
      });
    };
    const { texts, isFaulty } = eachReport(wanted, made, io);
    // Files are written first. If one fails, stdout stays empty.
    wanted.forEach(({ file }, i) => {
      if (file !== undefined) writeReport(file, texts[i] ?? "");
    });
    const onStdout = wanted.findIndex(({ file }) => file === undefined);
    if (onStdout >= 0) io.out(String(texts[onStdout] ?? ""));
    if (flags.stats) io.err(statsText(all));
    if (tooMany && threshold === "warning") io.err(`vmlint: ${plural(warning, "warning")}, and --max-warnings allows ${most}.\n`);
    return { fails: threshold !== "never" && foundAtLeast(tooMany ? all : results, threshold), isFaulty };
  };
  const fail: Reports["fail"] = (failure) => {
    for (const { format, file } of wanted) {
      const text = file && !isIn(inputPaths, file) && failedReport(format, failure);
      if (!text) continue;
      try {
        if (!mayHoldVm(file, format)) writeReport(file, text);
      } catch {
        // The run may have failed for the same reason, which is already reported.
      }
    }
  };
  return { names, write, fail };
}

/**
 * Returns the text of each report. If one takes too long or has a bug, stderr and all other reports name it, and a structured report contains
 * the error.
 */
function eachReport(wanted: readonly Wanted[], made: (one: Wanted, failed: readonly NotChecked[]) => Report, io: Io) {
  const failed: NotChecked[] = [];
  const textOf = (one: Wanted): Report | undefined => {
    try {
      return inTime(secondsAtOnce(), () => made(one, failed));
    } catch (error) {
      if (isTooLong(error)) throw error;
      const reason = `the ${one.format} report failed, and this is a bug in vmlint`;
      io.err(`vmlint: ${reason}:\n${faultOf(error)}\n`);
      failed.push({ path: one.file === undefined ? "stdout" : shownPath(one.file, io.cwd), reason });
      return undefined;
    }
  };
  const texts = wanted.map(textOf);
  if (failed.length === 0) return { texts, isFaulty: false };
  const instead = ({ format }: Wanted) =>
    failedReport(format, { code: "INTERNAL", message: `The ${format} report failed, and this is a bug in vmlint.`, exitCode: 3 });
  return { texts: wanted.map((one, i) => (texts[i] === undefined ? instead(one) : made(one, failed))), isFaulty: true };
}

/** The variables that name the folder of the repository: GitHub, GitLab, Azure Pipelines, Bitbucket. */
const ROOTS = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY", "BITBUCKET_CLONE_DIR"];

/** Reports for services, which look for files in a repository. People and scripts read other reports in the working directory. */
const FOR_SERVICES: ReadonlySet<ReportFormat> = new Set(["github", "gitlab", "azure", "sarif", "junit", "checkstyle", "compact", "md"]);

/** Returns a function that changes paths for a report. In a build, reports for services have paths from the root of the repository. */
function pathsIn(format: ReportFormat, { env, cwd }: Io): ((path: string) => string) | undefined {
  if (!FOR_SERVICES.has(format)) return undefined;
  // The agent finds the repository of an absolute path among several of a job (BuildJobExtension.cs, ConvertLocalPath).
  if (format === "azure" && env.BUILD_SOURCESDIRECTORY) return (path) => joinPath(toSlashes(cwd), path);
  const here = realOf(cwd);
  const root = ROOTS.flatMap((name) => (env[name] ? realOf(resolve(cwd, env[name])) : [])).find((folder) => isWithin(here, folder));
  if (root === undefined || root === here) return undefined;
  return (path) => joinPath(shownPath(here, root), path);
}

const errorsOf = (file: FileResult): FileResult => ({
  ...file,
  diagnostics: file.diagnostics.filter(({ severity }) => severity === "error"),
});

/** `text`, or `sarif:out.sarif`: the form, and the file it goes to. */
function wantedOf(words: readonly string[], cwd: string): readonly Wanted[] {
  const wanted = (words.length > 0 ? words : ["text"]).map((word): Wanted => {
    const colon = word.indexOf(":");
    const format = formatOf(colon < 0 ? word : word.slice(0, colon));
    if (format === "xlsx" && (colon < 0 || colon === word.length - 1))
      throw usage("--format xlsx needs a file name: write --format xlsx:FILE.xlsx.");
    if (colon === word.length - 1) throw usage(`--format ${word} needs a file name: write ${word}FILE, or ${format} for stdout.`);
    const file = colon < 0 ? undefined : resolve(cwd, word.slice(colon + 1));
    const kind = file === undefined ? undefined : kindOf(file, format);
    if (kind) throw usage(`--format ${word}: that file is ${kind} by its name. Choose another name.`);
    return { format, file };
  });
  const [, second] = wanted.filter(({ file }) => file === undefined);
  if (second) throw usage(`At most one report can go to stdout. Write the other reports to files: --format ${second.format}:FILE.`);
  const twice = wanted.find(
    ({ file }, i) => file !== undefined && wanted.findIndex((other) => other.file !== undefined && realOf(other.file) === realOf(file)) < i,
  );
  if (twice) throw usage(`Two reports cannot go to the same file (${twice.file}).`);
  return wanted;
}

/** Returns the kind of a file that a report must not replace. */
function kindOf(file: string, format: ReportFormat): string | undefined {
  if (CONFIG_NAMES.includes(basename(file))) return "a configuration";
  if (basename(file) === BASELINE) return "a baseline";
  if (dirname(file).split(/[\\/]/).includes(".git")) return "git's own";
  return isFile(file) && formatsOf(file).some(({ mayHold }) => !mayHold) && !isReport(readText(file), format)
    ? "an existing VM definition"
    : undefined;
}

/** Whether a file may hold a VM: where a run fails, it is not known which files it would have read. */
function mayHoldVm(file: string, format: ReportFormat): boolean {
  const text = isFile(file) ? readText(file) : "";
  return !isReport(text, format) && formatsOf(file).some(({ mayHold }) => !mayHold || mayHold(text));
}

/** The first characters of reports. Lists of VMs may have the same file names. */
const BEGINNINGS: Partial<Record<ReportFormat, readonly string[]>> = {
  csv: ["path,line,column,severity,rule,", "vm,path,host,cluster,action,", "severity,vm,path,host,"],
  ndjson: ['{"type":"run","schemaVersion":'],
  json: ['{\n  "schemaVersion": '],
  sarif: ['{\n  "version": "2.1.0",\n  "$schema"'],
};

/** Whether a text is a report of an earlier run, or holds nothing. */
const isReport = (text: string, format: ReportFormat): boolean => {
  if (format === "xlsx" && text.slice(0, 1000).includes(WORKBOOK_MARK)) return true;
  return text.trim() === "" || BEGINNINGS[format]?.some((beginning) => text.startsWith(beginning)) === true;
};

function formatOf(name: string): ReportFormat {
  const names = Object.keys(REPORT_FORMATS) as ReportFormat[];
  const found = names.find((format) => format === name);
  if (found) return found;
  if (name === "svg") throw usage("--format svg only works with vmlint topology.");
  throw notOneOf("--format", names, name);
}

/** Returns the form of a report, and the file it goes to, for a command with one report. */
export const reportFile = (word: string, cwd: string): Wanted => wantedOf([word], cwd)[0] as Wanted;

/** Writes a file atomically: readers see the old or the new content. */
export function writeReport(path: string, text: Report): void {
  if (statsOf(path)?.isDirectory()) throw usage(`${path} is a folder: name a file in it.`);
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    // A pipe or a device is written to, not replaced.
    if (there && !there.isFile()) {
      writeFileSync(path, text);
      return;
    }
    const target = there ? realpathSync(path) : path;
    const part = nameBeside(target);
    makeFolder(dirname(target));
    try {
      writeFileSync(part, text, { mode: there?.mode ?? 0o666 });
      renameSync(part, target);
    } finally {
      rmSync(part, { force: true });
    }
  } catch (cause) {
    throw new VmlintError("USAGE", `${path} cannot be written (${(cause as NodeJS.ErrnoException).code}).`, { cause });
  }
}
