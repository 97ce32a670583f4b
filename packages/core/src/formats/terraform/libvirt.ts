import type { Range, Setting } from "../../model/source.ts";
import { unknown } from "../../model/source.ts";
import type { Change, VmSpec } from "../../model/spec.ts";
import { isMapping, isSequence, nullValue, type Value } from "../../syntax/hcl/value.ts";
import * as read from "../../syntax/values.ts";
import type { Element } from "../../syntax/xml/xml.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { type SettingReader, settingReader } from "../hcl/setting-reader.ts";
import { isAtLeast, type Versions } from "../hcl/versions.ts";
import { bytesOf } from "../libvirt/domain.ts";
import { shapeFor } from "../libvirt/edit.ts";
import { QEMU, vmOf } from "../libvirt/vm.ts";
import { withOpenMachine } from "../open-machine.ts";
import type { Replacement } from "../yaml/kind.ts";
import type { ResourceType } from "./resource-type.ts";

/*
 * libvirt_domain of dmacvicar/libvirt. Before 0.9 the provider writes a domain with vCPUs, memory in MiB and the mode of the CPU
 * (v0.8.3, libvirt/domain_def.go). Since 0.9 its arguments are the elements of the XML (docs/schema-mapping.md, docs/resources/domain.md
 * of v0.9.0 and v0.9.7), so that memory without a unit is in KiB.
 */

/** Makes elements of values, whose places stay known. */
interface Writer {
  readonly text: (value: Value) => Element["content"];
  /** Returns the element of an object; none for null. An unknown object has unknown attributes. */
  readonly object: (name: string, value: Value, attributes: Names, children?: (value: Value) => readonly Element[]) => readonly Element[];
  readonly list: (name: string, value: Value, attributes: Names, children?: (value: Value) => readonly Element[]) => readonly Element[];
}

/** The argument of each attribute in XML. */
type Names = Readonly<Record<string, string>>;

const same = (...names: readonly string[]): Names => Object.fromEntries(names.map((name) => [name, name]));

const partOf = (value: Value, key: string): Value =>
  isMapping(value) ? (value.entries.get(key) ?? nullValue()) : value.kind === "unknown" ? value : nullValue();

function writerFor(reader: SettingReader, range: Range): Writer {
  const text = (value: Value): Element["content"] => {
    const setting: Setting<string> = reader.read(value, read.text, range);
    if (setting.state === "absent") return { value: "", range };
    return setting.state === "known"
      ? { value: setting.value, range: setting.range }
      : { value: "", range: setting.range, unsure: setting.reason };
  };
  const object: Writer["object"] = (name, value, attributes, children = () => []) => {
    if (value.kind === "null") return [];
    const own = Object.entries(attributes).flatMap(([attribute, argument]) => {
      const part = partOf(value, argument);
      return part.kind === "null" ? [] : [{ name: attribute, namespace: "", ...text(part) }];
    });
    return [element(name, value.trace[0]?.range ?? range, { attributes: own, children: children(value) })];
  };
  return {
    text,
    object,
    list: (name, value, ...rest) =>
      isSequence(value) ? value.items.flatMap((item) => object(name, item, ...rest)) : object(name, value, ...rest),
  };
}

const element = (name: string, tag: Range, parts: Partial<Element> = {}): Element => ({
  name,
  namespace: "",
  attributes: [],
  children: [],
  content: { value: "", range: tag },
  tag,
  end: tag[1],
  ...parts,
});

