import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeVmx, openWorkspace, type PlacedFinding } from "@vmlint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anySpecs, anyVmx } from "../support/arbitraries.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

// The library and the command report the same findings.

const TODAY = new Date().toISOString().slice(0, 10);
const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);

/** The texts below a folder. */
function textsIn(root: string): Readonly<Record<string, string>> {
  const entries = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(root.length).replaceAll("\\", "/").replace(/^\//, ""), decodeVmx(readFileSync(path), decode)]),
  );
}

type Row = readonly [path: string, line: number, column: number, ruleId: string, severity: string, message: string, vm: string | null];

const rowOf = ({ path, line, column, ruleId, severity, message, vm }: PlacedFinding): Row => [
  path,
  line,
  column,
  ruleId,
  severity,
  message,
  vm,
];

interface Reported {
  readonly path: string;
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly vm: string | null;
  readonly range: { readonly start: { readonly line: number; readonly column: number } };
}

function byCommand(cwd: string, args: readonly string[] = []): readonly Row[] {
  const { out, err } = vmlint(cwd, [".", ...args, "--format", "json", "--fail-on", "never", "--no-gitignore"]);
  expect(out, err).not.toBe("");
  const reported: readonly Reported[] = JSON.parse(out).diagnostics;
  return reported.map(({ path, range, ruleId, severity, message, vm }) => [
    path,
    range.start.line,
    range.start.column,
    ruleId,
    severity,
    message,
    vm,
  ]);
}

const byLibrary = async (files: Readonly<Record<string, string>>, host?: string): Promise<readonly Row[]> =>
  (await openWorkspace({ files, today: TODAY, host }).check()).findings.map(rowOf);

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const shown = readdirSync(examples, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && readdirSync(join(examples, entry.name)).includes("vmlint.yaml"),
);

describe("examples/", () => {
  test.each(shown.map(({ name }) => name))("%s", async (name) => {
    const root = join(examples, name);
    const expected = byCommand(root);
    expect(await byLibrary(textsIn(root))).toEqual(expected);
  });
});

test("the well-shaped VMs are silent", async () => {
  const root = fileURLToPath(new URL("../well-shaped", import.meta.url));
  const { findings, vms } = await openWorkspace({ files: textsIn(root), today: TODAY }).check();
  expect(findings).toEqual([]);
  expect(vms.length).toBeGreaterThan(30);
});

const COMMENTS = ["", "# vmlint-disable-file cpu/cps-divides -- later\n", "# vmlint-disable-next-line -- later\n"];
const CONFIGS = [
  "host: 2x12x2:256@8.0\n",
  "host: 2x12x2:256@8.0\nextends: [all]\n",
  'host: 2x12x2:256@8.0\nsuppress: [{ vm: "*", rule: numa/wide-uneven, reason: old }]\n',
  'hosts: { esx01: { sockets: 2, coresPerSocket: 12, threadsPerCore: 2, memoryGiB: 256, esxi: "8.0", runs: ["*"] } }\nextends: [all]\n',
];
const resource = (vcpus: number, comment: string) =>
  `variable "cores" {}\n${comment}resource "vsphere_virtual_machine" "x" {\n  name = "x"\n  num_cpus = ${vcpus}\n  num_cores_per_socket = var.cores\n  memory = 4096\n}\n`;

test("random workspaces", { timeout: 60_000 }, async () => {
  const anyWorkspace = fc.record({
    vmx: fc.array(anyVmx, { minLength: 1, maxLength: 3 }),
    specs: anySpecs,
    vcpus: fc.integer({ min: 1, max: 40 }),
    comment: fc.constantFrom(...COMMENTS),
    config: fc.constantFrom(...CONFIGS),
  });
  await fc.assert(
    fc.asyncProperty(anyWorkspace, async ({ vmx, specs, vcpus, comment, config }) => {
      const files = {
        ...Object.fromEntries(vmx.map((text, i) => [`${i}.vmx`, `${comment}displayName = "vm-${i}"\n${text}\n`])),
        "specs.yaml": specs,
        "tf/main.tf": resource(vcpus, comment),
        "tf/terraform.tfvars": "cores = 4\n",
        "vmlint.yaml": config,
      };
      expect(await byLibrary(files)).toEqual(byCommand(folder(files)));
    }),
    { numRuns: 12 },
  );
});

