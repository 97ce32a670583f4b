import { openWorkspace } from "@vmlint/core";
import { describe, expect, test } from "vitest";

// Tests of the library alone: `test/same.test.ts` compares it with the command and the editor.

describe("fixes", () => {
  test("of several VMs are written at once, and the fixes stay", async () => {
    const bad = 'virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "3"\n';
    const several = { "a.vmx": bad, "b.vmx": bad };
    const workspace = openWorkspace({ files: several });
    const { texts } = await workspace.fix((await workspace.check()).findings, { unsafe: true });
    const after = { ...several, ...Object.fromEntries(texts) };
    const again = await openWorkspace({ files: after }).check();
    expect(again.findings.map(({ ruleId }) => ruleId)).not.toContain("cpu/cps-divides");
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

test("resources that create no VM are listed", async () => {
  const files = { "main.tf": 'resource "vsphere_virtual_machine" "none" {\n  count = 0\n  num_cpus = 4\n}\n' };
  const { notChecked } = await openWorkspace({ files }).check();
  expect(notChecked).toEqual([
    { path: "main.tf", reason: "vsphere_virtual_machine.none creates 0 VMs, because count is 0", makesNoVm: true },
  ]);
});
