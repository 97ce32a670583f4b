import { resolve } from "node:path";
import type { Severity } from "@vmlint/core";
import { SCHEMA_VERSION, SEVERITIES, VmlintError } from "@vmlint/core/program";
import { json } from "../args/command-output.ts";
import { readText } from "../files/read-files.ts";

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

/** The fields of a report that comparing needs. */
export interface Report {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly tool: { readonly name: string; readonly version: string };
  readonly unread?: readonly string[];
  readonly notChecked?: readonly { readonly path: string; readonly reason: string }[];
  readonly diagnostics: readonly (Finding & { readonly severity: Severity })[];
  readonly skipped: readonly { readonly ruleId: string; readonly reason: string; readonly count: number }[];
  readonly suppressed: readonly Finding[];
  readonly summary: Counts;
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
  if (report?.schemaVersion !== SCHEMA_VERSION || report.tool?.name !== "vmlint") return fail("it is not marked as such");
  const { diagnostics, skipped, suppressed, summary, error, unread = [], notChecked = [] } = report;
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
  if (!(Array.isArray(notChecked) && notChecked.every((one) => typeof one?.path === "string" && typeof one.reason === "string")))
    return fail("an entry of notChecked has no path");
  if (!(Array.isArray(unread) && unread.every((path) => typeof path === "string"))) return fail("an unread file has no path");
  return report as Report;
}

const isNumber = (value: unknown): boolean => Number.isFinite(value);
