import { ABSENT, known, type Setting, unknown } from "../../model/source.ts";
import type { Devices, Disk, OtherController, Platform, ScsiController, ScsiType, SettingName, Settings } from "../../model/spec.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import { listOf, STRING } from "../../syntax/hcl/type.ts";
import { isMapping, isSequence, type Value } from "../../syntax/hcl/value.ts";
import type { Read } from "../../syntax/values.ts";
import * as read from "../../syntax/values.ts";
import type { Arguments, SettingReader } from "../hcl/reader.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { type Instanced, lowerCased, oneOf, type ReadResource, textOf, vmOf, wholeNumber } from "../hcl/vm.ts";
import { ALL_SETTINGS, DISKS_OF_TEMPLATE, INHERITED, OF_TEMPLATE } from "../inherited.ts";
import { VMX_SPELLINGS } from "../vmx/keys.ts";

/** A builder that makes a VM. */
export interface SourceType {
  readonly arguments: Arguments;
  readonly scsi?: { readonly names: Readonly<Record<ScsiType, string>> };
  readonly vm: (instance: Instanced) => ReadResource;
}

/** 0 is "not sent" in every number of these plugins. */
const orNothing =
  <T>(reader: Read<T>): Read<T> =>
  (text, range) =>
    /^0+$/.test(text) ? ABSENT : reader(text, range);

/** An empty text is as good as none (`GuestOSType == ""` in both plugins). */
const words: Read<string> = (text, range) => (text === "" ? ABSENT : known(text, range));

/** A flag that is sent where it is true alone. */
const onlyTrue: Read<boolean> = (text, range) => {
  const flag = read.bool(text, range);
  return flag.state === "known" && !flag.value ? ABSENT : flag;
};

/** packer-plugin-vsphere, builder/vsphere/common: the names are its own. What is 0 or false is not sent (driver/vm.go, Configure). */
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

/** Of a clone, what is not sent stays the template's. */
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
  // The plugin hands the kind alone on to govmomi, which makes LSI Logic of it.
  scsi: "lsilogic",
};
const scsiType = oneOf(SCSI_TYPES, "SCSI controller type");

interface Controllers {
  readonly scsi: readonly ScsiController[];
  readonly others: readonly OtherController[];
  /** The controllers in the order of the list, by the index that a disk names. */
  readonly ids: readonly string[];
  readonly missing?: string;
}

/**
 * `disk_controller_type` lists one type for each controller; an empty list is one LSI Logic (a new VM alone). A text in its place is
 * refused (hcldec, AttrSpec).
 */
function controllers(written: ResourceInstance, reader: SettingReader, isNew: boolean): Controllers {
  const { range } = written;
  const listed = convert(written.get("disk_controller_type"), listOf(STRING));
  const items = isSequence(listed) ? listed.items : [];
  if (listed.kind === "unknown" || (items.length === 0 && !isNew)) {
    return { scsi: [], others: [], ids: [], missing: listed.kind === "unknown" ? listed.reason : DISKS_OF_TEMPLATE };
  }
  if (items.length === 0) return { scsi: [{ id: "scsi0", bus: 0, type: known("lsilogic", range), range }], others: [], ids: ["scsi0"] };
  const scsi: ScsiController[] = [];
  const others: OtherController[] = [];
  const ids = items.map((item) => {
    const kind = item.kind === "string" ? item.value : "";
    if (kind === "nvme" || kind === "sata") {
      const bus = others.filter((other) => other.kind === kind).length;
      others.push({ kind, bus, range });
      return `${kind}${bus}`;
    }
    const id = `scsi${scsi.length}`;
    scsi.push({ id, bus: scsi.length, type: reader.read(item, scsiType, range), range });
    return id;
  });
  return { scsi, others, ids };
}

