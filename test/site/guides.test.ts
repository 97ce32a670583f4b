import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../support/checkout.ts";
import { COMMAND, folder } from "../support/cli.ts";

const site = new URL("../../site/", import.meta.url);
const pages = ["topology.md", ...readdirSync(new URL("guide/", site)).map((name) => `guide/${name}`)];

/** A file that a page shows, or commands it runs with what they print; the fence of the latter may still be empty. */
const MARKED =
  /<!-- (?:file (?<file>\S+)|run(?: in (?<where>\S+))?) -->\n```\w+\n(?<body>[\s\S]*?)```\n(?:\n```text\n(?<printed>[\s\S]*?)```\n)?/g;

/** Runs shell commands in which `vmlint` is the built command. */
function run(cwd: string, commands: string): string {
  const script = `vmlint() { "$NODE" "$COMMAND" "$@"; }\nexec 2>&1\n${commands}`;
  const env = { ...process.env, NODE: process.execPath, COMMAND, NO_COLOR: "1" };
  const { stdout, status } = spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" });
  // 2 and more: the command could not do what the page tells the reader to do.
  expect([0, 1], `${commands}\n${stdout}`).toContain(status);
  return stdout;
}

test.each(pages)("%s: commands print what the page says (npm run gen)", async (page) => {
  const text = readFileSync(new URL(page, site), "utf8");
  const cwd = folder({});
  const played = text.replace(MARKED, (whole, ...rest) => {
    const { file, where, body, printed } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (file !== undefined) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), body ?? "");
      return whole;
    }
    const output = run(where === undefined ? cwd : join(ROOT, where), body ?? "");
    return printed === undefined
      ? whole
      : whole.replace(/```text\n[\s\S]*$/, () => `\`\`\`text\n${output.trim() === "" ? "" : output.trimEnd()}\n\`\`\`\n`);
  });
  await expect(played).toMatchFileSnapshot(fileURLToPath(new URL(page, site)));
});

test.each(pages)("%s: what it includes is there", (page) => {
  const text = readFileSync(new URL(page, site), "utf8");
  for (const [, path = "", region] of text.matchAll(/<!--@include: ([^#\s]+)(?:#([\w-]+))? *-->/g)) {
    const included = readFileSync(new URL(path, new URL(page, site)), "utf8");
    if (region !== undefined) expect(included).toContain(`<!-- #region ${region} -->\n`);
    if (region !== undefined) expect(included).toContain(`\n<!-- #endregion ${region} -->\n`);
  }
  expect([...text.matchAll(/<!--\s*@include/g)].length).toBe([...text.matchAll(/<!--@include: [^#\s]+(?:#[\w-]+)? *-->/g)].length);
});
