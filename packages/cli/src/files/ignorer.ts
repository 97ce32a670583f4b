import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CONFIG_NAMES, type FoundConfig, isIgnoredBy, NEVER_ENTERED } from "@vmlint/core/program";
import type { ConfigFinder } from "../run/disk-workspace.ts";
import type { GitRules } from "./gitignore.ts";
import { isFile, isWithin, readText, type Staged, toSlashes } from "./read-files.ts";

export const GITIGNORE = ".gitignore";

/** Files that affect which paths are ignored. */
export const SPEAKING = new Set([...CONFIG_NAMES, GITIGNORE, ".git"]);

/** The rules that decide whether the entries of a folder are ignored. */
export interface Rules {
  readonly config?: FoundConfig;
  readonly git?: GitRules;
}

interface IgnoreRequest {
  readonly findConfig: ConfigFinder;
  readonly noGitignore?: boolean | undefined;
  readonly staged?: Staged | undefined;
}

/** Whether an entry of the folder that the rules are of is ignored. */
export const isIgnored = ({ config, git }: Rules, path: string, isFolder: boolean): boolean =>
  (config !== undefined && isLeftOut(config, path)) || (git?.ignores(path, isFolder) ?? false);

/** Most configurations ignore nothing: no path is made for them. */
const isLeftOut = (found: FoundConfig, path: string): boolean =>
  found.config.ignores !== undefined && isIgnoredBy(found.config, found.relative(toSlashes(path)));

/** Knows what is ignored by `ignore:` of configurations and by `.gitignore`, as git does: up to the folder of the repository. */
export function ignorer({ findConfig, noGitignore = false, staged }: IgnoreRequest, cwd: string) {
  // Errors in a configuration are reported with the files that use it.
  const configOf = (folder: string) => findConfig(folder).catch(() => undefined);
  /** Returns the rules in a folder, from the rules of the folder above and the rule files in it. */
  const enter = async (above: Rules, folder: string, speaking: readonly string[]): Promise<Rules> => {
    const config = speaking.some((name) => CONFIG_NAMES.includes(name)) ? await configOf(folder) : above.config;
    if (noGitignore) return { ...(config && { config }) };
    const outer = speaking.includes(".git") ? undefined : above.git;
    const file = join(folder, GITIGNORE);
    const git =
      speaking.includes(GITIGNORE) && isFile(file, staged)
        ? (await import("./gitignore.ts")).gitRules(folder, readText(file, staged), outer)
        : outer;
    return { ...(config && { config }), ...(git && { git }) };
  };

  const known = new Map<string, Promise<Rules | undefined>>();
  const rulesBelow = (folder: string, top: string): Promise<Rules | undefined> => {
    const seen = known.get(folder) ?? find(folder, top);
    known.set(folder, seen);
    return seen;
  };
  const find = async (folder: string, top: string): Promise<Rules | undefined> => {
    const speaking = speakingIn(folder, staged);
    if (folder === top) {
      const config = await configOf(folder);
      return enter(config ? { config } : {}, folder, speaking);
    }
    const above = await rulesBelow(dirname(folder), top);
    if (!above || NEVER_ENTERED.has(basename(folder)) || isIgnored(above, folder, true)) return undefined;
    return enter(above, folder, speaking);
  };

  /** Returns the rules in any folder, or `undefined` if the folder itself is ignored. */
  const rulesOf = async (folder: string): Promise<Rules | undefined> => {
    const rules = await rulesBelow(folder, topOf(folder, cwd));
    return rules?.config && isLeftOut(rules.config, folder) ? undefined : rules;
  };
  const ignores = async (path: string, isFolder: boolean): Promise<boolean> => {
    if (isFolder) return (await rulesOf(path)) === undefined;
    const rules = await rulesOf(dirname(path));
    return !rules || isIgnored(rules, path, false);
  };
  /** Returns the rules in a named folder. If the folder is ignored, only the rules inside of it apply. */
  const rulesOfNamed = async (folder: string): Promise<Rules> => (await rulesOf(folder)) ?? enter({}, folder, speakingIn(folder, staged));
  return { enter, rulesOfNamed, ignores };
}

const speakingIn = (folder: string, staged?: Staged): readonly string[] =>
  [...SPEAKING].filter((name) => existsSync(join(folder, name)) || staged?.has(join(folder, name)));

/** The repository that a folder is in, or else the working directory, or else the folder itself. */
function topOf(folder: string, cwd: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return isWithin(folder, cwd) ? cwd : folder;
  }
}
