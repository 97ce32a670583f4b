import { readJson as readDocuments } from "../syntax/json/json.ts";
import type { Fail } from "./facts.ts";

/** JSON, or the line it breaks on: JSON.parse names a place in some of its messages only, and a reader that always does is slow. */
export function readJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const read = readDocuments(text);
    const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
    if ("message" in read) return fail("The JSON is truncated. Take the dump again.", lineOf(read.offset));
    const [, second] = read.documents;
    return fail("Another document follows the first. Give each host a file of its own.", second && lineOf(second.range[0]));
  }
}
