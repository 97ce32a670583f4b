import { getOrInsert, grouped } from "../../model/maps.ts";
import { sequence } from "../../model/sequence.ts";
import { ABSENT, known, type Range, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import { VM_OPERATOR_WEBHOOK } from "../../model/sources.ts";
import type {
  Devices,
  Disk,
  DroppedArgument,
  LatencySensitivity,
  OtherController,
  ScsiType,
  SettingName,
  SettingTypes,
  TreatedArgument,
  VmSpec,
} from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { at, get, isMapping, isNothing, itemsOf, rangeOf, scoped, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_IMAGE } from "../inherited.ts";
import { describe, field, optionList, type ScsiType as Scsi } from "../yaml/describe.ts";
import type { DocumentContext, Fields, Kind, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { MISSING } from "./config-spec.ts";
import { nameOf, versionOf } from "./object.ts";
import { isClass, readClass } from "./vm-class.ts";

/*
 * VM Operator, api/v1alpha1 to v1alpha6 (VirtualMachineSpec): up to v1alpha5 only the class has sizes; in v1alpha6 the VM can set them,
 * with the CPU of requests and limits in MHz, not in cores as in a class ("resources.requests.cpu is in MHz"). `minHardwareVersion` is a
 * minimum that the class or the host may raise, so the version is not known.
 */
const LATENCY: Readonly<Record<string, LatencySensitivity>> = { normal: "normal", high: "high", highwithhyperthreading: "high" };

const OLDER: Fields = {
  guestOs: field("guestID", known),
};

const V1ALPHA6: Fields = {
  ...OLDER,
  vcpus: field("resources.size.cpu", units.amount),
  memoryMiB: field("resources.size.memory", units.down.memory, units.writeMemory),
  cpuReservationMHz: field("resources.requests.cpu", units.amount),
  cpuReservationLocked: field("cpuAdvanced.reservationLockedToMax", units.bool),
  cpuLimitMHz: field("resources.limits.cpu", units.amountLimit, units.writeLimit),
  memoryReservationMiB: field("resources.requests.memory", units.down.memoryOrNone, units.writeMemory),
  memoryLimitMiB: field("resources.limits.memory", units.down.memoryLimit, units.writeMemoryLimit),
  memoryReservationLocked: field("memoryAdvanced.reservationLockedToMax", units.bool),
  memoryHotAdd: field("memoryAdvanced.hotAddEnabled", units.bool),
  cpuHotAdd: field("cpuAdvanced.hotAddEnabled", units.bool),
  coresPerSocket: field("cpuAdvanced.topology.coresPerSocket", units.cores("auto"), units.writeCores("auto")),
  exposeVnumaOnHotAdd: field("cpuAdvanced.topology.exposeVnumaOnCpuHotadd", units.bool),
  numaFixedAutoAffinity: field("cpuAdvanced.topology.numaFixedAutoAffinityEnabled", units.bool),
  latencySensitivity: field(
    "cpuAdvanced.latencySensitivity",
    (text: string, range: Range): Setting<LatencySensitivity> => {
      const name = text.toLowerCase();
      const level = Object.hasOwn(LATENCY, name) ? LATENCY[name] : undefined;
      return level ? known(level, range) : unknown(`"${text}" is not a level of latency sensitivity`, range);
    },
    (level) => ({ normal: "Normal", high: "High" })[level as string],
  ),
  preferHt: field("advanced.preferHtEnabled", units.bool),
  numaNodeAffinity: field("advanced.pnumaNodeAffinity", read.numbers, (nodes) => `[${nodes.join(", ")}]`),
};

/** The sizes of a VM are checked from v1alpha6 on. */
const SIZED: GeneratorRecord = {
  name: "VM Operator",
  source: VM_OPERATOR_WEBHOOK,
  refuses: ["cpu/limit-lt-reservation", "mem/limit-lt-reservation", "mem/reservation-gt-size"],
  treats: [{ part: "memoryReservationMiB", does: "refuses", with: "memoryReservationLocked" }],
};

/** VirtualMachine of VM Operator, and sets of these. */
export const vmOperator: Kind = {
  name: "vm-operator",
  sign: /\bapiVersion["']?[ \t]*:[ \t]*["']?vmoperator\.vmware\.com\//,
  read: (object, _, context) => {
    const version = versionOf(object, { group: "vmoperator.vmware.com", kinds: ["VirtualMachine", "VirtualMachineReplicaSet"] });
    return version === undefined ? undefined : [readMachine(scoped(object), version, context)];
  },
};

function readMachine(root: Value, version: string, context: DocumentContext): ReadVm {
  const template = at(root, ["spec", "template", "spec"]);
  const spec = isNothing(template) ? get(root, "spec") : template;
  const className = textOf(get(spec, "className"));
  const vmClass = classOf(root, get(spec, "className"), context);
  const isRaised = !isNothing(get(spec, "minHardwareVersion"));
  const power = textOf(get(spec, "powerState")) ?? "";
  const isNewest = (Number(/^v1alpha(\d+)$/.exec(version)?.[1]) || 6) >= 6;
  return describe({
    format: "vm-operator",
    root,
    name: nameOf(root),
    uuids: () => ({ instance: read.uuid(textOf(get(spec, "instanceUUID"))), bios: read.uuid(textOf(get(spec, "biosUUID"))) }),
    fields: isNewest ? V1ALPHA6 : OLDER,
    base: spec,
    template: !isNothing(template),
    isPoweredOff: /^(?:PoweredOff|Suspended)$/i.test(power),
    hasUnknownCount: isTemplate(power),
    options: optionList(get(spec, "advanced"), "extraConfig"),
    from: isNothing(get(spec, "imageName")) ? at(spec, ["image", "name"]) : get(spec, "imageName"),
    inherits: className === undefined || vmClass ? OF_IMAGE : `it is the class ${className}'s`,
    ...(vmClass && {
      inherited: {
        settings: isRaised ? { ...vmClass.settings, hardwareVersion: ABSENT } : vmClass.settings,
        at: rangeOf(get(spec, "className")),
        by: `set by the class ${className}`,
      },
      defaults: vmClass.defaults,
    }),
    ...(isNewest && { generator: SIZED, dropped: [...refusedNodes(spec), ...refusedReservations(spec), ...refusedLimit(spec)] }),
    extraSettings: isNewest ? topologyOf(spec) : {},
    // 512 GB (constants.go, PCIPassthruMMIOSizeDefault).
    addsMmio: true,
    scsi: readScsi(get(spec, "hardware")),
    devices: () => devicesOf(spec),
  });
}

/** Returns the class of a VM if it is the only matching one in the same text; a template may change it in any way. */
function classOf(root: Value, className: Value, { objects }: DocumentContext): VmSpec | undefined {
  const all = objects();
  const classes = getOrInsert(indexed, all, () => byName(all.filter(isClass)));
  const name = textOf(className);
  const classesNamed = name === undefined ? [] : (classes.get(name) ?? []);
  const [vmClass] = classesNamed;
  if (!vmClass || classesNamed.length > 1 || !areTogether(root, vmClass)) return undefined;
  const { branches, inserts } = scoped(vmClass).source;
  return branches.length + inserts.length > 0 ? undefined : readClass(scoped(vmClass)).vm;
}

const byName = (objects: readonly Value[]): ReadonlyMap<string, readonly Value[]> =>
  grouped(objects, (object) => textOf(nameOf(object)) ?? "");

/** The classes of a text by name. */
const indexed = new WeakMap<readonly Value[], ReadonlyMap<string, readonly Value[]>>();

/** Classes are objects of a namespace ("+kubebuilder:resource:scope=Namespaced"); a missing namespace is the one of the caller. */
function areTogether(first: Value, other: Value): boolean {
  const [a, b] = [first, other].map((object) => textOf(at(object, ["metadata", "namespace"])));
  return a === b || a === undefined || b === undefined;
}

/** Virtual threads come with the latency sensitivity; the size of a node is the vCPUs divided by the nodes (vnumaNodeCountField). */
function topologyOf(spec: Value): Partial<{ [K in SettingName]: Setting<SettingTypes[K]> }> {
  const level = at(spec, ["cpuAdvanced", "latencySensitivity"]);
  const nodes = settingOf(at(spec, ["cpuAdvanced", "topology", "vnumaNodeCount"]), units.natural);
  const vcpus = settingOf(at(spec, ["resources", "size", "cpu"]), units.amount);
  const [count, totalVcpus] = [valueIfKnown(nodes), valueIfKnown(vcpus)];
  const extra: Partial<{ [K in SettingName]: Setting<SettingTypes[K]> }> = {};
  if (textOf(level)?.toLowerCase() === "highwithhyperthreading") extra.threadsPerCore = known(2, rangeOf(level));
  if (nodes.state === "known" && count === 0) extra.coresPerNumaNode = known(0, nodes.range);
  else if (nodes.state === "known" && count && totalVcpus !== undefined && totalVcpus % count === 0)
    extra.coresPerNumaNode = known(totalVcpus / count, nodes.range);
  else if (nodes.state !== "absent") extra.coresPerNumaNode = unknown("it is the vCPUs divided by the nodes", nodes.range);
  return extra;
}

/** More than any VM has vCPUs. */
const MOST_NODES = 1024;

/**
 * `validateComputeTopology`: the nodes need cores per socket, they must divide the vCPUs, and each must hold whole sockets or be part of
 * one. The webhook checks only the VM's own numbers.
 */
function refusedNodes(spec: Value): readonly DroppedArgument[] {
  const topology = at(spec, ["cpuAdvanced", "topology"]);
  const count = settingOf(get(topology, "vnumaNodeCount"), units.natural);
  if (count.state !== "known" || count.value === 0) return [];
  const refused = (because: Omit<TreatedArgument, "by">): readonly DroppedArgument[] => [
    { argument: `${TOPOLOGY}.vnumaNodeCount`, value: String(count.value), range: count.range, because: { by: SIZED.name, ...because } },
  ];
  const coresPerSocket = settingOf(get(topology, "coresPerSocket"), units.natural);
  const isAutomatic = coresPerSocket.state === "absent" || valueIfKnown(coresPerSocket) === 0;
  if (isAutomatic) return refused({ message: "incomplete", other: `${TOPOLOGY}.coresPerSocket` });
  const [vcpus, cores] = [valueIfKnown(settingOf(at(spec, ["resources", "size", "cpu"]), units.amount)), valueIfKnown(coresPerSocket)];
  if (!vcpus || !cores) return [];
  const isAccepted = (nodes: number): boolean => {
    const size = vcpus / nodes;
    return vcpus % nodes === 0 && (size % cores === 0 || cores % size === 0);
  };
  if (isAccepted(count.value)) return [];
  const others = sequence(Math.min(vcpus, MOST_NODES), (index) => index + 1).filter(isAccepted);
  const distance = (nodes: number): number => Math.abs(nodes - count.value);
  const fits = others.reduce((nearest, nodes) => (distance(nodes) <= distance(nearest) ? nodes : nearest), 1);
  return refused({ message: "uneven", other: `${vcpus} vCPUs in sockets of ${cores}`, fits });
}

/** `FullMemReservationSpecMet`, of the VM's own numbers too; true if a value is unknown. */
function hasAllMemory(spec: Value): boolean {
  const [reserved, size] = ["requests", "size"].map((part) => ownMemory(spec, part));
  const isLocked = settingOf(at(spec, LOCK.split(".")), units.bool);
  const isUnclear = [isLocked, reserved, size].some((one) => one?.state === "unknown");
  return isUnclear || valueIfKnown(isLocked) === true || (reserved?.state === "known" && reserved.value === (size && valueIfKnown(size)));
}

const ownMemory = (spec: Value, part: string): Setting<number> =>
  settingOf(at(spec, ["resources", part, "memory"]), units.down.memoryOrNone);

/** `validateComputeLatencySensitivity` and `validateUPTv2MemoryReservation`. */
function refusedReservations(spec: Value): readonly DroppedArgument[] {
  const level = at(spec, ["cpuAdvanced", "latencySensitivity"]);
  const isHigh = /^high/i.test(textOf(level) ?? "");
  const cards = itemsOf(at(spec, ["network", "interfaces"])).map((card) => at(card, ["vmxnet3", "uptv2Enabled"]));
  const passthrough = cards.filter((flag) => valueIfKnown(settingOf(flag, units.bool)) === true);
  const needing = [
    ...(isHigh ? [["cpuAdvanced.latencySensitivity", level] as const] : []),
    ...passthrough.map((flag) => ["network.interfaces.vmxnet3.uptv2Enabled", flag] as const),
  ];
  const lacksCpu = isHigh && isNothing(at(spec, RESERVED_CPU.split(".")));
  const refused = (argument: string, value: Value, other: string): DroppedArgument => ({
    argument,
    value: textOf(value) ?? "",
    range: rangeOf(value),
    because: { by: SIZED.name, message: "incomplete", other },
  });
  return [
    ...(hasAllMemory(spec) ? [] : needing.map(([argument, value]) => refused(argument, value, LOCK))),
    ...(lacksCpu ? [refused("cpuAdvanced.latencySensitivity", level, RESERVED_CPU)] : []),
  ];
}

/** `validateComputeReservationLockedToMax`: the lock reserves all of the memory, and the limit must allow it. */
function refusedLimit(spec: Value): readonly DroppedArgument[] {
  const [limit, size] = [settingOf(at(spec, ["resources", "limits", "memory"]), units.down.memoryLimit), ownMemory(spec, "size")];
  const isLocked = valueIfKnown(settingOf(at(spec, LOCK.split(".")), units.bool)) === true;
  if (!isLocked || limit.state !== "known" || limit.value === "unlimited" || size.state !== "known" || limit.value >= size.value) return [];
  const because = { by: SIZED.name, message: "low", least: size.value } as const;
  return [{ argument: "resources.limits.memory", value: String(limit.value), range: limit.range, because }];
}

const TOPOLOGY = "cpuAdvanced.topology";
const LOCK = "memoryAdvanced.reservationLockedToMax";
const RESERVED_CPU = "resources.requests.cpu";
const WRITTEN: Readonly<Record<ScsiType, string>> = {
  pvscsi: "ParaVirtual",
  lsilogic: "LsiLogic",
  lsisas1068: "LsiLogicSAS",
  buslogic: "BusLogic",
};

const busOf = (item: Value, key: string): number | undefined => valueIfKnown(settingOf(get(item, key), units.natural));

function readScsi(hardware: Value): readonly Scsi[] {
  return itemsOf(get(hardware, "scsiControllers")).flatMap((item): Scsi[] => {
    const bus = busOf(item, "busNumber");
    if (bus === undefined) return [];
    const type = get(item, "type");
    const scsiType = settingOf(type, units.scsiOf(units.SCSI));
    const range = rangeOf(isMapping(item) ? get(item, "busNumber") : item);
    // "+kubebuilder:default=ParaVirtual"
    const resolved = scsiType.state === "absent" ? known("pvscsi" as const, range) : scsiType;
    const shared = read.sharing(settingOf(get(item, "sharingMode"), known));
    const controller = { id: `scsi${bus}`, bus, type: resolved, ...shared, range };
    const spot = isNothing(type) ? undefined : { value: type, write: (newType: ScsiType) => WRITTEN[newType] };
    return [{ controller, spot }];
  });
}

function devicesOf(spec: Value): Devices {
  const hardware = get(spec, "hardware");
  const otherControllers = (["nvme", "sata", "ide"] as const).flatMap((kind) =>
    itemsOf(get(hardware, `${kind}Controllers`)).flatMap((item): OtherController[] => {
      const bus = busOf(item, "busNumber");
      return bus === undefined ? [] : [{ kind, bus, range: rangeOf(get(item, "busNumber")) }];
    }),
  );
  // VM Operator puts a volume without a unit into the next free one.
  const disks = itemsOf(get(spec, "volumes")).flatMap((volume): Disk[] => {
    const [kind, bus, unit] = [textOf(get(volume, "controllerType")), busOf(volume, "controllerBusNumber"), busOf(volume, "unitNumber")];
    if (kind === undefined || bus === undefined || unit === undefined) return [];
    const controller = `${kind.toLowerCase()}${bus}`;
    return [{ id: `${controller}:${unit}`, controller, range: rangeOf(get(volume, "unitNumber")) }];
  });
  return { otherControllers, disks, nics: [], missing: MISSING };
}
