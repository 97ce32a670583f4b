import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { Range } from "../../model/source.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import { isMapping, isSequence, objectValue, stringValue, type Value } from "../../syntax/hcl/value.ts";
import { STRING } from "../../syntax/hcl/value-type.ts";
import * as read from "../../syntax/values.ts";
import { at, type NodePlace, textOf, type Value as YamlValue } from "../../syntax/yaml/tree.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { type SettingReader, settingReader } from "../hcl/setting-reader.ts";
import type { ReadVm } from "../yaml/kind.ts";
import { readDocument } from "../yaml/kinds.ts";
import { harvesterVirtualMachine, kubernetesManifest } from "./manifest-type.ts";
import type { ResourceType } from "./resource-type.ts";

/** A text in place of an unknown value: readers of Kubernetes objects leave templates open. */
const OPEN = "${}";

/** Returns the object of a manifest as YAML would state it. Its values have their places in HCL. */
function treeOf(manifest: Value, reader: SettingReader, fallback: Range): YamlValue {
  const places = new Map<unknown, NodePlace>();
  const listOf = (items: readonly Value[]): Node => {
    const list = new YAMLSeq<Node>();
    list.items.push(...items.map(nodeOf));
    return list;
  };
  const mappingOf = (entries: ReadonlyMap<string, Value>): Node => {
    const mapping = new YAMLMap<Node, Node>();
    for (const [key, item] of entries) {
      const name = new Scalar(key);
      places.set(name, { range: item.trace[0]?.range ?? fallback });
      mapping.items.push(new Pair<Node, Node>(name, nodeOf(item)));
    }
    return mapping;
  };
  const scalarOf = (item: Value): Node => {
    const text = convert(item, STRING);
    const setting = reader.read(item, read.text, fallback);
    const scalar = new Scalar(item.kind === "null" ? null : text.kind === "string" ? text.value : OPEN);
    scalar.type = item.kind === "string" ? Scalar.QUOTE_DOUBLE : Scalar.PLAIN;
    if (setting.state !== "absent")
      places.set(scalar, { range: setting.range, ...(setting.state === "unknown" && { unsure: setting.reason }) });
    return scalar;
  };
  const nodeOf = (item: Value): Node => {
    if (!isSequence(item) && !isMapping(item)) return scalarOf(item);
    const node = isMapping(item) ? mappingOf(item.entries) : listOf(item.items);
    places.set(node, { range: item.trace[0]?.range ?? fallback });
    return node;
  };
  const source = { text: "", marked: false, template: false, branches: [], inserts: [], places };
  return { node: nodeOf(manifest), document: new Document(), source };
}

/** Returns the VM of a manifest, read as a YAML file that states the same object; `undefined` for an object of another kind. */
function machineIn(manifest: Value, range: Range, reader: SettingReader): (ReadVm & { readonly name: string | undefined }) | undefined {
  if (!isMapping(manifest)) return undefined;
  const root = treeOf(manifest, reader, range);
  const [machine] = readDocument(root, () => {}, { objects: () => [root] }) ?? [];
  return machine && { ...machine, name: textOf(at(root, ["metadata", "name"])) };
}

/** Returns a type whose resources state a Kubernetes object. */
const readAs = (type: ResourceType, objectOf: (resource: ResourceInstance) => Value): ResourceType => ({
  ...type,
  isVm: (resource) => machineIn(objectOf(resource), resource.range, settingReader([])) !== undefined,
  vm({ address, format, resourceInstance, ownBlocks, directive, hasUnknownCount, resource }) {
    const reader = settingReader(ownBlocks);
    const machine = machineIn(objectOf(resourceInstance), resourceInstance.range, reader);
    if (!machine) throw new Error("manifest is another object");
    const { vm, name, replacements } = machine;
    return {
      vm: {
        ...vm,
        name: address,
        format,
        range: resourceInstance.range,
        directive,
        traceTo: reader.traceTo,
        ...(name !== undefined && { alias: name }),
        ...(hasUnknownCount && { hasUnknownCount: true }),
        ...(resource !== undefined && { resource }),
      },
      reader,
      ...(replacements && { replacements }),
    };
  },
});

/**
 * Returns the VirtualMachine that the provider of Harvester makes: the CPUs are cores of one socket, and the memory is a limit
 * (https://github.com/harvester/harvester/blob/0f53f0478f92/pkg/builder/vm.go).
 */
function harvesterObject({ get }: ResourceInstance): Value {
  const orDefault = (argument: string, value: Value): Value => (get(argument).kind === "null" ? value : get(argument));
  const object = (entries: Readonly<Record<string, Value>>): Value => objectValue(Object.entries(entries));
  const cpu = object({
    cores: orDefault("cpu", stringValue("1")),
    dedicatedCpuPlacement: get("cpu_pinning"),
    isolateEmulatorThread: get("isolate_emulator_thread"),
  });
  const resources = object({ limits: object({ memory: orDefault("memory", stringValue("1Gi")) }) });
  return object({
    apiVersion: stringValue("kubevirt.io/v1"),
    kind: stringValue("VirtualMachine"),
    metadata: object({ name: get("name") }),
    spec: object({ runStrategy: get("run_strategy"), template: object({ spec: object({ domain: object({ cpu, resources }) }) }) }),
  });
}

/** The VMs among the objects that Terraform applies to Kubernetes. */
export const MANIFEST_TYPES: Readonly<Record<string, ResourceType>> = {
  kubernetes_manifest: readAs(kubernetesManifest, ({ get }) => get("manifest")),
  harvester_virtualmachine: readAs(harvesterVirtualMachine, harvesterObject),
};
