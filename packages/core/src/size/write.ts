import { ADVANCED, optionText } from "../formats/advanced.ts";
import { vmxKey } from "../formats/vmx/keys.ts";
import type { SettingName, SettingValues } from "../model/spec.ts";
import { memoryOf, type SizeRequest } from "./request.ts";
import type { Shape } from "./shape.ts";

/** The targets that the settings of a candidate can be written for, in words. */
export const TARGET_TITLES = {
  vmx: ".vmx",
  terraform: "Terraform, vsphere_virtual_machine",
  ansible: "Ansible, community.vmware.vmware_guest",
  packer: "Packer, vsphere-iso",
  client: "vSphere client, Edit Settings",
} as const;

export type Target = keyof typeof TARGET_TITLES;

export const TARGETS = Object.keys(TARGET_TITLES) as readonly Target[];

/** Returns the settings of a candidate in the notation of each target. */
export function writings(shape: Pick<Shape, "settings" | "vcpus">, request: SizeRequest): Readonly<Record<Target, string>> {
  const settings: SettingValues = { ...shape.settings, ...memoryOf(request) };
  return {
    vmx: vmx(settings),
    terraform: terraform(settings),
    ansible: ansible(settings),
    packer: packer(settings),
    client: client(settings, shape),
  };
}

type Line = readonly [key: string, value: string | number];

/**
 * Returns the `numa.*` and similar options, as keys and texts in every target. `except` lists settings with an argument of their own, which
 * the reservation always has.
 */
function advanced(settings: SettingValues, ...except: readonly SettingName[]): Line[] {
  const own: readonly string[] = ["memoryReservationMiB", ...except];
  return Object.entries(settings).flatMap(([name, value]): Line[] =>
    name in ADVANCED && !own.includes(name) ? [[ADVANCED[name as keyof typeof ADVANCED][0], optionText(name, value)]] : [],
  );
}

/** A missing key lets ESXi choose: a .vmx has no other way to express "assigned at power on". */
function vmx({ vcpus, coresPerSocket, memoryMiB, hardwareVersion, ...rest }: SettingValues): string {
  const cores = coresPerSocket === "auto" ? undefined : coresPerSocket;
  return Object.entries({ vcpus, coresPerSocket: cores, memoryMiB, hardwareVersion, ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${vmxKey(name as SettingName)} = "${optionText(name, value)}"`)
    .join("\n");
}

/** Arguments of `vsphere_virtual_machine`; 0 cores per socket and `num_cores_per_numa_node` need provider 2.16.0. */
function terraform(settings: SettingValues): string {
  const { vcpus, coresPerSocket, memoryMiB, memoryReservationMiB, hardwareVersion, coresPerNumaNode } = settings;
  const lines = present([
    ["num_cpus", vcpus],
    ["num_cores_per_socket", coresPerSocket === "auto" ? 0 : coresPerSocket],
    ["num_cores_per_numa_node", coresPerNumaNode],
    ["memory", memoryMiB],
    ["memory_reservation", memoryReservationMiB],
    ["hardware_version", hardwareVersion],
  ]);
  const isNew = coresPerSocket === "auto" || coresPerNumaNode !== undefined;
  return [
    ...(isNew ? ["# version 2.16 or later of the provider"] : []),
    ...assignments(lines),
    ...hclMap("extra_config", advanced(settings, "coresPerNumaNode")),
  ].join("\n");
}

/** Arguments of `vsphere-iso`; it does not send missing cores per socket. */
function packer(settings: SettingValues): string {
  const { vcpus, coresPerSocket, memoryMiB, memoryReservationMiB, hardwareVersion } = settings;
  const lines = present([
    ["CPUs", vcpus],
    ["cpu_cores", coresPerSocket === "auto" ? undefined : coresPerSocket],
    ["RAM", memoryMiB],
    ["RAM_reservation", memoryReservationMiB],
    ["vm_version", hardwareVersion],
  ]);
  return [...assignments(lines), ...hclMap("configuration_parameters", advanced(settings))].join("\n");
}

/** Arguments of `community.vmware.vmware_guest`; it does not send missing cores per socket. */
function ansible(settings: SettingValues): string {
  const { vcpus, coresPerSocket, memoryMiB, memoryReservationMiB, hardwareVersion } = settings;
  const lines = present([
    ["num_cpus", vcpus],
    ["num_cpu_cores_per_socket", coresPerSocket === "auto" ? undefined : coresPerSocket],
    ["memory_mb", memoryMiB],
    ["mem_reservation", memoryReservationMiB],
    ["version", hardwareVersion],
  ]);
  const keys = advanced(settings);
  return [
    "hardware:",
    ...lines.map(([key, value]) => `  ${key}: ${value}`),
    ...(keys.length > 0 ? ["advanced_settings:", ...keys.map(([key, value]) => `  - { key: ${key}, value: "${value}" }`)] : []),
  ].join("\n");
}

/**
 * Returns the change of an existing VM in PowerCLI (VMware PowerCLI reference, Set-VM and New-AdvancedSetting). The VM must be off, unless
 * hot add adds sockets.
 */
export function powercli(vm: string, { settings, vcpus }: Pick<Shape, "settings" | "vcpus">): string {
  const name = `'${vm.replaceAll("'", "''")}'`;
  const { coresPerSocket } = settings;
  const cores = coresPerSocket === "auto" || coresPerSocket === undefined ? "" : ` -CoresPerSocket ${coresPerSocket}`;
  return [
    `Get-VM -Name ${name} | Set-VM -NumCpu ${vcpus}${cores}`,
    ...advanced(settings).map(([key, value]) => `Get-VM -Name ${name} | New-AdvancedSetting -Name '${key}' -Value '${value}' -Force`),
  ].join("\n");
}

/** The labels of Edit Settings in the vSphere client (8.0: Virtual Hardware and VM Options, "CPU Topology"). */
function client(settings: SettingValues, { vcpus }: Pick<Shape, "vcpus">): string {
  const { coresPerSocket, memoryMiB, memoryReservationMiB, hardwareVersion, coresPerNumaNode } = settings;
  const lines = present([
    ["CPU", vcpus],
    ["Cores per Socket", coresPerSocket === "auto" ? "Assigned at power on" : coresPerSocket],
    ["NUMA Nodes", coresPerNumaNode && vcpus / coresPerNumaNode],
    ["Memory", memoryMiB && `${memoryMiB} MB`],
    ["Memory Reservation", memoryReservationMiB && `${memoryReservationMiB} MB`],
    ["Compatibility", hardwareVersion && `hardware version ${hardwareVersion}`],
    ...advanced(settings, "coresPerNumaNode").map(([key, value]): Line => [`Advanced Parameters, ${key}`, value]),
  ]);
  return lines.map(([key, value]) => `${key}: ${value}`).join("\n");
}

const present = (lines: readonly (readonly [string, string | number | undefined])[]): Line[] =>
  lines.filter((line): line is Line => line[1] !== undefined);

function assignments(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([key]) => key.length));
  return lines.map(([key, value]) => `${key.padEnd(width)} = ${value}`);
}

const hclMap = (name: string, lines: readonly Line[]): string[] =>
  lines.length === 0
    ? []
    : [`${name} = {`, ...assignments(lines.map(([key, value]) => [`"${key}"`, `"${value}"`])).map((l) => `  ${l}`), "}"];