function vsphereDevices(written: ResourceInstance, reader: SettingReader, isNew: boolean): Devices {
  const { others, ids, missing: unclear } = controllers(written, reader, isNew);
  const disks: Disk[] = [];
  const next = new Map<string, number>();
  const storage = written.blocks("storage");
  let missing = unclear ?? storage.missing ?? (isNew ? undefined : DISKS_OF_TEMPLATE);
  for (const block of storage.items) {
    const index = wholeNumber(block.get("disk_controller_index"), 0);
    const controller = index === undefined ? undefined : ids[index];
    if (controller === undefined) missing ??= "the controller of a disk is not known";
    else {
      // The next free unit; the seventh is the SCSI controller's own.
      const unit = next.get(controller) ?? 0;
      next.set(controller, unit === 6 && controller.startsWith("scsi") ? 8 : unit + 1);
      disks.push({ id: `${controller}:${unit}`, controller, range: block.range });
    }
  }
  const nics = written.blocks("network_adapters").items.map((nic, index) => ({
    index,
    type: reader.read(nic.get("network_card"), lowerCased, nic.range),
  }));
  return { otherControllers: others, disks, nics, ...(missing !== undefined && { missing }) };
}

/** A list of types is changed, never made. */
const SCSI_EDIT = {
  names: { pvscsi: "pvscsi", lsilogic: "lsilogic", lsisas1068: "lsilogic-sas", buslogic: "buslogic" },
} as const;

const vsphere = (isNew: boolean): SourceType => ({
  arguments: isNew ? VSPHERE : CLONED,
  vm(instance) {
    const { written } = instance;
    return vmOf(instance, isNew ? VSPHERE : CLONED, {
      ...(isNew ? { defaults: { cpuHotAdd: false, memoryHotAdd: false } } : { inherits: { names: INHERITED, reason: OF_TEMPLATE } }),
      extraConfig: written.get("configuration_parameters"),
      scsi: (reader) => controllers(written, reader, isNew).scsi,
      devices: (reader) => vsphereDevices(written, reader, isNew),
      alias: written.get("vm_name"),
    });
  },
});

