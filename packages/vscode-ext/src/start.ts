import { commands, Disposable, type ExtensionContext, window, workspace } from "vscode";
import { isVmlintDocument } from "./document-filter.ts";
import type { Desktop } from "./file-system.ts";

/** The part of package.json that lists the commands. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/**
 * VS Code calls this when a document of a supported language opens, when the workspace contains files whose language does not
 * identify them, or when a command runs. The extension itself loads with the first document that may hold VMs, or with the first
 * command.
 */
export async function activate(context: ExtensionContext, desktop?: Desktop): Promise<void> {
  let loading: Promise<void> | undefined;
  let waiting: Disposable | undefined;
  const load = () => {
    loading ??= import("./extension.ts").then(({ start }) => {
      waiting?.dispose();
      start(context, desktop);
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
