/** A count with its word: `1 core`, `40 cores`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** An amount of memory: `300 GiB`, `1410 MiB`. */
export const memoryWords = (mib: number): string => (mib % 1024 === 0 ? `${mib / 1024} GiB` : `${mib} MiB`);

/** With a capital letter, as a sentence or a name begins. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Items as a sentence has them: `1, 2 or 4`. */
export const list = (items: readonly (string | number)[], word: "and" | "or"): string =>
  [items.slice(0, -1).join(", "), ...items.slice(-1)].filter((part) => part !== "").join(` ${word} `);

const NAMES_SHOWN = 3;

/** `a`, `a and b`, `a, b and c`; of more the first three and how many there are besides. */
export function names(words: readonly string[]): string {
  const shown = words.length <= NAMES_SHOWN ? words : [...words.slice(0, NAMES_SHOWN), `${words.length - NAMES_SHOWN} more`];
  return list(shown, "and");
}

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

/** Whether a text is a day of the calendar, as `2026-12-31`. */
export function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The day of a moment by the local clock, as 2026-12-31. */
export function dayOf(now: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** A value of a program in a sentence: a short text in quotes; `a list` or `an object` for a value with parts. */
export function valueWords(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
