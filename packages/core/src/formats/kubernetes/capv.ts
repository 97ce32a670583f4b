import { known, type Setting, unknown } from "../../model/source.ts";
import { CAPV_TYPES } from "../../model/sources.ts";
import type { Board, PassthroughDevice } from "../../model/spec.ts";
import { at, get, isNothing, itemsOf, rangeOf, scoped, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_PATCH, OF_TEMPLATE } from "../inherited.ts";
import { pciModel } from "../vmx/devices.ts";
import { describe, field, optionMapping } from "../yaml/describe.ts";
import type { DocumentContext, Fields, Kind, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { patchedTemplate } from "./cluster-class.ts";
import { kubeletOfTemplate } from "./kubelet.ts";
import { nameOf, type ObjectKind, versionOf } from "./object.ts";

/*
 * Cluster API Provider vSphere, api/govmomi/v1beta1 and v1beta2, pkg/services/govmomi/vcenter/clone.go (1.17): the VM is a clone, and keeps
 * the template's values that are not sent. The API documents this for every field; the code sends 2 vCPUs for fewer than 2, and 2,048 MiB
 * for missing memory.
 */
const GROUP: ObjectKind = {
  group: "infrastructure.cluster.x-k8s.io",
  kinds: ["VSphereMachineTemplate", "VSphereMachine", "VSphereVM"],
};

/** The code raises lower values to this. */
export const LEAST_VCPUS = 2;

const CAPV: GeneratorRecord = {
  name: "Cluster API's vSphere provider",
  source: CAPV_TYPES,
  refuses: [],
  defaults: { vcpus: LEAST_VCPUS, memoryMiB: 2048 },
  treats: [{ part: "vcpus", does: "raises", least: LEAST_VCPUS }],
};
/** "+kubebuilder:validation:Minimum=2" */
const CAPV_V1BETA2: GeneratorRecord = { ...CAPV, treats: [{ part: "vcpus", does: "refuses", least: LEAST_VCPUS }] };

/** Up to 1.15, clone.go sends the vCPUs as missing cores per socket; from 1.16 on it sends nothing (commit ea5563452). */
export const CORES_BY_RELEASE = "Cluster API's vSphere provider makes one socket before 1.16, and keeps the template's from then on";

const FIELDS: Fields = {
  vcpus: field("numCPUs", units.natural),
  memoryMiB: field("memoryMiB", units.size),
  hardwareVersion: field("hardwareVersion", units.hardwareVersion, units.writeHardwareVersion),
  // Each is sent unless it is zero (clone.go, "IsZero").
  cpuReservationMHz: field("resources.requests.cpu", units.orNothing(units.hertz), units.writeHertz),
  cpuLimitMHz: field("resources.limits.cpu", units.orNothing(units.hertzLimit), (mhz) =>
    mhz === "unlimited" ? undefined : units.writeHertz(mhz),
  ),
  memoryReservationMiB: field("resources.requests.memory", units.orNothing(units.memoryOrNone), units.writeMemory),
  memoryLimitMiB: field("resources.limits.memory", units.orNothing(units.memoryLimit), (mib) =>
    mib === "unlimited" ? undefined : units.writeMemory(mib),
  ),
};

/** In v1beta1, 0 is a missing field; v1beta2 uses 0 for "Assigned at power on". */
const cores = (zero: "absent" | "auto"): Fields => ({
  ...FIELDS,
  coresPerSocket: field("numCoresPerSocket", units.cores(zero), units.writeCores(zero)),
});
const V1BETA1 = cores("absent");
const V1BETA2 = cores("auto");

/**
 * From version 20 on, hardware versions only add features that VMs of these sizes do not need (vSphere 8.0 and 9.0, "Hardware Features
 * Available with Virtual Machine Compatibility Settings").
 */
const SAME_FROM = { hardwareVersion: 20, vcpus: 768, coresPerSocket: 256 } as const;

/**
 * A minimum: a newer template keeps its version (pkg/services/govmomi/service.go, reconcileHardwareVersion, only upgrades). It is known if
 * every later version has the same effect for the VM.
 */
function hardwareVersion(find: (path: readonly string[]) => Value): Setting<number> {
  const least = settingOf(find(["hardwareVersion"]), units.hardwareVersion);
  const isSmall = (["vcpus", "coresPerSocket"] as const).every((name) => {
    const size = settingOf(find(V1BETA1[name]?.path ?? []), units.natural);
    return size.state === "absent" || (size.state === "known" && size.value <= SAME_FROM[name]);
  });
  if (least.state !== "known" || (least.value >= SAME_FROM.hardwareVersion && isSmall)) return least;
  return unknown(`the template decides if it is newer than vmx-${least.value}`, least.range);
}

/** The version that the machine is upgraded to, unless its template is newer. */
function leastVersion(find: (path: readonly string[]) => Value): Board {
  const least = settingOf(find(["hardwareVersion"]), units.hardwareVersion);
  return least.state === "known" ? { leastHardwareVersion: least } : {};
}

/** `PCIDeviceSpec`: a profile, or vendor and device as numbers, which YAML also writes in hexadecimal. */
function hostDevice(item: Value, index: number): PassthroughDevice {
  const shared = { id: `pciPassthru${index}`, range: rangeOf(item) };
  const vgpu = textOf(get(item, "vGPUProfile"));
  if (vgpu) return { ...shared, kind: "vgpu", model: vgpu };
  const [vendor, device] = ["vendorId", "deviceId"].map((key) => {
    const number = Number(textOf(get(item, key)) ?? Number.NaN);
    return Number.isInteger(number) && number >= 0 ? number.toString(16) : undefined;
  });
  return { ...shared, kind: "dynamic", ...pciModel(vendor, device) };
}

function readMachine(object: Value, version: string, context: DocumentContext): ReadVm {
  const root = scoped(object);
  const template = at(root, ["spec", "template", "spec"]);
  const spec = isNothing(template) ? get(root, "spec") : template;
  // `template` is required, so an object without it is a patch for another file.
  const patched = isNothing(template) ? undefined : patchedTemplate(root, context);
  const find = (path: readonly string[]): Value => patched?.find(path) ?? path.reduce(get, spec);
  // `template` is required, so an object without it is a patch for another file.
  const isPatch = isNothing(find(["template"]));
  const pci = find(["pciDevices"]);
  const fields = version === "v1beta2" ? V1BETA2 : V1BETA1;
  const options = optionMapping(spec, "customVMXKeys");
  const areOpen = patched?.isPatched("customVMXKeys") ?? false;
  return describe({
    format: "capv",
    root,
    name: nameOf(root),
    fields,
    base: spec,
    find: (_, path) => find(path),
    template: !isNothing(template),
    options: areOpen ? { ...options, entries: [] } : options,
    ...(areOpen && { moreOptions: "a ClusterClass patches its options" }),
    // v1beta2 exists since 1.16.
    openSettings: !isPatch && version !== "v1beta2" ? { coresPerSocket: CORES_BY_RELEASE } : {},
    inherits: isPatch ? OF_PATCH : OF_TEMPLATE,
    from: find(["template"]),
    generator: isPatch ? undefined : version === "v1beta2" ? CAPV_V1BETA2 : CAPV,
    extraSettings: {
      hardwareVersion: hardwareVersion(find),
      // "For PCI devices, the memory for the VM needs to be reserved" (clone.go).
      ...(itemsOf(pci).length > 0 && { memoryReservationLocked: known(true, rangeOf(pci)) }),
    },
    extraBoard: leastVersion(find),
    kubelet: () => kubeletOfTemplate(textOf(nameOf(root)) ?? "", context.objects()),
    devices: () => ({
      ...(itemsOf(pci).length > 0 && { passthrough: itemsOf(pci).map(hostDevice) }),
      otherControllers: [],
      // The template has at least one disk. Added disks share its controller, at units that only the clone decides.
      disks: [],
      // getNetworkSpecs replaces the template's cards with VMXNET3 ones.
      nics: itemsOf(find(["network", "devices"])).map((device, index) => ({ index, type: known("vmxnet3", rangeOf(device)) })),
    }),
  });
}

/** VSphereMachineTemplate, VSphereMachine and VSphereVM of Cluster API. */
export const capv: Kind = {
  name: "capv",
  sign: /\bkind["']?[ \t]*:[ \t]*["']?VSphere(?:MachineTemplate|Machine|VM)\b/,
  read: (object, _, context) => {
    const version = versionOf(object, GROUP);
    return version === undefined ? undefined : [readMachine(object, version, context)];
  },
};
