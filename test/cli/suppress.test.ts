import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputSchema } from "@vmlint/core/output-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const PINNED = (comment = "", name = "app01") =>
  `displayName = "${name}"\nvirtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"${comment}\n`;
const HIDE = " # vmlint-disable-line affinity/ht-siblings -- test rig";
const HOST = ["--host", "dl580g7"];

describe("a suppressed finding", () => {
  test("is not shown, does not fail the run, and is kept with its reason", () => {
    const cwd = folder({ "a.vmx": PINNED(HIDE) });
    const text = vmlint(cwd, HOST);
    expect([text.code, text.err]).toEqual([0, ""]);
    expect(text.out).toMatch(/^Nothing to report in 1 VM \(1 file\)\. .*\n(?: .*\n)*1 finding hidden: 1 by comment\.\n/);
    const json = JSON.parse(vmlint(cwd, [...HOST, "--format", "json"]).out);
    expect(new Ajv2020().validate(outputSchema as object, json)).toBe(true);
    expect(json.suppressed).toMatchObject([{ ruleId: "affinity/ht-siblings", path: "a.vmx", line: 4, reason: "test rig", by: "comment" }]);
    expect(json.diagnostics).toEqual([]);
  });

  test("is shown under --no-inline-config", () => {
    expect(vmlint(folder({ "a.vmx": PINNED(HIDE) }), [...HOST, "--no-inline-config"])).toMatchObject({ code: 1 });
  });

  test("is never fixed, wherever the suppression is", () => {
    const config = 'suppress: [{ vm: "web*" }]\n';
    const cwd = folder({ "a.vmx": PINNED(HIDE), "b.vmx": PINNED("", "web01"), "c.vmx": PINNED("", "app02"), "vmlint.yaml": config });
    const { err } = vmlint(cwd, [...HOST, "--fix-unsafe"]);
    expect(err).toBe("vmlint: c.vmx: fixed affinity/ht-siblings: Pin to 8 cores: 0,2,4,6,8,10,12,14.\n");
    expect([readFileSync(join(cwd, "a.vmx"), "utf8"), readFileSync(join(cwd, "b.vmx"), "utf8")]).toEqual([
      PINNED(HIDE),
      PINNED("", "web01"),
    ]);
  });

  const latency = (lines: string) =>
    `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: x }\nworkload: { kind: latency }\nspec:\n${lines}  memoryMiB: 4096\n  latencySensitivity: high\n  hardwareVersion: 20\n  cpuReservationMHz: 100000\n`;

  test("a fix that would uncover a hidden finding is refused", () => {
    const spec = latency("  vcpus: 4 # vmlint-disable-next-line spec/type -- later\n  memoryLimitMiB: many\n");
    const cwd = folder({ "a.yaml": spec });
    const { err } = vmlint(cwd, ["--host", "r640", "--fix-unsafe"]);
    expect(err).toBe("vmlint: a.yaml: latency/high-needs-mem-reservation is not fixed: its fix would bring spec/type.\n");
    expect(readFileSync(join(cwd, "a.yaml"), "utf8")).toBe(spec);
  });

  test("a line added by a fix does not separate a line from the comment above it", () => {
    const vcpus = "  # vmlint-disable-next-line spec/type -- later\n  vcpus: four\n";
    const cwd = folder({ "a.yaml": latency(vcpus) });
    vmlint(cwd, ["--host", "r640", "--fix-unsafe"]);
    expect(readFileSync(join(cwd, "a.yaml"), "utf8")).toBe(latency(`${vcpus}  memoryReservationMiB: 4096\n`));
  });
});

test("a comment without rules is not unused if the other description of its VM is unchecked", () => {
  const own = `# vmlint-disable-file -- moves next week\n${PINNED().replace(/sched.*/, `memSize = "8192"`)}`;
  const spec =
    "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: app01 }\nspec: { vcpus: 4, memoryMiB: 8192, hardwareVersion: 10 }\n";
  const cwd = folder({ "a.yaml": spec, "b.vmx": own, "vmlint.yaml": "extends: [strict]\nworkload: { kind: general }\n" });
  const found = (...args: string[]) => {
    const { diagnostics, suppressed } = JSON.parse(vmlint(cwd, [...HOST, "--format", "json", ...args]).out);
    return [...diagnostics, ...suppressed].flatMap(({ ruleId, path }) => (path === "b.vmx" ? [ruleId] : []));
  };
  expect(found()).toEqual(["spec/contradiction"]);
  expect(found("b.vmx")).toEqual([]);
  // If `spec/contradiction` is off, no rule compares the two descriptions, so the suppression is unused.
  writeFileSync(join(cwd, "vmlint.yaml"), "extends: [strict]\nworkload: { kind: general }\nrules: { spec/contradiction: off }\n");
  expect(found("b.vmx")).toEqual(["suppression/unused"]);
});

