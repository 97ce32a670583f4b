import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Data flows left to right; a file may import from its own folder and from those before it. */
const LAYERS = [
  "version.ts",
  "model",
  "syntax",
  "formats",
  "hosts",
  "limits",
  "workloads",
  "esxi",
  "advice",
  "size",
  "rules",
  "lint",
  "inventory",
  "fix",
  "config",
  "report",
  "suppress",
  "baseline",
  "workspace",
  "editor",
  "docs",
  "sizing.ts",
  "index.ts",
];
const src = new URL("../packages/core/src/", import.meta.url);
/** What is loaded only when it is needed is imported by the name of its entry. */
const { exports } = JSON.parse(readFileSync(new URL("../package.json", src), "utf8"));
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));
const layer = (path: string) => LAYERS.indexOf(path.split("/")[0] ?? "");

test.each(files)("%s imports only from its own layer and earlier ones", (file) => {
  expect(layer(file), `${file} is in no layer`).not.toBe(-1);
  for (const [, target = ""] of readFileSync(new URL(file, src), "utf8").matchAll(/(?:from |import\()"(\.[^"]+|@vmlint\/core[^"]*)"/g)) {
    const entry = exports[target.replace("@vmlint/core", ".")]?.["@vmlint/source"];
    const to = (entry ? new URL(`../${entry}`, src) : new URL(target, new URL(file, src))).pathname.slice(src.pathname.length);
    expect(layer(to), `${file} -> ${to}`).toBeLessThanOrEqual(layer(file));
  }
});

const engine = files.filter((file) => /^(lint|fix|baseline|report|workspace|editor)\//.test(file));

test.each(engine)("%s names no rule, no format, no workload and no ESXi version", (file) => {
  const code = readFileSync(new URL(file, src), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const body = code.replace(/^import .*$/gm, "");
  expect(body).not.toMatch(
    /"(affinity|cpu|ft|guest|hana|host|hotadd|imdg|inventory|latency|mem|mssql|net|numa|nvme|scsi|smt|spec|storage|suppression|topo|vmx)\/[a-z]/,
  );
  expect(body).not.toMatch(/esxi\(\d|\.major\b/);
  expect(body).not.toMatch(/"(mssql|oracle|hana|postgresql|mysql|database|imdg|vdi)"/);
  // Rule families and formats live in folders of their own; the engine knows the registries beside them, and the encodings of .vmx files,
  // the one format whose bytes are not UTF-8.
  expect(code.replace("formats/vmx/encoding.ts", "")).not.toMatch(/from "\.{1,2}\/(rules|formats)\/[a-z]+\//);
});
