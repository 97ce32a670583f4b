import { valueIfKnown } from "../../model/source.ts";
import type { Hint, Uuids } from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, rangeOf, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import { LOCAL } from "./hosts.ts";
import { descend, resolve, type Scope } from "./scope.ts";
import { isOpen, loopOf } from "./steps.ts";

/** A module of Ansible that makes or changes VMs. */
export interface Module {
  /** With its collection; `short` is the name after it. */
  readonly name: string;
  readonly short: string;
  /** The short name is too common to be taken for the module unless the play names its collection. */
  readonly needsCollection?: boolean;
  /** The keys of `module_defaults` that are groups with it (`action_groups` of its collection and of ansible-core, meta/runtime.yml). */
  readonly groups: readonly string[];
  /** The VM that a task describes; `undefined` when it describes none. */
  readonly read: (call: Call) => ReadVm | undefined;
}

/** A module with its arguments, in one round of its task. */
export interface Call {
  readonly task: Value;
  readonly args: Value;
  /** An argument, or what `module_defaults` says in its place; variables are followed. */
  readonly find: (path: readonly string[]) => Value;
  readonly items: (path: readonly string[]) => readonly Item[];
  /** Why the VM may have devices that the task does not list: another task adds some. */
  readonly added: string | undefined;
  /** Why it may have options that the task does not list. */
  readonly moreOptions: string | undefined;
  /** Why arguments that are left out may be given all the same. */
  readonly open: string | undefined;
  /** Whether a task before is about the same VM, as far as its name tells: it is there, and this one changes it. */
  readonly isThere: boolean;
  /** Whether only a run knows how many VMs it leaves running: how often it is done, on which hosts, and what state it brings about. */
  readonly uncounted: boolean;
}

/** An item of an argument that is a list. */
export interface Item {
  readonly value: Value;
  readonly get: (key: string) => Value;
}

/** Puts a task's arguments together: its own, those under `args` and the module's defaults, key by key. */
export function callOf(module: Module, task: Value, given: readonly Value[], scope: Scope): Call {
  const { defaults, open } = defaultsOf(module, scope);
  const sources = [...given.map((one) => resolve(one, scope)), ...defaults];
  const nothing: Value = { ...task, node: undefined };
  const args = given.find(isMapping) ?? nothing;
  const find = (path: readonly string[]): Value => {
    const [first = "", ...rest] = path;
    const found = sources.map((one) => get(one, first)).find((one) => !isNothing(one));
    return found ? descend(found, rest, scope) : nothing;
  };
  const items = (path: readonly string[]) =>
    itemsOf(find(path)).map((item): Item => {
      const value = resolve(item, scope);
      return { value, get: (key) => resolve(get(value, key), scope) };
    });
  const added = scope.adds ? "another task adds devices" : open;
  const moreOptions = scope.setsOptions ? "another task sets options" : undefined;
  const name = nameIn({ task, find }, scope);
  const isThere = name !== undefined && scope.met.has(name);
  const uncounted = scope.uncounted || isOfHost(textOf(find(["name"])), scope) || MAY_NOT_RUN.test(textOf(find(["state"])) ?? "");
  return { task, args, find, items, added, moreOptions, open, isThere, uncounted };
}

/** A VM that is left off may be started by another task (vmware_guest, "state"). */
const MAY_NOT_RUN = /\{\{|^(?:powered-?off|shutdown-?guest|suspended)$/;

/** Whether a name may be another for each host of the play, or for each play that runs the tasks. */
const isOfHost = (name: string | undefined, { hosts }: Scope): boolean => name?.includes("{{") === true && !LOCAL.has(hosts);

/** The name of the VM that a task is about; what a variable names is another VM for other hosts, and in another loop. */
function nameIn({ task, find }: Pick<Call, "task" | "find">, { hosts }: Scope): string | undefined {
  const name = textOf(find(["name"]));
  const loop = loopOf(task);
  return name?.includes("{{") ? [name, hosts, loop && task.source.text.slice(...rangeOf(loop.value))].join("\n") : name;
}

/** Tells the tasks behind which VM this one leaves there, or removes. */
export function meet(call: Call, scope: Scope): void {
  const name = nameIn(call, scope);
  if (name === undefined) return;
  if (isAbsent(call)) scope.met.delete(name);
  else scope.met.add(name);
}

/**
 * `module_defaults` of the module, then of its collection's groups, the last of them first; of several blocks the innermost that names one
 * counts for all of it (ansible-core, executor/module_common.py, _get_action_arg_defaults). Those that a template gives are open.
 */
function defaultsOf(
  { name, short, groups }: Module,
  scope: Scope,
): { readonly defaults: readonly Value[]; readonly open: string | undefined } {
  const found = new Map<string, Value>();
  for (const { key, value } of scope.defaults.toReversed().flatMap(entriesOf)) found.set(key === short ? name : key, resolve(value, scope));
  const ofGroups = [...found].flatMap(([key, value]) => (groups.includes(key) ? [value] : []));
  const defaults = [found.get(name) ?? [], ...ofGroups.reverse()].flat();
  return { defaults, open: defaults.some(isFilledIn) ? "module_defaults may set it" : undefined };
}

const isFilledIn = (value: Value): boolean => isTemplate(textOf(value) ?? "");

/** The folder and the notes of a VM, which may say what runs in it. */
export const hintsOf = ({ find }: Call): readonly Hint[] =>
  (["folder", "annotation"] as const).flatMap((key) => {
    const text = textOf(find([key]));
    return text === undefined || isOpen(text) ? [] : [{ what: key === "folder" ? "folder" : "note", text }];
  });

/** Which VM a task is about: "Whether to use the VMware instance UUID rather than the BIOS UUID", by default the latter. */
export function uuidsOf({ find }: Call): Uuids {
  const isInstance = settingOf(find(["use_instance_uuid"]), units.bool);
  const uuid = read.uuid(textOf(find(["uuid"])));
  if (isInstance.state === "unknown") return {};
  return valueIfKnown(isInstance) ? { instance: uuid } : { bios: uuid };
}

/** Whether a task removes the VM. */
export const isAbsent = (call: Call): boolean => textOf(call.find(["state"])) === "absent";

/**
 * Why what a task does not say of a VM that is there is not known: "state: present ... ensure the virtual machine configurations conforms to
 * task arguments", and what is left out is not sent (vmware_guest.py, configure_cpu_and_memory; vm.py, its parameter handlers).
 */
export const KEPT = "the VM that is there keeps it";
