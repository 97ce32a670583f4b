import type { Range } from "../../model/source.ts";
import type { VmSpec } from "../../model/spec.ts";
import { isMapping, objectValue, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { ANY_VERSION } from "../hcl/versions.ts";
import { typeOfResource } from "../terraform/types.ts";
import { inCamelCase } from "../vsphere-provider.ts";
import { entriesOf, get, isThere, isTrue, itemsOf, type Json, rangeOf, textOf, valueAt } from "./json-tree.ts";
import { asItIs, NO_WORDS } from "./plan.ts";

/** Whether a document is the output of `pulumi stack export` (pulumi, apitype.UntypedDeployment and DeploymentV3). */
export const isStack = (root: Json): boolean => isThere(get(get(root, "deployment"), "manifest"));

/** Resources to delete, to replace, and resources "not managed by Pulumi" (apitype.ResourceV3). */
const NOT_OURS = ["delete", "pendingReplacement", "external"];

/** Returns the VMs of a stack. */
export const stackVms = (root: Json): readonly VmSpec[] =>
  itemsOf(get(get(root, "deployment"), "resources")).flatMap((resource) => {
    const [urn, values] = [get(resource, "urn"), get(resource, "outputs")];
    const type = typeOfResource(inTerraform(textOf(get(resource, "type")) ?? ""));
    if (!type || !isThere(values) || isSecret(values) || NOT_OURS.some((flag) => isTrue(get(resource, flag)))) return [];
    // urn:pulumi:stack::project::type::name
    const address = (textOf(urn) ?? "").split("::").slice(3).join("::");
    const stateResource = writtenIn(values, rangeOf(urn));
    if (type.isVm?.(stateResource) === false) return [];
    const { vm } = type.vm(
      { address, format: "pulumi-stack", resourceInstance: stateResource, ownBlocks: [rangeOf(values)], directive: NO_WORDS, exists: true },
      ANY_VERSION,
    );
    return [asItIs(vm)];
  });

/** `vsphere:index/virtualMachine:VirtualMachine` is Terraform's `vsphere_virtual_machine`. */
const inTerraform = (type: string): string =>
  type.replace(
    /^(\w+):index\/(\w+):\w+$/,
    (_, of, name) => `${of}_${name.replace(/[A-Z]/g, (letter: string) => `_${letter.toLowerCase()}`)}`,
  );

/** Maps properties to Terraform's names; lists are plural (pulumi-vsphere 4.17, schema.json). */
function writtenIn(values: Json, range: Range): ResourceInstance {
  const find = (name: string): Json => [name, `${name}s`].map((key) => get(values, inCamelCase(key))).find(isThere) ?? get(values, name);
  return {
    range,
    get: (argument) => openValue(find(argument)),
    blocks(type) {
      const value = find(type);
      // A block that occurs at most once is not a list.
      const items = value.node?.kind === "object" ? [value] : itemsOf(value);
      return items.some(isSecret)
        ? { items: [], missing: SECRET }
        : { items: items.map((item) => writtenIn(item, rangeOf(item))), missing: undefined };
    },
  };
}

/** Whether a secret, an asset or similar replaces the value (pulumi, resource.SigKey). */
const isSecret = (json: Json): boolean => isThere(get(json, "4dabf18193072939515e22adb298388d"));

const SECRET = "it is a secret of the stack";

/** Returns a value with its secrets as unknown. */
function openValue(json: Json): Value {
  if (isSecret(json) || itemsOf(json).some(isSecret)) return unknownValue(SECRET);
  const value = valueAt(json);
  if (!isMapping(value)) return value;
  return withTrace(
    objectValue(
      entriesOf(json).map(([key, inner]) => [key, openValue(inner)] as const),
      value.keys,
    ),
    value.trace,
  );
}
