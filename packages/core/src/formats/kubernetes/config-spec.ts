import type { Devices, SettingName } from "../../model/spec.ts";
import type { DataNode } from "../../syntax/node.ts";
import { bool, type Read } from "../../syntax/values.ts";
import { nodeOf } from "../../syntax/yaml/data-node.ts";
import { get, isMapping, itemsOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { spellingsIn } from "../advanced.ts";
import { CONFIG_SPEC } from "../api-keys.ts";
import { isKept, readDevices, readScsiControllers, scsiTypeName } from "../vi-json/devices.ts";
import { field, type ScsiType } from "../yaml/describe.ts";
import type { Fields } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";

/** Words that YAML changes: readers turn `yes` into a boolean, and disagree about leading zeros. */
const inYaml = (read: Read<unknown>): Read<unknown> => (read === bool ? units.bool : units.plain(read));

const writeNumbers = (list: readonly number[] | "all"): string | undefined => (list === "all" ? undefined : `[${list.join(", ")}]`);

/** Settings that the API writes in a special form. */
const WRITERS: { readonly [K in SettingName]?: (value: never) => string | undefined } = {
  coresPerSocket: units.writeCores("absent"),
  hardwareVersion: units.writeHardwareVersion,
  cpuAffinity: writeNumbers,
  memoryAffinity: writeNumbers,
  cpuLimitMHz: units.writeLimit,
  memoryLimitMiB: units.writeLimit,
};

/** Reads the settings of a `VirtualMachineConfigSpec` below `configSpec`, in the notation of VI/JSON. */
export const CONFIG_FIELDS = Object.fromEntries(
  spellingsIn(CONFIG_SPEC).map(({ name, key: path, read: readValue }) => [
    name,
    field(`configSpec.${path}`, inYaml(readValue), WRITERS[name] as ((value: unknown) => string | undefined) | undefined),
  ]),
) as Fields; // The table has the right reader for each name.

/** An option of `extraConfig`; its value may be wrapped with its type. */
export function optionOf(item: Value): { key: Value; value: Value } {
  const value = get(item, "value");
  return { key: get(item, "key"), value: isMapping(value) ? get(value, "_value") : value };
}

/**
 * Returns the devices that VM Operator creates. It keeps only disks with a LUN (pkg/util/configspec.go, SanitizeVMClassConfigSpec: "Remove
 * all virtual disks except disks with raw device mapping backings").
 */
const devicesIn = (configSpec: Value): readonly Value[] =>
  itemsOf(get(configSpec, "deviceChange"))
    .filter((change) => isKept(textOf(get(change, "operation"))))
    .map((change) => get(change, "device"))
    .filter((device) => typeOf(device) !== "VirtualDisk" || typeOf(get(device, "backing")) === "VirtualDiskRawDiskMappingVer1BackingInfo");

const typeOf = (value: Value): string | undefined => textOf(get(value, "_typeName"));

const nodesOf = (values: readonly Value[]): readonly DataNode[] => values.flatMap((value) => nodeOf(value) ?? []);

export const readScsi = (configSpec: Value): readonly ScsiType[] =>
  devicesIn(configSpec).flatMap((device) => {
    const spot = { value: get(device, "_typeName"), write: scsiTypeName };
    return readScsiControllers(nodesOf([device])).map((controller) => ({ controller, spot }));
  });

/** For every VM of VM Operator. */
export const MISSING = "the image that the VM is made from has its own";

/** Without the disks of the image. */
export function devicesOf(configSpec: Value): Devices {
  const { passthrough = [], ...devices } = readDevices(nodesOf(devicesIn(configSpec)));
  return { ...devices, ...(passthrough.length > 0 && { passthrough }), missing: MISSING };
}
