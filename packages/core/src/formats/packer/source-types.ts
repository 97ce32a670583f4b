import type { Problem } from "../../model/problem.ts";
import { sequence } from "../../model/sequence.ts";
import { ABSENT, known, type Setting, unknown, withText } from "../../model/source.ts";
import { PACKER_VMWARE, PACKER_VSPHERE } from "../../model/sources.ts";
import type {
  Board,
  BoardTypes,
  Devices,
  Disk,
  OtherController,
  PassthroughDevice,
  Platform,
  ScsiController,
  ScsiType,
  SettingName,
  Settings,
} from "../../model/spec.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import { isMapping, isSequence, type Value } from "../../syntax/hcl/value.ts";
import { listOf, STRING } from "../../syntax/hcl/value-type.ts";
import type { Read } from "../../syntax/values.ts";
import * as read from "../../syntax/values.ts";
import { readBoard } from "../board.ts";
import type { GeneratorRecord } from "../generator.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import type { Arguments, SettingReader } from "../hcl/setting-reader.ts";
import { ANY_VERSION, isAtLeast, type Versions } from "../hcl/versions.ts";
import { lowerCased, oneOf, type ReadResource, textOf, type VmInstance, vmOf, wholeNumber } from "../hcl/vm-instance.ts";
import { ALL_SETTINGS, DISKS_OF_TEMPLATE, INHERITED, OF_TEMPLATE } from "../inherited.ts";
import { pciModel } from "../vmx/devices.ts";
import { VMX_SPELLINGS } from "../vmx/keys.ts";

/** A builder that makes a VM. */
interface SourceType {
  readonly arguments: Arguments;
  readonly scsi?: { readonly names: Readonly<Record<ScsiType, string>> };
  /** `plugins`: the versions of plugins that the template allows, by name. */
  readonly vm: (instance: VmInstance, plugins?: ReadonlyMap<string, Versions>) => ReadResource;
}

/** 0 is "not sent" in every number of these plugins. */
const orNothing =
  <T>(reader: Read<T>): Read<T> =>
  (text, range) =>
    /^0+$/.test(text) ? ABSENT : reader(text, range);

/** An empty text means "not set" (`GuestOSType == ""` in both plugins). */
const words: Read<string> = (text, range) => (text === "" ? ABSENT : known(text, range));

/** A flag that is only sent if it is true. */
const onlyTrue: Read<boolean> = (text, range) => {
  const flag = read.bool(text, range);
  return flag.state === "known" && !flag.value ? ABSENT : flag;
};

/** packer-plugin-vsphere, builder/vsphere/common: its own names. Values 0 and false are not sent (driver/vm.go, Configure). */
const VSPHERE = {
  vcpus: ["CPUs", orNothing(read.count)],
  coresPerSocket: ["cpu_cores", orNothing(read.count)],
  memoryMiB: ["RAM", orNothing(read.count)],
  hardwareVersion: ["vm_version", orNothing(read.count)],
  guestOs: ["guest_os_type", words],
  cpuHotAdd: ["CPU_hot_plug", read.bool],
  memoryHotAdd: ["RAM_hot_plug", read.bool],
  cpuReservationMHz: ["CPU_reservation", read.natural],
  cpuLimitMHz: ["CPU_limit", orNothing(read.limit)],
  memoryReservationMiB: ["RAM_reservation", read.natural],
  memoryReservationLocked: ["RAM_reserve_all", read.bool],
} as const satisfies Arguments;

/** `Prepare` in step_hardware.go. */
const VSPHERE_PLUGIN: GeneratorRecord = {
  name: "Packer's vSphere plugin",
  source: PACKER_VSPHERE,
  refuses: [],
  treats: [
    { part: "memoryReservationMiB", does: "refuses", with: "memoryReservationLocked" },
    { part: "tpm", does: "refuses", without: "firmware" },
  ],
};

