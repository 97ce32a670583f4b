import { type Setting, unknown } from "../../model/source.ts";
import type { Settings } from "../../model/spec.ts";
import { isMapping } from "../../syntax/hcl/value.ts";
import { STRING } from "../../syntax/hcl/value-type.ts";
import * as read from "../../syntax/values.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import type { SettingReader } from "../hcl/setting-reader.ts";
import { vmOf } from "../hcl/vm-instance.ts";
import { flavorFacts, type Specs } from "../openstack/flavor.ts";
import type { ResourceType, Sibling, Siblings } from "./resource-type.ts";

const ARGUMENTS = { vcpus: ["vcpus", read.count], memoryMiB: ["ram", read.count] } as const;

const PROVIDERS = ["terraform-provider-openstack/openstack"];

/** Servers refer to a name, which Terraform plans as written. */
const NAMED: ResourceType["planned"] = new Map([["name", STRING]]);

/** Returns the extra specs of a flavor, which are a map of texts. */
function specsOf({ get, range }: ResourceInstance, reader: SettingReader): Specs {
  const value = get("extra_specs");
  return isMapping(value)
    ? new Map([...value.entries].map(([key, one]) => [key, reader.read(one, read.text, range)]))
    : new Map<string, Setting<string>>(value.kind === "null" ? [] : [["hw:", unknown("extra_specs is unknown", range)]]);
}

/** The flavors of the OpenStack provider. */
export const openstackFlavor: ResourceType = {
  providers: PROVIDERS,
  arguments: ARGUMENTS,
  planned: NAMED,
  vm(instance) {
    const { resourceInstance: resource } = instance;
    const factsOf = ({ vcpus, memoryMiB }: Settings, reader: SettingReader) =>
      flavorFacts(vcpus, memoryMiB, specsOf(resource, reader), resource.range);
    const made = vmOf(instance, ARGUMENTS, {
      platform: "kvm",
      alias: resource.get("name"),
      settings: (settings, reader) => factsOf(settings, reader).settings,
    });
    const { kvm } = factsOf(made.vm.settings, made.reader);
    const remade = (other: Settings) => {
      const facts = factsOf(other, made.reader);
      return { kvm: facts.kvm, settings: { ...other, ...facts.settings } };
    };
    return { ...made, vm: { ...made.vm, kvm, remade, template: true, hasUnknownCount: true } };
  },
};

/** The images of the provider, whose properties count for servers. */
export const openstackImage: ResourceType = {
  providers: PROVIDERS,
  arguments: {},
  planned: NAMED,
  isVm: () => false,
  vm() {
    throw new Error("an image is no VM");
  },
};

/** Returns the resource that a server names by its id or its name; `undefined` unless it is certain. */
function referred(all: readonly Sibling[], { get, reference }: ResourceInstance, what: "flavor" | "image"): Sibling | undefined {
  const name = get(`${what}_name`);
  if (get(`${what}_id`).kind !== "null") return all.find((one) => reference?.(`${what}_id`) === `${one.name}.id`);
  const [found, other] = all.filter(({ resource }) => {
    const own = resource.get("name");
    return name.kind === "string" && own.kind === "string" && own.value === name.value;
  });
  return other ? undefined : found;
}

/** Returns the flavor and the image of a server, if both are resources of its module and the image has wishes. */
function partsOf(server: ResourceInstance, siblings: Siblings | undefined) {
  const { items, missing } = server.blocks("block_device");
  // A server that boots from a volume has the wishes of the volume.
  if (!siblings || items.length > 0 || missing !== undefined) return undefined;
  if (["flavor_id", "flavor_name", "image_id", "image_name"].some((argument) => server.keeps?.(argument) !== undefined)) return undefined;
  const flavor = referred(siblings("openstack_compute_flavor_v2"), server, "flavor");
  const image = referred(siblings("openstack_images_image_v2"), server, "image");
  const properties = image?.resource.get("properties");
  if (!flavor || !image || !properties || !isMapping(properties)) return undefined;
  const wishes = [...properties.entries].filter(([key]) => key.startsWith("hw_"));
  return wishes.length > 0 ? { flavor, image, wishes } : undefined;
}

/** The servers of the provider, if the module has their flavor and their image. */
export const openstackInstance: ResourceType = {
  providers: PROVIDERS,
  arguments: {},
  isVm: (resource, siblings) => partsOf(resource, siblings) !== undefined,
  vm(instance, _, siblings) {
    const parts = partsOf(instance.resourceInstance, siblings);
    if (!parts) throw new Error("the flavor or the image is elsewhere");
    const { flavor, image, wishes } = parts;
    const { range } = instance.resourceInstance;
    const factsOf = (reader: SettingReader) => {
      const { resource } = flavor;
      const [vcpus, memoryMiB] = [resource.get("vcpus"), resource.get("ram")].map((value) =>
        reader.read(value, read.count, resource.range),
      );
      const properties: Specs = new Map(wishes.map(([key, value]) => [key, reader.read(value, read.text, image.resource.range)]));
      const sizes = { vcpus, memoryMiB } as Pick<Settings, "vcpus" | "memoryMiB">;
      const { settings, kvm } = flavorFacts(sizes.vcpus, sizes.memoryMiB, specsOf(resource, reader), range, properties);
      return { kvm, settings: { ...sizes, ...settings } };
    };
    const made = vmOf(
      { ...instance, ownBlocks: [...instance.ownBlocks, flavor.block, image.block] },
      {},
      { platform: "kvm", alias: instance.resourceInstance.get("name"), settings: (_settings, reader) => factsOf(reader).settings },
    );
    // A change of the flavor would change its other servers.
    return { ...made, vm: { ...made.vm, kvm: factsOf(made.reader).kvm }, replacements: () => undefined };
  },
};
