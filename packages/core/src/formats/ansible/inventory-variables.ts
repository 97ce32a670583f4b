import { type Files, folderOf, nameOf } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import { DEEPEST, filesFor, IS_VARS, type Layer, MOST_FILES, mentioning, namesOf, type Project, perFiles, settingsOf } from "./project.ts";
import { groupsAround, groupsByStrength, hostsOf, type Inventory, type ListOfHosts, readInventory } from "./read-inventory.ts";
import type { AnsibleSettings } from "./settings.ts";

/** Names of hosts and groups; a pattern for several does not match. */
const ONE_NAME = /^(?!all$)[\w-]+(?:\.[\w-]+)*$/;

/** Without an inventory entry, localhost is in no group and has the variables of `all` (Ansible, "Implicit localhost"). */
export const LOCAL: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);

const usualIn = perFiles<Inventories>();
const listedIn = perFiles<ProjectInventory | undefined>();
const preciseIn = perFiles<readonly Layer[] | undefined>();
const guessedIn = perFiles<readonly Layer[]>();

/** Returns the variables that an inventory sets for the hosts of a play. */
export function inventory(project: Project, hosts: string | undefined): readonly Layer[] {
  const settings = settingsOf(project);
  const usual = usualIn(project.files, project.folder, () => inventoriesOf(project));
  const { files, folder: playFolder } = project;
  const configured = listedIn(files, playFolder, () => inventoryOf(project, settings, usual.lists));
  // Without an inventory, only the implicit localhost exists.
  const isSure = settings.inventory !== undefined || !LOCAL.has(hosts ?? "");
  const key = `${playFolder}\n${hosts ?? ""}`;
  const precise =
    configured && hosts !== undefined && isSure && !project.addsHosts()
      ? preciseIn(files, key, () => layersOfHosts(project, configured, hosts))
      : undefined;
  return precise ?? guessedIn(files, key, () => guessed(project, hosts, usual, settings.inventory));
}

/** Returns the hosts in a group of the inventory; `undefined` if another inventory, or a task, may have others. */
export function hostsInGroup(project: Project, group: string): readonly string[] | undefined {
  const settings = settingsOf(project);
  const usual = usualIn(project.files, project.folder, () => inventoriesOf(project));
  const configured = listedIn(project.files, project.folder, () => inventoryOf(project, settings, usual.lists));
  if (!configured || project.addsHosts()) return undefined;
  const hosts = [...hostsOf(configured.inventory, group)];
  return hosts.length > 0 ? hosts : undefined;
}

/** The inventory of a project, if it is certain and fully readable. */
interface ProjectInventory {
  /** The folders with its variables, strongest first. */
  readonly folders: readonly string[];
  readonly inventory: Inventory;
  /** The groups by strength, computed once for all plays because it visits all hosts. */
  readonly byStrength: () => readonly string[];
  readonly outerGroups: () => ReturnType<typeof groupsAround>;
}

function inventoryOf({ files, shownPath }: Project, settings: AnsibleSettings, usual: readonly string[]): ProjectInventory | undefined {
  const { inventory: sources = usual.length === 1 ? usual : [], readsOtherwise } = settings;
  if (sources.length === 0 || readsOtherwise) return undefined;
  const lists: ListOfHosts[] = [];
  for (const path of sources.flatMap((source) => listsIn(files, source, DEEPEST))) {
    // In a folder, only releases from 2.19 on read it (INVENTORY_IGNORE_EXTS, 2.18.0 and 2.19.14).
    const isPassedOver = path.endsWith(".ini") && !sources.includes(path);
    const text = isPassedOver ? undefined : files.read(path);
    if (text === undefined) return undefined;
    lists.push({ path, shownPath: shownPath(path), text });
  }
  const inventory = readInventory(lists);
  const folders = sources.map((source) => (files.list(source).length > 0 ? source : folderOf(source)));
  if (!inventory) return undefined;
  const [byStrength, outerGroups] = [once(() => groupsByStrength(inventory)), once(() => groupsAround(inventory))];
  return { folders: folders.reverse(), inventory, byStrength, outerGroups };
}

