import { type Beside, type Files, folderOf, joinPath, nameOf } from "../../model/files.ts";
import { get, itemsOf, readDocuments, textOf, type Value } from "../yaml/tree.ts";
import { groupsByStrength, hostsOf, type Inventory, type ListOfHosts, readInventory } from "./inventory.ts";
import { type AnsibleSettings, NO_SETTINGS, settingsIn } from "./settings.ts";

/** One place that gives variables their values. */
export interface Layer {
  /** Whether it says something of a variable. */
  readonly sets: (name: string) => boolean;
  /** Missing where what it says is not read. */
  readonly vars?: Value | undefined;
  /** Whether it counts for every host of the play; else for some, or in some runs. */
  readonly always: boolean;
  /** Missing for the text that is checked. */
  readonly path?: string;
  /** The path as messages name it; missing where there is nothing to say. */
  readonly shown?: string;
}

/** A mapping of variables in the text that is checked. */
export const layerOf = (vars: Value): Layer => ({ sets: (name) => isSet(vars, name), vars, always: true });

/** A place that may set any variable, of which nothing can be said. */
const HIDDEN: Layer = { sets: () => true, always: true };

const isSet = (vars: Value, name: string): boolean => get(vars, name).node !== undefined;

/*
 * The order is Ansible's ("Understanding variable precedence"): role defaults, group_vars/all of the inventory and of the playbook,
 * group_vars/* of both, the inventory's own hosts, host_vars/* of both, play vars, vars_files, role vars, parameters of roles. What the
 * command line gives (`-e`, another inventory) is not looked for, as with Terraform's variables: values are those of a run without.
 */

/** What gives variables of a play their values, the strongest first. */
export function layersOfPlay(play: Value, own: readonly Layer[], beside: Beside | undefined): readonly Layer[] {
  const names = itemsOf(get(play, "vars_files"));
  const isOneName = names.length === 0 && get(play, "vars_files").node !== undefined;
  const listed = isOneName ? [get(play, "vars_files")] : names;
  if (!beside) return listed.length > 0 ? [HIDDEN, ...own] : own;
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
    ...ofRoles("vars"),
    ...listed.map((file) => fileOfPlay(project, textOf(file))).reverse(),
    ...own,
    ...inventory(project, target),
    ...ofRoles("defaults"),
  ];
}

/** The same for the tasks of a role; nothing for a file of tasks that is in none. */
export function layersOfRole(beside: Beside | undefined): readonly Layer[] {
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
    ...(isAmongRoles ? callersOf(project, nameOf(folder)) : []),
    ...filesFor(project, `${folder}/vars`, "main", true),
    ...(isAmongRoles ? inventory(project, undefined) : []),
    ...filesFor(project, `${folder}/defaults`, "main", true),
  ];
}

/** The roots of the other files of tasks in a role: what one of them sets, the others see. */
export function tasksBeside({ path, files }: Beside): readonly Value[] {
  const folder = folderOf(path);
  if (nameOf(folder) !== "tasks") return [];
  const others = files.list(folder).filter((name) => IS_YAML.test(name) && name !== nameOf(path));
  return others.slice(0, MOST_FILES).flatMap((name) => rootOf(files, `${folder}/${name}`) ?? []);
}

const IS_YAML = /\.ya?ml$/;

/** More than a project has of a kind; what lies behind is not known. */
const MOST_FILES = 500;

/** Where a playbook stands. */
interface Project {
  readonly here: string;
  readonly files: Files;
  readonly shown: (path: string) => string;
  /** Whether tasks of the playbook add hosts, or put them into other groups. */
  readonly addsHosts: () => boolean;
}

function projectOf({ path, files }: Beside, here = folderOf(path)): Project {
  const shown = (other: string): string => {
    const above = folderOf(here);
    return other.startsWith(`${here}/`)
      ? other.slice(here.length + 1)
      : other.startsWith(`${above}/`)
        ? `..${other.slice(above.length)}`
        : other;
  };
  return { here, files, shown, addsHosts: () => /\b(?:add_host|group_by)\b/.test(files.read(path) ?? "") };
}

