import { once } from "../../model/memoize.ts";
import type { Parsed } from "../../model/parsed.ts";
import type { Problem } from "../../model/problem.ts";
import { ABSENT, type Range, type Setting, valueIfKnown, withText } from "../../model/source.ts";
import { NO_SETTINGS, type SettingName, type Settings, type Uuids, type VmSpec } from "../../model/spec.ts";
import * as read from "../../syntax/values.ts";
import { ADVANCED_PREFIXES, affinityByVcpu, isAdvanced } from "../advanced.ts";
import { readBoard } from "../board.ts";
import { checkSettings } from "../check-settings.ts";
import { readDirective } from "../directive.ts";
import { textFormat } from "../format.ts";
import { ALL_SETTINGS, filledIn, leaveOpen } from "../inherited.ts";
import { misspelt, TUNING_FAMILIES } from "../misspelt.ts";
import { ifPointer, unreadable } from "../unreadable.ts";
import { isDevice, readDevices, readScsiControllers } from "./devices.ts";
import { type Buffers, type Dictionary, type Entry, entryValue, type Key, keyOf, newBuffers } from "./dictionary.ts";
import { editVmx, lineStart } from "./edit.ts";
import { VMX_SPELLINGS } from "./keys.ts";
import { type Lookup, settingReader } from "./lookup.ts";
import { platformOf } from "./platform.ts";
import { readDictionary } from "./scan.ts";

/** The hashed keys of settings. */
const KEYS = VMX_SPELLINGS.map((spelling) => ({ ...spelling, lower: keyOf(spelling.lower) }));

const CONFIG_VERSION = keyOf("config.version");
const DISPLAY_NAME = keyOf("displayname");
const INSTANCE_UUID = keyOf("vc.uuid");
const BIOS_UUID = keyOf("uuid.bios");
const KEY_SAFE = keyOf("encryption.keysafe");
const ENCRYPTED = keyOf("encryption.data");
const MEM_MINSIZE = keyOf("sched.mem.minsize");
const PER_VCPU = ["sched.vcpu"];

/** libvirt, vmx.c. Cores per socket have no default here, because it depends on the hardware version. */
const DEFAULTS = { vcpus: 1, memoryMiB: 32 };

/** Keys that show that a file is meant for VMware products. */
const VMWARE_KEYS = new Set(["config.version", "displayname", "encryption.keysafe", ...KEYS.map(({ lower }) => lower.text)]);

function isVmware(dictionary: Dictionary): boolean {
  if (dictionary.indexOf(CONFIG_VERSION) >= 0) return true;
  for (let i = 0; i < dictionary.size; i++) {
    const key = dictionary.key(i);
    if (VMWARE_KEYS.has(key) || isAdvanced(key) || isDevice(key)) return true;
  }
  return false;
}

/** The buffers of the last text, with its dictionary, because the next request is mostly for the same file. */
let spare: { readonly buffers: Buffers; readonly dictionary: Dictionary | undefined } | undefined;

/** Parses a .vmx file into its VM. */
export function parseVmx(text: string, bytes?: Uint8Array): Parsed {
  return ifPointer(text) ?? withDictionary(text, bytes, parseDictionary);
}

/** Lends a dictionary to `use`, which must not keep it: its buffers serve the next text. */
function withDictionary<T>(text: string, bytes: Uint8Array | undefined, use: (dictionary: Dictionary) => T): T {
  const { buffers, dictionary: last } = spare ?? { buffers: newBuffers(), dictionary: undefined };
  spare = undefined;
  const dictionary = last?.text === text ? last : readDictionary(text, bytes, buffers);
  const result = use(dictionary);
  spare = { buffers, dictionary };
  return result;
}

function parseDictionary(dictionary: Dictionary): Parsed {
  const { text } = dictionary;
  if (!isVmware(dictionary)) {
    return { vms: [], problems: [], foreign: "it has no key that VMware writes, such as virtualHW.version" };
  }

  if (dictionary.excess !== undefined) return unreadable("VMX", dictionary.excess);
  const lookup = settingReader(dictionary);
  const settings: Record<SettingName, Setting<unknown>> = { ...NO_SETTINGS };
  const readKey = (key: string, lower: Key, readValue: read.Read<unknown>): Setting<unknown> => {
    const setting = lookup(lower, readValue);
    return setting.state === "unknown" ? withText(setting, { key, text: text.slice(...setting.range) }) : setting;
  };
  for (const { name, key, lower, read: readValue } of KEYS) settings[name] = filledIn(name, readKey(key, lower, readValue), readValue);
  // ESXi writes the reservation under two names; sched.mem.min is the documented one.
  if (settings.memoryReservationMiB === ABSENT) settings.memoryReservationMiB = readKey("sched.mem.minsize", MEM_MINSIZE, read.natural);
  const vcpus = settings.vcpus === ABSENT ? DEFAULTS.vcpus : (valueIfKnown(settings.vcpus) as number | undefined);
  if (settings.cpuAffinity === ABSENT) settings.cpuAffinity = affinityByVcpu(readOptions(dictionary, lookup, PER_VCPU), vcpus);

  const hiddenKey = hiddenIn(dictionary);
  if (hiddenKey !== undefined) leaveOpen(settings, ALL_SETTINGS, { reason: hiddenKey, range: [0, 0] });

  const { directive, problems: directiveProblems } = readDirective(text, dictionary.comments);
  const nameIndex = dictionary.indexOf(DISPLAY_NAME);
  const name = nameIndex < 0 ? undefined : dictionary.entry(nameIndex);
  const vm: VmSpec = {
    name: name ? entryValue(text, name) : "",
    format: "vmx",
    platform: platformOf(lookup, settings as Settings),
    range: name?.valueRange ?? [0, 0],
    // The reader of each setting has the right type, which the compiler loses.
    ...checkSettings(settings as unknown as Settings, { ruleId: "vmx/type" }),
    defaults: hiddenKey === undefined ? DEFAULTS : {},
    scsiControllers: readScsiControllers(dictionary, lookup),
    devices: once(() => parseAgain(text, (dictionary, lookup) => readDevices(dictionary, lookup, hiddenKey))),
    ...(hiddenKey === undefined && {
      board: once(() =>
        parseAgain(text, (_, lookup) => readBoard(({ key, read: readValue }) => key && lookup(keyOf(key.toLowerCase()), readValue))),
      ),
    }),
    advanced: once(() => parseAgain(text, readAdvanced)),
    directive,
    uuids: once(() => parseAgain(text, readUuids)),
    edit: (changes) => editVmx(text, vm, changes),
  };
  return { vms: [vm], problems: [...directiveProblems, ...lineProblems(dictionary)] };
}

