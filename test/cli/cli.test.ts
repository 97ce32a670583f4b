import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { OPTIONS_OF } from "../../packages/cli/src/args/options.ts";
import { vmlint } from "../support/cli.ts";
import { folder, writeHuge } from "../support/folder.ts";

const PINNED = `displayName = "app01"\r\nvirtualHW.version = "10"\r\nnumvcpus = "8"\r\nsched.cpu.affinity = "0-7"\r\n`;
const CLEAN = `virtualHW.version = "10"\nnumvcpus = "4"\n`;

/** Printed for a named path without a VM. */
const HINT = "vmlint: nothing was checked there. Pass --allow-empty if you expect that.\n";

describe("linting", () => {
  test("findings exit 1, each with its place, its line and its fix", () => {
    const cwd = folder({ "prod/a.vmx": PINNED.replace("app01", "sql01") });
    const { code, out, err } = vmlint(cwd, ["--host", "dl580g7"]);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("warning affinity/ht-siblings prod/a.vmx:4:23");
    expect(out).toContain(`    4 | sched.cpu.affinity = "0-7"\n      |                       ^^^`);
    expect(out).toContain("fix: Pin to 8 cores: 0,2,4,6,8,10,12,14 (changes how the VM runs)");
    expect(out).toContain("This is probably SQL Server (name sql01): declare workload: mssql, or workload: none.");
    expect(out).toContain("1 warning, 1 info in 1 VM (1 file).");
  });

  test("without findings it exits 0, and prints the skipped checks and how to enable them", () => {
    const { code, out } = vmlint(folder({ "a.vmx": PINNED }), []);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "Nothing found so far in 1 VM (1 file). 16 of 24 checks ran. To run more:",
        "  7 checks: name the host: --host 2x16x2:512@8.0 for 2 sockets x 16 cores x 2 threads, 512 GiB, ESXi 8.0. vmlint init writes it down.",
        "  1 check: declare the workload of VMs that have one, as in vmlint.yaml: overrides: [{ vms: [sql-*], workload: { kind: mssql } }].",
        "",
      ].join("\n"),
    );
  });

  test("folders, files and globs mean the same files once, and other people's folders are not entered", () => {
    const cwd = folder({
      "a.vmx": CLEAN,
      "b/c.vmtx": CLEAN,
      "b/d.txt": CLEAN,
      ".git/e.vmx": CLEAN,
      "node_modules/f.vmx": CLEAN,
      ".terraform/g.vmx": CLEAN,
    });
    const files = (...args: string[]) => JSON.parse(vmlint(cwd, [...args, "--format", "json"]).out).summary.files;
    expect([files(), files("."), files("a.vmx", "."), files("**/*"), files("**/*.vmx"), files("b")]).toEqual([2, 2, 2, 2, 1, 1]);
  });

  test("a glob without matches is named, and does not fail the run", () => {
    const { code, err } = vmlint(folder({ "a.vmx": CLEAN }), ["a.vmx", "prod/*.vmx"]);
    expect([code, err]).toEqual([0, "vmlint: prod/*.vmx matches no file.\n"]);
  });

  test.each([
    ["error", 0],
    ["warning", 1],
    ["info", 1],
    ["never", 0],
  ])("--fail-on %s", (level, expected) => {
    expect(vmlint(folder({ "a.vmx": PINNED }), ["--host", "dl580g7", "--fail-on", level]).code).toBe(expected);
  });

  test("the nearest configuration counts, and --config replaces it", () => {
    const cwd = folder({
      "vmlint.yaml": "host: 1x8x1@5.5\nrules: { affinity/ht-siblings: off }\n",
      "prod/vmlint.yaml": "host: dl580g7\nrules: { affinity/ht-siblings: error }\n",
      "a.vmx": PINNED,
      "prod/a.vmx": PINNED,
      "other.yaml": "host: dl580g7\n",
    });
    const found = (...args: string[]) =>
      JSON.parse(vmlint(cwd, [...args, "--format", "json"]).out).diagnostics.map((d: { path: string; severity: string; host: string }) => [
        d.path,
        d.severity,
        d.host,
      ]);
    expect(found()).toEqual([["prod/a.vmx", "error", "dl580g7"]]);
    expect(found("--config", "other.yaml")).toEqual([
      ["a.vmx", "warning", "dl580g7"],
      ["prod/a.vmx", "warning", "dl580g7"],
    ]);
  });

  test("a comment in the file names its host and workload", () => {
    const text = `# vmlint: host=2x20x2@8.0 workload=mssql edition=standard version=2022\nvirtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"\n`;
    const { out } = vmlint(folder({ "a.vmx": text }), []);
    expect(out).toContain(
      "Standard edition can use 4 of these 8 vCPUs: it sees 8 sockets. Set 8 cores per socket (1 socket), which lets it use all 8.",
    );
  });

  test("Shift_JIS file: the name is decoded and columns count characters", () => {
    const name = [0x93, 0xfa, 0x96, 0x7b];
    const ascii = (text: string) => [...text].map((c) => c.charCodeAt(0));
    const bytes = Uint8Array.from([
      ...ascii('.encoding = "Shift_JIS"\ndisplayName = "'),
      ...name,
      ...ascii('" # '),
      ...name,
      ...ascii('\nnumvcpus = "four"\n'),
    ]);
    const [found] = JSON.parse(vmlint(folder({ "a.vmx": bytes }), ["--format", "json"]).out).diagnostics;
    expect(found).toMatchObject({ ruleId: "vmx/type", vm: "日本", range: { start: { line: 3, column: 13, offset: 60 } } });
  });
});

