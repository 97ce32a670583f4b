import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic, FileResult, Rule, Skip } from "@vmlint/core";
import { type Baseline, type BaselineEntry, formatBaseline, isWholeJson, parseBaseline, prunedBaseline } from "@vmlint/core/baseline";
import {
  rules as builtin,
  type FoundConfig,
  isCrossVm,
  isSilent,
  type LintResult,
  plural,
  printable,
  VmlintError,
} from "@vmlint/core/program";
import { openFindings, type ReviewedBaseline, reviewRun } from "@vmlint/core/review";
import { type FileSuppressions, isAskedOf } from "@vmlint/core/suppress";
import { fromSlashes, isFile, isWithin, readBytes, shownPath, statsOf } from "../files/read-files.ts";
import { checkNamed, workspaceAround } from "../files/read-named.ts";
import { replaceFile } from "../files/write-file.ts";
import type { Io } from "../io.ts";
import { secondsAtOnce } from "./budget.ts";
import { baselinePath } from "./disk-workspace.ts";
import type { LintRun } from "./lint-files.ts";
import { inTime } from "./time-limit.ts";

interface ReviewRequest {
  /** A baseline that replaces the configured ones. `false` means no baseline. */
  readonly baseline: string | false | undefined;
  /** Whether to update or prune the baselines. */
  readonly write: "update" | "prune" | undefined;
  /** The folders and files that were asked for. */
  readonly patterns: readonly string[];
  /** Only part of the files were checked, so there are no cross-VM checks, and unused settings cannot be detected. */
  readonly partial: boolean;
}

interface Reviewed {
  readonly results: readonly FileResult[];
  /** Whether a baseline has entries that are no longer found. */
  readonly stale: boolean;
}

export interface Reviewer {
  /** The findings of a file that are neither suppressed nor in a baseline. */
  readonly openFindings: (
    shownPath: string,
    suppressions: FileSuppressions,
    diagnostics: LintResult["diagnostics"],
  ) => readonly Diagnostic[];
  /** Checks several VMs together, hides findings by suppressions and baselines, and reports unused ones. */
  readonly review: (results: readonly FileResult[]) => Reviewed;
}

/** A baseline with its file. */
interface BaselineFile extends Baseline {
  /** Absolute. */
  readonly path: string;
  readonly bytes: Buffer | undefined;
  /** Invalid JSON, because a merge dropped a comma. */
  readonly isMended: boolean;
}

/** Knows the suppressions and the baselines of a run. */
export function reviewer(run: LintRun, request: ReviewRequest, io: Io): Reviewer {
  const { baseline: named, write, patterns, partial } = request;
  const today = io.today();
  const wholeFolders = (partial ? [] : patterns.length > 0 ? patterns : ["."]).map((pattern) => resolve(io.cwd, pattern));
  const isWhole = ({ folder }: FoundConfig) => wholeFolders.some((whole) => isWithin(fromSlashes(folder), whole));
  const saving = { named, homes: [io.cwd, ...run.configs.map(({ folder }) => fromSlashes(folder))] };
  const baselines = new Map<string, BaselineFile>();
  const baselineOf = (config: FoundConfig | undefined): BaselineFile | undefined => {
    if (named === false) return undefined;
    const path = named === undefined ? config && baselinePath(config) : resolve(io.cwd, named);
    if (path === undefined) return undefined;
    const entries =
      baselines.get(path) ??
      readBaseline(
        path,
        {
          mustExist: named !== undefined && write !== "update",
          workspace: named === undefined && config ? workspaceAround(io.cwd, [fromSlashes(config.folder)]) : undefined,
        },
        write ? { ...io, staged: undefined } : io,
      );
    baselines.set(path, entries);
    return entries;
  };

  const open: Reviewer["openFindings"] = (path, suppressions, diagnostics) =>
    openFindings({ path, diagnostics, suppressions, baseline: baselineOf(run.configOf(path)), today });

  const review: Reviewer["review"] = (checked) => {
    const { results, baselines } = reviewRun(run, checked, {
      today,
      vmsAlone: partial,
      isWhole,
      ...(run.hides && {
        baselineOf: (path) => baselineOf(run.configOf(path)),
        baselines: run.configs.flatMap((config) => baselineOf(config) ?? []),
      }),
      updates: write === "update",
      ran: ranBy,
      inTime: (work) => inTime(secondsAtOnce(), work),
      hosts: run.listedHosts,
    });
    return { results, stale: baselines.map(keep).some((isStale) => isStale) };
  };

  /** Writes the baseline on request, or reports its stale entries. Returns whether some remain. */
  const keep = ({ baseline, entries, stale }: ReviewedBaseline<BaselineFile>): boolean => {
    if (write === "update") save(baseline, entries, saving, io);
    else if (write === "prune") {
      if (stale.length > 0 || baseline.isMended) save(baseline, prunedBaseline(entries, stale), saving, io);
    } else if (stale.length > 0) io.err(wordStale(shownPath(baseline.path, io.cwd), stale, io.ci));
    return stale.length > 0 && write !== "prune";
  };

  const ranBy = (baseline: BaselineFile, files: readonly FileResult[]) => {
    const asked = files.filter(({ path }) => run.asks(path));
    const skipsOf = new Map(
      asked.map((file) => [baseline.nameOf(file.path), { skipped: file.skipped, suppressions: run.suppressions.get(file.path) }]),
    );
    const configs = new Map(
      run.configs.flatMap((found) => (found.path === undefined ? [] : [[baseline.nameOf(fromSlashes(found.path)), found]])),
    );
    const isAllSeen = (found: FoundConfig): boolean => isWhole(found) && files.every(({ skipped }) => skipped.length === 0);
    return (path: string, rule: string): boolean => {
      const found = configs.get(path);
      if (found) return isAskedOf(found.config, rule, isAllSeen(found) ? "all" : "some");
      const file = skipsOf.get(path);
      // A deleted file has no findings any more.
      return file ? ranOn(rule, run.rules ?? builtin, file.skipped, file.suppressions) : !existsSync(resolve(baseline.path, "..", path));
    };
  };

  return { openFindings: open, review };
}

