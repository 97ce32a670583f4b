import { expand } from "brace-expansion";

/** Of a part of a path: a character, `*`, or what a character may be. */
type Token = string | typeof ANY_NUMBER | ((character: string) => boolean);

/** A part of a path: as it is written, any number of parts, or its tokens. */
type Part = string | typeof ANY_NUMBER | readonly Token[];

const ANY_NUMBER = Symbol("any number");

/** How many patterns one may stand for by its braces. */
export const MOST_ALTERNATIVES = 1000;

/**
 * What one of some patterns means, of paths with forward slashes on every system: `*`, `**`, `?`, `[ab]`, `[!ab]`,
 * `{a,b}`, `\` before what means itself, and `!` before what is not meant; a leading dot is nothing special. Libraries make regular
 * expressions of patterns, and those try every way of dividing a name among the stars: against 255 characters `*a*a*a*a` took 1.5 s,
 * and with a fifth star 74 s. Here a star that was passed is not come back to.
 */
export function globMatcher(patterns: readonly string[]): (name: string) => boolean {
  const matchers = patterns.map((pattern) => matcher(pattern, inFolders));
  return (path) => {
    const parts = inFolders(path);
    return matchers.some((matches) => matches(parts));
  };
}

/** As globMatcher, of the names of VMs, which have no folders: `*` passes over a slash as over any character. */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const matchers = patterns.map((pattern) => matcher(pattern, (one) => [one]));
  return (name) => matchers.some((matches) => matches([name]));
}

const inFolders = (path: string): readonly string[] => path.replace(/^\.\//, "").split("/");

/** A name as a pattern that means it alone. */
export const globOf = (name: string): string => name.replace(/[\\*?[\]{}!]/g, "\\$&");

/** Whether a pattern stands for more of them than are looked at. */
export const isTooWide = (pattern: string): boolean => alternatives(pattern).length > MOST_ALTERNATIVES;

function alternatives(pattern: string): readonly string[] {
  if (!pattern.includes("{")) return [pattern];
  // The library takes a backslash away from these, but they are to mean themselves here as well.
  const kept = pattern.replace(/\\./gsu, (escaped) => (/[\\{},.]$/.test(escaped) ? `\\\\${escaped}` : escaped));
  return expand(kept, { max: MOST_ALTERNATIVES + 1 });
}

function matcher(pattern: string, split: (pattern: string) => readonly string[]): (parts: readonly string[]) => boolean {
  if (pattern.startsWith("!")) {
    const matches = matcher(pattern.slice(1), split);
    return (parts) => !matches(parts);
  }
  const rows = alternatives(pattern).map((one) => split(one).map(partOf));
  return (parts) => rows.some((row) => fits(row, parts, partFits));
}

const partFits = (part: Exclude<Part, typeof ANY_NUMBER>, text: string): boolean =>
  typeof part === "string" ? part === text : fits(part, [...text], tokenFits);

const tokenFits = (token: Exclude<Token, typeof ANY_NUMBER>, character: string): boolean =>
  typeof token === "string" ? token === character : token(character);

function partOf(written: string): Part {
  if (written === "**") return ANY_NUMBER;
  const tokens = [...written.matchAll(/\\(.)|(\*+)|(\?)|\[([!^]?)(\]?[^\]]*)\]|./gsu)].map(
    ([character, escaped, stars, one, not, set]): Token => {
      if (stars !== undefined) return ANY_NUMBER;
      if (one !== undefined) return () => true;
      return set === undefined ? (escaped ?? character) : oneOf(set, not !== "");
    },
  );
  return tokens.every((token) => typeof token === "string") ? tokens.join("") : tokens;
}

/** The characters of `[a-z_]`, or all others. */
function oneOf(set: string, not: boolean): (character: string) => boolean {
  const ranges = [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, from = "", to = from]) => [from, to] as const);
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== not;
}

/** Whether items fit a row, in which each ANY_NUMBER takes as few as it can: only the last one may have to take one more. */
function fits<P, T>(row: readonly (P | typeof ANY_NUMBER)[], items: readonly T[], one: (of: P, item: T) => boolean): boolean {
  let [at, last, taken] = [0, -1, 0];
  for (let i = 0; i < items.length; ) {
    const next = row[at];
    if (at < row.length && next === ANY_NUMBER) {
      last = at++;
      taken = i;
    } else if (at < row.length && one(next as P, items[i] as T)) {
      at++;
      i++;
    } else if (last >= 0) {
      at = last + 1;
      i = ++taken;
    } else return false;
  }
  return row.slice(at).every((rest) => rest === ANY_NUMBER);
}
