import { HIVE_POOL } from "../../model/sources.ts";
import { at, isMapping, scoped } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_TEMPLATE } from "../inherited.ts";
import { describe } from "../yaml/describe.ts";
import type { Kind } from "../yaml/kind.ts";
import { POOL_FIELDS } from "./install-config.ts";
import { nameOf, versionOf } from "./object.ts";

/*
 * OpenShift's Hive, apis/hive/v1/vsphere/machinepools.go: a pool as in the installer. Hive creates MachineSets like the installer, but
 * without its defaults (machinepool_validating_admission_hook.go).
 */
const HIVE: GeneratorRecord = {
  name: "Hive",
  source: HIVE_POOL,
  refuses: [],
  treats: (["vcpus", "coresPerSocket", "memoryMiB"] as const).map((part) => ({ part, does: "requires" })),
};
const REFUSED = "Hive refuses a pool without it";

/** Machine pools of OpenShift's Hive that run on vSphere. */
export const hive: Kind = {
  name: "hive",
  sign: /\bhive\.openshift\.io\/v1\b/,
  read: (object) => {
    if (versionOf(object, { group: "hive.openshift.io", kinds: ["MachinePool"] }) === undefined) return undefined;
    const root = scoped(object);
    const base = at(root, ["spec", "platform", "vsphere"]);
    if (!isMapping(base)) return undefined;
    const vm = describe({
      format: "hive",
      root,
      name: nameOf(root),
      generator: HIVE,
      fields: POOL_FIELDS,
      base,
      template: true,
      inherits: OF_TEMPLATE,
      openSettings: { vcpus: REFUSED, coresPerSocket: REFUSED, memoryMiB: REFUSED },
    });
    return [vm];
  },
};
