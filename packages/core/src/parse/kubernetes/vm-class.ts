import { type Setting, unknown } from "../../model/source.ts";
import type { SettingName } from "../../model/spec.ts";
import { neither } from "../vi-json/config.ts";
import { describe, field, optionList } from "../yaml/describe.ts";
import type { Fields, Kind, ReadVm } from "../yaml/kind.ts";
import { at, get, isNothing, rangeOf, scoped, settingOf, type Value } from "../yaml/tree.ts";
import * as units from "../yaml/units.ts";
import { CONFIG_FIELDS, devicesOf, optionOf, readScsi } from "./config-spec.ts";
import { nameOf, versionOf } from "./object.ts";

/*
 * VM Operator, api/v1alpha1 to v1alpha6 (VirtualMachineClassSpec) and pkg/providers/vsphere/virtualmachine/configspec.go: `hardware`
 * wins over the same in `configSpec`, and so do the requests and limits where there are any. Their CPU is in cores of the slowest
 * host ("CPUQuantityToMhz"), which only the cluster knows.
 */
const { guestOs: _, ...CONFIG } = CONFIG_FIELDS; // Cleared before a VM is made (SanitizeVMClassConfigSpec).
const FIELDS: Fields = {
  ...CONFIG,
  vcpus: field("hardware.cpus", units.count),
  memoryMiB: field("hardware.memory", units.memory, units.writeMemory),
};

const REQUESTS: Fields = {
  memoryReservationMiB: field("policies.resources.requests.memory", units.memoryOrNone, units.writeMemory),
  memoryLimitMiB: field("policies.resources.limits.memory", units.memoryLimit, units.writeMemoryLimit),
};

/** VirtualMachineClass of VM Operator. */
export const vmClass: Kind = {
  name: "vm-class",
  sign: /\bapiVersion["']?[ \t]*:[ \t]*["']?vmoperator\.vmware\.com\//,
  read: (object) => (isClass(object) ? [readClass(scoped(object))] : undefined),
};

/** Whether an object is such a class. */
export const isClass = (object: Value): boolean =>
  versionOf(object, { group: "vmoperator.vmware.com", kinds: ["VirtualMachineClass"] }) !== undefined;

/** The sizes of a class as a VM. */
export function readClass(root: Value): ReadVm {
  const spec = get(root, "spec");
  const configSpec = get(spec, "configSpec");
  const fields: Record<string, unknown> = { ...FIELDS };
  for (const [name, own] of Object.entries(REQUESTS)) if (!isNothing(at(spec, own.path))) fields[name] = own;
  return describe({
    format: "vm-class",
    root,
    name: nameOf(root),
    fields: fields as Fields,
    base: spec,
    template: true,
    options: optionList(configSpec, "extraConfig", optionOf),
    both: neither,
    inherits: "it is the image's that the VM is made from",
    // initResourceAllocation: nothing reserved, whatever the image says.
    defaults: { cpuReservationMHz: 0, memoryReservationMiB: 0 },
    more: cpuPolicies(spec),
    scsi: readScsi(configSpec),
    devices: () => devicesOf(configSpec),
  });
}

/** Cores, which become MHz by the slowest host. */
function cpuPolicies(spec: Value): Partial<Record<SettingName, Setting<never>>> {
  const found: Partial<Record<SettingName, Setting<never>>> = {};
  for (const [name, key] of [
    ["cpuReservationMHz", "requests"],
    ["cpuLimitMHz", "limits"],
  ] as const) {
    const value = at(spec, ["policies", "resources", key, "cpu"]);
    const amount = settingOf(value, units.cpuCores);
    if (amount.state === "known" && amount.value > 0)
      found[name] = unknown(`it is ${amount.value} cores at the clock of the slowest host`, rangeOf(value));
    else if (amount.state === "unknown") found[name] = amount;
  }
  return found;
}
