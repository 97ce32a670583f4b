import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/checkout.ts";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** scripts/setup-spark.sh puts it there, where VMLINT_SPARK asks for it: it is large. */
const PYTHON = join(ROOT, ".integration-tools/spark/bin/python");
const why = existsSync(PYTHON) ? "" : " (skipped: VMLINT_SPARK=1 scripts/setup-spark.sh installs PySpark)";

const spec = (i: number) => ({
  apiVersion: "vmlint.dev/v1",
  kind: "VirtualMachine",
  metadata: { name: `vm-${String(i).padStart(3, "0")}` },
  spec: { vcpus: [4, 22, 96][i % 3], memoryMiB: 65_536, hardwareVersion: 17 },
});

describe.skipIf(why !== "")(`examples/spark${why}`, () => {
  test("an RDD of specs, piped through vmlint, is found what one run finds", { timeout: 300_000 }, () => {
    // The error in the last spec belongs to the file, not to a VM.
    const specs = [...Array.from({ length: 99 }, (_, i) => spec(i)), { ...spec(99), spec: 4 }].map((one) => JSON.stringify(one));
    const cwd = folder({
      "specs.jsonl": `${specs.join("\n")}\n`,
      "one.yaml": specs.map((one) => `--- ${one}\n`).join(""),
      "bin/vmlint": `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`,
    });
    chmodSync(join(cwd, "bin/vmlint"), 0o755);
    const options = ["--host", "4x10x2@7.0"];
    const { status, stdout, stderr } = spawnSync(PYTHON, [join(ROOT, "examples/spark/lint_specs.py"), "specs.jsonl", ...options], {
      cwd,
      // One machine, a few partitions, and no look-up of its own name.
      env: {
        ...process.env,
        PATH: `${join(cwd, "bin")}:${process.env.PATH}`,
        SPARK_LOCAL_IP: "127.0.0.1",
        PYSPARK_SUBMIT_ARGS: "--master local[2] pyspark-shell",
      },
      encoding: "utf8",
      timeout: 240_000,
    });
    expect([status, stderr.includes("Traceback")], stderr).toEqual([0, false]);
    const { diagnostics } = JSON.parse(vmlint(cwd, ["one.yaml", "--format", "json", ...options]).out);
    const byRule = new Map<string, string[]>();
    for (const { severity, ruleId, vm } of diagnostics) {
      const key = `${severity} ${ruleId}`;
      byRule.set(key, [...(byRule.get(key) ?? []), vm ?? "-"]);
    }
    expect(byRule.size).toBeGreaterThan(1);
    const expected = [...byRule].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, vms]) => `${key}: ${vms.sort().join(", ")}`);
    expect(stdout.trim().split("\n")).toEqual([...expected, "100 VMs"]);
  });
});
