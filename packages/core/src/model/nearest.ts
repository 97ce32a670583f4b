import leven from "leven";
import { onceEach } from "./memoize.ts";
import { list } from "./words.ts";

/** Words that people use for a part of a name. */
const SYNONYMS: Readonly<Record<string, string>> = { mssql: "sqlserver", hana: "sap", mysql: "mariadb", postgresql: "pgsql" };

/** A longer text is no name. */
const LONGEST = 60;

interface Parts {
  /** Without capitals and separators. */
  readonly letters: string;
  readonly words: readonly string[];
  /** Neighbouring words, joined: `wide`, `uneven` and `wideuneven` of `wide-uneven`. */
  readonly runs: readonly string[];
  readonly initials: readonly string[];
}

const partsOf = onceEach((text): Parts => {
  const split = text.replace(/([a-z\d])(?=[A-Z])/g, "$1 ").toLowerCase();
  const words = split.split(/[^\p{L}\d]+/u).filter((word) => word !== "");
  const groups = words.flatMap((_, i) => words.slice(i).map((__, j) => words.slice(i, i + j + 1)));
  return {
    letters: words.join(""),
    words,
    runs: [...groups.map((group) => group.join("")), ...words.flatMap((word) => SYNONYMS[word] ?? [])],
    initials: groups.filter(({ length }) => length > 1).map((group) => group.map(([letter]) => letter).join("")),
  };
});

/** The wrong letters that a word may have, and never all: "disk" is not near "size", nor "x" near "a". */
const mostSlips = ({ length }: string): number => Math.min(length > 8 ? Math.floor(length / 4) : length > 3 ? 2 : 1, length - 1);

/** The wrong letters; two that changed places are likelier than two wrong ones. */
function slips(word: string, name: string): number {
  const at = [...word].findIndex((letter, i) => letter !== name[i]);
  const swapped = word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
  return swapped === name && at >= 0 ? 1.5 : leven(word, name);
}

const isSlip = (word: string, name: string): boolean => {
  const most = mostSlips(word);
  return Math.abs(word.length - name.length) <= most && slips(word, name) <= most;
};

/** Three letters in the middle of a word are chance, as in "network". */
const isPart = (part: string, text: string): boolean =>
  part.length > 2 && text.includes(part) && (part.length > 3 || text.indexOf(part) < 2);

/** How a name may resemble a word, the closest way first. */
const WAYS: readonly ((word: Parts, name: Parts) => boolean)[] = [
  (word, name) => word.letters === name.letters,
  (word, name) => word.letters.length > 2 && name.letters.startsWith(word.letters),
  (word, name) => name.runs.includes(word.letters),
  (word, name) => isPart(word.letters, name.letters),
  (word, name) => isSlip(word.letters, name.letters),
  (word, name) => isPart(name.letters, word.letters),
  (word, name) => name.initials.includes(word.letters) || word.initials.some((initials) => name.runs.includes(initials)),
  (word, name) => word.letters.length > 3 && name.runs.some((run) => isSlip(word.letters, run)),
  (word, name) => word.words.some((part) => name.words.some((other) => isPart(part, other) || isPart(other, part))),
];

/** Returns the names that a misspelt word, a part of a name or its initial letters may mean, the nearest first. */
export function similar(word: string, names: readonly string[], most = 3): readonly string[] {
  if (word.length > LONGEST) return [];
  const given = partsOf(word);
  const known = names.map((name) => ({ name, parts: partsOf(name) }));
  for (const resembles of WAYS) {
    const found = known
      .filter(({ parts }) => resembles(given, parts))
      .map(({ name, parts }) => ({ name, wrong: slips(given.letters, parts.letters) }));
    found.sort((a, b) => a.wrong - b.wrong);
    const [first] = found;
    // The others are less likely than such a small typing error.
    if (first)
      return found
        .filter(({ wrong }) => first.wrong >= 2 || wrong === first.wrong)
        .slice(0, most)
        .map(({ name }) => name);
  }
  return [];
}

/** The name that a word probably means; `undefined` when none is close. */
export const nearest = (word: string, names: readonly string[]): string | undefined => similar(word, names, 1)[0];

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, "");

/** Returns a function that finds the name which a word writes with other capitals or separators, or with one other letter if it is long. */
export function onlySlip(names: readonly string[]): (word: string) => string | undefined {
  const own = new Set(names);
  const known = names.map((name) => ({ name, letters: lettersOf(name) }));
  return onceEach((word) => {
    if (own.has(word) || word.length > LONGEST) return undefined;
    const letters = lettersOf(word);
    const isNear = (other: string): boolean =>
      Math.min(letters.length, other.length) > 5 && Math.abs(letters.length - other.length) <= 1 && leven(letters, other) === 1;
    return (known.find((one) => one.letters === letters) ?? known.find((one) => isNear(one.letters)))?.name;
  });
}

/** Lists of names may also hold a description, such as "a whole number". */
const isName = (text: string): boolean => !text.includes(" ");

/** A misspelt word, and the names that it may mean, the nearest first. */
export interface Misspelling {
  readonly word: string;
  readonly names: readonly string[];
}

/** Returns up to three names near a word; `undefined` if none is near. Numbers are no misspelt names. */
export function misspelling(word: unknown, names: readonly string[]): Misspelling | undefined {
  const found = typeof word === "string" && /\p{L}/u.test(word) ? similar(word, names.filter(isName)) : [];
  return found.length > 0 ? { word: String(word), names: found } : undefined;
}

/** Returns ` Did you mean "vcpus"?`, or up to three names; an empty text if none is near. */
export const didYouMean = (meant: Misspelling | undefined, write = (name: string): string => `"${name}"`): string =>
  meant ? ` Did you mean ${list(meant.names.map(write), "or")}?` : "";

/** Returns ` Did you mean "vcpus"?`, or up to three names, if any is near. */
export const hint = (word: unknown, names: readonly string[], write?: (name: string) => string): string =>
  didYouMean(misspelling(word, names), write);
