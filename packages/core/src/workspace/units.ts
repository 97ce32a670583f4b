import type { Baseline } from "../baseline/baseline.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import { type Format, type FormatEntry, isProject } from "../formats/format.ts";
import { entryNamed, projectHolding } from "../formats/index.ts";
import type { ProjectInputs } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { type LintedFile, type ReadUnit, readUnit } from "../lint/lint-project.ts";
import type { LintedVm } from "../lint/target.ts";
import { isEqual, type Memo } from "../memo/memo.ts";
import { type FileContext, type Files, folderOf, joinPath, type SourceFile } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import { type FileResult, summarize } from "../report/result.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import type { Callers } from "./callers.ts";
import { configuredInputs } from "./check-file.ts";
import type { ConfigOfFolder } from "./host.ts";
import { type FolderFacts, type Inputs, singleFormat, targetBy } from "./inputs.ts";
import { checkUnit, type RunSettings, readingOf, type Unit } from "./unit.ts";

/** Files that were checked by themselves, before their review. */
export interface CheckedPart {
  readonly files: readonly FileResult[];
  readonly suppressions: ReadonlyMap<string, FileSuppressions>;
  readonly baselineOf: (path: string) => Baseline | undefined;
}

/** A unit that was checked by itself. */
export interface CheckedUnit extends CheckedPart {
  readonly entry: FormatEntry | undefined;
  readonly format: Format;
  readonly parsed: Parsed;
  /** All files that were read. */
  readonly sources: readonly SourceFile[];
  /** Its VMs, with ranges of the joined files. */
  readonly vms: readonly LintedVm[];
  readonly linted: readonly LintedFile[];
  /** Why the host of the setting cannot be used. */
  readonly badHost: string | undefined;
  /** Whether only this unit uses a file; otherwise a change may be wrong for others. */
  readonly isOwn: (path: string) => boolean;
  /** Checks another text with another configuration and host; missing for several files. */
  readonly again?: ((text: string, by: Pick<AloneOptions, "config" | "host">) => CheckedUnit) | undefined;
}

type UnitFacts = Pick<CheckedUnit, "badHost" | "baselineOf" | "isOwn">;

function checkedUnit(unit: Unit, read: ReadUnit<Parsed>, settings: RunSettings, facts: UnitFacts): CheckedUnit {
  const { parsed } = read;
  const checked = checkUnit(unit, read, settings);
  const linted = checked.map(({ file }) => file);
  const [path = ""] = unit.paths;
  return {
    ...facts,
    entry: unit.entry,
    format: unit.format,
    parsed,
    sources: isProject(parsed) ? parsed.sources.files : [{ path, text: unit.given?.text ?? "", start: 0 }],
    vms: linted.flatMap(({ vms }) => vms.map(({ spec, target }) => ({ spec, target }))),
    linted,
    // A text without VM definition has no findings.
    files: linted.flatMap((file) => (file.foreign === undefined ? summarize(file, undefined, true) : [])),
    suppressions: new Map(checked.flatMap(({ file, silencing }) => (silencing ? [[file.path, silencing]] : []))),
  };
}

