import type { ExtensionContext } from "vscode";
import { activate as activateEverywhere } from "./extension.ts";
import { lintTasks } from "./tasks.ts";

/** As everywhere, and what needs a shell. */
export function activate(context: ExtensionContext): void {
  activateEverywhere(context);
  context.subscriptions.push(lintTasks());
}
