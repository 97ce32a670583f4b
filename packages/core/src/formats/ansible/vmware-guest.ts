import { known, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import { VMWARE_GUEST } from "../../model/sources.ts";
import type { Devices, Disk, OtherController, Provisioning, ScsiType } from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import { isMapping, isNothing, rangeOf, settingOf, textOf } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_EXISTING, OF_TEMPLATE } from "../inherited.ts";
import { describe, field, missingDisks, optionList, type ScsiType as Scsi } from "../yaml/describe.ts";
import type { Fields } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { OF_FILE, provisioning } from "./provisioning.ts";
import { type Call, clusterOf, hintsOf, type Item, isAbsent, type Module, uuidsOf } from "./task.ts";

/* community.vmware 6.2, plugins/modules/vmware_guest.py. Missing arguments are not sent. */
const FIELDS: Fields = {
  vcpus: field("hardware.num_cpus", units.count),
  coresPerSocket: field("hardware.num_cpu_cores_per_socket", units.cores("mistake"), units.writeCores("mistake")),
  memoryMiB: field("hardware.memory_mb", units.count),
  hardwareVersion: field("hardware.version", (text, range) =>
    text.toLowerCase() === "latest" ? unknown("it is the newest that the host runs", range) : units.count(text, range),
  ),
  guestOs: field("guest_id", known),
  cpuHotAdd: field("hardware.hotadd_cpu", units.bool),
  memoryHotAdd: field("hardware.hotadd_memory", units.bool),
  cpuReservationMHz: field("hardware.cpu_reservation", units.natural),
  cpuLimitMHz: field("hardware.cpu_limit", units.limit, units.writeLimit),
  memoryReservationMiB: field("hardware.mem_reservation", units.natural),
  memoryLimitMiB: field("hardware.mem_limit", units.limit, units.writeLimit),
  memoryReservationLocked: field("hardware.memory_reservation_lock", units.bool),
};

const OF_CLONES = { does: "ignores", of: ["clone"] } as const;

/**
 * A clone keeps its guest and its hardware version, and no VM that is there gets another firmware. Cores per socket are only sent with
 * vCPUs (configure_guestid, configure_hardware_params, configure_cpu_and_memory).
 */
const MODULE: GeneratorRecord = {
  name: "vmware_guest",
  source: VMWARE_GUEST,
  refuses: ["cpu/cps-divides"],
  treats: [
    { part: "coresPerSocket", does: "ignores", without: "vcpus" },
    { part: "guestOs", ...OF_CLONES },
    { part: "hardwareVersion", ...OF_CLONES },
    { part: "firmware", does: "ignores", of: ["clone", "existing"] },
  ],
};

const BOARD = {
  firmware: "hardware.boot_firmware",
  secureBoot: "hardware.secure_boot",
  iommu: "hardware.iommu",
  nestedVirtualization: "hardware.nested_virt",
  performanceCounters: "hardware.vpmc_enabled",
  vbs: "hardware.virt_based_security",
} as const;

/** If an argument and its alias are both set, the alias wins (ansible-core, module_utils/common/parameters.py, _handle_aliases). */
const ALIASES: Readonly<Record<string, readonly string[]>> = { mem_reservation: ["hardware", "memory_reservation"] };

/** The last two belong under `hardware`. */
const SHAPING = ["hardware", "advanced_settings", "disk", "num_cpus", "memory_mb"];

/** `community.vmware.vmware_guest`. */
export const vmwareGuest: Module = {
  name: "community.vmware.vmware_guest",
  short: "vmware_guest",
  groups: ["group/community.vmware.vmware", "group/vmware"],
  read: (call) => {
    const { find, args } = call;
    const isClone = [["template"], ["template_src"]].some((path) => !isNothing(find(path)));
    if (isAbsent(call) || (!isClone && SHAPING.every((key) => isNothing(find([key]))))) return undefined;
    const isMade = !call.isThere && [["moid"], ["uuid"]].every((path) => isNothing(find(path)));
    // Without these, a task without template can only change an existing VM: "mandatory for VM creation" (configure_guestid,
    // configure_cpu_and_memory).
    const isNew =
      isMade && !isClone && [["hardware", "num_cpus"], ["hardware", "memory_mb"], ["guest_id"]].every((path) => !isNothing(find(path)));
    const isFilledIn = isTemplate(textOf(find(["hardware"])) ?? "");
    const isChange = !isNew && !(isMade && isClone);
    const reason = isFilledIn ? "a template fills it in" : isChange ? OF_EXISTING : OF_TEMPLATE;
    const disks = disksOf(call);
    return describe({
      format: "ansible",
      root: call.task,
      name: isNothing(find(["name"])) ? find(["uuid"]) : find(["name"]),
      uuids: () => uuidsOf(call),
      hints: () => hintsOf(call),
      ...clusterOf(call),
      fields: FIELDS,
      base: args,
      find: (_, path) => {
        const alias = ALIASES[path.at(-1) ?? ""];
        const value = alias && find(alias);
        return value && !isNothing(value) ? value : find(path);
      },
      options: { ...optionList(args, "advanced_settings"), value: find(["advanced_settings"]), entries: optionsOf(call) },
      generator: MODULE,
      ...(isClone &&
        !isMade &&
        !isNothing(find(["guest_id"])) && { extraSettings: { guestOs: unknown(OF_EXISTING, rangeOf(find(["guest_id"]))) } }),
      template: valueIfKnown(settingOf(find(["is_template"]), units.bool)) === true,
      inherits: isNew || isChange ? undefined : reason,
      from: find(["template"]),
      keeps: isChange ? reason : undefined,
      open: call.unknownReason,
      hasUnknownCount: call.hasUnknownCount,
      moreOptions: call.moreOptions,
      scsi: scsiOf(call, disks, isNew, reason),
      devices: () => devicesOf(call, disks, isNew, reason),
      board: BOARD,
    });
  },
};