describe("VMs of one machine", () => {
  const vm = (name: string, more = "") => `displayName = "${name}"\nvirtualHW.version = "10"\nnumvcpus = "44"\n${more}`;
  const HOST = 'esxi: "5.5", sockets: 4, coresPerSocket: 10, threadsPerCore: 2';
  const files = (host: string) => ({
    "vmlint.yaml": `host: esx01\nhosts:\n  esx01: { ${host} }\nworkload: { kind: postgresql }\nrules: { numa/wide-uneven: off, cpu/exceeds-physical-cores: off }\n`,
    "a/sql-1.vmx": vm("sql-1"),
    "b/sql-2.vmx": vm("sql-2"),
    "c/web-1.vmx": vm("web-1", "# vmlint: workload=general\n"),
  });
  const WOULD = "add --together if the VMs share one machine. If some do, list them instead of --host, in vmlint.yaml: hosts: { esx01: { ";
  const json = (cwd: string, ...args: string[]) => JSON.parse(vmlint(cwd, [...args, "--format", "json"]).out);

  test("runs: brings them together; each other file is named with its line", () => {
    const { code, out, err } = vmlint(folder(files(`${HOST}, runs: ["sql-*"]`)), []);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("warning host/overcommit a/sql-1.vmx:3:13");
    expect(out).toContain("2 database or latency-critical VMs have 88 vCPUs on this host's 80 threads (40 cores).");
    expect(out).toContain("    see: b/sql-2.vmx:3:13, sql-2: 44 vCPUs\n");
    expect(out).not.toContain("capacity check");
  });

  test("the same host is not enough: skipped checks are counted", () => {
    const cwd = folder(files(HOST));
    const { code, out } = vmlint(cwd, []);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Nothing to report in 3 VMs \(3 files\)\. \d+ of \d+ checks ran\. To run more:\n/),
    ]);
    expect(out).toContain(`  1 capacity check: ${WOULD}`);
    expect(json(cwd)).toMatchObject({ diagnostics: [], skipped: [{ ruleId: "host/overcommit", reason: "placement-unknown", count: 1 }] });
  });

  test("--together puts all VMs of a host on one machine, across folders and in any order", () => {
    const cwd = folder(files(HOST));
    for (const args of [["."], ["c", "b", "a"], ["b/sql-2.vmx", "a/*.vmx"]]) {
      expect(json(cwd, "--together", ...args).diagnostics).toMatchObject([{ ruleId: "host/overcommit", path: "a/sql-1.vmx" }]);
    }
    expect(vmlint(cwd, ["--together", "--fail-on", "error"]).code).toBe(0);
    expect(vmlint(cwd, ["--together", "a"])).toMatchObject({ code: 0, out: "Nothing to report in 1 VM (1 file).\n" });
  });

  test("with --together, a short form in two folders is one machine", () => {
    const { "vmlint.yaml": _, ...vms } = files(HOST);
    const config = "workload: { kind: postgresql }\n";
    const cwd = folder({ ...vms, "a/vmlint.yaml": config, "b/vmlint.yaml": config });
    expect(json(cwd, "--together", "--host", "4x10x2@5.5").diagnostics.map((d: { ruleId: string }) => d.ruleId)).toContain(
      "host/overcommit",
    );
  });

  test("hosts of the same name in two configurations are two machines, unless the command line says otherwise", () => {
    const { "vmlint.yaml": config, ...vms } = files(`${HOST}, runs: ["*"]`);
    const cwd = folder({ ...vms, "a/vmlint.yaml": config, "b/vmlint.yaml": config, "c/vmlint.yaml": config });
    expect(json(cwd)).toMatchObject({ diagnostics: [], skipped: [] });
    expect(json(cwd, "--together").diagnostics).toHaveLength(1);
  });

  test("a host from the command line, or no host, puts no VM on a machine", () => {
    const cwd = folder(files(`${HOST}, runs: ["sql-*"]`));
    const { diagnostics, skipped } = json(cwd, "--host", "4x10x2@5.5");
    expect([diagnostics, skipped.map((s: { reason: string }) => s.reason)]).toEqual([[], ["placement-unknown"]]);
    expect(vmlint(folder({ "a.vmx": vm("a"), "b.vmx": vm("b") }), []).out).not.toContain("capacity check");
  });

  test("a template runs nowhere", () => {
    const cwd = folder({ ...files(`${HOST}, runs: ["sql-*"]`), "b/sql-2.vmx": vm("other"), "b/sql-2.vmtx": vm("sql-2") });
    expect(json(cwd).diagnostics).toEqual([]);
  });

  test("json keeps to the schema and gives related places with their files", () => {
    const cwd = folder(files(`${HOST}, runs: ["sql-*"]`));
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(vmlint(cwd, ["schema", "output"]).out));
    const document = json(cwd);
    validate(document);
    expect(validate.errors).toBeNull();
    expect(document.diagnostics).toMatchObject([
      {
        path: "a/sql-1.vmx",
        vm: "sql-1",
        host: "esx01",
        data: { vms: 2, vcpus: 88, cores: 40, threads: 80, atLeast: false },
        related: [{ path: "b/sql-2.vmx", message: "sql-2: 44 vCPUs", range: { start: { line: 3, column: 13, offset: 59 } } }],
        fixes: [],
      },
    ]);
  });

  test("findings of both kinds are sorted by place", () => {
    const cwd = folder({ ...files(`${HOST}, runs: ["sql-*"]`), "a/sql-1.vmx": `${vm("sql-1")}bad line\n` });
    const order = json(cwd).diagnostics.map((d: { ruleId: string }) => d.ruleId);
    expect(order).toEqual(["host/overcommit", "vmx/malformed-line"]);
  });

  test("the text lists the first places and counts the rest", () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.vmx`, vm(`sql-${i}`)]));
    const cwd = folder({ "vmlint.yaml": files(`${HOST}, runs: ["sql-*"]`)["vmlint.yaml"], ...many });
    const { out } = vmlint(cwd, []);
    expect(out.match(/see: \d\.vmx/g)).toHaveLength(4);
    expect(out).toContain("see: 4 more (--format json lists them)");
  });
});

describe("the caller's mistakes exit 2 and name the remedy on stderr alone", () => {
  test.each<[string, string[], string]>([
    ["an unknown flag", ["--hots"], "vmlint: Unknown option '--hots'. Did you mean --host? vmlint --help lists the options.\n"],
    ["a path that is not there", ["nope.vmx"], "vmlint: nope.vmx does not exist.\n"],
    ["an unknown host", [".", "--host", "dl580g8"], 'vmlint: There is no host "dl580g8". Did you mean "dl580g7"?\n'],
    ["an impossible host", [".", "--host", "1x5x2/2@7.0"], 'Host "1x5x2/2@7.0" cannot exist: 5 cores do not divide into 2 NUMA nodes.'],
    ["a picture of rules", ["rules", "--format", "svg"], "vmlint: --format svg only works with vmlint topology.\n"],
    ["a device", ["/dev/null"], "vmlint: /dev/null is neither a file nor a folder. Use - to read stdin.\n"],
    ["an empty path", ["a.vmx", ""], 'vmlint: One of the paths is empty (""): leave it out, or write . for this folder.\n'],
    ["a misspelt command", ["topolgy"], "vmlint: topolgy does not exist. Did you mean vmlint topology?\n"],
    ["a command that is none", ["help"], "vmlint: help does not exist. vmlint --help prints the help.\n"],
    [
      "half a short form",
      ["--host", "4x10"],
      'vmlint: "4x10" is not a short form of a host: the threads per core are missing. Write SOCKETSx',
    ],
    ["an empty value", ["--host", ""], "vmlint: --host is empty: give it a value, or leave it out.\n"],
    [
      "an empty value of another kind",
      ["-", "--stdin-filename="],
      "vmlint: --stdin-filename is empty: give it a value, or leave it out.\n",
    ],
    ["no value", ["a.vmx", "--host"], "vmlint: --host needs a value.\n"],
    [
      "an option for a value",
      ["--host", "--quiet"],
      "vmlint: --host needs a value. A value that starts with a dash needs --host=-VALUE.\n",
    ],
    ["a negative number", ["--max-warnings", "-1"], "vmlint: --max-warnings needs a value. A value that starts with a dash"],
    ["a value that none takes", ["--quiet=yes"], "vmlint: Option '--quiet' does not take an argument. vmlint --help lists the options.\n"],
    [
      "a command behind a path",
      ["a.vmx", "topology"],
      "vmlint: topology does not exist. A command comes before the paths: vmlint topology ...\n",
    ],
    ["a command in capitals", ["Topology"], "vmlint: Topology does not exist. Did you mean vmlint topology?\n"],
    ["a command of other programs", ["lint", "a.vmx"], "vmlint: lint does not exist. Checking needs no command: vmlint PATH.\n"],
    ["a host in capitals", ["--host", "DL580G7"], 'vmlint: There is no host "DL580G7". Did you mean "dl580g7"?\n'],
    ["a short form in capitals", ["--host", "4X10X2"], 'vmlint: "4X10X2" is not a short form of a host. Did you mean "4x10x2"?\n'],
    ["a host called nothing like another", ["--host", "q"], 'There is no host "q". vmlint topology --help lists the built-in ones.\n'],
    ["an option of another command", ["rules", "--host", "r640"], "vmlint: vmlint rules has no option --host. See vmlint rules --help.\n"],
    ["a folder for a configuration", ["--config", "."], "is a folder, not a file.\n"],
    ["a folder for a baseline", ["--baseline", "."], "vmlint: . is a folder. A baseline must be a file.\n"],
    ["an unknown processor", ["cpus", "nosuch"], 'vmlint: vmlint knows no processor "nosuch". vmlint cpus lists them.\n'],
    ["an unknown level", ["--fail-on", "fatal"], 'vmlint: --fail-on takes error, warning, info, hint or never, not "fatal".\n'],
    [
      "an unknown rule",
      ["explain", "numa/wide-unevn"],
      'vmlint: There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"? vmlint rules lists them.\n',
    ],
    ["a family of rules", ["explain", "smt"], 'There is no rule "smt". The rules of smt are smt/num-smt-host, smt/num-smt-multiple'],
    ["a rule in capitals", ["explain", "NUMA/Wide-Uneven"], 'There is no rule "NUMA/Wide-Uneven". Did you mean "numa/wide-uneven"?'],
    ["no rule", ["explain"], "vmlint explain takes the name of one rule"],
    ["an unknown schema", ["schema", "input"], 'vmlint: vmlint schema takes output, spec or config, not "input".\n'],
    ["a configuration that is not there", ["--config", "nope.yaml"], "vmlint: nope.yaml does not exist.\n"],
    ["a broken configuration", ["--config", "broken.yaml"], "vmlint: broken.yaml:1:1: There is no setting"],
  ])("%s", (_, args, message) => {
    const { code, out, err } = vmlint(folder({ "a.vmx": PINNED, "broken.yaml": "hots: 1\n" }), args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  // Root may read every file that is not too large.
  test.runIf(process.platform === "linux")("unreadable files are reported and hide no other findings; a named one ends the run", () => {
    const cwd = folder({ "a.vmx": CLEAN, "c.vmx": `${CLEAN}sched.cpu.latencySensitivity = "high"\n` });
    for (const name of ["b.vmx", "d.json", "e.tf"]) writeHuge(join(cwd, name));
    const said = (name: string) => `vmlint: ${name} is not checked: it is larger than 500 MB.\n`;
    const { code, out, err } = vmlint(cwd, ["--format", "json"]);
    expect([code, err]).toEqual([2, said("d.json") + said("e.tf") + said("b.vmx")]);
    expect(JSON.parse(out)).toMatchObject({
      diagnostics: expect.arrayContaining([expect.objectContaining({ path: "c.vmx", ruleId: "latency/high" })]),
      summary: { files: 2 },
    });
    for (const args of [["b.vmx"], ["a.vmx", "b.vmx"], [".", "--update-baseline"], ["topology"]])
      expect(vmlint(cwd, args)).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringMatching(/\.(vmx|json) is larger than 500 MB\.\n$/),
      });
  });

  test.skipIf(process.getuid?.() === 0)("a folder without permission is reported and hides no other findings", () => {
    const cwd = folder({ "a.vmx": CLEAN, "closed/b.vmx": CLEAN });
    chmodSync(join(cwd, "closed"), 0o000);
    const { code, out, err } = vmlint(cwd, []);
    expect([code, err]).toEqual([2, "vmlint: closed is not checked: it cannot be read (EACCES).\n"]);
    expect(out).toContain("1 VM");
  });
});

describe("files that are not what their name says", () => {
  test("topology reports a file without a VM", () => {
    const cwd = folder({ "other.json": "{}" });
    for (const hosts of [[], ["--host", "r640"], ["--host", "r640", "--host", "r930"]])
      expect(vmlint(cwd, ["topology", ...hosts])).toEqual({ code: 2, out: "No VMs found.\n", err: "vmlint: no VM was found.\n" });
  });

  test("an empty file and empty standard input have no findings", () => {
    const cwd = folder({ "empty.vmx": "", "blank.yaml": " \n" });
    for (const [args, name] of [
      [["-"], "-"],
      [["-", "--stdin-filename", "a.vmx"], "a.vmx"],
      [["empty.vmx"], "empty.vmx"],
      [["blank.yaml"], "blank.yaml"],
    ] as const) {
      const err = `vmlint: ${name} is not checked: it is empty.\n${HINT}`;
      expect(vmlint(cwd, args)).toEqual({ code: 2, out: "No checks ran in 0 VMs (1 file).\n", err });
      if (args[0] !== "-") expect(vmlint(cwd, ["topology", ...args]).out).toContain("This is not a VM definition: it is empty.\n");
      const json = vmlint(cwd, [...args, "--format", "json"]);
      expect([json.code, json.err, JSON.parse(json.out).summary]).toMatchObject([2, err, { files: 1, vms: 0, error: 0 }]);
    }
  });

  test("a named file of values is noted as one", () => {
    const { code, err } = vmlint(folder({ "prod.auto.tfvars": 'vcpus = "8"\n' }), ["prod.auto.tfvars"]);
    expect([code, err]).toEqual([
      2,
      `vmlint: prod.auto.tfvars is not checked: it has values but no VM: check the folder that uses them.\n${HINT}`,
    ]);
  });

  test("a file of unknown format is reported, with the option that sets the format", () => {
    const { code, err } = vmlint(folder({ "notes.txt": "app01 has 8 vCPUs\n" }), ["notes.txt"]);
    const why = "unknown format (use --format-in to set it), and as a .vmx it has no key that VMware writes, such as virtualHW.version";
    expect([code, err]).toEqual([2, `vmlint: notes.txt is not checked: ${why}.\n${HINT}`]);
  });

  test("another program's .vmx is passed over in a folder and noted when named", () => {
    const cwd = folder({ "level.vmx": "<level/>\n", "a.vmx": CLEAN });
    expect(vmlint(cwd, []).err).toBe("");
    const { code, err } = vmlint(cwd, ["level.vmx"]);
    expect([code, err]).toEqual([
      2,
      `vmlint: level.vmx is not checked: it has no key that VMware writes, such as virtualHW.version.\n${HINT}`,
    ]);
    expect(JSON.parse(vmlint(cwd, ["topology", "level.vmx", "--format", "json"]).out).problems).toMatchObject([
      { path: "level.vmx", range: null },
    ]);
  });

  test("binary files, empty files, huge lines, circular links, a folder named like a file", () => {
    const cwd = folder({
      "binary.vmx": Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256),
      "empty.vmx": "",
      "long.vmx": `numvcpus = "${"9".repeat(100_000)}"\n`,
      "control.vmx": 'numvcpus = "\u001b[31m4"\n',
      "a/a.vmx": CLEAN,
    });
    symlinkSync(cwd, join(cwd, "a", "loop"));
    symlinkSync("nowhere", join(cwd, "dangling.vmx"));
    mkdirSync(join(cwd, "folder.vmx"));
    const { code, out, err } = vmlint(cwd, []);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("2 errors");
    // An escape sequence of a linted file must not reach the terminal.
    expect(out).not.toContain("\u001b");
  });
});

test("--workload wins over a comment and a configuration, in a check and in a topology", () => {
  const vmx = `# vmlint: workload=oracle\nvirtualHW.version = "17"\nnumvcpus = "8"\n`;
  const cwd = folder({ "a.vmx": vmx, "vmlint.yaml": "host: 2x10x2@7.0\nworkload: hana\n" });
  const options = ["--workload", "mssql,edition=standard,version=2019"];
  expect(vmlint(cwd, options).out).toContain("error mssql/standard-sockets a.vmx:3:13");
  expect(vmlint(cwd, []).out).not.toContain("mssql/");
  expect(vmlint(cwd, ["topology", ...options]).out).toContain("SQL Server can use 4 of 8 vCPUs");
  expect(vmlint(cwd, ["--workload", "mssq"])).toMatchObject({ code: 2, err: expect.stringContaining('--workload: "mssq" is no workload') });
});