/** Returns why the VM may have more than the file contains, because parts of the file are unreadable. */
function hiddenIn(dictionary: Dictionary): string | undefined {
  if (dictionary.indexOf(ENCRYPTED) >= 0) return "it may be encrypted";
  return dictionary.open ? "a template may bring it in" : undefined;
}

/** Parses the text again, unless it was the last one, for rare requests. */
const parseAgain = <T>(text: string, readPart: (dictionary: Dictionary, lookup: Lookup) => T): T =>
  withDictionary(text, undefined, (dictionary) => readPart(dictionary, settingReader(dictionary)));

const readUuids = (_: Dictionary, lookup: Lookup): Uuids => ({
  instance: read.uuid(valueIfKnown(lookup(INSTANCE_UUID, read.text))),
  bios: read.uuid(valueIfKnown(lookup(BIOS_UUID, read.text))),
});

const readAdvanced = (dictionary: Dictionary, lookup: Lookup) => readOptions(dictionary, lookup, ADVANCED_PREFIXES);

function readOptions(dictionary: Dictionary, lookup: Lookup, prefixes: readonly string[]): ReadonlyMap<string, Setting<string>> {
  const options = new Map<string, Setting<string>>();
  for (const index of dictionary.startingWith(prefixes)) {
    const key = dictionary.key(index);
    options.set(key, lookup(keyOf(key), read.text));
  }
  return options;
}

function lineProblems(dictionary: Dictionary): Problem[] {
  const { text, size, duplicates, malformed } = dictionary;
  const problems: Problem[] = malformed.map((range) =>
    problem("vmx/malformed-line", "ignored", { line: quotedStart(text.slice(...range).trim()) }, range),
  );
  for (const duplicate of duplicates) {
    const first = dictionary.entry(dictionary.indexOf(keyOf(duplicate.key)));
    const key = text.slice(...duplicate.keyRange);
    const [a, b] = [entryValue(text, first), entryValue(text, duplicate)];
    // The value of an unknown key may be a password.
    const isKnown = VMX_SPELLINGS.some(({ lower }) => lower === key.toLowerCase());
    const [messageId, data] = a === b ? ["same", { key }] : isKnown ? ["differs", { key, first: a, second: b }] : ["unknown", { key }];
    problems.push({
      ...problem("vmx/duplicate-key", messageId, data, duplicate.keyRange),
      related: [{ message: "first set here", range: first.keyRange }],
      ...(a === b && { fix: { title: `Remove the second ${key}`, edits: [{ range: lineOf(text, duplicate), newText: "" }] } }),
    });
  }
  for (const index of dictionary.startingWith(TUNING_FAMILIES)) {
    const meant = misspelt(dictionary.key(index));
    if (meant === undefined) continue;
    const keyRange = dictionary.keyRange(index);
    problems.push(problem("vmx/unknown-key", "near", { key: text.slice(...keyRange), meant }, keyRange));
  }
  const keySafe = dictionary.indexOf(KEY_SAFE);
  if (keySafe >= 0) problems.push(problem("vmx/unreadable", "encrypted", { clear: size }, dictionary.entry(keySafe).keyRange));
  return problems;
}

/** Returns the key of a malformed line, with a quotation mark if its value has one: the value may be a password. */
const quotedStart = (line: string): string => `${/^[^\s="]*/.exec(line)?.[0] ?? ""}${line.includes('"') ? ' = "' : ""}`;

/** Returns the whole line of an entry, including its line end. */
function lineOf(text: string, { keyRange, valueRange }: Entry): Range {
  const start = lineStart(text, keyRange[0]);
  const eol = /\r\n|\n|\r|$/g;
  eol.lastIndex = valueRange[1];
  const match = eol.exec(text);
  return [start, match ? match.index + match[0].length : text.length];
}

const problem = (ruleId: string, messageId: string, data: Problem["data"], range: Range): Problem => ({
  ruleId,
  messageId,
  data,
  range,
});

export const vmx = textFormat({
  name: "vmx",
  parse: parseVmx,
  comments: (text) => withDictionary(text, undefined, ({ comments }) => comments),
});
