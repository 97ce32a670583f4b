import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const CONFIG = `host: a\nhosts:\n  a: { cpu: "2x Xeon Gold 6148", esxi: "8.0", memoryGiB: 768, snc: 2 }\n`;
const lab = () => folder({ "vmlint.yaml": CONFIG, "a.vmx": `virtualHW.version = "20"\nnumvcpus = "16"\n` });

describe("vmlint cpus", () => {
  test("lists matching processors with their facts", () => {
    const { code, out } = vmlint(lab(), ["cpus", "EPYC", "7232P"]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "processor   cores  threads  MHz   L3 groups  NUMA nodes  sockets  sources",
        "EPYC 7232P  8      16       3100  4 x 2      nps 1, 2    1        amd-specifications, spec-cpu2017, quattor-hardware, dell-r6525-nps",
        "",
      ].join("\n"),
    );
  });

  test("takes the name that a machine shows", () => {
    const { code, out } = vmlint(lab(), ["cpus", "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^processor .*\nXeon Gold 6148 .*\n$/)]);
  });

  test("says where other modes are not known", () => {
    expect(vmlint(lab(), ["cpus", "Gold", "6430"]).out).toContain("snc 1, 2, ?");
  });

  test("without a text lists all of them", () => {
    expect(vmlint(lab(), ["cpus"]).out.trimEnd().split("\n").length).toBeGreaterThan(600);
  });

  test("as JSON, with the sources the rows name", () => {
    const { cpus, sources } = JSON.parse(vmlint(lab(), ["cpus", "2x Xeon Gold 6148", "--format", "json"]).out);
    expect(cpus).toEqual([
      expect.objectContaining({ name: "Xeon Gold 6148", cores: 20, threadsPerCore: 2, mhz: 2400, setting: "snc", nodesPerSocket: [1, 2] }),
      expect.objectContaining({ name: "Xeon Gold 6148F", maxSockets: 2 }),
    ]);
    const keys = sources.map(({ key }: { key: string }) => key);
    expect(keys).toEqual(["intel-ark", "spec-cpu2017", "quattor-hardware", "gigabyte-purley-settings"]);
  });

  test("an unknown processor exits 2 and lists similar names", () => {
    const { code, out, err } = vmlint(lab(), ["cpus", "E5-2698", "v5"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^vmlint: vmlint knows no processor "E5-2698 v5"\. Did you mean Xeon E5-2698 v[34]/);
  });
});

test("--host takes processors, and refuses impossible ones", () => {
  const cwd = folder({ "a.vmx": 'virtualHW.version = "20"\nnumvcpus = "24"\n' });
  const topology = vmlint(cwd, ["topology", "--host", "2x Xeon Gold 6148:768@8.0"]);
  expect(topology).toMatchObject({ code: 0, out: expect.stringContaining("Intel Xeon Gold 6148, 2 NUMA nodes x 20 cores") });
  expect(vmlint(cwd, ["host", "2x EPYC 7763/4@8.0", "--format", "json"]).out).toContain('"shortForm": "2x64x2/4@8.0"');
  const cpuOf = (host: string) => vmlint(cwd, ["host", host]).out;
  expect(cpuOf("2x 6787P")).toContain("Intel Xeon 6787P");
  expect(cpuOf("2x 7742:512@8.0")).toContain("AMD EPYC 7742");
  expect(cpuOf("2x 7773X")).toContain("AMD EPYC 7773X");
  expect(cpuOf("2x 7F32")).toContain("AMD EPYC 7F32");
  expect(cpuOf("2x 73F3@8.0")).toContain("AMD EPYC 73F3");
  for (const form of ["2x10", "4x24x0", "2x8x16x"])
    expect(vmlint(cwd, ["--host", form]).err).toContain(`"${form}" is not a short form of a host`);
  expect(vmlint(cwd, ["--host", "4x2000x2"]).err).toContain('Host "4x2000x2" cannot exist');
  const wrong = vmlint(cwd, ["--host", "2x Xeon Gold 614"]);
  expect([wrong.code, wrong.out]).toEqual([2, ""]);
  expect(wrong.err).toMatch(/^vmlint: vmlint knows no processor "Xeon Gold 614"\. Did you mean Xeon Gold 614/);
});

test("every command's JSON keeps to the published schema", () => {
  const cwd = folder({ "a.vmx": 'numvcpus = "4"\n' });
  const validate = new Ajv2020().compile(JSON.parse(vmlint(cwd, ["schema", "output"]).out));
  for (const args of [[], ["topology"], ["host", "dl580g7"], ["cpus", "6148"], ["rules"]]) {
    expect([args, validate(JSON.parse(vmlint(cwd, [...args, "--format", "json"]).out)), validate.errors]).toEqual([args, true, null]);
  }
});

describe("a configuration that names its processors", () => {
  test("is the host of a topology", () => {
    const { code, out } = vmlint(lab(), ["topology"]);
    expect(code).toBe(0);
    expect(out).toContain("Intel Xeon Gold 6148, 4 NUMA nodes x 10 cores, 40 cores, 80 logical CPUs");
  });

  test("a mode the processor lacks exits 2 with its place", () => {
    const wrong = folder({ "vmlint.yaml": CONFIG.replace("snc: 2", "snc: 4"), "a.vmx": "" });
    const { code, err } = vmlint(wrong, []);
    expect([code, err]).toEqual([2, expect.stringMatching(/vmlint\.yaml:3:68: Xeon Gold 6148 offers SNC 1 or 2, not 4\.\n/)]);
  });

  test("the bundle of every run contains no processors", () => {
    const bundle = readFileSync(join(dirname(COMMAND), "command.cjs"), "utf8");
    expect(bundle).not.toContain("E5-2699A v4");
  });
});
