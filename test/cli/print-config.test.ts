import { rules } from "@vmlint/core";
import { outputSchema } from "@vmlint/core/output-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const FILES = {
  "vmlint.yaml": `extends: [./s/base.yaml, mssql]
host: lab
overrides:
  - vms: [sql01]
    rules: { latency/high: off }
    workload: { kind: mssql, edition: standard, version: 2019 }
  - files: [other/**]
    host: dl580g7
`,
  "s/base.yaml": `hosts:
  lab: { esxi: 8.0, cpu: "2x Xeon Gold 6148", snc: 2 }
ignore: [old]
baseline: known.json
`,
  "a.vmx": `# vmlint: version=2022\ndisplayName = "sql01"\nnumvcpus = "8"\n`,
};

/** The values that a run prints, without the rules at their defaults: key, value, origin. */
function printed(cwd: string, args: readonly string[]): readonly string[] {
  const { code, out, err } = vmlint(cwd, args);
  expect([code, err]).toEqual([0, ""]);
  return out
    .split("\n")
    .map((line) => line.trim().replace(/ {2,}/g, " | "))
    .filter((line) => !/^rules\.(?!latency\/high )/.test(line));
}

test("the JSON matches the schema, and the JSON of doctor does too", () => {
  const cwd = folder({
    ...FILES,
    "esx.txt": "pack:2 numa:2 core:12 pu:2\n",
    "dump/vmlint.yaml": "host: esx\nhosts: { esx: { from: ../esx.txt } }\n",
  });
  const fits = new Ajv2020({ strict: false }).compile(outputSchema as object);
  for (const args of [["--print-config", "a.vmx"], ["--print-config", "dump"], ["--print-config", ".", "--host", "dl580g7"], ["doctor"]]) {
    const { code, out } = vmlint(cwd, [...args, "--format", "json"]);
    fits(JSON.parse(out));
    expect([code, fits.errors], args.join(" ")).toEqual([0, null]);
  }
});

describe("--print-config", () => {
  test("prints each value with the file and line that sets it", () => {
    expect(printed(folder(FILES), ["--print-config", "a.vmx"])).toEqual([
      "a.vmx | sql01 | by vmlint.yaml, which extends s/base.yaml",
      "extends | ./s/base.yaml | vmlint.yaml:1:11",
      "extends | mssql | vmlint.yaml:1:26",
      "ignore | old | s/base.yaml:3:10",
      "host | lab | vmlint.yaml:2:7",
      "host.sockets | 2 | s/base.yaml:2:26",
      "host.coresPerSocket | 20 | s/base.yaml:2:26",
      "host.threadsPerCore | 2 | s/base.yaml:2:26",
      "host.numaNodes | 4 | s/base.yaml:2:52",
      "host.mhz | 2400 | s/base.yaml:2:26",
      "host.cpu | Intel Xeon Gold 6148 | s/base.yaml:2:26",
      "host.esxi | 8.0 | s/base.yaml:2:16",
      "workload.kind | mssql | vmlint.yaml:6:23",
      "workload.edition | standard | vmlint.yaml:6:39",
      "workload.version | 2022 | a.vmx:1:19",
      "baseline | s/known.json | s/base.yaml:4:11",
      "rules.latency/high | off | vmlint.yaml:5:28",
      "",
    ]);
  });

  test("the command line, overrides by path and built-in values", () => {
    const cwd = folder(FILES);
    const cores = (args: readonly string[]) => printed(cwd, args).filter((line) => /^host( |\.sockets)/.test(line));
    expect(cores(["--print-config", "a.vmx", "--host", "2x8x2@7.0"])).toEqual([
      "host | 2x8x2@7.0 | command line",
      "host.sockets | 2 | command line",
    ]);
    expect(cores(["--print-config", "other/b.vmx"])).toEqual(["host | dl580g7 | vmlint.yaml:8:11", "host.sockets | 4 | built-in"]);
  });

  test("without a configuration all are defaults", () => {
    const lines = printed(folder({ "a.vmx": `numvcpus = "1"\n` }), ["--print-config", "a.vmx"]);
    expect(lines.slice(0, 4)).toEqual([
      "a.vmx | by no configuration",
      "extends | recommended | default",
      "host | null | default",
      "baseline | vmlint-baseline.json | default",
    ]);
  });

  test("as JSON, with every rule, for each VM, and places counted from 0 as in reports", () => {
    const cwd = folder({ ...FILES, "a.vmx": FILES["a.vmx"] });
    const { code, out, err } = vmlint(cwd, ["--print-config", "a.vmx", "--format", "json"]);
    expect([code, err]).toEqual([0, ""]);
    const [{ path, vm, configurations, values }, ...others] = JSON.parse(out).checked;
    expect([path, vm, configurations, others]).toEqual(["a.vmx", "sql01", ["s/base.yaml", "vmlint.yaml"], []]);
    const origin = { from: "file", path: "vmlint.yaml", line: 1, column: 6 };
    expect(values.find(({ key }: { key: string }) => key === "host")).toEqual({ key: "host", value: "lab", origin });
    const named = values.map(({ key }: { key: string }) => key).filter((key: string) => key.startsWith("rules."));
    expect(named).toEqual(rules.map(({ id }) => `rules.${id}`));
  });

  test("a folder, and a missing path", () => {
    const cwd = folder(FILES);
    expect(printed(cwd, ["--print-config", "."])[0]).toBe(". | by vmlint.yaml, which extends s/base.yaml");
    expect(printed(cwd, ["--print-config", "nope/x.vmx"])[0]).toBe("nope/x.vmx | by vmlint.yaml, which extends s/base.yaml");
  });

  test.each<[readonly string[], string]>([
    [["--print-config", "a.vmx", "b.vmx"], "--print-config takes one path."],
    [["--print-config", "a.vmx", "--format", "sarif"], '--format of vmlint --print-config takes text or json, not "sarif".'],
  ])("%s is refused", (args, expected) => {
    expect(vmlint(folder(FILES), args)).toEqual({
      code: 2,
      out: expect.stringMatching(/^$|"error"|"executionSuccessful": false/),
      err: `vmlint: ${expected}\n`,
    });
  });
});
