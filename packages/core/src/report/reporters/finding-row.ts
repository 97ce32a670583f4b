import { pageOrCommand } from "../../lint/finding.ts";
import { cellReference } from "../../model/cell.ts";
import { fixTitle } from "../../model/diagnostic.ts";
import type { Rule } from "../../rules/define.ts";
import { pagesOf } from "../../rules/page-of.ts";
import { cellText, subjectOf } from "../subject.ts";
import type { FindingAtPlace } from "./reporter.ts";

/** Returns a function that gives the facts about a finding which tables show. */
export function findingRows(rules: readonly Rule[] | undefined) {
  const pageOf = pagesOf(rules);
  return ({ diagnostic }: FindingAtPlace) => {
    const { ruleId, cell, fixes, docsUrl, proposal } = diagnostic;
    const [fix = proposal] = fixes;
    return {
      cell: cell ? cellReference(cell) : "",
      title: pageOf(ruleId)?.summary ?? "",
      value: cell ? cellText(cell) : "",
      proposed: (fix?.changes ?? []).map(({ setting, value }) => `${setting} = ${value}`).join(", "),
      fix: fix ? fixTitle(fix) : "",
      page: pageOrCommand(ruleId, docsUrl),
      subject: subjectOf(diagnostic)?.kind ?? "file",
    };
  };
}
