import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseConfig } from "@vmlint/core/config";
import { describe, expect, onTestFinished, test } from "vitest";
import { esxcliGlobal, esxcliMemory, machines } from "../hosts/dumps.ts";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { hasTerminal, inTerminal } from "../support/terminal.ts";

const VM = `numvcpus = "4"\nvirtualHW.version = "19"\nmemSize = "4096"\n`;
const DUMP = esxcliGlobal(machines["4x10x2"]) + esxcliMemory(machines["4x10x2"]);
const INVENTORY = `"Name","Parent","NumCpu","CpuTotalMhz","MemoryTotalGB","ProcessorType","HyperthreadingActive","Version"
"esx01.lab","prod","40","95960","767.65","Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz","True","8.0.2"
`;
const written = (cwd: string) => readFileSync(join(cwd, "vmlint.yaml"), "utf8");

describe("vmlint init", () => {
  test("writes a configuration for the one dump that is there, and vmlint then reads it", () => {
    const cwd = folder({ "a.vmx": VM, "sub/b.vmx": VM, "dumps/esx 01.txt": DUMP, "notes.txt": "no dump\n" });
    expect(vmlint(cwd, ["init"])).toEqual({
      code: 0,
      err: "",
      out: "Found 2 vmx files below this folder.\nWrote vmlint.yaml. vmlint checks the VMs; vmlint --print-config . shows their settings.\n",
    });
    expect(written(cwd)).toContain(
      "host: esx-01\nhosts:\n  esx-01: { from: dumps/esx 01.txt } # 4 sockets x 10 cores x 2 threads, 1024 GiB, no ESXi version: add esxi:\n",
    );
    expect(vmlint(cwd, ["topology"])).toMatchObject({ code: 0, out: expect.stringContaining("esx-01") });
  });

  test("--host and --workload go into the configuration as they are, and a wrong one writes nothing", () => {
    const cwd = folder({ "a.vmx": VM, "esx1.txt": DUMP, "esx2.txt": DUMP });
    for (const options of [
      ["--host", "nowhere"],
      ["--workload", "mssql,edition=std"],
    ])
      expect(vmlint(cwd, ["init", ...options]).code).toBe(2);
    expect(existsSync(join(cwd, "vmlint.yaml"))).toBe(false);
    expect(vmlint(cwd, ["init", "--host", "esx2.txt", "--workload", "mssql,edition=standard"])).toMatchObject({ code: 0, err: "" });
    expect(written(cwd)).toContain("host: esx2\n");
    expect(written(cwd)).toContain("workload: mssql,edition=standard\n");
    expect(vmlint(cwd, ["--print-config", "a.vmx"]).out).toMatch(/workload\.edition +standard/);
  });

  test("with several dumps it chooses none, and names each unusable dump with the reason", () => {
    const cwd = folder({ "esx1.txt": DUMP, "esx2.txt": DUMP, "cut.txt": DUMP.slice(0, 60) });
    expect(vmlint(cwd, ["init", "--yes"])).toMatchObject({ code: 0, out: expect.stringMatching(/^Found no VM definitions below/) });
    expect(written(cwd)).toContain("# host: esx1\nhosts:\n  esx1: {");
    expect(written(cwd)).toContain("  # cut.txt is a dump of a host that cannot be used as it is: cut.txt:4: The dump ends before");
    expect(vmlint(cwd, [".", "--allow-empty"]).code).toBe(0);
  });

  test("every commented example can be uncommented", () => {
    const cwd = folder({});
    expect(vmlint(cwd, ["init", "-y"]).code).toBe(0);
    const examples = written(cwd)
      .split("\n")
      .filter((line) => /^# {0,3}[a-z][\w]*: ?(\S|$)/.test(line) && !/^# vmlint /.test(line));
    const text = examples
      .map((line) => line.slice(line.startsWith("#   ") ? 2 : 2))
      .join("\n")
      .replace(/^ .*from: esx02.*$/m, "");
    expect(examples.length).toBeGreaterThan(10);
    const config = parseConfig(text, "vmlint.yaml");
    expect([...config.hosts.keys()]).toEqual(["lab", "esx01"]);
    expect(config).toMatchObject({ workload: { kind: "mssql" }, overrides: [{}, {}], suppress: { entries: [{}] } });
  });

  test.each([["vmlint.yaml"], ["vmlint.yml"], ["vmlint.json"]])("never replaces or shadows a %s", (name) => {
    const cwd = folder({ [name]: "{}" });
    expect(vmlint(cwd, ["init"])).toEqual({ code: 2, out: "", err: `vmlint: ${name} already exists. Nothing was written.\n` });
    expect(readFileSync(join(cwd, name), "utf8")).toBe("{}");
    expect(existsSync(join(cwd, "vmlint.yaml"))).toBe(name === "vmlint.yaml");
  });

  test("a VM spec goes into a folder that is not there yet", () => {
    const cwd = folder({});
    expect(vmlint(cwd, ["init", "--spec", "vms/new/app01.yaml"])).toMatchObject({ code: 0, err: "" });
    expect(vmlint(cwd, ["vms", "--fail-on", "info"]).out).toContain("Nothing found so far in 1 VM (1 file).");
  });

  test("a new file below another configuration replaces it for its folder, and init reports this", () => {
    const cwd = folder({ "vmlint.yaml": "host: dl580g7\n", "lab/a.vmx": VM });
    const said = "It replaces ../vmlint.yaml here; extends: [../vmlint.yaml] builds on that file.\n";
    expect(vmlint(join(cwd, "lab"), ["init"])).toMatchObject({ code: 0, out: expect.stringContaining(said) });
    writeFileSync(join(cwd, "lab/vmlint.yaml"), "extends: [../vmlint.yaml]\n");
    expect(vmlint(join(cwd, "lab"), ["topology"]).out).toContain("on dl580g7");
  });

  test.each(["x.vmx", "x.json", "", ".yaml"])("a VM spec is not written as %j: it is YAML", (name) => {
    const cwd = folder({});
    const err = `vmlint: A VM spec to start from is YAML: its name ends in .yaml, not "${name}".\n`;
    expect(vmlint(cwd, ["init", "--spec", name])).toEqual({ code: 2, out: "", err });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("a single thing is singular", () => {
    const cwd = folder({ "one.txt": "CPU(s): 2\nThread(s) per core: 1\nCore(s) per socket: 2\nSocket(s): 1\n" });
    vmlint(cwd, ["init"]);
    expect(written(cwd)).toContain("# 1 socket x 2 cores x 1 thread,");
  });

  const isRoot = process.getuid?.() === 0;
  /** Root ignores file permissions, so the test runs as the user with this id. */
  const NOBODY = 65_534;
  const asNobody = (cwd: string, ...args: string[]) => {
    const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    return spawnSync(process.execPath, [COMMAND, ...args], { cwd, encoding: "utf8", ...who });
  };
  const canBeNobody = process.platform !== "win32" && asNobody("/", "--version").status === 0;

  test.skipIf(!canBeNobody)("unreadable files are skipped, and doctor reports them", () => {
    const cwd = folder({ "a.vmx": VM, "a.txt": DUMP, "b.txt": DUMP, "c.json": "{}", "shut/d.vmx": VM });
    if (isRoot) for (const path of [".", "a.vmx", "a.txt"]) chownSync(join(cwd, path), NOBODY, NOBODY);
    for (const path of ["b.txt", "c.json", "shut"]) chmodSync(join(cwd, path), 0);
    onTestFinished(() => chmodSync(join(cwd, "shut"), 0o700));
    expect(asNobody(cwd, "init", "--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(written(cwd)).toContain("host: a\n");
    const { status, stdout, stderr } = asNobody(cwd, "doctor");
    expect([status, stdout]).toEqual([0, expect.stringContaining("1 with 1 VM, 1 of them with a host")]);
    expect(stderr).toBe(
      "vmlint: shut is not checked: it cannot be read (EACCES).\nvmlint: c.json is not checked: it cannot be read (EACCES).\n",
    );
  });

  test("nor where a package.json holds the configuration", () => {
    const cwd = folder({ "package.json": `{ "vmlint": {} }` });
    expect(vmlint(cwd, ["init"])).toMatchObject({ code: 2, err: "vmlint: package.json already exists. Nothing was written.\n" });
  });
});

describe.skipIf(!hasTerminal)("in a terminal", () => {
  test("init asks, and asks again where an answer cannot be", async () => {
    const cwd = folder({ "a.vmx": VM });
    const { status, stdout } = await inTerminal(cwd, "init", ["nowhere\r", "2x24x2:768@8.0\r", "mssql\r"]);
    expect(stdout).toContain('There is no host "nowhere".');
    expect(status).toBe(0);
    expect(parseConfig(written(cwd), "vmlint.yaml")).toMatchObject({ host: "2x24x2:768@8.0", workload: { kind: "mssql" } });
  });

  test("init finds a processor by words, and asks for the rest of the host", async () => {
    const cwd = folder({ "a.vmx": VM });
    const answers = ["gold 6148\r", "1\r", "sockets\r", "4\r", "memory\r", "700\r", "esxi\r", "9.0\r", "nodes per\r", "1\r", "\r", "\r"];
    const { status, stdout } = await inTerminal(cwd, "init", answers);
    expect(stdout).toMatch(/processors\s+7\d\d choices: type some of their words/);
    expect(stdout).toContain("Use 4x Xeon Gold 6148/1:700@9.0  80 cores in 4 NUMA nodes");
    expect(status).toBe(0);
    expect(written(cwd)).toContain("host: 4x Xeon Gold 6148/1:700@9.0\n");
    expect(vmlint(cwd, ["topology"]).out).toContain("4x Xeon Gold 6148/1:700@9.0");
  });

  test("Enter takes the only dump, and a number one of several", async () => {
    const only = folder({ "esx1.txt": DUMP });
    expect((await inTerminal(only, "init", ["\r", "\r"])).status).toBe(0);
    expect(written(only)).toContain("host: esx1\n");
    const several = folder({ "esx1.txt": DUMP, "esx2.txt": DUMP });
    expect((await inTerminal(several, "init", ["2\r", "\r"])).status).toBe(0);
    expect(written(several)).toContain("host: esx2\nhosts:\n  esx1: { from: esx1.txt }");
  });

  test("a dump of another folder is copied into this one, and the release that it lacks is asked for", async () => {
    const cwd = folder({ "vms/a.vmx": VM, "esx7.txt": DUMP });
    const { status } = await inTerminal(join(cwd, "vms"), "init", ["import\r", "nowhere.txt\r", "../esx7.txt\r", "8.0\r", "\r"]);
    expect(status).toBe(0);
    expect(written(join(cwd, "vms"))).toContain('host: esx7\nhosts:\n  esx7: { from: esx7.txt, esxi: "8.0" } # 4 sockets x 10 cores');
    expect(vmlint(join(cwd, "vms"), ["topology"])).toMatchObject({ code: 0, out: expect.stringContaining("on esx7") });
  });

  test("the hosts of an inventory can be chosen, and are declared with their facts", async () => {
    const cwd = folder({ "a.vmx": VM, "hosts.csv": INVENTORY });
    const { status, stdout } = await inTerminal(cwd, "init", ["esx01\r", "\r"]);
    expect(stdout).toContain("in the inventory");
    expect(status).toBe(0);
    expect(written(cwd)).toContain("host: esx01.lab\nhosts:\n  esx01.lab: { ");
    expect(vmlint(cwd, ["topology", "a.vmx"])).toMatchObject({ code: 0, out: expect.stringContaining("on esx01.lab") });
  });

  test("--yes asks nothing", async () => {
    const cwd = folder({ "a.vmx": VM });
    expect((await inTerminal(cwd, "init --yes", [])).status).toBe(0);
    expect(written(cwd)).toContain("# host: 2x24x2:768@8.0\n");
  });

  test("Ctrl-C ends it with 130 and writes nothing", async () => {
    const cwd = folder({ "a.vmx": VM });
    expect((await inTerminal(cwd, "init", ["\u0003"])).status).toBe(130);
    expect(existsSync(join(cwd, "vmlint.yaml"))).toBe(false);
  });
});
