import { pageOrCommand } from "../../lint/finding.ts";
import { cellReference } from "../../model/cell.ts";
import { fixTitle } from "../../model/diagnostic.ts";
import { rules as builtin } from "../../rules/index.ts";
import { csvRows } from "../csv-rows.ts";
import { cellText, subjectOf, vmNames } from "../subject.ts";
import { allPlaced, isFailure, type Reporter, whyUnchecked } from "./reporter.ts";

const COLUMNS = [
  ..."path,line,column,severity,rule,vm,host,message".split(","),
  // Later columns are at the end, because programs count columns.
  ..."cluster,cell,title,value,proposed,fix,page,subject".split(","),
];

/** RFC 4180: a row for each finding, and one for each file that is not checked. */
export const csv: Reporter = (results, { notChecked = [], rules = builtin }) => {
  const summaries = new Map(rules.map(({ id, summary }) => [id, summary]));
  const rows = allPlaced(results).map(({ file, diagnostic, place }) => {
    const { severity, ruleId, host, message, cluster, cell: at, fixes, docsUrl } = diagnostic;
    const changes = fixes[0]?.changes ?? [];
    return [
      ...[file.path, place.line, place.column, severity, ruleId, vmNames(diagnostic), host ?? "", message],
      ...[cluster ?? "", at ? cellReference(at) : "", summaries.get(ruleId) ?? "", at ? cellText(at) : ""],
      ...[changes.map(({ setting, value }) => `${setting} = ${value}`).join(", "), fixes[0] ? fixTitle(fixes[0]) : ""],
      pageOrCommand(ruleId, docsUrl),
      subjectOf(diagnostic)?.kind ?? "file",
    ];
  });
  const unchecked = notChecked.map((file) => [file.path, "", "", isFailure(file) ? "error" : "info", "", "", "", whyUnchecked(file)]);
  const filled = unchecked.map((row) => COLUMNS.map((_, at) => row[at] ?? ""));
  return csvRows([COLUMNS, ...rows, ...filled]);
};
