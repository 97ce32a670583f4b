import { createContext, Script } from "node:vm";
import { TooSlow, timeLimit } from "@vmlint/core/program";
import { dropStopped } from "./running-rule.ts";

/** See timeLimit. */
export const inTime = timeLimit({ createContext, Script }, dropStopped);

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
