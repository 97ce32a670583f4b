import { deriveTopology, type Format, type Setting, type VmSpec } from "@vmlint/core";
import { NOTHING_GIVEN, parseVmx } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { ovf } from "../../packages/core/src/formats/ovf/ovf.ts";
import { readConfigSpec } from "../../packages/core/src/formats/vi-json/config-info.ts";
import { govc } from "../../packages/core/src/formats/vi-json/govc.ts";
import { nodeOf } from "../../packages/core/src/syntax/yaml/data-node.ts";
import { readDocuments } from "../../packages/core/src/syntax/yaml/tree.ts";
import { anyHost } from "../support/arbitraries.ts";
import { type AnyVm, asConfigInfo, asConfigSpec, asOvf, asVmx, capitalised } from "../support/inventories.ts";

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const anyVm: fc.Arbitrary<AnyVm> = fc
  .record({
    vcpus: fc.integer({ min: 1, max: 256 }),
    name: fc.constantFrom("sql01", "web-1", "Ubuntu 22.04"),
    memoryMiB: fc.integer({ min: 1, max: 6_000_000 }),
    hardwareVersion: fc.constantFrom(4, 7, 10, 13, 19, 20, 21, 22),
    sockets: maybe(fc.integer({ min: 1, max: 8 })),
    cpuHotAdd: maybe(fc.boolean()),
    threadsPerCore: maybe(fc.constantFrom(1, 2)),
    latency: maybe(fc.constantFrom("normal", "high")),
    cpuReservation: maybe(fc.nat(50_000)),
    cpuLimit: maybe(fc.constantFrom(-1, 4000)),
    memoryReservation: maybe(fc.nat(65_536)),
    advanced: fc.dictionary(
      fc.constantFrom("numa.vcpu.preferHT", "numa.consolidate", "numa.autosize.once"),
      fc.constantFrom("TRUE", "FALSE"),
    ),
    scsi: fc.array(
      fc.tuple(fc.constantFrom("pvscsi" as const, "lsilogic" as const, "lsisas1068" as const, "buslogic" as const), fc.nat(6)),
      { maxLength: 4 },
    ),
    nics: fc.array(fc.constantFrom("vmxnet3" as const, "e1000" as const, "e1000e" as const, "vlance" as const), { maxLength: 4 }),
  })
  .map(({ sockets, ...vm }) => ({
    ...vm,
    coresPerSocket: sockets !== undefined && vm.vcpus % sockets === 0 ? vm.vcpus / sockets : undefined,
  }));

const value = (setting: Setting<unknown>) => (setting.state === "known" ? setting.value : setting.state);

/** The values read from a VM, without their positions. */
const facts = (vm: VmSpec) => ({
  name: vm.name,
  settings: Object.fromEntries(Object.entries(vm.settings).map(([name, setting]) => [name, value(setting)])),
  scsi: vm.scsiControllers.map(({ id, bus, type }) => [id, bus, value(type)]),
  disks: vm.devices().disks.map(({ id, controller }) => [id, controller]),
  nics: vm.devices().nics.map(({ index, type }) => [index, value(type)]),
});

const one = (format: Format, text: string): VmSpec => {
  const { vms, problems } = format.read({ paths: ["a"], text, inputs: NOTHING_GIVEN });
  expect(problems).toEqual([]);
  const [vm, ...others] = vms;
  expect(others).toEqual([]);
  if (!vm) throw new Error(`no VM in ${text}`);
  return vm;
};

const ofYaml = (text: string): VmSpec => {
  const [document] = readDocuments(text);
  const node = document && nodeOf(document.root);
  if (!node) throw new Error("no document");
  return readConfigSpec(node, { format: "yaml", range: [0, 0] });
};

const json = (value: unknown) => JSON.stringify(value);

/** Each way to write the VM that leaves unsaid what a .vmx leaves unsaid. */
const WAYS: readonly (readonly [string, (vm: AnyVm) => VmSpec])[] = [
  ["an OVF descriptor", (vm) => one(ovf, asOvf(vm))],
  ["a ConfigSpec", (vm) => one(govc, json(asConfigSpec(vm)))],
  ["a ConfigSpec in YAML", (vm) => ofYaml(stringify(asConfigSpec(vm)))],
];

describe("a VM means the same in every format", () => {
  test.each(WAYS)("as a .vmx and as %s", (_, read) => {
    fc.assert(
      fc.property(anyVm, anyHost, (vm, host) => {
        const [expected] = parseVmx(asVmx(vm)).vms;
        if (!expected) throw new Error("no VM");
        const found = read(vm);
        expect(facts(found)).toEqual(facts(expected));
        expect(deriveTopology(found, host)).toEqual(deriveTopology(expected, host));
      }),
      { numRuns: 200 },
    );
  });

  /** The server states what ESXi would choose; a .vmx of the same VM leaves it out. */
  const INFOS: readonly (readonly [string, (info: object, name: string) => unknown])[] = [
    ["of the API", (info) => info],
    ["of govc vm.info", (info, name) => ({ virtualMachines: [{ name, config: info }] })],
    ["of govc before 0.31", (info, name) => capitalised({ virtualMachines: [{ name, config: info }] })],
    ["of govc object.collect", (info) => [{ name: "config", op: "assign", val: info }]],
  ];
  test.each(INFOS)("as a .vmx and as a ConfigInfo %s", (_, wrap) => {
    fc.assert(
      fc.property(anyVm, anyHost, (vm, host) => {
        const [expected] = parseVmx(asVmx(vm)).vms;
        if (!expected) throw new Error("no VM");
        const found = one(govc, json(wrap(asConfigInfo(vm), vm.name)));
        const chosen = vm.hardwareVersion >= 20 ? "auto" : 1;
        const settings = { ...facts(expected).settings, coresPerSocket: vm.coresPerSocket ?? chosen };
        expect(facts(found)).toEqual({ ...facts(expected), settings });
        expect(deriveTopology(found, host)).toEqual(deriveTopology(expected, host));
      }),
      { numRuns: 100 },
    );
  });
});
