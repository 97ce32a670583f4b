import { at, get, isMapping, isNothing, itemsOf, scoped, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { describe, field } from "../yaml/describe.ts";
import type { Fields, Kind, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";

/*
 * OpenShift's install-config.yaml, openshift/installer pkg/types/vsphere/machinepool.go: other names than in the machine API. Missing
 * values are unknown, because the installer's defaults changed between releases (workers: 2 vCPUs of 1, then 2 of 2, then 4 of 4 cores per
 * socket).
 */
/** The fields of a machine pool. */
export const POOL_FIELDS: Fields = {
  vcpus: field("cpus", units.count),
  coresPerSocket: field("coresPerSocket", units.cores("mistake"), units.writeCores("mistake")),
  memoryMiB: field("memoryMB", units.count),
};

const DEFAULT = "it is the installer's default, which changes with its release";

/** install-config.yaml of OpenShift: a VM for each machine pool with a size. */
export const installConfig: Kind = {
  name: "install-config",
  sign: /^["']?controlPlane["']?[ \t]*:/m,
  read: (document) => {
    const [platform, control, compute] = [get(document, "platform"), get(document, "controlPlane"), get(document, "compute")];
    if (textOf(get(document, "apiVersion")) !== "v1" || !isNothing(get(document, "kind"))) return undefined;
    if (isNothing(get(platform, "vsphere")) && isNothing(at(control, ["platform", "vsphere"]))) return undefined;
    const defaults = at(platform, ["vsphere", "defaultMachinePlatform"]);
    return [control, ...itemsOf(compute)].flatMap((pool) => readPool(pool, defaults));
  },
};

function readPool(pool: Value, defaults: Value): readonly ReadVm[] {
  const root = scoped(pool);
  const platform = at(root, ["platform", "vsphere"]);
  if (!isMapping(platform) && !isMapping(defaults)) return [];
  const vm = describe({
    format: "install-config",
    root,
    name: get(root, "name"),
    fields: POOL_FIELDS,
    base: platform,
    find: (base, path) => (isNothing(at(base, path)) ? at(defaults, path) : at(base, path)),
    template: true,
    inherits: DEFAULT,
  });
  return [vm];
}
