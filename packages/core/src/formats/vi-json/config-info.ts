import { once } from "../../model/memoize.ts";
import { sequence } from "../../model/sequence.ts";
import { ABSENT, known, type Located, type Range, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import {
  type Board,
  type Configured,
  type Devices,
  NO_SETTINGS,
  type Observed,
  type SettingName,
  type Settings,
  type SettingValues,
  type VmSpec,
} from "../../model/spec.ts";
import { type DataNode, settingOf } from "../../syntax/node.ts";
import * as read from "../../syntax/values.ts";
import { ADVANCED, addAffinity, isAdvanced } from "../advanced.ts";
import { CONFIG_SPEC, countOrNone, ignoredOption, PASSED_ON, type Paths, type SentFields, SHARED, spelt } from "../api-keys.ts";
import { isOption, PARTS, readBoard } from "../board.ts";
import { checkSettings } from "../check-settings.ts";
import { ALL_SETTINGS, INHERITED, leaveOpen } from "../inherited.ts";
import { VMX_SPELLINGS } from "../vmx/keys.ts";
import { deviceOfType, isKept, readDevices, readScsiControllers } from "./devices.ts";
import { member, memberAt } from "./member.ts";

const INFO: Paths = {
  ...SHARED,
  vcpus: ["hardware.numCPU", read.count],
  memoryMiB: ["hardware.memoryMB", read.count],
  threadsPerCore: ["hardware.simultaneousThreads", countOrNone],
  exposeVnumaOnHotAdd: ["numaInfo.vnumaOnCpuHotaddExposed", read.bool],
};

interface ConfigContext {
  /** The `format` of the VM. */
  readonly format: string;
  /** The range for findings without a better one. */
  readonly range: Range;
  /** The VM's name, if the object itself has none. */
  readonly name?: string | undefined;
  /** False if only some properties were collected, so that missing ones are unknown. */
  readonly isComplete?: boolean;
  /** Devices from another list. */
  readonly devices?: readonly DataNode[];
  /** The VM's `VirtualMachineQuickStats`. */
  readonly quickStats?: DataNode | undefined;
  /** The VM's `VirtualMachineRuntimeInfo`. */
  readonly runtime?: DataNode | undefined;
  /** The managed object ID of the VM. */
  readonly id?: string | undefined;
}

/** Reads a `VirtualMachineConfigInfo`, the configuration of a VM on its server. */
export function readConfigInfo(config: DataNode | undefined, context: ConfigContext): VmSpec {
  const settings = settingsAt(config, INFO);
  settings.coresPerSocket = infoCoresPerSocket(member(config, "hardware"));
  settings.coresPerNumaNode = infoCoresPerNumaNode(member(config, "numaInfo"));
  const extra = extraConfigOf(config);
  addAdvanced(settings, extra, VMX_SPELLINGS);
  const isWhole = config !== undefined && context.isComplete !== false;
  // "could be unset for releases prior to 7.0 U3, and it implies numCoresPerSocket is 1" (VirtualHardware).
  const defaults = isWhole ? { coresPerSocket: 1 } : {};
  const deviceNodes = context.devices ?? memberAt(config, "hardware.device")?.items() ?? [];
  // `govc device.info` can list some devices only; every VM has a PCI controller.
  const isAll = context.devices
    ? deviceNodes.some((device) => member(device, "type")?.text === "VirtualPCIController")
    : deviceNodes.length > 0;
  const devices = isAll ? readDevices(deviceNodes, true) : withMissing(readDevices(deviceNodes, true), NOT_COLLECTED);
  const unknownSettings = { names: isWhole ? prunedFrom(config) : ALL_SETTINGS, reason: NOT_COLLECTED };
  return vmOf(config, { settings, extra, nodes: deviceNodes, devices, defaults, unknownSettings }, context);
}

const NOT_COLLECTED = "it was not collected";

/**
 * Returns the settings that someone removed, although a server reports them for every VM (all captures in govmomi's and VM Operator's test
 * data have them).
 */
function prunedFrom(config: DataNode): readonly SettingName[] {
  return [
    ...(member(config, "cpuAllocation") ? [] : (["cpuReservationMHz"] as const)),
    ...(member(config, "memoryAllocation") ? [] : (["memoryReservationMiB", "memoryReservationLocked"] as const)),
    ...(areCutOff(config) ? OPTION_NAMES : []),
  ];
}

/** The settings that only exist as options. */
const OPTION_NAMES = (Object.keys(ADVANCED) as SettingName[]).filter((name) => !(name in INFO || name === "coresPerNumaNode"));

/** A depth limit, as of PowerShell's `ConvertTo-Json`, replaces options or lists by the name of their type. */
function areCutOff(config: DataNode): boolean {
  const options = member(config, "extraConfig");
  if (options && options.kind !== "list") return true;
  const [first] = options?.items() ?? [];
  return first !== undefined && member(first, "key") === undefined;
}

const withMissing = ({ passthrough: _, ...devices }: Devices, missing: string): Devices => ({ missing, ...devices });

/**
 * Reads a `VirtualMachineConfigSpec`, the request of a client. For a new VM, which has the path of its file (govmomi, simulator, CreateVM:
 * "configSpec.files.vmPathName"), missing settings are left to ESXi; otherwise the request changes or clones a VM.
 */
export function readConfigSpec(config: DataNode, context: ConfigContext): VmSpec {
  const extra = extraConfigOf(config);
  const nodes = addedDevices(config);
  const isNew = memberAt(config, "files.vmPathName") !== undefined;
  const reason = "the request does not change it";
  const devices = isNew ? readDevices(nodes) : withMissing(readDevices(nodes), reason);
  // A member with the number of a default is set.
  const unknownSettings = isNew ? undefined : { names: INHERITED.filter((name) => !memberAt(config, CONFIG_SPEC[name][0])), reason };
  const vm = vmOf(config, { settings: specSettings(config, extra), extra, nodes, devices, defaults: {}, unknownSettings }, context);
  const argumentOf: SentFields["argumentOf"] = (name) =>
    (CONFIG_SPEC as Paths)[name as SettingName]?.[0] ?? PARTS[name as "firmware"]?.member;
  return { ...vm, configured: ignoredIn(extra, vm.settings, vm.board?.() ?? {}, { list: "extraConfig", argumentOf }) };
}

/** Advanced options by key, in lower case. */
type Extra = ReadonlyMap<string, DataNode>;

type MutableSettings = Record<SettingName, Setting<unknown>>;

/** Returns the settings of a `VirtualMachineConfigSpec`, including its advanced options. */
export function specSettings(config: DataNode, extra: Extra): MutableSettings {
  const settings = settingsAt(config, CONFIG_SPEC);
  addAdvanced(settings, extra, PASSED_ON);
  return settings;
}

/** Returns every `numa.*`, `sched.*` and `cpuid.*` option. */
export const advancedOf = (extra: Extra): ReadonlyMap<string, Setting<string>> =>
  new Map([...extra].flatMap(([key, node]) => (isAdvanced(key) ? [[key, settingOf(node, read.text)]] : [])));

interface FoundDevice {
  readonly settings: MutableSettings;
  readonly extra: Extra;
  readonly nodes: readonly DataNode[];
  readonly devices: Devices;
  readonly defaults: SettingValues;
  /** Settings that may have another value although they are missing. */
  readonly unknownSettings: { readonly names: readonly SettingName[]; readonly reason: string } | undefined;
}

/** Reads everything at once: a VM with nodes would keep the index of its document alive, and an inventory has tens of thousands of VMs. */
function vmOf(
  config: DataNode | undefined,
  readDevices: FoundDevice,
  { format, range, name, runtime, quickStats, id }: ConfigContext,
): VmSpec {
  const { settings, extra, nodes, devices, defaults, unknownSettings } = readDevices;
  const advanced = advancedOf(extra);
  addAffinity(settings, advanced);
  const levels = levelsOfVcpus(config, settings.latencySensitivity);
  if (levels) settings.latencySensitivity = levels;
  const field = member(config, "name");
  const at = field?.range ?? range;
  if (unknownSettings) leaveOpen(settings, unknownSettings.names, { reason: unknownSettings.reason, range: at });
  // Read now, because a VM that reads it later would keep its text alive.
  const host = memberAt(runtime, "host.value")?.text;
  const uuids = { instance: read.uuid(member(config, "instanceUuid")?.text), bios: read.uuid(member(config, "uuid")?.text) };
  const board = boardIn(config, extra, nodes, unknownSettings === undefined || !unknownSettings.names.includes("maxVcpusByHotAdd"));
  return {
    name: field?.text ?? name ?? "",
    format,
    exportHosts: "govc host.info -json './host/*/*' > hosts.json",
    platform: "esxi",
    range: at,
    // The reader of each setting has the right type, which the compiler loses.
    ...checkSettings(settings as unknown as Settings),
    defaults,
    scsiControllers: readScsiControllers(nodes),
    devices: () => devices,
    board: () => board,
    advanced: () => advanced,
    directive: new Map(),
    uuids: () => uuids,
    ...(id !== undefined && { managed: () => ({ id }) }),
    ...(member(config, "template")?.text === "true" && { template: true }),
    ...(IS_OFF.test(member(runtime, "powerState")?.text ?? "") && { off: true }),
    ...(host !== undefined && { runsOn: { id: host } }),
    ...observedIn(config, runtime),
    ...(isOn(runtime) && measuredIn(quickStats)),
  };
}

/** `hasOptions`: whether a missing option is not set. */
const boardIn = (config: DataNode | undefined, extra: Extra, nodes: readonly DataNode[], hasOptions: boolean) =>
  readBoard(({ key = "", member: path, device, read: readValue }, name) => {
    const found = device === undefined ? undefined : deviceOfType(nodes, device);
    if (found) return known(true, found.range);
    const node = path === undefined ? undefined : (memberAt(config, path) ?? memberAt(config, `hardware.${path}`));
    if (node) return settingOf(node, readValue);
    if (!isOption(name)) return undefined;
    const option = settingOf(extra.get(key.toLowerCase()), readValue);
    return option.state === "absent" && !hasOptions ? undefined : option;
  });

/** For a running VM without a manual size, this is "the virtual NUMA node size seen by the guest" (VirtualMachineVirtualNumaInfo). */
function observedIn(config: DataNode | undefined, runtime: DataNode | undefined): { readonly observed?: Located<Observed> } {
  const [size, auto] = [memberAt(config, "numaInfo.coresPerNumaNode"), memberAt(config, "numaInfo.autoCoresPerNumaNode")];
  const [nodeSize, vcpus] = [Number(size?.text), Number(memberAt(config, "hardware.numCPU")?.text)];
  if (!size || !isOn(runtime) || auto?.text !== "true" || !(isPositive(nodeSize) && isPositive(vcpus))) return {};
  const vnumaNodes = sequence(Math.ceil(vcpus / nodeSize), (i) => Math.min(nodeSize, vcpus - i * nodeSize));
  return { observed: { value: { vnumaNodes, source: "vCenter" }, range: size.range } };
}

const isPositive = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

const isOn = (runtime: DataNode | undefined): boolean => /^(?:poweredOn|1)$/.test(member(runtime, "powerState")?.text ?? "");

/** Returns the measurements that are there; memory is in MB, readiness in per cent (VirtualMachineQuickStats). */
function measuredIn(quickStats: DataNode | undefined): Pick<VmSpec, "measured"> {
  const number = (name: string): Located<number> | undefined => {
    const node = member(quickStats, name);
    const value = Number(node?.text);
    return node && Number.isFinite(value) && value >= 0 ? { value, range: node.range } : undefined;
  };
  const [readyPercent, balloonedMiB, swappedMiB] = ["overallCpuReadiness", "balloonedMemory", "swappedMemory"].map(number);
  if (!readyPercent && !balloonedMiB && !swappedMiB) return {};
  return { measured: { ...(readyPercent && { readyPercent }), ...(balloonedMiB && { balloonedMiB }), ...(swappedMiB && { swappedMiB }) } };
}

/** VirtualMachinePowerState: poweredOff, poweredOn and suspended, which .NET numbers in this order. */
const IS_OFF = /^(?:poweredOff|suspended|0|2)$/;

function settingsAt(config: DataNode | undefined, paths: Paths): MutableSettings {
  const settings: MutableSettings = { ...NO_SETTINGS };
  for (const [name, [path, reader]] of Object.entries(paths))
    settings[name as SettingName] = settingOf(memberAt(config, path), reader as read.Read<unknown>, path);
  return settings;
}

/** With latency sensitivity high, "the only allowed levels for vcpu Latency sensitivity are high or normal" (VirtualMachineVcpuConfig). */
export function levelsOfVcpus(config: DataNode | undefined, ofVm: Setting<unknown> = levelOf(config)): Setting<never> | undefined {
  if (valueIfKnown(ofVm) !== "high") return undefined;
  const vcpus = member(config, "vcpuConfig");
  const areAlike = !vcpus || (vcpus.kind === "list" && vcpus.items().every(isAsHigh));
  return areAlike ? undefined : unknown("its vCPUs have levels of their own", vcpus.range);
}

/** A vCPU without a level has the level of the VM. */
function isAsHigh(vcpu: DataNode): boolean {
  return member(vcpu, "latencySensitivity") ? valueIfKnown(levelOf(vcpu)) === "high" : vcpu.kind === "mapping";
}

const levelOf = (node: DataNode | undefined) => settingOf(member(member(node, "latencySensitivity"), "level"), read.latency);

/** "This field should be ignored for a powered off VM with autoCoresPerSocket": ESXi chooses a new value then. */
function infoCoresPerSocket(hardware: DataNode | undefined): Setting<number | "auto"> {
  const auto = member(hardware, "autoCoresPerSocket");
  if (auto?.text === "true") return known("auto", auto.range);
  return settingOf(member(hardware, "numCoresPerSocket"), countOrNone, "hardware.numCoresPerSocket");
}

/** Only a manual size is a setting, not the size that ESXi chose. */
function infoCoresPerNumaNode(numaInfo: DataNode | undefined): Setting<number> {
  const auto = member(numaInfo, "autoCoresPerNumaNode");
  const size = member(numaInfo, "coresPerNumaNode");
  if (!size || auto?.text === "true") return ABSENT;
  const stated = settingOf(size, read.natural, "numaInfo.coresPerNumaNode");
  if (auto || stated.state !== "known") return stated;
  return unknown("the inventory does not say whether ESXi chose it", size.range, [0, stated.value]);
}

function extraConfigOf(config: DataNode | undefined): Extra {
  const options = member(config, "extraConfig")?.items() ?? [];
  return new Map(
    options.flatMap((option): [string, DataNode][] => {
      const [key, value] = [member(option, "key")?.text, member(option, "value")];
      return key === undefined || !value ? [] : [[key.toLowerCase(), value]];
    }),
  );
}

/** Adds the settings of options whose fields are missing. */
function addAdvanced(settings: MutableSettings, extra: Extra, spellings: typeof VMX_SPELLINGS): void {
  for (const { name, key, lower, read: reader } of spellings) {
    const node = extra.get(lower);
    if (node && settings[name].state === "absent") settings[name] = settingOf(node, reader, key);
  }
}

/** Returns the options that the API documents as ignored. `list` and `argumentOf` are words of the format. */
export const ignoredIn = (
  extra: Extra,
  settings: Settings,
  board: Board,
  words: Pick<SentFields, "list" | "argumentOf">,
): (() => Configured) =>
  once(() => {
    const stated = (name: string): Setting<unknown> => ({ ...board, ...settings })[name as SettingName] ?? ABSENT;
    const options = [...extra].flatMap(([key, node]) => {
      const ignored = ignoredOption(key, (readValue) => settingOf(node, readValue, key), { ...words, stated, defaults: {} });
      return ignored ? [{ key: spelt(key), range: node.range, ignored }] : [];
    });
    return { options, dropped: [] };
  });

/** Returns the devices that a request adds or changes. */
function addedDevices(config: DataNode): readonly DataNode[] {
  const changes = member(config, "deviceChange")?.items() ?? [];
  return changes.flatMap((change) => (isKept(member(change, "operation")?.text) ? (member(change, "device") ?? []) : []));
}
