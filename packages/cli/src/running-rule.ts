let running: string | undefined;

/** Runs a plugin rule. If the run is stopped meanwhile, `runningRule` returns its name. */
export function runRule<T>(name: string, run: () => T): T {
  running = name;
  try {
    return run();
  } finally {
    // Code that is stopped after a time limit does not get here.
    running = undefined;
  }
}

/** Returns the plugin rule that was stopped, and forgets it. */
export function stoppedRule(): string | undefined {
  const name = running;
  running = undefined;
  return name;
}
