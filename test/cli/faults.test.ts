import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { outside } from "../../packages/cli/src/process-io.ts";
import { lintFiles } from "../../packages/cli/src/run/lint-files.ts";
import { spawned as vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { hangOn, SHORT_LIMITS } from "../support/hang.ts";
import { defineRuleModule, pluginOf } from "../support/plugin-module.ts";

const VMX = 'virtualHW.version = "19"\nnumvcpus = "4"\ncpuid.coresPerSocket = "3"\n';
const tf = (name: string) => `resource "vsphere_virtual_machine" "${name}" {\n  num_cpus = 6\n  num_cores_per_socket = 4\n}\n`;
const RULE = `
  messages: { two: () => "Two vCPUs." },
  bad: [{ title: "two", vmx: 'numvcpus = "2"', expect: "two" }],
  *check({ vm }) {
    if (vm.vcpus?.value === 2) yield { messageId: "two", at: vm.vcpus.range };
  }`;

/** A plugin that breaks a function of the language, which breaks what calls it: as a bug of vmlint would. */
const breaking = (code: string) => ({ "define.mjs": defineRuleModule(), "acme.mjs": `${code}\n${pluginOf(RULE)}` });
const BREAK_SLICE = `const { slice, indexOf } = String.prototype;
String.prototype.slice = function (...at) {
  if (indexOf.call(this, "BROKEN") >= 0 && at.length > 0) throw new Error("slice is broken");
  return slice.apply(this, at);
};`;
const BREAK_SARIF = `const { stringify } = JSON;
JSON.stringify = (value, ...more) => {
  if (value?.runs?.[0].results) throw new Error("stringify is broken");
  return stringify(value, ...more);
};`;

const FORMS = ["json", "ndjson", "sarif", "junit", "gitlab", "checkstyle", "html", "md"];
const reports = FORMS.flatMap((form) => ["--format", `${form}:${form}.out`]);

test("a file and a folder whose reader throws are named everywhere, and the others are checked", () => {
  const cwd = folder({
    ...breaking(BREAK_SLICE),
    "a.vmx": VMX,
    "b.vmx": `${VMX}displayName = "BROKEN"\n`,
    "bad/main.tf": tf("BROKEN"),
    "good/main.tf": tf("sound"),
    "good/more.tf": tf("more"),
  });
  const { code, out, err } = vmlint(cwd, ["--plugin", "./acme.mjs", ...reports, "--format", "compact"]);
  expect([code, err]).toEqual([3, expect.any(String)]);
  for (const path of ["b.vmx", "bad/main.tf"]) {
    expect(err.split(`vmlint: ${path} is not checked: it failed, and this is a bug in vmlint:\nError: slice is broken`)).toHaveLength(2);
    for (const form of FORMS) expect(readFileSync(join(cwd, `${form}.out`), "utf8"), form).toContain(path);
  }
  expect(JSON.parse(readFileSync(join(cwd, "json.out"), "utf8")).notChecked).toEqual([
    { path: "b.vmx", reason: "it failed, and this is a bug in vmlint" },
    { path: "bad/main.tf", reason: "it failed, and this is a bug in vmlint" },
  ]);
  for (const path of ["a.vmx", "good/main.tf", "good/more.tf"]) expect(out).toContain(`${path}:`);
});

test("a file and a folder that need more memory than there is are named, and the others are checked", () => {
  const cwd = folder({
    ...breaking(BREAK_SLICE.replace('Error("slice is broken")', 'RangeError("Array buffer allocation failed")')),
    "a.vmx": VMX,
    "bad/main.tf": tf("BROKEN"),
    "good/main.tf": tf("sound"),
  });
  const { code, out, err } = vmlint(cwd, ["--plugin", "./acme.mjs", "--format", "json:json.out", "--format", "compact"]);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("bad/main.tf: not checked: it needs more memory than there is. Check fewer files"),
  ]);
  expect(JSON.parse(readFileSync(join(cwd, "json.out"), "utf8")).notChecked).toEqual([
    { path: "bad/main.tf", reason: "it needs more memory than there is" },
  ]);
  for (const path of ["a.vmx", "good/main.tf"]) expect(out).toContain(`${path}:`);
  expect(vmlint(cwd, ["--plugin", "./acme.mjs", "--update-baseline"])).toMatchObject({
    code: 2,
    err: "vmlint: This run needs more memory than there is. Check fewer files at a time.\n",
  });
});

test("a report that throws is named in the others, which are written", () => {
  const cwd = folder({ ...breaking(BREAK_SARIF), "a.vmx": VMX });
  const { code, out, err } = vmlint(cwd, [
    "--plugin",
    "./acme.mjs",
    "--format",
    "json",
    "--format",
    "sarif:a.sarif",
    "--format",
    "md:a.md",
  ]);
  expect([code, err]).toEqual([3, expect.any(String)]);
  expect(err).toMatch(/^vmlint: the sarif report failed, and this is a bug in vmlint:\nError: stringify is broken\n/);
  const { diagnostics, notChecked } = JSON.parse(out);
  expect(diagnostics).not.toEqual([]);
  expect(notChecked).toEqual([{ path: "a.sarif", reason: "the sarif report failed, and this is a bug in vmlint" }]);
  expect(readFileSync(join(cwd, "a.md"), "utf8")).toContain("the sarif report failed");
});

const HANG = { "hang.mjs": hangOn("ENDLESS") };
const hanging = (cwd: string, args: readonly string[]) =>
  vmlint(cwd, args, { NODE_OPTIONS: `--import ${pathToFileURL(join(cwd, "hang.mjs")).href}` });

