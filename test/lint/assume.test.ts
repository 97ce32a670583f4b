import { type Rule, requireHost, type SettingName, type Target, type VmSpec } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { OF_TEMPLATE, WITHOUT_OPTIONS } from "../../packages/core/src/formats/inherited.ts";
import { assumptionsBehind, lintedVm, writtenVm } from "../../packages/core/src/lint/assume.ts";
import { ABSENT, mistyped, unknown } from "../../packages/core/src/model/source.ts";
import type { AssumedValue, NamedTemplate, Observed } from "../../packages/core/src/model/spec.ts";
import { partial, ruleThat } from "../support/lint-with.ts";
import { vmOf } from "../support/sample-vm.ts";

const VM = vmOf('virtualHW.version = "19"\nnumvcpus = "8"');
const HOST = requireHost("2x12x2:256@8.0");

const valuesOf = (values: Partial<Record<SettingName, unknown>>, origin: string): ReadonlyMap<SettingName, AssumedValue> =>
  new Map(Object.entries(values).map(([name, value]) => [name as SettingName, { value, origin }]));
const template = (name: string, values: Partial<Record<SettingName, unknown>>): NamedTemplate => ({
  matches: (one) => one === name,
  settings: valuesOf(values, `set by ${name}`),
});
const assumed = (values: Partial<Record<SettingName, unknown>>, ...templates: readonly NamedTemplate[]): Target => ({
  assumptions: { settings: valuesOf(values, "assumed"), templates },
});

