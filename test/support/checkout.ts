import { execFileSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folder } from "./folder.ts";

/** The repository's own folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs git in a folder, as somebody. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=vmlint", "-c", "user.email=vmlint@localhost", ...args], { cwd, encoding: "utf8", stdio: "pipe" });

/** Returns a temporary folder with every file of the repository, committed or not, but without built or installed files. */
export function checkout(): string {
  const copy = folder({});
  for (const path of git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")) {
    if (path !== "" && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path));
  }
  return copy;
}
