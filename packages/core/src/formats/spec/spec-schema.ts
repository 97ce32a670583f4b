import * as z from "zod/mini";
import { SPEC_SETTINGS } from "../../model/spec.ts";
import { VERSIONS } from "../../model/workload.ts";
import { type Docs, jsonSchemaOf } from "../../syntax/json-schema.ts";
import { SCSI_TYPES } from "../vmx/devices.ts";
import { keyDoc } from "../vmx/key-docs.ts";
import { VMX_KEYS } from "../vmx/keys.ts";
import { WORKLOAD_DOCS } from "../workload-docs.ts";
import { workloadShape } from "../workload-schema.ts";
import { API_VERSION } from "./read-specs.ts";

/** A value, or the text a template leaves for it. */
const or = <T extends z.ZodMiniType>(value: T) => z.optional(z.union([value, z.string().check(z.regex(/\{\{|\{%|\$\{|\$\(|<</))]));

const count = or(z.number().check(z.int(), z.positive()));
const natural = or(z.number().check(z.int(), z.nonnegative()));
const limit = or(z.union([z.number().check(z.int(), z.nonnegative()), z.literal("unlimited")]));
const flag = or(z.boolean());
const numbers = z.union([z.array(z.number().check(z.int(), z.nonnegative())), z.string()]);
const bus = z.number().check(z.int(), z.nonnegative());

const settings = {
  vcpus: count,
  coresPerSocket: or(z.union([z.number().check(z.int(), z.positive()), z.literal("auto")])),
  coresPerNumaNode: natural,
  threadsPerCore: count,
  memoryMiB: count,
  hardwareVersion: count,
  guestOs: z.optional(z.string()),
  cpuHotAdd: flag,
  memoryHotAdd: flag,
  latencySensitivity: or(z.enum(["low", "normal", "medium", "high"])),
  cpuAffinity: z.optional(numbers),
  numaNodeAffinity: z.optional(numbers),
  cpuReservationMHz: natural,
  cpuLimitMHz: limit,
  memoryReservationMiB: natural,
  memoryReservationLocked: flag,
  memoryLimitMiB: limit,
} satisfies Record<(typeof SPEC_SETTINGS)[number], z.ZodMiniType>;

const spec = z.strictObject({
  ...settings,
  scsiControllers: z.optional(z.array(z.strictObject({ bus, type: or(z.enum(Object.keys(SCSI_TYPES))) }))),
  otherControllers: z.optional(z.array(z.strictObject({ kind: z.enum(["nvme", "sata", "ide"]), bus }))),
  disks: z.optional(
    z.array(
      z.strictObject({ bus: z.string(), provisioning: or(z.enum(["thin", "lazy", "eager"])), ioFilters: z.optional(z.array(z.string())) }),
    ),
  ),
  nics: z.optional(z.array(z.strictObject({ index: z.optional(bus), type: z.optional(z.string()) }))),
  passthrough: z.optional(z.array(z.strictObject({ id: z.optional(z.string()) }))),
  advanced: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
});

const workload = z.strictObject({ ...workloadShape, version: z.optional(z.union([z.enum(VERSIONS), z.number()])) });
const hostName = z.string();

const vm = {
  metadata: z.optional(
    z.strictObject({
      name: z.optional(z.string()),
      labels: z.optional(z.record(z.string(), z.unknown())),
      annotations: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
  host: z.optional(hostName),
  workload: z.optional(workload),
  spec,
};

const VM_DOCS: Docs & Readonly<Record<keyof typeof vm, string>> = {
  apiVersion: "Marks the file as a VM spec of vmlint.",
  kind: "VirtualMachine, or VirtualMachineList with items.",
  metadata: "The name of the VM, and labels and annotations that vmlint leaves alone.",
  host: "The host the VM is checked against: of vmlint.yaml, a built-in one, or a short form such as 4x10x2:1024@5.5.",
  workload: "The workload of the VM.",
  spec: "The settings of the VM.",
  items: "The VMs.",
};

/** A setting has the meaning of the .vmx key with its name. */
export const SETTING_DOCS = Object.fromEntries(SPEC_SETTINGS.map((name) => [name, keyDoc(VMX_KEYS[name][0])?.meaning ?? ""])) as Record<
  keyof typeof settings,
  string
>;

const SPEC_DOCS: Docs & Readonly<Record<keyof typeof spec.shape, string>> = {
  ...SETTING_DOCS,
  scsiControllers: "SCSI controllers, by bus and type.",
  otherControllers: "NVMe, SATA and IDE controllers, by bus.",
  disks: "Disks, by the controller and unit they are attached to: scsi0:0.",
  nics: "Network adapters.",
  passthrough: "Devices of the host that the VM uses directly.",
  advanced: "Any other setting, by its key in a .vmx file.",
};

const apiVersion = z.literal(API_VERSION);
const specObject = z.strictObject({ apiVersion, kind: z.literal("VirtualMachine"), ...vm });
const item = z.strictObject({ apiVersion: z.optional(apiVersion), kind: z.optional(z.literal("VirtualMachine")), ...vm });
const list = z.strictObject({ apiVersion, kind: z.literal("VirtualMachineList"), items: z.array(item) });

/** JSON Schema of a VM spec, for editors: `# yaml-language-server: $schema=...`. */
export const specSchema: unknown = jsonSchemaOf(z.union([specObject, list]), {
  names: { hostName },
  docs: new Map<unknown, Docs>([
    [spec, SPEC_DOCS],
    [workload, WORKLOAD_DOCS],
    ...[specObject, item, list].map((schema) => [schema, VM_DOCS] as const),
  ]),
});
