import type { Beside } from "../../model/files.ts";
import { once } from "../../model/once.ts";
import type { Kind, ReadVm } from "../yaml/kind.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, rangeOf, scoped, textOf, type Value } from "../yaml/tree.ts";
import { layersOfPlay, layersOfRole, tasksBeside } from "./layers.ts";
import { layerOf } from "./project.ts";
import { ANY, outside, rounds, type Scope, within } from "./scope.ts";
import { callOf, type Module, meet } from "./task.ts";
import { vmwareGuest } from "./vmware-guest.ts";
import { vmwareVm } from "./vmware-vm.ts";

/** The modules that make VMs. */
const MODULES: readonly Module[] = [vmwareGuest, vmwareVm];

/** Lists of tasks in a play, and in a block. */
const IN_PLAY = ["pre_tasks", "tasks", "post_tasks", "handlers"];
const IN_BLOCK = ["block", "rescue", "always"];

/** How deep blocks are followed. */
const DEEPEST = 32;

/** More tasks than any play has; aliases can ask for more. */
const MOST_VISITED = 20_000;

/** Playbooks, and the task files of roles. */
export const ansible: Kind = {
  name: "ansible",
  sign: /^[ \t-]*(?:(?:community\.vmware\.)?vmware_guest|vmware\.vmware\.vm)[ \t]*:/m,
  lack: "no task in it says the size, disks or options of a VM that it makes or changes",
  read: (root, _, { beside }) => {
    const file: Scope = { ...outside(), ...addedBy([root, ...itemsOf(root).flatMap(listsOf)]) };
    const role = once(() => roleScope(root, file, beside));
    const found = itemsOf(root).flatMap((item) => (isPlay(item) ? readPlay(item, file, beside) : readTask(item, role(), [], DEEPEST)));
    return found.length > 0 ? found : undefined;
  },
};

const listsOf = (play: Value): readonly Value[] => IN_PLAY.map((key) => get(play, key));

const isPlay = (item: Value): boolean => !isNothing(get(item, "hosts"));

function readPlay(play: Value, file: Scope, beside: Beside | undefined): readonly ReadVm[] {
  const lists = listsOf(play);
  const { vars, ...inner } = within(file, play);
  const hosts = get(play, "hosts");
  const around = once(() => layersOfPlay(play, vars.map(layerOf), beside));
  const asked = itemsOf(get(play, "vars_prompt")).flatMap((item) => textOf(get(item, "name")) ?? []);
  const dynamic = new Set([...asked, ...dynamicIn(lists)]);
  const scope: Scope = { ...inner, vars: [], around, dynamic, hosts: play.source.text.slice(...rangeOf(hosts)) };
  const collections = itemsOf(get(play, "collections")).flatMap((item) => textOf(item) ?? []);
  return lists.flatMap((list) => itemsOf(list).flatMap((task) => readTask(task, scope, collections, DEEPEST)));
}

/** What the tasks of a file without plays see: those of a role have its variables. */
function roleScope(root: Value, file: Scope, beside: Beside | undefined): Scope {
  const lists = [root, ...(beside ? tasksBeside(beside) : [])];
  return { ...file, dynamic: dynamicIn(lists), ...addedBy(lists), around: once(() => layersOfRole(beside)) };
}

/** Tasks that run others with variables of their own. */
const INCLUDES = /^(?:ansible\.builtin\.)?(?:include|(?:include|import)_(?:tasks|role))$/;

/** Modules that add disks, controllers and cards to a VM that is there (community.vmware), and that set its options (vmware.vmware). */
const ADDS = /^(?:community\.vmware\.)?vmware_guest_(?:controller|disk|network)$/;
const SETS_OPTIONS = /^(?:vmware\.vmware\.)?vm_advanced_settings$/;

/** Whether one of the tasks adds devices or options to a VM: which VM that is only a run knows. */
function addedBy(lists: readonly Value[]): Pick<Scope, "adds" | "setsOptions"> {
  let [adds, setsOptions] = [false, false];
  visitKeys(lists, (key) => {
    adds ||= ADDS.test(key);
    setsOptions ||= SETS_OPTIONS.test(key);
  });
  return { adds, setsOptions };
}

/** Calls `see` for each key of each task, those in blocks too; false where there are more than are looked at. */
function visitKeys(lists: readonly Value[], see: (key: string, value: Value, task: Value) => void): boolean {
  let left = MOST_VISITED;
  const visit = (task: Value, depth: number): boolean => {
    if (depth === 0 || left-- <= 0) return false;
    let isAll = true;
    for (const { key, value } of entriesOf(task)) {
      see(key, value, task);
      if (IN_BLOCK.includes(key)) for (const inner of itemsOf(value)) isAll = visit(inner, depth - 1) && isAll;
    }
    return isAll;
  };
  return lists.flatMap((list) => itemsOf(list).map((task) => visit(task, DEEPEST))).every(Boolean);
}

/** Variables that a run sets. */
function dynamicIn(lists: readonly Value[]): ReadonlySet<string> {
  const names = new Set<string>();
  const isAll = visitKeys(lists, (key, value, task) => {
    if (/^(?:ansible\.builtin\.)?set_fact$/.test(key)) for (const fact of entriesOf(value)) names.add(fact.key);
    if (/^(?:ansible\.builtin\.)?include_vars$/.test(key)) names.add(ANY);
    if (INCLUDES.test(key)) for (const given of entriesOf(get(task, "vars"))) names.add(given.key);
    if (key === "register") names.add(textOf(value) ?? "");
  });
  // Those that were not looked at may set any.
  if (!isAll) names.add(ANY);
  return names;
}

/** The VMs of a task, or of the tasks of a block. */
function readTask(written: Value, scope: Scope, collections: readonly string[], depth: number): readonly ReadVm[] {
  if (depth === 0 || scope.budget.left-- <= 0 || !isMapping(written)) return [];
  const task = scoped(written);
  const inner = within(scope, task);
  const blocks = IN_BLOCK.flatMap((key) => itemsOf(get(task, key)));
  if (blocks.length > 0) return blocks.flatMap((one) => readTask(one, inner, collections, depth - 1));
  const called = calledBy(task, collections);
  if (!called) return [];
  const calls = rounds(task, inner).flatMap((round) => (round.budget.left-- > 0 ? callOf(called.module, task, called.args, round) : []));
  const vms = calls.flatMap((call) => called.module.read(call) ?? []);
  // Not sooner: the rounds of one loop may make VMs whose names only a run tells apart.
  for (const call of calls) meet(call, inner);
  return vms;
}

/** The module that a task calls: as its key, or in `action` and `local_action` as they were written before. */
function calledBy(task: Value, collections: readonly string[]): { module: Module; args: Value } | undefined {
  const named = (name: string): Module | undefined =>
    MODULES.find((module) => {
      const collection = module.name.slice(0, -module.short.length - 1);
      return name === module.name || (name === module.short && (!module.needsCollection || collections.includes(collection)));
    });
  for (const { key, value } of entriesOf(task)) {
    const inAction = key === "action" || key === "local_action";
    const module = named(inAction ? (textOf(get(value, "module")) ?? textOf(value) ?? "") : key);
    // `vmware_guest: name=x state=present` is a text: nothing in it has a place of its own.
    if (module) return { module, args: value };
  }
  return undefined;
}
