import { CONFIG_KEYS } from "../config/config-names.ts";
import { TUNING_FAMILIES } from "../formats/misspelt.ts";
import { ARGUMENT_NAMES, BOARD_ARGUMENTS } from "../formats/vsphere-provider.ts";
import { NO_SETTINGS } from "../model/spec.ts";
import { WORKLOAD_FIELD_NAMES } from "../model/workload.ts";

// A line may hold a password next to the value of a finding, so only values of keys that vmlint knows are quoted.

/** Keys with texts that are no settings, without separators. */
const OTHER_KEYS =
  "numvcpus memsize hotadd virtualmmu virtualexec name displayname vmname hostname guestid guestos guestostype guestosidentifier guestosid virtualdev adaptertype networkadapter " +
  "scsitype controllertype hardware virtualhw vmxversion version apiversion encoding kind type template source sourcepath clonefrom " +
  "instance instanceid caption elementname resourcetype resourcesubtype allocationunits configuration required parent " +
  "firmware bootfirmware datastore cluster folder rule rules vm vms until reason path paths package provider classname vmclassname profile " +
  // libvirt, Proxmox and OpenStack.
  "placement mode unit cpuset nodeset match cpu machine arch bus model ostype scsihw bios hotplug affinity cpupolicy cputhreadpolicy " +
  "emulatorthreadspolicy cputhreads mempagesize " +
  // Exports of vCenter.
  "powerstate";

const plain = (key: string): string => key.toLowerCase().replace(/[_-]|enabled$/g, "");

const KNOWN = new Set(
  [
    ...[NO_SETTINGS, BOARD_ARGUMENTS].flatMap(Object.keys),
    ...[ARGUMENT_NAMES, BOARD_ARGUMENTS].flatMap(Object.values<string>),
    ...WORKLOAD_FIELD_NAMES,
    ...CONFIG_KEYS,
  ]
    .map(plain)
    .concat(OTHER_KEYS.split(" ")),
);

/** Whether the value of a key may be shown. A key of a family, such as `scsi0.virtualDev`, is known by its last part. */
function isKnown(key: string): boolean {
  const name = key.toLowerCase().replace(/^.*:/, "");
  if (name.startsWith("guestinfo")) return false;
  const last = name.replace(/\.version$/, "").replace(/^.*\./, "");
  return TUNING_FAMILIES.some((family) => name.startsWith(family)) || KNOWN.has(plain(last));
}

/** A key that may hold a number as a secret. */
const SECRET = /guestinfo|pass(?!thr)|secret|token|\bpin\b|cred|auth/i;

/** Numbers, lists of numbers, flags and references. */
const HARMLESS = /^(?:[\d.,:\sx-]*|true|false|yes|no|on|off|auto|null|none|\$\{[^}]*\}|\{\{.*\}\})$/i;

/** A key in front of its value. */
const KEY = /([\w.:-]+)["']?\s*[:=]\s*[[(]?\s*$/;

/** A key and its value are two entries: `key: numa.nodeAffinity, value: "0"`. */
const KEY_OF_VALUE = /\b(?:key|name)["']?\s*[:=]\s*["']?([\w.:-]+)["']?[^{}<>]*$/i;

/** A text value: in quotes, or bare behind a colon or an equals sign. A quoted key or a label of a block is none. */
const VALUE =
  /(?<=[=:[(,?>]\s*)"((?:[^"\\]|\\.)*)(?:"(?!\s*[:=])|$)|(?<=[=:[(,?]\s*)'([^']*)(?:'(?!\s*[:=])|$)|(?<=[\w"'\]]:[ \t]+)([^\s"'{[\],#*&|>!][^,}\]#]*)/g;

/** Returns a line with the values of other keys hidden. Its length stays. */
export function quotedLine(line: string): string {
  const words = /^(\s*[\w.:-]{2,}\s+)(.*)$/.exec(line);
  // Without a separator it is neither a setting nor a block.
  if (words && !/[=:{}[\]<>"]|^\s*(?:#|\/\/|-)/.test(line)) return `${words[1]}${hidden(words[2] ?? "")}`;
  // An option of a VM may be without quotes.
  const bare = /^(\s*([\w:]+\.[\w.]+)\s*=\s*)([^"\s].*)$/.exec(line);
  if (bare) return isShown(bare[1] ?? "", bare[3] ?? "") ? line : `${bare[1]}${hidden(bare[3] ?? "")}`;
  return line.replace(VALUE, (all: string, ...groups: readonly unknown[]) => {
    const value = String(groups.slice(0, 3).find((group) => group !== undefined));
    return isShown(line.slice(0, Number(groups[3])), value) ? all : all.replace(value, () => hidden(value));
  });
}

function isShown(before: string, value: string): boolean {
  const key = KEY.exec(before)?.[1] ?? "";
  if (/^(?:\w+:)?key$/i.test(key)) return isKnown(value) || /^guestinfo\.[\w.]+$/i.test(value);
  const named = /^(?:\w+:)?value$/i.test(key) ? (KEY_OF_VALUE.exec(before)?.[1] ?? key) : key;
  return isKnown(named) || (HARMLESS.test(value.trim()) && !SECRET.test(named));
}

const hidden = (text: string): string => text.replace(/\S/g, "*");
