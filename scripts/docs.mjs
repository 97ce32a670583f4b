// The site: `npm run docs` builds it into site/.vitepress/dist, `npm run docs:dev` serves it while it is written.
// What builds it is installed below site/, with a lockfile of its own: nobody who works on the command needs those 150 MB.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const site = join(root, "site");
const [command = "build", ...options] = process.argv.slice(2);

const { devDependencies } = JSON.parse(readFileSync(join(site, "package.json"), "utf8"));
if (!Object.keys(devDependencies).every((name) => existsSync(join(site, "node_modules", name)))) {
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: site, stdio: "inherit", shell: process.platform === "win32" });
}

const generated = join(site, ".generated");
const bundle = join(generated, "generate.mjs");
rmSync(generated, { recursive: true, force: true });
await build({
  entryPoints: [join(site, "generate.ts")],
  outfile: bundle,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  conditions: ["@vmlint/source"],
  // What core loads by CommonJS' require, where it is bundled as a module.
  banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  logLevel: "warning",
});
const { generate } = await import(pathToFileURL(bundle).href);
generate(root, generated);

// From the root: VitePress puts a link to Vue beside the pages that lie outside of site/.
const run = (program, ...args) =>
  execFileSync(process.execPath, [join(site, "node_modules", program), ...args], { cwd: root, stdio: "inherit" });
// It takes longer than all else: while pages are written they do without the reference of the library.
if (command === "build") run("typedoc/bin/typedoc", "--options", join(site, "typedoc.config.mjs"));
run("vitepress/bin/vitepress.js", command, site, ...options);
