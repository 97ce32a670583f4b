import type { Diagnostic as Finding, Severity } from "@vmlint/core";
import type { ConfigProblem as Problem } from "@vmlint/core/config";
import { spansIn } from "@vmlint/core/editor";
import { messageInCell } from "@vmlint/core/program";
import { Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Range, Uri } from "vscode";
import { type Locate, rangeAt } from "./locate.ts";

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Returns findings as diagnostics of their file. */
export const diagnosticsOf = (findings: readonly Finding[], locate: Locate): Diagnostic[] =>
  findings.map((finding) => {
    const { ruleId, severity, range, related, docsUrl } = finding;
    const shown = new Diagnostic(locate({ range })?.range ?? new Range(0, 0, 0, 0), messageInCell(finding), SEVERITY[severity]);
    shown.source = "vmlint";
    shown.code = docsUrl === "" ? ruleId : { value: ruleId, target: Uri.parse(docsUrl) };
    shown.relatedInformation = related.flatMap((other) => {
      const location = locate(other);
      return location ? [new DiagnosticRelatedInformation(location, messageInCell(other))] : [];
    });
    return shown;
  });

/** Returns the problems of a configuration as diagnostics in its text. */
export function configDiagnostics(text: string, problems: readonly Problem[]): Diagnostic[] {
  const find = spansIn(text);
  return problems.flatMap(({ range, message }) => {
    const span = find({ range });
    const problem = span && new Diagnostic(rangeAt(span), message);
    if (problem) problem.source = "vmlint";
    return problem ?? [];
  });
}
