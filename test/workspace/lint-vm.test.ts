import { lint, lintVm, type SettingName } from "@vmlint/core";
import { yaml as format } from "@vmlint/core/yaml";
import fc from "fast-check";
import { expect, test } from "vitest";

const HOST = "2x20x2:768@8.0";

test("findings of a plain VM name settings, and fixes say what to set", () => {
  const { findings } = lintVm({ name: "sql01", vcpus: 8, coresPerSocket: 3, memoryMiB: 262_144, hardwareVersion: 19 }, { host: HOST });
  const [finding] = findings.filter(({ ruleId }) => ruleId === "cpu/cps-divides");
  expect(finding).toMatchObject({ vm: "sql01", setting: "coresPerSocket", severity: "error" });
  expect(finding?.fixes.map(({ settings }) => settings)).toContainEqual({ coresPerSocket: 2 });
});

test("an unknown setting is no absent one", () => {
  const skipped = lintVm({ vcpus: { unknown: "it is computed" }, coresPerSocket: 3 }).skipped;
  expect(skipped).toContainEqual({ ruleId: "cpu/cps-divides", reason: "unknown-value", needs: ["vcpus"], input: { cause: "open" } });
});

test.each<[vm: object, message: string, setting?: SettingName]>([
  [{ vcpus: "6" }, 'vcpus must be a positive whole number, not "6".', "vcpus"],
  [{ vcpus: null }, 'vcpus must be a positive whole number, not "null".', "vcpus"],
  [{ vcpus: 2.5 }, 'vcpus must be a positive whole number, not "2.5".', "vcpus"],
  [{ cpuHotAdd: "yes" }, 'cpuHotAdd must be TRUE or FALSE, not "yes". Did you mean true?', "cpuHotAdd"],
  [{ cpuAffinity: {} }, 'cpuAffinity must be a list of numbers such as "0,2,4-7".', "cpuAffinity"],
  [{ numCpus: 6 }, "A spec has no key numCpus. Did you mean vcpus?"],
])("%j of a JavaScript program has a finding: %s", (vm, message, setting) => {
  const { findings, skipped } = lintVm(vm, { host: HOST });
  expect(findings.map((one) => [one.message, one.setting])).toContainEqual([message, setting]);
  expect(skipped.filter(({ reason }) => reason === "rule-failed")).toEqual([]);
});

test("devices are checked, and findings lead to them", () => {
  const vm = { vcpus: 8, memoryMiB: 65_536, hardwareVersion: 19, guestOs: "windows2019srv-64" };
  const devices = {
    controllers: [{ kind: "scsi", bus: 0, type: "lsilogic" }],
    disks: [{ bus: "scsi0:0", provisioning: "thin" }, { bus: "scsi0:1" }],
    nics: [{ type: "e1000" }],
  } as const;
  const workload = "mssql";
  const { findings } = lintVm({ ...vm, ...devices }, { host: HOST, workload });
  expect(findings.map(({ path }) => path.slice(0, 2))).toEqual(
    expect.arrayContaining([
      ["controllers", 0],
      ["nics", 0],
    ]),
  );
  const yaml = `apiVersion: vmlint.dev/v1
kind: VirtualMachine
spec: ${JSON.stringify({ ...vm, scsiControllers: [{ bus: 0, type: "lsilogic" }], disks: devices.disks, nics: devices.nics })}
`;
  const rows = (all: readonly { readonly ruleId: string; readonly message: string }[]) =>
    all.map((one) => `${one.ruleId} ${one.message}`).sort();
  expect(rows(findings)).toEqual(rows(lint(yaml, { format, host: HOST, workload }).diagnostics));
  expect(lintVm(vm, { host: HOST, workload }).findings.flatMap(({ path }) => path)).not.toContain("nics");
});

test.each<[vm: object, path: readonly (string | number)[], message: string]>([
  [{ disks: "scsi0:0" }, ["disks"], 'disks must be a list, not "scsi0:0".'],
  [{ disks: [{ bus: 0 }] }, ["disks", 0, "bus"], 'disks[].bus must be a disk address such as scsi0:0, not "0".'],
  [{ controllers: [{ kind: "scsi" }] }, ["controllers", 0], "controllers[].bus must be a whole number of 0 or more."],
  [{ nics: [{ typ: "e1000" }] }, ["nics", 0, "typ"], "A spec has no key nics[].typ. Did you mean type?"],
  [{ platform: "kvm" }, ["platform"], 'platform must be one of esxi, desktop, other, unknown, not "kvm".'],
  [{ toString: 4 }, [], "A spec has no key toString."],
  [{ cpuAffinity: Object.create(null) }, ["cpuAffinity"], 'cpuAffinity must be a list of numbers such as "0,2,4-7".'],
])("%j has a finding at %j: %s", (vm, path, message) => {
  expect(lintVm(vm).findings.map((one) => [one.path, one.message])).toContainEqual([path, message]);
});

test("a file that is not a VM is refused", () => {
  expect(() => lintVm(undefined as unknown as object)).toThrow("lintVm takes a VM as an object, such as { vcpus: 22 }.");
});

/** How a .vmx writes what a plain VM says. */
const KEYS = {
  vcpus: "numvcpus",
  coresPerSocket: "cpuid.coresPerSocket",
  memoryMiB: "memSize",
  hardwareVersion: "virtualHW.version",
  coresPerNumaNode: "numa.vcpu.coresPerNode",
  cpuHotAdd: "vcpu.hotadd",
  latencySensitivity: "sched.cpu.latencySensitivity",
} as const satisfies { readonly [K in SettingName]?: string };

test("a plain VM has the findings of the same VM in a .vmx", () => {
  const anyVm = fc.record(
    {
      vcpus: fc.integer({ min: 1, max: 128 }),
      coresPerSocket: fc.integer({ min: 1, max: 32 }),
      memoryMiB: fc.integer({ min: 4, max: 1 << 20 }),
      hardwareVersion: fc.constantFrom(10, 13, 19, 20, 21),
      coresPerNumaNode: fc.integer({ min: 0, max: 16 }),
      cpuHotAdd: fc.boolean(),
      latencySensitivity: fc.constantFrom("low", "normal", "high"),
    },
    { requiredKeys: ["vcpus", "memoryMiB", "hardwareVersion"] },
  );
  fc.assert(
    fc.property(anyVm, (vm) => {
      const lines = Object.entries(vm).map(([name, value]) => `${KEYS[name as keyof typeof KEYS]} = "${String(value).toUpperCase()}"`);
      const text = lint(
        `${lines.join("\n").replace(/sensitivity = "(.*)"/i, (all) => all.toLowerCase().replace("sched.cpu.latencysensitivity", "sched.cpu.latencySensitivity"))}\n`,
        { host: HOST },
      );
      const rows = (all: readonly { readonly ruleId: string; readonly message: string }[]) =>
        all.map(({ ruleId, message }) => `${ruleId} ${message}`).sort();
      expect(rows(lintVm(vm, { host: HOST }).findings)).toEqual(rows(text.diagnostics));
    }),
  );
});
