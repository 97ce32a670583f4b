import { numberRuns } from "../../model/words.ts";

/** Returns the first member and the size of each group. */
export function starts(groups: readonly number[]): readonly (readonly [first: number, size: number])[] {
  let next = 0;
  return groups.map((size) => {
    next += size;
    return [next - size, size];
  });
}

/** Returns the end of each group. */
export const endsOf = (groups: readonly number[]): readonly number[] => starts(groups).map(([first, size]) => first + size);

/** Splits a range at every end of the other kind of group. */
export function cut(first: number, size: number, ends: readonly number[]): readonly (readonly [first: number, size: number])[] {
  const marks = [...new Set([first, ...ends.filter((end) => end > first && end < first + size), first + size])];
  return marks.slice(1).map((end, i) => [marks[i] ?? first, end - (marks[i] ?? first)]);
}

/** Returns `CPU 4`, `CPUs 0–1, 4–5`. */
export const runs = (numbers: readonly number[], word: string): string =>
  `${word}${numbers.length === 1 ? "" : "s"} ${numberRuns(numbers, ", ").replaceAll("-", "–")}`;

/** Returns `vCPU 4`, `vCPUs 4–7`. */
export const range = (first: number, size: number, word: string): string =>
  size === 1 ? `${word} ${first}` : `${word}s ${first}–${first + size - 1}`;
