import { sequence } from "../../model/sequence.ts";
import { ABSENT, known, type Range, type Setting, unknown, valueIfKnown, withText } from "../../model/source.ts";
import type {
  Board,
  Devices,
  Disk,
  DroppedArgument,
  Hint,
  OtherController,
  PassthroughDevice,
  Provisioning,
  ScsiController,
  ScsiType,
  Settings,
} from "../../model/spec.ts";
import { isSequence, type Value } from "../../syntax/hcl/value.ts";
import { BOOL, NUMBER } from "../../syntax/hcl/value-type.ts";
import type { Read } from "../../syntax/values.ts";
import * as read from "../../syntax/values.ts";
import { readBoard } from "../board.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import type { SettingReader } from "../hcl/setting-reader.ts";
import { isAtLeast, type Versions } from "../hcl/versions.ts";
import { lowerCased, oneOf, orDefault, textOf, vmOf, wholeNumber } from "../hcl/vm-instance.ts";
import { DISKS_OF_PACKAGE, OF_IMAGE } from "../inherited.ts";
import {
  ARGUMENT_NAMES,
  BOARD_ARGUMENTS,
  CONTROLLERS,
  DEFAULT_ADAPTER,
  DEFAULT_FIRMWARE,
  DEFAULT_SCSI_TYPE,
  DEFAULTS,
  dropsNodeSize,
  lockedIfWhole,
  MOST_CONTROLLERS,
  PROVIDER,
  placeOfUnit,
  SCSI_TYPES,
} from "../vsphere-provider.ts";
import type { ResourceType } from "./resource-type.ts";

const ARGUMENTS = {
  vcpus: [ARGUMENT_NAMES.vcpus, read.count],
  coresPerSocket: [ARGUMENT_NAMES.coresPerSocket, read.natural],
  coresPerNumaNode: [ARGUMENT_NAMES.coresPerNumaNode, read.natural],
  memoryMiB: [ARGUMENT_NAMES.memoryMiB, read.count],
  hardwareVersion: [ARGUMENT_NAMES.hardwareVersion, read.count],
  guestOs: [ARGUMENT_NAMES.guestOs, read.text],
  cpuHotAdd: [ARGUMENT_NAMES.cpuHotAdd, read.bool],
  memoryHotAdd: [ARGUMENT_NAMES.memoryHotAdd, read.bool],
  latencySensitivity: [ARGUMENT_NAMES.latencySensitivity, read.latency],
  cpuReservationMHz: [ARGUMENT_NAMES.cpuReservationMHz, read.natural],
  cpuLimitMHz: [ARGUMENT_NAMES.cpuLimitMHz, read.limit],
  memoryReservationMiB: [ARGUMENT_NAMES.memoryReservationMiB, read.natural],
  memoryReservationLocked: [ARGUMENT_NAMES.memoryReservationLocked, read.bool],
  memoryLimitMiB: [ARGUMENT_NAMES.memoryLimitMiB, read.limit],
  cpuShares: [ARGUMENT_NAMES.cpuShares, read.word],
  memoryShares: [ARGUMENT_NAMES.memoryShares, read.word],
  mmuVirtualization: [ARGUMENT_NAMES.mmuVirtualization, read.virtualization],
  cpuVirtualization: [ARGUMENT_NAMES.cpuVirtualization, read.virtualization],
} as const;

const PROVIDERS = ["hashicorp/vsphere", "vmware/vsphere"];

/** Optional and not computed, without CustomizeDiff (the same file; resource_vsphere_virtual_machine.go). */
const PLANNED: ResourceType["planned"] = new Map([
  [ARGUMENT_NAMES.vcpus, NUMBER],
  [ARGUMENT_NAMES.coresPerSocket, NUMBER],
  [ARGUMENT_NAMES.memoryMiB, NUMBER],
  [ARGUMENT_NAMES.cpuHotAdd, BOOL],
  [ARGUMENT_NAMES.memoryHotAdd, BOOL],
]);

/**
 * The release with virtual topology (commit c0a3a69b): since then, 0 cores per socket means "assigned at power-on"; before, 0 was not sent.
 * It also added the node size.
 */
const TOPOLOGY_SINCE = [2, 16, 0] as const;

