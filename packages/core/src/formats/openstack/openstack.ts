import { known } from "../../model/source.ts";
import * as read from "../../syntax/values.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, rangeOf, scoped, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { tasksCalling } from "../ansible/find-tasks.ts";
import { describe, field } from "../yaml/describe.ts";
import type { Kind, ReadVm } from "../yaml/kind.ts";
import { flavorFacts, type Specs } from "./flavor.ts";

/** The spellings of the keys of a flavor: `flavor show`, `flavor list --long`, the API, Heat and Ansible. */
const KEYS = {
  name: ["name", "Name"],
  vcpus: ["vcpus", "VCPUs"],
  ram: ["ram", "RAM"],
  specs: ["properties", "Properties", "extra_specs"],
} as const;

/** Flavors of OpenStack: output of the command and of the API, tasks of Ansible, templates of Heat. */
export const openstack: Kind = {
  name: "openstack",
  sign: /OS-FLV-|\bVCPUs["']?\s*:|OS::Nova::Flavor|compute_flavor\b|os_nova_flavor\b|"extra_specs"\s*:/,
  read: (object) => {
    const flavors = flavorsIn(object);
    return flavors.length > 0 ? flavors.map((flavor) => readFlavor(scoped(flavor))) : undefined;
  },
};

const keyOf = (flavor: Value, names: readonly string[]): string =>
  names.find((name) => !isNothing(get(flavor, name))) ?? (names[0] as string);

const isFlavor = (value: Value): boolean =>
  isMapping(value) && [KEYS.vcpus, KEYS.ram].every((names) => !isNothing(get(value, keyOf(value, names))));

/** The modules of Ansible that make a flavor. */
const MODULES = ["openstack.cloud.compute_flavor", "os_nova_flavor"];

/** Returns the flavors of a document: itself, a list, `flavors` of the API, resources of Heat, or tasks. */
function flavorsIn(object: Value): readonly Value[] {
  const items = itemsOf(object);
  if (items.length > 0) return items.some(isFlavor) ? items.filter(isFlavor) : tasksCalling(object, MODULES).map(({ args }) => args);
  const ofApi = [...itemsOf(get(object, "flavors")), get(object, "flavor")].filter(isFlavor);
  if (ofApi.length > 0) return ofApi;
  if (isFlavor(object) && isShown(object)) return [object];
  return entriesOf(get(object, "resources")).flatMap(({ value }) =>
    textOf(get(value, "type")) === "OS::Nova::Flavor" ? [get(value, "properties")] : [],
  );
}

/** Whether a mapping has more keys of a flavor than its size. */
const isShown = (object: Value): boolean =>
  entriesOf(object).some(({ key }) => /^(?:OS-FLV-|os-flavor-access:|rxtx_factor$|RXTX Factor$|extra_specs$)/.test(key));

function readFlavor(flavor: Value): ReadVm {
  const [nameKey, vcpusKey, ramKey, specsKey] = [KEYS.name, KEYS.vcpus, KEYS.ram, KEYS.specs].map((names) => keyOf(flavor, names)) as [
    string,
    string,
    string,
    string,
  ];
  const name = get(flavor, nameKey);
  const vcpus = settingOf(get(flavor, vcpusKey), read.count, vcpusKey);
  const ram = settingOf(get(flavor, ramKey), read.count, ramKey);
  const specs = specsIn(get(flavor, specsKey));
  const range = rangeOf(isNothing(name) ? get(flavor, vcpusKey) : name);
  const { settings, kvm } = flavorFacts(vcpus, ram, specs, range);
  const read_ = describe({
    format: "openstack-flavor",
    root: flavor,
    name,
    fields: { vcpus: field(vcpusKey, read.count), memoryMiB: field(ramKey, read.count) },
    base: flavor,
    extraSettings: settings,
    template: true,
    hasUnknownCount: true,
  });
  return { ...read_, vm: { ...read_.vm, platform: "kvm", kvm }, edits: () => undefined };
}

/** Reads extra specs: a mapping, or the text of older clients (`hw:cpu_policy='dedicated', hw:numa_nodes='2'`). */
function specsIn(properties: Value): Specs {
  if (isMapping(properties)) return new Map(entriesOf(properties).map(({ key, value }) => [key, settingOf(value, read.text, key)]));
  const range = rangeOf(properties);
  const text = textOf(properties) ?? "";
  return new Map(Array.from(text.matchAll(/([\w:.-]+)='([^']*)'/g), ([, key = "", value = ""]) => [key, known(value, range)]));
}
