import {
  type Config,
  type Diagnostic as Finding,
  findHost,
  type LintResult,
  lint,
  type Severity,
  targetOf,
  type VmSpec,
} from "@vmlint/core";
import { Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range, type TextDocument, Uri, workspace } from "vscode";
import { pathBelow } from "./config.ts";

export interface Checked {
  readonly result: LintResult;
  readonly diagnostics: readonly Diagnostic[];
  /** Why the host of the settings cannot be used. */
  readonly badHost: string | undefined;
}

/** Lints the text of a document as it is in the editor, saved or not. */
export function check(document: TextDocument, config: Config, folder: Uri): Checked {
  const setting = String(workspace.getConfiguration("vmlint", document).get("host") ?? "").trim();
  const found = setting ? findHost(setting, config) : undefined;
  const host = found && "host" in found ? found.host : undefined;
  const byConfig = targetOf(config, host);
  const path = () => pathBelow(folder, document.uri);
  // A host that was asked for and does not exist is never replaced by another one.
  const target = (vm: VmSpec) => (found && !host ? { ...byConfig(vm, path), host: undefined } : byConfig(vm, path));
  const result = lint(document.getText(), { target });
  return {
    result,
    diagnostics: result.diagnostics.map((finding) => diagnostic(document, finding)),
    badHost: found && "reason" in found ? `${found.reason}${found.nearest ? ` Did you mean "${found.nearest}"?` : ""}` : undefined,
  };
}

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function diagnostic(document: TextDocument, { ruleId, severity, message, range, related, docsUrl }: Finding): Diagnostic {
  const rangeOf = ([start, end]: Finding["range"]) => new Range(document.positionAt(start), document.positionAt(end));
  const shown = new Diagnostic(rangeOf(range), message, SEVERITY[severity]);
  shown.source = "vmlint";
  shown.code = { value: ruleId, target: Uri.parse(docsUrl) };
  shown.relatedInformation = related.map(
    (other) => new DiagnosticRelatedInformation(new Location(document.uri, rangeOf(other.range)), other.message),
  );
  return shown;
}
