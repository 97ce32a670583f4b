let running: string | undefined;
/** The plugin rules that a time limit has stopped in this process. */
const stopped = new Set<string>();

/** Runs a plugin rule. Throws if a time limit has stopped the rule before. */
export function runRule<T>(name: string, run: () => T): T {
  if (stopped.has(name)) throw new Error("it took too long and was stopped");
  running = name;
  try {
    return run();
  } finally {
    // Code that is stopped after a time limit does not get here.
    running = undefined;
  }
}

/** Drops the plugin rule that a time limit has stopped. Returns whether there was one. */
export function dropStopped(): boolean {
  if (running === undefined) return false;
  stopped.add(running);
  running = undefined;
  return true;
}
