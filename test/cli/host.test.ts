import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputSchema } from "@vmlint/core/output-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coreinfo, esxcliGlobal, esxcliMemory, lscpu, lscpuParsable, machines, numactl } from "../hosts/dumps.ts";
import { COMMAND, spawned, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const PINNED = `displayName = "app01"\nvirtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n`;
const DUMP = esxcliGlobal(machines["4x10x2"]) + esxcliMemory(machines["4x10x2"]);

/** As PowerShell redirects: UTF-16, little end first, behind a byte order mark. */
const utf16 = (text: string) => Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`, "utf16le");

describe("vmlint host", () => {
  test("prints the facts of a dump, the missing facts and the entry to write", () => {
    const { code, out, err } = vmlint(folder({ "esx01.txt": esxcliGlobal(machines["4x10x2"]) }), ["host", "esx01.txt@8.0"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      [
        "esx01.txt@8.0  esxcli hardware cpu global get",
        "",
        "  Host",
        "    sockets           4    esxcli hardware cpu global get",
        "    cores per socket  10   esxcli hardware cpu global get",
        "    threads per core  2    esxcli hardware cpu global get",
        "    NUMA nodes        4    assumed",
        "    cores per node    10",
        "    ESXi              8.0  stated",
        "",
        "  Assumed",
        "    1 NUMA node per socket: the dump does not contain the number",
        "",
        "  Missing",
        "    the memory: add memoryGiB: to the host in vmlint.yaml",
        "    the frequency, which reservations are checked by: add mhz: to the host in vmlint.yaml",
        "",
        "  To write it",
        "    --host 4x10x2@8.0",
        '    hosts: { esx01: { esxi: "8.0", sockets: 4, coresPerSocket: 10, threadsPerCore: 2 } }',
        "",
      ].join("\n"),
    );
  });

  test.each([
    ["2x24x2@8.0", "lab"],
    ["2x24x2/2:768@8.0U1", "lab"],
    ["esx01.example.com", "esx01-example-com"],
    ["dumps/my host.v2.txt@8.0", "my-host-v2"],
  ])("%s is written as %s", (word, name) => {
    const cwd = folder({ "esx01.example.com": DUMP, "dumps/my host.v2.txt": DUMP });
    expect(vmlint(cwd, ["host", word]).out).toContain(`hosts: { ${name}: {`);
  });

  test("the suggested entry describes the same host", () => {
    const cwd = folder({ "esx01.txt": DUMP });
    const json = (...args: string[]) => JSON.parse(vmlint(cwd, ["host", ...args, "--format", "json"]).out);
    const read = json("esx01.txt@8.0 U2");
    expect(read).toMatchObject({
      schemaVersion: 2,
      shortForm: "4x10x2:1024@8.0u2",
      missing: ["mhz"],
      assumed: [],
      host: { esxi: "8.0 U2" },
    });
    expect({ ...json(read.shortForm).host, name: "" }).toEqual({ ...read.host, name: "" });
    const [line = ""] = vmlint(cwd, ["host", "esx01.txt@8.0 U2"]).out.match(/hosts: .*/) ?? [];
    const yaml = folder({ "vmlint.yaml": line });
    expect(JSON.parse(vmlint(yaml, ["host", "esx01", "--format", "json"]).out).host).toEqual({ ...read.host, name: "esx01" });
  });

  test.each([
    ["a built-in host", "dl580g7", "vmware-sql-5.5, Appendix A"],
    ["a host of the configuration", "lab", "sockets           4       esxcli hardware cpu global get"],
    ["a short form", "2x24x2/2@8.0", "NUMA nodes        4"],
    ["hwloc's description", "pack:2 numa:2 core:12 pu:2", "cores per node    12"],
    ["a dump in UTF-16", "core.txt", "L3 cache          one for 8 cores"],
  ])("%s", (_, word, line) => {
    const cwd = folder({
      "vmlint.yaml": "hosts: { lab: { from: esx01.txt, mhz: 2400 } }",
      "esx01.txt": DUMP.replace(/Physical Memory: \d+/, "Physical Memory: 8589934592"),
      "core.txt": utf16(coreinfo(machines["2x64x2-nps4"])),
    });
    const { code, out, err } = vmlint(cwd, ["host", word]);
    expect([code, err]).toEqual([0, ""]);
    expect(out.replace(/ {8,}esxcli/, "       esxcli")).toContain(line);
  });

  test.skipIf(process.platform === "win32")("a dump in a pipe, from a shell", () => {
    const cwd = folder({ "esx01.txt": DUMP });
    const run = `exec '${process.execPath}' '${COMMAND}' host <(cat esx01.txt) --format json`;
    const { stdout, stderr } = spawnSync("bash", ["-c", run], { cwd, encoding: "utf8" });
    expect([JSON.parse(stdout).host, stderr]).toMatchObject([{ sockets: 4, memoryGiB: 1024 }, ""]);
  });

  test("a dump on the standard input", () => {
    const { out } = spawned(folder({}), ["host", "-", "--format", "json"], {}, DUMP);
    expect(JSON.parse(out).host).toMatchObject({ sockets: 4, memoryGiB: 1024, esxi: null });
  });

  test.skipIf(process.platform === "win32")("a dump on a standard input that does not block", () => {
    const cwd = folder({ "esx01.txt": DUMP });
    // If Node cannot reset a pipe, the pipe stays non-blocking.
    const opened = `new (require("net").Socket)({ fd: 0 }); process.kill(process.pid, "SIGKILL")`;
    const run = `(sleep 1; cat esx01.txt) | ("$NODE" -e '${opened}'; exec "$NODE" "$COMMAND" host --format json -- -@8.0)`;
    const { stdout } = spawnSync("sh", ["-c", run], { cwd, encoding: "utf8", env: { ...process.env, NODE: process.execPath, COMMAND } });
    expect(JSON.parse(stdout).host).toMatchObject({ sockets: 4, esxi: "8.0" });
  });
});

describe("linting against a dump", () => {
  test("--host FILE prints the assumptions to stderr", () => {
    const cwd = folder({ "a.vmx": PINNED, "sub/b.vmx": PINNED, "esx01.txt": esxcliGlobal(machines["4x10x2"]) });
    const { code, out, err } = vmlint(cwd, ["--host", "esx01.txt@5.5"]);
    expect(code).toBe(1);
    expect(out).toContain("fix: Pin to 8 cores: 0,2,4,6,8,10,12,14 (changes how the VM runs)");
    expect(err).toBe("vmlint: host esx01.txt: assumed 1 NUMA node per socket: the dump does not contain the number.\n");
    const { vms } = JSON.parse(vmlint(cwd, ["topology", "a.vmx", "--host", "esx01.txt", "--format", "json"]).out);
    expect(vms[0].assumedOfHost).toEqual(["1 NUMA node per socket: the dump does not contain the number"]);
  });

  test("reports of findings include the assumptions about each host", () => {
    const cwd = folder({ "a.vmx": PINNED, "esx01.txt": esxcliGlobal(machines["4x10x2"]) });
    const report = (format: string) => vmlint(cwd, ["a.vmx", "--host", "esx01.txt@5.5", "--format", format]).out;
    const assumedOfHost = ["1 NUMA node per socket: the dump does not contain the number"];
    const json = JSON.parse(report("json"));
    expect(new Ajv2020().validate(outputSchema as object, json)).toBe(true);
    expect(json.diagnostics).toMatchObject([{ host: "esx01.txt", assumedOfHost }]);
    expect(JSON.parse(report("sarif")).runs[0].results).toMatchObject([{ properties: { host: "esx01.txt", assumedOfHost } }]);
    expect(report("html")).toContain(`<p class="about">assumed of the host: <bdi>${assumedOfHost[0]}</bdi></p>`);
    expect(vmlint(cwd, ["a.vmx", "--host", "4x10x2@5.5", "--format", "json"]).out).not.toContain("assumedOfHost");
  });

  test("from: in a configuration, relative to it and outside of its folder too", () => {
    const cwd = folder({
      "prod/vmlint.yaml": "host: lab\nhosts: { lab: { from: ../dumps/esx01.txt, esxi: '5.5' } }\n",
      "prod/a.vmx": PINNED,
      "dumps/esx01.txt": utf16(DUMP),
    });
    const { code, out, err } = vmlint(cwd, ["prod"]);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("host lab");
  });

  test("vmlint size takes a dump too", () => {
    const cwd = folder({ "esx01.txt": esxcliGlobal(machines["4x10x2"]) });
    const { code, err } = vmlint(cwd, ["size", "--host", "esx01.txt@8.0", "20"]);
    expect([code, err]).toEqual([0, "vmlint: host esx01.txt: assumed 1 NUMA node per socket: the dump does not contain the number.\n"]);
  });

  test("NUMA nodes of unequal memory: checks of the host's memory run, checks of a node's memory are skipped", () => {
    const big = `virtualHW.version = "21"\nnumvcpus = "4"\nmemSize = "716800"\n`;
    const dump = (lscpu(machines["4x10x2"]) + numactl(machines["4x10x2"])).replace("node 3 size: 262144", "node 3 size: 786432");
    const cwd = folder({ "one.vmx": big, "two.vmx": big.replace("716800", "1638400"), "lab.txt": dump });
    expect(vmlint(cwd, ["host", "lab.txt@8.0"]).out).toMatch(
      /memory +1536 GiB, unequal by node[\s\S]*--host 4x10x2@8.0\n.*from: "lab.txt" }/,
    );
    writeFileSync(join(cwd, "vmlint.yaml"), "hosts: { lab: { from: lab.txt, mhz: 3000 } }\n");
    expect(vmlint(cwd, ["host", "lab"]).out).toContain('hosts: { lab: { from: "lab.txt", mhz: 3000 } }');
    const found = vmlint(cwd, ["--host", "lab.txt@8.0", "--format", "compact", "one.vmx", "two.vmx"]).out;
    expect(found).not.toContain("numa/mem-exceeds-node");
    expect(found.match(/.*mem\/exceeds-host/g)).toEqual([expect.stringContaining("two.vmx")]);
    const { out } = vmlint(cwd, ["size", "--host", "lab.txt@8.0", "4", "--memory", "700GiB"]);
    expect(out).toContain("4 NUMA nodes x 10 cores, 1536 GiB in all");
    expect(out).not.toContain("of a node");
  });

  test("vmlint topology repeats what was assumed", () => {
    const cwd = folder({ "a.vmx": PINNED, "esx01.txt": lscpuParsable(machines["2x14x1"]) });
    expect(vmlint(cwd, ["topology", "--host", "esx01.txt@8.0", "a.vmx"]).out).toContain(
      "assumed of the host: no more CPUs than the 28 listed: the dump names no total",
    );
  });
});

describe("mistakes exit 2, in one line", () => {
  test.each([
    ["a folder", ["host", "./"], "vmlint: ./ is no file, and there is no host with that name.\n"],
    ["a device", ["host", "/dev/null"], "vmlint: /dev/null is no file, and there is no host with that name.\n"],
    ["no host", ["host"], "vmlint: vmlint host takes one host: a dump, a name or a short form. vmlint host --help lists them.\n"],
    ["two", ["host", "a", "b"], "vmlint host takes one host"],
    ["a name nobody gave", ["host", "dl580g8"], 'vmlint: There is no host "dl580g8". Did you mean "dl580g7"?\n'],
    ["a file that is not there", ["host", "esx02.txt@8.0"], "vmlint: esx02.txt does not exist, and there is no host with that name.\n"],
    ["a folder", ["host", "dumps"], 'vmlint: There is no host "dumps".'],
    ["a version that is none", ["host", "esx01.txt@new"], 'vmlint: "new" is not an ESXi version. Write 6.7, 7.0 or 8.0 U2.\n'],
    ["a file of something else", ["a.vmx", "--host", "a.vmx"], "vmlint: a.vmx:1: This is no host dump that vmlint reads."],
    ["a dump that is cut off", ["--host", "cut.txt"], 'vmlint: cut.txt:2: The dump ends before "CPU Threads". Take it again.\n'],
    ["a description that is wrong", ["--host", "pack:4 core:10"], "vmlint: pack:4 core:10: The string must end with pu:"],
    ["from: a file that is not there", ["--config", "bad.yaml"], "vmlint: bad.yaml:1:23: nope.txt cannot be read"],
    ["from: a dump that is cut off", ["--config", "cut.yaml"], 'vmlint: cut.yaml:1:23: cut.txt:2: The dump ends before "CPU Threads".'],
  ])("%s", (_, args, message) => {
    const cwd = folder({
      "a.vmx": PINNED,
      "esx01.txt": DUMP,
      "cut.txt": DUMP.slice(0, 34),
      "dumps/x": "",
      "bad.yaml": "hosts: { lab: { from: nope.txt } }",
      "cut.yaml": "hosts: { lab: { from: cut.txt } }",
    });
    const { code, out, err } = vmlint(cwd, args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err.trim()).not.toContain("\n");
  });
});

test("host: takes what --host takes", () => {
  const words = fc.oneof(
    fc.constantFrom(
      "dl580g7",
      "r640",
      "esx01.txt",
      "esx01.txt@8.0",
      "pack:4 numa:1 core:10 pu:2",
      "2x Xeon Gold 6148:768@8.0",
      "2x EPYC 7763",
    ),
    fc
      .tuple(
        fc.constantFrom(1, 2, 4),
        fc.constantFrom(8, 10, 12),
        fc.constantFrom("x1", "x2", ""),
        fc.constantFrom("", ":256", "@7.0", "@x"),
      )
      .map(([sockets, cores, threads, more]) => `${sockets}x${cores}${threads}${more}`),
    fc.constantFrom("nosuch", "nosuch.txt", "2x Xeon Platinum 1", "esx01.txt@x", "a.vmx.txt"),
  );
  fc.assert(
    fc.property(words, (word) => {
      const cwd = folder({ "a.vmx": PINNED, "esx01.txt": DUMP });
      const asOption = vmlint(cwd, ["a.vmx", "--host", word, "--format", "json"]);
      writeFileSync(join(cwd, "vmlint.yaml"), `host: ${JSON.stringify(word)}\n`);
      const inFile = vmlint(cwd, ["a.vmx", "--format", "json"]);
      expect([word, inFile.code]).toEqual([word, asOption.code]);
      if (asOption.code !== null && asOption.code < 2)
        expect(JSON.parse(inFile.out).diagnostics).toEqual(JSON.parse(asOption.out).diagnostics);
    }),
    { numRuns: 25 },
  );
});
