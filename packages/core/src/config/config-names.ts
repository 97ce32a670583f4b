import { closestMatch } from "leven";
import { nameOf } from "../model/files.ts";
import type { Config } from "./config.ts";

/** Names of configuration files, in order of preference. A package.json can hold the configuration under a key. */
export const CONFIG_NAMES = ["vmlint.yaml", "vmlint.yml", "vmlint.json", "package.json"];

/** The default baseline file. */
export const BASELINE = "vmlint-baseline.json";

/** Folders with third-party files. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", ".terraform", "node_modules"]);

/** Whether a path or an address goes through such a folder. */
export const isNeverEntered = (path: string): boolean => path.split(/[\\/]/).some((name) => NEVER_ENTERED.has(name));

/** The keys of a configuration. */
export const CONFIG_KEYS: readonly string[] = [
  "root",
  "extends",
  "plugins",
  "ignore",
  "host",
  "workload",
  "hosts",
  "clusters",
  "templates",
  "assume",
  "varFiles",
  "columns",
  "size",
  "migrate",
  "rules",
  "suppress",
  "baseline",
  "overrides",
];

/**
 * Whether a file with one of these names is a configuration: it has a key of one, maybe misspelt, or no key. Other programs keep files of
 * these names in folders that begin with a dot. The path is relative to the workspace.
 */
export function holdsConfig(path: string, text: string): boolean {
  const folders = path.startsWith("/") ? [] : path.split("/").slice(0, -1);
  if (folders.some((name) => /^\.[^.]/.test(name))) return false;
  if (nameOf(path) === "package.json") return valueIn(text)?.vmlint !== undefined;
  const value = text.trimStart().startsWith("{") ? valueIn(text) : undefined;
  const keys = value ? Object.keys(value) : keysIn(text);
  if (keys.length === 0) return value !== undefined || text.replace(/#.*|^(?:---|%).*|[{}\s\ufeff]/gm, "") === "";
  return keys.some(resembles);
}

/** Whether a key is one of a configuration, or one letter away. Other programs have keys such as `workflow`. */
const resembles = (key: string): boolean =>
  closestMatch(key, [...CONFIG_KEYS], { maxDistance: 1 }) !== undefined ||
  [...key].some((letter, i) => CONFIG_KEYS.includes(key.slice(0, i) + key.slice(i + 1, i + 2) + letter + key.slice(i + 2)));

/** Returns the object of a JSON text; `undefined` if it is none. A present key is a configuration, and a wrong value gets an error. */
function valueIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the outermost keys of a YAML text without parsing it, or all keys if it begins with a brace. */
function keysIn(text: string): readonly string[] {
  const flow = /^[\s\ufeff]*\{/.test(text);
  const [, indent = ""] = /^([ \t]*)[^\s#%\ufeff-]/m.exec(text) ?? [];
  const pattern = flow
    ? /["']?([\w$.-]+)["']?\s*:/g
    : new RegExp(`^\\ufeff?${indent}["']?([^\\s#"'{}[\\],:-][^\\n"':]*)["']?[ \\t]*:(?=\\s|$)`, "gm");
  return [...text.matchAll(pattern)].map(([, key = ""]) => key.trim());
}

/** Whether `ignore:` skips a file or folder, by its path relative to the configuration. A skipped folder skips its files. */
export function isIgnoredBy({ ignores }: Config, path: string): boolean {
  if (!ignores) return false;
  const parts = path.split("/");
  return parts.some((_, i) => ignores(parts.slice(0, i + 1).join("/")));
}
