import type { HostReference } from "../../model/inventory-host.ts";
import { valueIfKnown } from "../../model/source.ts";
import type { Hint, Uuids } from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, rangeOf, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { LOCAL } from "./inventory-variables.ts";
import { isOpen, loopOf } from "./steps.ts";
import { descend, resolve, type Scope } from "./template-scope.ts";

/** A module of Ansible that creates or changes VMs. */
export interface Module {
  /** The full name with the collection; `short` is the last part. */
  readonly name: string;
  readonly short: string;
  /** The short name is too common, so it only matches if the play names the collection. */
  readonly needsCollection?: boolean;
  /** The keys of `module_defaults` for groups that contain it (`action_groups` of its collection and of ansible-core, meta/runtime.yml). */
  readonly groups: readonly string[];
  /** Returns the VM of a task; `undefined` if it has none. */
  readonly read: (call: Call) => ReadVm | undefined;
}

/** A module with its arguments, in one iteration of its task. */
export interface Call {
  readonly task: Value;
  readonly args: Value;
  /** Returns an argument or its value in `module_defaults`, with variables resolved. */
  readonly find: (path: readonly string[]) => Value;
  readonly items: (path: readonly string[]) => readonly Item[];
  /** Why the VM may have more devices than the task lists, because another task adds some. */
  readonly added: string | undefined;
  /** Why it may have more options than the task lists. */
  readonly moreOptions: string | undefined;
  /** Why its size is unknown, because another task changes it. */
  readonly resized: string | undefined;
  /** Why missing arguments may still have a value. */
  readonly unknownReason: string | undefined;
  /** Whether an earlier task has the same VM by name, so that this task changes it. */
  readonly isThere: boolean;
  /** Whether only a run knows how many VMs result, because of the iterations, the hosts or the state. */
  readonly hasUnknownCount: boolean;
}

/** An item of an argument that is a list. */
export interface Item {
  readonly value: Value;
  readonly get: (key: string) => Value;
}

/** Merges the arguments of a task, key by key: its own, the ones under `args` and the defaults of the module. */
export function callOf(module: Module, task: Value, argLists: readonly Value[], scope: Scope): Call {
  const { defaults, unknownReason } = defaultsOf(module, scope);
  const sources = [...argLists.map((arg) => resolve(arg, scope)), ...defaults];
  const nothing: Value = { ...task, node: undefined };
  const args = argLists.find(isMapping) ?? nothing;
  const find = (path: readonly string[]): Value => {
    const [first = "", ...rest] = path;
    const field = sources.map((source) => get(source, first)).find((arg) => !isNothing(arg));
    return field ? descend(field, rest, scope) : nothing;
  };
  const items = (path: readonly string[]) =>
    itemsOf(find(path)).map((item): Item => {
      const value = resolve(item, scope);
      return { value, get: (key) => resolve(get(value, key), scope) };
    });
  const added = scope.adds ? "another task adds devices" : unknownReason;
  const moreOptions = scope.setsOptions ? "another task sets options" : undefined;
  const resized = scope.resizes ? "another task changes it" : undefined;
  const name = nameIn({ task, find }, scope);
  const isThere = name !== undefined && scope.dependencies.has(name);
  const hasUnknownCount =
    scope.hasUnknownCount || isOfHost(textOf(find(["name"])), scope) || MAY_NOT_RUN.test(textOf(find(["state"])) ?? "");
  return { task, args, find, items, added, moreOptions, resized, unknownReason, isThere, hasUnknownCount };
}

/** Another task may power on a VM that is off (vmware_guest, "state"). */
const MAY_NOT_RUN = /\{\{|^(?:powered-?off|shutdown-?guest|suspended)$/;

/** Whether a name may differ for each host of the play, or for each play that runs the tasks. */
const isOfHost = (name: string | undefined, { hosts }: Scope): boolean => name?.includes("{{") === true && !LOCAL.has(hosts);

/** Returns a key for the VM of a task. The same variable means another VM for other hosts and in another loop. */
function nameIn({ task, find }: Pick<Call, "task" | "find">, { hosts }: Scope): string | undefined {
  const name = textOf(find(["name"]));
  const loop = loopOf(task);
  return name?.includes("{{") ? [name, hosts, loop && task.source.text.slice(...rangeOf(loop.value))].join("\n") : name;
}

/** Records that this task creates or removes a VM, for the tasks after it. */
export function meet(call: Call, scope: Scope): void {
  const name = nameIn(call, scope);
  if (name === undefined) return;
  if (isAbsent(call)) scope.dependencies.delete(name);
  else scope.dependencies.add(name);
}

/**
 * Returns `module_defaults` of the module, then of its groups, last group first. An inner block replaces the whole entry of an outer one
 * (ansible-core, executor/module_common.py, _get_action_arg_defaults). Templates make defaults unknown.
 */
function defaultsOf(
  { name, short, groups }: Module,
  scope: Scope,
): { readonly defaults: readonly Value[]; readonly unknownReason: string | undefined } {
  const entries = new Map<string, Value>();
  for (const { key, value } of scope.defaults.toReversed().flatMap(entriesOf))
    entries.set(key === short ? name : key, resolve(value, scope));
  const ofGroups = [...entries].flatMap(([key, value]) => (groups.includes(key) ? [value] : []));
  const defaults = [entries.get(name) ?? [], ...ofGroups.reverse()].flat();
  return { defaults, unknownReason: defaults.some(isFilledIn) ? "module_defaults may set it" : undefined };
}

const isFilledIn = (value: Value): boolean => isTemplate(textOf(value) ?? "");

/** Returns the folder and the notes of a VM as hints for its workload. */
export const hintsOf = ({ find }: Call): readonly Hint[] =>
  (["folder", "annotation"] as const).flatMap((key) => {
    const text = textOf(find([key]));
    return text === undefined || isOpen(text) ? [] : [{ kind: key === "folder" ? "folder" : "note", text }];
  });

/** Returns the cluster that the task puts its VM in, by name. */
export function clusterOf({ find }: Call): { readonly runsOn?: HostReference } {
  const cluster = textOf(find(["cluster"]));
  return cluster === undefined || isOpen(cluster) ? {} : { runsOn: { cluster } };
}

/**
 * Whether the task identifies its VM by instance UUID: "Whether to use the VMware instance UUID rather than the BIOS UUID"; false by
 * default.
 */
export function uuidsOf({ find }: Call): Uuids {
  const isInstance = settingOf(find(["use_instance_uuid"]), units.bool);
  const uuid = read.uuid(textOf(find(["uuid"])));
  if (isInstance.state === "unknown") return {};
  return valueIfKnown(isInstance) ? { instance: uuid } : { bios: uuid };
}

/** Whether the task removes the VM. */
export const isAbsent = (call: Call): boolean => textOf(call.find(["state"])) === "absent";
