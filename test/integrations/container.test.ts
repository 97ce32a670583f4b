import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "@vmlint/core";
import { expect, onTestFinished, test } from "vitest";
import { checkout, ROOT } from "../support/checkout.ts";
import { folder } from "../support/folder.ts";

const TOOLS = join(ROOT, ".container-tools");
const isSetUp = existsSync(TOOLS) && readdirSync(TOOLS).some((name) => name.startsWith(".ok-"));

const STORAGE = ["--root", join(TOOLS, "storage"), "--runroot", join(TOOLS, "run"), "--storage-driver", "overlay"];

function buildah(args: readonly string[], cwd = ROOT) {
  const env = { ...process.env, BUILDAH_ISOLATION: "chroot" };
  const { status, stdout, stderr } = spawnSync("buildah", [...STORAGE, ...args], { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** As packages/cli/src/start.ts hands the compiled form to V8. */
const IS_REFUSED = `
  const { Script } = require("node:vm"), { readFileSync } = require("node:fs"), folder = "/opt/vmlint/";
  const cachedData = readFileSync(folder + "command.cache"), text = readFileSync(folder + "command.cjs", "utf8");
  const source = "(function (exports, require, module, __filename, __dirname) {" + text + "\\n})";
  console.log(new Script(source, { filename: folder + "command.cjs", cachedData }).cachedDataRejected);`;

// By buildah from the Dockerfile, on what scripts/setup-containers.sh calls node:22-slim.
test.skipIf(!isSetUp)(
  "the container image lints the folder that is put into it, is not root, and starts compiled",
  { timeout: 300_000 },
  () => {
    const file = "integrations/docker/Dockerfile";
    onTestFinished(() => {
      buildah(["rm", "--all"]);
      buildah(["rmi", "--force", "localhost/vmlint"]);
      buildah(["rmi", "--prune", "--force"]);
    });
    const made = buildah(
      ["bud", "--pull-never", "--tag", "vmlint", "--ignorefile", `${file}.dockerignore`, "--file", file, "."],
      checkout(),
    );
    expect(made).toMatchObject({ status: 0, stderr: expect.not.stringContaining("warning") });

    const container = buildah(["from", "--pull-never", "localhost/vmlint"]).stdout.trim();
    const { config } = JSON.parse(buildah(["inspect", container]).stdout).OCIv1;
    expect(config).toMatchObject({ Entrypoint: ["vmlint"], WorkingDir: "/vms", User: "1000" });
    const vms = folder({ "a.vmx": 'virtualHW.version = "20"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n' });
    chmodSync(vms, 0o755); // For another user than the one who made it.
    const run = (...command: readonly string[]) => buildah(["run", "--volume", `${vms}:/vms:ro`, container, "--", ...command]).stdout;
    expect(run("vmlint", "--version")).toBe(`${VERSION}\n`);
    expect(run("sh", "-c", "vmlint --format compact; id -u")).toMatch(/^a\.vmx:3:25: error cpu\/cps-divides: [^\n]*\n(?:[^\n]*\n)*1000\n$/);
    expect(run("node", "-e", IS_REFUSED)).toBe("false\n");
  },
);
