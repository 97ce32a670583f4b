/** A count with its word: `1 core`, `40 cores`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Runs of consecutive numbers drawn together: `0-3,8-11`. */
export function numberRuns(numbers: readonly number[], separator = ","): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(separator);
}
