import { type Range, type Setting, unknown } from "../../model/source.ts";
import { VM_OPERATOR_WEBHOOK } from "../../model/sources.ts";
import type { DroppedArgument, SettingName } from "../../model/spec.ts";
import type { Read } from "../../syntax/values.ts";
import { nodeOf } from "../../syntax/yaml/data-node.ts";
import { at, get, isNothing, rangeOf, scoped, settingOf, type Value } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_IMAGE } from "../inherited.ts";
import { levelsOfVcpus } from "../vi-json/config-info.ts";
import { describe, field, optionList, type VmDescription } from "../yaml/describe.ts";
import type { Fields, Kind, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { CONFIG_FIELDS, devicesOf, optionOf, readScsi } from "./config-spec.ts";
import { nameOf, versionOf } from "./object.ts";

/*
 * VM Operator, api/v1alpha1 to v1alpha6 (VirtualMachineClassSpec) and pkg/providers/vsphere/virtualmachine/configspec.go: `hardware`
 * wins over the same in `configSpec`; the CPU of requests and limits is in cores of the slowest host ("CPUQuantityToMhz"), which only the
 * cluster knows.
 */
const { guestOs: _, ...CONFIG } = CONFIG_FIELDS; // VM Operator clears it before it creates a VM (SanitizeVMClassConfigSpec).
const FIELDS: Fields = {
  ...CONFIG,
  vcpus: field("hardware.cpus", units.count),
  memoryMiB: field("hardware.memory", units.memory, units.writeMemory),
};

/** The policies of a resource; with a field if the unit is the same as of the setting. */
const ALLOCATIONS: readonly (readonly Policy[])[] = [
  [
    { setting: "cpuReservationMHz", path: ["requests", "cpu"], readValue: units.cpuCores },
    { setting: "cpuLimitMHz", path: ["limits", "cpu"], readValue: units.cpuCores },
  ],
  [
    { setting: "memoryReservationMiB", path: ["requests", "memory"], readValue: units.memoryOrNone, write: units.writeMemory },
    { setting: "memoryLimitMiB", path: ["limits", "memory"], readValue: units.memoryLimit, write: units.writeMemoryLimit },
  ],
];

interface Policy {
  readonly setting: SettingName;
  readonly path: readonly string[];
  readonly readValue: Read<number | "unlimited">;
  readonly write?: (value: never) => string;
}

const VM_CLASS: GeneratorRecord = {
  name: "VM Operator",
  source: VM_OPERATOR_WEBHOOK,
  refuses: ["mem/limit-lt-reservation"],
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

/** Returns the sizes of a class as a VM. */
export function readClass(root: Value): ReadVm {
  const spec = get(root, "spec");
  const configSpec = get(spec, "configSpec");
  const latencySensitivity = levelsOfVcpus(nodeOf(configSpec));
  const { extraSettings, ...allocated } = allocations(spec);
  return describe({
    format: "vm-class",
    root,
    name: nameOf(root),
    base: spec,
    template: true,
    options: optionList(configSpec, "extraConfig", optionOf),
    generator: VM_CLASS,
    inherits: OF_IMAGE,
    ...allocated,
    dropped: refusedCpu(spec),
    extraSettings: { ...extraSettings, ...(latencySensitivity && { latencySensitivity }) },
    addsMmio: true,
    scsi: readScsi(configSpec),
    devices: () => devicesOf(configSpec),
  });
}

/** `isRequestLimitValid` of the webhook, of the CPU: a rule checks the memory, but not cores whose clock is unknown. */
function refusedCpu(spec: Value): readonly DroppedArgument[] {
  const [least, limit] = ["requests", "limits"].map((part) =>
    settingOf(at(spec, ["policies", "resources", part, "cpu"]), units.cpuCores),
  ) as [Setting<number>, Setting<number>];
  if (least.state !== "known" || limit.state !== "known" || limit.value === 0 || least.value <= limit.value) return [];
  const because = { by: VM_CLASS.name, message: "low", least: least.value } as const;
  return [{ argument: "policies.resources.limits.cpu", value: String(limit.value), range: limit.range, because }];
}

/**
 * CreateConfigSpec: "if !res.Requests.Cpu.IsZero() || !res.Limits.Cpu.IsZero()", a new allocation replaces the one in `configSpec`, without
 * reservation if none is requested; otherwise `configSpec` applies, by default without reservation (initResourceAllocation). Memory works
 * the same way.
 */
function allocations(spec: Value): Pick<VmDescription, "fields" | "extraSettings" | "defaults"> {
  const fields: Record<string, unknown> = { ...FIELDS };
  const extraSettings: Record<string, Setting<never>> = {};
  const defaults: Record<string, number> = {};
  for (const policies of ALLOCATIONS) {
    const amounts = policies.map((policy) => {
      const value = at(spec, ["policies", "resources", ...policy.path]);
      const amount = settingOf(value, policy.readValue);
      return { ...policy, value, amount, isStated: amount.state === "unknown" || (amount.state === "known" && amount.value !== 0) };
    });
    const main = amounts.find(({ isStated }) => isStated);
    const isSure = amounts.some(({ amount, isStated }) => isStated && amount.state === "known");
    for (const { setting, path, readValue, write, value, amount, isStated } of amounts) {
      const fieldPath = FIELDS[setting]?.path ?? [];
      if (!main) {
        if (path[0] === "requests") defaults[setting] = 0;
      } else if (!isStated && !isSure && !isNothing(at(spec, fieldPath))) {
        extraSettings[setting] = unknown("a policy may override it", rangeOf(main.value));
      } else delete fields[setting];
      if (isStated && write) fields[setting] = { path: ["policies", "resources", ...path], read: readValue, write };
      else if (isStated) extraSettings[setting] = cores(amount, rangeOf(value));
    }
  }
  return { fields: fields as Fields, extraSettings, defaults };
}

const cores = (amount: Setting<unknown>, range: Range): Setting<never> =>
  amount.state === "known" ? unknown(`it is ${amount.value} cores at the clock of the slowest host`, range) : amount;
