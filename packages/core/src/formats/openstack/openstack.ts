import { known, unknown } from "../../model/source.ts";
import type { VmSpec } from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import {
  entriesOf,
  get,
  isMapping,
  isNothing,
  itemsOf,
  rangeOf,
  scoped,
  settingOf,
  spanOf,
  textOf,
  type Value,
} from "../../syntax/yaml/tree.ts";
import { tasksCalling } from "../ansible/find-tasks.ts";
import { describe, field } from "../yaml/describe.ts";
import type { Kind, ReadVm } from "../yaml/kind.ts";
import { flavorFacts, type Specs } from "./flavor.ts";
import { computedBy, heatResources, imageProperties, imagesIn, type Named, namesOf, type Server, serversIn } from "./servers.ts";

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
  read: (object, _, { objects }) => {
    const flavors = flavorsIn(object).map(({ value, resource }) => named(readFlavor(scoped(value)), get(value, KEYS.name[0]), resource));
    const servers = serversIn(object).flatMap((server) => joined(server, objects()) ?? []);
    return flavors.length + servers.length > 0 ? [...flavors, ...servers] : undefined;
  },
};

const keyOf = (flavor: Value, names: readonly string[]): string =>
  names.find((name) => !isNothing(get(flavor, name))) ?? (names[0] as string);

const isFlavor = (value: Value): boolean =>
  isMapping(value) && [KEYS.vcpus, KEYS.ram].every((names) => !isNothing(get(value, keyOf(value, names))));

/** The modules of Ansible that make a flavor. */
const MODULES = ["openstack.cloud.compute_flavor", "os_nova_flavor"];

/** Returns the flavors of a document: itself, a list, `flavors` of the API, resources of Heat, or tasks. */
function flavorsIn(object: Value): readonly Named[] {
  const flavorOf = (value: Value): Named => ({ names: namesOf(value, "name", "Name", "id", "ID"), value });
  const items = itemsOf(object);
  if (items.length > 0)
    return items.some(isFlavor) ? items.filter(isFlavor).map(flavorOf) : tasksCalling(object, MODULES).map(({ args }) => flavorOf(args));
  const ofApi = [...itemsOf(get(object, "flavors")), get(object, "flavor")].filter(isFlavor);
  if (ofApi.length > 0) return ofApi.map(flavorOf);
  if (isFlavor(object) && isShown(object)) return [flavorOf(object)];
  return heatResources(object, "OS::Nova::Flavor").map(({ properties, ...resource }) => ({
    names: [resource.key, ...namesOf(properties, "name")],
    value: properties,
    resource,
  }));
}

/** Returns a server with the wishes of its image, if both its flavor and its image are in the text. */
function joined({ value, name, flavor, image, resource }: Server, objects: readonly Value[]): ReadVm | undefined {
  const one = (all: readonly Named[], wanted: string): Value | undefined => {
    const [found, other] = all.filter(({ names }) => names.includes(wanted));
    return found && !other ? found.value : undefined;
  };
  const ofFlavor = one(objects.flatMap(flavorsIn), flavor);
  const ofImage = one(objects.flatMap(imagesIn), image);
  const properties = ofImage && imageProperties(ofImage);
  if (!ofFlavor || !properties || properties.size === 0) return undefined;
  const read_ = readFlavor(scoped(ofFlavor), properties);
  const range = rangeOf(isNothing(name) ? value : name);
  const server = { ...read_, span: spanOf(value), vm: { ...read_.vm, name: textOf(name) ?? "", range, template: false } };
  return named(server, name, resource);
}

/** Without a name property, Heat uses the resource's key. A function may also compute the name. */
const named = (read_: ReadVm, name: Value, resource: Named["resource"]): ReadVm =>
  resource && textOf(name) === undefined ? { ...read_, vm: { ...read_.vm, name: resource.key, range: resource.keyRange } } : read_;

/** Whether a mapping has more keys of a flavor than its size. */
const isShown = (object: Value): boolean =>
  entriesOf(object).some(({ key }) => /^(?:OS-FLV-|os-flavor-access:|rxtx_factor$|RXTX Factor$|extra_specs$)/.test(key));

function readFlavor(flavor: Value, image?: Specs): ReadVm {
  const [nameKey, vcpusKey, ramKey, specsKey] = [KEYS.name, KEYS.vcpus, KEYS.ram, KEYS.specs].map((names) => keyOf(flavor, names)) as [
    string,
    string,
    string,
    string,
  ];
  const name = get(flavor, nameKey);
  const find = (from: Value, path: readonly string[]): Value => orComputed(path.reduce(get, from));
  const vcpus = settingOf(find(flavor, [vcpusKey]), read.count, vcpusKey);
  const ram = settingOf(find(flavor, [ramKey]), read.count, ramKey);
  const specs = specsIn(get(flavor, specsKey));
  const range = rangeOf(isNothing(name) ? get(flavor, vcpusKey) : name);
  const { settings, kvm } = flavorFacts(vcpus, ram, specs, range, image);
  const read_ = describe({
    format: "openstack-flavor",
    root: flavor,
    name,
    fields: { vcpus: field(vcpusKey, read.count), memoryMiB: field(ramKey, read.count) },
    base: flavor,
    find,
    extraSettings: settings,
    template: true,
    hasUnknownCount: true,
  });
  const remade: VmSpec["remade"] = (other) => {
    const facts = flavorFacts(other.vcpus, other.memoryMiB, specs, range, image);
    return { kvm: facts.kvm, settings: { ...other, ...facts.settings } };
  };
  return { ...read_, vm: { ...read_.vm, platform: "kvm", kvm, remade }, edits: () => undefined };
}

/** Marks a value that a function of Heat computes as unknown. */
function orComputed(value: Value): Value {
  const unsure = computedBy(value);
  return unsure === undefined ? value : { ...value, unsure };
}

/** Stands for all extra specs that decide the view of the guest. */
const ANY_SPEC = "hw:*";

/** Reads extra specs: a mapping, or the text of older clients (`hw:cpu_policy='dedicated', hw:numa_nodes='2'`). */
function specsIn(properties: Value): Specs {
  const range = rangeOf(properties);
  const unsure = computedBy(properties);
  if (unsure !== undefined) return new Map([[ANY_SPEC, unknown(unsure, range)]]);
  if (isMapping(properties)) {
    return new Map(
      entriesOf(properties).map(({ key, keyRange, value }) =>
        isTemplate(properties.source.text.slice(...keyRange))
          ? [ANY_SPEC, unknown("a template names a spec", keyRange)]
          : [key, settingOf(orComputed(value), read.text, key)],
      ),
    );
  }
  const text = textOf(properties) ?? "";
  if (isTemplate(text)) return new Map([[ANY_SPEC, unknown("a template fills it in", range)]]);
  return new Map(Array.from(text.matchAll(/([\w:.-]+)='([^']*)'/g), ([, key = "", value = ""]) => [key, known(value, range)]));
}
