import { type Range, type Setting, valueIfKnown } from "../../model/source.ts";
import type { Board, Configured, Directive, IgnoredOption, SettingName, Settings, VmSpec } from "../../model/spec.ts";
import { checkSettings } from "../check-settings.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { suffixOf } from "../hcl/scopes.ts";
import type { SettingReader } from "../hcl/setting-reader.ts";
import { ANY_VERSION, bothVersions, parseVersions, shortSource, type Versions } from "../terraform/provider.ts";
import { typeOfResource } from "../terraform/types.ts";
import { entriesOf, get, isThere, itemsOf, type Json, nothingIn, numberOf, rangeOf, textOf, writtenJson } from "./json-tree.ts";

/** A key of `count` or `for_each` in an address. */
const KEY = /\[(?:\d+|\*|"(?:[^"\\]|\\.)*")\]/;
const KEYS = new RegExp(KEY, "g");

/** Splits an address at its keys; every second part is a key. */
export const stepsOf = (address: string): readonly string[] => address.split(new RegExp(`(${KEY.source})`));

/** A VM of a plan or a state. */
interface PlannedVm {
  readonly vm: VmSpec;
  readonly reader: SettingReader;
}

export const NO_WORDS: Directive = new Map();

/** Returns whether a document is the output of `terraform show -json` or a raw state; `undefined` for neither. */
export function kindOf(root: Json): "plan" | "state" | "raw state" | undefined {
  if (isThere(get(root, "lineage")) && numberOf(get(root, "version")) === 4) return "raw state";
  // HashiCorp's own library treats these versions the same (terraform-json, PlanFormatVersionConstraints).
  if (!/^[01]\./.test(textOf(get(root, "format_version")) ?? "")) return undefined;
  if (isThere(get(root, "planned_values"))) return "plan";
  return isThere(get(root, "values")) && isThere(get(root, "terraform_version")) ? "state" : undefined;
}

/** Returns the VMs after a plan, or the VMs of a state. Deleted VMs are excluded. */
export function plannedVms(root: Json): readonly PlannedVm[] {
  switch (kindOf(root)) {
    case "plan":
      return ofModule(get(get(root, "planned_values"), "root_module"), get(get(root, "configuration"), "root_module"), {
        format: "terraform-plan",
        ...changesOf(root),
        versions: versionsOf(root),
      });
    case "state":
      return ofModule(get(get(root, "values"), "root_module"), nothingIn(root), OF_STATE);
    case "raw state":
      return ofRawState(root);
    default:
      return [];
  }
}

interface Context {
  readonly format: string;
  /** Values that are unknown until apply, by address. */
  readonly later: ReadonlyMap<string, Json>;
  /** Values before an update, by address. */
  readonly updated: ReadonlyMap<string, Json>;
  readonly versions: (resource: Json, providers: readonly string[]) => Versions;
}

const STATE = "terraform-state";
const OF_STATE: Context = { format: STATE, later: new Map(), updated: new Map(), versions: () => ANY_VERSION };

function changesOf(root: Json): Pick<Context, "later" | "updated"> {
  // Each instance has one current object; deposed ones are deleted.
  const changes = itemsOf(get(root, "resource_changes"))
    .filter((change) => !isThere(get(change, "deposed")))
    .map((resource) => ({ address: textOf(get(resource, "address")) ?? "", change: get(resource, "change") }));
  const updates = changes.filter(({ change }) => itemsOf(get(change, "actions")).every((action) => textOf(action) === "update"));
  return {
    later: new Map(changes.map(({ address, change }) => [address, get(change, "after_unknown")])),
    updated: new Map(updates.map(({ address, change }) => [address, get(change, "before")])),
  };
}

/** A plan only contains the version constraints of a provider, not its version. */
function versionsOf(root: Json): Context["versions"] {
  const configs = entriesOf(get(get(root, "configuration"), "provider_config")).map(([, config]) => config);
  return (resource, providers) => {
    const name = textOf(get(resource, "provider_name")) ?? "";
    if (!providers.includes(shortSource(name))) return ANY_VERSION;
    const ownConfigs = configs.filter((config) => textOf(get(config, "full_name")) === name);
    return ownConfigs.map((config) => parseVersions(textOf(get(config, "version_constraint")) ?? "")).reduce(bothVersions, ANY_VERSION);
  };
}

