import { resolve } from "node:path";
import { SEVERITIES, type Severity, VmlintError } from "@vmlint/core";
import { TOOL } from "./answer.ts";
import { readText } from "./files.ts";

type Counts = Record<Severity | "files" | "vms", number>;

/** As much of a report as is needed to join two. */
interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly diagnostics: readonly { readonly path: string; readonly severity: Severity }[];
  readonly skipped: readonly { readonly ruleId: string; readonly reason: string; readonly count: number }[];
  readonly suppressed: readonly { readonly path: string }[];
  readonly summary: Counts;
}

/** Reports of `--format json` -> one of all their files, as one run would have written it. */
export function mergeReports(files: readonly string[], cwd: string): Report {
  const reports = files.map((file) => readReport(file, cwd));
  const byPath = <T extends { readonly path: string }>(list: readonly T[]) =>
    list.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const skipped = new Map<string, Report["skipped"][number]>();
  for (const skip of reports.flatMap((report) => report.skipped)) {
    const key = `${skip.ruleId} ${skip.reason}`;
    skipped.set(key, { ...skip, count: skip.count + (skipped.get(key)?.count ?? 0) });
  }
  const sum = (name: keyof Counts) => reports.reduce((total, { summary }) => total + summary[name], 0);
  return {
    schemaVersion: 1,
    tool: TOOL,
    diagnostics: byPath(reports.flatMap(({ diagnostics }) => diagnostics)),
    skipped: [...skipped.values()],
    suppressed: byPath(reports.flatMap(({ suppressed }) => suppressed)),
    summary: Object.fromEntries((["files", "vms", ...SEVERITIES] as const).map((name) => [name, sum(name)])) as Counts,
  };
}

function readReport(file: string, cwd: string): Report {
  const fail = (reason: string): never => {
    throw new VmlintError("FILE_UNREADABLE", `${file} is no report of vmlint --format json: ${reason}.`);
  };
  const text = readText(resolve(cwd, file));
  let report: Partial<Report> | null;
  try {
    report = JSON.parse(text);
  } catch (error) {
    return fail((error as Error).message);
  }
  if (report?.schemaVersion !== 1 || report.tool?.name !== "vmlint") return fail("it does not say so");
  const { diagnostics, skipped, suppressed, summary } = report;
  if (![diagnostics, skipped, suppressed].every(Array.isArray) || typeof summary !== "object") return fail("it holds no findings");
  const holds = (list: unknown, name: string, isRight = isText): boolean =>
    (list as readonly (Readonly<Record<string, unknown>> | null)[]).every((one) => isRight(one?.[name]));
  const isSeverity = (value: unknown): boolean => SEVERITIES.includes(value as Severity);
  if (!holds(diagnostics, "path") || !holds(diagnostics, "severity", isSeverity) || !holds(suppressed, "path"))
    return fail("a finding in it lacks its path or severity");
  if (!holds(skipped, "ruleId") || !holds(skipped, "reason") || !holds(skipped, "count", isNumber))
    return fail("a skipped check in it lacks its rule, reason or count");
  if (!["files", "vms", ...SEVERITIES].every((name) => isNumber((summary as Counts | null)?.[name as keyof Counts])))
    return fail("its summary lacks counts");
  return report as Report;
}

const isText = (value: unknown): boolean => typeof value === "string";

const isNumber = (value: unknown): boolean => typeof value === "number";
