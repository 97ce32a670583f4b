import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const common = {
  entryPoints: [here("src/extension.ts")],
  bundle: true,
  format: "cjs",
  external: ["vscode"],
  conditions: ["@vmlint/source"],
  target: "es2023",
  minify: true,
  logLevel: "warning",
};

// The web extension host appends ".js" to any other ending; the other host takes ".cjs" for CommonJS without asking.
await build({ ...common, platform: "node", outfile: here("dist/extension.cjs") });
await build({ ...common, platform: "browser", outfile: here("dist/extension.web.js") });

// A package carries its own licence; the repository keeps one.
copyFileSync(here("../../LICENSE"), here("LICENSE"));
