import type { Config } from "./config.ts";

/** A file for the configuration alone, in the order of preference, and one that may hold it as one of its keys. */
export const CONFIG_NAMES = ["vmlint.yaml", "vmlint.yml", "vmlint.json", "package.json"];

/** Where the known findings of a configuration's files are kept when nothing else is said. */
export const BASELINE = "vmlint-baseline.json";

/** Folders that hold other people's files. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", ".terraform", "node_modules"]);

/** Whether a path or an address leads into one of them. */
export const isNeverEntered = (path: string): boolean => path.split(/[\\/]/).some((name) => NEVER_ENTERED.has(name));

/** Whether a file of one of those names is a configuration: a package.json mostly is none. */
export function holdsConfig(name: string, text: string): boolean {
  if (name !== "package.json") return true;
  if (!text.includes('"vmlint"')) return false;
  try {
    // Whoever writes the key means a configuration, and hears of it where its value is none.
    return JSON.parse(text)?.vmlint !== undefined;
  } catch {
    // Whoever owns the file will hear of it from its own readers.
    return false;
  }
}

/** Whether `ignore:` leaves a file or folder out, by its path relative to the configuration. With a folder goes what is in it. */
export function isIgnoredBy({ ignores }: Config, path: string): boolean {
  if (!ignores) return false;
  const parts = path.split("/");
  return parts.some((_, i) => ignores(parts.slice(0, i + 1).join("/")));
}
