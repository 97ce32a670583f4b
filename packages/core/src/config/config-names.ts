import type { Config } from "./config.ts";

/** Names of configuration files, in order of preference. A package.json can hold the configuration under a key. */
export const CONFIG_NAMES = ["vmlint.yaml", "vmlint.yml", "vmlint.json", "package.json"];

/** The default baseline file. */
export const BASELINE = "vmlint-baseline.json";

/** Folders with third-party files. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", ".terraform", "node_modules"]);

/** Whether a path or an address goes through such a folder. */
export const isNeverEntered = (path: string): boolean => path.split(/[\\/]/).some((name) => NEVER_ENTERED.has(name));

/** Whether a file with one of these names is a configuration. Most package.json files are not. */
export function holdsConfig(name: string, text: string): boolean {
  if (name !== "package.json") return true;
  if (!text.includes('"vmlint"')) return false;
  try {
    // A present key is a configuration, and a wrong value gets an error.
    return JSON.parse(text)?.vmlint !== undefined;
  } catch {
    // Other tools report a broken package.json.
    return false;
  }
}

/** Whether `ignore:` skips a file or folder, by its path relative to the configuration. A skipped folder skips its files. */
export function isIgnoredBy({ ignores }: Config, path: string): boolean {
  if (!ignores) return false;
  const parts = path.split("/");
  return parts.some((_, i) => ignores(parts.slice(0, i + 1).join("/")));
}
