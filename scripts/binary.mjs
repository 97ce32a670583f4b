// node scripts/binary.mjs FILE [POSTJECT]: writes the command as one executable file for the system it runs on, with the Node it runs in.
// POSTJECT is the folder of the npm package of that name.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [out = "vmlint", postject = "node_modules/postject"] = process.argv.slice(2);
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const run = (program, ...args) => execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });

const folder = mkdtempSync(join(tmpdir(), "vmlint-binary-"));
try {
  const dist = join(folder, "dist");
  // Built by this Node, because V8's compiled code of the command works only with the same Node.
  run(process.execPath, path("build.mjs"), dist);
  const parts = readdirSync(dist).filter((name) => /\.(cjs|cache)$/.test(name) && name !== "vmlint.cjs");
  const config = join(folder, "sea.json");
  const blob = join(folder, "sea.blob");
  writeFileSync(
    config,
    JSON.stringify({
      main: path("binary/start.cjs"),
      output: blob,
      disableExperimentalSEAWarning: true,
      // Of Node's own, about the loading of plugins.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      assets: Object.fromEntries(parts.map((name) => [name, join(dist, name)])),
    }),
  );
  run(process.execPath, "--experimental-sea-config", config);
  rmSync(out, { force: true });
  copyFileSync(process.execPath, out);
  chmodSync(out, 0o755);
  const isMac = process.platform === "darwin";
  // Injecting the parts makes the signature of Node invalid.
  if (isMac) run("codesign", "--remove-signature", out);
  const { inject } = await import(new URL(`file://${resolve(postject)}/dist/api.js`));
  await inject(out, "NODE_SEA_BLOB", readFileSync(blob), {
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    ...(isMac && { machoSegmentName: "NODE_SEA" }),
  });
  if (isMac) run("codesign", "--sign", "-", out);
} finally {
  rmSync(folder, { recursive: true });
}
