import type { Baseline } from "../baseline/baseline.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import { type Format, type FormatEntry, isProject } from "../formats/format.ts";
import { entryNamed, projectHolding } from "../formats/index.ts";
import { NOTHING_GIVEN } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { type LintedFile, type ReadUnit, readUnit } from "../lint/lint-project.ts";
import type { LintedVm } from "../lint/target.ts";
import { isEqual, type Memo } from "../memo/memo.ts";
import { type FileContext, type Files, folderOf, joinPath, type SourceFile } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import { type FileResult, summarize } from "../report/result.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import type { Callers } from "./callers.ts";
import { configuredInputs, inputsBy, targetsAgainst } from "./folders.ts";
import type { ConfigOfFolder } from "./host.ts";
import { type Inputs, singleFormat } from "./inputs.ts";
import { checkUnit, type RunSettings, readingOf, type Unit } from "./unit.ts";
import { type OpenUnit, openUnits } from "./units.ts";

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
  const { targetOf, badHost } = targetsAgainst(by.config, { host: by.host || undefined });
  const path = context?.path ?? by.path;
  const against = { config: by.config, folder: folderAround(path, by.path), relative: () => by.path, targetOf };
  const inputs = { ...NOTHING_GIVEN, ...inputsBy(() => configuredInputs(against)) };
  const unit: Unit = { entry: undefined, format, paths: [path], files: context?.files ?? NO_FILES, inputs, given: { text } };
  return checkedUnit(
    unit,
    readUnit(format, readingOf(unit), () => undefined),
    { rules: undefined, againstAt: () => against, inventory, hides: () => true },
    { badHost: badHost?.error.message, baselineOf: (file) => (file === path ? by.baseline : undefined), isOwn: () => true },
  );
}

/** Returns the folder that the relative path of a file begins in. */
const folderAround = (path: string, relative: string): string => joinPath(folderOf(path), "../".repeat(relative.split("/").length - 1));

const NO_FILES: Files = { read: () => undefined, list: () => [] };

/** Whose hosts count for VMs without a configured host. */
export type Hosts = "own" | "workspace";

/** The key of a unit: the files of some folders that a format reads together, or a file by itself, whose text decides its format. */
export const unitKey = (hosts: Hosts, entry: FormatEntry | undefined, roots: readonly string[]): string =>
  [entry?.name ?? "", hosts, ...roots].join("\n");

export type Units = ReturnType<typeof openEditorUnits>;

/** The sources of units. */
interface Sources {
  readonly memo: Memo;
  readonly inputs: Inputs;
  readonly callers: Callers;
  readonly inventory: (hosts: Hosts) => Inventory | undefined;
  /** The files of some folders that may define VMs, without ignored files, like the command. */
  readonly pathsOf: (key: string) => readonly string[];
}

/** Answers what the units of a workspace have by themselves. */
export function openEditorUnits(memo: Memo, inputs: Inputs, callers: Callers, inventory: (hosts: Hosts) => Inventory | undefined) {
  const pathsOf = memo.query(
    "pathsOf",
    (key): readonly string[] => {
      const [name = "", ...roots] = key.split("\n");
      return wantedIn(entryNamed(name), roots, { memo, inputs, callers });
    },
    isEqual,
  );
  const from = { memo, inputs, callers, inventory, pathsOf };
  const { answer: unit } = openUnits(memo, {
    unitOf(key) {
      const { entry, roots } = partsOf(key);
      return entry ? projectOf(entry, roots, from) : fileOf(roots[0] ?? "", inputs);
    },
    answerOf(open, key): CheckedUnit | undefined {
      const { entry, hosts, roots } = partsOf(key);
      return entry ? checkedProject(open, { entry, hosts, roots }, from) : checkedFile(open, inventory(hosts), inputs);
    },
    inTime: (_, work) => inputs.inTime(work),
  });
  /** Returns the unit that a file belongs to, with its key. */
  const unitOf = (path: string, hosts: Hosts): readonly [string, CheckedUnit | undefined] => {
    const read = (entry: FormatEntry | undefined, roots: readonly string[]): readonly [string, CheckedUnit | undefined] => {
      const key = unitKey(hosts, entry, roots);
      return [key, unit(key)];
    };
    const content = inputs.asked(path).isNowhere ? undefined : inputs.text(path);
    const entry = content === undefined ? undefined : projectHolding(path, content);
    if (entry?.project !== "folders") return read(entry, [path]);
    const folder = folderOf(path);
    const roots = callers.rootsOf(entry, folder);
    const found = read(entry, roots);
    // The text search found a call of its folder that is not one: a comment, or an unreadable part.
    const isIn = found[1]?.sources.some((file) => file.path === path);
    return isIn || roots.includes(folder) ? found : read(entry, [...roots, folder].sort());
  };
  return { unit, unitOf };
}

interface KeyParts {
  /** `undefined`: a file by itself. */
  readonly entry: FormatEntry | undefined;
  readonly hosts: Hosts;
  readonly roots: readonly string[];
}

