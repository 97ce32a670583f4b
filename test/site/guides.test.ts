import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configSchema } from "@vmlint/core/config-schema";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { cliReference } from "../../packages/cli/src/commands/reference.ts";
import { FACT_TYPES, SETTING_TYPES } from "../../packages/cli/src/plugins/yaml-names.ts";
import { grouped } from "../../packages/core/src/program.ts";
import { ROOT } from "../support/checkout.ts";
import { COMMAND } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { schemaTables } from "../support/schema-tables.ts";

const root = new URL("../../", import.meta.url);
const pages = ["README.md", "packages/core/README.md", "site/topology.md", "docs/glossary.md", ...pagesBelow("docs/guide")];

function pagesBelow(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}

/** A file that a page shows, or commands or a program (`js`) with their output. `only TEXT` keeps the paragraphs of the output that contain the text. */
const MARKED =
  /<!-- (?:file (?<file>\S+)|run(?: in (?<where>\S+))?(?: only (?<only>\S+))?) -->\n```(?<language>\w+)\n(?<body>[\s\S]*?)```\n(?:\n```text\n(?<printed>[\s\S]*?)```\n)?/g;

/** Runs shell commands. `vmlint` in them is the built command. */
function run(cwd: string, commands: string): string {
  const script = `vmlint() { "$NODE" "$COMMAND" "$@"; }\nexec 2>&1\n${commands}`;
  const env = { ...process.env, NODE: process.execPath, COMMAND, NO_COLOR: "1" };
  const { stdout, status } = spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" });
  // 2 and more: the command could not do what the page tells the reader to do.
  expect([0, 1], `${commands}\n${stdout}`).toContain(status);
  return stdout;
}

/** Runs a program that may import the packages of this repository. */
function runProgram(contents: string): string {
  const stdin = { contents, resolveDir: ROOT };
  const { outputFiles } = buildSync({
    stdin,
    bundle: true,
    platform: "browser",
    format: "esm",
    conditions: ["@vmlint/source"],
    write: false,
  });
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module"], { input: outputFiles[0]?.text, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout;
}

test.each(pages)("%s: commands and programs print the output on the page (npm run gen)", async (page) => {
  const text = readFileSync(new URL(page, root), "utf8");
  const cwd = folder({});
  const played = text.replace(MARKED, (whole, ...rest) => {
    const { file, where, only, language, body, printed } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (file !== undefined) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), body ?? "");
      return whole;
    }
    const all = language === "js" ? runProgram(body ?? "") : run(where === undefined ? cwd : join(ROOT, where), body ?? "");
    const output =
      only === undefined
        ? all
        : all
            .split("\n\n")
            .filter((paragraph) => paragraph.includes(only))
            .join("\n\n");
    return printed === undefined
      ? whole
      : whole.replace(/```text\n[\s\S]*$/, () => `\`\`\`text\n${output.trim() === "" ? "" : output.trimEnd()}\n\`\`\`\n`);
  });
  await expect(played).toMatchFileSnapshot(fileURLToPath(new URL(page, root)));
});

test.each(pages)("%s: each link leads to a file of the repository", (page) => {
  const text = readFileSync(new URL(page, root), "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\((?![a-z]+:|#|\/)([^)#\s]+)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([]);
});

test.each(pages.filter((page) => page.startsWith("docs/guide/")))("%s: is in the list of guides", (page) => {
  const index = readFileSync(new URL("docs/guide/index.md", root), "utf8") + readFileSync(new URL("docs/guide/formats.md", root), "utf8");
  if (!page.endsWith("/index.md")) expect(index).toContain(`](${page.slice("docs/guide/".length)})`);
});

test("the reference of the command line is current (npm run gen)", async () => {
  await expect(cliReference()).toMatchFileSnapshot(fileURLToPath(new URL("docs/guide/cli.md", root)));
});

/** The names of expressions in YAML rules by type: an object and its objects have a row for each. */
function namesTable(): string {
  const rows = (prefix: string, types: object): readonly string[] => {
    const fields = Object.entries(types);
    const nested = fields.filter(([, type]) => typeof type === "object");
    const byType = grouped(
      fields.filter(([, type]) => typeof type === "string"),
      ([, type]) => String(type),
    );
    return [
      ...[...byType].map(([type, of]) => `| ${of.map(([name]) => `\`${prefix}${name}\``).join(", ")} | ${type.replace(/[<>]/g, "\\$&")} |`),
      ...nested.flatMap(([name, inner]) => rows(`${prefix}${name}.`, inner)),
    ];
  };
  return ["| name | type |", "|---|---|", ...rows("", SETTING_TYPES), ...rows("", FACT_TYPES), ""].join("\n");
}

test.each([
  ["configuration", "keys", () => schemaTables(configSchema)],
  ["plugins", "names", namesTable],
])("the reference in %s.md is current (npm run gen)", async (name, region, table) => {
  const page = new URL(`docs/guide/${name}.md`, root);
  const [before = "", after = ""] = readFileSync(page, "utf8").split(
    new RegExp(`(?<=<!-- #region ${region} -->\\n)[\\s\\S]*(?=<!-- #endregion ${region} -->)`),
  );
  await expect(`${before}${table()}${after}`).toMatchFileSnapshot(fileURLToPath(page));
});