describe("colours", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is
  const coloured = /\u001b\[/;
  test.each<[string, Record<string, string>, boolean, string[]?]>([
    ["on with --color always", {}, true, ["--color", "always"]],
    ["off with --color=never", { FORCE_COLOR: "1" }, false, ["--color=never"]],
    ["off when stdout is no terminal", {}, false],
    ["on with FORCE_COLOR", { FORCE_COLOR: "1" }, true],
    ["off with NO_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ])("%s", (_, env, expected, options = []) => {
    expect(coloured.test(vmlint(folder({ "a.vmx": PINNED }), ["--host", "dl580g7", ...options], env).out)).toBe(expected);
  });
});

describe("json", () => {
  const cwd = () =>
    folder({
      "a.vmx": PINNED,
      "b.vmx": `virtualHW.version = "10"\ndisplayName = "b"\nnumvcpus = "{{ n }}"\nscsi0.present = "TRUE"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"\nsched.cpu.max = "unlimited"\nnumvcpus = "4"\nbad line\n`,
      "c.vmx": `virtualHW.version = "10"\nnumvcpus = "64"\nsched.cpu.latencySensitivity = "high"\n`,
      "d.vmx": `virtualHW.version = "10"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n`,
      "vmlint.yaml": `host: dl580g7\nworkload: { kind: mssql, edition: standard, version: "2012" }\n`,
    });
  test.each([[["--format", "json"]], [["topology", "--format", "json"]]])("%j keeps to the published schema", (args) => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(vmlint(folder({}), ["schema", "output"]).out));
    const { out } = vmlint(cwd(), args);
    const document = JSON.parse(out);
    expect(out.endsWith("}\n")).toBe(true);
    validate(document);
    expect(validate.errors).toBeNull();
    expect(document).toMatchObject({ schemaVersion: 2, tool: { name: "vmlint" } });
  });

  test("findings are sorted by path, offset and rule, with one-based lines and UTF-16 offsets", () => {
    const { diagnostics, summary } = JSON.parse(vmlint(cwd(), ["--format", "json"]).out);
    const order = diagnostics.map((d: { path: string; range: { start: { offset: number } }; ruleId: string }) => [
      d.path,
      d.range.start.offset,
      d.ruleId,
    ]);
    expect(order).toEqual(
      [...order].sort((a, b) => (a[0] + String(a[1]).padStart(9, "0") + a[2] < b[0] + String(b[1]).padStart(9, "0") + b[2] ? -1 : 1)),
    );
    expect(diagnostics[0]).toMatchObject({
      path: "a.vmx",
      vm: "app01",
      host: "dl580g7",
      ruleId: "mssql/standard-sockets",
      range: { start: { line: 3, column: 13, offset: 61 }, end: { line: 3, column: 14, offset: 62 } },
      fixes: [{ safety: "unsafe", edits: [{ path: "a.vmx", newText: 'cpuid.coresPerSocket = "8"\r\n' }] }],
    });
    expect(summary).toMatchObject({ files: 4, vms: 4 });
  });

  test("topology tells null, unknown and known apart", () => {
    const { vms, problems } = JSON.parse(vmlint(cwd(), ["topology", "--format", "json"]).out);
    const [a, b, c, d] = vms;
    expect(a).toMatchObject({
      path: "a.vmx",
      name: "app01",
      format: "vmx",
      host: "dl580g7",
      spec: {
        vcpus: 8,
        coresPerSocket: null,
        hardwareVersion: 10,
        cpuAffinity: [0, 1, 2, 3, 4, 5, 6, 7],
        advanced: { "sched.cpu.affinity": "0-7" },
      },
      workload: { kind: "mssql", edition: "standard", version: "2012", licensing: null },
      topology: {
        esxi: "5.5",
        vcpus: 8,
        sockets: 8,
        coresPerSocket: 1,
        vnumaNodes: [8],
        numaClients: [8],
        pinning: { pcpus: 8, cores: 4, siblingPairs: 4, perNode: [4, 0, 0, 0] },
        usableVcpus: 4,
        certainty: "documented",
      },
    });
    expect(b).toMatchObject({
      spec: {
        vcpus: { unknown: 'set twice, to "{{ n }}" and "4"' },
        cpuLimitMHz: null,
        scsiControllers: [{ bus: 0, type: null }],
        nics: [{ index: 0, type: "vmxnet3" }],
      },
      topology: null,
    });
    expect(c.topology).toMatchObject({ vnumaNodes: [10, 10, 10, 10, 10, 10, 4], usableVcpus: 4 });
    expect(d.topology).toBeNull();
    expect(problems.map((p: { message: string }) => p.message).sort()).toEqual([
      "6 vCPUs do not divide into sockets of 4",
      expect.stringContaining("VMware ignores this line"),
      expect.stringContaining("VMware does not document which counts"),
      expect.stringContaining("vcpus is unknown: set twice"),
    ]);
  });

  test("a Workstation file gets the layout of ESXi, with a note", () => {
    const cwd = folder({ "a.vmx": `virtualHW.version = "16"\nnumvcpus = "2"\nethernet0.connectionType = "nat"\n` });
    expect(vmlint(cwd, ["topology", "--host", "2x10x2@8.0"]).out).toContain("Written for Workstation or Fusion");
  });

  test("shows the same blocks as lscpu and Coreinfo", () => {
    const at = (vcpus: number, more: string) => {
      const cwd = folder({ "a.vmx": `virtualHW.version = "20"\nnumvcpus = "${vcpus}"\n${more}` });
      return vmlint(cwd, ["topology", "--host", "2x20x2@8.0"]).out;
    };
    const threads = at(20, 'cpuid.numSMT = "2"\ncpuid.coresPerSocket = "20"');
    expect(threads).toContain("20 vCPUs, NUMA nodes and clients: 1 (documented), sockets: 1 x 20, 2 threads per core (unknown), on");
    expect(threads).toContain("    Thread(s) per core:  2\n    Core(s) per socket:  10\n    Socket(s):           1\n");
    expect(threads).toContain("  NUMA Node 0\n    No NUMA nodes.\n");
    expect(at(20, 'cpuid.numSMT = "2"\ncpuid.coresPerSocket = "1"')).toContain("Core(s) per socket:  unknown\n");
    const wide = at(40, 'cpuid.coresPerSocket = "20"');
    expect(wide).toContain("    Thread(s) per core:  1\n    Core(s) per socket:  20\n");
    expect(wide).not.toContain("No NUMA nodes.");
  });

  test("without a host there is no topology", () => {
    const { vms } = JSON.parse(vmlint(folder({ "a.vmx": PINNED }), ["topology", "--format", "json"]).out);
    expect(vms).toMatchObject([{ host: null, workload: null, topology: null }]);
  });
});