const isAutomatic = (provider: Versions): boolean => isAtLeast(provider, TOPOLOGY_SINCE) === true;

const knowsNodeSize = (provider: Versions): boolean => isAtLeast(provider, TOPOLOGY_SINCE) !== false;

/** The arguments for releases that read 0 cores per socket like this. */
function withZeroCores(zero: (range: Range) => Setting<"auto">) {
  const cores: Read<number | "auto"> = (text, range) => {
    const count = read.natural(text, range);
    return valueIfKnown(count) === 0 ? zero(range) : count;
  };
  return { ...ARGUMENTS, coresPerSocket: [ARGUMENTS.coresPerSocket[0], cores] as const };
}

const AUTOMATIC = withZeroCores((range) => known("auto", range));
const NOT_SENT = withZeroCores((range) =>
  unknown("0 cores per socket is automatic only from version 2.16 of the provider on: ask for that in required_providers", range),
);

export const scsiType = oneOf(SCSI_TYPES);

/** All SCSI controllers of a VM have the same type and bus sharing. */
function scsiControllers(resource: ResourceInstance, reader: SettingReader): readonly ScsiController[] {
  const { range } = resource;
  const count = wholeNumber(resource.get("scsi_controller_count"), CONTROLLERS.scsi) ?? 0;
  const type = orDefault<ScsiType>(reader.read(resource.get("scsi_type"), scsiType, range), DEFAULT_SCSI_TYPE, range);
  const shared = read.sharing(reader.read(resource.get("scsi_bus_sharing"), known, range));
  return sequence(Math.min(count, MOST_CONTROLLERS), (bus) => ({ id: `scsi${bus}`, bus, type, ...shared, range }));
}

/** Returns the controller of a disk; `undefined` if it is unknown. */
function placeOf(disk: ResourceInstance): Pick<Disk, "id" | "controller"> | undefined {
  const address = /^(scsi|sata|ide|nvme):(\d+):(\d+)$/.exec(textOf(disk.get("device_address"), "") ?? "");
  // A state has the address from vCenter.
  if (address) return { id: `${address[1]}${address[2]}:${address[3]}`, controller: `${address[1]}${address[2]}` };
  const kind = textOf(disk.get("controller_type"), "scsi");
  const unitNumber = wholeNumber(disk.get("unit_number"), 0);
  return kind === undefined || unitNumber === undefined ? undefined : placeOfUnit(kind, unitNumber);
}

/** Thin by default; eagerly zeroed only if that is also set. */
function provisioningOf(disk: ResourceInstance, reader: SettingReader): Setting<Provisioning> {
  const thin = orDefault(reader.read(disk.get("thin_provisioned"), read.bool, disk.range), true, disk.range);
  if (thin.state !== "known") return thin;
  if (thin.value) return known("thin", thin.range);
  const eager = orDefault(reader.read(disk.get("eagerly_scrub"), read.bool, disk.range), false, disk.range);
  return eager.state === "known" ? known(eager.value ? "eager" : "lazy", thin.range) : eager;
}

/** Whether a template may be an item of a content library. An unknown id belongs to a VM if the other arguments require one. */
function mayBeOfLibrary(clone: ResourceInstance): boolean {
  const template = clone.get("template_uuid");
  return template.kind === "unknown" && !/^(data\.)?vsphere_virtual_machine$/.test(template.resource ?? "");
}