export interface AloneOptions {
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
export function checkAlone(text: string, { format, context, inventory, ...by }: AloneOptions): CheckedUnit {
  const { targetOf, badHost } = targetBy(by.config, by.host);
  const path = context?.path ?? by.path;
  const against = { config: by.config, folder: folderAround(path, by.path), relative: () => by.path, targetOf };
  const inputs = { ...NO_INPUTS, ...configuredInputs(() => against) };
  const unit: Unit = { entry: undefined, format, paths: [path], files: context?.files ?? NO_FILES, inputs, given: { text } };
  return checkedUnit(
    unit,
    readUnit(format, readingOf(unit), () => undefined),
    { rules: undefined, againstAt: () => against, inventory, hides: () => true },
    { badHost, baselineOf: (file) => (file === path ? by.baseline : undefined), isOwn: () => true },
  );
}

/** Returns the folder that the relative path of a file begins in. */
const folderAround = (path: string, relative: string): string => joinPath(folderOf(path), "../".repeat(relative.split("/").length - 1));

const NO_INPUTS: ProjectInputs = { environment: {}, options: [] };
const NO_FILES: Files = { read: () => undefined, list: () => [] };

/** Whose hosts count for VMs without a configured host. */
export type Hosts = "own" | "workspace";

/** The key of a unit: the files of some folders that a format reads together, or a file by itself, whose text decides its format. */
export const unitKey = (hosts: Hosts, entry: FormatEntry | undefined, roots: readonly string[]): string =>
  [entry?.name ?? "", hosts, ...roots].join("\n");

export type Units = ReturnType<typeof openUnits>;

/** The sources of units. */
interface Sources {
  readonly memo: Memo;
  readonly inputs: Inputs;
  readonly callers: Callers;
  readonly pathsOf: (key: string) => readonly string[];
}

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
  /** Returns the unit that a file belongs to, with its key. */
  const unitOf = (path: string, hosts: Hosts): readonly [string, CheckedUnit | undefined] => {
    const read = (entry: FormatEntry | undefined, roots: readonly string[]): readonly [string, CheckedUnit | undefined] => {
      const key = unitKey(hosts, entry, roots);
      return [key, unit(key)];
    };
    const content = inputs.asked(path).isNowhere ? undefined : inputs.text(path);
    const entry = content === undefined ? undefined : projectHolding(path, content);
    if (!entry || entry.separate) return read(entry, [path]);
    const folder = folderOf(path);
    const roots = callers.rootsOf(entry, folder);
    const found = read(entry, roots);
    // The text search found a call of its folder that is not one: a comment, or an unreadable part.
    const isIn = found[1]?.sources.some((file) => file.path === path);
    return isIn || roots.includes(folder) ? found : read(entry, [...roots, folder].sort());
  };
  return { unit, unitOf };
}

function openFile(path: string, workspace: Inventory | undefined, inputs: Inputs): CheckedUnit | undefined {
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
  const optionsWith = (all: Files, given: string): Omit<AloneOptions, "config" | "host"> => ({
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

function openProject(name: string, roots: readonly string[], inventory: Inventory | undefined, from: Sources): CheckedUnit | undefined {
  const { memo, inputs, callers, pathsOf } = from;
  const { facts, files, isSearched, environment, inTime } = inputs;
  const entry = entryNamed(name);
  const isIgnored = (path: string): boolean => {
    const { config, relative } = facts(folderOf(path));
    return isIgnoredBy(config, relative(path));
  };
  const { separate } = entry;
  // As a part of a module, an ignored file belongs to VMs of other files.
  if (separate && roots.some(isIgnored)) return undefined;
  const paths = separate ? roots : pathsOf([name, ...roots].join("\n"));
  memo.all([...new Set([...paths, ...roots].map(folderOf))], facts);
  const around = (folder: string): FolderFacts | undefined => memo.ifReady(() => facts(folder));
  const topOf = (folder: string): string | undefined => {
    const isPart = (of: string): boolean => isSearched(joinPath(of, "any"));
    let top = folder;
    while (folderOf(top) !== top && isPart(folderOf(top))) top = folderOf(top);
    return isPart(top) ? top : undefined;
  };
  const unit: Unit = {
    entry,
    format: inputs.format(name),
    paths,
    files,
    inputs: { environment, options: [], ...configuredInputs(around), topOf },
  };
  const read = inTime(() => readUnit(unit.format, readingOf(unit), ({ loadMore }) => inputs.largerFor({ name, loadMore })));
  if (!isProject(read.parsed)) return undefined;
  const folders = [...new Set(read.parsed.sources.files.map((file) => folderOf(file.path)))];
  const found = new Map(memo.all(folders, facts).map((one, at) => [folders[at] ?? "", one]));
  const own = new Set(folders.filter((folder) => separate || callers.rootsOf(entry, folder).every((root) => roots.includes(root))));
  const settings: RunSettings = {
    rules: undefined,
    againstAt: (path) => found.get(folderOf(path)) ?? facts(folderOf(path)),
    inventory,
    hides: () => true,
  };
  return inTime(() =>
    checkedUnit(unit, read, settings, {
      badHost: undefined,
      baselineOf: (path) => found.get(folderOf(path))?.baseline,
      isOwn: (path) => own.has(folderOf(path)),
    }),
  );
}

function wantedIn(
  { name, extensions, mayHold }: FormatEntry,
  roots: readonly string[],
  { memo, inputs, callers }: Omit<Sources, "pathsOf">,
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
