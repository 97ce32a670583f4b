import { resolve } from "node:path";
import { type FileSet, SEVERITIES, type Severity, type Shard, VmlintError } from "@vmlint/core";
import { json, TOOL, usage } from "../command-output.ts";
import { isSameSet, joined } from "../file-set.ts";
import { readText } from "../read-files.ts";

type Counts = Record<Severity | "files" | "vms", number>;

/** The fields that identify a finding in a run. A suppressed finding has no host. */
interface Finding {
  readonly path: string;
  readonly ruleId: string;
  readonly message: string;
  readonly vm?: string | null;
  readonly host?: string | null;
  readonly range?: { readonly start: { readonly line: number } };
}

/** The fields of a report that merging and comparing need. */
export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly shard?: Shard;
  readonly unread?: readonly string[];
  readonly notChecked?: readonly { readonly path: string; readonly reason: string }[];
  readonly checked?: FileSet;
  readonly pluginsFailed?: boolean;
  readonly diagnostics: readonly (Finding & { readonly severity: Severity })[];
  readonly skipped: readonly { readonly ruleId: string; readonly reason: string; readonly count: number }[];
  readonly suppressed: readonly Finding[];
  readonly unknownValues?: readonly { readonly name: string; readonly checks: number; readonly foundIn: readonly string[] }[];
  readonly summary: Counts;
}

/**
 * Merges reports of `--format json` into the report of a single run. Also returns whether a report skipped the cross-VM checks.
 */
export function mergeReports(files: readonly string[], cwd: string): { readonly report: Report; readonly vmsAlone: boolean } {
  const twice = files.find((file, i) => files.findIndex((other) => resolve(cwd, other) === resolve(cwd, file)) < i);
  if (twice !== undefined) throw usage(`${twice} is given twice: its findings would count twice.`);
  const reports = files.map((file) => readReport(file, cwd));
  checkShards(files, reports);
  checkApart(files, reports);
  const byPath = <T extends { readonly path: string }>(list: readonly T[]) =>
    list.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const skipped = new Map<string, Report["skipped"][number]>();
  for (const skip of reports.flatMap((report) => report.skipped)) {
    const key = `${skip.ruleId} ${skip.reason}`;
    skipped.set(key, { ...skip, count: skip.count + (skipped.get(key)?.count ?? 0) });
  }
  // Each shard searches all files, and reports unreadable ones.
  const unread = [...new Set(reports.flatMap((report) => report.unread ?? []))].sort();
  const notChecked = byPath([
    ...new Map(reports.flatMap((report) => report.notChecked ?? []).map((one) => [`${one.path}\n${one.reason}`, one])).values(),
  ]);
  const unknown = unknownOf(reports);
  const sets = reports.flatMap(({ checked }) => checked ?? []);
  const sum = (name: keyof Counts) => reports.reduce((total, { summary }) => total + summary[name], 0);
  const report: Report = {
    schemaVersion: 1,
    tool: TOOL,
    ...(unread.length > 0 && { unread }),
    ...(notChecked.length > 0 && { notChecked }),
    ...(sets.length === reports.length && { checked: joined(sets) }),
    ...(reports.some((report) => report.pluginsFailed) && { pluginsFailed: true }),
    diagnostics: byPath(reports.flatMap(({ diagnostics }) => diagnostics)),
    skipped: [...skipped].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, skip]) => skip),
    suppressed: byPath(reports.flatMap(({ suppressed }) => suppressed)),
    ...(unknown.length > 0 && { unknownValues: unknown }),
    summary: Object.fromEntries((["files", "vms", ...SEVERITIES] as const).map((name) => [name, sum(name)])) as Counts,
  };
  return { report, vmsAlone: reports.some(({ shard }) => shard?.vmsAlone) };
}

/** Adds up the unknown values of reports, in the order of a single run. */
function unknownOf(reports: readonly Report[]): NonNullable<Report["unknownValues"]> {
  const found = new Map<string, NonNullable<Report["unknownValues"]>[number]>();
  for (const one of reports.flatMap(({ unknownValues = [] }) => unknownValues)) {
    const key = [one.name, ...one.foundIn].join("\n");
    found.set(key, { ...one, checks: one.checks + (found.get(key)?.checks ?? 0) });
  }
  return [...found.values()].sort((a, b) => b.checks - a.checks || (a.name < b.name ? -1 : 1));
}

/** Throws USAGE if the reports are not the shards of one run, each exactly once. A missing shard would pass for clean. */
function checkShards(files: readonly string[], reports: readonly Report[]): void {
  const names = new Map<number, string>();
  const [first] = reports.flatMap(({ shard }, i) => (shard ? { of: shard.of, name: files[i] } : []));
  if (!first) return;
  for (const [i, { shard }] of reports.entries()) {
    if (!shard) continue;
    const [name = "", other] = [files[i], names.get(shard.index)];
    if (shard.of !== first.of)
      throw usage(`${first.name} is one of ${first.of} shards and ${name} one of ${shard.of}. They come from different runs.`);
    if (other !== undefined) throw usage(`${other} and ${name} are both shard ${shard.index}/${shard.of}: its files would count twice.`);
    names.set(shard.index, name);
  }
  if (names.size === first.of) {
    checkSets(files, reports);
    return;
  }
  let missing = 1;
  while (names.has(missing)) missing++;
  throw usage(`The report of shard ${missing}/${first.of} is missing. Add it to the list.`);
}

