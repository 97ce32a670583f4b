/** A count with its word: `1 core`, `40 cores`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
