import { readdirSync, readFileSync } from "node:fs";
import { type Diagnostic, openWorkspace, requireHost, type SettingName, type VmSpec } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { OF_EVERY_VM } from "../../packages/core/src/formats/inherited.ts";
import { lintParsed } from "../../packages/core/src/lint/lint.ts";
import { unknown } from "../../packages/core/src/model/source.ts";
import { allValuesOf, completed } from "../../packages/core/src/platforms/esxi/possible.ts";
import { canExist } from "../../packages/core/src/platforms/esxi/power-on.ts";
import { rules } from "../../packages/core/src/rules/index.ts";
import { anyHost, anyVmx } from "../support/arbitraries.ts";
import { READERS } from "../support/notations.ts";
import { vmOf } from "../support/sample-vm.ts";
import { yamlVm } from "../support/yaml-vm.ts";

/** A text that two sentences of a report may not both say: a value of a setting, and that vSphere refuses it. */
const REFUSED = /will not power on|does not start|(?<!may )refuse/;

/** The conditions that a finding states: "If cpuHotAdd is true:". */
const conditionsOf = ({ message, cases = [] }: Diagnostic): readonly (readonly [setting: SettingName, value: unknown])[] => [
  ...[...message.matchAll(/\bIf (\w+) is (\S+?):/g)].map(([, setting, text]) => [setting as SettingName, typed(text ?? "")] as const),
  ...cases.flatMap(({ when }) => Object.entries(when) as [SettingName, unknown][]),
];

const typed = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text === "true" || text === "false" ? text === "true" : text);

/** Fails if a finding is about a VM that cannot be; returns how many conditions it states. */
function judge(vm: VmSpec, host: Parameters<typeof canExist>[1], finding: Diagnostic): number {
  const conditions = conditionsOf(finding);
  for (const [name, value] of conditions) {
    const about = `${finding.ruleId}: ${finding.message}`;
    const setting = vm.settings[name];
    expect(setting.state, about).toBe("unknown");
    if (setting.state === "unknown" && setting.among) expect(setting.among, about).toContain(value);
    if (vm.changes || vm.exportHosts !== undefined) expect(OF_EVERY_VM, about).toContain(name);
    // A VM that cannot exist with any value is reported as it is.
    if (!(allValuesOf(name, vm, host) ?? []).some((one) => canExist(completed(vm, { [name]: one }), host))) continue;
    expect(canExist(completed(vm, { [name]: value }), host), about).toBe(true);
    expect(finding.message, about).not.toMatch(REFUSED);
  }
  return conditions.length;
}

const OPEN: readonly SettingName[] = [
  "coresPerSocket",
  "hardwareVersion",
  "threadsPerCore",
  "cpuHotAdd",
  "memoryHotAdd",
  "memoryReservationLocked",
  "preferHt",
  "coresPerNumaNode",
  "followCoresPerSocket",
  "exposeVnumaOnHotAdd",
  "numaAutosizeOnce",
  "numaFixedAutoAffinity",
];

const memory = fc
  .record({ size: fc.constantFrom(4096, 65_536), min: fc.constantFrom(0, 2048, 65_536), max: fc.constantFrom(2048, 65_536) })
  .map(({ size, min, max }) => `\nmemSize = "${size}"\nsched.mem.min = "${min}"\nsched.mem.max = "${max}"`);

/** Fails if a rule that a note names does not find the VM with the value of the note, or finds it with another value, too. */
function judgeNote(vm: VmSpec, host: Parameters<typeof canExist>[1], { cases = [] }: Diagnostic): void {
  for (const { when, ruleId } of cases) {
    const own = [ruleId, ...(rules.find(({ id }) => id === ruleId)?.unless ?? [])];
    for (const [name, value] of Object.entries(when) as [SettingName, unknown][])
      for (const other of allValuesOf(name, vm, host) ?? []) {
        const one = completed(vm, { [name]: other });
        if (other !== value && !canExist(one, host)) continue;
        const { diagnostics } = lintParsed({ vms: [one], problems: [] }, { target: { host } });
        const isFound = diagnostics.some(
          (found) => !found.holds && (other === value ? own.includes(found.ruleId) : found.ruleId === ruleId),
        );
        expect(isFound, `${ruleId} with ${name} ${other}, of a note about ${value}`).toBe(other === value);
      }
  }
}