test("an entry without rules is unused if all of its files were checked", () => {
  const config = "extends: [strict]\nworkload: { kind: general }\nsuppress: [{ vm: app01, reason: moves next week }]\n";
  const cwd = folder({ "b.vmx": PINNED().replace(/sched.*/, `memSize = "8192"`), "vmlint.yaml": config });
  const { diagnostics } = JSON.parse(vmlint(cwd, [...HOST, "--format", "json"]).out);
  expect(diagnostics).toMatchObject([{ ruleId: "suppression/unused", path: "vmlint.yaml" }]);
});

describe("suppress: in vmlint.yaml", () => {
  const config = `suppress:\n  - { rule: affinity/ht-siblings, vm: app01, reason: test rig }\n  - { rule: vmx/type, path: "old/**" }\n`;
  const files = { "vmlint.yaml": config, "prod/a.vmx": PINNED(), "b.vmx": PINNED("", "app02") };

  test("hides by VM, rule and path below its folder; unused entries are reported only after a run of the entire folder", () => {
    const cwd = folder(files);
    const all = JSON.parse(vmlint(cwd, [...HOST, "--format", "json"]).out);
    expect(all.suppressed).toMatchObject([{ path: "prod/a.vmx", by: "config", reason: "test rig" }]);
    expect(all.diagnostics.map((d: { path: string; ruleId: string }) => [d.path, d.ruleId])).toEqual([
      ["b.vmx", "affinity/ht-siblings"],
      ["vmlint.yaml", "suppression/unused"],
    ]);
    expect(all.diagnostics[1].range.start).toMatchObject({ line: 3, column: 5 });
    expect(all.summary).toMatchObject({ files: 2, vms: 2 });
    expect(vmlint(cwd, [...HOST, "prod"])).toMatchObject({ code: 0 });
    expect(vmlint(join(cwd, "prod"), HOST)).toMatchObject({ code: 0 });
  });

  test("hides a finding about several VMs if it covers all of them, and otherwise blocks its fix", () => {
    const loop = `resource "vsphere_virtual_machine" "web" {
  for_each = toset(["a/1", "b"])
  name     = each.key
  guest_id = "windows2019srv_64Guest"
  memory   = 4096
  num_cpus = 6
  num_cores_per_socket = 4
}
`;
    const web = (key: string) => `vsphere_virtual_machine.web["${key}"]`;
    const entry = (glob: string) => `  - { rule: cpu/cps-divides, vm: '${glob}', reason: known }\n`;
    const run = (entries: string, more: readonly string[] = []) => {
      const cwd = folder({ "main.tf": loop, "vmlint.yaml": `host: r640\nsuppress:\n${entries}` });
      const { code, out, err } = vmlint(cwd, ["--format", "json", ...more]);
      const { diagnostics, suppressed } = JSON.parse(out);
      return { code, err, left: diagnostics, hidden: suppressed, text: readFileSync(join(cwd, "main.tf"), "utf8") };
    };
    for (const glob of ['*"a/1"*', '*"b"*']) {
      const { code, left, hidden, text } = run(entry(glob), ["--fix-unsafe"]);
      expect([code, hidden, text]).toEqual([1, [], loop]);
      expect(left).toMatchObject([{ ruleId: "cpu/cps-divides", vms: [web("a/1"), web("b")], fixes: [] }]);
    }
    for (const entries of [entry("vsphere_virtual_machine.web*"), entry('*"b"*') + entry('*"a/1"*')]) {
      const { code, left, hidden } = run(entries);
      expect([code, left]).toEqual([0, []]);
      expect(hidden).toMatchObject([{ ruleId: "cpu/cps-divides", reason: "known", vm: web("a/1"), vms: [web("a/1"), web("b")] }]);
    }
  });

  test("for one VM of an Ansible loop, it blocks a fix of the shared line", () => {
    const loop = `- hosts: localhost
  tasks:
    - community.vmware.vmware_guest:
        name: "{{ item }}"
        hardware: { num_cpus: 6, num_cpu_cores_per_socket: 4, memory_mb: 4096 }
      loop: [a, b]
`;
    const entry = "suppress: [{ rule: cpu/cps-divides, vm: a, reason: known }]\n";
    const cwd = folder({ "vms.yaml": loop, "vmlint.yaml": entry });
    expect(vmlint(cwd, ["--fix-unsafe"]).code).toBe(1);
    expect(readFileSync(join(cwd, "vms.yaml"), "utf8")).toBe(loop);
    writeFileSync(join(cwd, "vmlint.yaml"), "");
    expect(vmlint(cwd, ["--fix-unsafe"]).code).toBe(0);
    expect(readFileSync(join(cwd, "vms.yaml"), "utf8")).not.toBe(loop);
  });

  test("a mistake in the configuration is named with its line", () => {
    const cwd = folder({ "vmlint.yaml": "suppress:\n  - { rule: vmx/typ }\n" });
    expect(vmlint(cwd, [])).toEqual({
      code: 2,
      out: "",
      err: 'vmlint: vmlint.yaml:2:13: There is no rule "vmx/typ". Did you mean "vmx/type"?\nvmlint: vmlint.yaml: the other entries apply.\n',
    });
  });

  test("findings about several VMs can be suppressed too", () => {
    const vm = (name: string, more = "") => `displayName = "${name}"\nvirtualHW.version = "10"\nnumvcpus = "44"\n${more}`;
    const host = `hosts: { esx: { esxi: "5.5", sockets: 4, coresPerSocket: 10, threadsPerCore: 2, runs: ["sql-*"] } }\nworkload: { kind: postgresql }\nrules: { numa/wide-uneven: off, cpu/exceeds-physical-cores: off }\n`;
    const run = (more: string, comment = "") => {
      const cwd = folder({ "vmlint.yaml": `${host}${more}`, "a.vmx": vm("sql-1", comment), "b.vmx": vm("sql-2") });
      const { diagnostics, suppressed } = JSON.parse(vmlint(cwd, ["--format", "json"]).out);
      return [diagnostics, suppressed].map((found) => found.map((d: { ruleId: string }) => d.ruleId));
    };
    expect(run("")).toEqual([["host/overcommit"], []]);
    expect(run("suppress: [{ rule: host/overcommit }]")).toEqual([[], ["host/overcommit"]]);
    expect(run("", "# vmlint-disable-file host/overcommit\n")).toEqual([[], ["host/overcommit"]]);
  });
});

