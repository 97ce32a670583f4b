import { type Files, folderOf, joinPath } from "../../model/files.ts";
import { entriesOf, type Value } from "../../syntax/yaml/tree.ts";
import { filesAt, MOST_FILES, type Project, perFiles, rootOf, settingsOf, varsOf } from "./project.ts";
import { ANY, isOpen, type Steps, stepsIn, stepsOf, stepsOfPlay } from "./steps.ts";

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
interface RunPart {
  readonly steps: Steps;
  readonly folder: string;
  readonly role?: string | undefined;
  readonly shown?: string;
}

/** A path that leads out of a role. */
const OUTSIDE = /\.\.|playbook_dir/;

/** Follows roles, files of tasks and playbooks, as far as their names are written down. */
function follow(project: Project | undefined, first: RunPart): Run {
  const [sets, params] = [new Map<string, string | undefined>(), new Map<string, string | undefined>()];
  const roles = new Set<string>();
  const met = new Set<string>();
  const todo = [first];
  const add = (path: string, role?: string): void => {
    if (!project || met.has(path)) return;
    met.add(path);
    todo.push({ steps: stepsAt(project.files, path), folder: folderOf(path), role, shown: project.shown(path) });
  };
  const addRole = (folder: string): void => {
    if (!project || roles.has(folder)) return;
    roles.add(folder);
    const inside = ["tasks", "handlers"].flatMap((kind) => filesAt(project.files, `${folder}/${kind}`));
    for (const path of [...inside, `${folder}/meta/main.yml`]) add(path, folder);
  };
  if (first.role !== undefined) addRole(first.role);
  for (const { steps, folder, role, shown } of todo) {
    if (todo.length > MOST_FILES) return { sets: new Map([[ANY, shown]]), params, roles };
    const set = (names: Iterable<string>, to = sets): void => {
      for (const name of names) if (!to.has(name)) to.set(name, shown);
    };
    set(steps.sets);
    set(steps.params, params);
    // All files of a role are looked at, whichever of them it includes.
    const isUnseen = (name: string): boolean => isOpen(name) && (role === undefined || OUTSIDE.test(name));
    if ([...steps.roles].some(isOpen) || [...steps.tasks].some(isUnseen)) set([ANY]);
    for (const name of steps.roles) if (project && !isOpen(name)) addRole(folderOfRole(project, name));
    for (const name of steps.tasks) for (const place of tasksFor(folder, role)) if (!isOpen(name)) add(joinPath(place, name), role);
    for (const name of steps.vars) set(project ? varsIn(project, varsFor(project, folder, role), name) : [ANY]);
    for (const name of steps.roleVars) {
      if (project) for (const path of filesAt(project.files, folderOfRole(project, name))) set(namesAt(project, path));
    }
    for (const name of steps.playbooks) add(joinPath(folder, name));
  }
  return { sets, params, roles };
}

/** Where the files lie that tasks include, and those of variables, the first first (DataLoader.path_dwim_relative_stack). */
const tasksFor = (folder: string, role: string | undefined): readonly string[] => [
  folder,
  ...(role === undefined ? [] : [`${role}/tasks`]),
];
const varsFor = ({ here }: Project, folder: string, role: string | undefined): readonly string[] =>
  [...(role === undefined ? [] : [role]), folder, here].flatMap((place) => [`${place}/vars`, place]);

/** The variables of a file that is looked for in several places. */
function varsIn(project: Project, places: readonly string[], name: string): readonly string[] {
  const { files } = project;
  const path = places.map((place) => joinPath(place, name)).find((one) => files.read(one) !== undefined);
  return path === undefined ? [ANY] : namesAt(project, path);
}

function namesAt({ files }: Project, path: string): readonly string[] {
  const root = varsOf(files, path);
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
