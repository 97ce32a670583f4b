import { createContext, Script } from "node:vm";
import { once } from "@vmlint/core";
import { dropStopped } from "./running-rule.ts";

/** The error for a function that took too long. */
class TooSlow extends Error {
  override readonly name = "TooSlow";
}

/**
 * Calls a function, and stops it after some seconds, even in a loop without an end. Node can do that only to a script, so the script
 * calls the function. Drops a plugin rule that took the time, and tries again. Throws TooSlow otherwise.
 */
export function inTime<T>(seconds: number, work: () => T): T {
  let result: { readonly value: T } | undefined;
  script().run(seconds, () => {
    result = { value: work() };
  });
  if (result) return result.value;
  if (dropStopped()) return inTime(seconds, work);
  throw new TooSlow(`its check took more than ${seconds} seconds`);
}

const script = once(() => {
  let work = (): void => {};
  const context = createContext({ work: () => work() });
  const call = new Script("work()");
  const run = (seconds: number, use: () => void): void => {
    work = use;
    try {
      // Node would put lines of the script above the stack of an error.
      call.runInContext(context, { timeout: seconds * 1000, displayErrors: false });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    }
  };
  return { run };
});

/** Milliseconds of work under one limit: a limit starts a thread, which waits long where others work. */
const PACE = 200;

/** Calls a function for each item, in order. An item whose call takes too long is passed over to `tooSlow`. */
export function* eachInTime<T, R>(
  seconds: number,
  items: Iterable<T>,
  { use, tooSlow }: { readonly use: (item: T) => R; readonly tooSlow: (item: T, error: TooSlow) => void },
): Iterable<R> {
  const left = items[Symbol.iterator]();
  for (let next = left.next(); !next.done; ) {
    const results: R[] = [];
    const pause = performance.now() + PACE;
    try {
      inTime(seconds, () => {
        for (; !next.done && performance.now() < pause; next = left.next()) results.push(use(next.value));
      });
    } catch (error) {
      if (!(error instanceof TooSlow) || next.done) throw error;
      tooSlow(next.value, error);
      next = left.next();
    }
    yield* results;
  }
}
