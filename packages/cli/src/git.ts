import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { usage } from "./answer.ts";

export interface ChangeRequest {
  /** What the files are compared with: a commit, or what is to be committed. */
  readonly since: string | undefined;
  readonly staged: boolean;
}

/** Changed files by their absolute path, with a reader of their content where it is not that of the file in the folder. */
export type Changed = ReadonlyMap<string, (() => Uint8Array) | undefined>;

/** What git says has changed: since a commit or the branch point from it, new files included; or in what is staged, as it is staged. */
export function changedFiles({ since, staged }: ChangeRequest, cwd: string): Changed {
  const option = staged ? "--staged" : "--changed";
  const top = resolve(cwd, git(option, ["rev-parse", "--show-cdup"], cwd).toString().replace(/\n$/, ""));
  const names = (args: readonly string[]) => git(option, args, top).toString().split("\0").filter(Boolean);
  const diff = ["diff", "--name-only", "-z", "--diff-filter=d", "--no-renames", "--no-ext-diff"];
  if (!staged) {
    const listed = names(["ls-files", "-z", "--others", "--exclude-standard"]);
    const base = baseOf(since ?? "HEAD", option, top);
    const changed = base === undefined ? names(["ls-files", "-z", "--cached"]) : names([...diff, base, "--"]);
    return new Map([...changed, ...listed].map((name) => [resolve(top, name), undefined]));
  }
  const unstaged = new Set(names(diff));
  // Only of what is checked: a submodule has no content, and a name that is no UTF-8 cannot be asked for.
  const reader = (name: string) => () => git(option, ["cat-file", "blob", `:${name}`], top);
  // Before the first commit everything that is staged is new, which git says by itself.
  const staging = names([...diff, "--cached"]);
  return new Map(staging.map((name) => [resolve(top, name), unstaged.has(name) ? reader(name) : undefined]));
}

/** The commit to compare with: where the branch left the one that is named. `undefined` before the first commit. */
function baseOf(since: string, option: string, cwd: string): string | undefined {
  const commit = run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${since}^{commit}`], cwd);
  if (commit.status !== 0) {
    if (since === "HEAD") return undefined;
    throw usage(`${option}: git knows no commit "${since}".`);
  }
  const id = commit.stdout.toString().trim();
  // A shallow clone may not hold where the two parted.
  const base = run(["merge-base", id, "HEAD"], cwd);
  return base.status === 0 ? base.stdout.toString().trim() : id;
}

const run = (args: readonly string[], cwd: string) => spawnSync("git", [...args], { cwd, maxBuffer: 1 << 30, windowsHide: true });

function git(option: string, args: readonly string[], cwd: string): Buffer {
  const { status, error, stdout, stderr } = run(args, cwd);
  if (error) throw usage(`${option} asks git, which cannot be run: ${error.message}.`);
  if (status === 0) return stdout;
  const [reason = ""] = stderr.toString().split("\n");
  throw usage(`${option}: git says: ${reason.replace(/\.$/, "")}.`);
}