test("no finding of a random VM begins with a value that vSphere refuses, and a note is about the only value with its findings", () => {
  let conditions = 0;
  let notes = 0;
  fc.assert(
    fc.property(
      anyVmx,
      memory,
      fc.option(anyHost, { nil: undefined }),
      fc.subarray([...OPEN], { minLength: 1, maxLength: 3 }),
      (...given) => {
        const [text, reserved, host, names] = given;
        const vm = vmOf(text + reserved);
        const hidden = names.map((name) => [name, unknown("a variable has no value", vm.range)]);
        const partial = { ...vm, settings: { ...vm.settings, ...Object.fromEntries(hidden) } };
        for (const finding of lintParsed({ vms: [partial], problems: [] }, { target: { host } }).diagnostics) {
          conditions += judge(partial, host, finding);
          if (!finding.holds) continue;
          notes++;
          judgeNote(partial, host, finding);
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(Math.min(conditions, notes)).toBeGreaterThan(0);
});

const EXPORTS: readonly (readonly [path: string, text: (vcpus: number, cores: number) => string])[] = [
  ["play.yml", (vcpus) => `- vmware.vmware.vm:\n    moid: vm-1\n    cpu: { cores: ${vcpus} }\n`],
  [
    "guest.yml",
    (vcpus) => `- community.vmware.vmware_guest:\n    uuid: a\n    state: present\n    hardware: { num_cpus: ${vcpus}, memory_mb: 4096 }\n`,
  ],
  ["vms.csv", (vcpus, cores) => `Name,PowerState,NumCpu,CoresPerSocket,HardwareVersion\na,PoweredOn,${vcpus},${cores},vmx-21\n`],
  ["vInfo.csv", (vcpus) => `VM,Powerstate,CPUs,Memory,HW version\na,poweredOn,${vcpus},4096,21\n`],
];

test.each(EXPORTS)("%s: no finding begins with an option that is assumed to be absent", async (path, text) => {
  for (const host of ["2x12x2:256@7.0", "2x12x2:256@8.0", "4x10x2:64@9.0"]) {
    for (const vcpus of [1, 14, 16, 30]) {
      const result = await openWorkspace({ files: { [path]: text(vcpus, 2) }, host }).check();
      expect(result.vms).toHaveLength(1);
      for (const { spec } of result.vms) for (const finding of result.findings) judge(spec, requireHost(host), finding);
    }
  }
});

/** Texts that are no number in any notation: a template fills them in, or they are a mistake. */
const NO_NUMBER = ['"four"', '"{{ x }}"', '"${x}"'];

const anyValues = fc.record({
  vcpus: fc.constantFrom("1", "2", "14", "16", "30", ...NO_NUMBER),
  coresPerSocket: fc.constantFrom("1", "2", "16", ...NO_NUMBER),
  memoryMiB: fc.constantFrom("4096", "65536", ...NO_NUMBER),
  cpuReservationMHz: fc.constantFrom("0", "20000", ...NO_NUMBER),
  memoryReservationMiB: fc.constantFrom("0", "4096", "65536", ...NO_NUMBER),
});

/** Values whose findings begin with conditions in some notations. */
const CONDITIONAL = {
  vcpus: "16",
  coresPerSocket: "2",
  memoryMiB: "65536",
  cpuReservationMHz: "0",
  memoryReservationMiB: "0",
};

let stated = 0;

test.each(Object.entries(READERS))("%s: no finding begins with a value that the VM cannot have", async (_, { path, text, files = {} }) => {
  await fc.assert(
    fc.asyncProperty(anyValues, fc.constantFrom(undefined, "2x12x2:256@7.0", "4x10x2:64@9.0"), async (values, host) => {
      const at = (name: SettingName): string => (name in values ? values[name as keyof typeof values] : "4");
      const others = Object.entries(files).map(([name, other]) => [name, other.replaceAll("VCPUS", at("vcpus"))]);
      const content: string | Uint8Array = text(at);
      const { vms, findings } = await openWorkspace({
        files: { [path]: content, ...Object.fromEntries(others) },
        ...(host && { host }),
      }).check();
      for (const { spec, target } of vms) for (const finding of findings) stated += judge(spec, target.host, finding);
    }),
    { numRuns: 20, examples: [[CONDITIONAL, "2x12x2:256@7.0"]] },
  );
});

test("findings of these notations begin with conditions", () => {
  expect(stated).toBeGreaterThan(0);
});

const examples = new URL("../../examples/", import.meta.url);

test.each(readdirSync(examples))("examples/%s: no finding begins with a value that the VM cannot have", async (name) => {
  const folder = new URL(`${name}/`, examples);
  const texts = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && !/\.(?:txt|svg|js)$/.test(entry.name));
  const files = Object.fromEntries(texts.map((entry) => [entry.name, readFileSync(new URL(entry.name, folder), "utf8")]));
  const { vms, findings } = await openWorkspace({ files }).check();
  for (const finding of findings) {
    const vm = vms.find(({ spec }) => spec.name === finding.vm);
    if (vm) judge(vm.spec, vm.target.host, finding);
  }
});

test("an existing VM has few layouts, and says what it assumes", async () => {
  const [, play] = EXPORTS[0] ?? [];
  const { findings, vms } = await openWorkspace({ files: { "play.yml": play?.(16, 2) ?? "" }, host: "2x12x2@8.0" }).check();
  expect(vms[0]?.spec.settings.preferHt.state).toBe("absent");
  const related = findings.flatMap((finding) => finding.related.map(({ message }) => message));
  expect(related).toContain("assumed: the existing VM sets no advanced options such as numa.vcpu.preferHT");
  const odd = `- community.vmware.vmware_guest:\n    uuid: a\n    state: present\n    hardware: { num_cpus: 6, num_cpu_cores_per_socket: 4 }\n`;
  const [divides] = (await openWorkspace({ files: { "play.yml": odd } }).check()).findings;
  expect([divides?.ruleId, divides?.related.map(({ message }) => message)]).toEqual(["cpu/cps-divides", ["6 vCPUs are set here"]]);
});

test("a text that fills in cores per socket cannot mean ESXi's own choice if its format has no word for it", () => {
  const play = (cores: string) =>
    `- community.vmware.vmware_guest:\n    name: a\n    guest_id: g\n    hardware: { num_cpus: 8, memory_mb: 4096, version: 21, num_cpu_cores_per_socket: "${cores}" }\n`;
  expect(yamlVm(play("{{ cores }}")).settings.coresPerSocket).toMatchObject({ state: "unknown", not: ["auto"] });
  expect(vmOf(`numvcpus = "8"\nvirtualHW.version = "21"\ncpuid.coresPerSocket = "{{ cores }}"`).settings.coresPerSocket).toMatchObject({
    not: ["auto"],
  });
  expect(vmOf(`virtualHW.version = "21"\nvirtualHW.version = "19"`).settings.hardwareVersion).toMatchObject({ among: [21, 19] });
});
