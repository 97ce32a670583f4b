import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { FileResult, Severity } from "@vmlint/core";
import {
  type Fixer,
  fixLine,
  foundAtLeast,
  hostedVms,
  isOutOfMemory,
  joinConsequencesIn,
  type LintedVm,
  once,
  plural,
  printable,
  rules,
  summarize,
  textReport,
  VERSION,
} from "@vmlint/core/program";
import { isTooLong, isVmlintError, notOneOf, usage } from "./args/command-output.ts";
import { COMMANDS, checkAllowed, type Flags, inputOf, isColoured, MORE_FORMATS, parse, reportWord, thresholdOf } from "./args/options.ts";
import { asOnDisk } from "./files/disk.ts";
import { shownPath } from "./files/read-files.ts";
import type { Io } from "./io.ts";
import type { Failure } from "./report/failed-report.ts";
import { palette } from "./report/palette.ts";
import type { Reports } from "./report/reports.ts";
import { tellOver } from "./run/budget.ts";
import { CROSS_VM_SKIPPED, shareMachine } from "./run/cross-vm-note.ts";
import { mayNamePlugins, openDisk } from "./run/disk-workspace.ts";
import { tellFaults } from "./run/fault.ts";
import { sharing } from "./run/jobs.ts";
import { type LintRequest, type LintRun, lintFiles } from "./run/lint-files.ts";
import { emptyPaths, hiddenFiles, noVmIn } from "./run/paths-without-vm.ts";

export const EXIT = { clean: 0, found: 1, usage: 2, internal: 3 } as const;

/** The whole command: arguments and the outside in, exit code out. */
export async function main(argv: readonly string[], outside: Io): Promise<number> {
  let io = { ...outside, cwd: asOnDisk(outside.cwd, outside.cwd) };
  try {
    const { flags: asked, optionNames, positionals: words } = parse(argv, io.cwd);
    const positionals = words.map((word, i) => (i === 0 && COMMANDS.includes(word) ? word : asOnDisk(word, io.cwd)));
    const coloured = isColoured(asked);
    if (coloured !== undefined) io = { ...io, palette: palette(coloured, io.palette) };
    const [first = "", ...rest] = positionals;
    const command = COMMANDS.includes(first) ? first : undefined;
    if (asked.help && command === undefined && first !== "" && !existsSync(resolve(io.cwd, first))) {
      const near = (await import("./files/find-files.ts")).commandNear(first);
      if (near !== "") throw usage(`${first} does not exist.${near}`);
    }
    const isWhole = asked["help-all"] ?? false;
    if (asked.help || isWhole)
      return print(io, (await import("./commands/commands.ts")).help(isWhole ? "" : (command ?? ""), isWhole, io.palette.width));
    if (asked.version) return print(io, `${VERSION}\n`);
    if (command === "lsp" && asked.plugin) throw usage("vmlint lsp has no --plugin: editors do not load plugins.");
    checkAllowed(optionNames, command);
    const flags = await withPlugins(asked, io);
    const code = await answer(command, { flags, positionals, rest }, io);
    return (await flags.plugins?.haveFailed()) ? EXIT.usage : code;
  } catch (error) {
    return tell(error, formatsIn(argv), io);
  }
}

interface Invocation {
  readonly flags: Flags;
  readonly positionals: readonly string[];
  /** The arguments after the command. */
  readonly rest: readonly string[];
}

async function answer(command: string | undefined, { flags, positionals, rest }: Invocation, io: Io): Promise<number> {
  const { formats } = flags;
  if (command !== undefined) checkFormat(formats, command);
  if (flags["print-config"] !== undefined) {
    if (positionals.length > 0) throw usage("--print-config takes one path.");
    checkFormat(formats, "--print-config");
    return print(io, await (await import("./commands/commands.ts")).printConfig(flags["print-config"], flags, io));
  }
  if (command === undefined) return await (flags.watch ? watch : lint)(positionals, flags, io);
  const commands = await import("./commands/commands.ts");
  if (command === "diff") return await commands.diff(rest, flags, io);
  if (command === "migrate") return await commands.migrate(rest, flags, io);
  if (command === "move") return await commands.move(rest, flags, io);
  if (command === "verify") return await commands.verify(rest, flags, io);
  if (command === "topology") return await commands.topology(rest, flags, io);
  if (command === "mcp") {
    if (rest.length > 0) throw usage("vmlint mcp has no file argument: the agent sends the paths.");
    await (await import("./serve/mcp/server.ts")).serve(main, io);
    return EXIT.clean;
  }
  return print(io, (await commands.COMMANDS[command]?.(rest, flags, io)) ?? "");
}

