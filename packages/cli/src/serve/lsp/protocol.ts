import type { Diagnostic as Finding, Range as Offsets, Severity } from "@vmlint/core";
import type { ConfigProblem } from "@vmlint/core/config";
import {
  type Action,
  type Completion,
  type OutlinePart,
  type Place,
  type Span,
  spansIn,
  TOKEN_KINDS,
  type Token,
} from "@vmlint/core/editor";
import { messageInCell } from "@vmlint/core/program";
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
  type SemanticTokens,
  SemanticTokensBuilder,
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

/** Returns a place in the protocol's form, or `undefined` if its file has not been read. */
export type Locate = (place: Place) => Location | undefined;

/** The texts of files, for converting offsets. */
export interface Texts {
  readonly textOf: (path: string) => string | undefined;
  readonly uriOf: (path: string) => string;
}

/** Finds places in a file with a text, and in others. */
export function locator(uri: string, text: string, { textOf, uriOf }: Texts): Locate {
  const find = spansIn(text, textOf);
  return (place) => {
    const span = find(place);
    return span && { uri: span.path === undefined ? uri : uriOf(span.path), range: rangeAt(span) };
  };
}

const rangeAt = ({ start, end }: Span): Range => ({
  start: { line: start.line, character: start.column },
  end: { line: end.line, character: end.column },
});

export const diagnosticOf = ({ ruleId, severity, message, cell, range, related, docsUrl }: Finding, locate: Locate): Diagnostic => ({
  range: locate({ range })?.range ?? NOWHERE,
  severity: SEVERITY[severity],
  source: "vmlint",
  code: ruleId,
  ...(docsUrl !== "" && { codeDescription: { href: docsUrl } }),
  message: messageInCell({ message, ...(cell && { cell }) }),
  relatedInformation: related.flatMap((other) => {
    const location = locate(other);
    return location ? [{ location, message: messageInCell(other) }] : [];
  }),
});

/** Returns an error of a configuration as a diagnostic. */
export const configDiagnosticOf = (document: TextDocument, { range, message }: ConfigProblem): Diagnostic => ({
  range: rangeOf(document, range),
  severity: DiagnosticSeverity.Error,
  source: "vmlint",
  message,
});

const NOWHERE: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns edits as a workspace edit, or `undefined` if a file of an edit has not been read. */
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

export function quickFixOf(action: Action, locate: Locate): readonly CodeAction[] {
  const edit = workspaceEdit(action.fix.edits, locate);
  if (!edit) return [];
  return [
    {
      title: action.title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnosticOf(action.finding, locate)],
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

/** Returns a completion. A client without snippets gets the text without placeholders. */
export const completionOf = (document: TextDocument, item: Completion, snippets: boolean, index: number): CompletionItem => ({
  label: item.label,
  // Editors sort by the label otherwise: 12 before 2, buslogic before pvscsi.
  ...(item.kind === "value" && { sortText: String(index).padStart(4, "0") }),
  ...(item.isBest && { preselect: true }),
  kind: KIND[item.kind],
  detail: item.detail,
  documentation: { kind: MarkupKind.Markdown, value: item.markdown },
  insertTextFormat: snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
  textEdit: { range: rangeOf(document, item.range), newText: snippets ? item.snippet : plain(item.snippet) },
});

/** `${1:text}` -> `text`, `${3|a,b|}` -> `a`, and so each `$1` and `$3` behind it; any other, as `$0`, -> nothing. */
function plain(snippet: string): string {
  const texts = new Map<string, string>();
  return snippet.replace(PLACE_OR_ESCAPE, (_, escaped?: string, again?: string, number = "", text?: string, choice = "") => {
    if (escaped !== undefined) return escaped;
    if (again !== undefined) return texts.get(again) ?? "";
    const first = (text ?? choice).replace(/\\(.)/g, "$1");
    texts.set(number, first);
    return first;
  });
}

const PLACE_OR_ESCAPE = /\\([\\$}])|\$(\d+)|\$\{(\d+)(?::((?:\\.|[^\\}])*)|\|((?:\\.|[^\\,|])*)(?:\\.|[^\\|])*\|)\}/g;

export const symbolOf = (document: TextDocument, { name, detail, range, nameRange, parts }: OutlinePart): DocumentSymbol => ({
  name,
  detail,
  kind: parts.length > 0 ? SymbolKind.Namespace : SymbolKind.Property,
  range: rangeOf(document, range),
  selectionRange: rangeOf(document, nameRange),
  children: parts.map((part) => symbolOf(document, part)),
});

export function tokensOf(document: TextDocument, tokens: readonly Token[] = []): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { range, kind } of tokens) {
    const { start, end } = rangeOf(document, range);
    builder.push(start.line, start.character, end.character - start.character, TOKEN_KINDS.indexOf(kind), 0);
  }
  return builder.build();
}