/** Returns the VMs of a module, with its `configuration`. */
function ofModule(module: Json, configuration: Json, context: Context): readonly PlannedVm[] {
  const resources = new Map(itemsOf(get(configuration, "resources")).map((resource) => [textOf(get(resource, "address")), resource]));
  const vms = itemsOf(get(module, "resources")).flatMap((resource) => {
    if (textOf(get(resource, "mode")) !== "managed" || isThere(get(resource, "deposed_key"))) return [];
    const at = get(resource, "address");
    const address = textOf(at) ?? "";
    const values = get(resource, "values");
    const later = context.later.get(address) ?? nothingIn(values);
    const source = resources.get(`${textOf(get(resource, "type"))}.${textOf(get(resource, "name"))}`);
    // A computed value without an argument is not a choice of the author.
    const isLeftOut = (argument: string): boolean => source !== undefined && !isThere(get(get(source, "expressions"), argument));
    return vmOf(resource, address, { range: rangeOf(at), values, later, isLeftOut }, context) ?? [];
  });
  const calls = get(configuration, "module_calls");
  const children = itemsOf(get(module, "child_modules")).flatMap((child) => {
    const name = /module\.([^.]+)$/.exec((textOf(get(child, "address")) ?? "").replace(KEYS, ""))?.[1] ?? "";
    return ofModule(child, get(get(calls, name), "module"), context);
  });
  return [...vms, ...children];
}

function ofRawState(root: Json): readonly PlannedVm[] {
  return itemsOf(get(root, "resources")).flatMap((resource) => {
    if (textOf(get(resource, "mode")) !== "managed") return [];
    const [module, type, name] = [get(resource, "module"), get(resource, "type"), get(resource, "name")];
    const base = [textOf(module), textOf(type), textOf(name)].filter(Boolean).join(".");
    return itemsOf(get(resource, "instances")).flatMap((instance) => {
      if (isThere(get(instance, "deposed"))) return [];
      const key = get(instance, "index_key");
      const [text, number] = [textOf(key), numberOf(key)];
      const suffix = text !== undefined ? suffixOf(text) : number !== undefined ? `[${number}]` : "";
      const [values, later] = [get(instance, "attributes"), nothingIn(instance)];
      return vmOf(resource, base + suffix, { range: rangeOf(name), values, later, isLeftOut: () => false }, OF_STATE) ?? [];
    });
  });
}

interface Values {
  readonly range: Range;
  readonly values: Json;
  /** Values that are unknown until apply. */
  readonly later: Json;
  /** Whether the configuration does not set an argument. */
  readonly isLeftOut: (argument: string) => boolean;
}

function vmOf(
  resource: Json,
  address: string,
  { range, values, later, isLeftOut }: Values,
  { format, versions, updated }: Context,
): PlannedVm | undefined {
  const type = typeOfResource(textOf(get(resource, "type")) ?? "");
  // A plan lists forgotten resources without values (Terraform, resources/syntax#removing-resources).
  if (!type || !isThere(values)) return undefined;
  const read = (resourceInstance: ResourceInstance): PlannedVm => {
    const instance = { address, format, resourceInstance, ownBlocks: [rangeOf(values)], directive: NO_WORDS, exists: format === STATE };
    return type.vm(instance, versions(resource, type.providers));
  };
  const plannedJson = writtenJson(values, later, range, isLeftOut);
  if (type.isVm?.(plannedJson) === false) return undefined;
  const planned = read(plannedJson);
  const { configured } = planned.vm;
  if (format === STATE) return { ...planned, vm: asItIs(planned.vm) };
  const memoryBefore = updated.has(address)
    ? hotAddFrom(read(writtenJson(updated.get(address) ?? nothingIn(values), nothingIn(values), range)).vm)
    : undefined;
  return memoryBefore === undefined
    ? planned
    : { ...planned, vm: { ...planned.vm, configured: () => ({ ...NOTHING, ...configured?.(), memoryBefore }) } };
}

