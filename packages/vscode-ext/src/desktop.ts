import type { ExtensionContext } from "vscode";
import { activate as activateEverywhere } from "./start.ts";
import { lintTasks } from "./tasks.ts";

/** Activates the extension on the desktop, with the tasks that need a shell. */
export function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(lintTasks());
  return activateEverywhere(context);
}
