// The site: `npm run docs` builds it into site/.vitepress/dist, `npm run docs:dev` serves it while it is written.
// VitePress and what it takes are installed below site/, with a lockfile of their own: nobody who works on the command needs those 100 MB.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const site = fileURLToPath(new URL("../site", import.meta.url));
const [command = "build", ...options] = process.argv.slice(2);

if (!existsSync(join(site, "node_modules", "vitepress"))) {
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
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  logLevel: "warning",
});
const { generate } = await import(pathToFileURL(bundle).href);
generate(fileURLToPath(new URL("..", import.meta.url)), generated);

execFileSync(process.execPath, [join(site, "node_modules/vitepress/bin/vitepress.js"), command, site, ...options], { stdio: "inherit" });

// The reference of the library, where `npm run docs:api` has written it.
const api = fileURLToPath(new URL("../api-docs", import.meta.url));
if (command === "build" && existsSync(api)) cpSync(api, join(site, ".vitepress", "dist", "api"), { recursive: true });
