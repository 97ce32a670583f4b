import { known, type Setting, unknown } from "../../model/source.ts";
import { VMWARE_REST } from "../../model/sources.ts";
import type { Devices, Disk, OtherController, ScsiType, SettingName } from "../../model/spec.ts";
import { sharing } from "../../syntax/values.ts";
import { get, isNothing, rangeOf, settingOf, textOf } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_EXISTING } from "../inherited.ts";
import { describe, field, missingDisks, type ScsiType as Scsi } from "../yaml/describe.ts";
import type { Fields } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { type Call, type Item, isAbsent, type Module } from "./task.ts";

/*
 * vmware.vmware_rest 4, plugins/modules/vcenter_vm.py: the fields of the vSphere Automation API ("VM CreateSpec"). Missing fields have the
 * "guest-specific default value".
 */
const FIELDS: Fields = {
  vcpus: field("cpu.count", units.count),
  coresPerSocket: field("cpu.cores_per_socket", units.cores("mistake"), units.writeCores("mistake")),
  memoryMiB: field("memory.size_MiB", units.count),
  hardwareVersion: field(
    "hardware_version",
    (text, range) => units.count(text.replace(/^VMX_0?/i, ""), range),
    (version) => `VMX_${String(version).padStart(2, "0")}`,
  ),
  cpuHotAdd: field("cpu.hot_add_enabled", units.bool),
  memoryHotAdd: field("memory.hot_add_enabled", units.bool),
};

const OF_GUEST = "vCenter chooses it for the guest";
const OPEN: Partial<Readonly<Record<SettingName, string>>> = {
  ...Object.fromEntries(Object.keys(FIELDS).map((name) => [name, OF_GUEST])),
  guestOs: "the vSphere Automation API has names of its own for guests",
};

/** Its documentation lists the other versions: no release of ESXi has these. */
const REST: GeneratorRecord = {
  name: "vcenter_vm",
  source: VMWARE_REST,
  refuses: [],
  treats: [{ part: "hardwareVersion", does: "refuses", versions: [5, 12, 16] }],
};

const SHAPING = ["cpu", "memory", "disks", "scsi_adapters"];

/** `vmware.vmware_rest.vcenter_vm`. */
export const vcenterVm: Module = {
  name: "vmware.vmware_rest.vcenter_vm",
  short: "vcenter_vm",
  needsCollection: true,
  groups: ["group/vmware.vmware_rest.vmware_rest"],
  read: (call) => {
    const { find, args } = call;
    if (isAbsent(call) || SHAPING.every((key) => isNothing(find([key])))) return undefined;
    const state = textOf(find(["state"])) ?? "present";
    const isNew = !call.isThere && state === "present" && isNothing(find(["vm"]));
    return describe({
      format: "ansible",
      root: call.task,
      name: [["name"], ["vm"]].map(find).find((value) => !isNothing(value)) ?? find(["name"]),
      fields: FIELDS,
      base: args,
      find: (_, path) => find(path),
      generator: REST,
      keeps: isNew ? undefined : OF_EXISTING,
      open: call.unknownReason,
      openSettings: OPEN,
      ...(call.resized !== undefined && { extraSettings: resizedBy(call.resized, call) }),
      hasUnknownCount: call.hasUnknownCount,
      scsi: scsiOf(call),
      devices: () => devicesOf(call, isNew),
    });
  },
};

/** Another task identifies the VM by an id, which only a run knows. */
function resizedBy(reason: string, { task }: Call): Readonly<Partial<Record<SettingName, Setting<never>>>> {
  const setting = unknown(reason, rangeOf(task));
  return { vcpus: setting, coresPerSocket: setting, memoryMiB: setting, cpuHotAdd: setting, memoryHotAdd: setting };
}

const SCSI: Readonly<Record<string, ScsiType>> = {
  pvscsi: "pvscsi",
  lsilogic: "lsilogic",
  lsilogicsas: "lsisas1068",
  buslogic: "buslogic",
};

/** "If unset, the server will choose an available bus number": the first free one. */
const busOf = (item: Item, at: number, all: readonly Item[]): number | undefined => {
  const bus = settingOf(item.get("bus"), units.natural);
  if (bus.state === "known") return bus.value;
  return all.every((item) => isNothing(item.get("bus"))) ? at : undefined;
};

const scsiOf = ({ items }: Call): readonly Scsi[] =>
  items(["scsi_adapters"]).flatMap((item, at, all): Scsi[] => {
    const bus = busOf(item, at, all);
    if (bus === undefined) return [];
    const value = item.get("type");
    const type = settingOf(value, units.scsiOf(SCSI));
    const shared = sharing(settingOf(item.get("sharing"), known));
    return [{ controller: { id: `scsi${bus}`, bus, type, ...shared, range: rangeOf(item.value) } }];
  });

function devicesOf({ find, items, added }: Call, isNew: boolean): Devices {
  const otherControllers = (["nvme", "sata"] as const).flatMap((kind) =>
    items([`${kind}_adapters`]).flatMap((item, at, all): OtherController[] => {
      const bus = busOf(item, at, all);
      return bus === undefined ? [] : [{ kind, bus, range: rangeOf(item.value) }];
    }),
  );
  const disks = items(["disks"]).flatMap((item): Disk[] => {
    const kind = (textOf(item.get("type")) ?? "").toLowerCase();
    const address = item.get(kind);
    const [bus, unit] = ["bus", "unit"].map((key) => textOf(get(address, key)));
    const range = rangeOf(address);
    if (!/^\d+$/.test(bus ?? "") || !/^\d+$/.test(unit ?? "")) return [];
    return [{ id: `${kind}${bus}:${unit}`, controller: `${kind}${bus}`, range }];
  });
  const nics = items(["nics"]).map((item, index) => ({ index, type: settingOf(item.get("type"), units.lowerCased) }));
  const missing = isNew
    ? { ...(added !== undefined && { missing: added }), ...missingDisks(find(["disks"]), disks) }
    : { missing: OF_EXISTING };
  return { otherControllers, disks, nics, ...missing };
}
