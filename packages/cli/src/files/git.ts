import { spawnSync } from "node:child_process";
import { basename, dirname, join, resolve } from "node:path";
import { usage } from "../args/command-output.ts";
import type { Io } from "../io.ts";
import { realOf } from "./disk.ts";
import type { Staged } from "./read-files.ts";

interface ChangeRequest {
  /** The commit to compare with. `undefined` compares with the index. */
  readonly since: string | undefined;
  readonly staged: boolean;
}

/** The files that differ. */
export interface Changed {
  /** Absolute, after following links. Deleted files are included. */
  readonly paths: readonly string[];
  /** Whether a file differs, also through a link to its folder. */
  readonly has: (path: string) => boolean;
  /** The staged content. It replaces the files on disk. */
  readonly staged?: Staged;
}

/**
 * Returns the files that differ from the branch point of a commit, with new files, or the staged files with their staged content.
 */
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
  // For a nested repository git lists only the folder.
  const isIn = (path: string): boolean => paths.has(path) || (path.length > top.cwd.length && isIn(dirname(path)));
  return { paths: [...paths], has: (path) => isIn(placeOf(path)) };
}

function stagedIn(top: Repository, placeOf: (path: string) => string): Changed {
  // Before the first commit, git lists every staged file as new.
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
  /** The option that needs git, for error messages. */
  readonly option: string;
  readonly cwd: string;
  readonly env: Io["env"];
}

/** A file that differs. */
interface Entry {
  readonly name: string;
  /** In the commit or the index that files are compared with. */
  readonly mode: string;
  readonly id: string;
  readonly status: string;
}

/** Returns the entries of `git diff --raw`: https://git-scm.com/docs/git-diff#_raw_output_format */
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

/** Returns the commit to compare with: the point where the branch left the given commit. `undefined` before the first commit. */
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
 * Returns the environment for git. A hook in a linked worktree sets GIT_DIR. Git then treats the current folder as the top of the
 * worktree, unless GIT_WORK_TREE is set (https://git-scm.com/docs/git#Documentation/git.txt-codeGITDIRcode).
 */
function environment(cwd: string, env: Io["env"]): Io["env"] {
  const { GIT_DIR, ...others } = env;
  if (GIT_DIR === undefined || env.GIT_WORK_TREE !== undefined) return env;
  const [withoutDir, withDir] = [others, env].map((one) => run(["rev-parse", "--absolute-git-dir"], { cwd, env: one }));
  return withoutDir?.status === 0 && withDir && withoutDir.stdout?.equals(withDir.stdout) ? others : env;
}

/** Runs git without the file watcher, because the configuration of a repository could name any program as its watcher. */
const run = (args: readonly string[], { cwd, env }: Pick<Repository, "cwd" | "env">) =>
  spawnSync("git", ["-c", "core.fsmonitor=false", ...args], { cwd, env, maxBuffer: 1 << 30, windowsHide: true });

function git(repository: Repository, args: readonly string[]): Buffer {
  const { status, error, stdout, stderr } = run(args, repository);
  if (error) throw usage(`${repository.option} needs git, and git cannot be run: ${error.message}.`);
  if (status === 0) return stdout;
  // git may print advice after the error.
  const lines = stderr
    .toString()
    .split("\n")
    .flatMap((line) => line.trim() || []);
  throw usage(`${repository.option}: git says: ${lines.join("\n").replace(/\.?$/, lines.length > 1 ? "$&" : ".")}`);
}
