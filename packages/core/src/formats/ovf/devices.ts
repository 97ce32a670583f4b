import { getOrInsert } from "../../model/maps.ts";
import { ABSENT, known, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type { Devices, Disk, Nic, OtherController, ScsiController, ScsiType } from "../../model/spec.ts";
import { scalarOf, settingOf } from "../../syntax/node.ts";
import { child, type Item } from "./item.ts";

const IDE = 5;
const SCSI = 6;
const ETHERNET = 10;
const DISK = 17;
const OTHER_STORAGE = 20;

/** Words of rasd:ResourceSubType, in lower case (govmomi, ovf/fixtures). */
const SCSI_TYPES: ReadonlyMap<string, ScsiType> = new Map(
  Object.entries({
    lsilogic: "lsilogic",
    lsilogicsas: "lsisas1068",
    buslogic: "buslogic",
    virtualscsi: "pvscsi",
  } as const),
);

/** In the words of a .vmx. */
const NIC_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pcnet32: "vlance",
    vmxnet: "vmxnet",
    vmxnet2: "vmxnet",
    vmxnet3: "vmxnet3",
    e1000: "e1000",
    e1000e: "e1000e",
    sriovethernetcard: "sriov",
  } as const),
);

const OTHER_TYPES: ReadonlyMap<string, OtherController["kind"]> = new Map(
  Object.entries({
    "vmware.sata.ahci": "sata",
    ahci: "sata",
    "vmware.nvme.controller": "nvme",
  } as const),
);

/** Returns the first subtype that VMware supports; writers list them by preference. */
function subtype<T>(item: Item, types: ReadonlyMap<string, T>): Setting<T> {
  const subtype = child(item, "ResourceSubType");
  if (!subtype || subtype.value === "") return ABSENT;
  for (const word of subtype.value.toLowerCase().split(/[\s,]+/)) {
    const type = types.get(word);
    if (type !== undefined) return known(type, subtype.range);
  }
  return settingOf(scalarOf(subtype), (text, range) => unknown(`"${text}" is not a known type`, range));
}

interface Controller {
  readonly kind: "scsi" | OtherController["kind"];
  readonly bus: number;
  readonly item: Item;
}

function controllersIn(items: readonly Item[]): readonly Controller[] {
  const buses = new Map<Controller["kind"], Buses>();
  return items.flatMap((item): Controller[] => {
    const kind = kindOf(item);
    if (!kind) return [];
    const numbers = getOrInsert(buses, kind, () => ({ numbers: new Set<number>(), free: 0 }));
    return [{ kind, bus: busOf(item, numbers), item }];
  });
}

/** The used buses of one kind. */
interface Buses {
  readonly numbers: Set<number>;
  /** The lowest bus that may be free. */
  free: number;
}

function kindOf(item: Item): Controller["kind"] | undefined {
  if (item.type === SCSI) return "scsi";
  if (item.type === IDE) return "ide";
  return item.type === OTHER_STORAGE ? valueIfKnown(subtype(item, OTHER_TYPES)) : undefined;
}

/** Returns the bus that an item names if it is free, otherwise the next free one, and marks it as used. */
function busOf(item: Item, numbers: Buses): number {
  const address = child(item, "Address")?.value ?? child(item, "BusNumber")?.value ?? "";
  while (numbers.numbers.has(numbers.free)) numbers.free++;
  const bus = /^\d{1,3}$/.test(address) && !numbers.numbers.has(Number(address)) ? Number(address) : numbers.free;
  numbers.numbers.add(bus);
  return bus;
}

export const readScsiControllers = (items: readonly Item[]): readonly ScsiController[] =>
  controllersIn(items).flatMap(({ kind, bus, item }): ScsiController[] =>
    kind === "scsi" ? [{ id: `scsi${bus}`, bus, type: subtype(item, SCSI_TYPES), range: item.range }] : [],
  );

export function readDevices(items: readonly Item[]): Devices {
  const controllers = controllersIn(items);
  const byItem = new Map(controllers.map(({ kind, bus, item }) => [item.id, `${kind}${bus}`]));
  const diskItems = items.filter(({ type }) => type === DISK);
  const disks = diskItems.flatMap((item): Disk[] => {
    const controller = byItem.get(child(item, "Parent")?.value ?? "");
    const unit = child(item, "AddressOnParent");
    return controller === undefined || !unit || !/^\d{1,4}$/.test(unit.value)
      ? []
      : [{ id: `${controller}:${unit.value}`, controller, range: unit.range }];
  });
  const nics = items.filter(({ type }) => type === ETHERNET).map((item, index): Nic => ({ index, type: subtype(item, NIC_TYPES) }));
  const otherControllers = controllers
    .flatMap(({ kind, bus, item }): OtherController[] => (kind === "scsi" ? [] : [{ kind, bus, range: item.range }]))
    .sort((a, b) => (a.kind === b.kind ? a.bus - b.bus : a.kind < b.kind ? -1 : 1));
  const missing = disks.length < diskItems.length ? "the controller or unit of a disk is unknown" : undefined;
  return { otherControllers, disks, nics, ...(missing !== undefined && { missing }) };
}
