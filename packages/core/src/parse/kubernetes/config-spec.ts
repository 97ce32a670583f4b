import { known, valueIfKnown } from "../../model/source.ts";
import type { Devices, Disk, OtherController, ScsiType } from "../../model/spec.ts";
import { affinity, latency } from "../values.ts";
import { field, type ScsiType as Scsi } from "../yaml/describe.ts";
import type { Fields } from "../yaml/kind.ts";
import { at, get, isMapping, itemsOf, rangeOf, settingOf, textOf, type Value } from "../yaml/tree.ts";
import * as units from "../yaml/units.ts";

const writeNumbers = (list: readonly number[] | "all"): string | undefined => (list === "all" ? undefined : `[${list.join(", ")}]`);

/* A VirtualMachineConfigSpec of the vSphere API in VI/JSON, below `configSpec` (vSphere Web Services API; VI/JSON adds `_typeName`). */
export const CONFIG_FIELDS: Fields = {
  coresPerSocket: field("configSpec.numCoresPerSocket", units.cores("auto"), units.writeCores("auto")),
  coresPerNumaNode: field("configSpec.virtualNuma.coresPerNumaNode", units.natural),
  threadsPerCore: field("configSpec.simultaneousThreads", units.count),
  hardwareVersion: field("configSpec.version", units.hardwareVersion, units.writeHardwareVersion),
  guestOs: field("configSpec.guestId", known),
  exposeVnumaOnHotAdd: field("configSpec.virtualNuma.exposeVnumaOnCpuHotadd", units.bool),
  cpuAffinity: field("configSpec.cpuAffinity.affinitySet", affinity, writeNumbers),
  memoryAffinity: field("configSpec.memoryAffinity.affinitySet", affinity, writeNumbers),
  cpuHotAdd: field("configSpec.cpuHotAddEnabled", units.bool),
  memoryHotAdd: field("configSpec.memoryHotAddEnabled", units.bool),
  latencySensitivity: field("configSpec.latencySensitivity.level", latency),
  cpuReservationMHz: field("configSpec.cpuAllocation.reservation", units.natural),
  cpuLimitMHz: field("configSpec.cpuAllocation.limit", units.limit, units.writeLimit),
  memoryReservationMiB: field("configSpec.memoryAllocation.reservation", units.natural),
  memoryLimitMiB: field("configSpec.memoryAllocation.limit", units.limit, units.writeLimit),
  memoryReservationLocked: field("configSpec.memoryReservationLockedToMax", units.bool),
};

/** An option of `extraConfig`: its value may be wrapped with its type. */
export function optionOf(item: Value): { key: Value; value: Value } {
  const value = get(item, "value");
  return { key: get(item, "key"), value: isMapping(value) ? get(value, "_value") : value };
}

const SCSI: Readonly<Record<string, ScsiType>> = {
  ParaVirtualSCSIController: "pvscsi",
  VirtualLsiLogicController: "lsilogic",
  VirtualLsiLogicSASController: "lsisas1068",
  VirtualBusLogicController: "buslogic",
};
const OTHERS: Readonly<Record<string, OtherController["kind"]>> = {
  VirtualNVMEController: "nvme",
  VirtualAHCIController: "sata",
  VirtualIDEController: "ide",
};
const CARDS: Readonly<Record<string, string>> = {
  VirtualVmxnet3: "vmxnet3",
  VirtualVmxnet3Vrdma: "vmxnet3vrdma",
  VirtualVmxnet2: "vmxnet2",
  VirtualE1000: "e1000",
  VirtualE1000e: "e1000e",
  VirtualPCNet32: "vlance",
  VirtualSriovEthernetCard: "sriov",
};

/** The devices that a ConfigSpec adds; one that it removes or edits is not its own. */
const added = (configSpec: Value): readonly Value[] =>
  itemsOf(get(configSpec, "deviceChange")).flatMap((change) =>
    [undefined, "add"].includes(textOf(get(change, "operation"))) ? [get(change, "device")] : [],
  );

const typeOf = (device: Value): string => textOf(get(device, "_typeName")) ?? "";
const busOf = (device: Value): number | undefined => valueIfKnown(settingOf(get(device, "busNumber"), units.natural));

export function readScsi(configSpec: Value): readonly Scsi[] {
  return added(configSpec).flatMap((device): Scsi[] => {
    const type = SCSI[typeOf(device)];
    const bus = busOf(device);
    const name = get(device, "_typeName");
    if (type === undefined || bus === undefined) return [];
    const write = (wanted: ScsiType) => Object.keys(SCSI).find((key) => SCSI[key] === wanted);
    return [
      { controller: { id: `scsi${bus}`, bus, type: known(type, rangeOf(name)), range: rangeOf(name) }, spot: { value: name, write } },
    ];
  });
}

export function devicesOf(configSpec: Value): Devices {
  const devices = added(configSpec);
  const ids = new Map<string, string>();
  const otherControllers: OtherController[] = [];
  for (const device of devices) {
    const [kind, bus, key] = [OTHERS[typeOf(device)], busOf(device), textOf(get(device, "key"))];
    if (bus === undefined) continue;
    if (kind) otherControllers.push({ kind, bus, range: rangeOf(device) });
    const name = kind ?? (SCSI[typeOf(device)] && "scsi");
    if (name && key !== undefined) ids.set(key, `${name}${bus}`);
  }
  const disks = devices.flatMap((device): Disk[] => {
    const controller = ids.get(textOf(get(device, "controllerKey")) ?? "");
    const unit = valueIfKnown(settingOf(get(device, "unitNumber"), units.natural));
    if (typeOf(device) !== "VirtualDisk" || controller === undefined || unit === undefined) return [];
    return [{ id: `${controller}:${unit}`, controller, range: rangeOf(at(device, ["unitNumber"])) }];
  });
  const cards = devices.flatMap((device) => (CARDS[typeOf(device)] ? [get(device, "_typeName")] : []));
  const nics = cards.map((name, index) => ({ index, type: known(CARDS[textOf(name) ?? ""] ?? "", rangeOf(name)) }));
  return { otherControllers, disks, nics };
}
