import { type Beside, type Files, folderOf, joinPath, nameOf } from "../../model/files.ts";
import { get, isMapping, itemsOf, textOf, type Value } from "../yaml/tree.ts";
import { inventory } from "./hosts.ts";
import {
  filesFor,
  IS_YAML,
  type Layer,
  layerIn,
  layerOf,
  MOST_FILES,
  mentioning,
  type Project,
  perFiles,
  projectOf,
  rootOf,
  settingsOf,
} from "./project.ts";

/** A place that may set any variable, of which nothing can be said. */
const HIDDEN: Layer = { sets: () => true, always: true };

/*
 * The order is Ansible's ("Understanding variable precedence"): role defaults, group_vars/all of the inventory and of the playbook,
 * group_vars/* of both, the inventory's own hosts, host_vars/* of both, play vars, vars_files, role vars, parameters of roles. What the
 * command line gives (`-e`, another inventory) is not looked for, as with Terraform's variables: values are those of a run without.
 */

/** What gives variables of a play their values, the strongest first; in parts, of which that of the inventory is the same for many. */
export function layersOfPlay(play: Value, own: readonly Layer[], beside: Beside | undefined): readonly (readonly Layer[])[] {
  const names = itemsOf(get(play, "vars_files"));
  const isOneName = names.length === 0 && get(play, "vars_files").node !== undefined;
  const listed = isOneName ? [get(play, "vars_files")] : names;
  if (!beside) return [listed.length > 0 ? [HIDDEN, ...own] : own];
  const project = projectOf(beside);
  const roles = itemsOf(get(play, "roles")).flatMap((role) => textOf(role) ?? textOf(get(role, "role")) ?? textOf(get(role, "name")) ?? []);
  const places = [`${project.here}/roles`, ...settingsOf(project).roles];
  const folderOfRole = (role: string): string => {
    const folders = places.map((place) => joinPath(place, role));
    return folders.find((folder) => project.files.list(folder).length > 0) ?? joinPath(project.here, `roles/${role}`);
  };
  const ofRoles = (kind: "vars" | "defaults") => roles.flatMap((role) => filesFor(project, `${folderOfRole(role)}/${kind}`, "main", false));
  const hosts = get(play, "hosts");
  const [only, second] = itemsOf(hosts);
  const target = textOf(hosts) ?? (second ? undefined : only && textOf(only));
  return [
    [...ofRoles("vars"), ...listed.map((file) => fileOfPlay(project, textOf(file))).reverse(), ...importersOf(beside), ...own],
    inventory(project, target),
    ofRoles("defaults"),
  ];
}

/** The same for the tasks of a role; nothing for a file of tasks that is in none. */
export function layersOfRole(beside: Beside | undefined): readonly (readonly Layer[])[] {
  if (!beside) return [];
  const [, role] = /^(.*\/)(?:tasks|handlers)\/.*$/.exec(beside.path) ?? [];
  if (role === undefined) return [];
  const { files } = beside;
  const folder = joinPath(role, ".");
  const above = folderOf(folder);
  const isAmongRoles = nameOf(above) === "roles";
  if (!isAmongRoles && !files.list(folder).some((name) => name === "meta" || name === "defaults")) return [];
  const project = projectOf(beside, isAmongRoles ? folderOf(above) : folder);
  return [
    [...(isAmongRoles ? callersOf(project, nameOf(folder)) : []), ...filesFor(project, `${folder}/vars`, "main", true)],
    isAmongRoles ? inventory(project, undefined) : [],
    filesFor(project, `${folder}/defaults`, "main", true),
  ];
}

/** The roots of the other files of tasks in a role: what one of them sets, the others see. */
export function tasksBeside({ path, files }: Beside): readonly Value[] {
  const folder = folderOf(path);
  if (nameOf(folder) !== "tasks") return [];
  const others = files.list(folder).filter((name) => IS_YAML.test(name) && name !== nameOf(path));
  return others.slice(0, MOST_FILES).flatMap((name) => rootOf(files, `${folder}/${name}`) ?? []);
}

/** Looked for in `vars` first (Ansible, DataLoader.path_dwim_relative_stack). */
function fileOfPlay(project: Project, name: string | undefined): Layer {
  if (name === undefined) return { ...HIDDEN, shown: "a list in vars_files" };
  const hidden = { ...HIDDEN, shown: name };
  if (name.includes("{{") || name.startsWith("~")) return hidden;
  const folders = name.startsWith("vars/") ? [project.here] : [`${project.here}/vars`, project.here];
  const path = folders.map((folder) => joinPath(folder, name)).find((candidate) => project.files.read(candidate) !== undefined);
  return path === undefined ? hidden : layerIn(project, path, true);
}

/** Playbooks that import this one may give it variables, which are stronger than those of its plays (PlaybookInclude.load_data). */
function importersOf({ path, files }: Beside): readonly Layer[] {
  const [here, project] = [folderOf(path), projectOf({ path, files })];
  return [here, folderOf(here)].flatMap((folder) =>
    importsIn(files, folder).flatMap((one): readonly Layer[] =>
      joinPath(folder, one.playbook) === path
        ? [{ ...layerOf(one.vars), always: false, path: one.path, shown: project.shown(one.path) }]
        : [],
    ),
  );
}

interface Import {
  readonly path: string;
  readonly playbook: string;
  readonly vars: Value;
}

const imports = perFiles<readonly Import[]>();

/** What the playbooks of a folder import with variables. */
const importsIn = (files: Files, folder: string): readonly Import[] =>
  imports(files, folder, () =>
    playbooksIn(files, folder).flatMap((path) => {
      const isOne = files.read(path)?.includes("import_playbook:");
      const root = isOne ? rootOf(files, path) : undefined;
      return (root ? itemsOf(root) : []).flatMap((item) => {
        const playbook = textOf(get(item, "import_playbook")) ?? textOf(get(item, "ansible.builtin.import_playbook"));
        const vars = get(item, "vars");
        return playbook === undefined || !isMapping(vars) ? [] : [{ path, playbook, vars }];
      });
    }),
  );

const playbooksIn = (files: Files, folder: string): readonly string[] =>
  files
    .list(folder)
    .filter((name) => IS_YAML.test(name))
    .slice(0, MOST_FILES)
    .map((name) => `${folder}/${name}`);

/** Playbooks that call a role may give it parameters, which are stronger than all of its own. */
function callersOf(project: Project, role: string): readonly Layer[] {
  const { files, here } = project;
  return [here, `${here}/playbooks`].flatMap((folder) => playbooksIn(files, folder).flatMap((path) => mentioning(project, path, role)));
}
