import { ABSENT, type Range, type Setting, valueIfKnown } from "../../model/source.ts";
import type {
  Board,
  Configured,
  Directive,
  DroppedArgument,
  IgnoredOption,
  SettingName,
  Settings,
  SettingValues,
  VmSpec,
} from "../../model/spec.ts";
import { checkSettings } from "../check-settings.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { suffixOf } from "../hcl/scopes.ts";
import type { SettingReader } from "../hcl/setting-reader.ts";
import { ANY_VERSION, bothVersions, parseVersions, type Versions } from "../hcl/versions.ts";
import { shortSource } from "../terraform/provider.ts";
import { typeOfResource } from "../terraform/types.ts";
import {
  entriesOf,
  get,
  isThere,
  isTrue,
  itemsOf,
  type Json,
  nothingIn,
  numberOf,
  rangeOf,
  textOf,
  valueAt,
  writtenJson,
} from "./json-tree.ts";

/** A key of `count` or `for_each` in an address. */
const KEY = /\[(?:\d+|\*|"(?:[^"\\]|\\.)*")\]/;
const KEYS = new RegExp(KEY, "g");

/** Splits an address at its keys; every second part is a key. */
export const stepsOf = (address: string): readonly string[] => address.split(new RegExp(`(${KEY.source})`));

