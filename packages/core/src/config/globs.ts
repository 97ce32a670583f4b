import { expand } from "brace-expansion";

/** An element of a pattern within a folder name: a character, `*`, or a set of characters. */
type Token = string | typeof ANY_NUMBER | ((character: string) => boolean);

/** A folder name of a pattern: plain text, `**`, or tokens. */
type PatternPart = string | typeof ANY_NUMBER | readonly Token[];

const ANY_NUMBER = Symbol("any number");

/** The most patterns that the braces of one pattern may expand to. */
export const MOST_ALTERNATIVES = 1000;

/**
 * Returns a function that matches a path with forward slashes against any of the patterns: `*`, `**`, `?`, `[ab]`, `[!ab]`, `{a,b}`, `\` as
 * escape, and `!` to exclude; a leading dot is not special. Libraries compile patterns to regular expressions, which backtrack: with 255
 * characters, `*a*a*a*a` took 1.5 s, and a fifth star 74 s. This matcher never returns to an earlier star.
 */
export function globMatcher(patterns: readonly string[]): (name: string) => boolean {
  const matchers = patterns.map((pattern) => matcher(pattern, inFolders));
  return (path) => {
    const parts = inFolders(path);
    return matchers.some((matches) => matches(parts));
  };
}

/** Like globMatcher, for VM names, which have no folders: `*` also matches a slash. */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const matchers = patterns.map((pattern) => matcher(pattern, (alternative) => [alternative]));
  return (name) => matchers.some((matches) => matches([name]));
}

const inFolders = (path: string): readonly string[] => path.replace(/^\.\//, "").split("/");

/** Returns a pattern that matches exactly this name. */
export const globOf = (name: string): string => name.replace(/[\\*?[\]{}!]|(?<=[+@])\(/g, "\\$&");

/** Returns the part of a pattern in the notation of other programs, `!(a)` or `@(a|b)`, which here means itself; `undefined` without one. */
export const extendedIn = (pattern: string): string | undefined => /(?<!\\)[!?+*@]\([^()]*\)/.exec(pattern)?.[0];

/** Whether a pattern expands to more patterns than the limit. */
export const isTooWide = (pattern: string): boolean => alternatives(pattern).length > MOST_ALTERNATIVES;

function alternatives(pattern: string): readonly string[] {
  if (!pattern.includes("{")) return [pattern];
  // The library removes the backslash before these characters, but they need the escape in the next step too.
  const masked = pattern.replace(/\\./gsu, (escaped) => (/[\\{},.]$/.test(escaped) ? `\\\\${escaped}` : escaped));
  return expand(masked, { max: MOST_ALTERNATIVES + 1 });
}

function matcher(pattern: string, split: (pattern: string) => readonly string[]): (parts: readonly string[]) => boolean {
  if (pattern.startsWith("!")) {
    const matches = matcher(pattern.slice(1), split);
    return (parts) => !matches(parts);
  }
  const rows = alternatives(pattern).map((alternative) => split(alternative).map(partOf));
  return (parts) => rows.some((row) => fits(row, parts, partFits));
}

const partFits = (part: Exclude<PatternPart, typeof ANY_NUMBER>, text: string): boolean =>
  typeof part === "string" ? part === text : fits(part, [...text], tokenFits);

const tokenFits = (token: Exclude<Token, typeof ANY_NUMBER>, character: string): boolean =>
  typeof token === "string" ? token === character : token(character);

function partOf(text: string): PatternPart {
  if (text === "**") return ANY_NUMBER;
  const tokens = [...text.matchAll(/\\(.)|(\*+)|(\?)|\[([!^]?)(\]?[^\]]*)\]|./gsu)].map(
    ([character, escaped, stars, single, not, set]): Token => {
      if (stars !== undefined) return ANY_NUMBER;
      if (single !== undefined) return () => true;
      return set === undefined ? (escaped ?? character) : oneOf(set, not !== "");
    },
  );
  return tokens.every((token) => typeof token === "string") ? tokens.join("") : tokens;
}

/** Returns a test for `[a-z_]` or `[!a-z_]`. */
function oneOf(set: string, not: boolean): (character: string) => boolean {
  const ranges = [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, from = "", to = from]) => [from, to] as const);
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== not;
}

/** Whether the items match a row. Each ANY_NUMBER takes as few items as possible; on a mismatch it is enough to extend the last one. */
function fits<P, T>(row: readonly (P | typeof ANY_NUMBER)[], items: readonly T[], matches: (of: P, item: T) => boolean): boolean {
  let [at, last, resume] = [0, -1, 0];
  for (let i = 0; i < items.length; ) {
    const next = row[at];
    if (at < row.length && next === ANY_NUMBER) {
      last = at++;
      resume = i;
    } else if (at < row.length && matches(next as P, items[i] as T)) {
      at++;
      i++;
    } else if (last >= 0) {
      at = last + 1;
      i = ++resume;
    } else return false;
  }
  return row.slice(at).every((rest) => rest === ANY_NUMBER);
}
