import { withinCeilings } from "../../model/ceilings.ts";
import type { Parsed } from "../../model/parsed.ts";
import type { Problem } from "../../model/problem.ts";
import { ABSENT, beforeLineEnd, known, type Located, type Range, type Setting, unknown } from "../../model/source.ts";
import type { Directive, SettingName, Settings, VmSpec } from "../../model/spec.ts";
import { type DataNode, scalarOf, settingOf } from "../../syntax/node.ts";
import * as read from "../../syntax/values.ts";
import { type Element, readXml } from "../../syntax/xml/xml.ts";
import { addAffinity } from "../advanced.ts";
import { readDirective } from "../directive.ts";
import type { Format } from "../format.ts";
import { ifPointer } from "../lfs.ts";
import { advancedOf, countOrNone, specSettings } from "../vi-json/config.ts";
import { atPath } from "../vi-json/member.ts";
import { readDevices, readScsiControllers } from "./devices.ts";
import { attributeOf, child, choicesIn, configurationsOf, type Item, isEnvelope, itemsIn, kindOf, VMW, vmwAttribute } from "./item.ts";
import { descriptorOf } from "./tar.ts";
import { unitOf } from "./units.ts";

/** More than any descriptor: the largest of govmomi's 792 fixtures has 825 kB. */
const MOST_CHARACTERS = 20_000_000;

/** Far more than an appliance offers. Each may be a machine of its own, made of all items. */
const MOST_CONFIGURATIONS = 200;

/** An OVF descriptor: every virtual system in it, in every configuration that it can be deployed in. */
function parseOvf(text: string): Parsed {
  if (text.length > MOST_CHARACTERS) {
    return broken(`${text.length} characters are more than the ${MOST_CHARACTERS} of any descriptor`, [0, 0]);
  }
  const pointer = ifPointer(text);
  if (pointer) return pointer;
  if (!/<(?:[\w.-]+:)?Envelope[\s>]/.test(text)) return nobodys("it has no Envelope, which every OVF descriptor is");
  const document = readXml(text);
  if ("message" in document) {
    const { message, offset } = document;
    return broken(message, beforeLineEnd([offset, Math.min(offset + 1, text.length)], text));
  }
  const { root, comments } = document;
  // ovftool 3.5 declares the namespace for a prefix and then leaves the prefix out.
  const declared = root.attributes.some(({ value }) => isEnvelope(value));
  if (root.name !== "Envelope" || !(isEnvelope(root.namespace) || (root.namespace === "" && declared))) {
    return nobodys("its root is no Envelope in a namespace of OVF");
  }
  const { directive, problems } = readDirective(text, comments);
  const configurations = configurationsOf(root);
  if (configurations.length > MOST_CONFIGURATIONS) {
    return broken(`${configurations.length} deployment options are more than the ${MOST_CONFIGURATIONS} of any descriptor`, [0, 0]);
  }
  const vms = systemsIn(root).flatMap((system) => vmsOf(system, configurations, directive));
  return { vms, problems };
}

const nobodys = (foreign: string): Parsed => ({ vms: [], problems: [], foreign });

const broken = (message: string, range: Range): Parsed => {
  const problem: Problem = { ruleId: "inventory/unreadable", messageId: "broken", data: { language: "XML", message }, range };
  return { vms: [], problems: [problem] };
};

/** Virtual systems, also those in collections, at any depth. */
function systemsIn(element: Element): readonly Element[] {
  return element.children.flatMap((each) => {
    const kind = kindOf(each);
    return kind === "VirtualSystem" ? [each] : kind === "VirtualSystemCollection" ? systemsIn(each) : [];
  });
}

/**
 * A system in its default configuration, and in each other that makes another machine of it. It may offer its hardware in several
 * families: the first that VMware runs counts.
 */
function vmsOf(system: Element, configurations: readonly string[], directive: Directive): readonly VmSpec[] {
  const sections = system.children.filter((section) => kindOf(section) === "VirtualHardwareSection");
  const hardware = sections.find((section) => /vmx-\d/i.test(familyOf(section)?.value ?? "")) ?? sections[0];
  if (!hardware) return [];
  const [[byDefault] = [], ...others] = choicesIn(hardware, configurations);
  const first = vmOf(system, hardware, byDefault, directive);
  return [
    first,
    ...others.map((ids): VmSpec => {
      const name = `${first.name} (${ids.length === 1 ? "option" : "options"}: ${ids.join(", ")})`;
      return { ...vmOf(system, hardware, ids[0], directive), name, alias: first.name, choiceOf: first };
    }),
  ];
}

