import { ABSENT, known, type Range, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type { KvmFacts, SettingName, Settings, SettingTypes } from "../../model/spec.ts";
import {
  type CpuShape,
  maxSockets,
  type Refusal,
  refusalOf,
  shapeOfDomain,
  shapeOfInstancetype,
} from "../../platforms/kvm/stacks/kubevirt.ts";
import { at, get, isNothing, rangeOf, scoped, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { nameOf, versionOf } from "../kubernetes/object.ts";
import { describe, field } from "../yaml/describe.ts";
import type { DocumentContext, Kind, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { clusterOf, instancetypeOf, ownPreference, preferenceOf } from "./cluster-objects.ts";
import { editsOf, type Parts, replacementsOf } from "./edit.ts";
import { guestOsOf, type Instancetype } from "./shipped.ts";

/** The objects with a VM, each with the path to its specification. */
const HOLDERS: Readonly<Record<string, { readonly group: string; readonly vm: readonly string[]; readonly instance: readonly string[] }>> =
  {
    VirtualMachine: { group: "kubevirt.io", vm: ["spec"], instance: ["spec", "template", "spec"] },
    VirtualMachineInstance: { group: "kubevirt.io", vm: ["spec"], instance: ["spec"] },
    VirtualMachineInstanceReplicaSet: { group: "kubevirt.io", vm: ["spec"], instance: ["spec", "template", "spec"] },
    VirtualMachinePool: {
      group: "pool.kubevirt.io",
      vm: ["spec", "virtualMachineTemplate", "spec"],
      instance: ["spec", "virtualMachineTemplate", "spec", "template", "spec"],
    },
  };

/** VirtualMachine, VirtualMachineInstance, sets and pools of KubeVirt and OpenShift Virtualization. */
export const kubevirt: Kind = {
  name: "kubevirt",
  sign: /\bapiVersion["']?[ \t]*:[ \t]*["']?(?:pool\.)?kubevirt\.io\//,

  read: (object, _, context) => {
    const kind = textOf(get(object, "kind")) ?? "";
    const holder = Object.hasOwn(HOLDERS, kind) ? HOLDERS[kind] : undefined;
    if (!holder || versionOf(object, { group: holder.group, kinds: [kind] }) === undefined) return undefined;
    return [readMachine(scoped(object), holder, context)];
  },
};

/** The topology of a VM, why it is unknown, or why KubeVirt refuses it; with the places that decide it. */
interface Shape {
  readonly shape: CpuShape | undefined;
  readonly vcpus: number | undefined;
  readonly unknown?: Setting<never>;
  readonly refused?: KvmFacts["refused"];
  readonly at: Range;
  readonly coresAt: Range;
}

const COUNTS = ["sockets", "cores", "threads"] as const;

function readMachine(root: Value, { vm: vmPath, instance }: (typeof HOLDERS)[string], context: DocumentContext): ReadVm {
  const [vm, spec] = [at(root, vmPath), at(root, instance)];
  const domain = get(spec, "domain");
  const named = instancetypeOf(vm, context);
  const instancetype = typeof named === "object" ? named : undefined;
  const parts: Parts = { root, vm, domain, instancetype, preference: ownPreference(vm, context) };
  const stated = shapeIn(parts, named, context);
  const preference = textOf(at(vm, ["preference", "name"])) ?? "";
  const memory = memoryField(domain);
  const guestOs =
    guestOsOf(preference) ?? guestOsOf(textOf(at(root, [...instance.slice(0, -1), "metadata", "annotations", "vm.kubevirt.io/os"])) ?? "");
  const osAt = at(vm, ["preference", "name"]);
  const read = describe({
    format: "kubevirt",
    root,
    name: nameOf(root),
    fields: { memoryMiB: field(memory, units.memory, units.writeMemory) },
    base: domain,
    defaults: { vcpus: 1, coresPerSocket: 1 },
    template: vmPath.length > 1,
    hasUnknownCount: vmPath.length > 1,
    isPoweredOff: textOf(get(vm, "runStrategy")) === "Halted" || textOf(get(vm, "running")) === "false",
    extraSettings: {
      ...settingsOf(stated),
      ...(guestOs && { guestOs: known(guestOs, isNothing(osAt) ? stated.at : rangeOf(osAt)) }),
      ...(instancetype?.memoryMiB !== undefined && { memoryMiB: known(instancetype.memoryMiB, rangeOf(at(vm, ["instancetype", "name"]))) }),
    },
  });
  const kvm = kvmOf(parts, stated, read.vm.settings, textOf(get(spec, "architecture")), context);
  const { settings } = read.vm;
  const edits = editsOf(parts, settings);
  return { ...read, vm: { ...read.vm, platform: "kvm", kvm }, edits, replacements: replacementsOf(parts, settings, memory) };
}

/** The field with the memory: `memory.guest`, else the request, else the limit (converter/vcpu/vcpu.go, GetVirtualMemory). */
function memoryField(domain: Value): string {
  const fields = ["memory.guest", "resources.requests.memory", "resources.limits.memory"];
  return fields.find((path) => !isNothing(at(domain, path.split(".")))) ?? "memory.guest";
}

function shapeIn({ root, vm, domain }: Parts, named: Instancetype | string | undefined, context: DocumentContext): Shape {
  const cpu = get(domain, "cpu");
  const counts = COUNTS.map((name) => ({ name, value: get(cpu, name), setting: settingOf(get(cpu, name), units.natural, name) }));
  const amounts = ["limits", "requests"].map((name) => {
    const value = at(domain, ["resources", name, "cpu"]);
    return { name: name as string, value, setting: settingOf(value, units.cpuCores, "cpu") as Setting<number> };
  });
  const stated = [...counts, ...amounts].filter(({ setting }) => setting.state !== "absent");
  const at_ = rangeOf(stated[0]?.value ?? nameOf(root));
  if (named !== undefined) return ofInstancetype({ root, vm }, named, stated, context);
  const places = {
    at: at_,
    coresAt: rangeOf(
      counts.find(({ name, setting }) => name === "cores" && setting.state !== "absent")?.value ?? stated[0]?.value ?? nameOf(root),
    ),
  };
  const isTopology = counts.some(({ setting }) => setting.state !== "absent");
  const relevant = isTopology ? counts : amounts;
  const open = relevant.map(({ setting }): Setting<number> => setting).find(({ state }) => state === "unknown");
  const isOpen = root.source.inserts.length > 0 && !(isTopology && counts.every(({ setting }) => setting.state !== "absent"));
  if (open?.state === "unknown") return { ...places, at: open.range, shape: undefined, vcpus: undefined, unknown: open };
  if (isOpen) return { ...places, shape: undefined, vcpus: undefined, unknown: unknown("a template may bring it in", at_) };
  const [sockets, cores, threads] = counts.map(({ setting }) => valueIfKnown(setting));
  const [limit, request] = amounts.map(({ setting }) => valueIfKnown(setting));
  const shape = shapeOfDomain({ ...(sockets && { sockets }), ...(cores && { cores }), ...(threads && { threads }), limit, request });
  return { ...places, shape: stated.length > 0 ? shape : undefined, vcpus: stated.length > 0 ? vcpusOf(shape) : undefined };
}

const vcpusOf = ({ sockets, cores, threads }: CpuShape): number => sockets * cores * threads;

/** The VM must not state what its instancetype does (pkg/instancetype/apply/cpu.go, validateCPU). */
function ofInstancetype(
  { vm }: Pick<Parts, "root" | "vm">,
  named: Instancetype | string,
  stated: readonly { readonly name: string; readonly value: Value }[],
  context: DocumentContext,
): Shape {
  const place = rangeOf(at(vm, ["instancetype", "name"]));
  const places = { at: place, coresAt: place };
  const [conflict] = stated;
  if (conflict) {
    const key = COUNTS.some((name) => name === conflict.name) ? `cpu.${conflict.name}` : `resources.${conflict.name}.cpu`;
    const message = `the instancetype conflicts with spec.template.spec.domain.${key}`;
    return {
      ...places,
      shape: undefined,
      vcpus: undefined,
      unknown: unknown(message, place),
      refused: { messageId: "conflict", data: { key }, message, at: rangeOf(conflict.value) },
    };
  }
  if (typeof named === "string") return { ...places, shape: undefined, vcpus: undefined, unknown: unknown(named, place) };
  const { vcpus } = named;
  const preference = preferenceOf(vm, context);
  if (typeof preference === "string" && vcpus > 1) return { ...places, shape: undefined, vcpus, unknown: unknown(preference, place) };
  const shape = typeof preference === "string" ? shapeOfInstancetype(vcpus, {}) : shapeOfInstancetype(vcpus, preference);
  if (typeof shape !== "number") return { ...places, shape, vcpus };
  const message = `${vcpus} vCPUs provided by the instance type are not divisible by ${shape}, which the preference spreads them over`;
  return {
    ...places,
    shape: undefined,
    vcpus,
    unknown: unknown(message, place),
    refused: { messageId: "spread", data: { vcpus, divisor: shape }, message, at: rangeOf(at(vm, ["preference", "name"])) },
  };
}

type Extra = Partial<{ readonly [K in SettingName]: Setting<SettingTypes[K]> }>;

function settingsOf({ shape, vcpus, unknown: open, at: place, coresAt }: Shape): Extra {
  if (open?.state === "unknown") {
    const other = unknown(open.reason, coresAt);
    return { vcpus: vcpus === undefined ? open : known(vcpus, place), coresPerSocket: other, threadsPerCore: other };
  }
  if (!shape) return {};
  const { cores, threads } = shape;
  return {
    vcpus: known(vcpusOf(shape), place),
    coresPerSocket: known(cores * threads, coresAt),
    ...(threads > 1 && { threadsPerCore: known(threads, coresAt) }),
  };
}

/** Returns the facts of the platform. Admission compares known values only. */
function kvmOf(
  { root, domain, instancetype }: Parts,
  stated: Shape,
  settings: Settings,
  architecture: string | undefined,
  context: DocumentContext,
): KvmFacts {
  const cpu = get(domain, "cpu");
  const own = {
    maxSockets: settingOf(get(cpu, "maxSockets"), units.natural, "maxSockets"),
    dedicated: settingOf(get(cpu, "dedicatedCpuPlacement"), units.bool),
    isolates: settingOf(get(cpu, "isolateEmulatorThread"), units.bool),
    page: settingOf(at(domain, ["memory", "hugepages", "pageSize"]), units.memory),
    limit: settingOf(at(domain, ["resources", "limits", "cpu"]), units.cpuCores) as Setting<number>,
    request: settingOf(at(domain, ["resources", "requests", "cpu"]), units.cpuCores) as Setting<number>,
  };
  const numa = at(cpu, ["numa", "guestMappingPassthrough"]);
  const dedicated = valueIfKnown(own.dedicated) ?? instancetype?.dedicated ?? false;
  const isolates = valueIfKnown(own.isolates) ?? instancetype?.isolatesEmulator ?? false;
  const hostNodes = !isNothing(numa) || (instancetype?.hostNodes ?? false);
  const statedMax = valueIfKnown(own.maxSockets) || instancetype?.maxSockets;
  const { shape = stated.vcpus === undefined && stated.unknown === undefined ? { sockets: 1, cores: 1, threads: 1 } : undefined } = stated;
  const isSure =
    Object.values(own).every(({ state }) => state !== "unknown") &&
    settings.memoryMiB.state !== "unknown" &&
    root.source.inserts.length === 0;
  const refusal =
    isSure && shape && !instancetype
      ? refusalOf({
          shape,
          maxSockets: statedMax,
          dedicated,
          hostNodes,
          pageMiB: valueIfKnown(own.page),
          memoryMiB: valueIfKnown(settings.memoryMiB),
          limit: valueIfKnown(own.limit),
          request: valueIfKnown(own.request),
        })
      : undefined;
  const refused = stated.refused ?? (refusal && { ...refusal, at: placeOf(refusal.field, domain, stated.at) });
  const cluster = clusterOf(context);
  return {
    stack: "kubevirt",
    byCounts: true,
    maxSockets: maxOf(),
    statesMaxSockets: statedMax !== undefined,
    dedicated,
    moreCpus: dedicated && isolates ? 1 : 0,
    hostNodes,
    pageMiB: valueIfKnown(own.page) ?? instancetype?.pageMiB,
    cpuLimit: own.limit,
    ...(refused && { refused: { messageId: refused.messageId, data: refused.data, message: refused.message, at: refused.at } }),
  };

  function maxOf(): Setting<number> {
    const place = isNothing(get(cpu, "maxSockets")) ? rangeOf(nameOf(root)) : rangeOf(get(cpu, "maxSockets"));
    if (own.maxSockets.state === "unknown") return own.maxSockets;
    if (statedMax) return known(statedMax, place);
    if (architecture === "arm64" || cluster === "staged" || !shape) return ABSENT;
    return typeof cluster === "string" ? unknown(cluster, place) : known(maxSockets(shape, cluster), place);
  }
}

const FIELDS: Readonly<Record<Refusal["field"], string>> = {
  numa: "cpu.numa.guestMappingPassthrough",
  sockets: "cpu.sockets",
  threads: "cpu.threads",
  memory: "memory.guest",
  cpuLimit: "resources.limits.cpu",
  cpuRequest: "resources.requests.cpu",
};

function placeOf(name: Refusal["field"], domain: Value, fallback: Range): Range {
  const value = at(domain, FIELDS[name].split("."));
  return isNothing(value) ? fallback : rangeOf(value);
}