/** Files that an inventory folder ignores (InventoryManager.parse_source, INVENTORY_IGNORE_EXTS). */
const PASSED_OVER = /^\.|^(?:host_vars|group_vars|vars_plugins)$|(?:\.(?:pyc|pyo|swp|bak|rpm|md|txt|rst|orig|cfg|retry)|~)$/;

/** Returns the files of an inventory in the order Ansible reads them. */
function listsIn(files: Files, path: string, depth: number): readonly string[] {
  const names = files.list(path);
  if (names.length === 0 || depth === 0) return [path];
  const fileNames = names.filter((name) => !PASSED_OVER.test(name)).sort();
  return fileNames.flatMap((name) => listsIn(files, `${path}/${name}`, depth - 1));
}

const isSubset = (subset: ReadonlySet<string>, all: ReadonlySet<string>): boolean => {
  for (const item of subset) if (!all.has(item)) return false;
  return true;
};

/**
 * Returns the variables of hosts from the inventory and from the files next to it and next to the playbook, strongest first
 * (VARIABLE_PRECEDENCE).
 */
function layersOfHosts(
  project: Project,
  { folders, inventory, ...listedHosts }: ProjectInventory,
  hosts: string,
): readonly Layer[] | undefined {
  const isImplicit = LOCAL.has(hosts) && !inventory.hosts.has(hosts);
  const targets = isImplicit ? new Set([hosts]) : inventory.hosts.has(hosts) ? new Set([hosts]) : hostsOf(inventory, hosts);
  if (targets.size === 0) return undefined;
  const places = [...new Set([project.folder, ...folders])];
  const isOne = targets.size === 1;
  const groupNames = isImplicit ? new Set() : listedHosts.outerGroups()(targets);
  const groups = listedHosts.byStrength().flatMap((name) => {
    const isAlways = (): boolean => isSubset(targets, hostsOf(inventory, name));
    return groupNames.has(name) ? [{ name, always: isOne || isAlways() }] : [];
  });
  // A task may create groups (group_by), which have files but are in no inventory.
  const isMade = (name: string): boolean => name !== "all" && !inventory.groups.has(name);
  const placeLayers = places.flatMap((place) =>
    namesOf(project.files, `${place}/group_vars`)
      .filter(isMade)
      .flatMap((name) => filesFor(project, `${place}/group_vars`, name, false)),
  );
  const hostLayers = [...targets].map((host) => inventory.hosts.get(host) ?? []);
  const [first = [], ...others] = hostLayers;
  // Variables that all hosts of a range share apply for certain; variables of single hosts may be stronger, so they only may apply.
  const common = new Set(first.filter((layer) => others.every((layers) => layers.includes(layer))));
  const counting = (layers: readonly Layer[] = [], always: boolean): readonly Layer[] =>
    layers.map((layer) => ({ ...layer, always })).reverse();
  const files = (kind: string, name: string, always: boolean) => (place: string) => filesFor(project, `${place}/${kind}`, name, always);
  return [
    ...places.flatMap((place) => [...targets].flatMap((host) => files("host_vars", host, isOne)(place))),
    ...hostLayers.flatMap((layers) =>
      counting(
        layers.filter((layer) => !common.has(layer)),
        false,
      ),
    ),
    ...counting([...common], true),
    ...placeLayers,
    ...places.flatMap((place) => groups.flatMap(({ name, always }) => files("group_vars", name, always)(place))),
    ...places.flatMap(files("group_vars", "all", true)),
    ...groups.flatMap(({ name, always }) => counting(inventory.groups.get(name)?.vars, always)),
    ...counting(inventory.groups.get("all")?.vars, true),
  ];
}

