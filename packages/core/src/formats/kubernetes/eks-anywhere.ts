import { EKS_ANYWHERE } from "../../model/sources.ts";
import { at, get, isNothing, scoped, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_TEMPLATE } from "../inherited.ts";
import { describe, field } from "../yaml/describe.ts";
import type { Fields, Kind } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { CORES_BY_RELEASE, LEAST_VCPUS } from "./capv.ts";
import { nameOf, versionOf } from "./object.ts";

/*
 * EKS Anywhere, pkg/providers/vsphere/defaults.go, setDefaultsForMachineConfig: `numCPUs` (2 if missing or 0), `memoryMiB` (8,192 if
 * missing or 0, and at least 2,048, or 8,192 for machines of an external etcd). It creates a VSphereMachineTemplate from them without cores per socket
 * (pkg/providers/vsphere/config/template-md.yaml) for the provider of its bundle, which is 1.16.1 or older
 * (release/cli/pkg/operations/testdata/main-bundle-release.yaml; its go.mod only compiles against 1.14). Its reader only checks the kind.
 */
const KIND = "VSphereMachineConfig";

const EKS: GeneratorRecord = {
  name: "EKS Anywhere",
  source: EKS_ANYWHERE,
  refuses: [],
  defaults: { vcpus: 2, memoryMiB: 8192 },
  treats: [
    { part: "vcpus", does: "raises", least: LEAST_VCPUS },
    { part: "memoryMiB", does: "raises", least: 2048 },
  ],
};

/** setDefaultsForEtcdMachineConfig. */
const ETCD: GeneratorRecord = {
  ...EKS,
  treats: [
    { part: "vcpus", does: "raises", least: LEAST_VCPUS },
    { part: "memoryMiB", does: "raises", least: 8192 },
  ],
};

const ETCD_PATH = ["spec", "externalEtcdConfiguration", "machineGroupRef", "name"];

/** Whether a cluster in the same text runs its etcd on the machines. */
const runsEtcd = (root: Value, objects: readonly Value[]): boolean =>
  objects.some((object) => isCluster(object) && textOf(at(object, ETCD_PATH)) === (textOf(nameOf(root)) ?? ""));

const isCluster = (object: Value): boolean => versionOf(object, { group: "anywhere.eks.amazonaws.com", kinds: ["Cluster"] }) !== undefined;

const FIELDS: Fields = {
  vcpus: field("numCPUs", units.size),
  memoryMiB: field("memoryMiB", units.size),
};

/** VSphereMachineConfig of EKS Anywhere. */
export const eksAnywhere: Kind = {
  name: "eks-anywhere",
  sign: /\bkind["']?[ \t]*:[ \t]*["']?VSphereMachineConfig\b/,
  read: (object, _, { objects }) => {
    const isBare = isNothing(get(object, "apiVersion")) && textOf(get(object, "kind")) === KIND;
    if (!isBare && versionOf(object, { group: "anywhere.eks.amazonaws.com", kinds: [KIND] }) === undefined) return undefined;
    const root = scoped(object);
    const vm = describe({
      format: "eks-anywhere",
      root,
      name: nameOf(root),
      fields: FIELDS,
      base: get(root, "spec"),
      template: true,
      openSettings: { coresPerSocket: CORES_BY_RELEASE },
      inherits: OF_TEMPLATE,
      from: at(root, ["spec", "template"]),
      generator: runsEtcd(root, objects()) ? ETCD : EKS,
    });
    return [vm];
  },
};
