import { parse } from "@humanwhocodes/momoa";
import type { Fail } from "./facts.ts";

/** JSON, or the line it breaks on: JSON.parse names a place in some of its messages only, and a reader that always does is slow. */
export function readJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, offset } = breakOf(text);
    if (isWhole(text.slice(0, offset))) fail("Another document follows the first. Give each host a file of its own.", line);
    return fail("The JSON is not whole. Take the dump again.", line);
  }
}

function breakOf(text: string): { readonly line: number; readonly offset: number } {
  try {
    parse(text);
    return { line: 1, offset: 0 };
  } catch (error) {
    const { line, offset } = error as { line?: unknown; offset?: unknown };
    return { line: typeof line === "number" ? line : 1, offset: typeof offset === "number" ? offset : 0 };
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