/** Reports an error on stderr and in structured reports, and returns the exit code. */
async function tell(error: unknown, formats: readonly string[], io: Io): Promise<number> {
  const failure = failureOf(error);
  const { message, exitCode } = failure;
  if (exitCode === EXIT.internal)
    io.err(`vmlint failed, and this is a bug in vmlint:\n${error instanceof Error ? error.stack : message}\n`);
  else io.err(`${message.replace(/^/gm, "vmlint: ")}\n`);
  // If files of vmlint are missing, this one may be missing too. The error is already on stderr.
  const failed = formats.length > 0 ? await import("./report/failed-report.ts").catch(() => undefined) : undefined;
  const [onStdout] = formats.flatMap((format) => failed?.failedReport(format, failure) ?? []);
  if (onStdout) io.out(onStdout);
  return exitCode;
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return isVmlintError(error)
    ? { code: error.code, message, exitCode: EXIT.usage }
    : isTooLong(error)
      ? { code: "USAGE", message: TOO_LONG, exitCode: EXIT.usage }
      : isOutOfMemory(error)
        ? { code: "USAGE", message: "This run needs more memory than there is. Check fewer files at a time.", exitCode: EXIT.usage }
        : { code: "INTERNAL", message, exitCode: EXIT.internal };
}

const TOO_LONG =
  "The report is too long. Check fewer files at a time, such as one folder, or choose a shorter report (--quiet, --format md).";

/** The values of --format, also where the command line cannot be understood. */
const formatsIn = (argv: readonly string[]): readonly string[] =>
  argv
    .flatMap((word, i) => (argv[i - 1] === "--format" ? word : word.startsWith("--format=") ? word.slice("--format=".length) : []))
    .map(reportWord);

/** Loads plugins. Most runs have none. */
async function withPlugins(flags: Flags, io: Io): Promise<Flags> {
  if (!flags.plugin && !(flags.config !== undefined && mayNamePlugins(resolve(io.cwd, flags.config)))) return flags;
  return { ...flags, plugins: await (await import("./plugins/plugins.ts")).loadPlugins(flags, io) };
}

function checkFormat([format, ...others]: readonly string[], command: string): void {
  if (others.length > 0) throw usage(`vmlint ${command} takes one --format.`);
  const allowed = ["text", "json", ...(MORE_FORMATS[command] ?? [])];
  // Only tables go to files.
  const name = MORE_FORMATS[command]?.includes("xlsx") ? format?.split(":")[0] : format;
  if (name === undefined || allowed.includes(name)) return;
  if (format === "svg") throw usage("--format svg only works with vmlint topology.");
  throw notOneOf(`--format of vmlint ${command}`, allowed, name);
}

/** Whether the only report is text on stdout, as in most runs. The code of other reports is then not loaded. */
const isPlain = ({ formats, quiet, stats, "max-warnings": most, anonymise }: Flags): boolean =>
  anonymise === undefined && formats.length < 2 && (formats[0] ?? "text") === "text" && !quiet && !stats && most === undefined;

/** Options that --watch does not support, because they change the files or depend on git. */
const ONCE = [
  "fix",
  "fix-unsafe",
  "fix-dry-run",
  "diff",
  "add-suppressions",
  "update-baseline",
  "prune-baseline",
  "changed",
  "staged",
] as const;

/** Lints whenever a file changes, until it is interrupted. */
async function watch(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const wrong = ONCE.find((name) => flags[name] !== undefined);
  if (wrong) throw usage(`--watch and --${wrong} exclude each other.`);
  if (patterns.includes("-")) throw usage("--watch takes files and folders: the standard input can be read only once.");
  const { runAgain } = await import("./run/watch.ts");
  const breath = io.interruptible();
  const disk = io.disk ?? openDisk(io.cwd, { config: flags.config });
  const run = async (outside: Io): Promise<void> => {
    try {
      await lint(patterns, flags, { ...outside, interruptible: () => breath, disk });
    } catch (error) {
      // Files and configurations can be corrected during the watch, the command line cannot.
      if (isVmlintError(error) && error.code === "USAGE") throw error;
      await tell(error, flags.formats, outside);
    }
  };
  const outputs = flags.formats.flatMap((word) => word.split(":").slice(1).join(":") || []);
  return runAgain({ patterns, outputs: outputs.map((path) => resolve(io.cwd, path)), run }, io);
}

