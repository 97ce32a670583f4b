import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const BAD = 'virtualHW.version = "20"\nmemSize = "32768"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n';
const cwd = mkdtempSync(join(tmpdir(), "vmlint-mcp-"));
const client = new Client({ name: "test", version: "1.0.0" });

beforeAll(async () => {
  writeFileSync(join(cwd, "bad.vmx"), BAD);
  writeFileSync(join(cwd, "vmlint.yaml"), "host: 2x20x2:768@8.0\n");
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, "mcp"], cwd }));
});
afterAll(async () => {
  await client.close();
  rmSync(cwd, { recursive: true });
});

async function call(name: string, given: Readonly<Record<string, unknown>>): Promise<{ readonly isError: boolean; readonly text: string }> {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  return { isError, text: content.map((part) => (part.type === "text" ? part.text : "")).join("") };
}

test("the four tools are listed with their inputs, and none changes anything", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})])).toEqual([
    ["check", ["paths", "host", "workload"]],
    ["topology", ["paths", "host", "workload"]],
    ["size", ["vcpus", "memory", "host", "workload"]],
    ["explain", ["rule"]],
  ]);
  for (const { annotations, description } of tools) expect([annotations?.readOnlyHint, description]).toEqual([true, expect.any(String)]);
});

test("no tool leaves the folder of the server", async () => {
  const outside = folder({ "a.vmx": BAD, "dump.txt": "secret" });
  symlinkSync(outside, join(cwd, "link"));
  const PATHS = [
    outside,
    `${outside}/a.vmx`,
    "/**/*.vmx",
    "..",
    "../**/*.vmx",
    "*/../../*.vmx",
    "{../*,bad}.vmx",
    "link",
    "link/a.vmx",
    "link/*.vmx",
  ];
  for (const path of PATHS)
    for (const name of ["check", "topology"]) {
      const { isError, text } = await call(name, { paths: ["bad.vmx", path] });
      expect([isError, text], path).toEqual([true, `${path} is not read: it lies outside of the folder that vmlint serves.`]);
    }
  for (const host of [`${outside}/dump.txt`, `${outside}/dump.txt@8.0`])
    expect(await call("check", { host })).toMatchObject({ isError: true, text: expect.stringContaining("lies outside") });
  for (const path of ["./bad.vmx", join(cwd, "bad.vmx"), "*.vmx", "."])
    expect((await call("check", { paths: [path] })).isError, path).toBe(false);
  rmSync(join(cwd, "link"));
});

describe("each tool prints the output of its command", () => {
  test.each([
    ["check", { paths: ["bad.vmx"] }, ["bad.vmx"]],
    ["check", {}, []],
    ["check", { paths: ["bad.vmx"], host: "dl580g7" }, ["--host=dl580g7", "bad.vmx"]],
    ["topology", { paths: ["bad.vmx"] }, ["topology", "bad.vmx"]],
    [
      "size",
      { vcpus: 22, memory: "300GiB", host: ["dl580g7", "r640"], workload: "mssql,edition=standard" },
      ["size", "22", "--memory=300GiB", "--host=dl580g7", "--host=r640", "--workload=mssql,edition=standard"],
    ],
    ["explain", { rule: "cpu/cps-divides" }, ["explain", "cpu/cps-divides"]],
  ])("%s %j", async (name, given, words) => {
    const { out, err, code } = vmlint(cwd, words);
    expect(code).toBeLessThan(2);
    const { text, isError } = await call(name, given);
    expect(isError).toBe(false);
    expect(text).toContain(out);
    expect(text).toHaveLength(out.length + err.length);
  });
});

test("a file that changes between two calls is read again", async () => {
  const path = join(cwd, "changing.vmx");
  writeFileSync(path, BAD);
  expect((await call("check", { paths: [path] })).text).toContain("cpu/cps-divides");
  writeFileSync(path, readFileSync(path, "utf8").replace('Socket = "4"', 'Socket = "6"'));
  expect((await call("check", { paths: [path] })).text).not.toContain("cpu/cps-divides");
  rmSync(path);
});

describe("an impossible request is an error with a reason", () => {
  test.each([
    ["check", { paths: ["missing.vmx"] }, "missing.vmx does not exist"],
    ["check", { paths: ["--fix"] }, "--fix does not exist"],
    ["check", { paths: ["-"] }, "name a file or folder"],
    ["check", { path: "bad.vmx" }, "path"],
    ["check", { host: "--plugin=./evil.mjs" }, "--plugin=./evil.mjs"],
    ["explain", { rule: "numa/wide-unevn" }, 'Did you mean "numa/wide-uneven"?'],
    ["size", { vcpus: 0 }, "vcpus"],
  ])("%s %j", async (name, given, reason) => {
    const { isError, text } = await call(name, given).catch((error: Error) => ({ isError: true, text: error.message }));
    expect(isError).toBe(true);
    expect(text).toContain(reason);
  });
});
