import { EMPTY_CONFIG, requireHost, targetOf, withWorkload } from "../config/config.ts";
import type { Format } from "../formats/format.ts";
import { defaultFormat, formatHolding } from "../formats/index.ts";
import { type LintOptions, type LintResult, lintText } from "../lint/lint.ts";
import type { Target } from "../lint/target.ts";
import type { Suppressed } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import type { HostModel } from "../model/host.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import { reviewText } from "./review.ts";

/**
 * Options of `lint`.
 *
 * @example
 * const options: LintTextOptions = { filename: "sql01.vmx", host: "2x20x2:768@8.0" };
 */
export interface LintTextOptions extends LintOptions {
  /** Selects the format by its name, if `format` is missing. */
  readonly filename?: string;
  /** A host, its name or its short form (`2x20x2:768@8.0`); replaces `target`. */
  readonly host?: HostModel | string | undefined;
  /** The workload of VMs that declare none themselves. */
  readonly workload?: Workload | undefined;
  /** The day, as 2026-12-31, for expired suppressions; if missing, none expires. */
  readonly today?: string;
}

/**
 * The result of `lint`.
 *
 * @example
 * const { diagnostics, suppressed }: LintTextResult = lint(text);
 */
export interface LintTextResult extends LintResult {
  /** Findings that comments of the text hide. */
  readonly suppressed: readonly Suppressed[];
}

/**
 * Checks one text by itself, without its neighbours or a configuration. Throws USAGE for a file name whose format has to be loaded.
 *
 * @example
 * const { diagnostics } = lint(text, { filename: "sql01.vmx", host: "2x20x2:768@8.0", workload: { kind: "mssql" } });
 */
export function lint(text: string, options: LintTextOptions = {}): LintTextResult {
  const {
    filename,
    host,
    workload,
    today = "0000-01-01",
    format = formatOf(filename, text),
    target = targetFor(host, workload),
    rules,
  } = options;
  const result = lintText(text, { ...options, format, target });
  const path = filename ?? "";
  return { ...result, ...reviewText({ path, text, result, comments: format.comments }, { today, rules }) };
}

function formatOf(filename: string | undefined, text: string): Format {
  if (filename === undefined) return defaultFormat;
  const format = formatHolding(filename, text)?.load();
  if (format && !(format instanceof Promise)) return format;
  throw new VmlintError("USAGE", `The format of ${filename} must be loaded first. Use openWorkspace, or pass \`format\`.`);
}

function targetFor(host: HostModel | string | undefined, workload: Workload | undefined): ((vm: VmSpec) => Target) | undefined {
  if (host === undefined && workload === undefined) return undefined;
  const against = targetOf(EMPTY_CONFIG, typeof host === "string" ? requireHost(host) : host);
  return (vm) =>
    withWorkload(
      against(vm, () => ""),
      workload,
    );
}