/** A clone keeps the values of the template that are not sent. */
const CLONED = {
  ...VSPHERE,
  cpuHotAdd: ["CPU_hot_plug", onlyTrue],
  memoryHotAdd: ["RAM_hot_plug", onlyTrue],
  cpuReservationMHz: ["CPU_reservation", orNothing(read.natural)],
  memoryReservationMiB: ["RAM_reservation", orNothing(read.natural)],
  memoryReservationLocked: ["RAM_reserve_all", onlyTrue],
} as const satisfies Arguments;

const SCSI_TYPES: Readonly<Record<string, ScsiType>> = {
  lsilogic: "lsilogic",
  "lsilogic-sas": "lsisas1068",
  lsisas1068: "lsisas1068",
  pvscsi: "pvscsi",
  buslogic: "buslogic",
  // The plugin only passes the kind to govmomi, which creates LSI Logic.
  scsi: "lsilogic",
};
const scsiType = oneOf(SCSI_TYPES);

interface Controllers {
  readonly scsi: readonly ScsiController[];
  readonly otherControllers: readonly OtherController[];
  /** Returns the controllers in list order, by the index that disks use. */
  readonly ids: readonly string[];
  readonly missing?: string;
}

/**
 * `disk_controller_type` has one type per controller; an empty list means one LSI Logic (only for a new VM). A single text is an error
 * (hcldec, AttrSpec).
 */
function controllers(resource: ResourceInstance, reader: SettingReader, isNew: boolean): Controllers {
  const { range } = resource;
  const types = convert(resource.get("disk_controller_type"), listOf(STRING));
  const items = isSequence(types) ? types.items : [];
  if (types.kind === "unknown" || (items.length === 0 && !isNew)) {
    return { scsi: [], otherControllers: [], ids: [], missing: types.kind === "unknown" ? types.reason : DISKS_OF_TEMPLATE };
  }
  if (items.length === 0)
    return { scsi: [{ id: "scsi0", bus: 0, type: known("lsilogic", range), range }], otherControllers: [], ids: ["scsi0"] };
  const scsi: ScsiController[] = [];
  const otherControllers: OtherController[] = [];
  const ids = items.map((item) => {
    const kind = item.kind === "string" ? item.value : "";
    if (kind === "nvme" || kind === "sata") {
      const bus = otherControllers.filter((other) => other.kind === kind).length;
      otherControllers.push({ kind, bus, range });
      return `${kind}${bus}`;
    }
    const id = `scsi${scsi.length}`;
    scsi.push({ id, bus: scsi.length, type: reader.read(item, scsiType, range), range });
    return id;
  });
  return { scsi, otherControllers, ids };
}

function vsphereDevices(resource: ResourceInstance, reader: SettingReader, isNew: boolean): Devices {
  const { otherControllers, ids, missing: unclear } = controllers(resource, reader, isNew);
  const disks: Disk[] = [];
  const next = new Map<string, number>();
  const storage = resource.blocks("storage");
  let missing = unclear ?? storage.missing ?? (isNew ? undefined : DISKS_OF_TEMPLATE);
  for (const block of storage.items) {
    const index = wholeNumber(block.get("disk_controller_index"), 0);
    const controller = index === undefined ? undefined : ids[index];
    if (controller === undefined) missing ??= "the controller of a disk is not known";
    else {
      // The next free unit; the seventh belongs to the SCSI controller.
      const unit = next.get(controller) ?? 0;
      next.set(controller, unit === 6 && controller.startsWith("scsi") ? 8 : unit + 1);
      disks.push({ id: `${controller}:${unit}`, controller, range: block.range });
    }
  }
  const nics = resource.blocks("network_adapters").items.map((nic, index) => ({
    index,
    type: reader.read(nic.get("network_card"), lowerCased, nic.range),
  }));
  const passthrough = packerDevices(resource, reader);
  return { otherControllers, disks, nics, ...(passthrough.length > 0 && { passthrough }), ...(missing !== undefined && { missing }) };
}

