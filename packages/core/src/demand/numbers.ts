/** How a file writes numbers: `1,546.6` or `1.546,6`. */
export type Convention = "point" | "comma";

/**
 * Returns the convention that a number shows by itself; nothing if both are possible, as for `1,546` and `12`. VCF Operations writes numbers
 * as its interface shows them.
 */
export function conventionOf(text: string): Convention | undefined {
  const plain = bare(text);
  if (/^\d{1,3}(?:,\d{3})*\.\d+$/.test(plain)) return /^\d{1,3}\.\d{3}$/.test(plain) ? undefined : "point";
  if (/^\d{1,3}(?:\.\d{3})*,\d+$/.test(plain)) return /^\d{1,3},\d{3}$/.test(plain) ? undefined : "comma";
  if (/^\d{1,3}(?:,\d{3}){2,}$/.test(plain)) return "point";
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(plain)) return "comma";
  if (/^\d{4,}\.\d+$/.test(plain)) return "point";
  return /^\d{4,},\d+$/.test(plain) ? "comma" : undefined;
}

const bare = (text: string): string =>
  text
    .trim()
    .replace(/^[-+]/, "")
    .replace(/[\s'’\u00a0\u202f]/g, "")
    .replace(/%$/, "");

/** Whether a number is of the other convention. */
export function contradicts(text: string, convention: Convention): boolean {
  const [grouping, decimal] = convention === "point" ? [",", "."] : [".", ","];
  // Most numbers have their decimal mark last, or none.
  if (text.lastIndexOf(grouping) <= text.lastIndexOf(decimal)) return false;
  const shown = conventionOf(text);
  return shown !== undefined && shown !== convention;
}

/** Returns the number of a cell. `-` and an empty cell are no value, never 0; a word is `NaN`. */
export function numberIn(text: string, convention: Convention): number | undefined {
  if (text === "" || text === "-") return undefined;
  if (convention === "point" && DIGITS.test(text)) return Number(text);
  const plain = bare(text);
  if (plain === "" || /^[-–—]$/.test(text.trim()) || /^(?:null|none|n\/a)$/i.test(plain)) return undefined;
  const [grouping, decimal] = convention === "point" ? [",", "."] : [".", ","];
  const standard = plain.replaceAll(grouping, "").replace(decimal, ".");
  return /^\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(standard) ? Number(standard) * (text.trim().startsWith("-") ? -1 : 1) : Number.NaN;
}

const DIGITS = /^\d+(?:\.\d+)?$/;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * Returns a time in minutes: `12:00 AM 21 July 2026` of VCF Operations or `2026-07-21 00:00`; nothing for other forms, such as
 * `7/8/2026`, which has two readings.
 */
export function minutesIn(text: string): number | undefined {
  const [, hour, minute, half, day, month, year] =
    /^(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]m)?,?\s+(\d{1,2})\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})$/i.exec(text.trim()) ?? [];
  if (month !== undefined && MONTHS.includes(month.toLowerCase())) {
    const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
    return Date.UTC(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day), hours, Number(minute)) / 60_000;
  }
  const [, y, m, d, h = "0", min = "0"] = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}))?/.exec(text.trim()) ?? [];
  return y === undefined ? undefined : Date.UTC(Number(y), Number(m) - 1, Number(d), Number(h), Number(min)) / 60_000;
}