interface Saving {
  /** The baseline that the command line names. */
  readonly named: string | false | undefined;
  /** The folders that a new baseline of a configuration may be in. */
  readonly homes: readonly string[];
}

function save({ path, bytes }: BaselineFile, entries: readonly BaselineEntry[], { named, homes }: Saving, io: Io): void {
  const name = shownPath(path, io.cwd);
  if (!bytes && entries.length === 0) {
    io.err(`vmlint: there are no findings, so ${name} is not written.\n`);
    return;
  }
  // A configuration may come from someone else than the user who runs vmlint.
  if (!bytes && named === undefined && !homes.some((home) => isWithin(path, home)))
    throw new VmlintError(
      "CONFIG_INVALID",
      `${name} is not there, and lies outside of its configuration's folder: --baseline ${name} writes it.`,
    );
  const content = Buffer.from(formatBaseline(entries));
  const failure = bytes?.equals(content) ? undefined : replaceFile(path, content, bytes, [io.cwd]);
  if (failure !== undefined) throw new VmlintError("FILE_UNREADABLE", `${name} was not written: ${failure}.`);
  const total = entries.reduce((count, one) => count + one.count, 0);
  io.err(`vmlint: ${name} holds ${plural(total, "known finding")}.\n`);
}

interface Wanted {
  readonly mustExist: boolean;
  /** Folders that must hold the baseline. `undefined` if the path comes from the command line. */
  readonly workspace: readonly string[] | undefined;
}

function readBaseline(path: string, { mustExist, workspace }: Wanted, io: Io): BaselineFile {
  const name = shownPath(path, io.cwd);
  io.noted?.(path);
  if (statsOf(path)?.isDirectory()) throw new VmlintError("CONFIG_INVALID", `${name} is a folder. A baseline must be a file.`);
  if (!/\.json$/i.test(path)) throw new VmlintError("CONFIG_INVALID", `${name} cannot be a baseline: the name must end in .json.`);
  if (mustExist && !isFile(path, io.staged))
    throw new VmlintError("CONFIG_INVALID", `${name} does not exist: vmlint --update-baseline --baseline ${name} writes it.`);
  if (isFile(path, io.staged)) checkNamed(path, { workspace, staged: io.staged });
  else if (statsOf(path)) throw new VmlintError("CONFIG_INVALID", `${name} is not a regular file. A baseline is a file.`);
  const bytes = isFile(path, io.staged) ? Buffer.from(io.staged?.read(path) ?? readBytes(path)) : undefined;
  const text = bytes?.toString("utf8");
  const entries = text === undefined ? [] : parseBaseline(text, name);
  const isMended = text !== undefined && !isWholeJson(text);
  return { path, bytes, entries, isMended, nameOf: (file) => shownPath(resolve(io.cwd, file), resolve(path, "..")) };
}

/** Whether a rule ran on a file. For a cross-VM rule this is unknown, because the other VMs may be in other files. */
function ranOn(ruleId: string, rules: readonly Rule[], skipped: readonly Skip[], suppressions: FileSuppressions | undefined): boolean {
  const rule = rules.find(({ id }) => id === ruleId);
  if (!rule) return true;
  if (isCrossVm(rule) || skipped.some((skip) => skip.ruleId === ruleId)) return false;
  return (suppressions?.vms ?? []).every((vm) => !isSilent(rule, vm.target));
}

/** Most stale entries that are named. */
const STALE_SHOWN = 5;

function wordStale(name: string, stale: readonly BaselineEntry[], fails: boolean): string {
  const listed = stale.slice(0, STALE_SHOWN).map(({ path, rule, value }) => `  ${printable(`${path}: ${rule} of "${value}"`)}\n`);
  const more = stale.length > STALE_SHOWN ? `  and ${stale.length - STALE_SHOWN} more\n` : "";
  const advice = `vmlint --prune-baseline removes ${stale.length === 1 ? "it" : "them"}${fails ? ". In CI this fails the run" : ""}`;
  const entries = stale.length === 1 ? "1 entry is" : `${stale.length} entries are`;
  return `vmlint: ${name}: ${entries} no longer found; ${advice}.\n${listed.join("")}${more}`;
}