const optionsOf = ({ items }: Call) =>
  items(["advanced_settings"]).flatMap((item) => {
    const name = item.get("key");
    const key = textOf(name);
    return key === undefined ? [] : [{ key, keyRange: rangeOf(name), value: item.get("value") }];
  });
const SCSI_UNIT = 7;

interface PlacedDisk {
  readonly item: Item;
  readonly kind: "scsi" | "sata" | "nvme";
  readonly bus: number;
  readonly unit: number;
  /** Whether the task sets its controller. */
  readonly isStated: boolean;
}

/** Returns the controller of each disk: the one it sets, or the first SCSI controller, in list order (configure_disks). */
function disksOf({ items }: Call): readonly PlacedDisk[] {
  const diskItems = items(["disk"]);
  // An item with a template may be any disk.
  const disks = diskItems.filter(({ value, get }) => isMapping(value) && !isTemplate(textOf(get("controller_type")) ?? ""));
  const number = (item: Item, key: string) => valueIfKnown(settingOf(item.get(key), units.natural));
  const isStated = (item: Item) =>
    !isNothing(item.get("controller_type")) || !!number(item, "controller_number") || !!number(item, "unit_number");
  if (disks.length === diskItems.length && !disks.some(isStated)) {
    return disks.map((item, i) => ({ item, kind: "scsi", bus: 0, unit: i < SCSI_UNIT ? i : i + 1, isStated: false }));
  }
  return disks.flatMap((item): PlacedDisk[] => {
    const type = textOf(item.get("controller_type"));
    const [bus, unit] = [number(item, "controller_number"), number(item, "unit_number")];
    if (type === undefined || bus === undefined || unit === undefined) return [];
    return [{ item, kind: type === "sata" || type === "nvme" ? type : "scsi", bus, unit, isStated: true }];
  });
}

function scsiOf({ find }: Call, disks: readonly PlacedDisk[], isNew: boolean, reason: string): readonly Scsi[] {
  const onScsi = disks.filter(({ kind }) => kind === "scsi");
  return [...new Set(onScsi.map(({ bus }) => bus))].flatMap((bus): Scsi[] => {
    const busDisks = onScsi.filter((disk) => disk.bus === bus);
    const [first] = busDisks;
    if (!first) return [];
    const value = first.isStated ? first.item.get("controller_type") : find(["hardware", "scsi"]);
    const range = rangeOf(first.item.value);
    const diskType = settingOf(value, units.scsiOf(units.SCSI));
    // get_scsi_type: "paravirtual" by default. An existing controller keeps its type.
    let type: Setting<ScsiType> = diskType.state === "absent" ? known("pvscsi", range) : diskType;
    if (!first.isStated && !isNew) type = unknown(reason, range);
    const isOnlyController = !first.isStated || busDisks.length === 1;
    const spot = isOnlyController && type === diskType ? { value, write: units.writeScsi(units.SCSI) } : undefined;
    return [{ controller: { id: `scsi${bus}`, bus, type, range }, spot }];
  });
}

function devicesOf({ find, items, added }: Call, placedDisks: readonly PlacedDisk[], isNew: boolean, reason: string): Devices {
  const controllers = new Map<string, OtherController>();
  // New disks are "thick" by default; an existing disk keeps its provisioning.
  const provisioningOf = ({ get: of, value }: Item): Setting<Provisioning> => {
    const diskType = settingOf(of("type"), provisioning);
    if (!isNew) return unknown(reason, rangeOf(value));
    if (!isNothing(of("filename"))) return unknown(OF_FILE, rangeOf(value));
    return diskType.state === "absent" ? known("lazy", rangeOf(value)) : diskType;
  };
  const disks = placedDisks.map(({ item, kind, bus, unit }): Disk => {
    const range = rangeOf(item.value);
    const controller = `${kind}${bus}`;
    if (kind !== "scsi" && !controllers.has(controller)) controllers.set(controller, { kind, bus, range });
    return { id: `${controller}:${unit}`, controller, range, provisioning: provisioningOf(item) };
  });
  const nics = items(["networks"]).map((item, index) => {
    const type = settingOf(item.get("device_type"), units.lowerCased);
    if (type.state !== "absent") return { index, type };
    // New cards are "vmxnet3" by default; an existing card keeps its type.
    return { index, type: isNew ? known("vmxnet3", rangeOf(item.value)) : unknown(reason, rangeOf(item.value)) };
  });
  // The list adds to existing disks and never removes one (configure_disks).
  const missing = isNew ? { ...(added !== undefined && { missing: added }), ...missingDisks(find(["disk"]), disks) } : { missing: reason };
  return { otherControllers: [...controllers.values()], disks, nics, ...missing };
}