function partsOf(key: string): KeyParts {
  const [name, hosts, ...roots] = key.split("\n") as [string, Hosts, ...string[]];
  return { entry: name === "" ? undefined : entryNamed(name), hosts, roots };
}

const isIgnored = (path: string, { facts }: Inputs): boolean => {
  const { config, relative } = facts(folderOf(path));
  return isIgnoredBy(config, relative(path));
};

/** The files that a file by itself may refer to. The command also accepts a named folder anywhere. */
function nearFiles(path: string, { read, list }: Files, { isInside }: Inputs): Files {
  const folder = folderOf(path);
  const isNear = (one: string): boolean => one === folder || one.startsWith(`${folder}/`) || isInside(one);
  return {
    read: (one) => (isNear(one) ? read(one) : undefined),
    list: (one) => (isNear(one) ? list(one) : []),
  };
}

function fileOf(path: string, inputs: Inputs): Unit | undefined {
  const { text, asked, format, given, files } = inputs;
  const content = text(path);
  const { alias, isNowhere } = asked(path);
  const entry = content === undefined ? undefined : singleFormat(path, content, alias);
  if (content === undefined || !entry || isIgnored(path, inputs)) return undefined;
  return {
    entry,
    format: format(entry.name),
    paths: [path],
    files: isNowhere ? NO_FILES : nearFiles(path, files, inputs),
    inputs: { ...NOTHING_GIVEN, ...given },
    given: { text: content },
  };
}

function checkedFile(open: OpenUnit, workspace: Inventory | undefined, inputs: Inputs): CheckedUnit {
  const { unit, read } = open;
  const { text, names, asked, facts, files, readHosts } = inputs;
  const { entry, format, given } = unit;
  const [path = ""] = unit.paths;
  const found = facts(folderOf(path));
  const { relative, baseline, badHost } = found;
  const hostsIn = entry?.listsHosts ? readHosts("") : undefined;
  const inventoryOf = (content: string, all: Files) => workspace ?? hostsIn?.([{ path, text: content }], all);
  const settings: RunSettings = {
    rules: undefined,
    againstAt: () => found,
    inventory: inventoryOf(given?.text ?? "", nearFiles(path, files, inputs)),
    hides: () => true,
  };
  const known = nearFiles(path, { read: text.last, list: (one) => names.last(one) ?? [] }, inputs);
  const { isNowhere } = asked(path);
  return {
    ...checkedUnit(unit, read, settings, {
      badHost: badHost?.error.message,
      baselineOf: (of) => (of === path ? baseline : undefined),
      isOwn: () => true,
    }),
    again: (other, by) =>
      checkAlone(other, {
        path: relative(path),
        baseline,
        format,
        inventory: inventoryOf(other, known),
        ...(!isNowhere && { context: { path, files: known } }),
        ...by,
      }),
  };
}

function projectOf(entry: FormatEntry, roots: readonly string[], { inputs, pathsOf }: Sources): Unit | undefined {
  const { files, given, isSearched, environment } = inputs;
  // As a part of a module, an ignored file belongs to VMs of other files.
  if (entry.project === "file" && roots.some((path) => isIgnored(path, inputs))) return undefined;
  const paths = entry.project === "file" ? roots : pathsOf([entry.name, ...roots].join("\n"));
  const topOf = (folder: string): string | undefined => {
    const isPart = (of: string): boolean => isSearched(joinPath(of, "any"));
    let top = folder;
    while (folderOf(top) !== top && isPart(folderOf(top))) top = folderOf(top);
    return isPart(top) ? top : undefined;
  };
  return { entry, format: inputs.format(entry.name), paths, files, inputs: { environment, options: [], ...given, topOf } };
}

function checkedProject(
  { unit, read }: OpenUnit,
  { entry, hosts, roots }: KeyParts & { readonly entry: FormatEntry },
  { memo, inputs, callers, inventory }: Sources,
): CheckedUnit | undefined {
  const { facts } = inputs;
  if (!isProject(read.parsed)) return undefined;
  const folders = [...new Set(read.parsed.sources.files.map((file) => folderOf(file.path)))];
  const found = new Map(memo.all(folders, facts).map((one, at) => [folders[at] ?? "", one]));
  const isWithin = (folder: string): boolean =>
    entry.project === "file" || callers.rootsOf(entry, folder).every((root) => roots.includes(root));
  const own = new Set(folders.filter(isWithin));
  const settings: RunSettings = {
    rules: undefined,
    againstAt: (path) => found.get(folderOf(path)) ?? facts(folderOf(path)),
    inventory: inventory(hosts),
    hides: () => true,
  };
  return checkedUnit(unit, read, settings, {
    badHost: undefined,
    baselineOf: (path) => found.get(folderOf(path))?.baseline,
    isOwn: (path) => own.has(folderOf(path)),
  });
}

function wantedIn(
  { name, extensions, mayHold }: FormatEntry,
  roots: readonly string[],
  { memo, inputs, callers }: Pick<Sources, "memo" | "inputs" | "callers">,
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
