import { known, type Setting } from "../../model/source.ts";
import { OPENSHIFT_WEBHOOK } from "../../model/sources.ts";
import { at, get, itemsOf, rangeOf, scoped, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_TEMPLATE } from "../inherited.ts";
import { describe, field } from "../yaml/describe.ts";
import type { Fields, Kind } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { kubeletOfRole } from "./kubelet.ts";
import { nameOf } from "./object.ts";

/*
 * OpenShift, openshift/api machine/v1beta1 (VSphereMachineProviderSpec) and machine-api-operator pkg/controller/vsphere/reconciler.go:
 * the VM is a clone, `numCPUs` and `memoryMiB` are sent as they are, and without `numCoresPerSocket` (or with 0) the operator
 * sends the vCPUs for it: one socket.
 */
const CORES = units.cores("absent");

const FIELDS: Fields = {
  vcpus: field("numCPUs", units.count),
  coresPerSocket: field("numCoresPerSocket", CORES, units.writeCores("absent")),
  memoryMiB: field("memoryMiB", units.count),
};

/** `minVSphereCPU` and `minVSphereMemoryMiB`. */
const MACHINE_API: GeneratorRecord = {
  name: "OpenShift's machine API",
  source: OPENSHIFT_WEBHOOK,
  refuses: [],
  treats: [
    { part: "vcpus", does: "warns", least: 2 },
    { part: "memoryMiB", does: "warns", least: 2048 },
  ],
};

/** Where the machines' provider spec is: in a Machine, a MachineSet and a ControlPlaneMachineSet. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  Machine: ["spec"],
  MachineSet: ["spec", "template", "spec"],
  ControlPlaneMachineSet: ["spec", "template", "machines_v1beta1_machine_openshift_io", "spec"],
};

/** Machines, MachineSets and ControlPlaneMachineSets of OpenShift that run on vSphere. */
export const openshift: Kind = {
  name: "openshift",
  sign: /\bkind["']?[ \t]*:[ \t]*["']?VSphereMachineProviderSpec\b/,
  read: (object, _, context) => {
    if (!textOf(get(object, "apiVersion"))?.startsWith("machine.openshift.io/")) return undefined;
    const path = PATHS[textOf(get(object, "kind")) ?? ""];
    if (!path) return undefined;
    const root = scoped(object);
    const value = at(root, [...path, "providerSpec", "value"]);
    if (textOf(get(value, "kind")) !== "VSphereMachineProviderSpec") return undefined;
    const vm = describe({
      format: "openshift",
      root,
      name: nameOf(root),
      fields: FIELDS,
      base: value,
      template: path.length > 1,
      generator: MACHINE_API,
      inherits: OF_TEMPLATE,
      kubelet: () => kubeletOfRole(roleOf(root), context.objects()),
      from: get(value, "template"),
      extraSettings: oneSocket(value),
      devices: () => ({
        otherControllers: [],
        disks: [],
        // getNetworkDevices replaces the template's cards with VMXNET3 ones.
        nics: itemsOf(at(value, ["network", "devices"])).map((device, index) => ({ index, type: known("vmxnet3", rangeOf(device)) })),
      }),
    });
    return [vm];
  },
};

/** The role of its machines, which is the name of their pool as well. */
const roleOf = (root: Value): string =>
  textOf(get(at(root, ["spec", "template", "metadata", "labels"]), "machine.openshift.io/cluster-api-machine-role")) ??
  textOf(get(at(root, ["metadata", "labels"]), "machine.openshift.io/cluster-api-machine-role")) ??
  "";

/** Without cores per socket, all vCPUs are in one socket. */
function oneSocket(value: Value): { coresPerSocket?: Setting<number> } {
  if (settingOf(get(value, "numCoresPerSocket"), CORES).state !== "absent") return {};
  const vcpus = settingOf(get(value, "numCPUs"), units.count);
  return vcpus.state === "absent" ? {} : { coresPerSocket: vcpus };
}
