import { folderOf, joinPath } from "../../model/files.ts";
import { valueIfKnown } from "../../model/source.ts";
import type { CpuPreference, LiveUpdate } from "../../platforms/kvm/stacks/kubevirt.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import { at, entriesOf, get, isNothing, readDocuments, scoped, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { nameOf } from "../kubernetes/object.ts";
import type { DocumentContext } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import type { Preference } from "./edit.ts";
import { type Instancetype, shippedInstancetype, shippedPreference } from "./shipped.ts";

/** Returns the instancetype of a VM, or why it is unknown; `undefined` for a VM without one. */
export function instancetypeOf(vm: Value, context: DocumentContext): Instancetype | string | undefined {
  const reference = get(vm, "instancetype");
  if (isNothing(reference)) return undefined;
  return named(reference, "Instancetype", context, readInstancetype, shippedInstancetype);
}

/** Returns the CPU preferences of a VM, or why they are unknown; empty without a preference. */
export function preferenceOf(vm: Value, context: DocumentContext): CpuPreference | string {
  const reference = get(vm, "preference");
  return isNothing(reference) ? {} : named(reference, "Preference", context, readPreference, shippedPreference);
}

/** Looks in the text, then for a shipped object, then in other files of the folder. A missing kind is the one of the cluster. */
function named<T>(
  reference: Value,
  what: "Instancetype" | "Preference",
  context: DocumentContext,
  read: (spec: Value) => T | string,
  shipped: (name: string) => T | undefined,
): T | string {
  const [name, kind = `VirtualMachineCluster${what}`] = [textOf(get(reference, "name")), textOf(get(reference, "kind"))];
  const label = what.toLowerCase();
  if (name === undefined) return isNothing(get(reference, "inferFromVolume")) ? `the ${label} has no name` : `a volume names the ${label}`;
  if (isTemplate(name)) return `a template names the ${label}`;
  const find = (objects: readonly Value[]): Value | undefined => objects.find((one) => isNamed(one, kind, name));
  const own = find(context.objects());
  if (own) return read(get(own, "spec"));
  const isOfCluster = kind.toLowerCase().startsWith("virtualmachinecluster");
  const known = isOfCluster ? shipped(name) : undefined;
  if (known) return known;
  const other = find(siblingsOf(context));
  return other ? read(get(other, "spec")) : `the cluster has the ${label} ${name}`;
}

const isNamed = (object: Value, kind: string, name: string): boolean =>
  (textOf(get(object, "kind")) ?? "").toLowerCase() === kind.toLowerCase() && textOf(nameOf(object)) === name;

const CLUSTER_PREFERENCE = "VirtualMachineClusterPreference";

/** Returns the preference of a VM if it is an object of the text, and no other VM of the text uses it. */
export function ownPreference(vm: Value, { objects }: DocumentContext): Preference | undefined {
  const reference = get(vm, "preference");
  const [name, kind = CLUSTER_PREFERENCE] = [textOf(get(reference, "name")), textOf(get(reference, "kind"))];
  if (name === undefined || isTemplate(name)) return undefined;
  const root = objects().find((one) => isNamed(one, kind, name));
  if (!root) return undefined;
  const names = root.source.text.split(name).length - 1;
  // Its own name, and that of this VM.
  return names === 2 ? { root: scoped(root), spec: get(root, "spec") } : undefined;
}

function readInstancetype(spec: Value): Instancetype | string {
  const cpu = get(spec, "cpu");
  const vcpus = settingOf(get(cpu, "guest"), units.count);
  if (vcpus.state !== "known") return vcpus.state === "unknown" ? vcpus.reason : "the instancetype has no vCPUs";
  const isTrue = (key: string): boolean => valueIfKnown(settingOf(get(cpu, key), units.bool)) ?? false;
  const pageMiB = valueIfKnown(settingOf(at(spec, ["memory", "hugepages", "pageSize"]), units.memory));
  return {
    vcpus: vcpus.value,
    memoryMiB: valueIfKnown(settingOf(at(spec, ["memory", "guest"]), units.memory)),
    maxSockets: valueIfKnown(settingOf(get(cpu, "maxSockets"), units.count)),
    dedicated: isTrue("dedicatedCPUPlacement"),
    isolatesEmulator: isTrue("isolateEmulatorThread"),
    hostNodes: !isNothing(at(cpu, ["numa", "guestMappingPassthrough"])),
    pageMiB,
    isPlain: [spec, cpu, get(spec, "memory")].every((value) =>
      entriesOf(value).every(({ key }) => ["cpu", "memory", "guest"].includes(key)),
    ),
  };
}

/** `preferSpreadSocketToCoreRatio` is the older name of the ratio. */
function readPreference(spec: Value): CpuPreference {
  const options = at(spec, ["cpu", "spreadOptions"]);
  const [topology, across] = [textOf(at(spec, ["cpu", "preferredCPUTopology"])), textOf(get(options, "across"))];
  const ratios = [get(options, "ratio"), get(spec, "preferSpreadSocketToCoreRatio")].map((value) =>
    valueIfKnown(settingOf(value, units.count)),
  );
  const ratio = ratios.find((one) => one !== undefined);
  return { ...(topology && { topology }), ...(across && { across }), ...(ratio && { ratio }) };
}

/** Returns the live update of the cluster as the KubeVirt or HyperConverged object of the text says; "staged" if changes wait for a restart. */
export function clusterOf(context: DocumentContext): LiveUpdate | string {
  const object = context.objects().find((one) => ["KubeVirt", "HyperConverged"].includes(textOf(get(one, "kind")) ?? ""));
  if (!object) return {};
  const spec = get(object, "spec");
  const configuration = textOf(get(object, "kind")) === "KubeVirt" ? get(spec, "configuration") : spec;
  if (textOf(get(configuration, "vmRolloutStrategy")) === "Stage") return "staged";
  const [maxCpuSockets, maxHotplugRatio] = ["maxCpuSockets", "maxHotplugRatio"].map((key) =>
    settingOf(at(configuration, ["liveUpdateConfiguration", key]), units.count),
  );
  if (maxCpuSockets?.state === "unknown") return maxCpuSockets.reason;
  if (maxHotplugRatio?.state === "unknown") return maxHotplugRatio.reason;
  return {
    maxCpuSockets: maxCpuSockets && valueIfKnown(maxCpuSockets),
    ...(maxHotplugRatio?.state === "known" && { maxHotplugRatio: maxHotplugRatio.value }),
  };
}

/** A folder with more files is not searched. */
const MOST_FILES = 200;
const WORDS = /\bkind:[ \t]*["']?VirtualMachine(?:Cluster)?(?:Instancetype|Preference)\b/;

function siblingsOf({ context }: DocumentContext): readonly Value[] {
  if (!context) return [];
  const { files, path } = context;
  const folder = folderOf(path);
  const names = files.list(folder);
  if (names.length > MOST_FILES) return [];
  return names.flatMap((name) => {
    const other = joinPath(folder, name);
    const text = /\.ya?ml$/.test(name) && other !== path ? files.read(other) : undefined;
    if (text === undefined || !WORDS.test(text)) return [];
    return readDocuments(text).flatMap(({ root, errors }) => (errors.length > 0 ? [] : [root]));
  });
}
