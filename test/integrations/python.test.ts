import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/checkout.ts";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const PACKAGE = join(ROOT, "integrations/python");

/** scripts/setup-spark.sh puts them there. */
const PYTHON = join(ROOT, ".integration-tools/spark/bin/python");
const why = existsSync(PYTHON) ? "" : " (skipped: scripts/setup-spark.sh installs pandas and PySpark)";

/** Runs a program of Python that finds the package, and the command on its PATH. */
function python(program: string, cwd = folder({}), stand = `exec '${process.execPath}' '${COMMAND}' "$@"`) {
  const bin = folder({ vmlint: `#!/bin/sh\n${stand}\n` });
  chmodSync(join(bin, "vmlint"), 0o755);
  const env = {
    ...process.env,
    PYTHONPATH: PACKAGE,
    PYTHONDONTWRITEBYTECODE: "1",
    PATH: `${bin}:${process.env.PATH}`,
    PYSPARK_PYTHON: PYTHON,
    // One machine, a few partitions, and no look-up of its own name.
    SPARK_LOCAL_IP: "127.0.0.1",
    PYSPARK_SUBMIT_ARGS: "--master local[2] pyspark-shell",
  };
  return spawnSync(PYTHON, ["-c", program], { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Runs a program, and returns the JSON value that it prints. */
function printed(program: string, cwd?: string) {
  const { status, stdout, stderr } = python(`import json, pandas\nfrom vmlint_spark import lint, linter\n${program}`, cwd);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** The columns of findings, of a report of the command. */
const rowsOf = (report: string) =>
  JSON.parse(report).diagnostics.map(({ vm, host, cluster, ruleId, severity, message, fixes }: Record<string, unknown>) => ({
    vm,
    host,
    cluster: cluster ?? null,
    rule: ruleId,
    severity,
    message,
    fix: (fixes as readonly { readonly title: string }[]).map(({ title }) => title).join("; ") || null,
  }));

const INFO = `VM,Powerstate,CPUs,Memory,HW version,Host
"a, ""b""",poweredOn,22,65536,17,esx1
c,poweredOn,96,65536,17,esx1
d,poweredOff,4,,21,esx2
`;
const CPU = `VM,Cores p/s,Hot Add,Host\n"a, ""b""",22,False,esx1\nc,5,True,esx1\nd,,False,esx2\n`;
const HOST = `Host,Cluster,# CPU,Cores per CPU,# Cores,HT Active,# Memory,ESX Version
esx1,prod,2,20,40,True,786432,VMware ESXi 8.0.3 build-24022510
esx2,dev,2,20,40,True,786432,VMware ESXi 8.0.3 build-24022510
`;

const blocks = (mark: string) => {
  const [, program = "", text = ""] =
    readFileSync(join(PACKAGE, "README.md"), "utf8").match(
      new RegExp(`<!-- ${mark} -->\n\`\`\`python\n([^]*?)\`\`\`(?:\n\n\`\`\`text\n([^]*?)\`\`\`)?`),
    ) ?? [];
  return { program, text };
};

test("vmlint-spark has the licence of the project", () => {
  expect(readFileSync(join(PACKAGE, "LICENSE"), "utf8")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
});

describe.skipIf(why !== "")(`vmlint-spark with pandas${why}`, { timeout: 120_000 }, () => {
  test("the example of the README prints what it says", () => {
    const { program, text } = blocks("run");
    const { stdout, stderr } = python(program);
    expect(stdout, stderr).toBe(text);
    expect(text).not.toBe("");
  });

  test("a table of RVTools has the findings of the export, with hosts and clusters", () => {
    const cwd = folder({ "RVTools_tabvInfo.csv": INFO, "RVTools_tabvCPU.csv": CPU, "RVTools_tabvHost.csv": HOST });
    const expected = rowsOf(vmlint(cwd, ["--format", "json", "--fail-on", "never"]).out);
    expect(new Set(expected.map(({ cluster }: { readonly cluster: string }) => cluster))).toEqual(new Set(["prod"]));
    const program = `
read = lambda sheet: pandas.read_csv(f"RVTools_tab{sheet}.csv")
cpu = read("vCPU").drop(columns=["VM", "Host"]).add_prefix("vCPU ")
print(lint(read("vInfo").join(cpu), hosts=read("vHost")).to_json(orient="records"))`;
    expect(printed(program, cwd)).toEqual(expected);
  });

  test("settings that are missing in a struct are absent, as in a VM spec", () => {
    const spec = (vcpus: number, more: object) => ({ spec: { vcpus, memoryMiB: 65_536, hardwareVersion: 17, ...more } });
    const items = [
      { metadata: { name: "a" }, host: "4x10x2@7.0", ...spec(22, {}) },
      { metadata: { name: "b" }, host: "2x20x2:768@8.0", ...spec(8, { cpuAffinity: [0, 1, 2, 3, 4, 5, 6, 7] }) },
    ];
    const cwd = folder({ "a.vm.json": JSON.stringify({ apiVersion: "vmlint.dev/v1", kind: "VirtualMachineList", items }) });
    const program = `
import numpy
settings = [
    {"vcpus": 22.0, "memoryMiB": 65536, "hardwareVersion": 17, "coresPerSocket": None, "cpuHotAdd": float("nan")},
    {"vcpus": numpy.int64(8), "memoryMiB": 65536, "hardwareVersion": 17, "cpuAffinity": numpy.arange(8)},
]
vms = pandas.DataFrame({"name": ["a", "b"], "host": ["4x10x2@7.0", "2x20x2:768@8.0"], "spec": settings})
print(lint(vms).to_json(orient="records"))`;
    expect(printed(program)).toEqual(rowsOf(vmlint(cwd, ["--format", "json", "--fail-on", "never"]).out));
  });

  test("no VM has no findings, and no command is run", () => {
    expect(printed(`print(lint(pandas.DataFrame({"spec": []}), command="no-such-command").to_json(orient="records"))`)).toEqual([]);
  });

  test.each([
    ["a wrong option", 'options=["--nope"]', undefined, "VmlintError: vmlint ended with exit code 2: vmlint: Unknown option '--nope'."],
    ["an unknown host", 'host="nowhere"', undefined, 'VmlintError: vmlint ended with exit code 2: vmlint: There is no host "nowhere".'],
    ["a bug", "", "echo broken >&2; exit 3", "VmlintBug: vmlint ended with exit code 3: broken"],
    ["a run that is killed", "", "printf '{\"type\":'; kill -9 $$", "VmlintError: Signal 9 ended vmlint"],
    ["another program", "", "echo hello", "VmlintError: vmlint ended with exit code 1:"],
    ["no command", 'command="no-such-command"', undefined, "VmlintError: The command no-such-command is not on this machine."],
  ])("%s is an exception that says why", (_, options, stand, message) => {
    const program = `import pandas\nfrom vmlint_spark import lint\nlint(pandas.DataFrame({"spec": [{"vcpus": 4}]}), ${options})`;
    const { status, stderr } = python(program, folder({}), stand);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`vmlint_spark.${message}`)]);
  });
});

describe.skipIf(why !== "")(`vmlint-spark with PySpark${why}`, () => {
  test("the example of the README prints the finding with its cluster", { timeout: 300_000 }, () => {
    const { stdout, stderr } = python(blocks("run with Spark").program);
    expect(stdout, stderr).toContain("|sql01|prod   |error   |cpu/exceeds-host-threads|");
  });

  test("100,000 VMs in partitions have the findings that each has alone", { timeout: 3_600_000 }, () => {
    const program = `
from pyspark.sql import SparkSession
from vmlint_spark import SCHEMA
spark = SparkSession.builder.config("spark.ui.enabled", "false").getOrCreate()
vms = spark.range(0, 100_000, 1, 8).selectExpr(
    "concat('vm', id) name", "'2x20x2:768@8.0' host",
    "named_struct('vcpus', element_at(array(4, 8, 96), int(id % 3) + 1), 'memoryMiB', 8192, 'hardwareVersion', 19, 'cpuHotAdd', cast(null as boolean)) spec",
)
found = vms.mapInPandas(linter(), SCHEMA).groupBy("rule", "severity", "host").count().toPandas()
print(found.to_json(orient="records"))
try:
    vms.limit(1).mapInPandas(linter(host="nowhere"), SCHEMA).collect()
except Exception as error:
    assert 'There is no host "nowhere"' in str(error)
else:
    raise AssertionError("an unknown host passes")`;
    expect(printed(program)).toEqual([{ rule: "cpu/exceeds-host-threads", severity: "error", host: "2x20x2:768@8.0", count: 33_333 }]);
  });
});
