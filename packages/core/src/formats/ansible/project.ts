import { type Beside, type Files, folderOf, nameOf } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import { get, readDocuments, type Value } from "../../syntax/yaml/tree.ts";
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

const isSet = (vars: Value, name: string): boolean => get(vars, name).node !== undefined;

/** What files of tasks, variables and playbooks are called. */
export const IS_YAML = /\.ya?ml$/;

/** More than a project has of a kind; what lies behind is not known. */
export const MOST_FILES = 500;

/** Where a playbook stands. */
export interface Project {
  readonly here: string;
  readonly files: Files;
  readonly shown: (path: string) => string;
  /** Whether tasks of the playbook add hosts, or put them into other groups. */
  readonly addsHosts: () => boolean;
}

/** A folder and the two above it. */
const foldersFrom = (here: string): readonly string[] => [here, folderOf(here), folderOf(folderOf(here))];

/** Where the playbook of a text stands; of a role, where those stand that call it. */
export function projectOf({ path, files }: Beside, here = folderOf(path)): Project {
  const shown = (other: string): string => {
    const up = foldersFrom(here).findIndex((folder) => other.startsWith(`${folder}/`));
    return up < 0 ? other : "../".repeat(up) + other.slice((foldersFrom(here)[up] ?? "").length + 1);
  };
  return { here, files, shown, addsHosts: () => /\b(?:add_host|group_by)\b/.test(files.read(path) ?? "") };
}

/** The settings beside the playbook, or above it, as for one in `playbooks/prod`: Ansible finds them in the folder it is run in. */
export const settingsOf = ({ here, files }: Project): AnsibleSettings => settingsAt(files, here, () => readSettings(here, files));

function readSettings(here: string, files: Files): AnsibleSettings {
  for (const folder of foldersFrom(here)) {
    const text = files.list(folder).includes("ansible.cfg") ? files.read(`${folder}/ansible.cfg`) : undefined;
    if (text !== undefined) return settingsIn(text, folder);
  }
  return NO_SETTINGS;
}

/** What is found in files once, however many playbooks it is for. */
export function perFiles<T>(): (files: Files, key: string, find: () => T) => T {
  const all = new WeakMap<Files, Map<string, T>>();
  return (files, key, find) => {
    if (files.share) return files.share(all, key, find);
    const known = getOrInsert(all, files, () => new Map<string, T>());
    if (!known.has(key)) known.set(key, find());
    return known.get(key) as T;
  };
}

/** A file that may set what it names; none where it does not hold a word. */
export function mentioning(project: Project, path: string, word = ""): readonly Layer[] {
  const text = project.files.read(path);
  if (text === undefined || !text.includes(word)) return [];
  const names = () => mentionedIn(project.files, path, () => mentioned(text));
  return [{ sets: (name) => names().has(name), always: false, path, shown: project.shown(path) }];
}

const settingsAt = perFiles<AnsibleSettings>();

const mentionedIn = perFiles<ReadonlySet<string | undefined>>();

const mentioned = (text: string): ReadonlySet<string | undefined> =>
  new Set([...text.matchAll(/(?<![\w.])([A-Za-z_]\w*)["']?[ \t]*[:=]/g)].map(([, name]) => name));

/** Folders of variables of groups and hosts. */
export const IS_VARS = /^(?:group|host)_vars$/;

/** The hosts or groups that a folder of variables has files or folders for. */
export const namesOf = (files: Files, folder: string): readonly string[] =>
  namesIn(files, folder, () => {
    const names = files.list(folder).filter((name) => !name.startsWith(".") && !name.endsWith("~"));
    return [...new Set(names.map((name) => name.replace(/\.(?:ya?ml|json)$/, "")))].slice(0, MOST_FILES);
  });

const namesIn = perFiles<readonly string[]>();

/** How deep folders of variables go. */
export const DEEPEST = 3;

/** The files for one name, the strongest first: the first of these that is there, all files of a folder by their names (find_vars_files). */
export const filesFor = (project: Project, folder: string, name: string, always: boolean): readonly Layer[] =>
  layersIn(project.files, [project.here, folder, name, always].join("\n"), () => findFiles(project, folder, name, always));

const layersIn = perFiles<readonly Layer[]>();

function findFiles(project: Project, folder: string, name: string, always: boolean): readonly Layer[] {
  const { files } = project;
  const path = ["", ".yml", ".yaml", ".json"].map((ending) => `${folder}/${name}${ending}`).find((one) => isThere(files, one));
  return path === undefined
    ? []
    : filesAt(files, path)
        .map((one) => layerIn(project, one, always))
        .reverse();
}

/** A folder may hold a file for each of thousands of hosts. */
const inFolders = new WeakMap<readonly string[], ReadonlySet<string>>();

function isThere(files: Files, path: string): boolean {
  const list = files.list(folderOf(path));
  return getOrInsert(inFolders, list, () => new Set(list)).has(nameOf(path));
}

/** The files in a folder that Ansible reads, or the path itself where it is none. */
export function filesAt(files: Files, path: string, depth = DEEPEST): readonly string[] {
  const inside = files.list(path);
  if (inside.length === 0 || depth === 0) return [path];
  const wanted = inside.filter((name) => !/^\.|~$/.test(name) && /^[^.]*$|\.(?:ya?ml|json)$/.test(name));
  return [...wanted].sort().flatMap((name) => filesAt(files, `${path}/${name}`, depth - 1));
}

/** What a file of variables says. */
export function layerIn({ files, shown }: Project, path: string, always: boolean): Layer {
  const vars = varsOf(files, path);
  const place = { always, path, shown: shown(path) };
  return vars ? { ...place, vars, sets: (name) => isSet(vars, name) } : { ...place, sets: () => true };
}

const roots = perFiles<Value | undefined>();

/** No file of variables is larger. */
const MOST_CHARACTERS = 1_000_000;

/** What the YAML of a file says, `undefined` for what is encrypted or is none. In a playbook or tasks, what looks like a template is text. */
export const rootOf = (files: Files, path: string): Value | undefined => roots(files, path, () => readRoot(files.read(path)));

/** The same of a file of variables: nothing where a template decides which there are. */
export function varsOf(files: Files, path: string): Value | undefined {
  const root = rootOf(files, path);
  return root && root.source.branches.length + root.source.inserts.length > 0 ? undefined : root;
}

function readRoot(text: string | undefined): Value | undefined {
  if (text === undefined || text.length > MOST_CHARACTERS || text.startsWith("$ANSIBLE_VAULT")) return undefined;
  const [tree, second] = readDocuments(text);
  if (!tree) return readDocuments("{}")[0]?.root;
  return second || tree.errors.length > 0 ? undefined : tree.root;
}
