import type { Setting } from "../../model/source.ts";
import { valueIfKnown } from "../../model/source.ts";
import type { Disk, Nic, OtherController, ScsiController, ScsiType, VmSpec } from "../../model/spec.ts";
import * as read from "../values.ts";
import { type Dictionary, keyOf } from "./dictionary.ts";
import type { Lookup } from "./vmx.ts";

/** `scsi0.present`, `scsi0:1.present`, `ethernet2.present`: every device is announced by one of these. */
const PRESENT = /^(scsi|sata|nvme|ide|ethernet)(\d{1,3})(?::(\d{1,3}))?\.present$/;

const BUSES = ["scsi", "sata", "nvme", "ide", "ethernet"];

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
export function readDevices(dictionary: Dictionary, lookup: Lookup): Devices {
  const scsiControllers: ScsiController[] = [];
  const otherControllers: OtherController[] = [];
  const disks: Disk[] = [];
  const nics: Nic[] = [];
  const addOther = (kind: string, bus: number) => {
    if (!otherControllers.some((other) => other.kind === kind && other.bus === bus)) {
      otherControllers.push({ kind: kind as OtherController["kind"], bus });
    }
  };
  for (const index of dictionary.endingWith(".present")) {
    if (!BUSES.some((bus) => dictionary.keyStartsWith(index, bus))) continue;
    const { key, keyRange, valueRange } = dictionary.entry(index);
    const match = PRESENT.exec(key);
    if (!match || dictionary.text.slice(valueRange[0], valueRange[1]).toLowerCase() !== "true") continue;
    const [, kind = "", number = "", unit] = match;
    const bus = Number(number);
    const id = key.slice(0, -".present".length);
    if (kind === "ethernet") {
      if (unit === undefined) nics.push({ index: bus, type: lookup(keyOf(`${id}.virtualdev`), lowerCased) });
    } else if (unit !== undefined) {
      // IDE has no key of its own: a controller is there when a device on it is.
      if (kind === "ide") addOther(kind, bus);
      if (isHardDisk(valueIfKnown(lookup(keyOf(`${id}.devicetype`), read.text))))
        disks.push({ id, controller: `${kind}${bus}`, range: keyRange });
    } else if (kind === "scsi") {
      scsiControllers.push({ id, bus, type: lookup(keyOf(`${id}.virtualdev`), scsiType), range: keyRange });
    } else {
      addOther(kind, bus);
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