/** A VM of a plan or a state. */
interface PlannedVm {
  readonly vm: VmSpec;
  readonly reader: SettingReader;
  /** The settings that the plan leaves as they are in the existing VM, with their arguments; a state has none. */
  readonly kept?: readonly (readonly [name: SettingName, argument: string])[];
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
export function plannedVms(root: Json): Iterable<PlannedVm> {
  switch (kindOf(root)) {
    case "plan":
      return ofModule(get(get(root, "planned_values"), "root_module"), get(get(root, "configuration"), "root_module"), {
        format: "terraform-plan",
        changes: changesIn(root),
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
  /** The changes to resources, by address. */
  readonly changes: ReadonlyMap<string, Json>;
  readonly versions: (resource: Json, providers: readonly string[]) => Versions;
}

const STATE = "terraform-state";
const OF_STATE: Context = { format: STATE, changes: new Map(), versions: () => ANY_VERSION };

function changesIn(root: Json): ReadonlyMap<string, Json> {
  // Each instance has one current object; deposed ones are deleted.
  const changes = itemsOf(get(root, "resource_changes")).filter((change) => !isThere(get(change, "deposed")));
  return new Map(changes.map((change) => [textOf(get(change, "address")) ?? "", get(change, "change")]));
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
function* ofModule(module: Json, configuration: Json, context: Context): Iterable<PlannedVm> {
  const resources = new Map(itemsOf(get(configuration, "resources")).map((resource) => [textOf(get(resource, "address")), resource]));
  for (const resource of itemsOf(get(module, "resources"))) {
    if (textOf(get(resource, "mode")) !== "managed" || isThere(get(resource, "deposed_key"))) continue;
    const at = get(resource, "address");
    const address = textOf(at) ?? "";
    const values = get(resource, "values");
    const change = context.changes.get(address) ?? nothingIn(values);
    const source = resources.get(`${textOf(get(resource, "type"))}.${textOf(get(resource, "name"))}`);
    // A computed value without an argument is not a choice of the author.
    const isLeftOut = (argument: string): boolean => source !== undefined && !isThere(get(get(source, "expressions"), argument));
    const expressions = get(source ?? nothingIn(values), "expressions");
    const vm = vmOf(resource, address, { range: rangeOf(at), values, change, expressions, isLeftOut }, context);
    if (vm) yield vm;
  }
  const calls = get(configuration, "module_calls");
  for (const child of itemsOf(get(module, "child_modules"))) {
    const name = /module\.([^.]+)$/.exec((textOf(get(child, "address")) ?? "").replace(KEYS, ""))?.[1] ?? "";
    yield* ofModule(child, get(get(calls, name), "module"), context);
  }
}

function* ofRawState(root: Json): Iterable<PlannedVm> {
  for (const resource of itemsOf(get(root, "resources"))) {
    if (textOf(get(resource, "mode")) !== "managed") continue;
    const [module, type, name] = [get(resource, "module"), get(resource, "type"), get(resource, "name")];
    const base = [textOf(module), textOf(type), textOf(name)].filter(Boolean).join(".");
    for (const instance of itemsOf(get(resource, "instances"))) {
      if (isThere(get(instance, "deposed"))) continue;
      const key = get(instance, "index_key");
      const [text, number] = [textOf(key), numberOf(key)];
      const suffix = text !== undefined ? suffixOf(text) : number !== undefined ? `[${number}]` : "";
      const [values, change] = [get(instance, "attributes"), nothingIn(instance)];
      const nothing = { change, expressions: change, isLeftOut: () => false };
      const vm = vmOf(resource, base + suffix, { range: rangeOf(name), values, ...nothing }, OF_STATE);
      if (vm) yield vm;
    }
  }
}

interface Values {
  readonly range: Range;
  readonly values: Json;
  /** The change, if the plan lists it: the values before, and the values that are unknown until apply. */
  readonly change: Json;
  /** The arguments in the configuration. */
  readonly expressions: Json;
  /** Whether the configuration does not set an argument. */
  readonly isLeftOut: (argument: string) => boolean;
}

const plainOf = (json: Json): string | number | boolean => textOf(json) ?? numberOf(json) ?? isTrue(json);

function vmOf(
  resource: Json,
  address: string,
  { range, values, change, expressions, isLeftOut }: Values,
  { format, versions }: Context,
): PlannedVm | undefined {
  const type = typeOfResource(textOf(get(resource, "type")) ?? "");
  // A plan lists forgotten resources without values (Terraform, resources/syntax#removing-resources).
  if (!type || !isThere(values)) return undefined;
  const read = (resourceInstance: ResourceInstance): PlannedVm => {
    const instance = { address, format, resourceInstance, ownBlocks: [rangeOf(values)], directive: NO_WORDS, exists: format === STATE };
    return type.vm(instance, versions(resource, type.providers));
  };
  const plannedJson = writtenJson(values, get(change, "after_unknown"), range, isLeftOut);
  if (type.isVm?.(plannedJson) === false) return undefined;
  const planned = read(plannedJson);
  if (format === STATE) return { ...planned, vm: asItIs(planned.vm) };
  const before = get(change, "before");
  const isSame = (argument: string): boolean => {
    const [old, next] = [get(before, argument), get(values, argument)];
    return isThere(old) && plainOf(old) === plainOf(next);
  };
  const kept = (Object.keys(type.arguments) as SettingName[]).flatMap((name) => {
    const argument = type.arguments[name]?.[0];
    return argument !== undefined && isSame(argument) ? [[name, argument] as const] : [];
  });
  const constants = (argument: string) => valueAt(get(get(expressions, argument), "constant_value"));
  const { vm: written } = read({ range, get: constants, blocks: () => ({ items: [], missing: undefined }) });
  const isUpdate = itemsOf(get(change, "actions")).every((action) => textOf(action) === "update");
  const memoryBefore = isThere(before) && isUpdate ? hotAddFrom(read(writtenJson(before, nothingIn(values), range)).vm) : undefined;
  const { configured } = planned.vm;
  const vm =
    memoryBefore === undefined ? planned.vm : { ...planned.vm, configured: () => ({ ...NOTHING, ...configured?.(), memoryBefore }) };
  return { ...planned, kept, vm: withUnmet(vm, written, kept) };
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
  const dropped = plannedConfig.dropped
    .filter(({ because }) => !("planned" in because))
    .map((droppedArgument) => {
      const same = sourceConfig.dropped.find(({ argument }) => argument === droppedArgument.argument);
      return { ...droppedArgument, range: same?.range ?? source.range };
    });
  return { ...plannedConfig, options, dropped };
}

/** Adds the arguments that change nothing, because the plan leaves another value in the existing VM. */
function withUnmet(planned: VmSpec, source: VmSpec, kept: PlannedVm["kept"] = []): VmSpec {
  const unmet: Partial<Record<SettingName, unknown>> = {};
  const dropped = kept.flatMap(([name, argument]): readonly DroppedArgument[] => {
    const written = source.settings[name];
    if (written.state !== "known" || !isUnchanged(planned, source, name)) return [];
    unmet[name] = written.value;
    const because = { planned: asNumber(valueIfKnown<unknown>(planned.settings[name])) };
    return [{ argument, value: asNumber(written.value), range: written.range, because }];
  });
  if (dropped.length === 0) return planned;
  const configured = (): Configured => {
    const { dropped: others, ...rest } = planned.configured?.() ?? NOTHING;
    return { ...rest, dropped: [...others, ...dropped] };
  };
  return { ...planned, unmet: unmet as SettingValues, configured }; // Each value was read by the reader of its setting.
}

/** Whether the value in the configuration changes nothing, because the plan has another value. */
const isUnchanged = (planned: VmSpec, source: VmSpec, name: SettingName): boolean => {
  const [a, b] = [planned.settings[name], source.settings[name]];
  return a.state === "known" && b.state === "known" && JSON.stringify(a.value) !== JSON.stringify(b.value);
};

/** Automatic cores per socket are 0. */
const asNumber = (value: unknown): string => (value === "auto" ? "0" : String(value));

const withSent = (ignored: IgnoredOption, range: Range | undefined): IgnoredOption =>
  ignored.sent ? { ...ignored, sent: { ...ignored.sent, range } } : ignored;

const NOTHING: Configured = { options: [], dropped: [] };

/** Drops the configured facts, because a state shows the VM itself, no matter who set a value. */
export const asItIs = ({ configured: _, ...vm }: VmSpec): VmSpec => vm;

/** Returns the same VM with the ranges of its values in the configuration. */
export function placedOn({ vm: planned, kept = [] }: PlannedVm, source: VmSpec): VmSpec {
  const names = Object.keys(planned.settings) as SettingName[];
  const isKept = (name: SettingName): boolean => kept.some(([one]) => one === name) && isUnchanged(planned, source, name);
  const place = (setting: Setting<unknown>, sourceSetting: Setting<unknown>): Setting<unknown> =>
    setting.state === "absent" ? setting : { ...setting, range: sourceSetting.state === "absent" ? source.range : sourceSetting.range };
  const settings = Object.fromEntries(
    names.map((name) => [name, place(planned.settings[name], isKept(name) ? ABSENT : source.settings[name])]),
  );
  const controllers = planned.scsiControllers.map((controller) => {
    const sourceController = source.scsiControllers.find(({ id }) => id === controller.id);
    const type = place(controller.type, sourceController?.type ?? { state: "absent" }) as typeof controller.type;
    return { ...controller, type, range: sourceController?.range ?? source.range };
  });
  const at = { range: source.range };
  const placed: VmSpec = {
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
  return withUnmet(placed, source, kept);
}