function vmOf(system: Element, hardware: Element, configuration: string | undefined, directive: Directive): VmSpec {
  const name = system.children.find((each) => each.name === "Name")?.content ?? attributeOf(system, "id");
  const range = name?.range ?? familyOf(hardware)?.range ?? [0, 0];
  const items = itemsIn(hardware, configuration);
  const options = keyed(hardware, "ExtraConfig", (key) => key.toLowerCase());
  const settings = specSettings(atPath(keyed(hardware, "Config"), "", range), options);
  const guest = system.children.find((section) => kindOf(section) === "OperatingSystemSection");
  const osType = guest && vmwAttribute(guest, "osType");

  const family = familyOf(hardware);
  settings.hardwareVersion = settingOf(family && scalarOf(family), hardwareVersion);
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
    // Each was read by the reader of its own name.
    ...withinCeilings(settings as unknown as Settings),
    defaults: {},
    scsiControllers: readScsiControllers(items),
    devices: () => readDevices(items),
    advanced: () => advanced,
    directive,
  };
}

const familyOf = (hardware: Element): Located<string> | undefined =>
  hardware.children.find(({ name }) => name === "System")?.children.find(({ name }) => name === "VirtualSystemType")?.content;

/** `vmw:Config` and `vmw:ExtraConfig` of a section: values by their key. */
function keyed(hardware: Element, name: string, spelt: (key: string) => string = (key) => key): ReadonlyMap<string, DataNode> {
  const found = new Map<string, DataNode>();
  for (const element of hardware.children) {
    if (element.name !== name || element.namespace !== VMW) continue;
    const [key, value] = [vmwAttribute(element, "key"), vmwAttribute(element, "value")];
    if (key && value) found.set(spelt(key.value), scalarOf(value));
  }
  return found;
}

/** `vmx-13`. Of several the host takes the newest it supports, which no file can say. */
function hardwareVersion(family: string, range: Range): Setting<number> {
  const words = [...family.matchAll(/vmx-(\d+)/gi)];
  const [only, ...others] = words;
  if (!only) return unknown(`"${family}" is no virtual hardware of VMware`, range);
  if (others.length > 0) return unknown(`the host takes the newest it supports of ${words.map(([word]) => word).join(", ")}`, range);
  return read.count(String(Number(only[1])), range);
}

type Said = readonly (readonly [name: SettingName, setting: Setting<unknown>])[];

const CPU = 3;
const MEMORY = 4;

function cpuSettings(items: readonly Item[], range: Range): Said {
  const [cpu, ...others] = items.filter(({ type }) => type === CPU);
  if (!cpu || others.length > 0)
    return [["vcpus", unknown(`it has ${cpu ? "several CPU items" : "no CPU item"}`, (cpu ?? { range }).range)]];
  return [
    ["vcpus", settingOf(scalar(cpu, "VirtualQuantity"), read.count)],
    ["coresPerSocket", settingOf(scalar(cpu, "CoresPerSocket"), countOrNone)],
    ["cpuReservationMHz", amount(cpu, "Reservation", 1e6, read.natural)],
    ["cpuLimitMHz", amount(cpu, "Limit", 1e6, read.limit)],
  ];
}

function memorySettings(items: readonly Item[], range: Range): Said {
  const [memory, ...others] = items.filter(({ type }) => type === MEMORY);
  if (!memory || others.length > 0) {
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

/** An amount in units of `into`. 0 and no limit are the same in every unit; what has no unit stays unknown. */
function amount<T>(item: Item, name: string, into: number, reader: read.Read<T>): Setting<T> {
  const content = child(item, name);
  if (!content || content.value === "") return ABSENT;
  const { value, range } = content;
  if (!/^[1-9]\d{0,15}$/.test(value)) return settingOf(scalarOf(content), reader);
  const units = child(item, "AllocationUnits");
  const unit = units && unitOf(units.value);
  if (unit === undefined) return unknown(units ? `"${units.value}" is no unit vmlint knows` : "it has no AllocationUnits", range);
  const converted = (Number(value) * unit) / into;
  return Number.isSafeInteger(converted)
    ? reader(String(converted), range)
    : unknown(`it is no whole number of ${into === 1e6 ? "MHz" : "MiB"}`, range);
}

/**
 * No fix is written: a package's manifest holds a checksum of its descriptor, and one changed behind its back is refused when it
 * is deployed (DSP0243, package manifest).
 */
export const ovf: Format = { name: "ovf", parse: parseOvf };

/** A package in one file, of which only the descriptor is read; or a descriptor that goes by the name of one. */
export const ova: Format = {
  ...ovf,
  name: "ova",
  unpack: descriptorOf,
  parse(text) {
    if (text === "") return nobodys("it is not a tar archive with a descriptor (.ovf)");
    return isPacked(text) ? nobodys("it is an archive that was not unpacked; the command vmlint does it") : parseOvf(text);
  },
};

/** Whether a text is that of the archive itself, as editors have it: the fields of its first header end in zeros, which XML never has. */
const isPacked = (text: string): boolean => text.slice(0, 512).includes("\0");
