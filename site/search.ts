import type { SearchOptions } from "minisearch";

/** Titles weigh more than texts, and exact words more than similar ones. */
export const searchOptions: SearchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, titles: 2, text: 1 },
  weights: { fuzzy: 0.2, prefix: 0.4 },
};

/** Returns the part of a page that the search finds. The examples of a rule repeat its words, and their titles would lead. */
export const searchable = (page: string): string => page.replace(/^## (?:Reported|Fine)\n[\s\S]*?(?=^## |(?![\s\S]))/gm, "");
