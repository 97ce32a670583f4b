import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAMILIES } from "../packages/core/src/rules/families.ts";

/** Data flows left to right; a file may import from its own folder and from those before it. */
const LAYERS = [
  "version.ts",
  "model",
  "memo",
  "syntax",
  "hosts",
  "limits",
  "workloads",
  "platforms",
  "formats",
  "demand",
  "advice",
  "importers",
  "rules",
  "lint",
  "size",
  "migrate",
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
  "migrating.ts",
  "verifying.ts",
  "index.ts",
  "program.ts",
];

/** Returns the files of a package, and a function for the files of the package that a file imports. */
function sourcesOf(name: string) {
  const src = new URL(`../packages/${name}/src/`, import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"));
  const importsOf = (file: string): readonly string[] => {
    const url = new URL(file, src);
    const targets = readFileSync(url, "utf8").matchAll(/(?:from |import |import\()"(\.[^"]+)"/g);
    return Array.from(targets, ([, target = ""]) => new URL(target, url).pathname.slice(src.pathname.length));
  };
  return { src, files, importsOf };
}

const { src, files, importsOf } = sourcesOf("core");
const layer = (path: string) => LAYERS.indexOf(path.split("/")[0] ?? "");

test.each(files)("%s imports only from its own layer and earlier ones", (file) => {
  expect(layer(file), `${file} is in no layer`).not.toBe(-1);
  for (const to of importsOf(file)) expect(layer(to), `${file} -> ${to}`).toBeLessThanOrEqual(layer(file));
});

test.each(["core", "cli", "vscode-ext"])("no files of packages/%s import each other in a circle", (name) => {
  const sources = sourcesOf(name);
  // A file that imports no other file, or that no other file imports, is not part of a cycle.
  let left = new Map(sources.files.map((file) => [file, sources.importsOf(file)]));
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    left = new Map([...left].filter(([file, targets]) => imported.has(file) && targets.some((target) => left.has(target))));
  }
  expect([...left.keys()]).toEqual([]);
});

/** A longer function is hard to read. */
const MOST_LINES = 80;

test(`no function has more than ${MOST_LINES} lines`, () => {
  const longest = new Map<string, number>();
  for (const name of ["core", "cli", "vscode-ext"]) {
    const root = new URL(`../packages/${name}/src/`, import.meta.url);
    for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))) {
      const lines = readFileSync(new URL(path.replaceAll("\\", "/"), root), "utf8").split("\n");
      for (const length of functionLengths(lines))
        if (length > MOST_LINES)
          longest.set(`${name}/${path.replaceAll("\\", "/")}`, Math.max(length, longest.get(`${name}/${path}`) ?? 0));
    }
  }
  expect([...longest]).toEqual([]);
});

/** The lines of each function, by the indentation that the formatter gives them. */
function* functionLengths(lines: readonly string[]): Iterable<number> {
  for (const [at, line] of lines.entries()) {
    const [, indent = "", head = ""] = /^(\s*)((?:\S.*)?(?:=>|\)(?:: .*)?)) \{$/.exec(line) ?? [];
    if (head === "" || /^(?:\} )?(?:if|for|while|switch|else|catch)\b/.test(head)) continue;
    let start = at;
    // The last line of a long head begins with its bracket.
    if (/^[)}]/.test(head)) while (start > 0 && (start === at || !/\S/.test(lines[start]?.[indent.length] ?? " "))) start--;
    const end = lines.findIndex((one, i) => i > at && one.startsWith(`${indent}}`));
    if (end > at) yield end - start + 1;
  }
}

test("each exported function, class and constant is used in another file", () => {
  const root = new URL("../", import.meta.url);
  const isSource = (path: string): boolean => /\.(ts|mjs|vue)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path);
  const paths = [
    "packages/core/src",
    "packages/cli/src",
    "packages/vscode-ext/src",
    "site/playground",
    "site/components",
    "site/.vitepress",
    "scripts",
    "test",
  ]
    .flatMap((folder) => readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
    .filter(isSource);
  const sources = paths.map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }));
  const users = new Map<string, number>();
  for (const { text } of sources) for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1);
  const unused = sources
    .filter(({ path }) => path.startsWith("packages/"))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm), ([, name = ""]) =>
        (users.get(name) ?? 0) > 1 ? [] : `${path}: ${name}`,
      ).flat(),
    );
  expect(unused).toEqual([]);
});

/** The functions that assemble a check, and the files outside of `workspace/` that import them. */
const ASSEMBLING: Readonly<Record<string, readonly string[]>> = {
  openRuns: ["cli/run/disk-workspace.ts"],
  reviewRun: ["cli/run/reviewer.ts"],
  inventoryReader: ["cli/commands/init.ts"],
  openConfigs: [],
  openFolders: [],
  openRun: [],
  reviewFiles: [],
  Documents: [],
  Checks: ["cli/serve/lsp/documents.ts", "vscode-ext/file-checks.ts"],
  checkAcrossVms: [],
  checkUnit: [],
  formatHolding: [],
  inventoryOf: [],
  lintParsed: [],
  lintProject: [],
  lintText: [],
  projectHolding: [],
  lintRead: [],
  openUnits: [],
  readUnit: [],
  selectFiles: [],
  targetOf: [],
};

test.each(Object.entries(ASSEMBLING))("only the workspace assembles checks: %s", (word, askers) => {
  const importing = new RegExp(`^import (?!type)[^;]*[{ ]${word}[,} ][^;]*from "@vmlint/core`, "m");
  const asking = ["cli", "vscode-ext"].flatMap((name) => {
    const sources = sourcesOf(name);
    return sources.files
      .filter((file) => importing.test(readFileSync(new URL(file, sources.src), "utf8")))
      .map((file) => `${name}/${file}`);
  });
  expect(asking).toEqual(askers);
});

const engine = files.filter((file) => /^(lint|fix|baseline|report|workspace|editor)\//.test(file));

test.each(engine)("%s names no rule, no format, no workload, no platform and no ESXi version", (file) => {
  const code = readFileSync(new URL(file, src), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const body = code.replace(/^import .*$/gm, "");
  expect(body).not.toMatch(new RegExp(`"(${Object.keys(FAMILIES).join("|")})/[a-z]`));
  expect(body).not.toMatch(/esxi\(\d|\.major\b/);
  // The engine asks the platform of a VM what its view needs, and compares no names of platforms.
  expect(body).not.toMatch(/\.kvm\b|[!=]== "(?:esxi|kvm)"/);
  expect(body).not.toMatch(/"(mssql|oracle|hana|postgresql|mysql|database|imdg|vdi)"/);
  // Rule families and formats are in their own folders. The engine imports only the registries of both, and the encodings of .vmx
  // files, because no other format allows encodings besides UTF-8.
  expect(code.replace("formats/vmx/encoding.ts", "")).not.toMatch(/from "\.{1,2}\/(rules|formats)\/[a-z]+\//);
});

test.each(["core", "cli"])("no list in packages/%s has an unbounded length: sequence() refuses a number such as 2^31", (name) => {
  const sources = sourcesOf(name);
  const unbounded = sources.files.flatMap((file) =>
    readFileSync(new URL(file, sources.src), "utf8")
      .split("\n")
      .flatMap((line, i) => (/Array\.from\(\{ length(?!: (?:\d+|[A-Z]+) \})|new Array\(\w/.test(line) ? [`${file}:${i + 1}`] : [])),
  );
  expect(unbounded).toEqual([]);
});
