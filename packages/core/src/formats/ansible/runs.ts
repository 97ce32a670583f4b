import { type Files, folderOf, joinPath } from "../../model/files.ts";
import { entriesOf, type Value } from "../../syntax/yaml/tree.ts";
import { filesAt, MOST_FILES, type Project, perFiles, rootOf, settingsOf, varsOf } from "./project.ts";
import { ANY, isOpen, type Steps, stepsIn, stepsOf, stepsOfPlay } from "./steps.ts";

/** The effects of a playbook, a play or the tasks of a role on variables. */
export interface Run {
  /** Variables that the run itself sets, so their values are unknown, with the files that set them. */
  readonly sets: Names;
  /** Variables passed to roles and files, which apply only there. */
  readonly params: Names;
  /** The folders of its roles. */
  readonly roles: ReadonlySet<string>;
}

/** Variables with the file that sets each, as messages show it; undefined for the checked text. */
export type Names = ReadonlyMap<string, string | undefined>;

/** Returns the run of one play. */
export const runOfPlay = (project: Project, play: Value): Run => follow(project, { steps: stepsOfPlay(play), folder: project.folder });

/** Returns the run of the checked text: a playbook, or tasks of the role in a folder. */
export const runOf = (root: Value, project: Project | undefined, role?: string): Run =>
  follow(project, { steps: stepsOf(root), folder: project?.folder ?? "", role });

/** Returns the run of a playbook of a project. */
export const runAt = (project: Project, path: string): Run =>
  runs(project.files, `${project.folder}\n${path}`, () =>
    follow(project, { steps: stepsAt(project.files, path), folder: folderOf(path), shownPath: project.shownPath(path) }),
  );

const runs = perFiles<Run>();

/** Steps of a run, with the folder that they are in. */
interface RunPart {
  readonly steps: Steps;
  readonly folder: string;
  readonly role?: string | undefined;
  readonly shownPath?: string;
}

/** A path that leads out of a role. */
const OUTSIDE = /\.\.|playbook_dir/;

/** Follows roles, task files and playbooks with literal names. */
function follow(project: Project | undefined, first: RunPart): Run {
  const [sets, params] = [new Map<string, string | undefined>(), new Map<string, string | undefined>()];
  const roles = new Set<string>();
  const visited = new Set<string>();
  const todo = [first];
  const add = (path: string, role?: string): void => {
    if (!project || visited.has(path)) return;
    visited.add(path);
    todo.push({ steps: stepsAt(project.files, path), folder: folderOf(path), role, shownPath: project.shownPath(path) });
  };
  const addRole = (folder: string): void => {
    if (!project || roles.has(folder)) return;
    roles.add(folder);
    const entries = ["tasks", "handlers"].flatMap((kind) => filesAt(project.files, `${folder}/${kind}`));
    for (const path of [...entries, `${folder}/meta/main.yml`]) add(path, folder);
  };
  if (first.role !== undefined) addRole(first.role);
  for (const { steps, folder, role, shownPath } of todo) {
    if (todo.length > MOST_FILES) return { sets: new Map([[ANY, shownPath]]), params, roles };
    const set = (names: Iterable<string>, to = sets): void => {
      for (const name of names) if (!to.has(name)) to.set(name, shownPath);
    };
    set(steps.sets);
    set(steps.params, params);
    // The tasks of a role are all visited, so it does not matter which file it includes.
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

/** Returns the folders that Ansible searches for included tasks and variables, in order (DataLoader.path_dwim_relative_stack). */
const tasksFor = (folder: string, role: string | undefined): readonly string[] => [
  folder,
  ...(role === undefined ? [] : [`${role}/tasks`]),
];
const varsFor = ({ folder: playFolder }: Project, folder: string, role: string | undefined): readonly string[] =>
  [...(role === undefined ? [] : [role]), folder, playFolder].flatMap((place) => [`${place}/vars`, place]);

/** Returns the variables of a file that may be in several folders. */
function varsIn(project: Project, places: readonly string[], name: string): readonly string[] {
  const { files } = project;
  const path = places.map((place) => joinPath(place, name)).find((candidate) => files.read(candidate) !== undefined);
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
    // An encrypted file may set any variable.
    if (files.read(path) !== undefined) nothing.sets.add(ANY);
    return nothing;
  });

const steps = perFiles<Steps>();

/** Returns the folder of a role: next to the playbook, or in a folder from the settings. */
function folderOfRole(project: Project, role: string): string {
  const places = [`${project.folder}/roles`, ...settingsOf(project).roles, project.folder];
  const folders = places.map((place) => joinPath(place, role));
  return folders.find((folder) => project.files.list(folder).length > 0) ?? joinPath(project.folder, `roles/${role}`);
}
