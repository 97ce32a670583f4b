import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { FileResult } from "@vmlint/core";
import { plural, type WithoutVm } from "@vmlint/core/program";
import { findFiles, STDIN, type UnlessLost } from "../files/find-files.ts";
import { fromSlashes, isWithin, shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { formatNamed, mayHoldVms } from "./choose.ts";
import { configFinder } from "./disk-workspace.ts";
import type { LintRequest } from "./lint-files.ts";

interface Checked {
  readonly results: readonly FileResult[];
  /** Absolute paths of files that are read together. */
  readonly projectFiles: readonly string[];
  readonly withoutVm: readonly WithoutVm[];
  /** Paths of files that the run read for other files, such as lists of hosts. */
  readonly context: ReadonlySet<string>;
  /** Why such files hold no VM. */
  readonly contextReasons: ReadonlyMap<string, string>;
  /** Whether findings make the run fail. A text without a VM may then be a broken VM. */
  readonly fails: boolean;
}

/** Returns the named paths without a VM, each with the reason; every named path if the run has 0 VMs. */
export function emptyPaths(
  patterns: readonly string[],
  { results, projectFiles, withoutVm, context, contextReasons, fails }: Checked,
  knownReasons: ReadonlyMap<string, string>,
  { cwd, stdinName = STDIN }: { readonly cwd: string; readonly stdinName?: string | undefined },
): ReadonlyMap<string, string> {
  const empty = new Map(knownReasons);
  const hasVms = results.some(({ vmCount }) => vmCount > 0);
  if (hasVms || fails) {
    const withVms = results
      .filter(({ vmCount, diagnostics, suppressed = [], isContext }) => !isContext && vmCount + diagnostics.length + suppressed.length > 0)
      .map(({ path }) => resolve(cwd, path));
    const folders = new Set(withVms.map(dirname));
    const creatingNone = new Set(withoutVm.map(({ path }) => fromSlashes(path)));
    const parts = projectFiles.filter((path) => !creatingNone.has(path) || folders.has(dirname(path)));
    const full = [...withVms, ...parts, ...(hasVms ? context : [])];
    const exact = new Set(full);
    const isFull = (path: string): boolean => exact.has(path) || full.some((file) => isWithin(file, path));
    for (const pattern of patterns) {
      const path = resolve(cwd, pattern);
      const isGlob = pattern !== STDIN && !existsSync(path);
      if (pattern === STDIN || empty.has(path) || isFull(path) || (isGlob && full.length > 0)) continue;
      empty.set(path, isGlob ? NO_MATCH : NO_VM);
    }
    return empty;
  }
  for (const pattern of patterns) {
    const path = resolve(cwd, pattern === STDIN ? stdinName : pattern);
    if (!empty.has(path)) empty.set(path, pattern === STDIN || existsSync(path) ? (contextReasons.get(path) ?? NO_VM) : NO_MATCH);
  }
  return empty;
}

const NO_VM = "there is no VM in it";
const NO_MATCH = "it matches no file with a VM";

/** Says how many files with VMs `.gitignore` and `ignore:` hide below a path; `undefined` if they hide none. */
export async function hiddenFiles(path: string, request: LintRequest, io: Io): Promise<string | undefined> {
  const { config, plugins, noGitignore, format } = request;
  const findConfig = configFinder(io.cwd, { ...io, config, plugins: plugins?.rules });
  const unlessLost: UnlessLost = (_, use) => {
    try {
      return use();
    } catch {
      return undefined;
    }
  };
  const search = async (ignores: { readonly byGit: boolean; readonly byConfig: boolean }): Promise<ReadonlySet<string>> => {
    const found = await findFiles(
      {
        patterns: [path],
        format: formatNamed(format),
        noGitignore: !ignores.byGit,
        forceExclude: request.forceExclude && ignores.byConfig,
        findConfig: ignores.byConfig
          ? findConfig
          : async (folder) => {
              const found = await findConfig(folder);
              const { ignores: _, ...config } = found.config;
              return { ...found, config };
            },
        unlessLost,
      },
      io.cwd,
      () => {},
    );
    return new Set(found.filter((input) => unlessLost(input, () => mayHoldVms(input))).map(({ path }) => path));
  };
  const checked = await search({ byGit: !noGitignore, byConfig: true });
  const hidden = [...(await search({ byGit: false, byConfig: false }))].filter((path) => !checked.has(path));
  if (hidden.length === 0) return undefined;
  const withoutGit = noGitignore ? checked : await search({ byGit: false, byConfig: true });
  const byGit = hidden.filter((path) => withoutGit.has(path)).length;
  const by = [
    ...(byGit > 0 ? [`.gitignore hides ${plural(byGit, "file")} with VMs (--no-gitignore checks them)`] : []),
    ...(byGit < hidden.length ? [`ignore: of the configuration hides ${plural(hidden.length - byGit, "file")} with VMs`] : []),
  ];
  return by.join(", and ");
}

/** Resources and module calls that create no VM, as reports name them. */
export const noVmIn = (resources: readonly WithoutVm[], cwd: string) =>
  resources.map(({ path, name, reason }) => ({
    path: shownPath(fromSlashes(path), cwd),
    reason: `${name} ${reason}`,
    makesNoVm: true as const,
  }));