/** Returns the domain that a resource of version 0.9 or later makes. */
function newDomain({ get, range }: ResourceInstance, { text, object, list }: Writer): Element {
  const whole = (name: string, argument: string, attributes: Names): readonly Element[] => {
    const value = get(argument);
    if (value.kind === "null") return [];
    const own = Object.entries(attributes).flatMap(([attribute, from]) => {
      const part = get(from);
      return part.kind === "null" ? [] : [{ name: attribute, namespace: "", ...text(part) }];
    });
    return [element(name, range, { attributes: own, content: text(value) })];
  };
  const unit = get("unit").kind === "null" ? "memory_unit" : "unit";
  const [cpu, tune, numa, devices, os] = ["cpu", "cpu_tune", "numa_tune", "devices", "os"].map(get) as [Value, Value, Value, Value, Value];
  const children = [
    ...whole("name", "name", {}),
    ...["title", "description", "uuid"].flatMap((name) => whole(name, name, {})),
    ...whole("memory", "memory", { unit }),
    ...whole("currentMemory", "current_memory", { unit: "current_memory_unit" }),
    ...whole("maxMemory", get("max_memory").kind === "null" ? "maximum_memory" : "max_memory", {}),
    ...whole("vcpu", "vcpu", { placement: "vcpu_placement", cpuset: "vcpu_cpuset", current: "vcpu_current" }),
    ...whole("iothreads", get("iothreads").kind === "null" ? "io_threads" : "iothreads", {}),
    ...object("vcpus", get("vcpus"), {}, (vcpus) => numbered(list("vcpu", partOf(vcpus, "vcpu"), same("enabled", "hotpluggable")))),
    ...object("os", os, {}, (value) => object("type", value, { arch: "type_arch" })),
    ...object("cpu", cpu, same("mode"), (value) => [
      ...object("cache", partOf(value, "cache"), same("mode")),
      ...object("topology", partOf(value, "topology"), same("sockets", "dies", "clusters", "cores", "threads")),
      ...object("numa", partOf(value, "numa"), {}, (one) => numbered(list("cell", partOf(one, "cell"), same("cpus", "memory", "unit")))),
    ]),
    ...object("cputune", tune, {}, (value) => [
      ...list("vcpupin", partOf(value, "vcpu_pin"), { vcpu: "vcpu", cpuset: "cpu_set" }),
      ...object("emulatorpin", partOf(value, "emulator_pin"), { cpuset: "cpu_set" }),
      ...list("iothreadpin", partOf(value, "io_thread_pin"), { iothread: "io_thread", cpuset: "cpu_set" }),
    ]),
    ...object("numatune", numa, {}, (value) => [
      ...object("memory", partOf(value, "memory"), same("mode", "nodeset", "placement")),
      ...list("memnode", partOf(value, "mem_nodes"), { cellid: "cell_id", mode: "mode", nodeset: "nodeset" }),
    ]),
    ...object("devices", devices, {}, (value) => [
      ...list("disk", partOf(value, "disks"), same("device"), (disk) => object("target", partOf(disk, "target"), same("dev", "bus"))),
      ...list("interface", partOf(value, "interfaces"), {}, (nic) => object("model", partOf(nic, "model"), same("type"))),
    ]),
  ];
  return element("domain", range, { children });
}

/** The ids that the provider gives to cells and vCPUs, in order, unless their list is unknown. */
const numbered = (all: readonly Element[]): readonly Element[] =>
  all.some(({ attributes }) => attributes.some(({ unsure }) => unsure !== undefined)) && all.length === 1
    ? all
    : all.map((one, id) => ({
        ...one,
        attributes: [...one.attributes, { name: "id", namespace: "", value: String(id), range: one.tag }],
      }));

/** Returns the domain that a resource before version 0.9 makes. */
function oldDomain({ get, blocks, range }: ResourceInstance, { text }: Writer): Element {
  const whole = (name: string, argument: string, unit?: string): readonly Element[] => {
    const value = get(argument);
    const attributes = unit === undefined ? [] : [{ name: "unit", namespace: "", value: unit, range }];
    return value.kind === "null" ? [] : [element(name, range, { attributes, content: text(value) })];
  };
  const nics = blocks("network_interface").items.map(() => element("interface", range, { children: [VIRTIO] }));
  return element("domain", range, {
    children: [
      ...whole("name", "name"),
      ...whole("description", "description"),
      ...whole("memory", "memory", "MiB"),
      ...whole("vcpu", "vcpu"),
      element("devices", range, { children: nics }),
    ],
  });
}

const VIRTIO: Element = element("model", [0, 0], { attributes: [{ name: "type", namespace: "", value: "virtio", range: [0, 0] }] });

/** Arguments and blocks of one generation only. */
const NEW = [
  "devices",
  "memory_unit",
  "unit",
  "cpu_tune",
  "numa_tune",
  "features",
  "vcpu_placement",
  "vcpu_cpuset",
  "vcpus",
  "memory_backing",
];
const OLD_BLOCKS = ["disk", "network_interface", "console", "graphics", "video", "boot_device", "filesystem", "xml", "nvram", "cpu"];
const OLD = ["cloudinit", "coreos_ignition", "qemu_agent", "arch", "machine", "emulator", "firmware"];

