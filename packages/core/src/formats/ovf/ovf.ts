import type { Parsed } from "../../model/parsed.ts";
import { ABSENT, known, type Located, type Range, type Setting, unknown } from "../../model/source.ts";
import type { Directive, SettingName, Settings, VmSpec } from "../../model/spec.ts";
import { type DataNode, scalarOf, settingOf } from "../../syntax/node.ts";
import * as read from "../../syntax/values.ts";
import { type Element, readXml } from "../../syntax/xml/xml.ts";
import { addAffinity } from "../advanced.ts";
import { CONFIG_SPEC, countOrNone, type Paths, type SentFields } from "../api-keys.ts";
import { isOption, PARTS, readBoard } from "../board.ts";
import { checkSettings } from "../check-settings.ts";
import { readDirective } from "../directive.ts";
import { textFormat } from "../format.ts";
import { brokenAt, ifPointer, unreadable } from "../unreadable.ts";
import { advancedOf, ignoredIn, specSettings } from "../vi-json/config-info.ts";
import { atPath, memberAt } from "../vi-json/member.ts";
import { unitOf } from "./allocation-units.ts";
import { readDevices, readScsiControllers } from "./devices.ts";
import { attributeOf, child, choicesIn, configurationsOf, type Item, isEnvelope, itemsIn, kindOf, VMW, vmwAttribute } from "./item.ts";
import { descriptorOf } from "./tar.ts";

/** Larger than real descriptors: the largest of govmomi's 792 fixtures has 825 kB. */
const MOST_CHARACTERS = 20_000_000;

/** More options than a real appliance offers; each may be a different VM. */
const MOST_CONFIGURATIONS = 200;

/** Reads an OVF descriptor: every virtual system with every deployment option. */
function parseOvf(text: string): Parsed {
  if (text.length > MOST_CHARACTERS) {
    return unreadable("XML", `more than ${MOST_CHARACTERS} characters`);
  }
  const pointer = ifPointer(text);
  if (pointer) return pointer;
  if (!/<(?:[\w.-]+:)?Envelope[\s>]/.test(text)) return nobodys("it has no Envelope element");
  const document = readXml(text);
  if ("message" in document) return brokenAt("XML", document, text);
  const { root, comments } = document;
  // ovftool 3.5 declares the namespace with a prefix and then omits the prefix.
  const isOvf = root.attributes.some(({ value }) => isEnvelope(value));
  if (root.name !== "Envelope" || !(isEnvelope(root.namespace) || (root.namespace === "" && isOvf))) {
    return nobodys("its root element is not an OVF Envelope");
  }
  const { directive, problems } = readDirective(text, comments);
  const configurations = configurationsOf(root);
  if (configurations.length > MOST_CONFIGURATIONS) {
    return unreadable("XML", `more than ${MOST_CONFIGURATIONS} deployment options`);
  }
  const vms = systemsIn(root).flatMap((system) => vmsOf(system, configurations, directive));
  return { vms, problems };
}

const nobodys = (foreign: string): Parsed => ({ vms: [], problems: [], foreign });

/** Returns all virtual systems, including those inside of collections. */
function systemsIn(element: Element): readonly Element[] {
  return element.children.flatMap((child) => {
    const kind = kindOf(child);
    return kind === "VirtualSystem" ? [child] : kind === "VirtualSystemCollection" ? systemsIn(child) : [];
  });
}

/**
 * Returns a system with its default option, and with each further option that changes the VM. A system may have several hardware families;
 * the first that VMware supports applies.
 */
function vmsOf(system: Element, configurations: readonly string[], directive: Directive): readonly VmSpec[] {
  const sections = system.children.filter((section) => kindOf(section) === "VirtualHardwareSection");
  const hardware = sections.find((section) => /vmx-\d/i.test(familyOf(section)?.value ?? "")) ?? sections[0];
  if (!hardware) return [];
  const [[defaultChoice] = [], ...otherChoices] = choicesIn(hardware, configurations);
  const first = vmOf(system, hardware, defaultChoice, directive);
  return [
    first,
    ...otherChoices.map((ids): VmSpec => {
      const name = `${first.name} (${ids.length === 1 ? "option" : "options"}: ${ids.join(", ")})`;
      return { ...vmOf(system, hardware, ids[0], directive), name, alias: first.name, choiceOf: first };
    }),
  ];
}

