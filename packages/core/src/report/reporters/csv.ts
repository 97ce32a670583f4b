import { csvRows } from "../csv-rows.ts";
import { vmNames } from "../subject.ts";
import { findingRows } from "./finding-row.ts";
import { allPlaced, isFailure, type Reporter, whyUnchecked } from "./reporter.ts";

const COLUMNS = [
  ..."path,line,column,severity,rule,vm,host,message".split(","),
  // Later columns are at the end, because programs count columns.
  ..."cluster,cell,title,value,proposed,fix,page,subject".split(","),
];

/** RFC 4180: a row for each finding, and one for each file that is not checked. */
export const csv: Reporter = (results, { notChecked = [], rules }) => {
  const rowOf = findingRows(rules);
  const rows = allPlaced(results).map((finding) => {
    const { file, diagnostic, place } = finding;
    const { severity, ruleId, host, message, cluster } = diagnostic;
    const { cell, title, value, proposed, fix, page, subject } = rowOf(finding);
    return [
      ...[file.path, place.line, place.column, severity, ruleId, vmNames(diagnostic), host ?? "", message],
      ...[cluster ?? "", cell, title, value, proposed, fix, page, subject],
    ];
  });
  const unchecked = notChecked.map((file) => [file.path, "", "", isFailure(file) ? "error" : "info", "", "", "", whyUnchecked(file)]);
  const filled = unchecked.map((row) => COLUMNS.map((_, at) => row[at] ?? ""));
  return csvRows([COLUMNS, ...rows, ...filled]);
};