/** Returns the memory of a VM that takes more while it runs: the providers power it off for an update only without memory hot add. */
function hotAddFrom({ settings: { memoryHotAdd, memoryMiB }, off }: VmSpec): number | undefined {
  return memoryHotAdd.state === "known" && memoryHotAdd.value && !off ? valueIfKnown(memoryMiB) : undefined;
}

/** Returns the other configured facts with their ranges in the configuration. */
function configuredOn(planned: VmSpec, source: VmSpec): Configured {
  const [plannedConfig, sourceConfig] = [planned.configured?.() ?? NOTHING, source.configured?.() ?? NOTHING];
  const options = plannedConfig.options.map(({ ignored, ...option }) => {
    const same = sourceConfig.options.find(({ key }) => key === option.key);
    const range = same?.ignored?.sent?.range;
    return { ...option, range: same?.range ?? source.range, ...(ignored && { ignored: withSent(ignored, range) }) };
  });
  const dropped = plannedConfig.dropped.map((droppedArgument) => {
    const same = sourceConfig.dropped.find(({ argument }) => argument === droppedArgument.argument);
    return { ...droppedArgument, range: same?.range ?? source.range };
  });
  return { ...plannedConfig, options, dropped };
}

const withSent = (ignored: IgnoredOption, range: Range | undefined): IgnoredOption =>
  ignored.sent ? { ...ignored, sent: { ...ignored.sent, range } } : ignored;

const NOTHING: Configured = { options: [], dropped: [] };

/** Drops the configured facts, because a state shows the VM itself, no matter who set a value. */
export const asItIs = ({ configured: _, ...vm }: VmSpec): VmSpec => vm;

/** Returns the same VM with the ranges of its values in the configuration. */
export function placedOn(planned: VmSpec, source: VmSpec): VmSpec {
  const names = Object.keys(planned.settings) as SettingName[];
  const place = (setting: Setting<unknown>, sourceSetting: Setting<unknown>): Setting<unknown> =>
    setting.state === "absent" ? setting : { ...setting, range: sourceSetting.state === "absent" ? source.range : sourceSetting.range };
  const settings = Object.fromEntries(names.map((name) => [name, place(planned.settings[name], source.settings[name])]));
  const controllers = planned.scsiControllers.map((controller) => {
    const sourceController = source.scsiControllers.find(({ id }) => id === controller.id);
    const type = place(controller.type, sourceController?.type ?? { state: "absent" }) as typeof controller.type;
    return { ...controller, type, range: sourceController?.range ?? source.range };
  });
  const at = { range: source.range };
  return {
    ...planned,
    range: source.range,
    ...checkSettings(settings as unknown as Settings),
    scsiControllers: controllers,
    devices: () => {
      const { otherControllers, disks, nics, passthrough, ...rest } = planned.devices();
      return {
        ...rest,
        ...(passthrough && { passthrough: passthrough.map((device) => ({ ...device, ...at })) }),
        otherControllers: otherControllers.map((controller) => ({ ...controller, ...at })),
        disks: disks.map((disk) => ({ ...disk, ...at })),
        nics: nics.map(({ index, type }) => ({ index, type: place(type, { state: "absent" }) as typeof type })),
      };
    },
    board: () =>
      Object.fromEntries(Object.entries(planned.board?.() ?? {}).map(([name, part]) => [name, place(part, { state: "absent" })])) as Board,
    advanced: () => new Map([...planned.advanced()].map(([key, setting]) => [key, place(setting, { state: "absent" }) as typeof setting])),
    directive: source.directive,
    ...(source.resource !== undefined && { resource: source.resource }),
    ...(planned.configured && { configured: () => configuredOn(planned, source) }),
    ...(source.traceTo && { traceTo: source.traceTo }),
  };
}
