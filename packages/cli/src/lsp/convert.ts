import type { Diagnostic as Finding, Range as Offsets, Severity } from "@vmlint/core";
import type { ConfigProblem } from "@vmlint/core/config";
import type { Action, Completion, Part } from "@vmlint/core/editor";
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  InsertTextFormat,
  MarkupKind,
  type Range,
  SymbolKind,
  type TextEdit,
} from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export const rangeOf = (document: TextDocument, [start, end]: Offsets): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

export const diagnosticOf = (document: TextDocument, { ruleId, severity, message, range, related, docsUrl }: Finding): Diagnostic => ({
  range: rangeOf(document, range),
  severity: SEVERITY[severity],
  source: "vmlint",
  code: ruleId,
  codeDescription: { href: docsUrl },
  message,
  relatedInformation: related
    .filter(({ path }) => path === undefined)
    .map((other) => ({ location: { uri: document.uri, range: rangeOf(document, other.range) }, message: other.message })),
});

/** What keeps a configuration from being read. */
export const configDiagnosticOf = (document: TextDocument, { range, message }: ConfigProblem): Diagnostic => ({
  range: rangeOf(document, range),
  severity: DiagnosticSeverity.Error,
  source: "vmlint",
  message,
});

export const editsOf = (document: TextDocument, fix: Action["fix"]): TextEdit[] =>
  fix.edits.map(({ range, newText }) => ({ range: rangeOf(document, range), newText }));

export const quickFixOf = (document: TextDocument, action: Action): CodeAction => ({
  title: action.title,
  kind: CodeActionKind.QuickFix,
  diagnostics: [diagnosticOf(document, action.finding)],
  isPreferred: action.fix.safety === "safe",
  edit: { changes: { [document.uri]: editsOf(document, action.fix) } },
});

const KIND: Readonly<Record<Completion["kind"], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  snippet: CompletionItemKind.Snippet,
};

/** A client that knows no snippets gets the text alone, without the places to fill in. */
export const completionOf = (document: TextDocument, item: Completion, snippets: boolean): CompletionItem => ({
  label: item.label,
  kind: KIND[item.kind],
  detail: item.detail,
  documentation: { kind: MarkupKind.Markdown, value: item.markdown },
  insertTextFormat: snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
  textEdit: { range: rangeOf(document, item.range), newText: snippets ? item.snippet : plain(item.snippet) },
});

/** `${1:text}` -> `text`, `${3|a,b|}` -> `a`, `$0` -> nothing. */
const plain = (snippet: string): string =>
  snippet
    .replace(/\$\{\d+:([^}]*)\}/g, "$1")
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, "$1")
    .replace(/\$\d/g, "");

export const symbolOf = (document: TextDocument, { name, detail, range, nameRange, parts }: Part): DocumentSymbol => ({
  name,
  detail,
  kind: parts.length > 0 ? SymbolKind.Namespace : SymbolKind.Property,
  range: rangeOf(document, range),
  selectionRange: rangeOf(document, nameRange),
  children: parts.map((part) => symbolOf(document, part)),
});