describe("the other commands", () => {
  test("--version, --help and the help of a command", () => {
    const cwd = folder({});
    expect(vmlint(cwd, ["--version"])).toMatchObject({ code: 0, out: "0.1.0\n" });
    const { out } = vmlint(cwd, ["--help"]);
    expect(out).toContain("vmlint topology [PATH...]");
    expect(out.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
    expect(vmlint(cwd, ["topology", "-h"]).out).toContain("dual-epyc-7763");
  });

  test("rules lists every rule, explain prints a rule's page", () => {
    const cwd = folder({});
    const { rules } = JSON.parse(vmlint(cwd, ["rules", "--format", "json"]).out);
    expect(rules.map(({ id }: { id: string }) => id)).toContain("numa/wide-uneven");
    expect(vmlint(cwd, ["rules"]).out.trim().split("\n")).toHaveLength(rules.length);
    const some = rules.filter((_: unknown, i: number) => i % 10 === 0);
    for (const { id } of some)
      expect(vmlint(cwd, ["explain", id])).toMatchObject({ code: 0, out: expect.stringContaining(`\nThe rule \`${id}\`.\n`) });
  });

  test("a reader that closes the pipe early is no error", () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `bad line ${i}`).join("\n");
    const cwd = folder({ "a.vmx": `numvcpus = "1"\n${lines}\n` });
    const { out, err } = vmlint(cwd, ["a.vmx", "--format", "compact"]);
    expect(out.split("\n").length).toBeGreaterThan(3000);
    expect(err).toBe("");
  });
});

