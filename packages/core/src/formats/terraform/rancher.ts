import { known } from "../../model/source.ts";
import { isSequence, objectValue, stringValue, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import * as read from "../../syntax/values.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { textOf, vmOf } from "../hcl/vm-instance.ts";
import { INHERITED, OF_TEMPLATE } from "../inherited.ts";
import { RANCHER } from "../rancher.ts";
import type { ResourceType } from "./resource-type.ts";

/** rancher/terraform-provider-rancher2, schema_machine_config_v2_vsphere.go: numbers as text. */
const ARGUMENTS = {
  vcpus: ["cpu_count", read.count],
  memoryMiB: ["memory_size", read.count],
} as const;

const BLOCK = "vsphere_config";

/** The machines of a pool of Rancher. */
export const rancherMachineConfig: ResourceType = {
  providers: ["rancher/rancher2"],
  arguments: ARGUMENTS,
  isVm: (resource) => resource.blocks(BLOCK).items.length > 0,
  vm(instance) {
    const outer = instance.resourceInstance;
    const resource: ResourceInstance = outer.blocks(BLOCK).items[0] ?? outer;
    const { range } = resource;
    // "legacy" creates a VM from an ISO, with one PVSCSI controller (rancher/machine, drivers/vmwarevsphere/create.go); other types clone.
    const how = textOf(resource.get("creation_type"), "legacy");
    const isMade = how?.toLowerCase() === "legacy";
    const { vm, reader } = vmOf({ ...instance, resourceInstance: resource }, ARGUMENTS, {
      generator: RANCHER,
      ...(!isMade && { inherits: { names: INHERITED, reason: OF_TEMPLATE } }),
      list: "cfgparam",
      extraConfig: pairsIn(resource.get("cfgparam")),
      scsi: () => (isMade ? [{ id: "scsi0", bus: 0, type: known("pvscsi", range), range }] : []),
      from: isMade ? undefined : resource.get("clone_from"),
      alias: outer.get("generate_name"),
    });
    // A pool decides how many there are.
    return { vm: { ...vm, template: true }, reader };
  },
};

/** `["disk.enableUUID=TRUE"]`: options of ESXi, each in one text. */
function pairsIn(list: Value): Value {
  if (!isSequence(list)) return list;
  const pairs = list.items.map((item) => (item.kind === "string" ? pairIn(item.value, item) : undefined));
  if (pairs.some((pair) => pair === undefined)) return unknownValue("an option is not known", list.trace);
  return withTrace(objectValue(pairs.flatMap((pair) => (pair ? [pair] : []))), list.trace);
}

function pairIn(text: string, { trace }: Value): readonly [string, Value] {
  const equals = text.indexOf("=");
  return [text.slice(0, Math.max(equals, 0)), withTrace(stringValue(text.slice(equals + 1)), trace)];
}
