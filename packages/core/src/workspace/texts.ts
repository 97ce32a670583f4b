import type { Files } from "../model/files.ts";

/** Texts by path, as a map or a plain object. */
export type Texts = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

/** Texts in memory as files. */
export function filesOf(texts: Texts): Files {
  const byPath = isMap(texts) ? texts : new Map(Object.entries(texts));
  const names = new Map<string, Set<string>>();
  for (const path of byPath.keys()) {
    const parts = path.split("/");
    parts.forEach((name, i) => {
      const folder = i === 0 ? (path.startsWith("/") ? "/" : ".") : parts.slice(0, i).join("/") || "/";
      if (name === "") return;
      const known = names.get(folder) ?? new Set();
      names.set(folder, known.add(name));
    });
  }
  return { read: (path) => byPath.get(path), list: (folder) => [...(names.get(folder) ?? [])] };
}

const isMap = (texts: Texts): texts is ReadonlyMap<string, string> => texts instanceof Map;