/** Only the class and the image are named there: the size is theirs. */
const supervisor: SourceType = {
  arguments: {},
  vm: (instance) =>
    vmOf(
      instance,
      {},
      { inherits: { names: ALL_SETTINGS, reason: "it is the class's or the image's" }, alias: instance.written.get("source_name") },
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

/** The keys of a .vmx that `vmx_data` sets, over what the arguments say. */
function vmxData(value: Value, reader: SettingReader, range: ResourceInstance["range"]): Partial<Settings> {
  if (value.kind === "null") return {};
  if (!isMapping(value)) {
    const setting = unknown(value.kind === "unknown" ? value.reason : "it is not a map", range);
    return Object.fromEntries(VMX_SPELLINGS.map(({ name }) => [name, setting]));
  }
  const byKey = new Map([...value.entries].map(([key, item]) => [key.toLowerCase(), item]));
  const found: Partial<Record<SettingName, Setting<unknown>>> = {};
  for (const { name, lower, read: readValue } of VMX_SPELLINGS) {
    const item = byKey.get(lower);
    if (item && item.kind !== "null") found[name] = reader.read(item, readValue, range);
  }
  return found as Partial<Settings>;
}

/** Built on an ESXi host where a remote type says so, else by Workstation or Fusion. */
function platformOf(written: ResourceInstance): Platform {
  const remote = textOf(written.get("remote_type"), "");
  return remote === undefined ? "unknown" : remote === "" ? "desktop" : "esxi";
}

/** The type of the first controller where the keys of a .vmx set it anew, or may. */
function typeInData(written: ResourceInstance, reader: SettingReader): Setting<ScsiType> | undefined {
  for (const name of ["vmx_data_post", "vmx_data"]) {
    const data = written.get(name);
    if (data.kind === "unknown") return unknown(data.reason, written.range);
    const entry = isMapping(data) ? [...data.entries].find(([key]) => key.toLowerCase() === "scsi0.virtualdev") : undefined;
    if (entry) return reader.read(entry[1], scsiType, written.range);
  }
  return undefined;
}

function vmwareDisks(
  written: ResourceInstance,
  reader: SettingReader,
): { readonly scsi: readonly ScsiController[]; readonly devices: Devices } {
  const { range } = written;
  const adapter = written.get("disk_adapter_type");
  const name = textOf(adapter, "lsilogic");
  const more = written.get("disk_additional_size");
  const count = more.kind === "null" ? 1 : isSequence(more) ? more.items.length + 1 : undefined;
  const kind = name === undefined ? undefined : ["ide", "sata", "nvme"].includes(name.toLowerCase()) ? name.toLowerCase() : "scsi";
  const card = reader.read(written.get("network_adapter_type"), lowerCased, range);
  const nics = card.state === "absent" ? [] : [{ index: 0, type: card }];
  const stated = adapter.kind === "null" ? known<ScsiType>("lsilogic", range) : reader.read(adapter, scsiType, range);
  const type = typeInData(written, reader) ?? stated;
  const isScsi = kind === "scsi";
  const missing = kind === undefined || count === undefined ? "the place of a disk is not known" : undefined;
  const disks = Array.from({ length: missing === undefined ? (count ?? 0) : 0 }, (_, unit) => ({
    id: `${kind}0:${unit >= 7 && isScsi ? unit + 1 : unit}`,
    controller: `${kind}0`,
    range,
  }));
  const others: OtherController[] = kind === "ide" || kind === "sata" || kind === "nvme" ? [{ kind, bus: 0, range }] : [];
  return {
    scsi: isScsi ? [{ id: "scsi0", bus: 0, type, range }] : [],
    devices: { otherControllers: others, disks, nics, ...(missing !== undefined && { missing }) },
  };
}

/** Where a .vmx is from that a source only changes: it has all it says, and it is not read. */
function startOf(written: ResourceInstance, isNew: boolean): string | undefined {
  if (!isNew) return "the .vmx it starts from has its own";
  return written.get("vmx_template_path").kind === "null" ? undefined : "the template of its .vmx has its own";
}

/**
 * iso/config.go: 9 until v1.0.11, 19 in v1.1.0 and v1.2.0, then 21, "VMware ESX is not supported by the plugin as of v2.0.0"
 * (common/driver_config.go). Of releases that build on Workstation or Fusion the newest counts.
 */
const newParts = (platform: Platform) =>
  platform === "desktop"
    ? { defaults: { ...NEW_VM, hardwareVersion: 21 } }
    : {
        defaults: NEW_VM,
        inherits: {
          names: ["hardwareVersion"] as const,
          reason: `the plugin's release decides it (${platform === "esxi" ? "9 or 19" : "9, 19 or 21"})`,
        },
      };

const NEW_VM = { vcpus: 1, memoryMiB: 512 };

const vmware = (isNew: boolean): SourceType => {
  const table = isNew ? VMWARE : {};
  return {
    arguments: table,
    vm(instance) {
      const { written } = instance;
      const start = startOf(written, isNew);
      const platform = platformOf(written);
      return vmOf(instance, table, {
        settings: (_, reader) => ({
          ...vmxData(written.get("vmx_data"), reader, written.range),
          ...vmxData(written.get("vmx_data_post"), reader, written.range),
        }),
        ...(start === undefined ? newParts(platform) : { inherits: { names: ALL_SETTINGS, reason: start } }),
        advanced: [written.get("vmx_data"), written.get("vmx_data_post")],
        scsi: (reader) => (start === undefined ? vmwareDisks(written, reader).scsi : []),
        devices: (reader) =>
          start === undefined ? vmwareDisks(written, reader).devices : { otherControllers: [], disks: [], nics: [], missing: start },
        alias: written.get("vm_name"),
        platform,
      });
    },
  };
};

/** The builders whose VMs are described, by their type. */
export const SOURCE_TYPES: Readonly<Record<string, SourceType>> = {
  "vsphere-iso": { ...vsphere(true), scsi: SCSI_EDIT },
  "vsphere-clone": vsphere(false),
  "vsphere-supervisor": supervisor,
  "vmware-iso": vmware(true),
  "vmware-vmx": vmware(false),
};