/** Throws USAGE where shards found other files, or do not add up to the files that all of them found. */
function checkSets(files: readonly string[], reports: readonly Report[]): void {
  const parts = reports.flatMap(({ shard, checked }, i) => (shard ? [{ file: files[i] ?? "", all: shard.all, checked }] : []));
  const old = parts.find(({ all, checked }) => !all || !checked);
  if (old) throw usage(`${old.file} has no list of the files it checked. Run its shard again.`);
  const [first] = parts;
  const other = parts.find(({ all }) => first?.all && all && !isSameSet(first.all, all));
  if (first && other)
    throw usage(
      `${first.file} and ${other.file} are of different files (${first.all?.paths} and ${other.all?.paths}). Run all shards on the same files.`,
    );
  const sum = joined(parts.flatMap(({ checked }) => checked ?? []));
  if (first?.all && !isSameSet(sum, first.all))
    throw usage(
      `The reports cover ${sum.paths} of ${first.all.paths} files once each: some are checked twice or left out. Run all shards again.`,
    );
}

/** Throws USAGE if two reports have the same finding, because merging would count it twice. */
function checkApart(files: readonly string[], reports: readonly Report[]): void {
  const holders = new Map<string, number>();
  for (const [i, { diagnostics, suppressed }] of reports.entries()) {
    for (const { path, ruleId, message, vm, host, range } of [...diagnostics, ...suppressed]) {
      const finding = JSON.stringify([path, ruleId, message, vm, host, range]);
      const holder = holders.get(finding) ?? i;
      if (holder !== i) {
        const where = `${path}${range ? `:${range.start.line}` : ""}`;
        throw usage(`${files[holder]} and ${files[i]} both have ${ruleId} at ${where}. Were the shards run on the same files?`);
      }
      holders.set(finding, i);
    }
  }
}

/** Reads a report of `--format json`. Throws FILE_UNREADABLE if the file is not a report. */
export function readReport(file: string, cwd: string): Report {
  const fail = (reason: string): never => {
    throw new VmlintError("FILE_UNREADABLE", `${file} is not a report of vmlint --format json: ${reason}.`);
  };
  const text = readText(resolve(cwd, file));
  let report: (Partial<Report> & { readonly error?: { readonly message: string } | null }) | null;
  try {
    report = JSON.parse(text);
    // JSON is read however deep it is nested, and written only as deep as calls go.
    json(report);
  } catch (error) {
    return fail(error instanceof RangeError ? "it is nested too deeply" : (error as Error).message);
  }
  if (report?.schemaVersion !== 1 || report.tool?.name !== "vmlint") return fail("it is not marked as such");
  const { diagnostics, skipped, suppressed, summary, error, shard, unread = [], notChecked = [], checked } = report;
  if (error) return fail(`its run failed (${error.message})`);
  if (![diagnostics, skipped, suppressed].every(Array.isArray) || typeof summary !== "object") return fail("it has no list of findings");
  const findings = [...(diagnostics ?? []), ...(suppressed ?? [])];
  if (!findings.every((finding) => typeof finding?.path === "string")) return fail("one of its findings has no path");
  if (!findings.every(({ range }) => range === undefined || isNumber(range?.start?.line))) return fail("one of its findings has no line");
  if (!diagnostics?.every(({ severity }) => SEVERITIES.includes(severity))) return fail("one of its findings has no severity");
  if (!skipped?.every((one) => typeof one?.ruleId === "string" && typeof one.reason === "string" && isNumber(one.count)))
    return fail("one of its skipped checks lacks its rule, reason or count");
  if (!["files", "vms", ...SEVERITIES].every((name) => isNumber((summary as Counts | null)?.[name as keyof Counts])))
    return fail("its summary lacks counts");
  if (shard !== undefined && !(isNumber(shard?.index) && shard.index >= 1 && shard.index <= shard.of)) return fail("its shard is none");
  for (const set of [checked, shard?.all]) if (set !== undefined && !isSet(set)) return fail("its list of files is not valid");
  if (!(Array.isArray(notChecked) && notChecked.every((one) => typeof one?.path === "string" && typeof one.reason === "string")))
    return fail("an entry of notChecked has no path");
  if (!(Array.isArray(unread) && unread.every((path) => typeof path === "string"))) return fail("an unread file has no path");
  return report as Report;
}

const isSet = ({ paths, digest }: FileSet): boolean => isNumber(paths) && /^[\da-f]{64}$/.test(digest);

const isNumber = (value: unknown): boolean => Number.isFinite(value);
