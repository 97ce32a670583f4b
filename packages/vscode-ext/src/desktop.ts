import { createContext, Script } from "node:vm";
import type { ExtensionContext } from "vscode";
import { activate as activateEverywhere } from "./start.ts";
import { checksInThread } from "./start-thread.ts";
import { lintTasks } from "./tasks.ts";

/** Activates the extension on the desktop, with the tasks that need a shell and the thread that checks a workspace. */
export function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(lintTasks());
  return activateEverywhere(context, {
    startThread: checksInThread(context.asAbsolutePath("dist/node/thread.cjs")),
    scripts: { createContext, Script },
  });
}