/** builder/vsphere/common, step_hardware.go and step_add_flag.go: false is not sent, and without `firmware` vCenter chooses. */
const FLAGS: { readonly [K in keyof BoardTypes]?: string } = {
  iommu: "vvtd_enabled",
  nestedVirtualization: "NestedHV",
  vbs: "vbs_enabled",
  tpm: "vTPM",
};

const clock: Read<boolean> = (text, range) => known(text !== "" && text !== "none", range);

function vsphereBoard(resource: ResourceInstance, reader: SettingReader): Board {
  const { range } = resource;
  const text = textOf(resource.get("firmware"), "");
  return readBoard(({ read: readValue }, name) => {
    const isSecure = text === "efi-secure";
    if (name === "firmware" && (isSecure || text === "efi" || text === "bios")) return known(isSecure ? "efi" : text, range);
    if (name === "secureBoot") return isSecure ? known(true, range) : undefined;
    const setting =
      name === "precisionClock"
        ? reader.read(resource.get("precision_clock"), clock, range)
        : reader.read(resource.get(FLAGS[name] ?? ""), readValue, range);
    return setting.state === "known" && setting.value === true ? setting : undefined;
  });
}

/** A profile of a vGPU, and devices by vendor and model. */
function packerDevices(resource: ResourceInstance, reader: SettingReader): readonly PassthroughDevice[] {
  const vgpu = reader.read(resource.get("vgpu_profile"), words, resource.range);
  const allowed = resource.blocks("pci_passthrough_allowed_device").items.map((block) => ({
    range: block.range,
    kind: "dynamic" as const,
    ...pciModel(textOf(block.get("vendor_id"), ""), textOf(block.get("device_id"), "")),
  }));
  const all = [...(vgpu.state === "known" ? [{ range: vgpu.range, kind: "vgpu" as const, model: vgpu.value }] : []), ...allowed];
  return all.map((device, index) => ({ id: `pciPassthru${index}`, ...device }));
}

/** A fix changes a list of types, but never adds one. */
const SCSI_EDIT = {
  names: { pvscsi: "pvscsi", lsilogic: "lsilogic", lsisas1068: "lsilogic-sas", buslogic: "buslogic" },
} as const;

/** Reports arguments of the other builders, which Packer refuses. In JSON, an argument in another case is the builder's own. */
function ofOthers(resource: ResourceInstance, own: Arguments, other: Arguments): readonly Problem[] {
  const isThere = (key: string): boolean => resource.get(key).kind !== "null";
  return (Object.entries(other) as [SettingName, Arguments[SettingName]][]).flatMap(([name, [key = ""] = []]) => {
    const nearest = own[name]?.[0];
    const isOwn = key === nearest || (nearest?.toLowerCase() === key.toLowerCase() && isThere(nearest));
    if (isOwn || !isThere(key)) return [];
    const range = resource.get(key).trace.at(-1)?.range ?? resource.range;
    return [{ ruleId: "spec/unknown-key", messageId: "argument", data: { key, nearest: nearest ?? null }, range }];
  });
}

const vsphere = (isNew: boolean): SourceType => ({
  arguments: isNew ? VSPHERE : CLONED,
  vm(instance) {
    const { resourceInstance: resource } = instance;
    return vmOf(instance, isNew ? VSPHERE : CLONED, {
      generator: VSPHERE_PLUGIN,
      ...(isNew ? { defaults: { cpuHotAdd: false, memoryHotAdd: false } } : { inherits: { names: INHERITED, reason: OF_TEMPLATE } }),
      list: "configuration_parameters",
      extraConfig: resource.get("configuration_parameters"),
      boardArguments: { ...FLAGS, firmware: "firmware", secureBoot: "firmware", precisionClock: "precision_clock" },
      scsi: (reader) => controllers(resource, reader, isNew).scsi,
      devices: (reader) => vsphereDevices(resource, reader, isNew),
      problems: ofOthers(resource, VSPHERE, VMWARE),
      board: (reader) => vsphereBoard(resource, reader),
      from: isNew ? undefined : resource.get("template"),
      alias: resource.get("vm_name"),
    });
  },
});

