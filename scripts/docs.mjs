// The site: `npm run docs` builds it into site/.vitepress/dist, `npm run docs:dev` serves it during editing.
// Its 150 MB of dependencies have their own lockfile in site/, because the command does not need them.
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
  // Core's CommonJS dependencies call `require`, also when they are bundled as a module.
  banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  logLevel: "warning",
});
const { generate } = await import(pathToFileURL(bundle).href);
await generate(root, generated);

// Runs in the root folder, because VitePress places a link to Vue next to pages outside of site/.
const run = (program, ...args) =>
  execFileSync(process.execPath, [join(site, "node_modules", program), ...args], { cwd: root, stdio: "inherit" });
// The library reference is the slowest part, so the development server skips it.
if (command === "build") run("typedoc/bin/typedoc", "--options", join(site, "typedoc.config.mjs"));
run("vitepress/bin/vitepress.js", command, site, ...options);