test("a comment that disables a rule counts", async () => {
  const files = { "a.vmx": '# vmlint-disable-file cpu/cps-divides -- later\nnumvcpus = "4"\ncpuid.coresPerSocket = "3"\n' };
  const { findings, suppressed } = await openWorkspace({ files }).check();
  expect(findings.filter(({ ruleId }) => ruleId === "cpu/cps-divides")).toEqual([]);
  expect(suppressed.map(({ diagnostic }) => diagnostic.ruleId)).toEqual(["cpu/cps-divides"]);
});

test("a baseline hides what it has", async () => {
  const files = { "a.vmx": 'numvcpus = "4"\ncpuid.coresPerSocket = "3"\n', "vmlint.yaml": "{}\n" };
  const cwd = folder(files);
  vmlint(cwd, [".", "--update-baseline"]);
  const baseline = readFileSync(join(cwd, "vmlint-baseline.json"), "utf8");
  expect((await openWorkspace({ files }).check()).findings.map(({ ruleId }) => ruleId)).toContain("cpu/cps-divides");
  expect((await openWorkspace({ files: { ...files, "vmlint-baseline.json": baseline } }).check()).findings).toEqual([]);
});

describe("fixes", () => {
  const main =
    'variable "cores" {}\nresource "vsphere_virtual_machine" "x" {\n  name = "x"\n  num_cpus = 8\n  num_cores_per_socket = var.cores\n  memory = 4096\n}\n';
  const files = { "main.tf": main, "terraform.tfvars": "cores = 3\n", "vmlint.yaml": "host: 2x12x2:256@8.0\n" };

  test("are written where the value is, in another file too, as the command does", async () => {
    const workspace = openWorkspace({ files });
    const { findings } = await workspace.check();
    const { texts, fixed, edits } = await workspace.fix(findings, { unsafe: true });
    expect(fixed.map(({ ruleId }) => ruleId)).toContain("cpu/cps-divides");
    expect([...texts.keys()]).toEqual(["terraform.tfvars"]);
    const cwd = folder(files);
    vmlint(cwd, [".", "--fix-unsafe"]);
    expect(texts.get("terraform.tfvars")).toBe(readFileSync(join(cwd, "terraform.tfvars"), "utf8"));
    expect(edits.get("terraform.tfvars")?.newText).toMatch(/^\d$/);
  });

  test("of several VMs are written at once, and the fixes stay", async () => {
    const bad = 'virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "3"\n';
    const several = { "a.vmx": bad, "b.vmx": bad };
    const workspace = openWorkspace({ files: several });
    const { texts } = await workspace.fix((await workspace.check()).findings, { unsafe: true });
    const after = { ...several, ...Object.fromEntries(texts) };
    const again = await openWorkspace({ files: after }).check();
    expect(again.findings.map(({ ruleId }) => ruleId)).not.toContain("cpu/cps-divides");
    const cwd = folder(several);
    vmlint(cwd, [".", "--fix-unsafe"]);
    expect(after).toEqual(textsIn(cwd));
  });

  test("only of the findings that are given", async () => {
    const bad = 'virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "3"\n';
    const workspace = openWorkspace({ files: { "a.vmx": bad, "b.vmx": bad } });
    const { findings } = await workspace.check();
    const { texts } = await workspace.fix(
      findings.filter(({ path }) => path === "b.vmx"),
      { unsafe: true },
    );
    expect([...texts.keys()]).toEqual(["b.vmx"]);
  });
});

test("the layout of each VM", async () => {
  const files = { "a.vmx": 'virtualHW.version = "19"\nnumvcpus = "48"\n', "vmlint.yaml": "host: 2x24x2:256@8.0\n" };
  const [layout] = await openWorkspace({ files }).topology();
  expect(layout?.path).toBe("a.vmx");
  expect(layout?.result?.ok && layout.result.topology.vcpus).toBe(48);
});
