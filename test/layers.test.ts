import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Data flows left to right; a file may import from its own folder and from those before it. */
const LAYERS = [
  "version.ts",
  "model",
  "parse",
  "topology",
  "rules",
  "lint.ts",
  "apply-edits.ts",
  "config",
  "report",
  "editor",
  "docs",
  "index.ts",
];
const src = new URL("../packages/core/src/", import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));
const layer = (path: string) => LAYERS.indexOf(path.split("/")[0] ?? "");

test.each(files)("%s imports only from its own layer and earlier ones", (file) => {
  expect(layer(file), `${file} is in no layer`).not.toBe(-1);
  for (const [, target = ""] of readFileSync(new URL(file, src), "utf8").matchAll(/from "(\.[^"]+)"/g)) {
    const to = new URL(target, new URL(file, src)).pathname.slice(src.pathname.length);
    expect(layer(to), `${file} -> ${to}`).toBeLessThanOrEqual(layer(file));
  }
});

const engine = files.filter((file) => file === "lint.ts" || /^(report|editor)\//.test(file));

test.each(engine)("%s names no rule, no format and no ESXi version", (file) => {
  const code = readFileSync(new URL(file, src), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const imports = code.replace(/^import .*$/gm, "");
  expect(imports).not.toMatch(/"(affinity|latency|numa|mssql|storage|vmx|spec)\/[a-z]/);
  expect(imports).not.toMatch(/esxi\(\d|\.major\b/);
});
