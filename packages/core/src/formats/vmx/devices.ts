import { onceEach } from "../../model/memoize.ts";
import { type Range, type Setting, valueIfKnown } from "../../model/source.ts";
import type { Devices, Disk, Nic, OtherController, PassthroughDevice, ScsiController, ScsiType } from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { type Dictionary, type Key, keyOf } from "./dictionary.ts";
import type { Lookup } from "./lookup.ts";

/** Every device has a key such as `scsi0.present`, `scsi0:1.present`, `ethernet2.present`. */
const PRESENT = ".present";

const KINDS = ["scsi", "sata", "nvme", "ide", "ethernet", "pcipassthru"];

/** The device of a `present` key, with the key of its type. */
interface PresentDevice {
  readonly kind: string;
  readonly bus: number;
  readonly id: string;
  /** `scsi0` of `scsi0:1`; the device is a disk or drive on it. */
  readonly controller: string | undefined;
  readonly type: Key;
}

/** Whether a key is a `present` key. */
export const isDevice = (key: string): boolean => announcedBy(key) !== undefined;

// Without a regular expression: V8 takes longer to compile it than to read a file.
const announcedBy = onceEach((key): PresentDevice | undefined => {
  const kind = KINDS.find((name) => key.startsWith(name));
  if (kind === undefined || !key.endsWith(PRESENT)) return undefined;
  const id = key.slice(0, -PRESENT.length);
  const [bus = "", unit, rest] = id.slice(kind.length).split(":");
  if (rest !== undefined || !isNumber(bus) || (unit !== undefined && !isNumber(unit))) return undefined;
  const type = keyOf(unit === undefined ? `${id}.virtualdev` : `${id}.devicetype`);
  return { kind, bus: Number(bus), id, controller: unit === undefined ? undefined : kind + bus, type };
});

/** One to three digits. */
const isNumber = (text: string): boolean => text.length > 0 && text.length <= 3 && [...text].every((digit) => digit >= "0" && digit <= "9");

export const SCSI_TYPES: Readonly<Record<string, ScsiType>> = {
  pvscsi: "pvscsi",
  lsilogic: "lsilogic",
  lsisas1068: "lsisas1068",
  buslogic: "buslogic",
};

export const scsiType: read.Read<ScsiType> = (text, range) => {
  const name = text.toLowerCase();
  const type = Object.hasOwn(SCSI_TYPES, name) ? SCSI_TYPES[name] : undefined;
  return type ? { state: "known", value: type, range } : { state: "unknown", reason: `"${text}" is not a known SCSI controller`, range };
};

/** ESXi has four SCSI controllers (vSphere 8.0 configuration maximums); a file may name more. */
const SCSI = Array.from({ length: 10 }, (_, bus) => ({
  id: `scsi${bus}`,
  bus,
  present: keyOf(`scsi${bus}.present`),
  type: keyOf(`scsi${bus}.virtualdev`),
  shared: keyOf(`scsi${bus}.sharedbus`),
}));

/** A controller exists only when its `present` is TRUE (libvirt, vmx.c). */
export function readScsiControllers(dictionary: Dictionary, lookup: Lookup): readonly ScsiController[] {
  const controllers: ScsiController[] = [];
  for (const { id, bus, present, type, shared } of SCSI) {
    const index = dictionary.indexOf(present);
    if (index < 0 || !dictionary.valueIs(index, "true")) continue;
    controllers.push({
      id,
      bus,
      type: lookup(type, scsiType),
      ...read.sharing(lookup(shared, read.text)),
      range: dictionary.keyRange(index),
    });
  }
  return controllers;
}

/** Reads all other devices by the same key. `hidden`: why there may be more than the file lists. */
export function readDevices(dictionary: Dictionary, lookup: Lookup, hiddenKey: string | undefined): Devices {
  const otherControllers: OtherController[] = [];
  const disks: Disk[] = [];
  const nics: Nic[] = [];
  const passthrough: PassthroughDevice[] = [];
  let missing = hiddenKey;
  const addOther = (kind: string, bus: number, range: Range) => {
    if (!otherControllers.some((other) => other.kind === kind && other.bus === bus)) {
      otherControllers.push({ kind: kind as OtherController["kind"], bus, range });
    }
  };
  for (const index of dictionary.endingWith(PRESENT)) {
    const key = dictionary.key(index);
    const device = announcedBy(key);
    if (!device || !dictionary.valueIs(index, "true")) {
      const isOpen = device ? lookup(keyOf(key), read.text).state === "unknown" : isTemplate(key);
      if (isOpen) missing ??= `${key.slice(0, -PRESENT.length)} may be there or not`;
      continue;
    }
    const { kind, bus, id, controller, type } = device;
    const range = dictionary.keyRange(index);
    if (controller !== undefined) {
      if (kind === "ethernet" || kind === "pcipassthru") continue;
      // IDE controllers have no key: a controller exists if it has a device.
      if (kind === "ide") addOther(kind, bus, range);
      if (isHardDisk(valueIfKnown(lookup(type, read.text)))) disks.push({ id, controller, range });
    } else if (kind === "ethernet") {
      nics.push({ index: bus, type: lookup(type, lowerCased) });
    } else if (kind === "pcipassthru") {
      passthrough.push({ id: `pciPassthru${bus}`, range, ...hostDevice(id, lookup) });
    } else if (kind !== "scsi") {
      addOther(kind, bus, range);
    }
  }
  otherControllers.sort((a, b) => (a.kind === b.kind ? a.bus - b.bus : a.kind < b.kind ? -1 : 1));
  nics.sort((a, b) => a.index - b.index);
  return { otherControllers, disks, nics, ...(missing === undefined ? { passthrough } : { missing }) };
}

/** F. Denneman, 2023-06-06: `.id` is the address of a device, `.allowedDevices` vendor and device; `.vgpu` as in the API (VmiopBackingInfo). */
function hostDevice(id: string, lookup: Lookup): Pick<PassthroughDevice, "kind" | "model"> {
  const [vgpu, allowed, vendor, device] = ["vgpu", "alloweddevices", "vendorid", "deviceid"].map((name) =>
    valueIfKnown(lookup(keyOf(`${id}.${name}`), read.text)),
  );
  if (vgpu) return { kind: "vgpu", model: vgpu };
  if (allowed) return { kind: "dynamic", ...pciModel(...(allowed.split(":") as [string, string])) };
  return { kind: "fixed", ...pciModel(vendor, device) };
}

/** `10de:20b5` from hexadecimal texts, with or without 0x. */
export function pciModel(vendor = "", device = ""): Pick<PassthroughDevice, "model"> {
  const [first, second] = [vendor, device].map((text) => /^\s*(?:0x)?([\da-f]{1,4})\s*$/i.exec(text)?.[1]?.toLowerCase().padStart(4, "0"));
  return first !== undefined && second !== undefined ? { model: `${first}:${second}` } : {};
}

const lowerCased = (text: string, range: readonly [number, number]): Setting<string> => ({
  state: "known",
  value: text.toLowerCase(),
  range,
});

/** Absent, or any type with "disk" in its name (`scsi-hardDisk`, `ata-hardDisk`, `rawDisk`). */
const isHardDisk = (deviceType: string | undefined): boolean => deviceType === undefined || deviceType.toLowerCase().includes("disk");