/** The source only names the class and the image, which decide the size. */
const supervisor: SourceType = {
  arguments: {},
  vm: (instance) =>
    vmOf(
      instance,
      {},
      {
        inherits: { names: ALL_SETTINGS, reason: "it is the class's or the image's" },
        alias: instance.resourceInstance.get("source_name"),
      },
    ),
};

/** packer-plugin-vmware v2.1.0, builder/vmware/common/hw_config.go and iso/config.go. */
const VMWARE = {
  vcpus: ["cpus", orNothing(read.count)],
  coresPerSocket: ["cores", orNothing(read.count)],
  memoryMiB: ["memory", orNothing(read.count)],
  hardwareVersion: ["version", orNothing(read.count)],
  guestOs: ["guest_os_type", words],
} as const satisfies Arguments;

/** The keys of `vmx_data`, which override the arguments. */
function vmxData(value: Value, reader: SettingReader, range: ResourceInstance["range"]): Partial<Settings> {
  if (value.kind === "null") return {};
  if (!isMapping(value)) {
    const setting = unknown(value.kind === "unknown" ? value.reason : "it is not a map", range);
    return Object.fromEntries(VMX_SPELLINGS.map(({ name }) => [name, setting]));
  }
  const byKey = new Map([...value.entries].map(([key, item]) => [key.toLowerCase(), item]));
  const disk: Partial<Record<SettingName, Setting<unknown>>> = {};
  for (const { name, key, lower, read: readValue } of VMX_SPELLINGS) {
    const item = byKey.get(lower);
    if (item && item.kind !== "null") disk[name] = withText(reader.read(item, readValue, range), { key });
  }
  return disk as Partial<Settings>;
}

/** Returns ESXi if there is a remote type, otherwise Workstation or Fusion. */
function platformOf(resource: ResourceInstance): Platform {
  const remote = textOf(resource.get("remote_type"), "");
  return remote === undefined ? "unknown" : remote === "" ? "desktop" : "esxi";
}

/** Returns the type of the first controller if keys of the .vmx change it, or may change it. */
function typeInData(resource: ResourceInstance, reader: SettingReader): Setting<ScsiType> | undefined {
  for (const name of ["vmx_data_post", "vmx_data"]) {
    const data = resource.get(name);
    if (data.kind === "unknown") return unknown(data.reason, resource.range);
    const entry = isMapping(data) ? [...data.entries].find(([key]) => key.toLowerCase() === "scsi0.virtualdev") : undefined;
    if (entry) return reader.read(entry[1], scsiType, resource.range);
  }
  return undefined;
}

function vmwareDisks(
  resource: ResourceInstance,
  reader: SettingReader,
): { readonly scsi: readonly ScsiController[]; readonly devices: Devices } {
  const { range } = resource;
  const adapter = resource.get("disk_adapter_type");
  const name = textOf(adapter, "lsilogic");
  const sizes = resource.get("disk_additional_size");
  const count = sizes.kind === "null" ? 1 : isSequence(sizes) ? sizes.items.length + 1 : undefined;
  const kind = name === undefined ? undefined : ["ide", "sata", "nvme"].includes(name.toLowerCase()) ? name.toLowerCase() : "scsi";
  const card = reader.read(resource.get("network_adapter_type"), lowerCased, range);
  const nics = card.state === "absent" ? [] : [{ index: 0, type: card }];
  const adapterType = adapter.kind === "null" ? known<ScsiType>("lsilogic", range) : reader.read(adapter, scsiType, range);
  const type = typeInData(resource, reader) ?? adapterType;
  const isScsi = kind === "scsi";
  const missing = kind === undefined || count === undefined ? "the controller or unit of a disk is unknown" : undefined;
  const disks = sequence(missing === undefined ? (count ?? 0) : 0, (unit) => ({
    id: `${kind}0:${unit >= 7 && isScsi ? unit + 1 : unit}`,
    controller: `${kind}0`,
    range,
  }));
  const otherControllers: OtherController[] = kind === "ide" || kind === "sata" || kind === "nvme" ? [{ kind, bus: 0, range }] : [];
  return {
    scsi: isScsi ? [{ id: "scsi0", bus: 0, type, range }] : [],
    devices: { otherControllers, disks, nics, ...(missing !== undefined && { missing }) },
  };
}

