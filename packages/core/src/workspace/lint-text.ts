import type { Format } from "../formats/format.ts";
import { defaultFormat, formatHolding } from "../formats/index.ts";
import type { LintOptions, LintResult } from "../lint/lint.ts";
import { lintText } from "../lint/lint-project.ts";
import type { Suppressed } from "../model/diagnostic.ts";
import { type Check, content, day, format, method, NO_DAY, path, record, refuse, shape } from "./arguments.ts";
import { textOf } from "./given-files.ts";
import { AGAINST, type AgainstOptions, targetFor } from "./library-target.ts";
import { reviewText } from "./review.ts";

/**
 * Options of `lint`.
 *
 * @example
 * const options: LintTextOptions = { filename: "sql01.vmx", host: "2x20x2:768@8.0" };
 */
export interface LintTextOptions extends Pick<LintOptions, "context" | "format" | "target" | "keeps">, AgainstOptions {
  /** Selects the format by its name, if `format` is missing. */
  readonly filename?: string;
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

const OPTIONS = shape({
  ...AGAINST,
  filename: path,
  today: day,
  format,
  context: record,
  target: (value, at) => (typeof value === "function" ? undefined : record(value, at)),
  keeps: method,
} satisfies Readonly<Record<keyof LintTextOptions, Check>>);

/**
 * Checks one text by itself, without its neighbours or a configuration. Throws USAGE for an option that does not fit, and for a file name
 * whose format has to be loaded.
 *
 * @example
 * const { diagnostics } = lint(text, { filename: "sql01.vmx", host: "2x20x2:768@8.0", workload: "mssql, standard" });
 */
export function lint(text: string | Uint8Array, options: LintTextOptions = {}): LintTextResult {
  content(text, "lint: the text");
  OPTIONS(options, "lint");
  const { filename, host, workload, severities, rules, context, keeps, today = NO_DAY } = options;
  const isAgainst = host !== undefined || workload !== undefined || severities !== undefined;
  if (isAgainst && options.target) refuse("lint: target states host, workload and severities itself. Leave these out, or target.");
  const target = isAgainst ? targetFor(options, "lint") : options.target;
  const readable = textOf(text, options.format);
  const given = options.format ?? formatOf(filename, readable);
  const result = lintText(readable, { format: given, target, rules, context, keeps });
  const file = { path: filename ?? "", text: readable, result, comments: given.comments };
  return { ...result, ...reviewText(file, { today, rules }) };
}

function formatOf(filename: string | undefined, text: string): Format {
  if (filename === undefined) return defaultFormat;
  const found = formatHolding(filename, text)?.load();
  if (found && !(found instanceof Promise)) return found;
  return refuse(`The format of ${filename} must be loaded first. Use openWorkspace, or pass \`format\`.`);
}
