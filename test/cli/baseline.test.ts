import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const vm = (name: string, memory = "half") => `displayName = "${name}"\nnumvcpus = "4"\nmemSize = "${memory}"\n`;
const entry = (path: string, name: string, value = "half") =>
  `    { "path": "${path}", "vm": "${name}", "rule": "vmx/type", "value": "${value}" }`;
const baseline = (...entries: string[]) => `{\n  "schemaVersion": 1,\n  "findings": [\n${entries.join(",\n")}\n  ]\n}\n`;
const NAME = "vmlint-baseline.json";
const STALE = (advice: string) =>
  `vmlint: ${NAME}: 1 entry is no longer found; vmlint --prune-baseline removes it${advice}.\n  a.vmx: vmx/type of "half"\n`;
/** Each test sets CI itself, so that the machine of the test run does not matter. */
const HERE = { CI: "" };
const read = (cwd: string, name = NAME) => readFileSync(join(cwd, name), "utf8");

/** Two VMs with a finding each, both known. */
function known(): string {
  const cwd = folder({ "vmlint.yaml": "", "b/b.vmx": vm("b"), "a.vmx": vm("a") });
  expect(vmlint(cwd, ["--update-baseline"], HERE)).toMatchObject({ code: 0, err: `vmlint: ${NAME} holds 2 known findings.\n` });
  return cwd;
}

describe("--update-baseline", () => {
  test("writes what is found, sorted, an entry a line; a run then hides it", () => {
    const cwd = known();
    expect(read(cwd)).toBe(baseline(entry("a.vmx", "a"), entry("b/b.vmx", "b")));
    expect(readdirSync(cwd).sort()).toEqual(["a.vmx", "b", NAME, "vmlint.yaml"]);
    const { code, out, err } = vmlint(cwd, [], HERE);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Nothing found so far in 2 VMs \(2 files\)\. .*\n(?: .*\n)*2 findings hidden: 2 in the baseline\.\n/);
    expect(JSON.parse(vmlint(cwd, ["--format", "json"], HERE).out).suppressed).toMatchObject([
      { path: "a.vmx", line: 3, by: "baseline", reason: "" },
      { path: "b/b.vmx", by: "baseline" },
    ]);
  });

  test("new findings are reported, and a run never adds to the file", () => {
    const cwd = known();
    writeFileSync(join(cwd, "a.vmx"), `# moved\n${vm("a")}nonsense\n`);
    const before = statSync(join(cwd, NAME)).mtimeMs;
    const { code, out } = vmlint(cwd, ["--format", "json"], HERE);
    expect([code, JSON.parse(out).diagnostics.map((d: { ruleId: string }) => d.ruleId)]).toEqual([1, ["vmx/malformed-line"]]);
    expect(statSync(join(cwd, NAME)).mtimeMs).toBe(before);
    expect(vmlint(cwd, ["--no-baseline", "--format", "json"], HERE).out.match(/"messageId"/g)).toHaveLength(3);
  });

  test("with part of the files it keeps the entries of all other files", () => {
    const cwd = known();
    writeFileSync(join(cwd, "a.vmx"), vm("a", "third"));
    vmlint(cwd, ["a.vmx", "--update-baseline"], HERE);
    expect(read(cwd)).toBe(baseline(entry("a.vmx", "a", "third"), entry("b/b.vmx", "b")));
  });

  test("is the same from a folder below, by the configuration's place", () => {
    const cwd = known();
    expect(vmlint(join(cwd, "b"), [], HERE).code).toBe(0);
    expect(vmlint(join(cwd, "b"), ["--update-baseline"], HERE).err).toBe(`vmlint: ../${NAME} holds 2 known findings.\n`);
    expect(read(cwd)).toBe(baseline(entry("a.vmx", "a"), entry("b/b.vmx", "b")));
  });

  test("without findings it writes no file", () => {
    const cwd = folder({ "a.vmx": vm("a", "4096") });
    expect(vmlint(cwd, ["--update-baseline"], HERE)).toMatchObject({
      code: 0,
      err: `vmlint: there are no findings, so ${NAME} is not written.\n`,
    });
    expect(existsSync(join(cwd, NAME))).toBe(false);
  });
});

