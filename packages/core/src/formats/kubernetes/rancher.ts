import { known } from "../../model/source.ts";
import { get, rangeOf, scoped, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { OF_TEMPLATE } from "../inherited.ts";
import { RANCHER } from "../rancher.ts";
import { describe, field, optionList } from "../yaml/describe.ts";
import type { Fields, Kind } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { nameOf, versionOf } from "./object.ts";

/* rancher/machine, drivers/vmwarevsphere (flags.go, vsphere.go, create.go): the flags in camel case, numbers as text. */
const FIELDS: Fields = {
  vcpus: field("cpuCount", units.count),
  memoryMiB: field("memorySize", units.count),
};

/** `cfgparam: ["disk.enableUUID=TRUE"]`: options of ESXi, each in one text. */
function pair(item: Value): { key: Value; value: Value } {
  const [start] = rangeOf(item);
  const text = textOf(item) ?? "";
  const equals = text.indexOf("=");
  const part = (from: number, to: number): Value => ({ ...item, part: text.slice(from, to), usedAt: [start + from, start + to] });
  return { key: part(0, Math.max(equals, 0)), value: part(equals + 1, text.length) };
}

/** VmwarevsphereConfig of Rancher. */
export const rancher: Kind = {
  name: "rancher",
  sign: /\bkind["']?[ \t]*:[ \t]*["']?VmwarevsphereConfig\b/,
  read: (object) => {
    if (versionOf(object, { group: "rke-machine-config.cattle.io", kinds: ["VmwarevsphereConfig"] }) === undefined) return undefined;
    const root = scoped(object);
    const creation = get(root, "creationType");
    // "legacy" creates a VM from an ISO, with one PVSCSI controller; all other values clone. It is the default of the flag, but Rancher
    // writes the key, so a missing key means unknown.
    const isMade = textOf(creation) === "legacy";
    const range = rangeOf(creation);
    const vm = describe({
      format: "rancher",
      root,
      name: nameOf(root),
      fields: FIELDS,
      base: root,
      options: optionList(root, "cfgparam", pair),
      inherits: isMade ? undefined : OF_TEMPLATE,
      from: get(root, "cloneFrom"),
      template: true,
      generator: RANCHER,
      scsi: isMade ? [{ controller: { id: "scsi0", bus: 0, type: known("pvscsi", range), range } }] : [],
    });
    return [vm];
  },
};
