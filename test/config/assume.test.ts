import { openWorkspace } from "@vmlint/core";
import { parseConfig, readConfig } from "@vmlint/core/config";
import { lintText, possibleTopologies, targetOf } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";

const MACHINE = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata: { name: worker }
spec:
  template:
    spec:
      template: dc/vm/ubuntu-2204
      numCPUs: 12
      numCoresPerSocket: 6
      memoryMiB: 65536
`;
const UBUNTU = 'numvcpus = "2"\nmemsize = "2048"\nvirtualHW.version = "19"\nvcpu.hotadd = "TRUE"\n';
const HOST = "host: 2x8x2:256@8.0\n";

const check = async (config: string, more: Readonly<Record<string, string>> = {}) => {
  const { findings, vms } = await openWorkspace({ files: { "worker.yaml": MACHINE, "vmlint.yaml": HOST + config, ...more } }).check([
    "worker.yaml",
  ]);
  const found = findings.find(({ ruleId }) => ruleId === "numa/hidden-by-hotadd");
  return { found, related: found?.related.map(({ message }) => message), settings: vms[0]?.spec.settings };
};

describe("settings that a configuration states", () => {
  test("assume: decides what the template of a clone leaves open, and the finding says so", async () => {
    expect(await check("assume: { cpuHotAdd: true }\n")).toMatchObject({
      found: { severity: "warning", vm: "worker" },
      related: ["CPU hot add: assumed in vmlint.yaml:2"],
    });
    expect((await check("assume: { cpuHotAdd: false }\n")).found).toBeUndefined();
    expect((await check("")).found).toMatchObject({ holds: "in some cases" });
  });

  test("templates: goes by the template's name, by settings or by its file", async () => {
    expect((await check('templates:\n  "ubuntu-*": { cpuHotAdd: true }\n')).related).toEqual([
      "CPU hot add: set by the template (vmlint.yaml:3)",
    ]);
    const byFile = await check("assume: { cpuHotAdd: false }\ntemplates: { ubuntu-2204: t/ubuntu.vmx }\n", { "t/ubuntu.vmx": UBUNTU });
    expect(byFile.related).toContain("CPU hot add: set by the template (ubuntu.vmx)");
    // The clone states its size itself.
    expect(byFile.settings).toMatchObject({ vcpus: { value: 12 }, hardwareVersion: { value: 19 }, memoryMiB: { value: 65_536 } });
    expect((await check('templates:\n  "rhel-*": { cpuHotAdd: true }\n')).found).toMatchObject({ holds: "in some cases" });
  });

  test("a .vmx has no unknown device", () => {
    const config = parseConfig(`${HOST}assume: { cpuHotAdd: true, vcpus: 4 }`, "vmlint.yaml");
    const target = targetOf(config);
    const { vms } = lintText('numvcpus = "12"\n', { target: (vm) => target(vm, () => "a.vmx") });
    expect(vms[0]?.spec.settings).toMatchObject({ vcpus: { value: 12 }, cpuHotAdd: { state: "absent" } });
  });

  test("a layout depends on the value", async () => {
    const { vms } = await openWorkspace({ files: { "a.yaml": MACHINE, "vmlint.yaml": `${HOST}assume: { cpuHotAdd: true }` } }).check();
    const [vm] = vms;
    const result = vm?.target.host && possibleTopologies(vm.spec, vm.target.host);
    expect(result?.ok && result.cases.map(({ topology }) => topology.vnumaNodes)).toEqual([[12]]);
  });

  test.each([
    ["templates: { a: { cpuHotAdd: 3 } }", "templates.a.cpuHotAdd must be true or false."],
    ["templates: { a: { cpuHotad: true } }", 'There is no setting "templates.a.cpuHotad". Did you mean "cpuHotAdd"?'],
    ["templates: { a: 3 }", "templates.a must be settings, or a file with the template."],
    ["templates: { a: gone.vmx }", "gone.vmx cannot be read."],
    ["templates: { a: other.vmx }", "other.vmx is not a .vmx, OVF or govc JSON file with a template."],
    ["assume: { coresPerSocket: all }", "assume.coresPerSocket must be a whole number of 1 or more, or auto."],
    ["assume: { coresPerSocket: 0 }", "assume.coresPerSocket must be more than 0."],
    ["assume: { vcpus: 2147483648 }", "assume.vcpus must be 4096 or less."],
    ["assume: { vcpu: 4 }", 'There is no setting "assume.vcpu". Did you mean "vcpus"?'],
  ])("refuses %s", async (text, message) => {
    const read = async (path: string) => {
      if (path !== "other.vmx") throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      return "MZ\0";
    };
    await expect(readConfig(text, "vmlint.yaml", { read })).rejects.toThrow(message);
  });
});

test("the summary names the settings that bring most checks back", async () => {
  const { skippedChecks } = await import("../../packages/core/src/report/skipped.ts");
  const open = MACHINE.replace("numCPUs: 12", "numCPUs: 12\n      hardwareVersion: ${VERSION}").replace(
    "memoryMiB: 65536",
    "memoryMiB: ${MEMORY}",
  );
  const { results } = await openWorkspace({ files: { "a.yaml": open, "vmlint.yaml": HOST } }).check();
  expect(skippedChecks(results).steps).toContainEqual(
    expect.stringMatching(/^\d+ checks: state the unknown settings, as in vmlint.yaml: assume: \{ .*hardwareVersion: 21/),
  );
});
