import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { API, type Symbol as Exported, SymbolFlags } from "typescript/unstable/sync";
import { expect, test } from "vitest";

const core = fileURLToPath(new URL("../packages/core/", import.meta.url));
const exported: Readonly<Record<string, { readonly types?: string }>> = JSON.parse(readFileSync(`${core}package.json`, "utf8")).exports;

/** The public entries, each with its file. Other entries are for the packages of this repository. */
const entries = Object.entries(exported).flatMap(([path, { types }]) =>
  types ? [[path, types.replace("./dist/", "src/").replace(".d.ts", ".ts")] as const] : [],
);

/** The kinds of an export by TypeScript's flags. A name can have several. */
const KINDS = [
  [SymbolFlags.Function, "function"],
  [SymbolFlags.Class, "class"],
  [SymbolFlags.Variable, "constant"],
  [SymbolFlags.Interface | SymbolFlags.TypeAlias, "type"],
] as const;

test("the names other programs import, and their kinds, are the recorded ones (npm run gen)", async () => {
  await expect(await surface()).toMatchFileSnapshot("../packages/core/api.txt");
});

test("there are few names, each with an example", () => {
  const api = readFileSync(`${core}api.txt`, "utf8");
  const [root = ""] = api.split("\n\n");
  const names = [...root.matchAll(/^ {2}(\w+):/gm)].map(([, name = ""]) => name);
  expect(entries.length).toBeLessThanOrEqual(10);
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(60);
  const files = [...readFileSync(`${core}src/index.ts`, "utf8").matchAll(/from "\.\/([^"]+)"/g)].map(([, file = ""]) => file);
  const texts = files.map((file) => readFileSync(`${core}src/${file}`, "utf8")).join("\n");
  const hasExample = (name: string): boolean =>
    new RegExp(`@example\\n(?: \\* .*\\n)+ \\*/\\nexport (?:const|(?:async )?function|class|interface|type) ${name}\\b`).test(texts);
  expect(names.filter((name) => !hasExample(name))).toEqual([]);
});

/** Each entry of @vmlint/core with its names, as TypeScript sees them. */
async function surface(): Promise<string> {
  const api = new API({ cwd: core });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${core}tsconfig.json`] }).getProjects();
    if (!project) throw new Error("packages/core is no project.");
    const { checker, program } = project;
    const kinds = (name: Exported, values: ReadonlySet<string>): string => {
      // A class may be exported as a type alone.
      if (!values.has(name.name)) return "type";
      const { flags } = name.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      return KINDS.flatMap(([flag, kind]) => (flags & flag ? [kind] : [])).join(", ") || "unknown";
    };
    const entry = async ([path, source]: (typeof entries)[number]): Promise<string> => {
      const values = new Set(Object.keys((await import(core + source)) as object));
      const file = program.getSourceFile(core + source);
      const module = file && checker.getSymbolAtLocation(file);
      const names = module ? checker.getExportsOfModule(module) : [];
      const lines = names.map((name) => `  ${name.name}: ${kinds(name, values)}\n`).sort();
      return `@vmlint/core${path.slice(1)}\n${lines.join("")}`;
    };
    return (await Promise.all(entries.map(entry))).join("\n");
  } finally {
    api.close();
  }
}
