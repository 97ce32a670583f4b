import { at, type Entry, entriesOf, get, isMapping, isNothing, itemsOf, textOf, type Value } from "../../syntax/yaml/tree.ts";

/** Stands for every variable: a task loads them from a file, or a template creates the name. */
export const ANY = "*";

/** The keys for lists of tasks in a play, and in a block. */
const IN_PLAY = ["pre_tasks", "tasks", "post_tasks", "handlers"];
export const IN_BLOCK: readonly string[] = ["block", "rescue", "always"];

/** The deepest nesting of blocks. */
export const DEEPEST = 32;

/** More tasks than a real play has; aliases can multiply without limit. */
const MOST_VISITED = 20_000;

export const listsOf = (play: Value): readonly Value[] => IN_PLAY.map((key) => get(play, key));

/** The variables that tasks set, and the literal names of files and roles that they run. */
export interface Steps {
  readonly sets: Set<string>;
  readonly params: Set<string>;
  readonly roles: Set<string>;
  readonly tasks: Set<string>;
  /** Variable files. */
  readonly vars: Set<string>;
  /** Folders of roles, such as `web/vars`, with an unusual file that a task reads. */
  readonly roleVars: Set<string>;
  readonly playbooks: Set<string>;
}

/** A key of a task, which may be a module. */
export interface Call {
  readonly name: string;
  /** The text after the name; empty if its arguments are a mapping. */
  readonly words: string;
  /** The places of its arguments, strongest first. */
  readonly args: readonly Value[];
}

/** In `action` and `local_action`, the old notation for calls, the first word is the module (ModuleArgsParser). */
export function callIn({ key, value }: Entry, task: Value): Call {
  const args = get(task, "args");
  if (key !== "action" && key !== "local_action") return { name: key, words: textOf(value) ?? "", args: [value, args] };
  const text = textOf(isMapping(value) ? get(value, "module") : value) ?? "";
  const [, name = "", words = ""] = /^\s*(\S*)\s*(.*)$/s.exec(text) ?? [];
  return { name, words, args: isMapping(value) ? [get(value, "args"), value, args] : [args] };
}

/** Calls `see` for each key of each task, including tasks in blocks; returns false if there are too many to visit. */
export function visitKeys(lists: readonly Value[], see: (call: Call, tasks: readonly Value[]) => void): boolean {
  let remaining = MOST_VISITED;
  const visit = (tasks: readonly Value[], task: Value): boolean => {
    if (tasks.length === DEEPEST || remaining-- <= 0) return false;
    const path = [...tasks, task];
    let isAll = true;
    for (const entry of entriesOf(task)) {
      const { key, value } = entry;
      see(callIn(entry, task), path);
      if (IN_BLOCK.includes(key)) for (const inner of itemsOf(value)) isAll = visit(path, inner) && isAll;
    }
    return isAll;
  };
  return lists.flatMap((list) => itemsOf(list).map((task) => visit([], task))).every(Boolean);
}

/** Returns the names in words of the form `name=value`. */
const namesInWords = (words: string): readonly string[] =>
  [...words.matchAll(/(\}\}\w*|\w+)["']?=/g)].map(([, name = ""]) => (name.startsWith("}}") ? ANY : name));

/** Returns the names in a mapping; a template in a key may be any name. */
const namesIn = (value: Value): readonly string[] =>
  entriesOf(value).map(({ key, keyRange }) => (isOpen(value.source.text.slice(...keyRange)) ? ANY : key));

/** Returns the names that `set_fact` sets; a text without names stands for any. */
const factsOf = ({ words, args }: Call): readonly string[] =>
  [words, ...args.map((arg) => textOf(arg) ?? "")]
    .flatMap((text) => (text === "" || text.includes("=") ? namesInWords(text) : [ANY]))
    .concat(args.flatMap(namesIn));

/** Returns the loop of a task. */
export const loopOf = (task: Value): Entry | undefined =>
  entriesOf(task).find(({ key, value }) => (key === "loop" || key.startsWith("with_")) && !isNothing(value));

