/** The formats of reports: the values of `--format`, with their descriptions in `--help`. */
export const REPORT_FORMATS = {
  text: "for people (default)",
  summary: "findings by rule, cluster, host and VM, the worst first, for thousands of VMs",
  compact: "one line for each finding, for editors and grep",
  json: "everything, for other programs; `vmlint schema output` describes it",
  ndjson: "the same, one JSON value on each line",
  sarif: "SARIF 2.1.0, for code scanning",
  junit: "JUnit XML, for the test reports of a CI server",
  tap: "TAP 14, for test harnesses",
  csv: "one row for each finding, for spreadsheets",
  xlsx: "a workbook with a sheet for each severity and a sheet of VMs; needs a file",
  github: "GitHub Actions workflow commands: annotations in a pull request",
  gitlab: "GitLab Code Quality JSON",
  checkstyle: "Checkstyle XML",
  azure: "Azure Pipelines logging commands",
  html: "a page with filters and pictures of VMs with findings (at most 100), in one file",
  md: "a summary in Markdown, for a comment on a pull request",
} as const;

export type ReportFormat = keyof typeof REPORT_FORMATS;

/** The formats that are texts. */
export type TextFormat = Exclude<ReportFormat, "xlsx">;