test("a file and a project that never end are stopped and named, and the others are checked", () => {
  const cwd = folder({
    ...HANG,
    "a.vmx": VMX,
    "b.vmx": `${VMX}displayName = "ENDLESS"\n`,
    "bad/main.tf": tf("ENDLESS"),
    "c.vmx": VMX,
    "good/main.tf": tf("sound"),
  });
  const { code, out, err } = hanging(cwd, ["--format", "json"]);
  expect([code, err]).toEqual([3, expect.any(String)]);
  for (const path of ["b.vmx", "bad/main.tf"])
    expect(err).toMatch(
      new RegExp(
        `^vmlint: ${path} is not checked: it failed, and this is a bug in vmlint:\\nTooSlow: its check took more than \\d+ seconds$`,
        "m",
      ),
    );
  const { diagnostics, notChecked } = JSON.parse(out);
  expect(notChecked.map(({ path }: { path: string }) => path)).toEqual(["b.vmx", "bad/main.tf"]);
  expect([...new Set(diagnostics.map(({ path }: { path: string }) => path))]).toEqual(["a.vmx", "c.vmx", "good/main.tf"]);
});

test("a rule over several VMs and a report that never end are stopped and named", () => {
  const vm = (name: string) => `displayName = "${name}"\n${VMX}`;
  const cwd = folder({
    "define.mjs": defineRuleModule(),
    "acme.mjs": pluginOf(`needs: ["host"], over: "host", messages: { two: () => "Two." }, bad: [], *check() { for (;;); }`),
    "hang.mjs": `${SHORT_LIMITS}
const { stringify } = JSON;
JSON.stringify = (value, ...more) => {
  while (value?.runs?.[0].results);
  return stringify(value, ...more);
};`,
    "a.vmx": vm("a"),
    "b.vmx": vm("b"),
  });
  const args = ["--plugin", "./acme.mjs", "--host", "2x8x1@8.0", "--together", "--format", "json", "--format", "sarif:a.sarif"];
  const { code, out, err } = hanging(cwd, args);
  expect([code, err]).toEqual([2, expect.stringContaining("the sarif report failed, and this is a bug in vmlint:\nTooSlow: ")]);
  expect(err.match(/rule acme\/two failed/g)).toHaveLength(1);
  const { diagnostics, notChecked } = JSON.parse(out);
  expect(notChecked).toMatchObject([{ path: "a.vmx", reason: "rule acme/two failed on it" }, { path: "a.sarif" }]);
  expect([...new Set(diagnostics.map(({ path }: { path: string }) => path))]).toEqual(["a.vmx", "b.vmx"]);
});

describe("vmlint topology", () => {
  const FILES = { "a.vmx": VMX.replace("3", "2"), "b.vmx": `${VMX}displayName = "BROKEN"\n`, "c.vmx": VMX.replace("3", "4") };
  const HOST = ["--host", "2x8x1@8.0"];

  test.each([
    ["reader", BREAK_SLICE],
    [
      "layout",
      `const { join } = Array.prototype;
Array.prototype.join = function (by) {
  for (const line of this) if (/^b\\.vmx {2}BROKEN/.test(line)) throw new Error("join is broken");
  return join.call(this, by);
};`,
    ],
  ])("prints the other files where the %s of one throws", (_, code) => {
    const cwd = folder({ ...breaking(code), ...FILES });
    for (const hosts of [HOST, [...HOST, "--host", "2x24x2@8.0"]]) {
      const run = vmlint(cwd, ["topology", "--plugin", "./acme.mjs", ...hosts]);
      expect([run.code, run.err]).toEqual([3, expect.stringMatching(/^vmlint: b\.vmx is not checked: it failed/)]);
      expect([run.out.includes("a.vmx"), run.out.includes("c.vmx"), run.out.includes("b.vmx")]).toEqual([true, true, false]);
    }
  });

  test("names a file that never ends", () => {
    const cwd = folder({ ...HANG, ...FILES, "b.vmx": `${VMX}displayName = "ENDLESS"\n` });
    const { code, out, err } = hanging(cwd, ["topology", ...HOST, "--format", "json"]);
    expect([code, err]).toEqual([3, expect.stringContaining("vmlint: b.vmx is not checked")]);
    expect(JSON.parse(out).vms).toHaveLength(2);
  });
});

test("files for which a run has no memory left are named, and the others are checked", () => {
  const vm = `${VMX}annotation = "${"x".repeat(40_000)}"\n`;
  const cwd = folder(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`vm${1000 + i}.vmx`, vm])));
  const { code, err } = vmlint(cwd, ["--format", "json:out.json"], { NODE_OPTIONS: "--max-old-space-size=40 --max-semi-space-size=1" });
  expect(code).toBe(2);
  expect(err).toMatch(/^vmlint: vm\d+\.vmx and \d+ other files: not checked: the memory of the run was nearly full\. Check fewer files/);
  const { diagnostics, notChecked } = JSON.parse(readFileSync(join(cwd, "out.json"), "utf8"));
  expect(notChecked[0].reason).toBe("the memory of the run was nearly full");
  expect(new Set(diagnostics.map(({ path }: { path: string }) => path)).size + notChecked.length).toBe(900);
});

test("files for which a run has no time left are named, of a project too", async () => {
  const cwd = folder({ "a.vmx": VMX, "b.vmx": VMX, "main.tf": tf("a") });
  const io = outside({ cwd, env: {}, isTerminal: false, print: () => {} });
  let looks = 0;
  const budget = () => (++looks > 2 ? "the run took more than 10 minutes" : undefined);
  const run = await lintFiles({ patterns: ["."], tolerates: ["over"], budget }, io);
  expect([...run.files()].map(({ path }) => path)).toEqual(["a.vmx", "main.tf"]);
  expect([...run.unchecked.over]).toEqual([[join(cwd, "b.vmx"), "the run took more than 10 minutes"]]);
});
