import {
  actionsAt,
  type Completion,
  completionsAt,
  hintsOf,
  hoverAt,
  lensesOf,
  type OpenDocument,
  type OutlinePart,
  outlineOf,
  type Place,
  safeFixes,
  settingAt,
  TOKEN_KINDS,
  UnusableConfig,
} from "@vmlint/core/editor";
import { formats, plural } from "@vmlint/core/program";
import {
  CodeAction,
  CodeActionKind,
  CodeLens,
  CompletionItem,
  CompletionItemKind,
  type Disposable,
  type DocumentSelector,
  DocumentSymbol,
  EventEmitter,
  FoldingRange,
  Hover,
  InlayHint,
  languages,
  MarkdownString,
  type Range,
  type SemanticTokens,
  SemanticTokensBuilder,
  SemanticTokensLegend,
  SnippetString,
  SymbolKind,
  type TextDocument,
  type Uri,
} from "vscode";
import { acceptActions } from "./accept-findings.ts";
import type { Checked, Checker } from "./checker.ts";
import { configAround, type FileSystems } from "./file-system.ts";
import { hostNeeds } from "./host-needs.ts";
import { rangeIn } from "./locate.ts";
import { setting } from "./settings.ts";
import { editOf, type PlacedEdit } from "./workspace-edit.ts";

/** The action kind that `editor.codeActionsOnSave` can name. */
const FIX_ALL = CodeActionKind.SourceFixAll.append("vmlint");

export interface Features extends Disposable {
  /** Call this when layouts may have changed without a key press. */
  readonly refresh: () => void;
}

const endings = formats.flatMap((format) => [...format.extensions, ...("values" in format ? (format.values ?? []) : [])]);
const selector: DocumentSelector = [{ language: "vmx" }, { pattern: `**/*{${endings.join(",")}}` }];

/** Provides hovers, fixes, lenses, hints, completion and outlines for every format, from the results of core. */
export function features(checks: Checker, systems: FileSystems): Features {
  const changed = new EventEmitter<void>();
  const about: About = async (document, answer) => {
    const outcome = await checks.of(document);
    if (!outcome || !("open" in outcome) || outcome.open.result.foreign !== undefined) return undefined;
    return checks.inTime(document.uri, () => answer(outcome.open, outcome));
  };

  const registered = [
    changed,
    languages.registerHoverProvider(selector, {
      provideHover: (document, position) =>
        about(document, (open, { locate }) => {
          const linkTo = (place: Place): string | undefined => {
            const location = locate(place);
            return location?.uri.with({ fragment: `L${location.range.start.line + 1}` }).toString();
          };
          const hover = hoverAt(open, document.offsetAt(position), linkTo);
          return hover && new Hover(new MarkdownString(hover.markdown), rangeIn(document, hover.range));
        }),
    }),
    languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions: async (document, range, { only }) => {
          const config = await configFileOf(systems, document.uri);
          return about(document, (_, checked) => [
            ...(!only || only.contains(CodeActionKind.QuickFix) ? quickFixes(document, checked, range, config) : []),
            ...(!only || only.contains(FIX_ALL) ? fixAll(checked) : []),
          ]);
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
    ),
    languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) => (setting("codeLens", document.uri) ? about(document, (open) => lenses(document, open)) : undefined),
    }),
    languages.registerInlayHintsProvider(selector, {
      onDidChangeInlayHints: changed.event,
      provideInlayHints: (document, range) =>
        setting("inlayHints", document.uri)
          ? about(document, (open) =>
              hintsOf(open).flatMap(({ at, label }) => {
                const position = document.lineAt(document.positionAt(at)).range.end;
                const hint = new InlayHint(position, label);
                hint.paddingLeft = true;
                return range.contains(position) ? [hint] : [];
              }),
            )
          : undefined,
    }),
    languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: (document, position) =>
          about(document, (open) => completionsAt(open, document.offsetAt(position)).map((item, i) => completion(document, item, i))),
      },
      ".",
      '"',
    ),
    languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => about(document, (open) => outlineOf(open).map((part) => symbol(document, part))),
    }),
    ...forVmx(about),
  ];
  return { refresh: () => changed.fire(), dispose: () => registered.forEach((one) => void one.dispose()) };
}

/** Answers for a checked document, and returns `undefined` for any other. */
type About = <T>(document: TextDocument, answer: (open: OpenDocument, checked: Checked) => T) => Promise<T | undefined>;

/** Editors know YAML and HCL by themselves. */
const forVmx = (about: About): readonly Disposable[] => [
  languages.registerDocumentSemanticTokensProvider(
    { language: "vmx" },
    { provideDocumentSemanticTokens: (document) => about(document, (open) => tokens(document, open)) },
    LEGEND,
  ),
  languages.registerFoldingRangeProvider(
    { language: "vmx" },
    {
      provideFoldingRanges: (document) =>
        about(document, (open) =>
          outlineOf(open).flatMap(({ range, parts }) => {
            const { start, end } = rangeIn(document, range);
            return parts.length > 0 && start.line < end.line ? [new FoldingRange(start.line, end.line)] : [];
          }),
        ),
    },
  ),
];