/** Returns why settings are unknown for a source that starts from an existing .vmx, which vmlint does not read. */
function startOf(resource: ResourceInstance, isNew: boolean): string | undefined {
  if (!isNew) return "the .vmx it starts from has its own";
  return resource.get("vmx_template_path").kind === "null" ? undefined : "the template of its .vmx has its own";
}

/**
 * iso/config.go: 9 until v1.0.11, 19 in v1.1.0 and v1.2.0, then 21, "VMware ESX is not supported by the plugin as of v2.0.0"
 * (common/driver_config.go). For Workstation or Fusion, the newest release applies.
 */
const newParts = (platform: Platform, plugin: Versions) =>
  platform === "desktop" && isAtLeast(plugin, [2, 0, 0]) !== false
    ? { generator: VMWARE_PLUGIN }
    : {
        generator: {
          ...VMX_PLUGIN,
          defaults: NEW_VM,
          treats: platform === "desktop" && isAtLeast(plugin, [1, 1, 0]) ? LEAST_SINCE_1_1 : [],
        },
        inherits: {
          names: ["hardwareVersion"] as const,
          reason: `the plugin's release decides it (${platform === "unknown" ? "9, 19 or 21" : "9 or 19"})`,
        },
      };

const NEW_VM = { vcpus: 1, memoryMiB: 512 };

/** `MinimumHardwareVersion` of v1.1.0 and v1.2.0. */
const LEAST_SINCE_1_1 = [{ part: "hardwareVersion", does: "refuses", least: 13 }] as const;

/** `MinimumHardwareVersion`. */
const VMWARE_PLUGIN: GeneratorRecord = {
  name: "Packer's VMware plugin, from v2.0.0 on,",
  source: PACKER_VMWARE,
  refuses: [],
  defaults: { ...NEW_VM, hardwareVersion: 21 },
  treats: [{ part: "hardwareVersion", does: "refuses", least: 19 }],
};

/** vmx/config.go: it has no arguments for sizes. */
const VMX_PLUGIN: GeneratorRecord = {
  name: "Packer's VMware plugin",
  source: PACKER_VMWARE,
  refuses: [],
};

const vmware = (isNew: boolean): SourceType => {
  const table = isNew ? VMWARE : {};
  return {
    arguments: table,
    vm(instance, plugins) {
      const { resourceInstance: resource } = instance;
      const start = startOf(resource, isNew);
      const platform = platformOf(resource);
      return vmOf(instance, table, {
        settings: (_, reader) => ({
          ...vmxData(resource.get("vmx_data"), reader, resource.range),
          ...vmxData(resource.get("vmx_data_post"), reader, resource.range),
        }),
        ...(start === undefined
          ? newParts(platform, plugins?.get("vmware") ?? ANY_VERSION)
          : { generator: VMX_PLUGIN, inherits: { names: ALL_SETTINGS, reason: start } }),
        advanced: [resource.get("vmx_data"), resource.get("vmx_data_post")],
        scsi: (reader) => (start === undefined ? vmwareDisks(resource, reader).scsi : []),
        devices: (reader) =>
          start === undefined ? vmwareDisks(resource, reader).devices : { otherControllers: [], disks: [], nics: [], missing: start },
        alias: resource.get("vm_name"),
        problems: isNew ? ofOthers(resource, VMWARE, VSPHERE) : [],
        platform,
      });
    },
  };
};

/** The builders that make VMs, by type. */
export const SOURCE_TYPES: Readonly<Record<string, SourceType>> = {
  "vsphere-iso": { ...vsphere(true), scsi: SCSI_EDIT },
  "vsphere-clone": vsphere(false),
  "vsphere-supervisor": supervisor,
  "vmware-iso": vmware(true),
  "vmware-vmx": vmware(false),
};
