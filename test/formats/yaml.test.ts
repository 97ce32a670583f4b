import { applyEdits, deriveTopology, lint, requireHost, type VmSpec } from "@vmlint/core";
import { parseVmx, STARTER } from "@vmlint/core/program";
import { specSchema } from "@vmlint/core/spec-schema";
import { yaml } from "@vmlint/core/yaml";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse as parseYaml, stringify } from "yaml";

const HEAD = "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\n";
const read = (text: string) => yaml.parse(text);
const one = (spec: string): VmSpec => {
  const [vm] = read(`${HEAD}spec:\n${spec}`).vms;
  if (!vm) throw new Error("no VM");
  return vm;
};
const problemsIn = ({ problems, vms }: ReturnType<typeof read>) => [...problems, ...vms.flatMap((vm) => vm.problems ?? [])];
const problems = (text: string) => problemsIn(read(text)).map(({ ruleId, data, range }) => [ruleId, text.slice(...range), data]);

describe("a VM spec", () => {
  test("says every setting, each with its place", () => {
    const text = `${HEAD}metadata: { name: sql01 }
host: lab
workload: { kind: mssql, edition: Standard, version: 2019 }
spec:
  vcpus: 8 # as asked
  coresPerSocket: auto
  memoryMiB: 65536
  cpuHotAdd: true
  latencySensitivity: High
  cpuAffinity: [4, 0, 2]
  cpuLimitMHz: unlimited
  memoryLimitMiB: 32768
  guestOs: 'windows2019srv-64'
  memoryReservationMiB: null
  scsiControllers:
    - { bus: 0, type: pvscsi }
    - bus: 1
  otherControllers: [{ kind: nvme, bus: 0 }]
  disks: [{ bus: "scsi0:0" }]
  nics: [{ type: VMXNET3 }]
  advanced:
    numa.vcpu.preferHT: "TRUE"
    Numa.Vcpu.Min: 6
`;
    const { vms, problems: found } = read(text);
    expect(found).toEqual([]);
    const [vm] = vms;
    const known = Object.entries(vm?.settings ?? {}).flatMap(([name, setting]) =>
      setting.state === "known" ? [[name, setting.value, text.slice(...setting.range)]] : [],
    );
    expect(known).toEqual([
      ["vcpus", 8, "8"],
      ["coresPerSocket", "auto", "auto"],
      ["memoryMiB", 65536, "65536"],
      ["guestOs", "windows2019srv-64", "windows2019srv-64"],
      ["cpuHotAdd", true, "true"],
      ["latencySensitivity", "high", "High"],
      ["cpuAffinity", [0, 2, 4], "[4, 0, 2]"],
      ["cpuLimitMHz", "unlimited", "unlimited"],
      ["memoryLimitMiB", 32768, "32768"],
      ["preferHt", true, "TRUE"],
      ["vnumaMinVcpus", 6, "6"],
    ]);
    expect(vm?.name).toBe("sql01");
    expect(vm?.scsiControllers.map(({ bus, type }) => [bus, type.state])).toEqual([
      [0, "known"],
      [1, "absent"],
    ]);
    expect(vm?.devices()).toMatchObject({
      otherControllers: [{ kind: "nvme", bus: 0 }],
      disks: [{ id: "scsi0:0", controller: "scsi0" }],
      nics: [{ index: 0, type: { value: "vmxnet3" } }],
    });
    expect([...(vm?.directive ?? [])].map(([word, { value }]) => [word, value])).toEqual([
      ["host", "lab"],
      ["workload", "mssql"],
      ["edition", "standard"],
      ["version", "2019"],
    ]);
  });

  test("comes alone, in a list, and in several documents", () => {
    const list = `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n- metadata: { name: a }\n  spec: { vcpus: 1 }\n- metadata: { name: b }\n  spec: { vcpus: 2 }\n`;
    expect(read(`${list}---\n${HEAD}metadata: { name: c }\n---\nkind: ConfigMap\n`).vms.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test("shares settings by anchors and merge keys; its own word wins", () => {
    const text = `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n- spec: &base { vcpus: 4, memoryMiB: 4096 }\n- spec: { <<: *base, vcpus: 8 }\n- spec: *base\n`;
    expect(
      read(text).vms.map(({ settings: { vcpus, memoryMiB } }) => [vcpus, memoryMiB].map((s) => s.state === "known" && s.value)),
    ).toEqual([
      [4, 4096],
      [8, 4096],
      [4, 4096],
    ]);
  });

  test("the first of several merged mappings applies, at any depth of merges", () => {
    const chain = Array.from({ length: 150 }, (_, i) => `a${i + 1}: &a${i + 1} { <<: *a${i} }\n`).join("");
    const text = `${HEAD}a0: &a0 { vcpus: 4, memoryMiB: 64 }\n${chain}b: &b { memoryMiB: 128, coresPerSocket: 2 }\nspec: { <<: [*a150, *b] }\n`;
    const [vm] = read(text).vms;
    expect([vm?.settings.vcpus, vm?.settings.memoryMiB, vm?.settings.coresPerSocket]).toMatchObject([
      { value: 4 },
      { value: 64 },
      { value: 2 },
    ]);
  });

  test("more mistakes than the arguments of one call are all reported", () => {
    expect(read(`${HEAD}spec:\n${"\\\n".repeat(150_000)}`).problems.length).toBeGreaterThan(0);
    const keys = Array.from({ length: 150_000 }, (_, i) => `  k${i}: 1\n`).join("");
    expect(read(`${HEAD}spec:\n  vcpus: 2\n${keys}`).problems).toHaveLength(150_000);
  });

  test.each([
    ["quoted", '"{{ cpus }}"'],
    ["bare", "{{ cpus }}"],
    ["of a shell", "${CPUS:=4}"],
    ["of a shell, without braces", "$CPUS"],
    ["of a machine controller", "<< CPUS >>"],
  ])("a template leaves the value unknown: %s", (_, value) => {
    expect(one(`  vcpus: ${value}\n`).settings.vcpus.state).toBe("unknown");
    expect(problems(`${HEAD}spec:\n  vcpus: ${value}\n`).filter(([id]) => id === "spec/type")).toEqual([]);
  });

  test.each<[string, string, unknown[][]]>([
    ["a misspelt key", `${HEAD}spec: { vcpu: 4 }`, [["spec/unknown-key", "vcpu", { key: "spec.vcpu", nearest: "vcpus" }]]],
    [
      "a list without items",
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitem: []\n`,
      [
        ["spec/unknown-key", "item", { key: "item", nearest: "items" }],
        ["spec/type", "VirtualMachineList", { key: "items", value: "", expected: "a list" }],
      ],
    ],
    [
      "items that are no list",
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems: { a: 1 }\n`,
      [["spec/type", "{ a: 1 }", { key: "items", value: "{ a: 1 }", expected: "a list" }]],
    ],
    [
      "an item that is no VM",
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems: [a]\n`,
      [["spec/type", "a", { key: "items[]", value: "a", expected: "a mapping" }]],
    ],
    [
      "an alias of nothing",
      `${HEAD}spec:\n  memoryMiB: 4096\n  vcpus: *cpus\n`,
      [["spec/syntax", "*cpus", { message: "there is no earlier anchor cpus" }]],
    ],
    [
      "a tab, and nothing that follows from it",
      `${HEAD}spec:\n\tvcpus: 3\n`,
      [["spec/syntax", "\t", { message: "Tabs are not allowed as indentation" }]],
    ],
    ["what is said over a mapping that is merged", `${HEAD}spec:\n  <<: &base { vcpus: 4, memoryMiB: 8192 }\n  vcpus: 8\n`, []],
    ["a key set twice", `${HEAD}spec:\n  vcpus: 4\n  vcpus: 8`, [["spec/unknown-key", "vcpus", { key: "spec.vcpus" }]]],
    [
      "a word for a number",
      `${HEAD}spec: { vcpus: four }`,
      [["spec/type", "four", { key: "vcpus", value: "four", expected: "a positive whole number", meant: "4" }]],
    ],
    [
      "a list without numbers",
      `${HEAD}spec: { cpuAffinity: [] }`,
      [["spec/type", "[]", { key: "cpuAffinity", value: "[]", expected: 'a list of numbers such as "0,2,4-7"' }]],
    ],
    [
      "a misspelt auto",
      `${HEAD}spec: { coresPerSocket: autoo }`,
      [["spec/type", "autoo", { key: "coresPerSocket", value: "autoo", expected: "a positive whole number, or auto" }]],
    ],
    ["a list for a mapping", `${HEAD}spec: [1]`, [["spec/type", "[1]", { key: "spec", value: "[1]", expected: "a mapping" }]]],
    [
      "another version",
      "apiVersion: vmlint.dev/v2",
      [["spec/type", "vmlint.dev/v2", { key: "apiVersion", value: "vmlint.dev/v2", expected: "vmlint.dev/v1" }]],
    ],
    ["a bracket left open", `${HEAD}spec: { vcpus: 4`, [["spec/syntax", "", { message: expect.stringContaining("}") }]]],
    [
      "a controller nobody makes",
      `${HEAD}spec: { scsiControllers: [{ bus: 0, type: scsi }] }`,
      [["spec/type", "scsi", { key: "scsiControllers[].type", value: "scsi", expected: "one of pvscsi, lsilogic, lsisas1068, buslogic" }]],
    ],
  ])("%s is reported at its place", (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test("a mistake at the end of a line is reported in that line, for all line ends", () => {
    const text = `${HEAD}metadata: { name:\r\nspec:\r\n  vcpus: 4\r\n`;
    const [problem] = problemsIn(read(text));
    const end = text.indexOf("name:") + "name:".length;
    expect(problem?.range).toEqual([end, end]);
  });

  test("every mistake in devices is reported at its place", () => {
    const spec = [
      "  scsiControllers: [{ bus: x }, { typ: pvscsi, bus: 1 }]",
      "  otherControllers: [{ kind: nvmee, bus: 0 }, { kind: sata }]",
      "  disks: [{ buss: scsi0:0 }, { bus: scsi0:1, provisioning: thinn }]",
      "  nics: { index: 0 }",
      "  passthrough: [pci0]",
      "  advanced: [a]",
    ].join("\n");
    const found = problems(`${HEAD}spec:\n${spec}\n`);
    expect(found.map(([, at, data]) => [at, (data as { key: string }).key]).sort()).toEqual([
      ["[a]", "advanced"],
      ["buss", "disks[].buss"],
      ["nvmee", "otherControllers[].kind"],
      ["pci0", "passthrough[]"],
      ["thinn", "disks[].provisioning"],
      ["typ", "scsiControllers[].typ"],
      ["x", "scsiControllers[].bus"],
      ["{ buss: scsi0:0 }", "disks[].bus"],
      ["{ index: 0 }", "nics"],
      ["{ kind: sata }", "otherControllers[].bus"],
    ]);
  });

  test("devices from a template are not reported", () => {
    const spec = [
      '  scsiControllers: "{{ controllers }}"',
      '  otherControllers: [{ kind: "{{ kind }}", bus: "{{ bus }}" }]',
      '  disks: ["{{ disk }}"]',
      '  advanced: "{{ advanced }}"',
    ].join("\n");
    expect(problems(`${HEAD}spec:\n${spec}\n`)).toEqual([]);
  });

  test("another program's spec is skipped", () => {
    expect(read("apiVersion: v1\nkind: Pod\n")).toMatchObject({ vms: [], problems: [], foreign: expect.stringContaining("vmlint.dev/v1") });
    expect(read("")).toMatchObject({ vms: [], foreign: expect.any(String) });
  });
});

describe("edits", () => {
  const fixed = (text: string, host: string): string => {
    const { diagnostics } = lint(text, { format: yaml, target: { host: requireHost(host) } });
    const fix = diagnostics.flatMap(({ fixes }) => fixes)[0];
    return applyEdits(text, fix?.edits ?? []);
  };
  test("a value is replaced in its place, and its quotes and comments are kept", () => {
    expect(fixed(`${HEAD}spec:\n  hardwareVersion: 17\n  vcpus: "22" # asked for\n`, "4x10x2@7.0")).toBe(
      `${HEAD}spec:\n  hardwareVersion: 17\n  vcpus: "20" # asked for\n`,
    );
  });
  test("a setting that is not there gets a line of its own", () => {
    const text = `${HEAD}spec:\n    vcpus: 4\n`.replaceAll("\n", "\r\n");
    const [vm] = read(text).vms;
    const edits = vm?.edit?.([{ setting: "coresPerSocket", value: 4 }]);
    expect(applyEdits(text, edits ?? [])).toBe(text.replace("vcpus: 4", "vcpus: 4\r\n    coresPerSocket: 4"));
    const advanced = vm?.edit?.([{ setting: "preferHt", value: true }]);
    expect(read(applyEdits(text, advanced ?? [])).vms[0]?.settings.preferHt).toMatchObject({ state: "known", value: true });
  });

  const CORES = "coresPerSocket: 4";
  test.each([
    ["below the count, not between a key and its comment", "# first\n  vcpus: 4 # four\n  # next\n  memoryMiB: 5", `# four\n  ${CORES}\n`],
    [
      "below the first that is on one line",
      "# first\n  disks:\n  - bus: a\n  memoryMiB: 5\n  # next\n  guestOs: x",
      `memoryMiB: 5\n  ${CORES}\n`,
    ],
    ["above the comments of the first where none is", "# first\n\n  # of it\n  disks:\n  - bus: a\n  - bus: b", `  ${CORES}\n  # of it\n`],
    ["outside of what a template may leave out", "{{ if .a }}\n  vcpus: 4\n  {{ end }}\n  memoryMiB: 5", `memoryMiB: 5\n  ${CORES}\n`],
  ])("a line is added %s", (_, lines, wanted) => {
    const text = `${HEAD}spec:\n  ${lines}\n`;
    const [vm] = read(text).vms;
    const after = applyEdits(text, vm?.edit?.([{ setting: "coresPerSocket", value: 4 }]) ?? []);
    expect(after).toContain(wanted);
    expect(after.replace(`  ${CORES}\n`, "")).toBe(text);
  });

  test("the value behind an alias is left alone, too", () => {
    const list = "apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n";
    const text = `${list}- spec: &a\n    vcpus: &n 4\n    memoryMiB: 4096\n- spec:\n    <<: *a\n    hardwareVersion: 19\n- spec: { vcpus: *n }\n`;
    const [a, b, c] = read(text).vms.map((vm) =>
      (["vcpus", "memoryMiB", "hardwareVersion", "coresPerSocket"] as const).map((setting) => {
        const edits = vm.edit?.([{ setting, value: 8 }]);
        return edits && applyEdits(text, edits);
      }),
    );
    expect(a).toEqual([undefined, undefined, undefined, undefined]);
    expect(b).toEqual([undefined, undefined, text.replace("19", "8"), text.replace("<<: *a", "<<: *a\n    coresPerSocket: 8")]);
    expect(c).toEqual([text.replace("*n", "8"), undefined, undefined, undefined]);
  });
});

describe("the schema", () => {
  const validate = new Ajv2020({ strictTypes: false }).compile(specSchema as object);
  test("accepts the output of vmlint init --spec with every comment turned into a setting", () => {
    const all = STARTER.replace(/^( *)# (?=[a-zA-Z]+:)/gm, "$1").replace(/^ {2}# {3}(?=numa)/m, "    ");
    expect([validate(parseYaml(STARTER)), validate(parseYaml(all)), validate.errors]).toEqual([true, true, null]);
    expect([problemsIn(read(STARTER)), problemsIn(read(all))]).toEqual([[], []]);
    const absent = Object.entries(read(all).vms[0]?.settings ?? {}).filter(([, { state }]) => state === "absent");
    expect(absent.map(([name]) => name)).not.toContain("latencySensitivity");
  });
  test("refuses what vmlint reports", () => {
    for (const spec of ["{ vcpu: 4 }", "{ vcpus: four }", "{ coresPerSocket: some }", "{ scsiControllers: [{ bus: 0, type: scsi }] }"]) {
      const text = `${HEAD}spec: ${spec}`;
      expect([spec, validate(parseYaml(text)), problems(text).length]).toEqual([spec, false, 1]);
    }
  });
});

describe("properties", () => {
  const anything = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(...`${HEAD}|spec:|  vcpus: 4|  - {|}|[|]|&a |*a|<<: *a|: |"|'|# x|\t|---|items:|!!x |> |advanced:`.split("|")),
        { maxLength: 30 },
      )
      .map((parts) => HEAD + parts.join("\n")),
  );
  test("any text is read without throwing, and every range lies inside it", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { diagnostics, vms } = lint(text, { format: yaml, target: { host: requireHost("dl580g7") } });
        const ranges = [...diagnostics.map(({ range }) => range), ...vms.flatMap(({ spec }) => [spec.range, ...settingRanges(spec)])];
        for (const [start, end] of ranges) expect(start >= 0 && start <= end && end <= text.length).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("a text larger than any spec is refused unread", () => {
    expect(problems(`${HEAD}${"#".repeat(20_000_000)}`)).toEqual([
      ["spec/syntax", "", { message: expect.stringMatching(/^20000047 characters/) }],
    ]);
  });

  test("an alias bomb and a map of 20,000 keys end", () => {
    const bomb = `${HEAD}a: &a [x, x]\n${[..."bcdefghij"].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefghij"[i]}`).join(", ")}]`).join("\n")}\nspec: { <<: *j, vcpus: 2 }\n`;
    expect(read(bomb).vms).toEqual([]);
    expect(problems(bomb)).toEqual([["spec/syntax", "*j", { message: expect.stringMatching(/^the aliases .* more than 400000 values/) }]]);
    const wide = `${HEAD}spec:\n  vcpus: 2\n  advanced:\n${Array.from({ length: 20_000 }, (_, i) => `    numa.k${i}: ${i}`).join("\n")}\n`;
    expect(read(wide).vms[0]?.advanced().size).toBe(20_000);
  });

  const spec = fc.record(
    {
      vcpus: fc.integer({ min: 1, max: 64 }),
      coresPerSocket: fc.constantFrom(1, 2, 4, 8),
      memoryMiB: fc.integer({ min: 4, max: 1_000_000 }),
      hardwareVersion: fc.constantFrom(8, 10, 13, 17, 20),
      cpuHotAdd: fc.boolean(),
      latencySensitivity: fc.constantFrom("low", "normal", "high"),
      cpuAffinity: fc.uniqueArray(fc.integer({ min: 0, max: 79 }), { minLength: 1, maxLength: 8 }),
      memoryReservationMiB: fc.integer({ min: 0, max: 1000 }),
      preferHT: fc.boolean(),
    },
    // Absent settings have the default of their format. Only .vmx has a default for the memory.
    { requiredKeys: ["vcpus", "memoryMiB"] },
  );
  test("the same VM as .vmx and as spec has the same settings, topology and findings", () => {
    const keys = {
      vcpus: "numvcpus",
      coresPerSocket: "cpuid.coresPerSocket",
      memoryMiB: "memSize",
      hardwareVersion: "virtualHW.version",
      cpuHotAdd: "vcpu.hotadd",
      latencySensitivity: "sched.cpu.latencySensitivity",
      cpuAffinity: "sched.cpu.affinity",
      memoryReservationMiB: "sched.mem.min",
      preferHT: "numa.vcpu.preferHT",
    } as const;
    fc.assert(
      fc.property(spec, fc.constantFrom("dl580g7", "2x10x2:256@6.5", "2x24x2/2:768@8.0"), (settings, hostName) => {
        const { preferHT, ...direct } = settings;
        const vmx = Object.entries(settings)
          .map(([name, value]) => `${keys[name as keyof typeof keys]} = "${value}"`)
          .join("\n");
        const body = { ...direct, ...(preferHT !== undefined && { advanced: { "numa.vcpu.preferHT": String(preferHT) } }) };
        const text = stringify({ apiVersion: "vmlint.dev/v1", kind: "VirtualMachine", spec: body });
        const host = requireHost(hostName);
        const ofVmx = lint(vmx, { target: { host } });
        const ofSpec = lint(text, { format: yaml, target: { host } });
        const values = (vm: VmSpec | undefined) =>
          Object.entries(vm?.settings ?? {}).map(([name, s]) => [name, s.state, "value" in s && s.value]);
        expect(values(ofSpec.vms[0]?.spec)).toEqual(values(parseVmx(vmx).vms[0]));
        const found = ({ diagnostics }: typeof ofVmx) => diagnostics.map(({ ruleId, message }) => `${ruleId} ${message}`).sort();
        expect(found(ofSpec)).toEqual(found(ofVmx));
        const [a, b] = [ofVmx.vms[0], ofSpec.vms[0]].map((vm) => vm && deriveTopology(vm.spec, host));
        expect(b).toEqual(a);
      }),
      { numRuns: 200 },
    );
  });
});

const settingRanges = (vm: VmSpec) => Object.values(vm.settings).flatMap((setting) => (setting.state === "absent" ? [] : [setting.range]));
