import { ConfigTexts } from "@vmlint/core/editor";
import { nameOf } from "@vmlint/core/recognise";
import {
  CodeAction,
  CodeActionKind,
  type DiagnosticCollection,
  Disposable,
  type DocumentSelector,
  extensions,
  Hover,
  languages,
  MarkdownString,
  type TextDocument,
  WorkspaceEdit,
  workspace,
} from "vscode";
import { configDiagnostics } from "./diagnostics.ts";
import { CONFIG_GLOB, isConfig, isOpenConfig } from "./document-filter.ts";
import { completion } from "./features.ts";
import type { FileSystems } from "./file-system.ts";
import { Latest } from "./latest.ts";
import { rangeIn } from "./locate.ts";
import { isOff } from "./settings.ts";

/** Long enough to skip the states between two keystrokes. */
const TYPING_PAUSE_MS = 300;

/** This extension applies vmlint's schema itself, so completion and hovers from the schema are left to it. */
const YAML_EXTENSION = "redhat.vscode-yaml";

/** JSON gets keys, values and hovers from VS Code, by the schema that package.json of this extension names. */
const SELECTOR: DocumentSelector = { pattern: CONFIG_GLOB, language: "yaml" };

interface ConfigDocuments extends Disposable {
  /** Checks every configuration that is open. */
  readonly checkAll: () => void;
}

/** Completion, hovers, problems and fixes for open configurations. */
export function configDocuments(systems: FileSystems, problems: DiagnosticCollection): ConfigDocuments {
  const texts = new ConfigTexts();
  const read = ({ uri }: TextDocument, text: string) =>
    texts.read(uri.toString(), nameOf(uri.path), text, systems.of(uri).files.filesOfConfig(uri.path));
  const latest = new Latest();

  const check = async (document: TextDocument, isLatest: () => boolean) => {
    const text = document.getText();
    const found = isOff(document.uri) ? undefined : await read(document, text);
    if (isLatest()) problems.set(document.uri, configDiagnostics(text, found?.problems ?? []));
  };
  const schedule = (document: TextDocument, delay: number) => {
    if (isOpenConfig(document)) latest.schedule(document.uri.toString(), delay, (isLatest) => void check(document, isLatest));
  };
  const checkAll = () => {
    for (const document of workspace.textDocuments) schedule(document, 0);
  };
  const hasYamlExtension = () => extensions.getExtension(YAML_EXTENSION) !== undefined;

  const registered = Disposable.from(
    latest,
    languages.registerHoverProvider(SELECTOR, {
      async provideHover(document, position) {
        if (hasYamlExtension()) return undefined;
        const hover = (await read(document, document.getText()))?.hover(document.offsetAt(position));
        return hover && new Hover(new MarkdownString(hover.markdown), rangeIn(document, hover.range));
      },
    }),
    languages.registerCompletionItemProvider(
      SELECTOR,
      {
        async provideCompletionItems(document, position) {
          const items = (await read(document, document.getText()))?.complete(document.offsetAt(position));
          return items?.filter(({ inSchema }) => !inSchema || !hasYamlExtension()).map((item, i) => completion(document, item, i));
        },
      },
      " ",
      "/",
      '"',
    ),
    languages.registerCodeActionsProvider(
      { pattern: CONFIG_GLOB },
      {
        async provideCodeActions(document, { start, end }) {
          const config = await read(document, document.getText());
          return config?.fixesAt([document.offsetAt(start), document.offsetAt(end)]).map(({ title, edits }) => {
            const edit = new WorkspaceEdit();
            for (const { range, newText } of edits) edit.replace(document.uri, rangeIn(document, range), newText);
            return Object.assign(new CodeAction(title, CodeActionKind.QuickFix), { edit });
          });
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
    workspace.onDidOpenTextDocument((document) => schedule(document, 0)),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) schedule(document, TYPING_PAUSE_MS);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => {
      latest.cancel(uri.toString());
      texts.close(uri.toString());
      if (isConfig(uri)) problems.delete(uri);
    }),
  );
  checkAll();
  return { checkAll, dispose: () => registered.dispose() };
}
