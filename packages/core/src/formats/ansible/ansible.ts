import type { FileContext } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, rangeOf, scoped, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { Kind, ReadVm } from "../yaml/kind.ts";
import { layerOf } from "./project.ts";
import { callIn, DEEPEST, IN_BLOCK, listsOf, visitKeys } from "./steps.ts";
import { callOf, type Module, meet } from "./task.ts";
import { emptyScope, rounds, type Scope, scopeOf } from "./template-scope.ts";
import {
  inventoryOfPlay,
  inventoryOfRole,
  layersOfPlay,
  layersOfRole,
  mergesBeside,
  setByPlaybook,
  setByRole,
  tasksBeside,
} from "./variable-layers.ts";
import { vmwareGuest } from "./vmware-guest.ts";
import { vcenterVm } from "./vmware-rest.ts";
import { vmwareVm } from "./vmware-vm.ts";

/** The modules that create VMs. */
const MODULES: readonly Module[] = [vmwareGuest, vmwareVm, vcenterVm];

/** Playbooks, and task files of roles. */
export const ansible: Kind = {
  name: "ansible",
  sign: /^[ \t-]*(?:(?:community\.vmware\.)?vmware_guest|vmware\.vmware\.vm|(?:vmware\.vmware_rest\.)?vcenter_vm)[ \t]*:/m,
  lack: "no task in it sets the size, disks or options of a VM",
  read: (root, _, { context }) => {
    const file: Scope = {
      ...emptyScope(),
      ...addedBy([root, ...itemsOf(root).flatMap(listsOf)]),
      merges: once(() => mergesBeside(context)),
    };
    const role = once(() => roleScope(root, file, context));
    const vms = itemsOf(root).flatMap((item) => (isPlay(item) ? readPlay(item, root, file, context) : readTask(item, role(), [], DEEPEST)));
    return vms.length > 0 ? vms : undefined;
  },
};

const isPlay = (item: Value): boolean => !isNothing(get(item, "hosts"));

function readPlay(play: Value, root: Value, file: Scope, context: FileContext | undefined): readonly ReadVm[] {
  const lists = listsOf(play);
  const { vars, ...inner } = scopeOf(file, play);
  const hosts = get(play, "hosts");
  const playLayers = once(() => layersOfPlay(play, vars.map(layerOf), context));
  const dynamic = once(() => setByPlaybook(root, context));
  const scope: Scope = {
    ...inner,
    vars: [],
    outerLayers: playLayers,
    dynamic,
    hosts: play.source.text.slice(...rangeOf(hosts)),
    inventory: context && inventoryOfPlay(play, context),
  };
  const collections = itemsOf(get(play, "collections")).flatMap((item) => textOf(item) ?? []);
  return lists.flatMap((list) => itemsOf(list).flatMap((task) => readTask(task, scope, collections, DEEPEST)));
}

/** Returns the scope of a task file without plays. Tasks of a role see the variables of the role. */
function roleScope(root: Value, file: Scope, context: FileContext | undefined): Scope {
  const lists = [root, ...(context ? tasksBeside(context) : [])];
  const inventory = context && inventoryOfRole(context);
  return {
    ...file,
    dynamic: once(() => setByRole(root, context)),
    ...addedBy(lists),
    outerLayers: once(() => layersOfRole(context)),
    inventory,
  };
}

/** Modules that add devices to an existing VM (community.vmware, vmware.vmware_rest), set its options (vmware.vmware) or its size. */
const ADDS =
  /^(?:(?:community\.vmware\.)?vmware_guest_(?:controller|disk|network)|(?:vmware\.vmware_rest\.)?vcenter_vm_hardware_(?:adapter_\w+|disk|ethernet))$/;
const RESIZES = /^(?:vmware\.vmware_rest\.)?vcenter_vm_hardware(?:_cpu|_memory)?$/;
const SETS_OPTIONS = /^(?:vmware\.vmware\.)?vm_advanced_settings$/;

/** Whether a task adds devices or options to a VM; the VM itself is only known at run time. */
function addedBy(lists: readonly Value[]): Pick<Scope, "adds" | "setsOptions" | "resizes"> {
  let [adds, setsOptions, resizes] = [false, false, false];
  visitKeys(lists, ({ name }) => {
    adds ||= ADDS.test(name);
    setsOptions ||= SETS_OPTIONS.test(name);
    resizes ||= RESIZES.test(name);
  });
  return { adds, setsOptions, resizes };
}

/** Reads the VMs of a task, or of the tasks in a block. */
function readTask(step: Value, scope: Scope, collections: readonly string[], depth: number): readonly ReadVm[] {
  if (depth === 0 || scope.budget.remaining-- <= 0 || !isMapping(step)) return [];
  const task = scoped(step);
  const inner = scopeOf(scope, task);
  const blocks = IN_BLOCK.flatMap((key) =>
    itemsOf(get(task, key)).map((item) => ({ item, hasUnknownCount: inner.hasUnknownCount || key === "rescue" })),
  );
  if (blocks.length > 0)
    return blocks.flatMap(({ item, hasUnknownCount }) => readTask(item, { ...inner, hasUnknownCount }, collections, depth - 1));
  const taskCall = calledBy(task, collections);
  if (!taskCall) return [];
  const calls = rounds(task, inner).flatMap((round) =>
    round.budget.remaining-- > 0 ? callOf(taskCall.module, task, taskCall.args, round) : [],
  );
  const vms = calls.flatMap((call) => taskCall.module.read(call) ?? []);
  // Only after all iterations: one loop may create VMs whose names only a run distinguishes.
  for (const call of calls) meet(call, inner);
  return vms;
}

/** The module that a task calls. */
function calledBy(task: Value, collections: readonly string[]): { module: Module; args: readonly Value[] } | undefined {
  const moduleCalled = (name: string): Module | undefined =>
    MODULES.find((module) => {
      const collection = module.name.slice(0, -module.short.length - 1);
      return name === module.name || (name === module.short && (!module.needsCollection || collections.includes(collection)));
    });
  for (const entry of entriesOf(task)) {
    const { name, words, args } = callIn(entry, task);
    const module = moduleCalled(name);
    // `vmware_guest: name=x state=present` is one text, so its values have no ranges.
    if (module) return words === "" ? { module, args } : undefined;
  }
  return undefined;
}
