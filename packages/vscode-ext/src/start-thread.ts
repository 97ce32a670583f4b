import { Worker } from "node:worker_threads";
import type { CheckThread, Editor, WorkspaceState } from "./check-thread.ts";
import type { StartThread, Workspace } from "./file-system.ts";
import { connect, type OtherThread } from "./thread-calls.ts";

const stateOf = ({ folders, isTrusted, open }: Workspace): WorkspaceState => ({
  folders: folders(),
  isTrusted: isTrusted(),
  // The text of an open document is read now.
  open: new Map([...open].map(([path, { text, alias, isNowhere }]) => [path, { text, alias, isNowhere }])),
});

/** Checks files in a thread, which starts with the first file. `file` is the bundled check-thread.ts. */
export const checksInThread =
  (file: string): StartThread =>
  (workspace) => {
    let thread: OtherThread<CheckThread> | undefined;
    const started = (): OtherThread<CheckThread> => {
      if (thread) return thread;
      const worker = new Worker(file);
      const begun = connect<CheckThread, Editor>(worker, { search: workspace.search });
      const end = (error: Error) => {
        if (thread === begun) thread = undefined;
        begun.gone(error);
      };
      worker.once("error", end);
      worker.once("exit", () => end(new Error("the thread that checks the workspace ended")));
      thread = begun;
      begun.call("begin", stateOf(workspace)).catch(() => undefined);
      return begun;
    };
    return {
      overview: (path) => started().call("overview", path),
      changed: async (path, what, open) => thread?.call("changed", path, what, open) ?? [],
      isRead: async (path) => thread?.call("isRead", path) ?? false,
      forget: () => void thread?.call("begin", stateOf(workspace)).catch(() => undefined),
    };
  };
