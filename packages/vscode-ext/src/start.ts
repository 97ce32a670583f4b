import { commands, Disposable, type ExtensionContext, window, workspace } from "vscode";
import { isVmlintDocument } from "./document-filter.ts";

/** What is declared in package.json. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/**
 * Called by VS Code when a document is opened whose language may be one of ours, where the workspace has files that no language tells, or
 * when a command is run. The extension itself is loaded with the first document that it has something to say of, or the first command.
 */
export async function activate(context: ExtensionContext): Promise<void> {
  let loading: Promise<void> | undefined;
  let waiting: Disposable | undefined;
  const load = () => {
    loading ??= import("./extension.ts").then(({ start }) => {
      waiting?.dispose();
      start(context);
    });
    return loading;
  };
  if (workspace.textDocuments.some(isVmlintDocument)) return load();
  const { contributes } = context.extension.packageJSON as Manifest;
  waiting = Disposable.from(
    workspace.onDidOpenTextDocument((document) => isVmlintDocument(document) && void load()),
    workspace.onDidChangeTextDocument(({ document }) => isVmlintDocument(document) && void load()),
    window.registerTreeDataProvider("vmlint.vms", { getChildren: () => [], getTreeItem: (item: never) => item }),
    ...contributes.commands.map(({ command }) =>
      commands.registerCommand(command, async (...words: unknown[]) => {
        await load();
        return commands.executeCommand(command, ...words);
      }),
    ),
  );
  context.subscriptions.push(waiting);
}