const lint = (patterns: readonly string[], flags: Flags, io: Io): Promise<number> =>
  io.disk ? io.disk.runs.inTurn(() => lintNow(patterns, flags, io)) : lintNow(patterns, flags, io);

async function lintNow(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const threshold = thresholdOf(flags);
  if (isPlain(flags)) return lintFor({ patterns, flags, threshold, reports: undefined }, io);
  const { planReports } = await import("./report/reports.ts");
  const read = new Set<string>();
  const reports = await planReports(flags, threshold, read, io, patterns);
  const noted = (path: string): void => {
    read.add(path);
    io.noted?.(path);
  };
  try {
    return await lintFor({ patterns, flags, threshold, reports }, { ...io, noted });
  } catch (error) {
    reports.fail(failureOf(error));
    throw error;
  }
}

interface Run {
  readonly patterns: readonly string[];
  readonly flags: Flags;
  readonly threshold: Severity | "never";
  readonly reports: Reports | undefined;
}

async function lintFor({ patterns, flags, threshold, reports }: Run, given: Io): Promise<number> {
  const context = new Set<string>();
  const noted = (path: string): void => {
    context.add(path);
    given.noted?.(path);
  };
  const outside = { ...given, noted };
  const baselineAction = baselineActionOf(flags);
  if (baselineAction.fix && patterns.includes("-")) throw usage("--fix and --diff need files or folders; stdin cannot be changed.");
  const lap = stopwatch(flags.timing ?? false, outside);
  const changed = await changedIn(flags, outside);
  const staged = changed?.staged;
  const io = staged ? { ...outside, staged } : outside;
  const times = flags.timing ? (await import("./run/rule-times.ts")).timeRules(flags.plugins?.allRules ?? rules) : undefined;
  const isContext = (path: string): boolean => context.has(path);
  const request = {
    ...(await requestOf(patterns, flags, baselineAction, io)),
    changed,
    ...(times && { rules: times.rules }),
    isContext,
  };
  const run = await lintFiles(request, io);
  lap("finding files and configurations");
  const partial = changed !== undefined;
  const reviewed = {
    baseline: flags["no-baseline"] ? false : flags.baseline,
    patterns,
    partial,
  } as const;
  // Known only once the files are read, unless they are to be fixed.
  const reviewing = once(async () => (await import("./run/reviewer.ts")).reviewer(run, { ...baselineAction, ...reviewed }, io));
  const fixing =
    baselineAction.fix &&
    (await import("./run/fix.ts")).fixing({ ...baselineAction.fix, patterns, run, openFindings: (await reviewing()).openFindings }, io);
  const breath = fixing || reports ? io.interruptible() : undefined;
  for (const host of run.listedHosts) reports?.names?.addHost(host);
  const alone = await lintEach(run, { fixer: fixing?.fixer, describes: run.describes && !partial, breath, seen: reports?.names?.add }, io);
  lap(`reading and checking ${plural(alone.length, "file")}`);
  if (partial && shareMachine(alone)) io.err(CROSS_VM_SKIPPED);
  // Most runs need neither cross-VM rules nor suppressions, and do not load them.
  const isComplete =
    run.suppressions.size === 0 && !run.hides && (partial || (run.listedHosts.length === 0 && !mayShareMachine(alone, run)));
  const { results: open, stale } = isComplete
    ? { results: joinConsequencesIn(alone, run.rules), stale: false }
    : (await reviewing()).review(alone);
  const reason = flags["add-suppressions"];
  const results = reason === undefined ? open : (await import("./run/add-suppressions.ts")).addSuppressions(open, reason, run, io);
  lap("checking VMs together, suppressions and baseline");
  const empty = await emptyOf(results, { request, run, context, partial, threshold }, flags, io);
  const { lost, faults, over, mistakes, withoutVm } = run.unchecked;
  const written = await reports?.write(results, { lost, empty, faults, over, mistakes, withoutVm, hosts: run.listedHosts });
  const isAllUnusable = results.length === 0 && mistakes.size > 0;
  if (!written && !isAllUnusable)
    io.out(fixing?.dryRun ? fixing.diff() : textReport(results, io.palette, noVmIn(withoutVm, io.cwd), flags.plugins?.allRules));
  if (!isAllUnusable) tellFixes(results, baselineAction.fix, written === undefined && !fixing?.dryRun, io);
  lap("reporting");
  for (const line of times?.lines() ?? []) io.err(line);
  if (hasFaults(results, faults, io) || written?.isFaulty) return EXIT.internal;
  // Part of the named files was not checked, or not as its configuration says.
  if (lost.size + faults.size + mistakes.size > 0 || tellOver(over, io)) return EXIT.usage;
  if (!flags["allow-empty"] && tellEmpty(empty, run.unchecked.empty, io)) return EXIT.usage;
  if ((stale && io.ci) || written?.fails) return EXIT.found;
  return !written && threshold !== "never" && foundAtLeast(results, threshold) ? EXIT.found : EXIT.clean;
}