function devices(resource: ResourceInstance, reader: SettingReader): Devices {
  const { range } = resource;
  const [cloned, deployed] = [resource.blocks("clone"), resource.blocks("ovf_deploy")];
  const disks: Disk[] = [];
  const blocks = resource.blocks("disk");
  let missing = blocks.missing;
  for (const disk of blocks.items) {
    const place = placeOf(disk);
    if (place) disks.push({ id: place.id, controller: place.controller, range: disk.range, provisioning: provisioningOf(disk, reader) });
    else missing ??= "the controller or unit of a disk is unknown";
  }
  missing ??= resource.keeps?.("disk");
  // The provider requires a block for each disk of a template, but not for disks of a package or a content library item (DiskDiffOperation,
  // DiskPostCloneOperation; resourceVSphereVirtualMachineCustomizeDiff, isContentLibraryItem).
  if (deployed.items.length > 0 || cloned.items.some(mayBeOfLibrary)) missing ??= DISKS_OF_PACKAGE;
  missing ??= deployed.missing;
  const otherControllers: OtherController[] = [];
  for (const kind of ["ide", "nvme", "sata"] as const) {
    const count = wholeNumber(resource.get(`${kind}_controller_count`), CONTROLLERS[kind]);
    if (count === undefined) missing ??= `the number of ${kind} controllers is not known`;
    for (let bus = 0; bus < Math.min(count ?? 0, MOST_CONTROLLERS); bus++) otherControllers.push({ kind, bus, range });
  }
  const cards = resource.blocks("network_interface");
  const nics = cards.items.map((nic, index) => ({
    index,
    type: orDefault(reader.read(nic.get("adapter_type"), lowerCased, nic.range), DEFAULT_ADAPTER, nic.range),
  }));
  const cardsById = cards.missing === undefined ? passthroughOf(resource) : undefined;
  // Devices of a template stay: the provider only removes devices that were listed before (PciPassthroughPostCloneOperation).
  const isNew = [cloned, deployed].every((blocks) => blocks.items.length === 0 && blocks.missing === undefined);
  const passthrough = !isNew && cardsById?.length === 0 ? undefined : cardsById;
  return { otherControllers, disks, nics, ...(passthrough && { passthrough }), ...(missing !== undefined && { missing }) };
}

/** The default of `firmware` is sent. A clone keeps the other parts of its template (resource_vsphere_virtual_machine.go, vtpm). */
function board(resource: ResourceInstance, reader: SettingReader): Board {
  const { range } = resource;
  const isNew = [resource.blocks("clone"), resource.blocks("ovf_deploy")].every(({ items, missing }) => items.length === 0 && !missing);
  const [tpm] = resource.blocks("vtpm").items;
  return readBoard(({ read: readValue }, name) => {
    if (name === "tpm" && tpm) return known(true, tpm.range);
    const argument = BOARD_ARGUMENTS[name];
    if (argument === undefined) return undefined;
    const setting = reader.read(resource.get(argument), readValue, range);
    if (setting.state !== "absent") return setting;
    return name === "firmware" ? known(DEFAULT_FIRMWARE, range) : isNew ? setting : undefined;
  });
}

/** Returns names and notes as hints for the workload. */
function hints(resource: ResourceInstance): readonly Hint[] {
  const of = (kind: string, value: Value): readonly Hint[] => (value.kind === "string" ? [{ kind, text: value.value }] : []);
  const disks = resource.blocks("disk").items.flatMap((disk) => of("disk", disk.get("label")));
  return [...disks, ...of("folder", resource.get("folder")), ...of("note", resource.get("annotation"))];
}

/** Returns the passthrough devices; `undefined` if their number is unknown. */
function passthroughOf(resource: ResourceInstance): readonly PassthroughDevice[] | undefined {
  const ids = resource.get("pci_device_id");
  if (ids.kind === "null") return [];
  return isSequence(ids)
    ? ids.items.map((_, at) => ({ id: `pciPassthru${at}`, range: resource.range, kind: "fixed" as const }))
    : undefined;
}

/** Adjusts settings that depend on each other, as the provider does. */
function settle(settings: Partial<Settings>, provider: Versions): Partial<Settings> {
  const {
    memoryReservationLocked: locked = ABSENT,
    memoryMiB = ABSENT,
    memoryReservationMiB = ABSENT,
    hardwareVersion = ABSENT,
  } = settings;
  const changed: { memoryReservationLocked?: Setting<boolean>; coresPerNumaNode?: Setting<number> } = {};
  if (valueIfKnown(locked) === true)
    changed.memoryReservationLocked = lockedIfWhole(locked, memoryMiB, memoryReservationMiB, ARGUMENT_NAMES.memoryReservationMiB);
  if (dropsNodeSize(hardwareVersion) || !knowsNodeSize(provider)) changed.coresPerNumaNode = ABSENT;
  return changed;
}