describe("VM specs in YAML", () => {
  const SPEC = `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: app01 }\nspec: { vcpus: 11, hardwareVersion: 17 }\n`;
  const POD = "apiVersion: v1\nkind: Pod\n";

  test("are found among other YAML, which is passed over in a folder and reported when named", () => {
    const cwd = folder({
      "a.yaml": SPEC,
      "b.yml": POD,
      "c/broken.yaml": "a: [",
      "vmlint.yaml": "host: 4x10x2@7.0 # see vmlint.dev/rules\n",
    });
    const { code, out, err } = vmlint(cwd, []);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("warning numa/wide-uneven a.yaml:4:16");
    expect(out).toContain("1 warning in 1 VM (1 file).");
    expect(vmlint(cwd, ["b.yml"]).err).toMatch(/^vmlint: b\.yml is not checked: it has no document of a kind that vmlint reads/);
  });

  test("equal findings of several VMs are one entry that names each VM", () => {
    const two = `${SPEC}---\n${SPEC.replace("app01", "app02")}`;
    const { out } = vmlint(folder({ "a.yaml": two }), ["--host", "4x10x2@7.0"]);
    expect(out).toContain("numa/wide-uneven a.yaml:4:16  app01, host 4x10x2@7.0\n");
    expect(out).toContain("    also: a.yaml:9:16 app02\n");
  });

  test("vmlint init --spec writes a spec without findings, and never overwrites a file", () => {
    const cwd = folder({});
    expect(vmlint(cwd, ["init", "--spec"])).toMatchObject({ code: 0, out: expect.stringMatching(/^Wrote vm\.yaml\./) });
    expect(vmlint(cwd, ["--host", "2x24x2:768@8.0"])).toMatchObject({ code: 0, out: expect.stringContaining("in 1 VM (1 file)") });
    expect(vmlint(cwd, ["init", "--spec"])).toMatchObject({ code: 2, err: "vmlint: vm.yaml already exists. Nothing was written.\n" });
    expect(vmlint(cwd, ["--spec"])).toMatchObject({ code: 2, err: "vmlint: --spec only works with vmlint init.\n" });
  });
});

