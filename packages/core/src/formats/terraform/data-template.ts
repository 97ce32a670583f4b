import type { Setting } from "../../model/source.ts";
import type { NamedTemplate, SettingName, VmSpec } from "../../model/spec.ts";
import {
  boolValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
  withTrace,
} from "../../syntax/hcl/value.ts";
import type { ExpressionInFile } from "../hcl/config-block.ts";
import { SET_BY } from "../hcl/origins.ts";
import { placeOf } from "../hcl/scopes.ts";
import { ARGUMENT_NAMES, SCSI_TYPES } from "../vsphere-provider.ts";

/** The data source that looks a template up by its name. */
export const TEMPLATE = "vsphere_virtual_machine";

/** A template as the configuration states it, and as a source of Packer in the repository makes it. */
export interface FoundTemplate {
  readonly stated: NamedTemplate | undefined;
  /** Several sources may make a template of one name. */
  readonly made: readonly VmSpec[];
}

/**
 * The attributes with settings (terraform-provider-vsphere v2.16.1, data_source_vsphere_virtual_machine.go, which takes most of them from
 * schemaVirtualMachineConfigSpec).
 */
const SETTINGS: ReadonlyMap<string, SettingName> = new Map(
  Object.entries(ARGUMENT_NAMES).map(([setting, attribute]) => [attribute, setting as SettingName]),
);

/** The attributes with devices. */
const DEVICES = ["scsi_type", "network_interface_types", "network_interfaces", "disks"];

/** The other attributes of the data source. */
const OTHERS = [
  ...["id", "uuid", "moid", "instance_uuid", "name", "folder", "datacenter_id", "firmware", "alternate_guest_name", "annotation"],
  ...[
    "scsi_bus_sharing",
    "scsi_controller_scan_count",
    "sata_controller_scan_count",
    "ide_controller_scan_count",
    "vapp",
    "vapp_transport",
  ],
  ...["nvme_controller_scan_count", "guest_ip_addresses", "default_ip_address", "extra_config", "vtpm", "efi_secure_boot_enabled"],
];

/** Finds the value of an attribute of one template. `name` is the expression with its name. */
export function attributeOf({ stated, made }: FoundTemplate, name: ExpressionInFile, scanned: number | undefined, otherwise: Value) {
  return (attribute: string): Value => {
    const setting = SETTINGS.get(attribute);
    const assumed = setting && stated?.settings.get(setting);
    if (assumed) return withTrace(asValue(assumed.value) ?? otherwise, [{ range: placeOf(name), what: assumed.origin }]);
    const { file } = stated ?? {};
    const of = file ? [file.vm] : made;
    const values = of.map((vm) => inTemplate(vm, attribute, setting, scanned));
    const [first] = values;
    if (!first || first.kind === "unknown") return otherwise;
    if (values.some((value) => textOf(value) !== textOf(first)))
      return unknownValue(`${of.length} sources of Packer make its template, with different values of ${attribute}`);
    return file ? withTrace(first, [{ range: placeOf(name), what: file.origin }]) : first;
  };
}

/** Returns a template as one value, for an expression that indexes it. */
export const wholeTemplate = (get: (attribute: string) => Value): Value =>
  objectValue([...SETTINGS.keys(), ...DEVICES, ...OTHERS].map((attribute) => [attribute, get(attribute)] as const));

function inTemplate(vm: VmSpec, attribute: string, name: SettingName | undefined, scanned: number | undefined): Value {
  const setting: Setting<unknown> | undefined = name && vm.settings[name];
  if (setting && name) return setting.state === "known" ? seen(setting, vm, asValue(setting.value)) : byDefault(vm, name);
  if (attribute === "scsi_type") {
    const scsi = vm.scsiControllers.filter(({ bus }) => bus < (scanned ?? 0));
    const [first] = scsi;
    const type = first?.type;
    if (type?.state !== "known" || scsi.some((one) => one.type.state !== "known" || one.type.value !== type.value)) return UNKNOWN;
    const word = Object.keys(SCSI_TYPES).find((word) => SCSI_TYPES[word] === type.value);
    return seen(type, vm, word === undefined ? undefined : stringValue(word));
  }
  if (attribute !== "network_interface_types" && attribute !== "network_interfaces") return UNKNOWN;
  const { nics } = vm.devices();
  // The plugin may add a card to a source without one.
  if (nics.length === 0) return UNKNOWN;
  const types = nics.map(({ type }) => (type.state === "known" ? seen(type, vm, stringValue(type.value)) : UNKNOWN));
  if (attribute === "network_interface_types") return tupleValue(types);
  return tupleValue(types.map((type) => objectValue(CARD.map((key) => [key, key === "adapter_type" ? type : UNKNOWN] as const))));
}

const CARD = [
  ...["adapter_type", "network_id", "mac_address", "physical_function", "bandwidth_limit", "bandwidth_reservation"],
  ...["bandwidth_share_level", "bandwidth_share_count"],
];

const UNKNOWN = unknownValue("the template's text does not state it");

/** Returns a value with its place in the template. */
const seen = ({ range }: { readonly range: VmSpec["range"] }, vm: VmSpec, value: Value | undefined): Value =>
  value ? withTrace(value, [{ range, what: `${SET_BY}${vm.name}, which makes the template ${vm.alias ?? ""}`.trimEnd() }]) : UNKNOWN;

function byDefault(vm: VmSpec, name: SettingName): Value {
  const value = vm.settings[name].state === "absent" ? vm.defaults[name] : undefined;
  return value === undefined ? UNKNOWN : seen(vm, vm, asValue(value));
}

function asValue(value: unknown): Value | undefined {
  if (typeof value === "number") return numberValue(value);
  if (typeof value === "boolean") return boolValue(value);
  if (value === "unlimited") return numberValue(-1);
  return typeof value === "string" && value !== "auto" ? stringValue(value) : undefined;
}

/** A text that is equal for equal values. */
const textOf = (value: Value): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === "trace" ? undefined : inner instanceof Map ? [...inner] : inner));
