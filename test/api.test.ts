import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { API, type Symbol as Exported, SymbolFlags } from "typescript/unstable/sync";
import { expect, test } from "vitest";

const core = fileURLToPath(new URL("../packages/core/", import.meta.url));
const entries: Readonly<Record<string, { readonly "@vmlint/source": string }>> = JSON.parse(
  readFileSync(`${core}package.json`, "utf8"),
).exports;

/** What a program can do with a name, by the flag TypeScript gives its declaration; a name may be several. */
const KINDS = [
  [SymbolFlags.Function, "function"],
  [SymbolFlags.Class, "class"],
  [SymbolFlags.Variable, "constant"],
  [SymbolFlags.Interface | SymbolFlags.TypeAlias, "type"],
] as const;

test("the names other programs import, and their kinds, are the recorded ones (npm run gen)", async () => {
  await expect(await surface()).toMatchFileSnapshot("../packages/core/api.txt");
});

/** Each entry of @vmlint/core with its names, as TypeScript sees them. */
async function surface(): Promise<string> {
  const api = new API({ cwd: core });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${core}tsconfig.json`] }).getProjects();
    if (!project) throw new Error("packages/core is no project.");
    const { checker, program } = project;
    const listed = Object.entries(entries);
    const kinds = (name: Exported, values: ReadonlySet<string>): string => {
      // A class may be exported as a type alone.
      if (!values.has(name.name)) return "type";
      const { flags } = name.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      return KINDS.flatMap(([flag, kind]) => (flags & flag ? [kind] : [])).join(", ") || "unknown";
    };
    const entry = async ([path, { "@vmlint/source": source }]: (typeof listed)[number]): Promise<string> => {
      const values = new Set(Object.keys((await import(core + source.replace("./", ""))) as object));
      const file = program.getSourceFile(core + source.replace("./", ""));
      const module = file && checker.getSymbolAtLocation(file);
      const names = module ? checker.getExportsOfModule(module) : [];
      const lines = names.map((name) => `  ${name.name}: ${kinds(name, values)}\n`).sort();
      return `@vmlint/core${path.slice(1)}\n${lines.join("")}`;
    };
    return (await Promise.all(listed.map(entry))).join("\n");
  } finally {
    api.close();
  }
}
