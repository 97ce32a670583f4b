import { dayOf, type Diagnostic as Finding, formatHolding, formatsOf, isIgnoredBy, type Severity } from "@vmlint/core";
import { type CheckedText, checkText } from "@vmlint/core/editor";
import { Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range, type TextDocument, Uri, workspace } from "vscode";
import { type ConfigFinder, type FoundConfig, pathBelow } from "./config.ts";

/** A document of one of vmlint's formats, as it was last checked. */
export interface Checked {
  readonly document: TextDocument;
  readonly open: CheckedText;
  readonly config: Extract<FoundConfig, { readonly config: unknown }>["config"];
  /** The file of the configuration; `undefined` where there is none. */
  readonly configFile: Uri | undefined;
  /** Of the document, as the globs of the configuration see it. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What came of a check: findings, or a configuration that cannot be read. */
export type Outcome = Checked | Extract<FoundConfig, { readonly problem: unknown }>;

export interface Checker {
  /**
   * What is found in a document as it is now, saved or not: the same answer until it or a configuration changes, so that every
   * feature of the editor can ask. `undefined`: no VM definition, by its name or content, or one that the
   * configuration leaves out.
   */
  readonly of: (document: TextDocument) => Promise<Outcome | undefined>;
  /** To be called when a configuration or a setting has changed. */
  readonly forget: () => void;
}

/** Whether a file's name promises VMs. */
export const mayHoldVms = ({ path }: Uri): boolean => formatsOf(path).length > 0;

export function checker(configs: ConfigFinder): Checker {
  let known = new WeakMap<TextDocument, { readonly version: number; readonly outcome: Promise<Outcome | undefined> }>();
  return {
    of(document) {
      const before = known.get(document);
      if (before?.version === document.version) return before.outcome;
      const outcome = check(document, configs);
      known.set(document, { version: document.version, outcome });
      return outcome;
    },
    forget() {
      known = new WeakMap();
    },
  };
}

async function check(document: TextDocument, configs: ConfigFinder): Promise<Outcome | undefined> {
  const text = document.getText();
  const entry = formatHolding(document.uri.path, text) ?? formatHolding(`.${document.languageId}`, text);
  if (!entry) return undefined;
  const [format, language, found] = await Promise.all([entry.load(), entry.language?.(), configs.find(document)]);
  if (!("config" in found)) return found;
  const { config, folder, file } = found;
  const path = pathBelow(folder, document.uri);
  if (isIgnoredBy(config, path)) return undefined;
  const setting = String(workspace.getConfiguration("vmlint", document).get("host") ?? "").trim();
  const options = { format, language, config, path, host: setting, today: dayOf(new Date()) };
  const open = checkText(text, options);
  return {
    document,
    open,
    config,
    configFile: file,
    path,
    diagnostics: open.result.diagnostics.map((finding) => diagnostic(document, finding)),
  };
}

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export const rangeIn = (document: TextDocument, [start, end]: readonly [number, number]): Range =>
  new Range(document.positionAt(start), document.positionAt(end));

function diagnostic(document: TextDocument, { ruleId, severity, message, range, related, docsUrl }: Finding): Diagnostic {
  const shown = new Diagnostic(rangeIn(document, range), message, SEVERITY[severity]);
  shown.source = "vmlint";
  shown.code = { value: ruleId, target: Uri.parse(docsUrl) };
  shown.relatedInformation = related.map(
    (other) => new DiagnosticRelatedInformation(new Location(document.uri, rangeIn(document, other.range)), other.message),
  );
  return shown;
}
