import { ABSENT, known, mistyped, type Range, type Setting, unknown } from "../../model/source.ts";
import type { Devices, Disk, Nic, OtherController, PassthroughDevice, Provisioning, ScsiController, ScsiType } from "../../model/spec.ts";
import { type DataNode, settingOf } from "../../syntax/node.ts";
import { sharing } from "../../syntax/values.ts";
import { pciModel } from "../vmx/devices.ts";
import { member } from "./member.ts";

/** API type names of SCSI controllers. */
const SCSI_TYPES: ReadonlyMap<string, ScsiType> = new Map(
  Object.entries({
    ParaVirtualSCSIController: "pvscsi",
    VirtualLsiLogicController: "lsilogic",
    VirtualLsiLogicSASController: "lsisas1068",
    VirtualBusLogicController: "buslogic",
  } as const),
);

/**
 * Texts of `deviceInfo.summary` for SCSI controllers, because `govc vm.info -json` omits the types (vCenter's words in govmomi's captured
 * vim25/types/testdata and in the documentation of community.vmware's vmware_guest_controller).
 */
export const SCSI_SUMMARIES: ReadonlyMap<string, ScsiType> = new Map(
  Object.entries({
    "VMware paravirtual SCSI": "pvscsi",
    "LSI Logic": "lsilogic",
    "LSI Logic SAS": "lsisas1068",
  } as const),
);

const OTHER_TYPES: ReadonlyMap<string, OtherController["kind"]> = new Map(
  Object.entries({
    VirtualNVMEController: "nvme",
    VirtualAHCIController: "sata",
    VirtualSATAController: "sata",
    VirtualIDEController: "ide",
  } as const),
);

/** Labels for devices without a type, as vCenter and vcsim write them. */
const OTHER_LABELS: readonly (readonly [RegExp, OtherController["kind"]])[] = [
  [/^nvme/i, "nvme"],
  [/^(?:sata|ahci)/i, "sata"],
  [/^ide/i, "ide"],
];

/** Network adapters in the words of a .vmx (API type names: govmomi, vim25/types). */
const NIC_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    VirtualVmxnet3: "vmxnet3",
    VirtualVmxnet3Vrdma: "vrdma",
    VirtualVmxnet2: "vmxnet",
    VirtualVmxnet: "vmxnet",
    VirtualE1000: "e1000",
    VirtualE1000e: "e1000e",
    VirtualPCNet32: "vlance",
    VirtualSriovEthernetCard: "sriov",
  } as const),
);

interface Device {
  readonly node: DataNode;
  /** Undefined if the writer omitted it. */
  readonly type: DataNode | undefined;
  readonly label: string;
  readonly summary: DataNode | undefined;
}

/** `type` as in `govc device.info -json`. */
const deviceOf = (node: DataNode): Device => {
  const info = member(node, "deviceInfo");
  return {
    node,
    type: node.get("_typeName") ?? member(node, "type"),
    label: member(info, "label")?.text ?? "",
    summary: member(info, "summary"),
  };
};

