import { parse } from "@humanwhocodes/momoa";
import type { Fail } from "./facts.ts";

/** JSON, or the line it breaks on: JSON.parse names a place in some of its messages only, and a reader that always does is slow. */
export function readJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("The JSON is not whole. Take the dump again.", brokenLine(text));
  }
}

function brokenLine(text: string): number {
  try {
    parse(text);
    return 1;
  } catch (error) {
    const { line } = error as { line?: unknown };
    return typeof line === "number" ? line : 1;
  }
}