const LEGEND = new SemanticTokensLegend([...TOKEN_KINDS]);

function tokens(document: TextDocument, { text, language }: OpenDocument): SemanticTokens {
  const builder = new SemanticTokensBuilder(LEGEND);
  for (const { range, kind } of language?.tokens?.(text) ?? []) builder.push(rangeIn(document, range), kind);
  return builder.build();
}

const lenses = (document: TextDocument, open: OpenDocument): CodeLens[] =>
  lensesOf(open).flatMap(({ range, title: layout, vm }) => {
    const lens = (title: string, command: string) =>
      new CodeLens(rangeIn(document, range), { title, command, arguments: [document.uri, vm] });
    const choose = open.result.vms[vm]?.target.host ? [] : [lens("Choose the host...", "vmlint.chooseHost")];
    return [...choose, lens(layout, "vmlint.showTopology")];
  });

/** Returns the configuration file that applies to a document, or `undefined` if no readable one exists. */
async function configFileOf(systems: FileSystems, uri: Uri): Promise<Uri | undefined> {
  const found = uri.scheme === "untitled" ? undefined : await configAround(systems, uri);
  return !found || found instanceof UnusableConfig || found.path === undefined ? undefined : systems.of(uri).uriOf(found.path);
}

function quickFixes(document: TextDocument, checked: Checked, range: Range, config: Uri | undefined): CodeAction[] {
  const { open } = checked;
  const selection = [document.offsetAt(range.start), document.offsetAt(range.end)] as const;
  const actions = actionsAt(open, selection);
  const fixes = actions.flatMap(({ title, fix }) =>
    editing(checked, fix.edits, title).map((action) => Object.assign(action, { isPreferred: fix.safety === "safe" })),
  );
  const findings = open.result.diagnostics.filter(({ range: [start, end] }) => start <= selection[1] && selection[0] <= end);
  const rules = [...new Set(findings.map(({ ruleId }) => ruleId))];
  return [...fixes, ...chooseHost(checked, selection[0]), ...explain(rules), ...acceptActions(checked, selection, config)];
}

/** Returns one action for all rules of the findings. */
function explain(rules: readonly string[]): CodeAction[] {
  if (rules.length === 0) return [];
  const action = new CodeAction(rules.length === 1 ? `Explain ${rules[0]}` : `Explain ${rules.length} rules...`, CodeActionKind.QuickFix);
  action.command = { title: action.title, command: "vmlint.explainRule", arguments: rules.length === 1 ? [rules[0]] : [undefined, rules] };
  return [action];
}

/** Returns the action that chooses a host, on a setting of a VM whose checks need one. */
function chooseHost({ uri, open }: Checked, offset: number): CodeAction[] {
  const needing = hostNeeds(open.result.skipped);
  if (needing === 0 || !settingAt(open, offset)) return [];
  const action = new CodeAction(
    `Choose the host: ${plural(needing, "check")} need${needing === 1 ? "s" : ""} one...`,
    CodeActionKind.QuickFix,
  );
  action.command = { title: action.title, command: "vmlint.chooseHost", arguments: [uri] };
  return [action];
}

function fixAll(checked: Checked): CodeAction[] {
  const edits = safeFixes(checked.open).flatMap((fix) => fix.edits);
  return edits.length > 0 ? editing(checked, edits, "Fix all safe vmlint problems", FIX_ALL) : [];
}

/** An action that makes edits; none where the file of one is not known. */
function editing(checked: Checked, edits: readonly PlacedEdit[], title: string, kind = CodeActionKind.QuickFix): CodeAction[] {
  const edit = editOf(checked, edits);
  return edit ? [Object.assign(new CodeAction(title, kind), { edit })] : [];
}

const KIND: Readonly<Record<Completion["kind"], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  snippet: CompletionItemKind.Snippet,
};

export function completion(document: TextDocument, completed: Completion, index: number): CompletionItem {
  const { label, kind, detail, markdown, range, snippet, isBest = false } = completed;
  const item = new CompletionItem(label, KIND[kind]);
  // VS Code sorts by the label otherwise: 12 before 2, buslogic before pvscsi.
  if (kind === "value") item.sortText = String(index).padStart(4, "0");
  item.preselect = isBest;
  item.detail = detail;
  item.documentation = new MarkdownString(markdown);
  item.insertText = new SnippetString(snippet);
  item.range = rangeIn(document, range);
  return item;
}

function symbol(document: TextDocument, { name, detail, range, nameRange, parts }: OutlinePart): DocumentSymbol {
  const kind = parts.length > 0 ? SymbolKind.Namespace : SymbolKind.Property;
  const found = new DocumentSymbol(name, detail, kind, rangeIn(document, range), rangeIn(document, nameRange));
  found.children = parts.map((part) => symbol(document, part));
  return found;
}
