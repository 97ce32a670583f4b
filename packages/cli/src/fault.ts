import { isVmlintError } from "./answer.ts";

/** Files whose reading or checking failed by a bug, by absolute path, each with the error. */
export type Faults = Map<string, string>;

/**
 * Calls `use` on some files. Records a bug as a fault of these files and returns `undefined`. Errors for the caller are thrown.
 */
export function orFault<T>(paths: readonly string[], faults: Faults | undefined, use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (!faults || isVmlintError(error)) throw error;
    for (const path of paths) faults.set(path, stackOf(error));
    return undefined;
  }
}

/** An error with its stack. */
export const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
