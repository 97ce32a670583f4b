import type { Files } from "@vmlint/core";

/** Files that lie nowhere, by their path. */
export type Texts = Readonly<Record<string, string>>;

/** Returns a reader over texts in memory. Its folders come from the paths; a name without a folder is in ".". */
export function filesOf(texts: Texts): Files {
  const namesIn = (folder: string) => {
    const inside = folder === "." ? Object.keys(texts) : Object.keys(texts).filter((path) => path.startsWith(`${folder}/`));
    const from = folder === "." ? 0 : folder.length + 1;
    return inside.map((path) => path.slice(from).split("/")[0] ?? "");
  };
  return {
    read: (path) => (Object.hasOwn(texts, path) ? texts[path] : undefined),
    list: (folder) => [...new Set(namesIn(folder))],
  };
}