interface Emptiness {
  readonly request: LintRequest;
  readonly run: LintRun;
  /** The paths of files that were read for other files. */
  readonly context: ReadonlySet<string>;
  readonly partial: boolean;
  readonly threshold: Severity | "never";
}

/** Returns the paths of the command line without a VM. A part of a run may have none if the rest may hold some. */
async function emptyOf(
  results: readonly FileResult[],
  { request, run, context, partial, threshold }: Emptiness,
  flags: Flags,
  io: Io,
): Promise<ReadonlyMap<string, string>> {
  const { mistakes, withoutVm, empty: seen, contextReasons } = run.unchecked;
  if (mistakes.size > 0) return new Map();
  // A program that passes changed files names some without VMs.
  const isPart = partial || (flags["force-exclude"] ?? false);
  if (isPart && (results.some(({ vmCount }) => vmCount > 0) || (partial && run.leavesOutVms()))) return new Map();
  const least = flags["max-warnings"] !== undefined && threshold !== "never" ? "error" : threshold;
  const { stdinName } = request;
  const patterns = request.patterns.length > 0 ? request.patterns : ["."];
  const empty = emptyPaths(
    patterns,
    {
      results,
      projectFiles: run.projectFiles,
      withoutVm,
      context: new Set([...run.hostFiles, ...context]),
      contextReasons,
      fails: least !== "never" && foundAtLeast(results, least),
    },
    seen,
    { cwd: io.cwd, stdinName },
  );
  const withHidden = async ([path, reason]: readonly [string, string]) => {
    const hidden = seen.has(path) || !existsSync(path) ? undefined : await hiddenFiles(path, request, io);
    return [path, hidden === undefined ? reason : `${reason}: ${hidden}`] as const;
  };
  return new Map(await Promise.all([...empty].map(withHidden)));
}

/** Names each path without a VM that the command line names. Files were reported when they were read. */
function tellEmpty(empty: ReadonlyMap<string, string>, reported: ReadonlyMap<string, string>, io: Io): boolean {
  for (const [path, reason] of empty)
    if (!reported.has(path)) io.err(`vmlint: ${printable(shownPath(path, io.cwd))} is not checked: ${reason}.\n`);
  if (empty.size > 0) io.err("vmlint: nothing was checked there. Pass --allow-empty if you expect that.\n");
  return empty.size > 0;
}

/** Names each built-in rule and each file that threw, once. The other rules and files were checked. */
function hasFaults(results: readonly FileResult[], failed: ReadonlyMap<string, string> | undefined, io: Io): boolean {
  const faults = new Map<string, string>();
  for (const { path, skipped } of results)
    for (const { ruleId, fault } of skipped)
      if (fault !== undefined && !faults.has(ruleId))
        faults.set(ruleId, `vmlint: rule ${ruleId} failed on ${printable(path)}, and this is a bug in vmlint:\n${fault}\n`);
  for (const sentence of faults.values()) io.err(sentence);
  return tellFaults(failed, io) || faults.size > 0;
}

/** Counts the fixes below the report; without a report for people, on stderr if fixes were asked for. */
function tellFixes(results: readonly FileResult[], fix: BaselineAction["fix"], isReported: boolean, io: Io): void {
  const fixed = !fix || fix.dryRun ? undefined : fix.unsafe ? "all" : "safe";
  for (const line of isReported || fix ? fixLine(results, { fixed, isShown: fix?.showsAll }) : [])
    if (isReported) io.out(`${line}\n`);
    else io.err(`vmlint: ${line}\n`);
}

