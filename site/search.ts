import type { SearchOptions } from "minisearch";

/** Splits a text into words. */
export type Terms = (text: string) => string[];

/** Returns the words of a text. A word with a hyphen is also one word: readers search "hyperthreads" and "hyper-threads". */
export const tokenize: Terms = (text) => {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}-]+/u);
  return words
    .flatMap((word) => [...(/\w-\w/.test(word) ? word.split("-") : []), word.replaceAll("-", ""), ...(word === "vnuma" ? ["numa"] : [])])
    .filter(Boolean);
};

/**
 * Returns the stem of an English word; `null` for common words. VitePress sends these functions to browsers as text, so they use only their
 * argument.
 */
export const processTerm = (word: string): string | null => {
  if (/^(?:an?|and|are|can|do|does|for|how|i|in|is|it|my|not|of|on|or|the|to|what|when|why|with)$/.test(word)) return null;
  return word.length < 5 ? word : word.replace(/(?:ings?|ed|es|e|s)$/, "");
};

/** Titles weigh more than texts, and exact words more than similar ones. */
export const searchOptions: SearchOptions = {
  fuzzy: 0.15,
  prefix: true,
  boost: { title: 4, titles: 2, text: 1 },
  weights: { fuzzy: 0.2, prefix: 0.4 },
};

/** Returns the part of a page that the search finds. The examples of a rule repeat its words, and their titles would lead. */
export const searchable = (page: string): string => page.replace(/^## (?:Reported|Fine)\n[\s\S]*?(?=^## |(?![\s\S]))/gm, "");
