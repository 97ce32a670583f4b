import { ABSENT, type Setting, unknown } from "../../model/source.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import type { Value } from "../../syntax/hcl/value.ts";
import { STRING } from "../../syntax/hcl/value-type.ts";
import type { Read } from "../../syntax/values.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import type { SettingReader } from "../hcl/setting-reader.ts";
import { vmOf } from "../hcl/vm-instance.ts";
import { OF_TEMPLATE } from "../inherited.ts";
import { proxmoxFacts } from "../proxmox/facts.ts";
import type { ResourceType } from "./resource-type.ts";

/** The block and the argument of each key of Proxmox; "" is the resource itself. */
type Places = Readonly<Record<string, readonly (readonly [block: string, argument: string])[]>>;

/** bpg/terraform-provider-proxmox, docs/resources/virtual_environment_vm.md (014b59e04f30). */
const BPG: Places = {
  sockets: [["cpu", "sockets"]],
  cores: [["cpu", "cores"]],
  vcpus: [["cpu", "hotplugged"]],
  numa: [["cpu", "numa"]],
  affinity: [["cpu", "affinity"]],
  cpu: [["cpu", "type"]],
  memory: [["memory", "dedicated"]],
  hugepages: [["memory", "hugepages"]],
  template: [["", "template"]],
  args: [["", "kvm_arguments"]],
};

/** Telmate/terraform-provider-proxmox, docs/resources/vm_qemu.md: version 3 has a block for the CPU. */
const TELMATE: Places = {
  sockets: [
    ["cpu", "sockets"],
    ["", "sockets"],
  ],
  cores: [
    ["cpu", "cores"],
    ["", "cores"],
  ],
  vcpus: [
    ["cpu", "vcores"],
    ["", "vcpus"],
  ],
  numa: [
    ["cpu", "numa"],
    ["", "numa"],
  ],
  affinity: [["cpu", "affinity"]],
  memory: [["", "memory"]],
  hotplug: [["", "hotplug"]],
  args: [["", "args"]],
};

/** Settings of Proxmox that a clone inherits if the resource does not set them. */
const proxmoxType = (provider: string, places: Places, isClone: (resource: ResourceInstance) => boolean): ResourceType => ({
  providers: [provider],
  arguments: {},
  vm(instance) {
    const { resourceInstance: resource } = instance;
    const inherits = isClone(resource);
    const factsOf = (reader: SettingReader) =>
      proxmoxFacts({ setting: settingIn(resource, reader, places, inherits), range: resource.range });
    const made = vmOf(
      instance,
      {},
      {
        platform: "kvm",
        alias: resource.get("name"),
        settings: (_, reader) => factsOf(reader).settings,
        ...(!inherits && { defaults: { vcpus: 1, coresPerSocket: 1, memoryMiB: 512 } }),
      },
    );
    const { facts } = factsOf(made.reader);
    return { ...made, vm: { ...made.vm, kvm: facts(made.vm.settings), remade: (settings) => ({ kvm: facts(settings) }) } };
  },
});

function settingIn(resource: ResourceInstance, reader: SettingReader, places: Places, inherits: boolean) {
  return <T>(key: string, read: Read<T>): Setting<T> => {
    const node = /^numa(\d)$/.exec(key);
    if (node) return nodeIn(resource, key, read);
    for (const [name, argument] of places[key] ?? []) {
      const { items, missing } = name === "" ? { items: [resource], missing: undefined } : resource.blocks(name);
      if (missing !== undefined) return unknown(missing, resource.range);
      const value = items[0]?.get(argument);
      if (value && value.kind !== "null") return reader.read(value, read, items[0]?.range ?? resource.range);
    }
    return inherits && key in places ? unknown(OF_TEMPLATE, resource.range) : ABSENT;
  };
}

/** Reads a `numa` block of bpg as the text that Proxmox gets. */
function nodeIn<T>(resource: ResourceInstance, key: string, read: Read<T>): Setting<T> {
  const { items, missing } = resource.blocks("numa");
  if (missing !== undefined) return unknown(missing, resource.range);
  const node = items.find((item) => textOf(item.get("device")) === key);
  if (!node) return ABSENT;
  const parts = ["cpus", "memory", "hostnodes", "policy"].map((name) => ({ name, value: node.get(name) }));
  if (parts.some(({ value }) => value.kind === "unknown")) return unknown("a part of its NUMA node is unknown", node.range);
  const texts = parts.flatMap(({ name, value }) => (value.kind === "null" ? [] : [`${name}=${textOf(value)}`]));
  // The provider sends a policy with each node of the host.
  const policy = texts.some((text) => text.startsWith("policy=")) ? [] : ["policy=preferred"];
  return read([...texts, ...policy].join(","), node.range);
}

function textOf(value: Value): string | undefined {
  const text = convert(value, STRING);
  return text.kind === "string" ? text.value : undefined;
}

const hasBlock = (resource: ResourceInstance, name: string): boolean => {
  const { items, missing } = resource.blocks(name);
  return items.length > 0 || missing !== undefined;
};

export const proxmoxVirtualEnvironmentVm = proxmoxType("bpg/proxmox", BPG, (resource) => hasBlock(resource, "clone"));

export const proxmoxVmQemu = proxmoxType(
  "telmate/proxmox",
  TELMATE,
  (resource) => resource.get("clone").kind !== "null" || resource.get("clone_id").kind !== "null",
);
