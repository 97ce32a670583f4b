import type { Parsed } from "../../model/parsed.ts";
import type { VmSpec } from "../../model/spec.ts";
import { excessOf } from "../../syntax/extent.ts";
import { readJson } from "../../syntax/json/json.ts";
import type { DataNode } from "../../syntax/node.ts";
import { textFormat } from "../format.ts";
import { unreadable } from "../unreadable.ts";
import { readConfigInfo, readConfigSpec } from "./config-info.ts";
import { atPath, member, memberAt } from "./member.ts";
import { CLUSTER_WORDS, HOST_WORDS, VM_MEMBERS } from "./recognise.ts";

const FORMAT = "govc";

/** Reads all VMs in the output of `govc vm.info`, `object.collect` and `device.info` with -json, and in JSON of the vSphere API. */
function parseEach(text: string): Parsed<Iterable<VmSpec>> {
  const result = readJson(text);
  if ("message" in result) return unreadable("JSON", result.message, [result.offset, Math.min(result.offset + 1, text.length)]);
  const excess = excessOf(result.documents.flatMap(listIn).length, "VMs");
  if (excess !== undefined) return unreadable("JSON", excess);
  const vms = {
    *[Symbol.iterator]() {
      for (const document of result.documents) yield* vmsOf(document);
    },
  };
  const [first] = vms;
  // A text with only hosts or clusters has nothing to check, but VMs of other files may be on these hosts.
  if (!first && (HOST_WORDS.test(text) || CLUSTER_WORDS.test(text))) return { vms: [], problems: [] };
  if (!first) return { vms: [], problems: [], foreign: NO_VM };
  return { vms, problems: [] };
}

const NO_VM = "it has no VM in the JSON of govc or the vSphere API";

function parse(text: string): Parsed {
  const { vms, ...parsed } = parseEach(text);
  return { ...parsed, vms: [...vms] };
}

/** Returns the list of VMs or of their properties in a document. */
function listIn(root: DataNode): readonly DataNode[] {
  const value = root.get("_value") ?? countedList(root) ?? root;
  const [list = value] = ["changeSet", "propSet", "objects", "virtualMachines"].flatMap((name) => member(value, name) ?? []);
  return list.items();
}

function* vmsOf(root: DataNode): Iterable<VmSpec> {
  const value = root.get("_value") ?? countedList(root) ?? root;
  // `govc collect -type m` and RetrievePropertiesEx list each VM with the requested properties.
  const properties = member(value, "changeSet") ?? member(value, "propSet");
  const objects = member(value, "objects");
  if (properties) yield* collected(properties, properties.items());
  else if (objects) for (const object of objects.items()) yield* vmsOf(object);
  else if (value.kind === "list") {
    const items = value.items();
    const isCollected = items.length > 0 && items.every((item) => member(item, "name") !== undefined && hasValue(item));
    if (isCollected) yield* collected(value, items);
    else for (const item of items) yield* vmOf(item);
  } else {
    const vms = member(value, "virtualMachines");
    if (!vms) yield* vmOf(value);
    else for (const item of vms.items()) if (item.kind === "mapping") yield vmInfo(item);
  }
}

/** Windows PowerShell 5.1 writes an array inside of an object as its elements and their count (PowerShell/PowerShell#3153). */
const countedList = (node: DataNode): DataNode | undefined => {
  const list = node.get("Count") && node.get("value");
  return list?.kind === "list" ? list : undefined;
};

const hasValue = (item: DataNode): boolean =>
  item.get("val") !== undefined || item.get("Val") !== undefined || item.get("op") !== undefined;

/** A VM of `govc vm.info`. If its host is unreachable, `config` is missing and all settings are unknown. */
function vmInfo(vm: DataNode): VmSpec {
  const [name, config] = [member(vm, "name"), member(vm, "config")];
  const runtime = member(vm, "runtime") ?? memberAt(vm, "summary.runtime");
  return readConfigInfo(config, {
    format: FORMAT,
    range: (name ?? vm).range,
    name: name?.text,
    isComplete: config !== undefined,
    runtime,
    quickStats: memberAt(vm, "summary.quickStats"),
    // `self` of the API, `MoRef` in PowerCLI's objects.
    id: (memberAt(vm, "self.value") ?? memberAt(vm, "moRef.value"))?.text,
  });
}

function vmOf(node: DataNode): readonly VmSpec[] {
  const type = node.get("_typeName")?.text;
  // The body of CreateVM_Task, and of ReconfigVM_Task.
  const request = member(node, "config") ?? member(node, "spec");
  if (request?.get("_typeName")?.text === "VirtualMachineConfigSpec") return vmOf(request);
  const context = { format: FORMAT, range: (member(node, "name") ?? node.get("_typeName") ?? node).range };
  if (type === "VirtualMachineConfigSpec") return [readConfigSpec(node, context)];
  if (type === "VirtualMachineConfigInfo" || memberAt(node, "hardware.numCPU")) return [readConfigInfo(node, context)];
  if (type === "VirtualHardware" || (member(node, "numCPU") && member(node, "memoryMB"))) {
    const config = atPath(new Map([["hardware", node]]), "", node.range);
    return [readConfigInfo(config, { ...context, range: (member(node, "numCPU") ?? node).range, isComplete: false })];
  }
  if (type === "VirtualMachine" || memberAt(node, "config.hardware.numCPU")) return [vmInfo(node)];
  // The output of PowerCLI's Get-VM, which contains the API object.
  const view = member(node, "extensionData");
  if (view && memberAt(view, "config.hardware.numCPU")) return [vmInfo(view)];
  const devices = member(node, "devices")?.items() ?? [];
  if (!devices.some((device) => /^(?:Virtual|ParaVirtual)/.test(member(device, "type")?.text ?? ""))) return [];
  return [readConfigInfo(undefined, { ...context, range: devices[0]?.range ?? context.range, isComplete: false, devices })];
}

/** `govc object.collect` names each property by its path: `config`, `config.hardware.numCPU`. */
function collected(list: DataNode, items: readonly DataNode[]): readonly VmSpec[] {
  const properties = new Map(items.map((item) => [member(item, "name")?.text ?? "", member(item, "val")]));
  const config = properties.get("config") ?? atPath(properties, "config", list.range);
  if (!VM_MEMBERS.some((key) => member(config, key))) return [];
  const name = properties.get("name");
  const range = (name ?? member(config, "name") ?? items[0] ?? list).range;
  const runtime = properties.get("runtime") ?? atPath(properties, "runtime", range);
  const quickStats = properties.get("summary.quickStats") ?? member(properties.get("summary"), "quickStats");
  return [
    readConfigInfo(config, {
      format: FORMAT,
      range,
      name: name?.text,
      isComplete: properties.get("config") !== undefined,
      runtime,
      quickStats,
    }),
  ];
}

/** An inventory is a report, so vmlint never edits it. */
export const govc = textFormat({ name: FORMAT, parse, parseEach });
