import type { FileContext } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, rangeOf, scoped, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { Kind, ReadVm } from "../yaml/kind.ts";
import { layersOfPlay, layersOfRole, mergesBeside, setByPlaybook, setByRole, tasksBeside } from "./layers.ts";
import { layerOf } from "./project.ts";
import { outside, rounds, type Scope, within } from "./scope.ts";
import { callIn, DEEPEST, IN_BLOCK, listsOf, visitKeys } from "./steps.ts";
import { callOf, type Module, meet } from "./task.ts";
import { vmwareGuest } from "./vmware-guest.ts";
import { vmwareVm } from "./vmware-vm.ts";

/** The modules that create VMs. */
const MODULES: readonly Module[] = [vmwareGuest, vmwareVm];

/** Playbooks, and task files of roles. */
export const ansible: Kind = {
  name: "ansible",
  sign: /^[ \t-]*(?:(?:community\.vmware\.)?vmware_guest|vmware\.vmware\.vm)[ \t]*:/m,
  lack: "no task in it sets the size, disks or options of a VM",
  read: (root, _, { beside }) => {
    const file: Scope = { ...outside(), ...addedBy([root, ...itemsOf(root).flatMap(listsOf)]), merges: once(() => mergesBeside(beside)) };
    const role = once(() => roleScope(root, file, beside));
    const found = itemsOf(root).flatMap((item) =>
      isPlay(item) ? readPlay(item, root, file, beside) : readTask(item, role(), [], DEEPEST),
    );
    return found.length > 0 ? found : undefined;
  },
};

const isPlay = (item: Value): boolean => !isNothing(get(item, "hosts"));

function readPlay(play: Value, root: Value, file: Scope, beside: FileContext | undefined): readonly ReadVm[] {
  const lists = listsOf(play);
  const { vars, ...inner } = within(file, play);
  const hosts = get(play, "hosts");
  const around = once(() => layersOfPlay(play, vars.map(layerOf), beside));
  const dynamic = once(() => setByPlaybook(root, beside));
  const scope: Scope = { ...inner, vars: [], around, dynamic, hosts: play.source.text.slice(...rangeOf(hosts)) };
  const collections = itemsOf(get(play, "collections")).flatMap((item) => textOf(item) ?? []);
  return lists.flatMap((list) => itemsOf(list).flatMap((task) => readTask(task, scope, collections, DEEPEST)));
}

/** Returns the scope of a task file without plays. Tasks of a role see the variables of the role. */
function roleScope(root: Value, file: Scope, beside: FileContext | undefined): Scope {
  const lists = [root, ...(beside ? tasksBeside(beside) : [])];
  return { ...file, dynamic: once(() => setByRole(root, beside)), ...addedBy(lists), around: once(() => layersOfRole(beside)) };
}

/** Modules that add disks, controllers and cards to an existing VM (community.vmware), and modules that set its options (vmware.vmware). */
const ADDS = /^(?:community\.vmware\.)?vmware_guest_(?:controller|disk|network)$/;
const SETS_OPTIONS = /^(?:vmware\.vmware\.)?vm_advanced_settings$/;

/** Whether a task adds devices or options to a VM; the VM itself is only known at run time. */
function addedBy(lists: readonly Value[]): Pick<Scope, "adds" | "setsOptions"> {
  let [adds, setsOptions] = [false, false];
  visitKeys(lists, ({ name }) => {
    adds ||= ADDS.test(name);
    setsOptions ||= SETS_OPTIONS.test(name);
  });
  return { adds, setsOptions };
}

/** Reads the VMs of a task, or of the tasks in a block. */
function readTask(written: Value, scope: Scope, collections: readonly string[], depth: number): readonly ReadVm[] {
  if (depth === 0 || scope.budget.left-- <= 0 || !isMapping(written)) return [];
  const task = scoped(written);
  const inner = within(scope, task);
  const blocks = IN_BLOCK.flatMap((key) => itemsOf(get(task, key)).map((one) => ({ one, uncounted: inner.uncounted || key === "rescue" })));
  if (blocks.length > 0) return blocks.flatMap(({ one, uncounted }) => readTask(one, { ...inner, uncounted }, collections, depth - 1));
  const called = calledBy(task, collections);
  if (!called) return [];
  const calls = rounds(task, inner).flatMap((round) => (round.budget.left-- > 0 ? callOf(called.module, task, called.args, round) : []));
  const vms = calls.flatMap((call) => called.module.read(call) ?? []);
  // Only after all iterations: one loop may create VMs whose names only a run distinguishes.
  for (const call of calls) meet(call, inner);
  return vms;
}

/** The module that a task calls. */
function calledBy(task: Value, collections: readonly string[]): { module: Module; args: readonly Value[] } | undefined {
  const named = (name: string): Module | undefined =>
    MODULES.find((module) => {
      const collection = module.name.slice(0, -module.short.length - 1);
      return name === module.name || (name === module.short && (!module.needsCollection || collections.includes(collection)));
    });
  for (const entry of entriesOf(task)) {
    const { name, words, args } = callIn(entry, task);
    const module = named(name);
    // `vmware_guest: name=x state=present` is one text, so its values have no ranges.
    if (module) return words === "" ? { module, args } : undefined;
  }
  return undefined;
}