/** The settings beside the playbook, or above it, as Ansible finds them in the folder it is run in. */
function settingsOf({ here, files }: Project): AnsibleSettings {
  for (const folder of [here, folderOf(here)]) {
    const text = files.list(folder).includes("ansible.cfg") ? files.read(`${folder}/ansible.cfg`) : undefined;
    if (text !== undefined) return settingsIn(text, folder);
  }
  return NO_SETTINGS;
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

/** Playbooks that call a role may give it parameters, which are stronger than all of its own. */
function callersOf(project: Project, role: string): readonly Layer[] {
  const { files, here } = project;
  return [here, `${here}/playbooks`].flatMap((folder) =>
    files
      .list(folder)
      .filter((name) => IS_YAML.test(name))
      .slice(0, MOST_FILES)
      .flatMap((name) => mentioning(project, `${folder}/${name}`, role)),
  );
}

/** A file that may set what it names; none where it does not hold a word. */
function mentioning(project: Project, path: string, word = ""): readonly Layer[] {
  const text = project.files.read(path);
  if (text === undefined || !text.includes(word)) return [];
  const sets = (name: string): boolean => new RegExp(`(?<![\\w.])${name}["']?[ \\t]*[:=]`).test(text);
  return [{ sets, always: false, path, shown: project.shown(path) }];
}

/** Names that hosts and groups have; a pattern of several is none. */
const ONE_NAME = /^(?!all$)[\w-]+(?:\.[\w-]+)*$/;

/** It is in no group, and has the variables of `all` (Ansible, "Implicit localhost"). */
const LOCAL = new Set(["localhost", "127.0.0.1"]);

/** What the files of an inventory give the hosts of a play. */
function inventory(project: Project, hosts: string | undefined): readonly Layer[] {
  const settings = settingsOf(project);
  const found = inventoriesOf(project);
  const listed = inventoryOf(project, settings, found.lists);
  // A run that names no inventory has an implicit localhost; other hosts are there only where an inventory has them.
  const isSure = settings.inventory !== undefined || !LOCAL.has(hosts ?? "");
  const precise = listed && hosts !== undefined && isSure && !project.addsHosts() ? layersOfHosts(project, listed, hosts) : undefined;
  return precise ?? guessed(project, hosts, found, settings.inventory);
}

/** The inventory of a project, where it is sure which that is and all of it can be read. */
interface Listed {
  /** The folders with its variables, the strongest first. */
  readonly folders: readonly string[];
  readonly inventory: Inventory;
}

function inventoryOf({ files, shown }: Project, settings: AnsibleSettings, lists: readonly string[]): Listed | undefined {
  const { inventory: sources = lists.length === 1 ? lists : [], readsOtherwise } = settings;
  if (sources.length === 0 || readsOtherwise) return undefined;
  const paths = sources.flatMap((source) => listsIn(files, source, DEEPEST));
  const texts = paths.flatMap((path): readonly ListOfHosts[] => {
    const text = path === undefined ? undefined : files.read(path);
    return path === undefined || text === undefined ? [] : [{ path, shown: shown(path), text }];
  });
  const inventory = texts.length === paths.length ? readInventory(texts) : undefined;
  const folders = sources.map((source) => (files.list(source).length > 0 ? source : folderOf(source)));
  return inventory && { folders: folders.reverse(), inventory };
}

/** What an inventory that is a folder passes over (InventoryManager.parse_source, INVENTORY_IGNORE_EXTS). */
const PASSED_OVER = /^\.|^(?:host_vars|group_vars|vars_plugins)$|(?:\.(?:pyc|pyo|swp|bak|rpm|md|txt|rst|orig|cfg|retry)|~)$/;

/** The lists of an inventory in the order they are read; `undefined` for one that some releases pass over: of a folder `*.ini` before 2.18. */
function listsIn(files: Files, path: string, depth: number, isInside = false): readonly (string | undefined)[] {
  const names = files.list(path);
  if (depth === 0 || (isInside && path.endsWith(".ini"))) return [undefined];
  if (names.length === 0) return [path];
  const read = names.filter((name) => !PASSED_OVER.test(name)).sort();
  return read.flatMap((name) => listsIn(files, `${path}/${name}`, depth - 1, true));
}

/** What the one inventory and the files beside it and beside the playbook give hosts, the strongest first (VARIABLE_PRECEDENCE). */
function layersOfHosts(project: Project, { folders, inventory: all }: Listed, hosts: string): readonly Layer[] | undefined {
  const isImplicit = LOCAL.has(hosts) && !all.hosts.has(hosts);
  const targets = isImplicit ? new Set([hosts]) : all.hosts.has(hosts) ? new Set([hosts]) : hostsOf(all, hosts);
  if (targets.size === 0) return undefined;
  const places = [...new Set([project.here, ...folders])];
  const isOne = targets.size === 1;
  const groups = groupsByStrength(all).flatMap((name) => {
    const members = isImplicit ? new Set() : hostsOf(all, name);
    const inside = [...targets].filter((host) => members.has(host)).length;
    return inside === 0 ? [] : [{ name, always: inside === targets.size }];
  });
  // A task may make groups (group_by), which have files and are in no inventory.
  const isMade = (name: string): boolean => name !== "all" && !all.groups.has(name);
  const made = places.flatMap((place) =>
    namesOf(project.files, `${place}/group_vars`)
      .filter(isMade)
      .flatMap((name) => filesFor(project, `${place}/group_vars`, name, false)),
  );
  const own = [...targets].map((host) => all.hosts.get(host) ?? []);
  const [first = [], ...others] = own;
  // A range of hosts has its variables in common; what one of them has beside is stronger, or is taken to be.
  const common = new Set(first.filter((layer) => others.every((layers) => layers.includes(layer))));
  const counting = (layers: readonly Layer[] = [], always: boolean): readonly Layer[] =>
    layers.map((layer) => ({ ...layer, always })).reverse();
  const files = (kind: string, name: string, always: boolean) => (place: string) => filesFor(project, `${place}/${kind}`, name, always);
  return [
    ...places.flatMap((place) => [...targets].flatMap((host) => files("host_vars", host, isOne)(place))),
    ...own.flatMap((layers) =>
      counting(
        layers.filter((layer) => !common.has(layer)),
        false,
      ),
    ),
    ...counting([...common], true),
    ...made,
    ...places.flatMap((place) => groups.flatMap(({ name, always }) => files("group_vars", name, always)(place))),
    ...places.flatMap(files("group_vars", "all", true)),
    ...groups.flatMap(({ name, always }) => counting(all.groups.get(name)?.vars, always)),
    ...counting(all.groups.get("all")?.vars, true),
  ];
}

/** What any inventory of a project may give the hosts of a play, of those that are usual and those that are named. */
function guessed(project: Project, hosts: string | undefined, usual: Inventories, named: readonly string[] | undefined): readonly Layer[] {
  const folders = [...new Set([...usual.folders, ...(named ?? []).flatMap((path) => [path, folderOf(path)])])].filter(
    (one) => one !== project.here,
  );
  const lists = [...new Set([...(named ?? []).flatMap((path) => filesIn(project.files, path)), ...usual.lists])];
  const sure = named === undefined;
  const { files, here } = project;
  const target = hosts !== undefined && ONE_NAME.test(hosts) ? hosts : undefined;
  const playbook = { folder: here, always: true };
  const withHosts = new Set(lists.map(folderOf));
  const others = folders.map((folder) => ({ folder, always: sure && withHosts.size === 1 && withHosts.has(folder) }));
  // The playbook's are stronger than the inventory's.
  const places = [playbook, ...others];
  const exists = (kind: string): boolean => places.some(({ folder }) => namesOf(files, `${folder}/${kind}`).includes(target ?? ""));
  const isLocal = target !== undefined && LOCAL.has(target);
  const isHost = isLocal || exists("host_vars");
  // Said in an inventory, it is a host as any other.
  const hasGroups = !isLocal || lists.some((path) => files.read(path)?.includes(target));
  const inKind = (kind: string, wanted: (name: string) => boolean, counts: boolean): readonly Layer[] =>
    places.flatMap(({ folder, always }) =>
      namesOf(files, `${folder}/${kind}`)
        .filter(wanted)
        .flatMap((name) => filesFor(project, `${folder}/${kind}`, name, counts && always)),
    );
  const isTarget = (name: string): boolean => name === target;
  return [
    ...(isHost ? [] : inKind("host_vars", () => true, false)),
    ...(isHost ? inKind("host_vars", isTarget, true) : []),
    ...lists.flatMap((path) => listing(project, path)),
    ...(hasGroups ? inKind("group_vars", (name) => name !== "all" && !isTarget(name), false) : []),
    ...(isLocal ? [] : inKind("group_vars", isTarget, true)),
    ...inKind("group_vars", (name) => name === "all", true),
  ];
}

/** A file of hosts, by the names that Ansible's own documentation gives them. */
const IS_INVENTORY = /^(?:hosts|inventory|production|staging)(?:\.(?:ini|ya?ml|cfg|txt))?$/;

/** The files of an inventory, which may be a folder. */
function filesIn(files: Files, path: string): readonly string[] {
  const inside = files.list(path).filter((name) => !IS_VARS.test(name));
  return inside.length === 0 ? [path] : inside.slice(0, MOST_FILES).map((name) => `${path}/${name}`);
}

/** What an inventory may set: a program, or what cannot be read, anything. */
function listing(project: Project, path: string): readonly Layer[] {
  const text = project.files.read(path);
  const isList = text !== undefined && !text.startsWith("#!") && !text.startsWith("$ANSIBLE_VAULT");
  return isList ? mentioning(project, path) : [{ sets: () => true, always: false, path, shown: project.shown(path) }];
}

interface Inventories {
  readonly folders: readonly string[];
  readonly lists: readonly string[];
}

/**
 * Folders of inventories with variables beside them, and the files of hosts: beside the playbook, above a folder `playbooks`, and in
 * `inventory` and `inventories`, one by one ("Best practices", directory layouts).
 */
function inventoriesOf({ here, files }: Project): Inventories {
  const bases = nameOf(here) === "playbooks" ? [here, folderOf(here)] : [here];
  const inside = bases.flatMap((base) =>
    files.list(base).flatMap((name) => (name === "inventory" || name === "inventories" ? [`${base}/${name}`] : [])),
  );
  const nested = inside.flatMap((folder) =>
    files
      .list(folder)
      .slice(0, MOST_FILES)
      .flatMap((name) => (IS_VARS.test(name) || files.list(`${folder}/${name}`).length === 0 ? [] : [`${folder}/${name}`])),
  );
  const folders = [...bases.slice(1), ...inside, ...nested].filter((folder) => files.list(folder).some((name) => IS_VARS.test(name)));
  const lists = [
    ...bases.flatMap((base) => files.list(base).flatMap((name) => (IS_INVENTORY.test(name) ? [`${base}/${name}`] : []))),
    ...[...inside, ...nested].flatMap((folder) => files.list(folder).map((name) => `${folder}/${name}`)),
  ];
  return { folders, lists: lists.slice(0, MOST_FILES).filter((path) => files.read(path) !== undefined) };
}

const IS_VARS = /^(?:group|host)_vars$/;

/** The hosts or groups that a folder of variables has files or folders for. */
function namesOf(files: Files, folder: string): readonly string[] {
  const names = files.list(folder).filter((name) => !name.startsWith(".") && !name.endsWith("~"));
  return [...new Set(names.map((name) => name.replace(/\.(?:ya?ml|json)$/, "")))].slice(0, MOST_FILES);
}

/** How deep folders of variables go. */
const DEEPEST = 3;

/** The files for one name, the strongest first: the first of these that is there, all files of a folder by their names (find_vars_files). */
function filesFor(project: Project, folder: string, name: string, always: boolean): readonly Layer[] {
  const { files } = project;
  const path = ["", ".yml", ".yaml", ".json"].map((ending) => `${folder}/${name}${ending}`).find((one) => isThere(files, one));
  return path === undefined
    ? []
    : filesAt(files, path, DEEPEST)
        .map((one) => layerIn(project, one, always))
        .reverse();
}

const isThere = (files: Files, path: string): boolean => files.list(folderOf(path)).includes(nameOf(path));

function filesAt(files: Files, path: string, depth: number): readonly string[] {
  const inside = files.list(path);
  if (inside.length === 0 || depth === 0) return [path];
  const wanted = inside.filter((name) => !/^\.|~$/.test(name) && /^[^.]*$|\.(?:ya?ml|json)$/.test(name));
  return [...wanted].sort().flatMap((name) => filesAt(files, `${path}/${name}`, depth - 1));
}

function layerIn({ files, shown }: Project, path: string, always: boolean): Layer {
  const vars = rootOf(files, path);
  const place = { always, path, shown: shown(path) };
  return vars ? { ...place, vars, sets: (name) => isSet(vars, name) } : { ...place, sets: () => true };
}

/** A file is read once, however many playbooks it is for. */
const roots = new WeakMap<Files, Map<string, Value | undefined>>();

/** No file of variables is larger. */
const MOST_CHARACTERS = 1_000_000;

function rootOf(files: Files, path: string): Value | undefined {
  const known = roots.get(files) ?? new Map<string, Value | undefined>();
  roots.set(files, known);
  if (!known.has(path)) known.set(path, readVars(files.read(path)));
  return known.get(path);
}

/** `undefined` for what is encrypted, is no YAML, or that a template decides about. */
function readVars(text: string | undefined): Value | undefined {
  if (text === undefined || text.length > MOST_CHARACTERS || text.startsWith("$ANSIBLE_VAULT")) return undefined;
  const [tree, second] = readDocuments(text);
  if (!tree) return readDocuments("{}")[0]?.root;
  if (second || tree.errors.length > 0) return undefined;
  const { branches, inserts } = tree.root.source;
  return branches.length + inserts.length > 0 ? undefined : tree.root;
}