/** Returns the request of a run from its options. */
async function requestOf(patterns: readonly string[], flags: Flags, { fix, write }: BaselineAction, io: Io): Promise<LintRequest> {
  const { host: [host, ...others] = [], config, together, "no-inline-config": ignoreComments } = flags;
  if (others.length > 0) throw usage("Checking takes one --host; vmlint topology compares hosts.");
  const baseline = flags.baseline !== undefined || write !== undefined;
  // Files are only changed as the whole configuration says.
  const changes = write || fix || flags["add-suppressions"] !== undefined;
  const checking = {
    patterns,
    host,
    config,
    together,
    ignoreComments,
    baseline,
    disk: fix || flags.plugins ? undefined : io.disk,
    // Other threads keep no answers.
    share: io.disk ? undefined : sharing(flags, fix !== undefined, io),
    // A new baseline would lose the entries of a file that is not checked.
    tolerates: [...(write ? [] : (["lost", "faults", "over"] as const)), ...(changes ? [] : (["mistakes"] as const))],
    onlyFindings: flags.anonymise === undefined,
    writes: fix !== undefined && !fix.dryRun,
  };
  return { ...checking, ...inputOf(flags) };
}

interface Each {
  readonly fixer: Fixer | undefined;
  readonly describes: boolean;
  /** Receives each VM, to learn its names. */
  readonly seen: ((vm: LintedVm) => void) | undefined;
  /** Lets an interruption through between two files. */
  readonly breath: (() => Promise<void>) | undefined;
}

async function lintEach(run: LintRun, { fixer, describes, breath, seen }: Each, io: Io): Promise<readonly FileResult[]> {
  const alone: FileResult[] = [];
  const place = hostedVms();
  const show = progress(run.count, io);
  for (const file of run.files(fixer)) {
    if (seen) file.vms.forEach(seen);
    alone.push(summarize(file, place, describes));
    show?.(alone.length);
    await breath?.();
  }
  return alone;
}

/** Whether cross-VM rules have something to check. */
const mayShareMachine = (alone: readonly FileResult[], { describes }: LintRun): boolean =>
  describes || alone.reduce((count, file) => count + file.hostedVms.length, 0) > 1;

/** Milliseconds before the first line of progress, and between two lines. */
const PATIENCE = 1000;
const PACE = 100;

/** Shows how many files are done, on a terminal during a long run. */
function progress(count: number, { progress: show }: Io): ((done: number) => void) | undefined {
  if (!show) return undefined;
  let next = performance.now() + PATIENCE;
  return (done) => {
    const now = performance.now();
    if (now < next) return;
    next = now + PACE;
    show(`${done} of ${count} files`);
  };
}

/** Returns a function that prints the time since the last step. */
function stopwatch(isOn: boolean, io: Io): (step: string) => void {
  if (!isOn) return () => {};
  let since = 0;
  return (step) => {
    const now = performance.now();
    // From the start of the process: loading vmlint is part of the first step.
    io.err(`vmlint: ${(now - since).toFixed(1)} ms ${step}.\n`);
    since = now;
  };
}

/** Returns the files to check, for a partial run. */
async function changedIn({ changed, staged = false }: Flags, io: Io): Promise<LintRequest["changed"]> {
  if (changed !== undefined && staged) throw usage("--changed and --staged exclude each other.");
  const asksGit = changed !== undefined || staged;
  return asksGit ? (await import("./files/git.ts")).changedFiles({ since: changed, staged }, io) : undefined;
}

type BaselineAction = ReturnType<typeof baselineActionOf>;

/** Returns the kind of fixes from the options. */
function baselineActionOf(flags: Flags) {
  const unsafe = flags["fix-unsafe"] ?? false;
  const dryRun = flags.diff ?? flags["fix-dry-run"] ?? false;
  if (dryRun && !isPlain(flags)) throw usage("--diff excludes --format, --quiet, --max-warnings and --stats.");
  const [update, prune, none] = [flags["update-baseline"], flags["prune-baseline"], flags["no-baseline"]];
  if ((update && prune) || (none && (update || prune)))
    throw usage("--update-baseline, --prune-baseline and --no-baseline exclude each other.");
  if (none && flags.baseline !== undefined) throw usage("--baseline and --no-baseline exclude each other.");
  const write = update ? ("update" as const) : prune ? ("prune" as const) : undefined;
  if (dryRun && flags["add-suppressions"] !== undefined) throw usage("--diff writes nothing. It excludes --add-suppressions.");
  if (dryRun && write) throw usage("--diff writes nothing. It excludes --update-baseline and --prune-baseline.");
  // Alone, --diff shows every fix. With --fix, it shows what --fix would write.
  const showsAll = dryRun && (unsafe || !flags.fix);
  return { write, fix: flags.fix || unsafe || dryRun ? { unsafe: unsafe || showsAll, dryRun, showsAll } : undefined };
}

function print(io: Io, text: string): number {
  io.out(text);
  return EXIT.clean;
}