test("--add-suppressions accepts all findings with a reason, and the next run is clean", () => {
  const cwd = folder({ "prod/a.vmx": PINNED(), "vmlint.yaml": "host: dl580g7\nextends: [strict]\n" });
  const added = vmlint(cwd, ["--add-suppressions", "test rig"]);
  expect([added.code, added.err]).toEqual([0, "vmlint: vmlint.yaml has 1 more suppression.\n"]);
  expect(readFileSync(join(cwd, "vmlint.yaml"), "utf8")).toBe(
    "host: dl580g7\nextends: [strict]\nsuppress:\n  - { rule: affinity/ht-siblings, vm: app01, path: prod/a.vmx, reason: test rig }\n",
  );
  expect(vmlint(cwd, []).out).toBe(added.out);
  expect(vmlint(folder({ "a.vmx": PINNED() }), [...HOST, "--add-suppressions", "x"])).toMatchObject({
    code: 2,
    err: "vmlint: --add-suppressions needs a vmlint.yaml, and a.vmx has none. Run vmlint init to write one.\n",
  });
});

test("the preset strict asks for a reason, and another preset does not", () => {
  const run = (preset: string) => {
    const config = `host: dl580g7\nextends: [${preset}]\nsuppress: [{ rule: affinity/ht-siblings }]\n`;
    const { diagnostics } = JSON.parse(vmlint(folder({ "a.vmx": PINNED(), "vmlint.yaml": config }), ["--format", "json"]).out);
    return diagnostics.flatMap(({ ruleId }: { readonly ruleId: string }) => (ruleId.startsWith("suppression/") ? ruleId : []));
  };
  expect([run("recommended"), run("strict"), run("all")]).toEqual([[], ["suppression/no-reason"], ["suppression/no-reason"]]);
});