describe("measurements of a running VM", () => {
  const { range } = VM;
  const reported = { numaClients: [4, 4], source: "esxtop" } as const;
  const running = (value: Observed) => lintedVm(VM, { running: { observed: value } }).spec.observed?.value;

  test("are added, and those in its text win", () => {
    expect(lintedVm(VM, {}).spec).toBe(VM);
    const { spec } = lintedVm(VM, { running: { readyPercent: 5, observed: reported } });
    expect(spec).toMatchObject({ measured: { readyPercent: { value: 5, range } }, observed: { value: reported, range } });
    expect(writtenVm(spec)).toBe(VM);
    expect(writtenVm(VM)).toBe(VM);
    const measured = { readyPercent: { value: 7, range }, balloonedMiB: { value: 1, range } };
    expect(lintedVm({ ...VM, measured }, { running: { readyPercent: 5 } }).spec.measured).toEqual(measured);
    expect(lintedVm({ ...VM, measured }, { running: {} }).spec).toStrictEqual({ ...VM, measured, written: { ...VM, measured } });
  });

  test("are those of another VM with another number of vCPUs", () => {
    const observed = (vm: VmSpec) => lintedVm(vm, { running: { observed: reported } }).spec.observed?.value;
    expect([vmOf('numvcpus = "7"'), vmOf('memSize = "4"'), partial('numvcpus = "8"', { vcpus: undefined })].map(observed)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(running({ numaClients: [8], source: "esxtop" })).toEqual({ numaClients: [8], source: "esxtop" });
  });

  test("join a report in its text, which wins", () => {
    const joined = (value: Observed) =>
      lintedVm({ ...VM, observed: { value, range: [1, 2] } }, { running: { observed: reported } }).spec.observed;
    expect(joined({ numaClients: [8], source: "log" })).toEqual({ value: { numaClients: [8], source: "log" }, range: [1, 2] });
    expect(joined({ coresPerSocket: 2, source: "vCenter" })).toEqual({
      value: { numaClients: [4, 4], coresPerSocket: 2, source: "vCenter and esxtop" },
      range: [1, 2],
    });
  });
});

describe("settings of a template and of assume:", () => {
  const configured = () => ({ options: [], dropped: [] });
  const CLONE: VmSpec = {
    ...VM,
    clonedFrom: "dc/vm/rhel",
    settings: {
      ...VM.settings,
      memoryMiB: unknown(OF_TEMPLATE, [3, 4]),
      guestOs: unknown("a variable", [5, 6]),
      cpuHotAdd: mistyped("true", [7, 8]),
    },
    defaults: { preferHt: false },
  };
  const settled = (vm: VmSpec, target: Target, name: SettingName) => {
    const { spec } = lintedVm(vm, target);
    return [spec.settings[name], spec.assumed?.origins.get(name)];
  };
  const kept = (vm: VmSpec, target: Target) => lintedVm(vm, target).spec === vm;
  const memory = { memoryMiB: 4096 };

  test("go by the last template that has the name or the path", () => {
    const value = { state: "known", value: 4096, range: [3, 4] };
    expect(settled(CLONE, assumed({}, template("rhel", memory)), "memoryMiB")).toEqual([value, "set by rhel"]);
    expect(settled(CLONE, assumed({}, template("rhel", {}), template("dc/vm/rhel", memory)), "memoryMiB")).toEqual([
      value,
      "set by dc/vm/rhel",
    ]);
    expect(kept(CLONE, assumed({}, template("rhel", memory), template("rhel", {})))).toBe(true);
    expect(kept(CLONE, assumed({}, template("vm", memory)))).toBe(true);
    expect(kept({ ...CLONE, clonedFrom: "hel" }, assumed({}, template("rhel", memory)))).toBe(true);
    const { clonedFrom: _, ...own } = CLONE;
    expect(kept(own, assumed({}, template("rhel", memory)))).toBe(true);
  });

  test("the template comes before assume:", () => {
    const both = assumed({ memoryMiB: 8192 }, template("rhel", memory));
    expect(settled(CLONE, both, "memoryMiB")).toEqual([{ state: "known", value: 4096, range: [3, 4] }, "set by rhel"]);
    expect(settled(CLONE, assumed({ memoryMiB: 8192 }), "memoryMiB")).toEqual([{ state: "known", value: 8192, range: [3, 4] }, "assumed"]);
  });

  test.each<[what: string, name: SettingName, value: unknown, ofTemplate: boolean, ofAssume: boolean]>([
    ["inherited", "memoryMiB", 4096, true, true],
    ["unknown for another reason", "guestOs", "ubuntu-64", false, true],
    ["mistyped", "cpuHotAdd", true, false, false],
    ["stated", "vcpus", 4, false, false],
    ["absent", "numaConsolidate", true, true, true],
    ["absent with a default", "preferHt", true, false, false],
  ])("a setting that is %s", (_, name, value, ofTemplate, ofAssume) => {
    const vm = { ...CLONE, configured };
    expect([kept(vm, assumed({}, template("rhel", { [name]: value }))), kept(vm, assumed({ [name]: value }))]).toEqual([
      !ofTemplate,
      !ofAssume,
    ]);
  });

  test("a .vmx leaves no absent setting open, but a template sets it", () => {
    expect(kept(CLONE, assumed({ numaConsolidate: true }))).toBe(true);
    expect(settled(CLONE, assumed({}, template("rhel", { numaConsolidate: true })), "numaConsolidate")).toEqual([
      { state: "known", value: true, range: VM.range },
      "set by rhel",
    ]);
  });

  test("a template that lacks a setting makes it absent", () => {
    const target = assumed({ memoryMiB: 8192 }, template("rhel", { memoryMiB: undefined }));
    expect(settled(CLONE, target, "memoryMiB")).toEqual([ABSENT, "set by rhel"]);
    const { spec } = lintedVm(CLONE, target);
    expect([writtenVm(spec) === CLONE, spec.assumed?.without === CLONE]).toEqual([true, true]);
    const { spec: running } = lintedVm(CLONE, { ...target, running: { readyPercent: 5 } });
    expect([writtenVm(running) === CLONE, running.assumed?.without.measured !== undefined]).toEqual([true, true]);
  });
});

describe("a finding names what is assumed", () => {
  const said = (rule: Rule, vm: VmSpec, target: Target) =>
    assumptionsBehind(rule, lintedVm(vm, target), [1, 2]).map(({ message, range }) => `${message} at ${range}`);
  const ofLayout = ruleThat(() => [], { needs: ["topology"] });
  const reads = (...names: readonly SettingName[]) => ruleThat(() => [], { reads: names });
  const open = (vcpus: number) =>
    partial(`virtualHW.version = "19"\nnumvcpus = "${vcpus}"`, { cpuHotAdd: undefined, guestOs: undefined, memoryMiB: undefined });
  const HOT = ["CPU hot add: assumed at 1,2"];

  test.each<[what: string, rule: Rule, vm: VmSpec, target: Target, said: readonly string[]]>([
    ["that its rule reads", reads("cpuHotAdd"), open(24), assumed({ cpuHotAdd: true }), HOT],
    ["not what it does not read", reads("vcpus"), open(24), { ...assumed({ cpuHotAdd: true }), host: HOST }, []],
    ["that decides its layout", ofLayout, open(24), { ...assumed({ cpuHotAdd: true }), host: HOST }, HOT],
    ["not what decides no layout", ofLayout, open(4), { ...assumed({ cpuHotAdd: true }), host: HOST }, []],
    ["not what no layout depends on", ofLayout, open(24), { ...assumed({ guestOs: "ubuntu-64" }), host: HOST }, []],
    [
      "not an absent setting that no layout depends on",
      ofLayout,
      { ...VM, configured: () => ({ options: [], dropped: [] }) },
      { ...assumed({ cpuShares: "high" }), host: HOST },
      [],
    ],
    ["nothing of a layout without a host", ofLayout, open(24), assumed({ cpuHotAdd: true }), []],
    [
      "of an absent setting of its layout",
      ofLayout,
      { ...VM, configured: () => ({ options: [], dropped: [] }) },
      { ...assumed({ preferHt: true }), host: HOST },
      ["PreferHT: assumed at 1,2"],
    ],
    [
      "where no layout is known without it",
      ofLayout,
      partial('memSize = "4096"', { vcpus: undefined, cpuHotAdd: undefined }),
      { ...assumed({ vcpus: 24, cpuHotAdd: true }), host: HOST },
      ["The vCPU count: assumed at 1,2", ...HOT],
    ],
  ])("%s", (_, rule, vm, target, expected) => {
    expect(said(rule, vm, target)).toEqual(expected);
  });

  const EXISTING: VmSpec = { ...open(24), changes: true };
  const OPTIONS = `${WITHOUT_OPTIONS} at 1,2`;
  test.each<[what: string, rule: Rule, vm: VmSpec, said: readonly string[]]>([
    ["for its layout", ofLayout, EXISTING, [OPTIONS]],
    ["for an option that its rule reads", reads("preferHt"), EXISTING, [OPTIONS]],
    ["not for an option that it states", reads("preferHt"), { ...vmOf('numa.vcpu.preferHT = "TRUE"'), changes: true }, []],
    ["not for a setting that each VM has", reads("latencySensitivity"), EXISTING, []],
    ["not for an unknown setting", reads("guestOs"), EXISTING, []],
    ["not for a new VM", ofLayout, open(24), []],
  ])("of the options of an existing VM: %s", (_, rule, vm, expected) => {
    expect(said(rule, vm, {})).toEqual(expected);
  });

  test("of both", () => {
    expect(said(reads("cpuHotAdd", "preferHt"), EXISTING, assumed({ cpuHotAdd: true }))).toEqual([...HOT, OPTIONS]);
  });
});