/** Whether a resource is of version 0.9 or later; `undefined` if both versions accept it. */
function isNew({ get, blocks }: ResourceInstance, provider: Versions): boolean | undefined {
  const required = isAtLeast(provider, [0, 9, 0]);
  if (required !== undefined) return required;
  if (NEW.some((name) => get(name).kind !== "null")) return true;
  const isOld = OLD.some((name) => get(name).kind !== "null") || OLD_BLOCKS.some((name) => blocks(name).items.length > 0);
  return isOld ? false : undefined;
}

const ARGUMENTS = { vcpus: ["vcpu", read.count], memoryMiB: ["memory", read.count] } as const;

export const libvirtDomain: ResourceType = {
  providers: ["dmacvicar/libvirt"],
  arguments: ARGUMENTS,
  isVm: ({ get }) => {
    const type = get("type");
    return type.kind !== "string" || QEMU.has(type.value);
  },
  vm({ address, format, resourceInstance: resource, ownBlocks, directive, hasUnknownCount, resource: id }, provider) {
    const reader = settingReader(ownBlocks);
    const { range } = resource;
    const generation = isNew(resource, provider);
    const writer = writerFor(reader, range);
    const domain = generation ? newDomain(resource, writer) : oldDomain(resource, writer);
    const made = vmOf(domain, directive);
    const vm: VmSpec = {
      ...made,
      ...(generation === false && withoutTopology(made)),
      name: address,
      format,
      range,
      ...(made.name !== "" && { alias: made.name }),
      ...(generation !== true && { defaults: { ...made.defaults, memoryMiB: 512 } }),
      ...(hasUnknownCount && { hasUnknownCount }),
      ...(id !== undefined && { resource: id }),
      traceTo: reader.traceTo,
    };
    return {
      vm: generation === false ? withXslt(vm, resource) : generation ? vm : withoutUnit(vm, range),
      reader,
      ...(generation && { replacements: replacementsOf(vm, domain) }),
    };
  },
};

/** The older versions cannot state a topology. */
const withoutTopology = ({ kvm, remade }: Pick<VmSpec, "kvm" | "remade">): Partial<VmSpec> => ({
  ...(kvm && { kvm: { ...kvm, hasNoTopology: true } }),
  ...(remade && { remade: (settings) => withoutTopology(remade(settings)) }),
});

/** A style sheet may change each element. */
function withXslt(vm: VmSpec, { blocks, range }: ResourceInstance): VmSpec {
  return blocks("xml").items.length === 0 ? vm : withOpenMachine(vm, "its XSLT may change the domain", range);
}

/** The unit of memory is that of the version. */
const withoutUnit = (vm: VmSpec, range: Range): VmSpec => ({
  ...vm,
  settings: { ...vm.settings, memoryMiB: unknown("its unit depends on the version of the provider: KiB since 0.9, MiB before", range) },
});

/** Returns the literals to replace: counts that the topology states, and the memory in its unit. */
function replacementsOf(vm: VmSpec, domain: Element): (changes: readonly Change[]) => readonly Replacement[] | undefined {
  const child = (of: Element | undefined, name: string) => of?.children.find((one) => one.name === name);
  return (changes) => {
    const shape = shapeFor(domain, vm.settings, changes);
    if (!shape) return undefined;
    const topology = child(child(domain, "cpu"), "topology");
    const wanted = Object.entries(shape.counts ?? {});
    const counts = wanted.flatMap(([name, count]) => {
      const stated = topology?.attributes.find((one) => one.name === name);
      return stated?.value === String(count) || (!stated && count === 1) ? [] : [{ at: stated?.range, text: String(count) }];
    });
    const vcpu = child(domain, "vcpu");
    const memory = child(domain, "memory");
    const unit = bytesOf(memory?.attributes[0]?.value ?? "KiB");
    const size = changes.find(({ setting }) => setting === "memoryMiB")?.value;
    const amount = size === undefined || unit === undefined ? undefined : (Number(size) * 2 ** 20) / unit;
    if (size !== undefined && (!Number.isInteger(amount) || child(domain, "currentMemory") || child(child(domain, "cpu"), "numa")))
      return undefined;
    const all = [
      ...counts,
      ...(shape.maximum === undefined ? [] : [{ at: vcpu?.content.range, text: String(shape.maximum) }]),
      ...(amount === undefined ? [] : [{ at: memory?.content.range, text: String(amount) }]),
    ];
    return all.some(({ at }) => at === undefined) ? undefined : (all as readonly Replacement[]);
  };
}
