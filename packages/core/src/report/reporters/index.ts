import { fixLine } from "../counts.ts";
import { lintJson } from "../json-report.ts";
import { textReport } from "../text-report.ts";
import { azure } from "./azure.ts";
import { checkstyle } from "./checkstyle.ts";
import { compact } from "./compact.ts";
import { csv } from "./csv.ts";
import type { TextFormat } from "./formats.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { html } from "./html/html.ts";
import { junit } from "./junit.ts";
import { md } from "./markdown.ts";
import { ndjson } from "./ndjson.ts";
import { type BinaryReporter, document, type Reporter } from "./reporter.ts";
import { sarif } from "./sarif.ts";
import { summary } from "./summary.ts";
import { tap } from "./tap.ts";
import { xlsx } from "./xlsx.ts";

export { WORKBOOK_MARK } from "../workbook-file.ts";
export { REPORT_FORMATS, type ReportFormat, type TextFormat } from "./formats.ts";
export type { BinaryReporter, Reporter, Run } from "./reporter.ts";
export { statsText } from "./stats.ts";

/** The reporters by format. */
export const reporters: Readonly<Record<TextFormat, Reporter>> & { readonly xlsx: BinaryReporter } = {
  text: (results, { palette, notChecked = [], fixed, rules }) =>
    textReport(
      results,
      palette,
      notChecked.filter(({ makesNoVm }) => makesNoVm),
      rules,
    ) +
    fixLine(results, { fixed })
      .map((line) => `${line}\n`)
      .join(""),
  summary,
  compact,
  json: (results, run) => document(lintJson(results, run)),
  ndjson,
  sarif,
  junit,
  tap,
  csv,
  xlsx,
  github,
  gitlab,
  checkstyle,
  azure,
  html,
  md,
};
