import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputSchema } from "@vmlint/core/output-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { OPTIONS } from "../../packages/cli/src/options.ts";
import { vmlint } from "../support/cli.ts";
import { folder, writeHuge } from "../support/folder.ts";

const VM = `numvcpus = "4"\nnumvcpus = "4"\n`;
const CLEAN = `virtualHW.version = "19"\nnumvcpus = "2"\n`;
const FILES = Object.fromEntries(["a", "b", "c/d", "c/e", "f"].map((name) => [`${name}.vmx`, VM]));

describe("--shard and merge", () => {
  test("the reports of all shards, joined, are that of one run", () => {
    // The files skip different checks.
    const more = { "b.vmx": VM.replaceAll("4", "${x}"), "c/e.vmx": `${VM}virtualHW.version = "\${x}"\n` };
    const cwd = folder({ ...FILES, ...more });
    const whole = vmlint(cwd, ["--format", "json"]);
    const parts = ["1/3", "2/3", "3/3"].map((shard, i) => {
      const { out } = vmlint(cwd, ["--shard", shard, "--format", "json"]);
      writeFileSync(join(cwd, `${i}.report`), out);
      return `${i}.report`;
    });
    const reports = parts.map((part) => JSON.parse(readFileSync(join(cwd, part), "utf8")));
    expect(reports.map(({ shard }) => [shard.index, shard.of])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(reports.reduce((total, { summary }) => total + summary.files, 0)).toBe(5);
    const fits = new Ajv2020({ strict: false }).compile(outputSchema as object);
    expect(reports.map((report) => fits(report))).toEqual([true, true, true]);
    const merged = vmlint(cwd, ["merge", ...parts]);
    expect(merged).toEqual(whole);
    expect(fits(JSON.parse(merged.out))).toBe(true);
    expect(vmlint(cwd, ["merge", ...parts, "--fail-on", "error"]).code).toBe(vmlint(cwd, ["--fail-on", "error"]).code);
  });

  test("a finding in two reports is an error", () => {
    const cwd = folder({ ...FILES, "vmlint.yaml": "suppress: [{ path: f.vmx, reason: old }]\n" });
    const report = (name: string, ...args: readonly string[]) =>
      writeFileSync(join(cwd, name), vmlint(cwd, [...args, "--format", "json"]).out);
    report("whole.json");
    report("copy.json");
    report("f.json", "f.vmx");
    const refused = (...names: readonly string[]) => vmlint(cwd, ["merge", ...names]);
    const both = (names: string, path: string) =>
      `vmlint: ${names} both have vmx/duplicate-key at ${path}:2. Were the shards run on the same files?\n`;
    expect(refused("whole.json", "copy.json")).toEqual({ code: 2, out: "", err: both("whole.json and copy.json", "a.vmx") });
    expect(refused("f.json", "whole.json").err).toBe(both("f.json and whole.json", "f.vmx"));
  });

  test("needs each shard of one run exactly once, because a missing shard would pass for clean", () => {
    // The files have no findings, so no finding can identify them.
    const cwd = folder({ "a.vmx": CLEAN, "b.vmx": CLEAN, "c.vmx": CLEAN, "d.vmx": CLEAN });
    const report = (name: string, shard: string) => vmlint(cwd, ["--shard", shard, "--format", `json:${name}`]);
    for (const shard of ["1/3", "2/3", "3/3", "2/4"]) report(shard.replace("/", "of"), shard);
    report("copy", "2/3");
    const merged = (...names: readonly string[]) => vmlint(cwd, ["merge", ...names]);
    expect(merged("1of3", "3of3")).toEqual({
      code: 2,
      out: "",
      err: "vmlint: The report of shard 2/3 is missing. Add it to the list.\n",
    });
    expect(merged("1of3", "2of3", "copy").err).toBe("vmlint: 2of3 and copy are both shard 2/3: its files would count twice.\n");
    expect(merged("1of3", "2of4", "3of3").err).toBe("vmlint: 1of3 is one of 3 shards and 2of4 one of 4. They come from different runs.\n");
    const { code, out } = merged("2of3", "3of3", "1of3");
    expect([code, JSON.parse(out).shard, JSON.parse(out).summary.files]).toEqual([0, undefined, 4]);
  });

  test("reports by two hosts hold the same files, and other findings", () => {
    const cwd = folder({ "a.vmx": `virtualHW.version = "19"\nnumvcpus = "40"\n` });
    for (const host of ["2x8x1@7.0", "4x8x1@7.0"]) {
      writeFileSync(join(cwd, `${host}.json`), vmlint(cwd, ["--host", host, "--format", "json"]).out);
    }
    const { code, out } = vmlint(cwd, ["merge", "2x8x1@7.0.json", "4x8x1@7.0.json"]);
    expect([code, JSON.parse(out).diagnostics.map(({ host }: { host: string }) => host)]).toEqual([1, ["2x8x1@7.0", "4x8x1@7.0"]]);
  });

  // Root may read every file, but not the memory at an unmapped address.
  test.runIf(process.platform === "linux")("unreadable files of a shard appear in its report, and once in the merged report", () => {
    const cwd = folder({ "a.vmx": CLEAN });
    for (const name of ["b.vmx", "c.json"]) writeHuge(join(cwd, name));
    const reports = ["1/2", "2/2"].map((shard, i) => {
      expect(vmlint(cwd, ["--shard", shard, "--format", `json:${i}.report`, "--format", `ndjson:${i}.lines`]).code).toBe(2);
      const [first = ""] = readFileSync(join(cwd, `${i}.lines`), "utf8").split("\n");
      const report = JSON.parse(readFileSync(join(cwd, `${i}.report`), "utf8"));
      expect(JSON.parse(first).unread).toEqual(report.unread);
      return report.unread;
    });
    expect(reports).toEqual([["b.vmx", "c.json"], ["c.json"]]);
    const { code, out, err } = vmlint(cwd, ["merge", "0.report", "1.report"]);
    expect([code, JSON.parse(out).unread]).toEqual([2, ["b.vmx", "c.json"]]);
    expect(err).toBe("vmlint: b.vmx is not checked: it could not be read.\nvmlint: c.json is not checked: it could not be read.\n");
    expect(new Ajv2020({ strict: false }).validate(outputSchema as object, JSON.parse(out))).toBe(true);
  });

  test("prints no note about cross-VM checks unless VMs share a machine", () => {
    expect(vmlint(folder(FILES), ["--host", "2x8x1@7.0", "--shard", "1/2"]).err).toBe("");
  });

  test("a shard skips cross-VM checks and reports this", () => {
    const pinned = `virtualHW.version = "19"\nnumvcpus = "2"\nsched.cpu.affinity = "0,1"\n`;
    const cwd = folder({ "a.vmx": pinned, "b.vmx": pinned, "c.vmx": pinned });
    const args = ["--together", "--host", "2x8x1@7.0"];
    expect(vmlint(cwd, args).out).toContain("affinity/overlap");
    const part = vmlint(cwd, [...args, "--shard", "1/2"]);
    expect(part.out).not.toContain("affinity/overlap");
    const told = "vmlint: cross-VM checks skipped: only part of the files were checked.\n";
    expect(part.err).toBe(told);
    const fits = new Ajv2020({ strict: false }).compile(outputSchema as object);
    const shards = ["1/2", "2/2"].map((shard, i) => {
      vmlint(cwd, [...args, "--shard", shard, "--format", `json:${i}.report`]);
      const report = JSON.parse(readFileSync(join(cwd, `${i}.report`), "utf8"));
      expect(fits(report)).toBe(true);
      return report.shard;
    });
    expect(shards).toMatchObject([1, 2].map((index) => ({ index, of: 2 })));
    expect(shards.some(({ vmsAlone }) => vmsAlone)).toBe(true);
    expect(vmlint(cwd, ["merge", "0.report", "1.report"]).err).toBe(told);
  });

  test.each<[readonly string[], string]>([
    [["--shard", "0/2"], '--shard takes N/M, such as 2/3 for part 2 of 3, not "0/2".'],
    [["--shard", "3/2"], '--shard takes N/M, such as 2/3 for part 2 of 3, not "3/2".'],
    [["--shard", "x"], '--shard takes N/M, such as 2/3 for part 2 of 3, not "x".'],
    [["merge"], "vmlint merge takes the reports to join: vmlint merge a.json b.json."],
    [["merge", "nope.json"], expect.stringContaining("nope.json does not exist.")],
    [["merge", "a.vmx"], expect.stringContaining("a.vmx is not a report of vmlint --format json: ")],
    [["merge", "no.json"], "no.json is not a report of vmlint --format json: it is not marked as such."],
    [["merge", "no.json", "./no.json"], "./no.json is given twice: its findings would count twice."],
    [["merge", "failed.json"], "failed.json is not a report of vmlint --format json: its run failed (nope.vmx does not exist.)."],
    [["merge", "null.json"], "null.json is not a report of vmlint --format json: one of its findings has no path."],
  ])("%s is refused", (args, expected) => {
    const cwd = folder({ ...FILES, "no.json": "{}" });
    writeFileSync(join(cwd, "failed.json"), vmlint(cwd, ["nope.vmx", "--format", "json"]).out);
    writeFileSync(join(cwd, "null.json"), vmlint(cwd, ["--format", "json"]).out.replace(/"suppressed": \[/, '"suppressed": [null'));
    const { code, out, err } = vmlint(cwd, args);
    expect({ code, out, err: err.replace(/^vmlint: |\n$/g, "") }).toEqual({ code: 2, out: "", err: expected });
  });
});

describe("an input that is not a report of vmlint", () => {
  const report = {
    schemaVersion: 1,
    tool: { name: "vmlint", version: "0.1.0" },
    diagnostics: [],
    skipped: [],
    suppressed: [],
    summary: { files: 1, vms: 1, error: 0, warning: 0, info: 0, hint: 0 },
  };
  test.each<[string, object]>([
    ["one of its findings has no path", { diagnostics: [null, null] }],
    ["one of its findings has no path", { diagnostics: [{ path: { a: 1 }, severity: "error" }] }],
    ["one of its findings has no line", { diagnostics: [{ path: "a.vmx", severity: "error", range: null }] }],
    ["one of its findings has no line", { suppressed: [{ path: "a.vmx", range: {} }] }],
    ["one of its findings has no severity", { diagnostics: [{ path: "a.vmx", severity: "fatal" }] }],
    ["one of its findings has no path", { suppressed: [1, 2] }],
    ["one of its skipped checks lacks its rule, reason or count", { skipped: [null] }],
    ["its summary lacks counts", { summary: null }],
    ["an unread file has no path", { unread: "a.vmx" }],
    ["an unread file has no path", { unread: [1] }],
    ["its shard is none", { shard: null }],
    ["its shard is none", { shard: { index: 3, of: 2 } }],
    ["its shard is none", { shard: { index: "1", of: 2 } }],
  ])("%s", (reason, part) => {
    const cwd = folder({ "whole.json": JSON.stringify(report), "a.json": JSON.stringify({ ...report, ...part }) });
    expect(vmlint(cwd, ["merge", "whole.json"]).code).toBe(0);
    expect(vmlint(cwd, ["merge", "a.json"])).toEqual({
      code: 2,
      out: "",
      err: `vmlint: a.json is not a report of vmlint --format json: ${reason}.\n`,
    });
  });

  test("a report that is nested too deeply is rejected, and is not taken for a clean one", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const cwd = folder({
      "deep.json": JSON.stringify({ ...report, diagnostics: [{ path: "a.vmx", severity: "error", data: 0 }] }).replace(
        /"data":0/,
        `"data":${deep}`,
      ),
      "fine.json": JSON.stringify({ ...report, error: null }),
    });
    expect(vmlint(cwd, ["merge", "deep.json", "fine.json"])).toEqual({
      code: 2,
      out: "",
      err: "vmlint: deep.json is not a report of vmlint --format json: it is nested too deeply.\n",
    });
    expect(vmlint(cwd, ["merge", "fine.json"]).code).toBe(0);
  });
});

describe("completion", () => {
  const script = (shell: string) => vmlint(folder({}), ["completion", shell]).out;

  test.each(["bash", "zsh", "fish", "pwsh"])("for %s knows every option", (shell) => {
    const text = script(shell);
    for (const name of Object.keys(OPTIONS)) expect(text).toMatch(new RegExp(`(--|-l )${name}\\b`));
  });

  test.each([
    ["vmlint --fo", ["--force-exclude", "--format", "--format-in"]],
    ["vmlint --format s", ["sarif", "summary", "svg"]],
    ["vmlint --fail-on e", ["error"]],
    ["vmlint to", ["topology"]],
    ["vmlint schema c", ["config"]],
    ["vmlint --color a", ["always", "auto"]],
    ["vmlint explain cpu/max-", ["cpu/max-cps-hw", "cpu/max-sockets-hw", "cpu/max-vcpus-hw"]],
    ["vmlint --config x", []],
    ["vmlint --changed --fo", ["--force-exclude", "--format", "--format-in"]],
  ])("in bash %s is completed", (line, expected) => {
    const words = line.split(" ");
    const run = `${script("bash")}\nCOMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _vmlint; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", run], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.split("\n").filter(Boolean).sort()).toEqual(expected);
  });

  test("in fish --config completes the next word, and --changed does not", () => {
    expect(script("fish")).toMatch(/-l changed$/m);
    expect(script("fish")).toMatch(/-l config -r$/m);
  });

  test("in zsh the first TAB, which loads the script from $fpath, is answered", () => {
    expect(script("zsh")).toMatch(/\nif \[ "\$funcstack\[1\]" = _vmlint \]; then _bash_complete -o default -F _vmlint; fi\n$/);
  });

  test("an unknown shell is refused", () => {
    expect(vmlint(folder({}), ["completion", "cmd"]).err).toBe("vmlint: vmlint completion takes one shell: bash, zsh, fish, pwsh.\n");
  });
});

test("--timing prints the times of steps and slowest rules to stderr, and changes neither report nor exit code", () => {
  const cwd = folder(FILES);
  for (const format of ["text", "json"]) {
    const { code, out } = vmlint(cwd, ["--format", format]);
    const timed = vmlint(cwd, ["--format", format, "--timing"]);
    expect([timed.code, timed.out]).toEqual([code, out]);
    const told = timed.err.trimEnd().split("\n");
    expect(told.slice(0, 4).map((line) => line.replace(/[\d.]+ ms/, "N ms"))).toEqual([
      "vmlint: N ms finding files and configurations.",
      "vmlint: N ms reading and checking 5 files.",
      "vmlint: N ms checking VMs together, suppressions and baseline.",
      "vmlint: N ms reporting.",
    ]);
    expect(told.slice(4).join("\n")).toMatch(/^(vmlint: [\d.]+ ms [a-z-]+\/[a-z-]+, \d+ checks?\.\n?){1,10}$/);
  }
});

describe("doctor", () => {
  test("shows the configuration and the files, and continues after an error", () => {
    const cwd = folder({ ...FILES, "vmlint.yaml": "host: lab\nhosts: { lab: { sockets: 2, coresPerSocket: 4 } }\n" });
    const { code, out } = vmlint(cwd, ["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^configuration +vmlint\.yaml$/m);
    expect(out).toMatch(/^hosts +lab$/m);
    expect(out).toMatch(/^files +5 with 5 VMs, 5 of them with a host; 1 configuration$/m);
    expect(vmlint(folder({ "a.vmx": VM }), ["doctor"]).out).toMatch(/^files +1 with 1 VM, 0 of them with a host; 0 configurations$/m);
    expect(out).toMatch(/^plugins +none$/m);
    expect(out).toContain("\nTo report a bug, paste these lines, ");
    writeFileSync(join(cwd, "vmlint.yaml"), "host: lba\n");
    const wrong = vmlint(cwd, ["doctor", "--format", "json"]);
    expect([wrong.code, JSON.parse(wrong.out).found.configuration]).toEqual([0, 'WRONG: vmlint.yaml:1:7: There is no host "lba".']);
  });
});