/** Returns the variables that any inventory of a project may set for the hosts of a play, from the usual and the named inventories. */
function guessed(
  project: Project,
  hosts: string | undefined,
  usual: Inventories,
  fileNames: readonly string[] | undefined,
): readonly Layer[] {
  const folders = [...new Set([...usual.folders, ...(fileNames ?? []).flatMap((path) => [path, folderOf(path)])])].filter(
    (other) => other !== project.folder,
  );
  const lists = [...new Set([...(fileNames ?? []).flatMap((path) => filesIn(project.files, path)), ...usual.lists])];
  const sure = fileNames === undefined;
  const { files, folder: playFolder } = project;
  const target = hosts !== undefined && ONE_NAME.test(hosts) ? hosts : undefined;
  const playbook = { folder: playFolder, always: true };
  const withHosts = new Set(lists.map(folderOf));
  const others = folders.map((folder) => ({ folder, always: sure && withHosts.size === 1 && withHosts.has(folder) }));
  // Variables next to the playbook are stronger than variables next to the inventory.
  const places = [playbook, ...others];
  const exists = (kind: string): boolean => places.some(({ folder }) => namesOf(files, `${folder}/${kind}`).includes(target ?? ""));
  const isLocal = target !== undefined && LOCAL.has(target);
  const isHost = isLocal || exists("host_vars");
  // A localhost in an inventory is a normal host.
  const hasGroups = !isLocal || lists.some((path) => files.read(path)?.includes(target));
  const inKind = (kind: string, accepts: (name: string) => boolean, counts: boolean): readonly Layer[] =>
    places.flatMap(({ folder, always }) =>
      namesOf(files, `${folder}/${kind}`)
        .filter(accepts)
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

/** Names for inventory files in Ansible's own documentation. */
const IS_INVENTORY = /^(?:hosts|inventory|production|staging)(?:\.(?:ini|ya?ml|cfg|txt))?$/;

/** Returns the files of an inventory, which may be a folder. */
function filesIn(files: Files, path: string): readonly string[] {
  const entries = files.list(path).filter((name) => !IS_VARS.test(name));
  return entries.length === 0 ? [path] : entries.slice(0, MOST_FILES).map((name) => `${path}/${name}`);
}

/** Returns the variables of an inventory. A program or an unreadable file may set any variable. */
function listing(project: Project, path: string): readonly Layer[] {
  const text = project.files.read(path);
  const isList = text !== undefined && !text.startsWith("#!") && !text.startsWith("$ANSIBLE_VAULT");
  return isList ? mentioning(project, path) : [{ sets: () => true, always: false, path, shownPath: project.shownPath(path) }];
}

interface Inventories {
  readonly folders: readonly string[];
  readonly lists: readonly string[];
}

/**
 * Returns folders with variables, and inventory files, in the usual places: next to the playbook, above a folder `playbooks`, and in
 * `inventory` and `inventories` ("Best practices", directory layouts).
 */
function inventoriesOf({ folder: playFolder, files }: Project): Inventories {
  const bases = nameOf(playFolder) === "playbooks" ? [playFolder, folderOf(playFolder)] : [playFolder];
  const entries = bases.flatMap((base) =>
    files.list(base).flatMap((name) => (name === "inventory" || name === "inventories" ? [`${base}/${name}`] : [])),
  );
  const nested = entries.flatMap((folder) =>
    files
      .list(folder)
      .slice(0, MOST_FILES)
      .flatMap((name) => (IS_VARS.test(name) || files.list(`${folder}/${name}`).length === 0 ? [] : [`${folder}/${name}`])),
  );
  const folders = [...bases.slice(1), ...entries, ...nested].filter((folder) => files.list(folder).some((name) => IS_VARS.test(name)));
  const lists = [
    ...bases.flatMap((base) => files.list(base).flatMap((name) => (IS_INVENTORY.test(name) ? [`${base}/${name}`] : []))),
    ...[...entries, ...nested].flatMap((folder) => files.list(folder).map((name) => `${folder}/${name}`)),
  ];
  return { folders, lists: lists.slice(0, MOST_FILES).filter((path) => files.read(path) !== undefined) };
}
