import { type FileContext, type Files, folderOf, joinPath, nameOf } from "../../model/files.ts";
import { get, isList, itemsOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { hostsInGroup, inventory } from "./inventory-variables.ts";
import {
  filesFor,
  IS_VARS,
  IS_YAML,
  type Layer,
  layerIn,
  layerOf,
  MOST_FILES,
  mentioning,
  namesOf,
  type Project,
  perFiles,
  projectOf,
  rootOf,
  settingsOf,
} from "./project.ts";
import { type Names, type Run, runAt, runOf, runOfPlay } from "./runs.ts";
import type { HostsOfScope } from "./template-scope.ts";

/** An unreadable place that may set any variable. */
const HIDDEN: Layer = { sets: () => true, always: true };

/*
 * The order is Ansible's ("Understanding variable precedence"): role defaults, group_vars/all of the inventory and of the playbook,
 * group_vars/* of both, the inventory's own hosts, host_vars/* of both, play vars, vars_files, role vars, parameters of roles. Values from
 * the command line (`-e`, another inventory) are ignored, as with Terraform's variables: the result is a run without them.
 */

/** Returns the places that set variables of a play, strongest first, in parts; many plays share the part of the inventory. */
export function layersOfPlay(play: Value, playVars: readonly Layer[], context: FileContext | undefined): readonly (readonly Layer[])[] {
  const files = filesOfPlay(play);
  if (!context) return [files.length > 0 ? [HIDDEN, ...playVars] : playVars];
  const project = projectOf(context);
  const roles = [...runOfPlay(project, play).roles];
  const ofRoles = (kind: "vars" | "defaults") => roles.flatMap((role) => filesFor(project, `${role}/${kind}`, "main", false));
  return [
    [...ofRoles("vars"), ...files.map((file) => fileOfPlay(project, textOf(file))).reverse(), ...layersOfImporters(context), ...playVars],
    inventory(project, targetOf(play)),
    ofRoles("defaults"),
  ];
}

/** Returns the inventory of a play. */
export function inventoryOfPlay(play: Value, context: FileContext): HostsOfScope {
  const project = projectOf(context);
  return {
    layersOf: (host) => inventory(project, host ?? targetOf(play)),
    hostsIn: (group) => hostsInGroup(project, group),
  };
}

/** The host pattern of a play; `undefined` for several. */
function targetOf(play: Value): string | undefined {
  const hosts = get(play, "hosts");
  const [only, second] = itemsOf(hosts);
  return textOf(hosts) ?? (second ? undefined : only && textOf(only));
}

/** Returns the files in `vars_files` of a play. */
function filesOfPlay(play: Value): readonly Value[] {
  const varsFiles = get(play, "vars_files");
  return isList(varsFiles) || varsFiles.node === undefined ? itemsOf(varsFiles) : [varsFiles];
}

/** The role of a task file. */
interface Role {
  readonly folder: string;
  /** The folders of the playbooks that call it. */
  readonly project: Project;
  /** Whether other playbooks may call the role; false for a repository of its own. */
  readonly isCalled: boolean;
}

function roleOf(context: FileContext): Role | undefined {
  const [, role] = /^(.*\/)(?:tasks|handlers)\/.*$/.exec(context.path) ?? [];
  if (role === undefined) return undefined;
  const folder = joinPath(role, ".");
  const parent = folderOf(folder);
  const isCalled = nameOf(parent) === "roles";
  if (!isCalled && !context.files.list(folder).some((name) => name === "meta" || name === "defaults")) return undefined;
  return { folder, project: projectOf(context, isCalled ? folderOf(parent) : folder), isCalled };
}

/** Returns the same for the tasks of a role; nothing for a task file outside of roles. */
export function layersOfRole(context: FileContext | undefined): readonly (readonly Layer[])[] {
  const role = context && roleOf(context);
  if (!role) return [];
  const { folder, project, isCalled } = role;
  return [
    [...callersOf(role).flatMap((path) => layersOfCaller(path, role)), ...filesFor(project, `${folder}/vars`, "main", true)],
    isCalled ? [...layersBeside(callersOf(role), project), ...inventory(project, undefined)] : [],
    filesFor(project, `${folder}/defaults`, "main", true),
  ];
}

/** Returns the inventory of the tasks of a role. */
export function inventoryOfRole(context: FileContext): HostsOfScope | undefined {
  const role = roleOf(context);
  if (!role?.isCalled) return undefined;
  return {
    layersOf: (host) => inventory(role.project, host),
    hostsIn: (group) => hostsInGroup(role.project, group),
  };
}

/** Whether the project merges mappings from several places. */
export const mergesBeside = (context: FileContext | undefined): boolean =>
  context !== undefined && settingsOf(roleOf(context)?.project ?? projectOf(context)).merges;

/** Returns variables that runs of a playbook set, including runs through imports in both directions. */
export function setByPlaybook(root: Value, context: FileContext | undefined): Names {
  const project = context && projectOf(context);
  const runs = context && project ? importersOf(context).map(({ path }) => runAt(project, path)) : [];
  return firstOf([runOf(root, project), ...runs].map(({ sets }) => sets));
}

/** Returns the same for a role with the playbooks that call it, or for a task file with the files that include it. */
export function setByRole(root: Value, context: FileContext | undefined): Names {
  const role = context && roleOf(context);
  const runs = role
    ? [runOf(root, role.project, role.folder), ...callersOf(role).map((path) => runAt(role.project, path))]
    : [runOf(root, context && projectOf(context)), ...(context ? includersOf(context) : [])];
  return firstOf(runs.flatMap(({ sets, params }) => [sets, params]));
}

/** Returns the runs of files in the same folder or above it that include a task file. */
const includersOf = ({ path, files }: FileContext): readonly Run[] =>
  [folderOf(path), folderOf(folderOf(path))]
    .flatMap((folder) => playbooksIn(files, folder))
    .filter((other) => other !== path && files.read(other)?.includes(nameOf(path)))
    .map((other) => runAt(projectOf({ path: other, files }), other));

/** The file that first sets each variable. */
const firstOf = (layers: readonly Names[]): Names => new Map(layers.toReversed().flatMap((names) => [...names]));

/** Returns the roots of the other task files of a role, because all of them share variables. */
export function tasksBeside({ path, files }: FileContext): readonly Value[] {
  const folder = folderOf(path);
  if (nameOf(folder) !== "tasks") return [];
  const names = files.list(folder).filter((name) => IS_YAML.test(name) && name !== nameOf(path));
  return names.slice(0, MOST_FILES).flatMap((name) => rootOf(files, `${folder}/${name}`) ?? []);
}

/**
 * Ansible searches `vars` first, even if the name already begins with `vars` (DataLoader.path_dwim_relative_stack compares bytes with a
 * text).
 */
function fileOfPlay(project: Project, name: string | undefined): Layer {
  if (name === undefined) return { ...HIDDEN, shownPath: "a list in vars_files" };
  const unknownVars = { ...HIDDEN, shownPath: name };
  if (name.includes("{{") || name.startsWith("~")) return unknownVars;
  const folders = [`${project.folder}/vars`, project.folder];
  const path = folders.map((folder) => joinPath(folder, name)).find((candidate) => project.files.read(candidate) !== undefined);
  return path === undefined ? unknownVars : layerIn(project, path, true);
}

/** Returns the playbooks that import this one. */
function importersOf({ path, files }: FileContext): readonly Import[] {
  const playFolder = folderOf(path);
  return [playFolder, folderOf(playFolder)].flatMap((folder) =>
    importsIn(files, folder).filter(({ playbook }) => joinPath(folder, playbook) === path),
  );
}

/** Imports may set variables, which are stronger than variables of the plays (PlaybookInclude.load_data). */
const layersOfImporters = (context: FileContext): readonly Layer[] =>
  importersOf(context).map(({ vars, path }) => ({ ...layerOf(vars), always: false, path, shownPath: projectOf(context).shownPath(path) }));

interface Import {
  readonly path: string;
  readonly playbook: string;
  readonly vars: Value;
}

const imports = perFiles<readonly Import[]>();

/** Returns the imports of all playbooks in a folder. */
const importsIn = (files: Files, folder: string): readonly Import[] =>
  imports(files, folder, () =>
    playbooksIn(files, folder).flatMap((path) => {
      const isOne = files.read(path)?.includes("import_playbook:");
      const root = isOne ? rootOf(files, path) : undefined;
      return (root ? itemsOf(root) : []).flatMap((item) => {
        const playbook = textOf(get(item, "import_playbook")) ?? textOf(get(item, "ansible.builtin.import_playbook"));
        return playbook === undefined ? [] : [{ path, playbook, vars: get(item, "vars") }];
      });
    }),
  );

const playbooksIn = (files: Files, folder: string): readonly string[] =>
  files
    .list(folder)
    .filter((name) => IS_YAML.test(name))
    .slice(0, MOST_FILES)
    .map((name) => `${folder}/${name}`);

/** Folders of a project without playbooks. */
const NO_PLAYBOOKS = /^\.|^(?:roles|group_vars|host_vars)$/;

/** Other YAML files are not playbooks, even if they mention a role. */
const IS_PLAYBOOK = /\b(?:hosts|import_playbook)["']?[ \t]*:/;

const playbooks = perFiles<readonly string[]>();

/** Returns the playbooks of a project, up to two folders deep, as in `playbooks/prod`. */
const playbooksOf = ({ files, folder: playFolder }: Project): readonly string[] =>
  playbooks(files, playFolder, () => {
    const foldersIn = (folder: string): readonly string[] =>
      files
        .list(folder)
        .filter((name) => !NO_PLAYBOOKS.test(name) && !IS_YAML.test(name))
        .map((name) => `${folder}/${name}`);
    const first = foldersIn(playFolder).slice(0, MOST_FILES);
    const folders = [playFolder, ...first, ...first.flatMap(foldersIn).slice(0, MOST_FILES)];
    return folders.flatMap((folder) => playbooksIn(files, folder)).filter((path) => IS_PLAYBOOK.test(files.read(path) ?? ""));
  });

/** Returns the playbooks that run, or may run, a role. */
function callersOf({ folder, project, isCalled }: Role): readonly string[] {
  const calls = (path: string): boolean => project.files.read(path)?.includes(nameOf(folder)) || runAt(project, path).roles.has(folder);
  return isCalled ? playbooksOf(project).filter(calls) : [];
}

/** Returns the variables of groups and hosts next to playbooks in other folders. */
function layersBeside(callers: readonly string[], project: Project): readonly Layer[] {
  const folders = new Set(callers.map(folderOf));
  folders.delete(project.folder);
  const kinds = [...folders].flatMap((folder) =>
    project.files.list(folder).flatMap((name) => (IS_VARS.test(name) ? [`${folder}/${name}`] : [])),
  );
  return kinds.flatMap((folder) => namesOf(project.files, folder).flatMap((name) => filesFor(project, folder, name, false)));
}

/**
 * Returns the variables that a playbook may set for a role: parameters, which are stronger than the variables of the role, and variables of
 * its plays and of their other roles.
 */
function layersOfCaller(path: string, { folder, project }: Role): readonly Layer[] {
  const at = projectOf({ path, files: project.files });
  const root = rootOf(project.files, path);
  const files = root ? itemsOf(root).flatMap(filesOfPlay) : [];
  const names = [...runAt(project, path).roles].filter((other) => other !== folder);
  return [
    ...mentioning(project, path),
    ...files.map((file) => ({ ...fileOfPlay(at, textOf(file)), always: false })),
    ...names.flatMap((other) => filesFor(project, `${other}/vars`, "main", false)),
  ];
}
