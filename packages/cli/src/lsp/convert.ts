import { type Diagnostic as Finding, LineIndex, type Range as Offsets, type Severity } from "@vmlint/core";
import type { Action, Checkup, Completion, Part, Place } from "@vmlint/core/editor";
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  InsertTextFormat,
  type Location,
  MarkupKind,
  type Range,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
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

/** A place as the protocol has it; `undefined`: its file is not known. */
export type Locate = (place: Place) => Location | undefined;

/** Finds places in a document, and in the other files that a check of it read. */
export function locator(document: TextDocument, { textOf }: Pick<Checkup, "textOf">, uriOf: (path: string) => string): Locate {
  const known = new Map<string, LineIndex | undefined>();
  const linesOf = (path: string): LineIndex | undefined => {
    if (!known.has(path)) {
      const text = textOf(path);
      known.set(path, text === undefined ? undefined : new LineIndex(text));
    }
    return known.get(path);
  };
  return ({ path, range }) => {
    if (path === undefined) return { uri: document.uri, range: rangeOf(document, range) };
    const lines = linesOf(path);
    return lines && { uri: uriOf(path), range: linesRange(lines, range) };
  };
}

export function linesRange(lines: LineIndex, [start, end]: Offsets): Range {
  const position = (offset: number) => {
    const { line, column } = lines.at(offset);
    return { line, character: column };
  };
  return { start: position(start), end: position(end) };
}

/** A finding of a file whose places are found by `rangeIn`. */
export const diagnosticOf = (
  { ruleId, severity, message, range, related, docsUrl }: Finding,
  rangeIn: (range: Offsets) => Range,
  locate: Locate,
): Diagnostic => ({
  range: rangeIn(range),
  severity: SEVERITY[severity],
  source: "vmlint",
  code: ruleId,
  codeDescription: { href: docsUrl },
  message,
  relatedInformation: related.flatMap((other) => {
    const location = locate(other);
    return location ? [{ location, message: other.message }] : [];
  }),
});

/** Edits, each of the file that it is of; `undefined` where one of those is not known. */
export function workspaceEdit(edits: Action["fix"]["edits"], locate: Locate): WorkspaceEdit | undefined {
  const changes: Record<string, TextEdit[]> = {};
  for (const { newText, ...place } of edits) {
    const location = locate(place);
    if (!location) return undefined;
    const known = changes[location.uri];
    const edit = { range: location.range, newText };
    if (known) known.push(edit);
    else changes[location.uri] = [edit];
  }
  return { changes };
}

export function quickFixOf(document: TextDocument, action: Action, locate: Locate): readonly CodeAction[] {
  const edit = workspaceEdit(action.fix.edits, locate);
  if (!edit) return [];
  return [
    {
      title: action.title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnosticOf(action.finding, (range) => rangeOf(document, range), locate)],
      isPreferred: action.fix.safety === "safe",
      edit,
    },
  ];
}

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
