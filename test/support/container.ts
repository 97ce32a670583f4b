import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkout, ROOT } from "./checkout.ts";

const TOOLS = join(ROOT, ".container-tools");
const DOCKERFILE = "integrations/docker/Dockerfile";
const STORAGE = ["--root", join(TOOLS, "storage"), "--runroot", join(TOOLS, "run"), "--storage-driver", "overlay"];

/** Whether scripts/setup-containers.sh found what builds an image. */
export const hasContainerTools = existsSync(TOOLS) && readdirSync(TOOLS).some((name) => name.startsWith(".ok-"));

/** Runs buildah on the images of scripts/setup-containers.sh. */
export function buildah(args: readonly string[], cwd = ROOT) {
  const env = { ...process.env, BUILDAH_ISOLATION: "chroot" };
  const { status, stdout, stderr } = spawnSync("buildah", [...STORAGE, ...args], { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
  return { status, stdout, stderr };
}

/** Builds the image from the Dockerfile and returns the id of a container of it. Throws if a step warns or fails. */
export function startContainer(): string {
  const build = ["bud", "--pull-never", "--tag", "vmlint", "--ignorefile", `${DOCKERFILE}.dockerignore`, "--file", DOCKERFILE, "."];
  const { status, stderr } = buildah(build, checkout());
  if (status !== 0 || stderr.includes("warning")) throw new Error(stderr);
  return buildah(["from", "--pull-never", "localhost/vmlint"]).stdout.trim();
}

/** Removes the containers and images of startContainer. */
export function removeContainers(): void {
  buildah(["rm", "--all"]);
  buildah(["rmi", "--force", "localhost/vmlint"]);
  buildah(["rmi", "--prune", "--force"]);
}

/** Runs a command in a container with a folder at /vms, and returns what it prints. */
export const runIn = (container: string, vms: string, ...command: readonly string[]): string =>
  buildah(["run", "--volume", `${vms}:/vms:ro`, container, "--", ...command]).stdout;