describe("stale entries", () => {
  test("is named, fails a run in CI, and goes by --prune-baseline", () => {
    const cwd = known();
    writeFileSync(join(cwd, "a.vmx"), vm("a", "4096"));
    expect(vmlint(cwd, [], HERE)).toMatchObject({ code: 0, err: STALE("") });
    for (const CI of ["1", "true"]) expect(vmlint(cwd, [], { CI })).toMatchObject({ code: 1, err: STALE(". In CI this fails the run") });
    for (const CI of ["0", "false"]) expect(vmlint(cwd, [], { CI }).code).toBe(0);
    expect(vmlint(cwd, ["--prune-baseline"], { CI: "1" })).toMatchObject({ code: 0, err: `vmlint: ${NAME} holds 1 known finding.\n` });
    expect(read(cwd)).toBe(baseline(entry("b/b.vmx", "b")));
    expect(vmlint(cwd, [], { CI: "1" })).toMatchObject({ code: 0, err: "" });
  });

  test("--prune-baseline adds nothing", () => {
    const cwd = known();
    writeFileSync(join(cwd, "a.vmx"), `${vm("a", "third")}`);
    expect(vmlint(cwd, ["--prune-baseline"], HERE).code).toBe(1);
    expect(read(cwd)).toBe(baseline(entry("b/b.vmx", "b")));
  });

  test("entries of a deleted file are stale, entries of an unchecked file are not", () => {
    const cwd = known();
    expect(vmlint(cwd, ["b"], { CI: "1" })).toMatchObject({ code: 0, err: "" });
    rmSync(join(cwd, "a.vmx"));
    expect(vmlint(cwd, ["b"], { CI: "1" })).toMatchObject({ code: 1, err: STALE(". In CI this fails the run") });
  });

  test("a check that fails or is switched off keeps its earlier findings", () => {
    const pinned = 'displayName = "a"\nvirtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n';
    const cwd = folder({ "a.vmx": pinned, "vmlint.yaml": "host: dl580g7\n" });
    vmlint(cwd, ["--update-baseline"], HERE);
    const before = read(cwd);
    expect(before).toContain('"rule": "affinity/ht-siblings", "value": "0-7"');
    for (const config of ["", "host: dl580g7\nrules: { affinity/ht-siblings: off }\n"]) {
      writeFileSync(join(cwd, "vmlint.yaml"), config);
      expect(vmlint(cwd, [], { CI: "1" })).toMatchObject({ code: 0, err: "" });
      vmlint(cwd, ["--update-baseline"], HERE);
      expect(read(cwd)).toBe(before);
    }
  });
});

