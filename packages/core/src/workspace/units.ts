import type { Baseline } from "../baseline/baseline.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import type { Format, FormatEntry } from "../formats/format.ts";
import { entryNamed } from "../formats/index.ts";
import type { ParsedProject } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { type LintedFile, parseProject } from "../lint/lint-project.ts";
import type { LintedVm } from "../lint/target.ts";
import { isEqual, type Memo } from "../memo/memo.ts";
import { type FileContext, type Files, folderOf, joinPath } from "../model/files.ts";
import { type FileResult, summarize } from "../report/result.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import type { Callers } from "./callers.ts";
import { checkProject, type FolderTarget } from "./check-file.ts";
import { checkSingle, silencing } from "./check-run.ts";
import type { ConfigOfFolder } from "./host.ts";
import { type FolderFacts, type Inputs, singleFormat, targetBy } from "./inputs.ts";

/** Files that were checked by themselves, before their review. */
export interface CheckedPart {
  readonly files: readonly FileResult[];
  readonly suppressions: ReadonlyMap<string, FileSuppressions>;
  readonly baselineOf: (path: string) => Baseline | undefined;
}

/** A single text that was checked by itself. */
export interface CheckedSingle extends CheckedPart {
  readonly vms: readonly LintedVm[];
  readonly linted: LintedFile;
  readonly format: Format;
  readonly badHost: string | undefined;
}

/** A single file of the workspace. */
interface CheckedFileUnit extends CheckedSingle {
  readonly entry: FormatEntry;
  /** Checks another text with another configuration and host. */
  readonly again: (text: string, by: { readonly config: ConfigOfFolder["config"]; readonly host: string }) => CheckedSingle;
}

/** A project that was checked by itself. */
export interface CheckedProject extends CheckedPart {
  readonly vms: readonly LintedVm[];
  readonly parsed: ParsedProject;
  readonly format: Format;
  /** Whether only this project uses a file; otherwise a change may be wrong for other projects. */
  readonly isOwn: (path: string) => boolean;
}

export type CheckedUnit = CheckedFileUnit | CheckedProject;

export const isProjectUnit = (unit: CheckedUnit): unit is CheckedProject => "parsed" in unit;

export interface SingleOptions {
  readonly config: ConfigOfFolder["config"];
  /** The document's path relative to the folder of the configuration. */
  readonly path: string;
  /** The host in the editor's settings, as in `--host`; empty to use the configuration. */
  readonly host: string;
  readonly baseline?: Baseline | undefined;
  readonly format: Format;
  /** The location of the text, with access to other files. */
  readonly context?: FileContext | undefined;
  /** The hosts that the text lists. */
  readonly inventory?: Inventory | undefined;
}

/** Checks a text by itself. */
export function checkAlone(text: string, { format, context, inventory, ...by }: SingleOptions): CheckedSingle {
  const { target, badHost } = targetBy(by.config, by.host);
  const path = context?.path ?? by.path;
  const { file: linted, silencing: own } = checkSingle(
    { path, name: path, format, read: () => ({ text }) },
    {
      files: context?.files ?? NO_FILES,
      rules: undefined,
      againstAt: () => ({ config: by.config, relative: () => by.path, targetOf: target }),
      inventory,
      hides: () => true,
    },
  );
  return {
    linted,
    vms: linted.vms,
    format,
    badHost,
    // A text without VM definition has no findings.
    files: linted.foreign === undefined ? [summarize(linted, undefined, true)] : [],
    suppressions: new Map(own ? [[path, own]] : []),
    baselineOf: (file) => (file === path ? by.baseline : undefined),
  };
}

const NO_FILES: Files = { read: () => undefined, list: () => [] };

/** Whose hosts count for VMs without a configured host. */
export type Hosts = "own" | "workspace";

/** A unit is what a format reads together: a file, or the files of some folders. */
export const fileUnit = (hosts: Hosts, path: string): string => ["", hosts, path].join("\n");
export const projectUnit = (hosts: Hosts, { name }: FormatEntry, roots: readonly string[]): string => [name, hosts, ...roots].join("\n");

export type Units = ReturnType<typeof openUnits>;

/** Answers what the units of a workspace have by themselves. */
export function openUnits(memo: Memo, inputs: Inputs, callers: Callers, inventory: (hosts: Hosts) => Inventory | undefined) {
  const unit = memo.query("unit", (key): CheckedUnit | undefined => {
    const [name = "", hosts, ...roots] = key.split("\n") as [string, Hosts, ...string[]];
    return name === "" ? openFile(roots[0] ?? "", inventory(hosts), inputs) : openProject(name, roots, inventory(hosts), from);
  });
  /** The files of some folders that may define VMs, without ignored files, like the command. */
  const pathsOf = memo.query(
    "pathsOf",
    (key): readonly string[] => {
      const [name = "", ...roots] = key.split("\n");
      return wantedIn(entryNamed(name), roots, { memo, inputs, callers });
    },
    isEqual,
  );
  const from = { memo, inputs, callers, pathsOf };
  /** Returns the project of a text, and the key of its unit. */
  const projectOf = (entry: FormatEntry, path: string, hosts: Hosts): readonly [string, CheckedProject] => {
    const read = (roots: readonly string[]): readonly [string, CheckedProject] => {
      const key = projectUnit(hosts, entry, roots);
      return [key, unit(key) as CheckedProject];
    };
    if (entry.separate) return read([path]);
    const folder = folderOf(path);
    const roots = callers.rootsOf(entry, folder);
    const found = read(roots);
    // The text search found a call of its folder that is not one: a comment, or an unreadable part.
    const isIn = found[1].parsed.sources.files.some((file) => file.path === path);
    return isIn || roots.includes(folder) ? found : read([...roots, folder].sort());
  };
  return { unit, projectOf };
}