/** Returns the arguments that the provider refuses or silently does not send (the same file, expandVirtualMachineConfigSpec). */
function dropped(
  { coresPerNumaNode, hardwareVersion, memoryReservationLocked, memoryMiB, memoryReservationMiB }: Settings,
  provider: Versions,
): readonly DroppedArgument[] {
  const dropped: DroppedArgument[] = [];
  const isOld = !knowsNodeSize(provider);
  if (coresPerNumaNode.state === "known" && (isOld || dropsNodeSize(hardwareVersion)) && coresPerNumaNode.value > 0) {
    const { value, range } = coresPerNumaNode;
    const because = isOld ? { release: TOPOLOGY_SINCE.join(".") } : { hardwareVersion: valueIfKnown(hardwareVersion) };
    dropped.push({ argument: ARGUMENTS.coresPerNumaNode[0], value: String(value), range, because });
  }
  if (memoryReservationLocked.state !== "known" || !memoryReservationLocked.value) return dropped;
  const memory = valueOr(memoryMiB, DEFAULTS.memoryMiB);
  const reservation = valueOr(memoryReservationMiB, DEFAULTS.memoryReservationMiB);
  if (memory === undefined || reservation === undefined || memory === reservation) return dropped;
  const because = { memoryMiB: memory, reservationMiB: reservation };
  dropped.push({ argument: ARGUMENTS.memoryReservationLocked[0], value: "true", range: memoryReservationLocked.range, because });
  return dropped;
}

/** `undefined` if it is unknown. */
const valueOr = <T>(setting: Setting<T>, fallback: T | undefined): T | undefined =>
  setting.state === "absent" ? fallback : valueIfKnown(setting);

export const vsphereVirtualMachine: ResourceType = {
  providers: PROVIDERS,
  arguments: ARGUMENTS,
  scsi: { argument: "scsi_type", names: { pvscsi: "pvscsi", lsilogic: "lsilogic", lsisas1068: "lsilogic-sas", buslogic: "buslogic" } },
  planned: PLANNED,
  automatic: (provider) => (isAutomatic(provider) ? "0" : undefined),
  vm(instance, provider) {
    const { resourceInstance: resource } = instance;
    const power = resource.get("power_state");
    return vmOf(instance, isAutomatic(provider) ? AUTOMATIC : NOT_SENT, {
      settings: (settings) => settle(settings, provider),
      generator: PROVIDER,
      list: "extra_config",
      boardArguments: { ...BOARD_ARGUMENTS, tpm: "vtpm" },
      dropped: (settings) => dropped(settings, provider),
      extraConfig: resource.get("extra_config"),
      scsi: (reader) => scsiControllers(resource, reader),
      devices: (reader) => devices(resource, reader),
      board: (reader) => board(resource, reader),
      alias: resource.get("name"),
      hints: () => hints(resource),
      // Set from vCenter's config.uuid (flattenVirtualMachineConfigInfo).
      biosUuid: resource.get("uuid"),
      // Computed, so an unknown power state is not a choice of the author.
      ...(power.kind === "string" && { power }),
      // Set from vCenter's runtime.host (resourceVSphereVirtualMachineRead).
      host: resource.get("host_system_id"),
      cluster: resource.get("resource_pool_id"),
    });
  },
};

const CLASS = {
  vcpus: ["cpus", read.count],
  memoryMiB: ["memory", read.count],
} as const;

/** A VM class of vSphere with Tanzu, with reservations in per cent (resource_vsphere_virtual_machine_class.go). */
export const vsphereVirtualMachineClass: ResourceType = {
  providers: PROVIDERS,
  arguments: CLASS,
  vm(instance) {
    const { resourceInstance: resource } = instance;
    const percent = resource.get("memory_reservation");
    return vmOf(instance, CLASS, {
      inherits: { names: ["coresPerSocket", "cpuHotAdd"], reason: OF_IMAGE },
      settings({ memoryMiB }, reader) {
        const share = withText(reader.read(percent, read.natural, resource.range), { key: "memory_reservation" });
        if (share.state !== "known") return { memoryReservationMiB: share };
        if (memoryMiB.state === "unknown") return { memoryReservationMiB: unknown(memoryMiB.reason, share.range) };
        return memoryMiB.state === "known"
          ? { memoryReservationMiB: known(Math.floor((memoryMiB.value * share.value) / 100), share.range) }
          : {};
      },
      alias: resource.get("name"),
    });
  },
};
