import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { ROOT } from "../support/checkout.ts";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** Returns the code blocks of a language on a page. */
function blocks(page: string, language: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const found = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return found.flatMap(([, name, body = ""]) => (name === language ? [body] : []));
}

const EDITORS = "docs/guide/editors.md";
const EXTENSION = "packages/vscode-ext/README.md";
const SERVER = { command: "vmlint", args: ["lsp", "--stdio"] };

test("the first plugin of the page reports its finding", () => {
  const [plugin = ""] = blocks("docs/guide/plugins.md", "js");
  const cwd = folder({ "rules.mjs": plugin, "a.vmx": 'numvcpus = "2"\n' });
  expect(vmlint(cwd, ["--plugin", "./rules.mjs", "--format", "compact"]).out).toContain("2 vCPUs are too few. Use 4.");
});

test("the settings for Helix name a server that they define", () => {
  const [text = ""] = blocks(EDITORS, "toml");
  const { language, "language-server": servers } = parse(text) as unknown as {
    language: readonly { "language-servers": readonly string[] }[];
    "language-server": Readonly<Record<string, object>>;
  };
  expect(language.flatMap((one) => one["language-servers"])).toEqual(Object.keys(servers));
  expect(servers["vmlint"]).toMatchObject(SERVER);
});

test("the entry for coding agents starts the MCP server", () => {
  const [text = ""] = blocks(EDITORS, "json");
  const { mcpServers } = JSON.parse(text);
  expect(mcpServers).toEqual({ vmlint: { command: "vmlint", args: ["mcp"] } });
  const call = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  expect(execFileSync(process.execPath, [COMMAND, ...mcpServers.vmlint.args], { input: call, encoding: "utf8" })).toContain('"result":{}');
});

test("the task of the extension has only the fields that the extension declares", () => {
  const [text = ""] = blocks(EXTENSION, "json");
  const { type, problemMatcher, ...fields } = JSON.parse(text);
  const { taskDefinitions, problemMatchers } = JSON.parse(readFileSync(join(ROOT, "packages/vscode-ext/package.json"), "utf8")).contributes;
  expect(problemMatchers.map(({ name }: { name: string }) => `$${name}`)).toContain(problemMatcher);
  const definition = taskDefinitions.find((one: { type: string }) => one.type === type);
  expect(Object.keys(definition.properties)).toEqual(expect.arrayContaining(Object.keys(fields)));
});

test("the example of the extension has the finding that its page quotes", () => {
  const [config = ""] = blocks(EXTENSION, "yaml");
  const page = readFileSync(join(ROOT, EXTENSION), "utf8");
  const vm = blocks(EXTENSION, "").find((body) => body.includes("numvcpus")) ?? "";
  const quoted = Array.from(page.matchAll(/^> (.*)$/gm), ([, line]) => line).join(" ");
  const cwd = folder({ "vmlint.yaml": config, "a.vmx": vm });
  expect(vmlint(cwd, ["--format", "compact"]).out).toContain(quoted);
});

const NVIM = "/usr/bin/nvim";

test.skipIf(!existsSync(NVIM))("the settings for Neovim load, and show a finding (scripts/setup-neovim.sh installs Neovim)", () => {
  const cwd = folder({ "vmlint.yaml": "host: dl580g7\n", "a.vmx": 'numvcpus = "8"\nsched.cpu.affinity = "0-7"\n', vmlint: "" });
  writeFileSync(join(cwd, "vmlint"), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  chmodSync(join(cwd, "vmlint"), 0o755);
  const [recent = "", older = ""] = blocks(EDITORS, "lua");
  writeFileSync(join(cwd, "recent.lua"), recent);
  writeFileSync(join(cwd, "older.lua"), older);
  const script = `
    assert(loadfile("recent.lua"))
    assert(loadfile("older.lua"))
    if vim.lsp.config then dofile("recent.lua") else dofile("older.lua") end
    vim.cmd("edit a.vmx")
    vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end)
    for _, d in ipairs(vim.diagnostic.get(0)) do io.write(d.code .. "\\n") end
  `;
  writeFileSync(join(cwd, "check.lua"), script);
  const env = { ...process.env, PATH: `${cwd}${delimiter}${process.env["PATH"]}` };
  const args = ["--headless", "--clean", "-c", "luafile check.lua", "-c", "quitall!"];
  const { stdout, stderr } = spawnSync(NVIM, args, { cwd, env, encoding: "utf8" });
  expect(`${stdout}${stderr}`).toContain("affinity/ht-siblings");
});