const number = (node: DataNode, key: string): number | undefined => {
  const text = member(node, key)?.text;
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

const place = (node: DataNode, key: string): Range => (member(node, key) ?? node).range;

/** Only SCSI controllers have a unit number of their own on their bus. */
const isScsi = ({ node, type }: Device): boolean =>
  type
    ? /SCSIController$|^Virtual(?:LsiLogic|BusLogic).*Controller$/.test(type.text ?? "")
    : member(node, "scsiCtlrUnitNumber") !== undefined;

function otherKind({ node, type, label }: Device): OtherController["kind"] | undefined {
  if (type) return OTHER_TYPES.get(type.text ?? "");
  if (member(node, "busNumber") === undefined) return undefined;
  return OTHER_LABELS.find(([pattern]) => pattern.test(label))?.[1];
}

const isDisk = ({ node, type }: Device): boolean =>
  type ? type.text === "VirtualDisk" : member(node, "capacityInKB") !== undefined && member(node, "controllerKey") !== undefined;

const isNic = ({ node, type }: Device): boolean =>
  type ? NIC_TYPES.has(type.text ?? "") : member(node, "macAddress") !== undefined || member(node, "addressType") !== undefined;

/**
 * Whether the VM has the device after an operation: "If no operation is specified, the spec. is ignored", and for a change the device is
 * given "with all necessary properties set" (govmomi, VirtualDeviceConfigSpec).
 */
export const isKept = (operation: string | undefined): boolean => operation === "add" || operation === "edit";

/** The API's name for a type of SCSI controller. */
export const scsiTypeName = (type: ScsiType): string | undefined => [...SCSI_TYPES].find(([, value]) => value === type)?.[0];

export function readScsiControllers(nodes: readonly DataNode[]): readonly ScsiController[] {
  return nodes.map(deviceOf).flatMap((device): ScsiController[] => {
    const bus = isScsi(device) ? number(device.node, "busNumber") : undefined;
    if (bus === undefined) return [];
    const shared = sharing(settingOf(member(device.node, "sharedBus"), known));
    return [{ id: `scsi${bus}`, bus, type: scsiType(device), ...shared, range: place(device.node, "busNumber") }];
  });
}

function scsiType({ node, type, summary }: Device): Setting<ScsiType> {
  const label = type ?? summary;
  const value = (type ? SCSI_TYPES : SCSI_SUMMARIES).get(label?.text ?? "");
  if (label && value) return known(value, label.range);
  const reason = type ? `"${type.text}" is not a known SCSI controller` : "the inventory does not state its type";
  return unknown(reason, label?.range ?? place(node, "busNumber"));
}

/**
 * An existing thick disk without eager scrubbing is lazily zeroed if the server reports it; for a new disk "the disk scrubbing policy will
 * be decided by the filesystem" (govmomi, VirtualDiskFlatVer2BackingInfo).
 */
function provisioningOf(backing: DataNode | undefined, info: boolean): Setting<Provisioning> {
  const [thin, eager] = [member(backing, "thinProvisioned"), member(backing, "eagerlyScrub")];
  if (!thin) return ABSENT;
  if (thin.text === "true") return known("thin", thin.range);
  if (thin.text !== "false") return mistyped("true or false", thin.range);
  if (eager?.text === "true") return known("eager", eager.range);
  if (info && eager?.text === "false") return known("lazy", eager.range);
  return unknown("it does not say when it is zeroed", thin.range);
}

/** Returns the passthrough devices, if each device has its type. */
function passthroughIn(devices: readonly Device[]): readonly PassthroughDevice[] | undefined {
  if (devices.length === 0 || devices.some(({ type }) => !type)) return undefined;
  const found = devices.flatMap(({ node, type }) =>
    type && /^VirtualPCIPassthrough$|^VirtualSriovEthernetCard$/.test(type.text ?? "") ? [{ node, type }] : [],
  );
  return found.map(({ node, type }, i) => ({ id: `pciPassthru${i}`, range: type.range, ...hostDevice(node, type.text) }));
}

/** The backing of a host device (govmomi, VirtualPCIPassthrough*BackingInfo): device ids are text in hexadecimal, others numbers. */
function hostDevice(node: DataNode, type: string | undefined): Pick<PassthroughDevice, "kind" | "model"> {
  if (type === "VirtualSriovEthernetCard") return { kind: "sriov" };
  const backing = member(node, "backing");
  const vgpu = member(backing, "vgpu")?.text;
  if (vgpu) return { kind: "vgpu", model: vgpu };
  const [allowed] = member(backing, "allowedDevice")?.items() ?? [];
  if (allowed) return { kind: "dynamic", ...pciModel(inHex(member(allowed, "vendorId")?.text), inHex(member(allowed, "deviceId")?.text)) };
  const device = member(backing, "deviceId")?.text;
  return device === undefined ? {} : { kind: "fixed", ...pciModel(inHex(member(backing, "vendorId")?.text), device) };
}

/** A decimal number of 16 bits, with a sign in the API's own type. */
const inHex = (text: string | undefined): string | undefined =>
  text !== undefined && /^-?\d{1,5}$/.test(text) ? (Number(text) & 0xffff).toString(16) : undefined;

/** Whether the list has a device of a type. */
export const deviceOfType = (nodes: readonly DataNode[], name: string): DataNode | undefined =>
  nodes.map(deviceOf).find(({ type }) => type?.text === name)?.type;

/** `info`: the VM has the devices, rather than a request for them. */
export function readDevices(nodes: readonly DataNode[], info = false): Devices {
  const devices = nodes.map(deviceOf);
  const otherControllers: OtherController[] = [];
  /** `scsi0` by the key in the controller field of disks. */
  const controllers = new Map<string, string>();
  for (const device of devices) {
    const bus = number(device.node, "busNumber");
    if (bus === undefined) continue;
    const kind = otherKind(device);
    const key = member(device.node, "key")?.text ?? "";
    if (isScsi(device)) controllers.set(key, `scsi${bus}`);
    else if (kind) {
      controllers.set(key, `${kind}${bus}`);
      otherControllers.push({ kind, bus, range: device.type?.range ?? place(device.node, "busNumber") });
    }
  }
  const diskDevices = devices.filter(isDisk);
  const disks = diskDevices.flatMap(({ node }): Disk[] => {
    const controller = controllers.get(member(node, "controllerKey")?.text ?? "");
    const unit = number(node, "unitNumber");
    if (controller === undefined || unit === undefined) return [];
    const ioFilters = (member(node, "iofilter")?.items() ?? []).flatMap(({ text }) => text ?? []);
    return [
      {
        id: `${controller}:${unit}`,
        controller,
        range: place(node, "unitNumber"),
        provisioning: provisioningOf(member(node, "backing"), info),
        ...(ioFilters.length > 0 && { ioFilters }),
      },
    ];
  });
  const nics = devices.filter(isNic).map(({ node, type }, index): Nic => {
    const value = NIC_TYPES.get(type?.text ?? "");
    return {
      index,
      type: type && value ? known(value, type.range) : unknown("the inventory does not state its type", place(node, "macAddress")),
    };
  });
  otherControllers.sort((a, b) => (a.kind === b.kind ? a.bus - b.bus : a.kind < b.kind ? -1 : 1));
  const passthrough = passthroughIn(devices);
  // Its controller is not in the list.
  const missing = disks.length < diskDevices.length ? "the controller or unit of a disk is unknown" : undefined;
  return { otherControllers, disks, nics, ...(passthrough && { passthrough }), ...(missing !== undefined && { missing }) };
}
