import type { Setting } from "../../model/source.ts";
import { valueIfKnown } from "../../model/source.ts";
import type { Disk, Nic, OtherController, ScsiController, ScsiType, VmSpec } from "../../model/spec.ts";
import * as read from "../values.ts";
import { type Dictionary, entryValue } from "./dictionary.ts";
import type { Lookup } from "./vmx.ts";

/** `scsi0.present`, `scsi0:1.present`, `ethernet2.present`: every device is announced by one of these. */
const PRESENT = /^(scsi|sata|nvme|ide|ethernet)(\d{1,3})(?::(\d{1,3}))?\.present$/;

/** Whether a key announces a device. */
export const isDevice = (key: string): boolean => PRESENT.test(key);

const SCSI_TYPES: Readonly<Record<string, ScsiType>> = {
  pvscsi: "pvscsi",
  lsilogic: "lsilogic",
  lsisas1068: "lsisas1068",
  buslogic: "buslogic",
};

const scsiType: read.Read<ScsiType> = (text, range) => {
  const type = SCSI_TYPES[text.toLowerCase()];
  return type
    ? { state: "known", value: type, range }
    : { state: "unknown", reason: `"${text}" is no SCSI controller vmlint knows`, range };
};

type Devices = Pick<VmSpec, "scsiControllers" | "otherControllers" | "disks" | "nics">;

/** A device exists only when its `present` is TRUE (libvirt, vmx.c). */
export function readDevices({ text, entries }: Dictionary, lookup: Lookup): Devices {
  const scsiControllers: ScsiController[] = [];
  const otherControllers: OtherController[] = [];
  const disks: Disk[] = [];
  const nics: Nic[] = [];
  for (const [key, entry] of entries) {
    if (!key.endsWith(".present")) continue;
    const match = PRESENT.exec(key);
    if (!match || valueIfKnown(lookup(key, read.bool)) !== true) continue;
    const [, kind = "", bus = "", unit] = match;
    const id = key.slice(0, -".present".length);
    if (kind === "ethernet") {
      if (unit === undefined) nics.push({ index: Number(bus), type: lookup(`${id}.virtualdev`, lowerCased) });
    } else if (unit !== undefined) {
      if (isHardDisk(valueIfKnown(lookup(`${id}.devicetype`, read.text)))) {
        disks.push({ id, controller: `${kind}${bus}`, range: entry.keyRange });
      }
    } else if (kind === "scsi") {
      scsiControllers.push({ id, bus: Number(bus), type: lookup(`${id}.virtualdev`, scsiType), range: entry.keyRange });
    } else {
      otherControllers.push({ kind: kind as OtherController["kind"], bus: Number(bus) });
    }
  }
  // IDE has no key of its own: a controller is there when a device on it is.
  for (const [key, entry] of entries) {
    const bus = /^ide(\d):\d\.present$/.exec(key)?.[1];
    if (bus === undefined || entryValue(text, entry).toLowerCase() !== "true") continue;
    if (!otherControllers.some((c) => c.kind === "ide" && c.bus === Number(bus))) {
      otherControllers.push({ kind: "ide", bus: Number(bus) });
    }
  }
  scsiControllers.sort((a, b) => a.bus - b.bus);
  otherControllers.sort((a, b) => a.kind.localeCompare(b.kind) || a.bus - b.bus);
  nics.sort((a, b) => a.index - b.index);
  return { scsiControllers, otherControllers, disks, nics };
}

const lowerCased = (text: string, range: readonly [number, number]): Setting<string> => ({
  state: "known",
  value: text.toLowerCase(),
  range,
});

/** Absent, or any type with "disk" in its name (`scsi-hardDisk`, `ata-hardDisk`, `rawDisk`). */
const isHardDisk = (deviceType: string | undefined): boolean => deviceType === undefined || deviceType.toLowerCase().includes("disk");