function vmOf(system: Element, hardware: Element, configuration: string | undefined, directive: Directive): VmSpec {
  const name = system.children.find((child) => child.name === "Name")?.content ?? attributeOf(system, "id");
  const range = name?.range ?? familyOf(hardware)?.range ?? [0, 0];
  const items = itemsIn(hardware, configuration);
  const options = keyed(hardware, "ExtraConfig", (key) => key.toLowerCase());
  const config = atPath(keyed(hardware, "Config"), "", range);
  const settings = specSettings(config, options);
  const guest = system.children.find((section) => kindOf(section) === "OperatingSystemSection");
  const osType = guest && vmwAttribute(guest, "osType");

  // A product that imports the package decides what is missing.
  const board = readBoard(({ key = "", member, read: readValue }, name) => {
    const node = isOption(name) ? options.get(key.toLowerCase()) : member === undefined ? undefined : memberAt(config, member);
    return node && settingOf(node, readValue);
  });

  const family = familyOf(hardware);
  settings.hardwareVersion = settingOf(family && scalarOf(family), hardwareVersion, "VirtualSystemType");
  // VMware marks some with a star: "*other26xLinux64Guest".
  if (osType) settings.guestOs = settingOf(scalarOf(osType), (word, place) => known(word.replace(/^\*/, ""), place));
  for (const [name, setting] of [...cpuSettings(items, range), ...memorySettings(items, range)]) {
    if (setting.state !== "absent") settings[name] = setting;
  }
  const advanced = advancedOf(options);
  addAffinity(settings, advanced);
  return {
    name: name?.value ?? "",
    format: "ovf",
    // Any product may import it.
    platform: "unknown",
    range,
    // The reader of each setting has the right type, which the compiler loses.
    ...checkSettings(settings as unknown as Settings),
    configured: ignoredIn(options, settings as unknown as Settings, board, { list: "vmw:ExtraConfig", argumentOf }),
    defaults: {},
    scsiControllers: readScsiControllers(items),
    devices: () => readDevices(items),
    board: () => board,
    advanced: () => advanced,
    directive,
  };
}

/** The elements for settings that OVF itself has; `vmw:Config` has the rest. */
const ELEMENTS: { readonly [K in SettingName]?: string } = {
  vcpus: "rasd:VirtualQuantity of the CPU",
  coresPerSocket: "vmw:CoresPerSocket",
  memoryMiB: "rasd:VirtualQuantity of the memory",
  hardwareVersion: "vssd:VirtualSystemType",
  guestOs: "vmw:osType",
  cpuReservationMHz: "rasd:Reservation of the CPU",
  cpuLimitMHz: "rasd:Limit of the CPU",
  memoryReservationMiB: "rasd:Reservation of the memory",
  memoryLimitMiB: "rasd:Limit of the memory",
};

const argumentOf: SentFields["argumentOf"] = (name) => {
  const path = (CONFIG_SPEC as Paths)[name as SettingName]?.[0] ?? PARTS[name as "firmware"]?.member;
  return ELEMENTS[name as SettingName] ?? (path && `vmw:Config ${path}`);
};

const familyOf = (hardware: Element): Located<string> | undefined =>
  hardware.children.find(({ name }) => name === "System")?.children.find(({ name }) => name === "VirtualSystemType")?.content;

/** Returns `vmw:Config` and `vmw:ExtraConfig` of a section by key. */
function keyed(hardware: Element, name: string, spelt: (key: string) => string = (key) => key): ReadonlyMap<string, DataNode> {
  const nodes = new Map<string, DataNode>();
  for (const element of hardware.children) {
    if (element.name !== name || element.namespace !== VMW) continue;
    const [key, value] = [vmwAttribute(element, "key"), vmwAttribute(element, "value")];
    if (key && value) nodes.set(spelt(key.value), scalarOf(value));
  }
  return nodes;
}