test.each(Object.entries(OPTIONS_OF))("the help of %j names the options it takes, and no other", (command, taken) => {
  const help = vmlint(folder({}), command === "" ? ["--help-all"] : [command, "--help"]).out;
  const named = (text: string) => [...new Set([...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = ""]) => name))];
  expect(named(help)).toEqual(expect.arrayContaining([...taken]));
  const options = [...help.matchAll(/^ {2}(?:-\w, )?--([a-z][a-z-]*)/gm)].map(([, name = ""]) => name);
  const listed = options.filter((name) => !["color", "help", "help-all", "version"].includes(name));
  expect(new Set(listed).size, "each once").toBe(listed.length);
  expect(listed.filter((name) => !taken.includes(name))).toEqual([]);
});

test("explain --format json prints the rule with its reason, evidence and sources", () => {
  const { out, code } = vmlint(folder({}), ["explain", "numa/wide-uneven", "--format", "json"]);
  const { rule } = JSON.parse(out);
  expect([code, rule.id, rule.severity]).toEqual([0, "numa/wide-uneven", "warning"]);
  for (const text of [rule.why, rule.whenNot, rule.evidence.figure, rule.sources[0].title]) expect(text).toMatch(/\w/);
  expect(rule.reads).toContain("vcpus");
  const { rules } = JSON.parse(vmlint(folder({}), ["rules", "--format", "json"]).out);
  expect(rule).toMatchObject(rules.find(({ id }: { readonly id: string }) => id === rule.id));
});
