import { spawnSync } from "node:child_process";
import { basename, dirname, join, resolve } from "node:path";
import { usage } from "./answer.ts";
import { realOf } from "./disk.ts";
import type { Staged } from "./files.ts";
import type { Io } from "./io.ts";

export interface ChangeRequest {
  /** What the files are compared with: a commit, or what is to be committed. */
  readonly since: string | undefined;
  readonly staged: boolean;
}

/** What has changed. */
export interface Changed {
  /** Absolute, where links lead; what was deleted, too. */
  readonly paths: readonly string[];
  /** Whether a file is one of them, whichever way leads to its folder. */
  readonly has: (path: string) => boolean;
  /** What counts in place of the files in the folder. */
  readonly staged?: Staged;
}

/** What git says has changed: since a commit or the branch point from it, new files included; or in what is staged, as it is staged. */
export function changedFiles({ since, staged }: ChangeRequest, { cwd, env }: Pick<Io, "cwd" | "env">): Changed {
  const repository = { option: staged ? "--staged" : "--changed", cwd, env: environment(cwd, env) };
  const above = git(repository, ["rev-parse", "--show-cdup"]).toString().replace(/\n$/, "");
  const top = { ...repository, cwd: realOf(resolve(cwd, above)) };
  const placeOf = places();
  if (staged) return stagedIn(top, placeOf);
  const names = (args: readonly string[]) => git(top, args).toString().split("\0").filter(Boolean);
  const listed = names(["ls-files", "-z", "--others", "--exclude-standard"]);
  const base = baseOf(since ?? "HEAD", top);
  const changed = base === undefined ? names(["ls-files", "-z", "--cached"]) : entriesOf(top, [base, "--"]).map(({ name }) => name);
  const paths = new Set([...changed, ...listed].map((name) => resolve(top.cwd, name)));
  // Of a repository in this one, git names the folder alone.
  const isIn = (path: string): boolean => paths.has(path) || (path.length > top.cwd.length && isIn(dirname(path)));
  return { paths: [...paths], has: (path) => isIn(placeOf(path)) };
}

function stagedIn(top: Repository, placeOf: (path: string) => string): Changed {
  // Before the first commit everything that is staged is new, which git says by itself.
  const entries = entriesOf(top, ["--cached"]);
  const changed = new Set(entries.flatMap(({ name, status }) => (status === "D" ? [] : resolve(top.cwd, name))));
  const texts = new Map<string, () => Uint8Array>();
  for (const { name, mode, id, status } of entriesOf(top, [])) {
    const path = resolve(top.cwd, name);
    const conflict = () => {
      throw usage(`${top.option}: ${name} is not merged yet: resolve the conflict first.`);
    };
    if (status === "U") texts.set(path, conflict);
    // A submodule has no content, and that of a link is a name.
    else if (mode.startsWith("100") && !texts.has(path)) texts.set(path, () => git(top, ["cat-file", "blob", id]));
  }
  return {
    paths: entries.map(({ name }) => resolve(top.cwd, name)),
    has: (path) => changed.has(placeOf(path)),
    staged: {
      paths: [...texts.keys()],
      has: (path) => texts.has(placeOf(path)),
      read: (path) => texts.get(placeOf(path))?.(),
      list: (folder) => {
        const place = dirname(placeOf(join(folder, "any")));
        return [...texts.keys()].flatMap((path) => (dirname(path) === place ? basename(path) : []));
      },
    },
  };
}

/** Finds a path's place by that of its folder: git names links themselves. */
function places(): (path: string) => string {
  const folders = new Map<string, string>();
  return (path) => {
    const folder = dirname(path);
    const place = folders.get(folder) ?? realOf(folder);
    folders.set(folder, place);
    return join(place, basename(path));
  };
}

interface Repository {
  /** What it is asked for. */
  readonly option: string;
  readonly cwd: string;
  readonly env: Io["env"];
}

/** A file that differs. */
interface Entry {
  readonly name: string;
  /** Of what it is compared with. */
  readonly mode: string;
  readonly id: string;
  readonly status: string;
}

/** As `git diff --raw` prints them: https://git-scm.com/docs/git-diff#_raw_output_format */
function entriesOf(repository: Repository, args: readonly string[]): readonly Entry[] {
  const printed = git(repository, [
    "diff",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "--ignore-submodules=none",
    ...args,
  ]).toString();
  return [...printed.matchAll(/:(\d+) \d+ (\w+) \w+ (\w)\w*\0([^\0]+)\0/g)].map(([, mode = "", id = "", status = "", name = ""]) => ({
    name,
    mode,
    id,
    status,
  }));
}

/** The commit to compare with: where the branch left the one that is named. `undefined` before the first commit. */
function baseOf(since: string, repository: Repository): string | undefined {
  const commit = run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${since}^{commit}`], repository);
  if (commit.status !== 0) {
    if (since === "HEAD") return undefined;
    const isShallow = run(["rev-parse", "--is-shallow-repository"], repository).stdout.toString().trim() === "true";
    const hint = isShallow ? " The clone is shallow: fetch all of its history first (fetch-depth: 0, git fetch --unshallow)." : "";
    throw usage(`${repository.option}: git knows no commit "${since}".${hint}`);
  }
  const id = commit.stdout.toString().trim();
  // A shallow clone may not hold where the two parted.
  const base = run(["merge-base", id, "HEAD"], repository);
  return base.status === 0 ? base.stdout.toString().trim() : id;
}

/**
 * What git is to see of the environment. In a hook of a linked worktree it sets GIT_DIR, which makes it take the current folder for the top
 * of the worktree, unless GIT_WORK_TREE says another (https://git-scm.com/docs/git#Documentation/git.txt-codeGITDIRcode).
 */
function environment(cwd: string, env: Io["env"]): Io["env"] {
  const { GIT_DIR, ...others } = env;
  if (GIT_DIR === undefined || env.GIT_WORK_TREE !== undefined) return env;
  const [found, meant] = [others, env].map((one) => run(["rev-parse", "--absolute-git-dir"], { cwd, env: one }));
  return found?.status === 0 && meant && found.stdout?.equals(meant.stdout) ? others : env;
}

/** No program that the configuration of a repository names is run: of those that watch its files git would ask one. */
const run = (args: readonly string[], { cwd, env }: Pick<Repository, "cwd" | "env">) =>
  spawnSync("git", ["-c", "core.fsmonitor=false", ...args], { cwd, env, maxBuffer: 1 << 30, windowsHide: true });

function git(repository: Repository, args: readonly string[]): Buffer {
  const { status, error, stdout, stderr } = run(args, repository);
  if (error) throw usage(`${repository.option} asks git, which cannot be run: ${error.message}.`);
  if (status === 0) return stdout;
  // What to do about it may stand below what is wrong.
  const lines = stderr
    .toString()
    .split("\n")
    .flatMap((line) => line.trim() || []);
  throw usage(`${repository.option}: git says: ${lines.join("\n").replace(/\.?$/, lines.length > 1 ? "$&" : ".")}`);
}
