import { type Disposable, ShellExecution, Task, type TaskDefinition, TaskScope, tasks, type WorkspaceFolder, workspace } from "vscode";

import { setting } from "./settings.ts";

const TYPE = "vmlint";

/** The properties of a task of type "vmlint" in tasks.json. */
interface Definition extends TaskDefinition {
  /** Files and folders, relative to the workspace folder. Without any, the task checks the whole folder. */
  readonly paths?: readonly string[];
  /** More arguments, such as --host. */
  readonly args?: readonly string[];
  /** The command to run, by default the setting `vmlint.path`. */
  readonly command?: string;
}

/** The task "vmlint: lint workspace" for each folder: the command line's whole answer, in the Problems panel. */
export function lintTasks(): Disposable {
  return tasks.registerTaskProvider(TYPE, {
    provideTasks: () => (workspace.workspaceFolders ?? []).map((folder) => taskOf({ type: TYPE }, folder)),
    resolveTask: (task) => taskOf(task.definition as Definition, task.scope ?? TaskScope.Workspace),
  });
}

function taskOf(definition: Definition, scope: WorkspaceFolder | TaskScope): Task {
  const { command = setting("path"), args = [], paths = [] } = definition;
  // The problem matcher reads one line for each finding.
  const execution = new ShellExecution(command, ["--format", "compact", ...args, ...paths]);
  return new Task(definition, scope as WorkspaceFolder, "lint workspace", TYPE, execution, "$vmlint");
}