/** Reads `vmx-13`. Among several, the host selects the newest that it supports, so the value is unknown. */
function hardwareVersion(family: string, range: Range): Setting<number> {
  const words = [...family.matchAll(/vmx-(\d+)/gi)];
  const [first, ...rest] = words;
  if (!first) return unknown(`"${family}" is not virtual hardware of VMware`, range);
  if (rest.length > 0) {
    const reason = `the host takes the newest it supports of ${words.map(([word]) => word).join(", ")}`;
    return unknown(
      reason,
      range,
      words.map(([, version]) => Number(version)),
    );
  }
  return read.count(String(Number(first[1])), range);
}

type ReadSettings = readonly (readonly [name: SettingName, setting: Setting<unknown>])[];

const CPU = 3;
const MEMORY = 4;

function cpuSettings(items: readonly Item[], range: Range): ReadSettings {
  const [cpu, ...extra] = items.filter(({ type }) => type === CPU);
  if (!cpu || extra.length > 0)
    return [["vcpus", unknown(`it has ${cpu ? "several CPU items" : "no CPU item"}`, (cpu ?? { range }).range)]];
  return [
    ["vcpus", settingOf(scalar(cpu, "VirtualQuantity"), read.count, "VirtualQuantity of the CPU")],
    ["coresPerSocket", settingOf(scalar(cpu, "CoresPerSocket"), countOrNone, "CoresPerSocket")],
    ["cpuReservationMHz", amount(cpu, "Reservation", 1e6, read.natural)],
    ["cpuLimitMHz", amount(cpu, "Limit", 1e6, read.limit)],
  ];
}

function memorySettings(items: readonly Item[], range: Range): ReadSettings {
  const [memory, ...extra] = items.filter(({ type }) => type === MEMORY);
  if (!memory || extra.length > 0) {
    return [["memoryMiB", unknown(`it has ${memory ? "several memory items" : "no memory item"}`, (memory ?? { range }).range)]];
  }
  return [
    ["memoryMiB", amount(memory, "VirtualQuantity", 2 ** 20, read.count)],
    ["memoryReservationMiB", amount(memory, "Reservation", 2 ** 20, read.natural)],
    ["memoryLimitMiB", amount(memory, "Limit", 2 ** 20, read.limit)],
  ];
}

function scalar(item: Item, name: string): DataNode | undefined {
  const content = child(item, name);
  return content && content.value !== "" ? scalarOf(content) : undefined;
}

/** Reads an amount in units of `into`. 0 and "no limit" need no unit; other amounts without unit are unknown. */
function amount<T>(item: Item, name: string, into: number, reader: read.Read<T>): Setting<T> {
  const content = child(item, name);
  if (!content || content.value === "") return ABSENT;
  const { value, range } = content;
  if (!/^[1-9]\d{0,15}$/.test(value)) return settingOf(scalarOf(content), reader, name);
  const units = child(item, "AllocationUnits");
  const unit = units && unitOf(units.value);
  if (unit === undefined) return unknown(units ? `"${units.value}" is not a known unit` : "it has no AllocationUnits", range);
  const converted = (Number(value) * unit) / into;
  return Number.isSafeInteger(converted)
    ? reader(String(converted), range)
    : unknown(`it is not a whole number of ${into === 1e6 ? "MHz" : "MiB"}`, range);
}

/**
 * No fix: the manifest of a package has the checksum of its descriptor, and deployment refuses a changed one (DSP0243, package manifest).
 */
export const ovf = textFormat({ name: "ovf", parse: parseOvf });

/** Reads a package in one file, or a descriptor with the file name of a package. For packages only the descriptor is read. */
export const ova = textFormat({
  name: "ova",
  unpack: descriptorOf,
  parse(text: string) {
    if (text === "") return nobodys("it is empty");
    return isPacked(text) ? nobodys("it is a packed archive; the command vmlint unpacks it") : parseOvf(text);
  },
});

/** Whether a text is the archive itself, as editors load it: the fields of its first header end in zeros, which XML never contains. */
const isPacked = (text: string): boolean => text.slice(0, 512).includes("\0");