/** Returns the variables that a loop sets in each iteration, the item first (Ansible, "Loops"). */
export function namesOfLoop(task: Value): readonly string[] {
  if (!loopOf(task)) return [];
  const [item = "item", index] = ["loop_var", "index_var"].map((key) => textOf(at(task, ["loop_control", key])));
  return [item, ...(index === undefined ? [] : [index])].map(nameOrAny);
}

/** Whether only a run knows a name, because a template creates it or it is missing. */
export const isOpen = (name: string): boolean => name.includes("{{");

/** Stands for such a name. */
const OPEN = "{{";

const nameOrAny = (name: string): string => (isOpen(name) ? ANY : name);

/** Keys of tasks that set variables or run other files, without the prefix of Ansible's own collection. */
const STEP =
  /^(?:ansible\.(?:builtin|legacy)\.)?(set_fact|include_vars|register|import_playbook|(?:include|import)_(?:tasks|role)|include)$/;

/** Keys that select other files of a role than `main` (IncludeRole.FROM_ARGS). */
const FROM = { vars_from: "vars", defaults_from: "defaults" };

export function stepsIn(lists: readonly Value[], roles: readonly Value[] = []): Steps {
  const nothing = { sets: new Set<string>(), params: new Set<string>(), roles: new Set<string>(), tasks: new Set<string>() };
  const steps: Steps = { ...nothing, vars: new Set(), roleVars: new Set(), playbooks: new Set() };
  const add = (names: readonly string[], to: Set<string>): void => {
    for (const name of names) to.add(name);
  };
  const isAll = visitKeys(lists, (call, tasks) => {
    const { name, words, args } = call;
    const [, step] = STEP.exec(name) ?? [];
    if (step === undefined) return;
    const find = (...path: string[]): readonly Value[] => args.map((arg) => at(arg, path)).filter((value) => !isNothing(value));
    const wordOf = (key: string): string | undefined => find(key).map(textOf)[0];
    const file = words === "" ? (wordOf("file") ?? OPEN) : words;
    if (step === "set_fact") add(factsOf(call), steps.sets);
    else if (step === "register") steps.sets.add(nameOrAny(words));
    else if (step === "include_vars") {
      const whole = wordOf("name");
      if (whole === undefined) steps.vars.add(file);
      else steps.sets.add(nameOrAny(whole));
    } else {
      // Included files inherit the variables of the blocks around a task.
      for (const task of tasks) add([...namesIn(get(task, "vars")), ...namesOfLoop(task)], steps.params);
      add([...find("apply", "vars").flatMap(namesIn), ...namesInWords(words)], steps.params);
      if (step.endsWith("_role")) {
        const role = wordOf("name") ?? wordOf("role") ?? OPEN;
        steps.roles.add(role);
        for (const [from, kind] of Object.entries(FROM)) if (find(from).length > 0) steps.roleVars.add(`${role}/${kind}`);
      } else (step === "import_playbook" ? steps.playbooks : steps.tasks).add(file.replace(/^file=/, "").replace(/\s+\w+=.*$/s, ""));
    }
  });
  // Tasks that were not visited may set any variable.
  if (!isAll) steps.sets.add(ANY);
  for (const role of roles) {
    steps.roles.add(nameOfRole(role));
    add(namesIn(role), steps.params);
    add(namesIn(get(role, "vars")), steps.params);
  }
  return steps;
}

const nameOfRole = (role: Value): string => textOf(role) ?? textOf(get(role, "role")) ?? textOf(get(role, "name")) ?? OPEN;

export const stepsOfPlay = (play: Value): Steps => stepsIn(listsOf(play), itemsOf(get(play, "roles")));

/** Returns the steps of a playbook, a task file, or the dependencies of a role (meta/main.yml). */
export function stepsOf(root: Value): Steps {
  const items = itemsOf(root);
  const roles = [...items.flatMap((item) => itemsOf(get(item, "roles"))), ...itemsOf(get(root, "dependencies"))];
  const steps = stepsIn([root, ...items.flatMap(listsOf)], roles);
  const prompts = items.flatMap((item) => itemsOf(get(item, "vars_prompt")));
  for (const prompt of prompts) steps.sets.add(textOf(get(prompt, "name")) ?? ANY);
  return steps;
}
