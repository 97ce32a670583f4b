import { entriesOf, get, itemsOf, textOf, type Value } from "../yaml/tree.ts";

/** Stands for every variable: a task reads them from a file. */
export const ANY = "*";

/** Lists of tasks in a play, and in a block. */
const IN_PLAY = ["pre_tasks", "tasks", "post_tasks", "handlers"];
export const IN_BLOCK: readonly string[] = ["block", "rescue", "always"];

/** How deep blocks are followed. */
export const DEEPEST = 32;

/** More tasks than any play has; aliases can ask for more. */
const MOST_VISITED = 20_000;

export const listsOf = (play: Value): readonly Value[] => IN_PLAY.map((key) => get(play, key));

/** What tasks set, and what else they run, by the names that they say. */
export interface Steps {
  readonly sets: Set<string>;
  readonly params: Set<string>;
  readonly roles: Set<string>;
  readonly tasks: Set<string>;
  /** Files of variables. */
  readonly vars: Set<string>;
  readonly playbooks: Set<string>;
}

/** Calls `see` for each key of each task, those in blocks too; false where there are more than are looked at. */
export function visitKeys(lists: readonly Value[], see: (key: string, value: Value, tasks: readonly Value[]) => void): boolean {
  let left = MOST_VISITED;
  const visit = (tasks: readonly Value[], task: Value): boolean => {
    if (tasks.length === DEEPEST || left-- <= 0) return false;
    const here = [...tasks, task];
    let isAll = true;
    for (const { key, value } of entriesOf(task)) {
      see(key, value, here);
      if (IN_BLOCK.includes(key)) for (const inner of itemsOf(value)) isAll = visit(here, inner) && isAll;
    }
    return isAll;
  };
  return lists.flatMap((list) => itemsOf(list).map((task) => visit([], task))).every(Boolean);
}

/** Whether only a run knows a name: a template makes it, or it is none. */
export const isOpen = (name: string): boolean => name.includes("{{");

/** Stands for such a name. */
const OPEN = "{{";

/** Keys of tasks by which they set variables or run others, without the collection that Ansible comes with. */
const STEP =
  /^(?:ansible\.(?:builtin|legacy)\.)?(set_fact|include_vars|register|import_playbook|(?:include|import)_(?:tasks|role)|include)$/;

export function stepsIn(lists: readonly Value[], roles: readonly Value[] = []): Steps {
  const steps: Steps = { sets: new Set(), params: new Set(), roles: new Set(), tasks: new Set(), vars: new Set(), playbooks: new Set() };
  const addKeys = (vars: Value, to: Set<string>): void => {
    for (const { key } of entriesOf(vars)) to.add(key);
  };
  const isAll = visitKeys(lists, (key, value, tasks) => {
    const [, step] = STEP.exec(key) ?? [];
    if (step === undefined) return;
    if (step === "set_fact") addKeys(value, steps.sets);
    else if (step === "register") steps.sets.add(textOf(value) ?? ANY);
    else if (step === "include_vars") {
      const whole = textOf(get(value, "name"));
      if (whole === undefined) steps.vars.add(fileOf(value));
      else steps.sets.add(whole);
    } else {
      // What the blocks around a task have, what it includes has, too.
      for (const task of tasks) addKeys(get(task, "vars"), steps.params);
      if (step.endsWith("_role")) steps.roles.add(textOf(get(value, "name")) ?? OPEN);
      else (step === "import_playbook" ? steps.playbooks : steps.tasks).add(fileOf(value));
    }
  });
  // Those that were not looked at may set any.
  if (!isAll) steps.sets.add(ANY);
  for (const role of roles) {
    steps.roles.add(nameOfRole(role));
    addKeys(role, steps.params);
    addKeys(get(role, "vars"), steps.params);
  }
  return steps;
}

const fileOf = (value: Value): string => textOf(value) ?? textOf(get(value, "file")) ?? OPEN;

const nameOfRole = (role: Value): string => textOf(role) ?? textOf(get(role, "role")) ?? textOf(get(role, "name")) ?? OPEN;

export const stepsOfPlay = (play: Value): Steps => stepsIn(listsOf(play), itemsOf(get(play, "roles")));

/** Of a playbook, a file of tasks, or what a role depends on (meta/main.yml). */
export function stepsOf(root: Value): Steps {
  const items = itemsOf(root);
  const roles = [...items.flatMap((item) => itemsOf(get(item, "roles"))), ...itemsOf(get(root, "dependencies"))];
  const steps = stepsIn([root, ...items.flatMap(listsOf)], roles);
  const asked = items.flatMap((item) => itemsOf(get(item, "vars_prompt")));
  for (const one of asked) steps.sets.add(textOf(get(one, "name")) ?? ANY);
  return steps;
}
