import { type Files, folderOf, joinPath } from "../../model/files.ts";
import { entriesOf, get, itemsOf, textOf, type Value } from "../yaml/tree.ts";
import { DEEPEST as DEEPEST_FOLDER, filesAt, MOST_FILES, type Project, perFiles, rootOf, settingsOf } from "./project.ts";

/** What a playbook, a play or the tasks of a role run. */
export interface Run {
  /** Variables that it sets on its way, so that only a run knows what they are, and where. */
  readonly sets: Names;
  /** Those that it hands to the roles and files that it runs: they count there alone. */
  readonly params: Names;
  /** The folders of its roles. */
  readonly roles: ReadonlySet<string>;
}

/** Variables, each with the file that sets it as messages name it; nothing for the text that is checked. */
export type Names = ReadonlyMap<string, string | undefined>;

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
interface Steps {
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

/** Keys of tasks by which they set variables or run others, without the collection that Ansible comes with. */
const STEP =
  /^(?:ansible\.(?:builtin|legacy)\.)?(set_fact|include_vars|register|import_playbook|(?:include|import)_(?:tasks|role)|include)$/;

function stepsIn(lists: readonly Value[], roles: readonly Value[] = []): Steps {
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
      if (whole === undefined) steps.vars.add(textOf(value) ?? textOf(get(value, "file")) ?? "{{");
      else steps.sets.add(whole);
    } else {
      // What the blocks around a task have, what it includes has, too.
      for (const task of tasks) addKeys(get(task, "vars"), steps.params);
      if (step.endsWith("_role")) steps.roles.add(textOf(get(value, "name")) ?? "{{");
      else (step === "import_playbook" ? steps.playbooks : steps.tasks).add(textOf(value) ?? textOf(get(value, "file")) ?? "{{");
    }
  });
  // Those that were not looked at may set any.
  if (!isAll) steps.sets.add(ANY);
  for (const role of roles) {
    steps.roles.add(nameOfRole(role) ?? "{{");
    addKeys(role, steps.params);
    addKeys(get(role, "vars"), steps.params);
  }
  return steps;
}

const nameOfRole = (role: Value): string | undefined => textOf(role) ?? textOf(get(role, "role")) ?? textOf(get(role, "name"));

const stepsOfPlay = (play: Value): Steps => stepsIn(listsOf(play), itemsOf(get(play, "roles")));

/** Of a playbook, a file of tasks, or what a role depends on (meta/main.yml). */
function stepsOf(root: Value): Steps {
  const items = itemsOf(root);
  const roles = [...items.flatMap((item) => itemsOf(get(item, "roles"))), ...itemsOf(get(root, "dependencies"))];
  const steps = stepsIn([root, ...items.flatMap(listsOf)], roles);
  const asked = items.flatMap((item) => itemsOf(get(item, "vars_prompt")));
  for (const one of asked) steps.sets.add(textOf(get(one, "name")) ?? ANY);
  return steps;
}

/** What one play runs. */
export const runOfPlay = (project: Project, play: Value): Run => follow(project, { steps: stepsOfPlay(play), folder: project.here });

/** What the text runs that is checked, a playbook or tasks of the role in a folder. */
export const runOf = (root: Value, project: Project | undefined, role?: string): Run =>
  follow(project, { steps: stepsOf(root), folder: project?.here ?? "", role });

/** What a playbook of a project runs. */
export const runAt = (project: Project, path: string): Run =>
  runs(project.files, `${project.here}\n${path}`, () =>
    follow(project, { steps: stepsAt(project.files, path), folder: folderOf(path), shown: project.shown(path) }),
  );

const runs = perFiles<Run>();

/** A part of what is run, and where it stands. */
interface Part {
  readonly steps: Steps;
  readonly folder: string;
  readonly role?: string | undefined;
  readonly shown?: string;
}

/** Follows roles, files of tasks and playbooks, as far as their names are written down. */
function follow(project: Project | undefined, first: Part): Run {
  const [sets, params] = [new Map<string, string | undefined>(), new Map<string, string | undefined>()];
  const roles = new Set<string>();
  const met = new Set<string>();
  const todo = [first];
  const add = (path: string, role: string | undefined): void => {
    if (!project || met.has(path)) return;
    met.add(path);
    todo.push({ steps: stepsAt(project.files, path), folder: folderOf(path), role, shown: project.shown(path) });
  };
  const addRole = (folder: string): void => {
    if (!project || roles.has(folder)) return;
    roles.add(folder);
    const inside = ["tasks", "handlers"].flatMap((kind) => filesAt(project.files, `${folder}/${kind}`, DEEPEST_FOLDER));
    for (const path of [...inside, `${folder}/meta/main.yml`]) add(path, folder);
  };
  if (first.role !== undefined) addRole(first.role);
  for (const { steps, folder, role, shown } of todo) {
    for (const name of steps.sets) if (!sets.has(name)) sets.set(name, shown);
    for (const name of steps.params) if (!params.has(name)) params.set(name, shown);
    for (const name of steps.roles) {
      if (name.includes("{{")) sets.set(ANY, shown);
      else if (project) addRole(folderOfRole(project, name));
    }
    for (const name of steps.tasks) {
      // All files of a role are looked at.
      if (name.includes("{{")) role ?? sets.set(ANY, shown);
      else for (const place of new Set([folder, ...(role === undefined ? [] : [`${role}/tasks`])])) add(joinPath(place, name), role);
    }
    for (const name of steps.vars) {
      const places = [
        ...(role === undefined ? [] : [`${role}/vars`, role]),
        `${folder}/vars`,
        folder,
        ...(project ? [`${project.here}/vars`, project.here] : []),
      ];
      for (const one of varsIn(
        project,
        places.map((place) => joinPath(place, name)),
      ))
        sets.set(one, shown);
    }
    for (const name of steps.playbooks) add(joinPath(folder, name), undefined);
    if (todo.length > MOST_FILES) return { sets: new Map([[ANY, shown]]), params, roles };
  }
  return { sets, params, roles };
}

/** The variables of the first of these files that is there. */
function varsIn(project: Project | undefined, paths: readonly string[]): readonly string[] {
  const path = paths.find((one) => project?.files.read(one) !== undefined);
  const root = project && path !== undefined ? rootOf(project.files, path) : undefined;
  return root ? entriesOf(root).map(({ key }) => key) : [ANY];
}

const stepsAt = (files: Files, path: string): Steps =>
  steps(files, path, () => {
    const root = rootOf(files, path);
    if (root) return stepsOf(root);
    const nothing = stepsIn([]);
    // What is encrypted may set any.
    if (files.read(path) !== undefined) nothing.sets.add(ANY);
    return nothing;
  });

const steps = perFiles<Steps>();

/** Where a role lies: beside the playbook, or where the settings say. */
function folderOfRole(project: Project, role: string): string {
  const places = [`${project.here}/roles`, ...settingsOf(project).roles, project.here];
  const folders = places.map((place) => joinPath(place, role));
  return folders.find((folder) => project.files.list(folder).length > 0) ?? joinPath(project.here, `roles/${role}`);
}