/** The sources of projects. */
interface ProjectSources {
  readonly memo: Memo;
  readonly inputs: Inputs;
  readonly callers: Callers;
  readonly pathsOf: (key: string) => readonly string[];
}

function openFile(path: string, workspace: Inventory | undefined, inputs: Inputs): CheckedFileUnit | undefined {
  const { text, names, asked, format, facts, today: _, readHosts, files, isInside, hostWord, inTime } = inputs;
  const content = text(path);
  const { alias, isNowhere } = asked(path);
  const entry = content === undefined ? undefined : singleFormat(path, content, alias);
  if (content === undefined || !entry) return undefined;
  const folder = folderOf(path);
  const { config, relative, baseline } = facts(folder);
  if (isIgnoredBy(config, relative(path))) return undefined;
  // The command also accepts a named folder anywhere.
  const isNear = (one: string): boolean => one === folder || one.startsWith(`${folder}/`) || isInside(one);
  const near = ({ read, list }: Files): Files => ({
    read: (one) => (isNear(one) ? read(one) : undefined),
    list: (one) => (isNear(one) ? list(one) : []),
  });
  const read = entry.listsHosts ? readHosts("") : undefined;
  const optionsWith = (all: Files, given: string): Omit<SingleOptions, "config" | "host"> => ({
    path: relative(path),
    baseline,
    format: format(entry.name),
    inventory: workspace ?? read?.([{ path, text: given }], all),
    ...(!isNowhere && { context: { path, files: all } }),
  });
  const single = inTime(() => checkAlone(content, { ...optionsWith(near(files), content), config, host: hostWord("") }));
  const known = near({ read: text.last, list: (one) => names.last(one) ?? [] });
  return { ...single, entry, again: (other, by) => checkAlone(other, { ...optionsWith(known, other), ...by }) };
}

function openProject(name: string, roots: readonly string[], inventory: Inventory | undefined, from: ProjectSources): CheckedProject {
  const { memo, inputs, callers, pathsOf } = from;
  const { facts, files, isSearched, environment, inTime } = inputs;
  const entry = entryNamed(name);
  const format = inputs.format(name);
  const paths = entry.separate ? roots : pathsOf([name, ...roots].join("\n"));
  memo.all([...new Set([...paths, ...roots].map(folderOf))], facts);
  const around = (folder: string): FolderFacts | undefined => memo.ifReady(() => facts(folder));
  const topOf = (folder: string): string | undefined => {
    const isPart = (of: string): boolean => isSearched(joinPath(of, "any"));
    let top = folder;
    while (folderOf(top) !== top && isPart(folderOf(top))) top = folderOf(top);
    return isPart(top) ? top : undefined;
  };
  const given = {
    environment,
    options: [],
    valueFilesOf: (folder: string): readonly string[] => {
      const found = around(folder);
      return found?.config.varFiles?.map((file) => joinPath(folder, `${"../".repeat(depthOf(found.relative(folder)))}${file}`)) ?? [];
    },
    templatesOf: (folder: string) => around(folder)?.config.assumptions?.templates ?? [],
    topOf,
  };
  const { project: parsed } = inTime(() =>
    parseProject(format, { paths, files, inputs: given }, ({ loadMore }) => inputs.largerFor({ name, loadMore })),
  );
  const folders = [...new Set(parsed.sources.files.map((file) => folderOf(file.path)))];
  const found = new Map(memo.all(folders, facts).map((one, at) => [folders[at] ?? "", one]));
  const againstAt = (path: string): FolderTarget | undefined => {
    const one = found.get(folderOf(path)) ?? facts(folderOf(path));
    return { ...one, targetOf: one.target };
  };
  const checked = inTime(() => checkProject(parsed, againstAt, { inventory }));
  const own = new Set(folders.filter((folder) => entry.separate || callers.rootsOf(entry, folder).every((root) => roots.includes(root))));
  return {
    parsed,
    format,
    vms: checked.flatMap(({ vms }) => vms.map(({ spec, target }) => ({ spec, target }))),
    files: checked.map((file) => summarize(file, undefined, true)),
    suppressions: new Map(checked.map((file) => [file.path, silencing(file, format, { againstAt })])),
    baselineOf: (path) => found.get(folderOf(path))?.baseline,
    isOwn: (path) => own.has(folderOf(path)),
  };
}

/** How many folders a folder is below its configuration. */
const depthOf = (relative: string): number => relative.split("/").filter((part) => part !== "" && part !== ".").length;

function wantedIn(
  { name, extensions, mayHold }: FormatEntry,
  roots: readonly string[],
  { memo, inputs, callers }: Omit<ProjectSources, "pathsOf">,
): readonly string[] {
  const { list, text, config, counts } = inputs;
  // The search for calls may find too many folders; the format decides.
  const folders = callers.withCalled(entryNamed(name), roots);
  const configs = memo.all(folders, config);
  const names = memo.all(folders, list);
  const paths = folders.flatMap((folder, at) =>
    (names[at] ?? []).flatMap((file) => {
      if (!extensions.some((extension) => file.toLowerCase().endsWith(extension))) return [];
      const path = joinPath(folder, file);
      const found = configs[at];
      const isIgnored = found !== undefined && isIgnoredBy(found.config, found.relative(path));
      return isIgnored || !(roots.includes(folder) || counts(path)) ? [] : path;
    }),
  );
  const texts = memo.all(paths, text);
  return paths.filter((_, at) => texts[at] !== undefined && (!mayHold || mayHold(texts[at])));
}
