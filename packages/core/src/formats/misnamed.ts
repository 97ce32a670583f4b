import { onceFor } from "../model/memoize.ts";
import { onlySlip } from "../model/nearest.ts";
import type { Problem } from "../model/problem.ts";
import type { Range } from "../model/source.ts";

/** A name that a text writes, and its place. */
interface WrittenName {
  readonly name: string;
  readonly range: Range;
}

const finderOf = onceFor((names: readonly string[]) => onlySlip(names));

/**
 * Returns problems for names that no reader knows and that spell a known one with other capitals, separators or one other letter. A format
 * has more names than its reader knows, so that less alike names are left alone.
 */
export function misnamed(written: Iterable<WrittenName>, known: readonly string[]): readonly Problem[] {
  const meant = finderOf(known);
  return [...written].flatMap(({ name: key, range }) => {
    const nearest = meant(key);
    return nearest === undefined ? [] : [{ ruleId: "spec/unknown-key", messageId: "near", data: { key, nearest }, range }];
  });
}
