import { type FileContext, type Files, folderOf, nameOf } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import { get, readDocuments, type Value } from "../../syntax/yaml/tree.ts";
import { type AnsibleSettings, NO_SETTINGS, settingsIn } from "./settings.ts";

/** One source of variables. */
export interface Layer {
  /** Whether it may set a variable. */
  readonly sets: (name: string) => boolean;
  /** Missing if the file is unreadable. */
  readonly vars?: Value | undefined;
  /** Whether it applies to every host of the play in every run; otherwise only to some. */
  readonly always: boolean;
  /** Missing for the checked text. */
  readonly path?: string;
  /** The path in messages; missing if messages do not need it. */
  readonly shownPath?: string;
}

/** Returns a mapping of variables in the checked text. */
export const layerOf = (vars: Value): Layer => ({ sets: (name) => isSet(vars, name), vars, always: true });

const isSet = (vars: Value, name: string): boolean => get(vars, name).node !== undefined;

/** Names of task files, variable files and playbooks. */
export const IS_YAML = /\.ya?ml$/;

/** A project with more files of a kind is not fully searched, so the rest is unknown. */
export const MOST_FILES = 500;

/** The folder of the playbook. */
export interface Project {
  readonly folder: string;
  readonly files: Files;
  readonly shownPath: (path: string) => string;
  /** Whether tasks of the playbook add hosts or change their groups. */
  readonly addsHosts: () => boolean;
}

/** Returns a folder and the two above it. */
const foldersFrom = (folder: string): readonly string[] => [folder, folderOf(folder), folderOf(folderOf(folder))];

/** Returns the project of a text; for a role, `playFolder` is the folder of a calling playbook. */
export function projectOf({ path, files }: FileContext, playFolder = folderOf(path)): Project {
  const shownPath = (other: string): string => {
    const up = foldersFrom(playFolder).findIndex((folder) => other.startsWith(`${folder}/`));
    return up < 0 ? other : "../".repeat(up) + other.slice((foldersFrom(playFolder)[up] ?? "").length + 1);
  };
  return { folder: playFolder, files, shownPath, addsHosts: () => /\b(?:add_host|group_by)\b/.test(files.read(path) ?? "") };
}

/**
 * Returns the settings in the folder of the playbook or above it, as for `playbooks/prod`, because Ansible reads them from the working
 * directory.
 */
export const settingsOf = ({ folder: playFolder, files }: Project): AnsibleSettings =>
  settingsAt(files, playFolder, () => readSettings(playFolder, files));

function readSettings(playFolder: string, files: Files): AnsibleSettings {
  for (const folder of foldersFrom(playFolder)) {
    const text = files.list(folder).includes("ansible.cfg") ? files.read(`${folder}/ansible.cfg`) : undefined;
    if (text !== undefined) return settingsIn(text, folder);
  }
  return NO_SETTINGS;
}

/** Returns a cache that computes a value once per set of files and key. */
export function perFiles<T>(): (files: Files, key: string, find: () => T) => T {
  const caches = new WeakMap<Files, Map<string, T>>();
  return (files, key, find) => {
    const cache = getOrInsert(caches, files, () => new Map<string, T>());
    if (!cache.has(key)) cache.set(key, find());
    return cache.get(key) as T;
  };
}

/** Returns a file that may set any variable, if its text contains a word. */
export function mentioning(project: Project, path: string, word = ""): readonly Layer[] {
  const text = project.files.read(path);
  if (text === undefined || !text.includes(word)) return [];
  const names = () => mentionedIn(project.files, path, () => mentioned(text));
  return [{ sets: (name) => names().has(name), always: false, path, shownPath: project.shownPath(path) }];
}

const settingsAt = perFiles<AnsibleSettings>();

const mentionedIn = perFiles<ReadonlySet<string | undefined>>();

const mentioned = (text: string): ReadonlySet<string | undefined> =>
  new Set([...text.matchAll(/(?<![\w.])([A-Za-z_]\w*)["']?[ \t]*[:=]/g)].map(([, name]) => name));

/** Folders with variables of groups and hosts. */
export const IS_VARS = /^(?:group|host)_vars$/;

/** Returns the hosts or groups with files in a folder of variables. */
export const namesOf = (files: Files, folder: string): readonly string[] =>
  namesIn(files, folder, () => {
    const names = files.list(folder).filter((name) => !name.startsWith(".") && !name.endsWith("~"));
    return [...new Set(names.map((name) => name.replace(/\.(?:ya?ml|json)$/, "")))].slice(0, MOST_FILES);
  });

const namesIn = perFiles<readonly string[]>();

/** The deepest nesting of variable folders. */
export const DEEPEST = 3;

/**
 * Returns the variable files for a name, strongest first: the first name that exists, or all files of a folder by name (find_vars_files).
 */
export const filesFor = (project: Project, folder: string, name: string, always: boolean): readonly Layer[] =>
  layersIn(project.files, [project.folder, folder, name, always].join("\n"), () => findFiles(project, folder, name, always));

const layersIn = perFiles<readonly Layer[]>();

function findFiles(project: Project, folder: string, name: string, always: boolean): readonly Layer[] {
  const { files } = project;
  const path = ["", ".yml", ".yaml", ".json"].map((ending) => `${folder}/${name}${ending}`).find((candidate) => isThere(files, candidate));
  return path === undefined
    ? []
    : filesAt(files, path)
        .map((file) => layerIn(project, file, always))
        .reverse();
}

/** A folder may hold a file for each of thousands of hosts. */
const inFolders = new WeakMap<readonly string[], ReadonlySet<string>>();

function isThere(files: Files, path: string): boolean {
  const list = files.list(folderOf(path));
  return getOrInsert(inFolders, list, () => new Set(list)).has(nameOf(path));
}

/** Returns the files of a folder that Ansible reads, or the path itself if it is not a folder. */
export function filesAt(files: Files, path: string, depth = DEEPEST): readonly string[] {
  const entries = files.list(path);
  if (entries.length === 0 || depth === 0) return [path];
  const fileNames = entries.filter((name) => !/^\.|~$/.test(name) && /^[^.]*$|\.(?:ya?ml|json)$/.test(name));
  return [...fileNames].sort().flatMap((name) => filesAt(files, `${path}/${name}`, depth - 1));
}

/** Returns the variables of a file. */
export function layerIn({ files, shownPath }: Project, path: string, always: boolean): Layer {
  const vars = varsOf(files, path);
  const place = { always, path, shownPath: shownPath(path) };
  return vars ? { ...place, vars, sets: (name) => isSet(vars, name) } : { ...place, sets: () => true };
}

const roots = perFiles<Value | undefined>();

/** Real variable files are smaller. */
const MOST_CHARACTERS = 1_000_000;

/** Returns the YAML of a file; `undefined` if it is encrypted or invalid. In playbooks and tasks, a template is plain text. */
export const rootOf = (files: Files, path: string): Value | undefined => roots(files, path, () => readRoot(files.read(path)));

/** Returns the same for a variable file; nothing if a template decides which variables exist. */
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
