import { once } from "../model/memoize.ts";

/** The parts of `node:vm` that can stop a function. A browser has none. */
export interface Scripts {
  readonly createContext: (globals: object) => object;
  readonly Script: new (
    code: string,
  ) => { readonly runInContext: (context: object, options: { readonly timeout: number; readonly displayErrors: boolean }) => unknown };
}

/** The error for a function that took too long. */
export class TooSlow extends Error {
  override readonly name = "TooSlow";
}

/** The limit for a step of a check in an editor, which gets no other answer meanwhile. */
const EDITOR_SECONDS = 10;

/**
 * Returns a function that calls another, and stops it after some seconds, even in a loop without an end. Node can do that only to a script,
 * so the script calls the function. If `dropStopped` dropped a plugin rule that took the time, it tries again. Throws TooSlow otherwise.
 */
export function timeLimit({ createContext, Script }: Scripts, dropStopped = () => false): <T>(seconds: number, work: () => T) => T {
  const script = once(() => {
    let work = (): void => {};
    const context = createContext({ work: () => work() });
    const call = new Script("work()");
    return (seconds: number, use: () => void): void => {
      work = use;
      try {
        // Node would put lines of the script above the stack of an error.
        call.runInContext(context, { timeout: seconds * 1000, displayErrors: false });
      } catch (error) {
        // In a thread, it is no Error of this context.
        if ((error as { readonly code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      }
    };
  });
  return function inTime<T>(seconds: number, work: () => T): T {
    let result: { readonly value: T } | undefined;
    script()(seconds, () => {
      result = { value: work() };
    });
    if (result) return result.value;
    if (dropStopped()) return inTime(seconds, work);
    throw new TooSlow(`its check took more than ${seconds} seconds`);
  };
}

/** Returns a function that stops a step of a check in an editor. */
export function editorLimit(...given: Parameters<typeof timeLimit>): <T>(work: () => T) => T {
  const inTime = timeLimit(...given);
  return (work) => inTime(EDITOR_SECONDS, work);
}
