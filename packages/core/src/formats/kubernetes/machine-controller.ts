import { MACHINE_CONTROLLER } from "../../model/sources.ts";
import { at, entriesOf, get, isNothing, scoped, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_TEMPLATE } from "../inherited.ts";
import { describe, field } from "../yaml/describe.ts";
import type { Fields, Kind } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { nameOf, versionOf } from "./object.ts";

/*
 * Kubermatic machine-controller, sdk/cloudprovider/vsphere/types.go (RawConfig): `cpus` and `memoryMB` are sent to a clone as they
 * are, 0 too. Go's JSON reader takes keys in any case, and the project's own examples write `MemoryMB`.
 */
const FIELDS: Fields = {
  vcpus: field("cpus", units.count),
  memoryMiB: field("memoryMB", units.count),
};

/** It checks no size (provider.go, Validate). */
const KUBERMATIC: GeneratorRecord = {
  name: "Kubermatic's machine-controller",
  source: MACHINE_CONTROLLER,
  refuses: [],
};

function inAnyCase(base: Value, path: readonly string[]): Value {
  const [key = ""] = path;
  const exact = get(base, key);
  if (!isNothing(exact)) return exact;
  return entriesOf(base).findLast((entry) => entry.key.toLowerCase() === key.toLowerCase())?.value ?? exact;
}

const KINDS = { group: "cluster.k8s.io", kinds: ["MachineDeployment", "MachineSet", "Machine"] };

/** Machines of Kubermatic's machine-controller that run on vSphere. */
export const machineController: Kind = {
  name: "machine-controller",
  sign: /\bcloudProvider["']?[ \t]*:[ \t]*["']?vsphere\b/,
  read: (object) => {
    if (versionOf(object, KINDS) === undefined) return undefined;
    const root = scoped(object);
    const template = at(root, ["spec", "template", "spec"]);
    const value = at(isNothing(template) ? get(root, "spec") : template, ["providerSpec", "value"]);
    if (textOf(get(value, "cloudProvider")) !== "vsphere") return undefined;
    const vm = describe({
      format: "machine-controller",
      root,
      name: nameOf(root),
      fields: FIELDS,
      base: get(value, "cloudProviderSpec"),
      find: inAnyCase,
      template: !isNothing(template),
      generator: KUBERMATIC,
      inherits: OF_TEMPLATE,
      from: inAnyCase(get(value, "cloudProviderSpec"), ["templateVMName"]),
    });
    return [vm];
  },
};
