import type { WorkloadKind } from "../model/workload.ts";
import { NEUTRAL_WORDS, REFUSING_WORDS, WORKLOAD_NAMES } from "./workload-names.ts";

/** Other products of Oracle; any workload can run on its Linux. */
const NOT_THE_DATABASE: ReadonlySet<string> = new Set(["linux", "ol", "java", "cloud"]);

/** Longer texts are not names that people choose. */
const LONGEST_NAME = 256;

const ANY_NAME = new RegExp([...WORKLOAD_NAMES.keys()].join("|"), "i");

/** Whether a text may name a workload. One cheap search rules out most texts. */
export const mayNameWorkload = (text: string): boolean => ANY_NAME.test(text);

/** Returns the workload in the words of a name; `undefined` for none, for several, or for a refusing word ("mysqlbackup"). */
export function kindInName(name: string): WorkloadKind | undefined {
  const words = name.slice(0, LONGEST_NAME).match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  // "MySQL" and "PostgreSQL" are single words in any capitalisation; "SqlProd" is two.
  const joined =
    name
      .slice(0, LONGEST_NAME)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return kindOfWords(joined) ?? kindOfWords(words.map((word) => word.toLowerCase()).filter((word) => /[a-z]/.test(word)));
}

/** Whether a name describes a machine that only serves, monitors or uses a workload: "web01", "sql-backup". */
export const refusesWorkload = (name: string): boolean =>
  (
    name
      .slice(0, LONGEST_NAME)
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  ).some((word) => (partsOf(word) ?? [word]).some((part) => REFUSING_WORDS.has(part)));

function kindOfWords(words: readonly string[]): WorkloadKind | undefined {
  const parts = words.map(partsOf);
  const all = parts.flatMap((found, i) => found ?? words[i] ?? []);
  if (all.some((part) => REFUSING_WORDS.has(part))) return undefined;
  const kinds = new Set(all.flatMap((part) => WORKLOAD_NAMES.get(part) ?? []));
  if (kinds.size !== 1) return undefined;
  if (kinds.has("oracle") && all.some((part) => NOT_THE_DATABASE.has(part))) return undefined;
  const [kind] = kinds;
  return kind;
}

/** Splits a word into known words, in order; `undefined` if any part is unknown. */
function partsOf(word: string): readonly string[] | undefined {
  if (isKnown(word)) return [word];
  // Backwards finds the longest first part that leaves known words.
  for (let end = word.length - 1; end > 1; end--) {
    const first = word.slice(0, end);
    if (!isKnown(first)) continue;
    const rest = partsOf(word.slice(end));
    if (rest) return [first, ...rest];
  }
  return undefined;
}

const isKnown = (word: string): boolean => WORKLOAD_NAMES.has(word) || NEUTRAL_WORDS.has(word) || REFUSING_WORDS.has(word);