describe("in a partial run", () => {
  const CLEAN = 'displayName = "a"\nvirtualHW.version = "19"\nnumvcpus = "4"\n';
  const OVER = "{ rule: cpu/cps-divides, vm: x, until: 2020-01-01, reason: over }";
  const UNUSED = "{ rule: vmx/duplicate-key, vm: x, reason: nothing }";
  const PARTS = [["--changed"], ["--staged"], ["a.vmx"], ["prod"]];

  test("errors in a configuration match the baseline, and unused settings are not checked", () => {
    const cwd = folder({ "vmlint.yaml": `suppress: [${UNUSED}, ${OVER}]\n`, "a.vmx": CLEAN, "b.vmx": CLEAN, "prod/c.vmx": CLEAN });
    for (const args of [
      ["init", "-q"],
      ["add", "."],
    ])
      execFileSync("git", args, { cwd });
    expect(vmlint(cwd, ["--update-baseline"], HERE).err).toBe(`vmlint: ${NAME} holds 2 known findings.\n`);
    const before = read(cwd);
    for (const args of [[], ...PARTS]) expect([args, vmlint(cwd, args, { CI: "1" })]).toMatchObject([args, { code: 0, err: "" }]);
    expect(vmlint(join(cwd, "prod"), ["c.vmx"], { CI: "1" })).toMatchObject({ code: 0, err: "" });
    for (const wish of ["--prune-baseline", "--update-baseline"]) {
      vmlint(cwd, ["a.vmx", wish], HERE);
      expect(read(cwd)).toBe(before);
    }
    writeFileSync(join(cwd, "vmlint.yaml"), "");
    expect(vmlint(cwd, ["a.vmx"], HERE).err).toContain(`1 entry is no longer found`);
  });

  const MODULE = `variable "more" {}
resource "vsphere_virtual_machine" "v" {
  count                = var.more ? 1 : 0
  num_cpus             = 8
  num_cores_per_socket = 5
  memory               = 4096
  guest_id             = "ubuntu64Guest"
}
resource "vsphere_virtual_machine" "w" {
  num_cpus             = 8
  num_cores_per_socket = 3
  memory               = 4096
  guest_id             = "ubuntu64Guest"
}
`;
  const call = (name: string, more: boolean) => `module "${name}" {\n  source = "../mod"\n  more   = ${more}\n}\n`;
  const FILES = { "vmlint.yaml": "", "mod/main.tf": MODULE, "a/main.tf": call("a", false), "b/main.tf": call("b", true) };

  test("entries of a module hide its findings and do not become stale", () => {
    const cwd = folder(FILES);
    vmlint(cwd, ["--update-baseline"], HERE);
    for (const args of [[], ["a"], ["a/main.tf"]]) expect(vmlint(cwd, args, { CI: "1" })).toMatchObject({ code: 0, err: "" });
    expect(vmlint(cwd, ["a", "--fix-unsafe"], { CI: "1" })).toMatchObject({ code: 0, err: "" });
    expect(read(cwd, "mod/main.tf")).toBe(MODULE);
  });

  test.each<[string, Record<string, string>]>([
    ["the configuration above", { "vmlint.yaml": 'suppress: [{ rule: cpu/cps-divides, path: "mod/**", reason: x }]\n' }],
    ["its own configuration", { "mod/vmlint.yaml": "suppress: [{ rule: cpu/cps-divides, reason: x }]\n" }],
  ])("an entry that %s has for a module applies to every caller", (_, more) => {
    const cwd = folder({ ...FILES, ...more });
    for (const args of [[], ["a"], ["a", "--fix-unsafe"]]) expect(vmlint(cwd, args, HERE)).toMatchObject({ code: 0, err: "" });
    expect(read(cwd, "mod/main.tf")).toBe(MODULE);
    for (const path of Object.keys(more)) writeFileSync(join(cwd, path), "");
    expect(vmlint(cwd, ["a"], HERE).code).toBe(1);
  });
});

