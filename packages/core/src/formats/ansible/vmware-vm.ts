import { known, unknown, valueIfKnown } from "../../model/source.ts";
import { VMWARE_VM } from "../../model/sources.ts";
import type { Devices, Disk, OtherController } from "../../model/spec.ts";
import { sharing } from "../../syntax/values.ts";
import { isNothing, rangeOf, settingOf, textOf } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_EXISTING } from "../inherited.ts";
import { describe, field, missingDisks, type ScsiType as Scsi } from "../yaml/describe.ts";
import type { Fields } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { OF_FILE, provisioning } from "./provisioning.ts";
import { type Call, type Item, isAbsent, type Module, uuidsOf } from "./task.ts";

/* vmware.vmware 2.9, plugins/modules/vm.py and module_utils/vm/parameter_handlers. Missing arguments are not sent. */
const FIELDS: Fields = {
  vcpus: field("cpu.cores", units.count),
  coresPerSocket: field("cpu.cores_per_socket", units.cores("mistake"), units.writeCores("mistake")),
  memoryMiB: field("memory.size_mb", units.count),
  hardwareVersion: field("hardware_version", units.count),
  guestOs: field("guest_id", known),
  cpuHotAdd: field("cpu.enable_hot_add", units.bool),
  memoryHotAdd: field("memory.enable_hot_add", units.bool),
  cpuReservationMHz: field("cpu.reservation", units.natural),
  cpuLimitMHz: field("cpu.limit", units.limit, units.writeLimit),
  memoryReservationMiB: field("memory.reservation", units.natural),
  memoryLimitMiB: field("memory.limit", units.limit, units.writeLimit),
  memoryReservationLocked: field("memory.reserve_all_memory", units.bool),
};

/** "only apply hardware version if we are creating a new VM" (_metadata.py). */
const MODULE: GeneratorRecord = {
  name: "vmware.vmware.vm",
  source: VMWARE_VM,
  refuses: ["cpu/cps-divides", "mem/reservation-gt-size"],
  treats: [{ part: "hardwareVersion", does: "ignores", of: ["existing"] }],
};

const SHAPING = ["cpu", "memory", "disks", "scsi_controllers"];

/** `vmware.vmware.vm`. */
export const vmwareVm: Module = {
  name: "vmware.vmware.vm",
  short: "vm",
  needsCollection: true,
  groups: ["group/vmware.vmware.vmware"],
  read: (call) => {
    const { find, args } = call;
    if (isAbsent(call) || SHAPING.every((key) => isNothing(find([key])))) return undefined;
    // Creating a VM needs "cpu", "memory" and "guest_id"; an existing VM is identified by its id.
    const isNew =
      !call.isThere &&
      [["cpu", "cores"], ["memory", "size_mb"], ["guest_id"]].every((path) => !isNothing(find(path))) &&
      [["moid"], ["uuid"]].every((path) => isNothing(find(path)));
    return describe({
      format: "ansible",
      root: call.task,
      name: [["name"], ["moid"], ["uuid"]].map(find).find((value) => !isNothing(value)) ?? find(["name"]),
      uuids: () => uuidsOf(call),
      fields: FIELDS,
      base: args,
      find: (_, path) => find(path),
      generator: MODULE,
      keeps: isNew ? undefined : OF_EXISTING,
      open: call.unknownReason,
      hasUnknownCount: call.hasUnknownCount,
      moreOptions: call.moreOptions,
      scsi: scsiOf(call),
      devices: () => devicesOf(call, isNew),
    });
  },
};

const busOf = (item: Item): number | undefined => valueIfKnown(settingOf(item.get("bus_number"), units.natural));

const scsiOf = ({ items }: Call): readonly Scsi[] =>
  items(["scsi_controllers"]).flatMap((item): Scsi[] => {
    const bus = busOf(item);
    if (bus === undefined) return [];
    const value = item.get("controller_type");
    const type = settingOf(value, units.scsiOf(units.SCSI));
    const spot = type.state === "absent" ? undefined : { value, write: units.writeScsi(units.SCSI) };
    const shared = sharing(settingOf(item.get("bus_sharing"), known));
    return [{ controller: { id: `scsi${bus}`, bus, type, ...shared, range: rangeOf(item.value) }, spot }];
  });

function devicesOf({ find, items, added }: Call, isNew: boolean): Devices {
  const otherControllers = (["nvme", "sata"] as const).flatMap((kind) =>
    items([`${kind}_controllers`]).flatMap((item): OtherController[] => {
      const bus = busOf(item);
      return bus === undefined ? [] : [{ kind, bus, range: rangeOf(item.value) }];
    }),
  );
  const disks = items(["disks"]).flatMap((item): Disk[] => {
    const node = item.get("device_node");
    const [, kind = "", bus, unit] = /^(SCSI|SATA|NVME|IDE)\((\d+):(\d+)\)$/i.exec(textOf(node) ?? "") ?? [];
    const controller = `${kind.toLowerCase()}${bus}`;
    const range = rangeOf(node);
    // "If it is specified for an existing disk, it is ignored."
    const isMade = isNew && isNothing(item.get("filename"));
    const how = isMade ? settingOf(item.get("provisioning"), provisioning) : unknown(isNew ? OF_FILE : OF_EXISTING, range);
    return unit === undefined ? [] : [{ id: `${controller}:${unit}`, controller, range, provisioning: how }];
  });
  const nics = items(["network_adapters"]).map((item, index) => ({ index, type: settingOf(item.get("adapter_type"), units.lowerCased) }));
  const missing = isNew
    ? { ...(added !== undefined && { missing: added }), ...missingDisks(find(["disks"]), disks) }
    : { missing: OF_EXISTING };
  return { otherControllers, disks, nics, ...missing };
}