test("a finding about VMs of one machine is new if VMs were added, and known if VMs were removed", () => {
  const config = `host: h
hosts: { h: { esxi: "5.5", sockets: 4, coresPerSocket: 10, threadsPerCore: 2, runs: ["*"] } }
workload: { kind: mssql }
extends: [ft]
rules: { host/overcommit: info }
`;
  const big = (name: string) => `displayName = "${name}"\nvirtualHW.version = "10"\nnumvcpus = "30"\n`;
  const cwd = folder({ "vmlint.yaml": config, "1.vmx": big("1"), "2.vmx": big("2"), "3.vmx": big("3") });
  const found = () => JSON.parse(vmlint(cwd, ["--format", "json"], HERE).out).diagnostics.map((one: { data: unknown }) => one.data);
  expect(vmlint(cwd, ["--update-baseline"], HERE).err).toBe(`vmlint: ${NAME} holds 1 known finding.\n`);
  expect(read(cwd)).toContain('"rule": "host/overcommit", "value": "30", "vms": 3 }');
  expect(found()).toEqual([]);
  writeFileSync(join(cwd, "4.vmx"), big("4"));
  expect(found()).toMatchObject([{ vms: 4, vcpus: 120 }]);
  for (const gone of ["4.vmx", "3.vmx"]) rmSync(join(cwd, gone));
  expect(found()).toEqual([]);
  expect(vmlint(cwd, [], { CI: "1" })).toMatchObject({ code: 0, err: "" });
  expect(vmlint(cwd, ["--update-baseline"], HERE).err).toBe(`vmlint: ${NAME} holds 1 known finding.\n`);
  writeFileSync(join(cwd, "3.vmx"), big("3"));
  expect(found()).toMatchObject([{ vms: 3, vcpus: 90 }]);
});

describe("the path of the baseline", () => {
  test("baseline: in the configuration, and --baseline in place of it", () => {
    const cwd = folder({ "vmlint.yaml": "baseline: ci/known.json\n", "ci/x": "", "a.vmx": vm("a") });
    vmlint(cwd, ["--update-baseline"], HERE);
    expect(read(cwd, "ci/known.json")).toBe(baseline(entry("../a.vmx", "a")));
    expect(vmlint(cwd, [], HERE).code).toBe(0);
    expect(vmlint(cwd, ["--baseline", "other.json", "--update-baseline"], HERE).err).toBe("vmlint: other.json holds 1 known finding.\n");
    expect(read(cwd, "other.json")).toBe(baseline(entry("a.vmx", "a")));
    rmSync(join(cwd, "ci/known.json"));
    expect(vmlint(cwd, [], HERE).code).toBe(1);
    expect(vmlint(cwd, ["--baseline", "other.json"], HERE).code).toBe(0);
  });

  test.each([
    [["--baseline", "none.json"], "none.json does not exist: vmlint --update-baseline --baseline none.json writes it."],
    [["--update-baseline", "--prune-baseline"], "--update-baseline, --prune-baseline and --no-baseline exclude each other."],
    [["--baseline", "b.json", "--no-baseline"], "--baseline and --no-baseline exclude each other."],
    [["--baseline", "main.tf", "--update-baseline"], "main.tf cannot be a baseline: the name must end in .json."],
    [["--no-baseline", "--update-baseline"], "--update-baseline, --prune-baseline and --no-baseline exclude each other."],
    [["--diff", "--update-baseline"], "--diff writes nothing. It excludes --update-baseline and --prune-baseline."],
  ])("vmlint %j is refused", (args, message) => {
    expect(vmlint(folder({ "a.vmx": vm("a") }), args, HERE)).toEqual({ code: 2, out: "", err: `vmlint: ${message}\n` });
  });

  test("is written into a folder that is not there yet", () => {
    const cwd = folder({ "a.vmx": vm("a") });
    const args = ["--update-baseline", "--baseline", "ci/vm/known.json"];
    expect(vmlint(cwd, args, HERE)).toMatchObject({ code: 0, err: "vmlint: ci/vm/known.json holds 1 known finding.\n" });
    expect(read(cwd, "ci/vm/known.json")).toBe(baseline(entry("../../a.vmx", "a")));
  });

  test("a link that leads nowhere stays, and a configuration has none written outside of its folder", () => {
    const cwd = folder({ "a.vmx": vm("a"), "in/vmlint.yaml": "baseline: ../out/deep/b.json\n", "in/a.vmx": vm("a") });
    symlinkSync("gone.json", join(cwd, NAME));
    const linked = vmlint(cwd, ["a.vmx", "--update-baseline"], HERE);
    expect([linked.code, linked.err]).toEqual([2, `vmlint: ${NAME} was not written: it is a link that leads nowhere.\n`]);
    expect(lstatSync(join(cwd, NAME)).isSymbolicLink()).toBe(true);
    const outside = vmlint(join(cwd, "in"), ["--update-baseline"], HERE);
    const name = "../out/deep/b.json";
    const why = `vmlint: ${name} is not there, and lies outside of its configuration's folder: --baseline ${name} writes it.\n`;
    expect([outside.code, outside.err]).toEqual([2, why]);
    expect(existsSync(join(cwd, "out"))).toBe(false);
    expect(vmlint(join(cwd, "in"), ["--update-baseline", "--baseline", name], HERE).code).toBe(0);
    const read = vmlint(join(cwd, "in"), [], HERE);
    expect([read.code, read.err]).toEqual([2, expect.stringContaining("lies outside of the workspace")]);
    expect(vmlint(join(cwd, "in"), ["--baseline", name], HERE).code).toBe(0);
  });

  test("the error names a baseline that may not be read", () => {
    const cwd = folder({ "a.vmx": vm("a"), [NAME]: baseline() });
    chmodSync(join(cwd, NAME), 0o000);
    const { code, err } = vmlint(cwd, [], HERE);
    // root may read anything
    if (process.getuid?.() === 0) expect([code, err]).toEqual([1, ""]);
    else expect([code, err]).toEqual([2, `vmlint: ${join(cwd, NAME)} cannot be read (EACCES).\n`]);
  });

  test("a broken file is refused with its line", () => {
    const { code, out, err } = vmlint(folder({ "a.vmx": vm("a"), [NAME]: "{\n  oops\n}\n" }), [], HERE);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(`vmlint: ${NAME}:2: This is not JSON. Remove the file, and vmlint --update-baseline writes a new one.\n`);
  });
});

test("--fix leaves what is in the baseline, and --no-baseline --fix does not", () => {
  const twice = 'displayName = "a"\nnumvcpus = "4"\nnumvcpus = "4"\n';
  const cwd = folder({ "a.vmx": twice });
  vmlint(cwd, ["--update-baseline"], HERE);
  expect(vmlint(cwd, ["--fix"], HERE)).toMatchObject({ code: 0, err: "" });
  expect(read(cwd, "a.vmx")).toBe(twice);
  expect(vmlint(cwd, ["--fix", "--no-baseline"], HERE).err).toContain("fixed vmx/duplicate-key");
});

test("git merges what two branches added", () => {
  const cwd = folder({
    base: baseline(entry("b.vmx", "b"), entry("d.vmx", "d"), entry("f.vmx", "f")),
    ours: baseline(entry("a.vmx", "a"), entry("b.vmx", "b"), entry("d.vmx", "d"), entry("f.vmx", "f")),
    theirs: baseline(entry("b.vmx", "b"), entry("d.vmx", "d"), entry("e.vmx", "e"), entry("f.vmx", "f")),
  });
  execFileSync("git", ["merge-file", "ours", "base", "theirs"], { cwd });
  expect(read(cwd, "ours")).toBe(baseline(...["a", "b", "d", "e", "f"].map((name) => entry(`${name}.vmx`, name))));
});

test("--prune-baseline repairs a file that lost a comma in a merge, and does not change it again", () => {
  const cwd = known();
  const [first = "", second = ""] = [entry("a.vmx", "a"), entry("b/b.vmx", "b")];
  writeFileSync(join(cwd, NAME), baseline(`${first}\n${second}`));
  expect(vmlint(cwd, [], HERE)).toMatchObject({ code: 0, err: "" });
  expect(vmlint(cwd, ["--prune-baseline"], HERE)).toMatchObject({ code: 0, err: `vmlint: ${NAME} holds 2 known findings.\n` });
  expect(read(cwd)).toBe(baseline(first, second));
  expect(vmlint(cwd, ["--prune-baseline"], HERE)).toMatchObject({ code: 0, err: "" });
});
