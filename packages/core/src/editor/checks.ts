import { type Config, EMPTY_CONFIG } from "../config/config.ts";
import { isIgnoredBy } from "../config/names.ts";
import { readProject } from "../lint-project.ts";
import { type Files, folderOf, type SourceFile } from "../model/files.ts";
import type { ProjectEntry } from "../parse/format.ts";
import { formatHolding, projectHolding, projectsOf } from "../parse/formats.ts";
import type { ProjectFormat } from "../parse/project.ts";
import { Callers } from "./callers.ts";
import { type CheckedBy, type CheckedText, checkText, targetBy } from "./check.ts";
import type { FoundIn } from "./elsewhere.ts";
import { ReadAhead, type SlowFiles } from "./files.ts";
import { type CheckedProject, type ConfigOfFolder, checkProject, documentIn, wantedIn } from "./project.ts";

/** What an editor hands in. Paths have forward slashes and begin with one, or name a file that lies nowhere. */
export interface EditorHost extends SlowFiles {
  /** The files of the workspace, or of one folder in it, whose names end so, for those that call others. */
  readonly search: (endings: readonly string[], folder?: string) => Promise<readonly string[]>;
  /** Whether a file that lies there is one of the workspace. */
  readonly isSearched: (path: string) => boolean;
  /** Rejects where it cannot be read; whoever asked for a check is told. */
  readonly config: (folder: string) => Promise<ConfigOfFolder>;
  /** Whether a file that stands alone may take something of another that is not in its own folder. */
  readonly isInside: (path: string) => boolean;
  /** Where variables may get their values from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As 2026-12-31. */
  readonly today: () => string;
}

/** A text that is to be checked. */
export interface AskedText {
  readonly path: string;
  readonly text: string;
  /** Another name to tell its format by, where its own says nothing: `.vmx`. */
  readonly alias?: string;
  /** See `CheckedBy`. */
  readonly host: string;
  /** It lies in no folder: nothing is beside it. */
  readonly isNowhere?: boolean;
}

/** What came of a check. */
export interface Checkup extends CheckedText {
  readonly config: Config;
  /** What was found in other files of the same project, by path. */
  readonly others: ReadonlyMap<string, FoundIn>;
  /** Another file that a finding, an edit or a link leads to, as it was read. */
  readonly textOf: (path: string) => string | undefined;
  /** The same with another text, configuration and host, and what is beside it; `undefined` for a text that is one of several. */
  readonly again?: (text: string, by: Pick<CheckedBy, "config" | "host">) => CheckedText;
}

interface Kept {
  readonly asked: AskedText;
  readonly checkup: Promise<Checkup | undefined>;
  /** The files and folders it took; `undefined` until that is known. */
  paths: ReadonlySet<string> | undefined;
}

interface ProjectWish {
  readonly entry: ProjectEntry;
  readonly format: ProjectFormat;
  /** Folders, or the one file of a format whose files are separate. */
  readonly roots: readonly string[];
  readonly host: string;
  /** Missing for a format whose files are separate. */
  readonly callers: Callers | undefined;
}

interface KeptProject {
  readonly project: Promise<CheckedProject>;
  paths: ReadonlySet<string> | undefined;
}

/** Projects beyond these are read again when they are asked for: a workspace may have hundreds. */
const MOST_PROJECTS = 16;

/** As many files are read at a time. */
const AT_ONCE = 64;

/** Checks the texts of an editor, each once as long as nothing has changed that it depends on. */
export class Checks {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #kept = new Map<string, Kept>();
  readonly #projects = new Map<string, KeptProject>();
  readonly #callers = new Map<ProjectEntry, Promise<Callers>>();
  /** Files that a check found to call others than they did, before anybody told of their change. */
  readonly #ahead = new Set<string>();

  constructor(host: EditorHost) {
    this.#host = host;
    this.#files = new ReadAhead(host);
  }

  /** What is found in a text; `undefined`: it is no VM definition, by its name or content, or its configuration leaves it out. */
  check(asked: AskedText): Promise<Checkup | undefined> {
    const before = this.#kept.get(asked.path);
    if (before && before.asked.text === asked.text && before.asked.host === asked.host) return before.checkup;
    const keep = (paths: ReadonlySet<string>): void => {
      kept.paths = paths;
    };
    const kept: Kept = { asked, checkup: Promise.resolve().then(() => this.#checkNow(asked, keep)), paths: undefined };
    this.#kept.set(asked.path, kept);
    return kept.checkup;
  }

  /** To be called when a file has changed on disk or in the editor, or has appeared or gone. The texts that are to be checked again. */
  async touch(path: string, told: "text" | "name"): Promise<ReadonlySet<string>> {
    const what = this.#files.comesOrGoes(path) ? "name" : told;
    // Its own check depends on it, whether or not there is one.
    const stale = new Set([path]);
    const folder = folderOf(path);
    const isHit = (paths: ReadonlySet<string> | undefined): boolean =>
      !paths || paths.has(path) || (what === "name" && (paths.has(folder) || [...paths].some((one) => one.startsWith(`${path}/`))));
    if (what === "name") this.#files.forgetName(path);
    else this.#files.forget(path);
    for (const [key, { paths }] of this.#projects) if (isHit(paths)) this.#projects.delete(key);
    for (const [key, { paths }] of this.#kept) {
      if (key !== path && !isHit(paths) && !(what === "name" && key.startsWith(`${path}/`))) continue;
      this.#kept.delete(key);
      stale.add(key);
    }
    // A folder that goes takes its files with it, of which nobody tells.
    const below = what === "name" ? (await Promise.all(this.#callers.values())).flatMap((callers) => callers.below(path)) : [];
    const changed = [path, ...below, ...(what === "name" ? await this.#cameWith(path) : [])];
    const differs = await Promise.all(changed.map((one) => this.#callsOthers(one)));
    const wereAhead = changed.map((one) => this.#ahead.delete(one));
    if (differs.includes(true) || wereAhead.includes(true)) {
      this.#projects.clear();
      for (const key of this.#kept.keys()) {
        if (projectsOf(key).length === 0) continue;
        this.#kept.delete(key);
        stale.add(key);
      }
    }
    return stale;
  }

  /** To be called when an editor is closed. */
  close(path: string): void {
    this.#kept.delete(path);
  }

  /** To be called when anything may have changed. */
  forgetAll(): void {
    this.#files.forgetAll();
    this.#kept.clear();
    this.#projects.clear();
    this.#callers.clear();
    this.#ahead.clear();
  }

  async #checkNow(asked: AskedText, keep: (paths: ReadonlySet<string>) => void): Promise<Checkup | undefined> {
    const { path, text, alias, isNowhere = false } = asked;
    const entry = isNowhere ? undefined : projectHolding(path, text);
    if (entry) return this.#inProject(entry, asked, keep);
    const alone = formatHolding(path, text) ?? (alias === undefined ? undefined : formatHolding(alias, text));
    if (!alone) {
      keep(new Set());
      return undefined;
    }
    const [format, language, found] = await Promise.all([alone.load(), alone.language?.(), this.#host.config(folderOf(path))]);
    const { config, relative, leaveKnown } = found;
    if (isIgnoredBy(config, relative(path))) {
      keep(new Set());
      return undefined;
    }
    const by = { config, path: relative(path), host: asked.host, today: this.#host.today(), leaveKnown: leaveKnown?.(path) };
    const folder = folderOf(path);
    // As the command reaches what is named to it: its folder, wherever that is.
    const isInside = (one: string): boolean => one === folder || one.startsWith(`${folder}/`) || this.#host.isInside(one);
    const checkWith = (all: Files, given: string, changed: Partial<CheckedBy> = {}): CheckedText => {
      const files: Files = {
        read: (one) => (isInside(one) ? all.read(one) : undefined),
        list: (one) => (isInside(one) ? all.list(one) : []),
      };
      return checkText(given, { format, language, ...by, ...changed, ...(!isNowhere && { beside: { path, files } }) });
    };
    const { result, files, paths } = await this.#files.settle((all) => checkWith(all, text));
    keep(paths);
    const again = (other: string, changed: Partial<CheckedBy>): CheckedText => checkWith(files, other, changed);
    return { ...result, config, others: new Map(), textOf: files.read, again };
  }

  async #inProject(entry: ProjectEntry, asked: AskedText, keep: (paths: ReadonlySet<string>) => void): Promise<Checkup | undefined> {
    const { path, text, host } = asked;
    const format = await entry.loadProject();
    const callers = entry.separate ? undefined : await this.#callersOf(entry, format);
    if (callers?.set(path, await this.#calledBy(path, entry, format))) this.#ahead.add(path);
    const folder = folderOf(path);
    const wishOf = (roots: readonly string[]): ProjectWish => ({ entry, format, roots, host, callers });
    let wish = wishOf(callers?.rootsOf(folder) ?? [path]);
    let kept = this.#projects.get(keyOf(wish)) ?? this.#readProject(wish);
    let project = await kept.project;
    // What seems to call its folder does not: the call is in a comment, or in what cannot be read.
    if (callers && !fileIn(project, path) && !wish.roots.includes(folder)) {
      wish = wishOf([...wish.roots, folder].sort());
      kept = this.#projects.get(keyOf(wish)) ?? this.#readProject(wish);
      project = await kept.project;
    }
    // It was read before the last change, of which nobody has told yet.
    if ((fileIn(project, path)?.text ?? text) !== text) {
      this.#files.forget(path);
      kept = this.#readProject(wish);
      project = await kept.project;
    }
    const { config, relative } = await this.#host.config(folderOf(path));
    keep(new Set([...(kept.paths ?? []), path]));
    // What is ignored writes no VM of its own; as a module, it is a part of those that others write with it.
    if (entry.separate && isIgnoredBy(config, relative(path))) return undefined;
    const document = project.vms.length + project.findings.size > 0 ? documentIn(project, path) : undefined;
    if (!document) return undefined;
    const texts = new Map(project.parsed.sources.files.map((file) => [file.path, file.text]));
    const textOf = (other: string): string | undefined => texts.get(other);
    const others = new Map<string, FoundIn>();
    for (const [other, diagnostics] of project.findings) {
      if (other !== path) others.set(other, { text: texts.get(other) ?? "", diagnostics, textOf });
    }
    return { ...document, badHost: targetBy(config, host).badHost, config, others, textOf };
  }

  #readProject(wish: ProjectWish): KeptProject {
    const { entry, format, roots, host, callers } = wish;
    const { environment, today } = this.#host;
    const read = async (): Promise<CheckedProject> => {
      // Among what the roots seem to call there may be others: the format knows.
      const asked = callers?.withCalled(roots) ?? [];
      const around = new Map(await Promise.all(asked.map(async (folder) => [folder, await this.#host.config(folder)] as const)));
      const isIgnored = (path: string): boolean => {
        const folder = folderOf(path);
        const found = around.get(folder);
        const counts = roots.includes(folder) || this.#counts(path);
        return !counts || (found !== undefined && isIgnoredBy(found.config, found.relative(path)));
      };
      const { result: parsed, paths } = await this.#files.settle(async (files) => {
        const wanted = callers ? wantedIn(asked, entry, files, isIgnored) : roots;
        return (await readProject(format, wanted, files, { environment, options: [] })).project;
      });
      kept.paths = paths;
      const folders = [...new Set(parsed.sources.files.map((file) => folderOf(file.path)))];
      const configs = new Map(await Promise.all(folders.map(async (folder) => [folder, await this.#host.config(folder)] as const)));
      return checkProject(parsed, format, {
        configOf: (folder) => configs.get(folder) ?? { config: EMPTY_CONFIG, relative: (path) => path },
        host,
        today: today(),
        isOwn: ownTo(roots, callers),
      });
    };
    const kept: KeptProject = { project: Promise.resolve().then(read), paths: undefined };
    this.#projects.set(keyOf(wish), kept);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > MOST_PROJECTS && oldest !== undefined) this.#projects.delete(oldest);
    return kept;
  }

  /** Which folders of the workspace call which, by a format. */
  #callersOf(entry: ProjectEntry, format: ProjectFormat): Promise<Callers> {
    const known = this.#callers.get(entry);
    if (known) return known;
    const read = async (): Promise<Callers> => {
      const callers = new Callers();
      if (!format.refersTo) return callers;
      const paths = [...new Set([...(await this.#host.search(entry.extensions)), ...this.#host.openPaths()])];
      for (let group = paths.splice(0, AT_ONCE); group.length > 0; group = paths.splice(0, AT_ONCE)) {
        const texts = await Promise.all(group.map((path) => this.#files.text(path)));
        group.forEach((path, at) => void callers.set(path, calledBy(path, texts[at], entry, format)));
      }
      return callers;
    };
    const found = read();
    this.#callers.set(entry, found);
    return found;
  }

  /** The files that may call others in a folder that has appeared: nobody tells of them either. */
  async #cameWith(folder: string): Promise<readonly string[]> {
    if (this.#callers.size === 0 || !this.#host.isSearched(folder) || (await this.#host.list(folder)).length === 0) return [];
    const found = [...this.#callers.keys()].map(({ extensions }) => this.#host.search(extensions, folder));
    return (await Promise.all(found)).flat();
  }

  /** Whether a file calls other folders now than it did. */
  async #callsOthers(path: string): Promise<boolean> {
    for (const entry of projectsOf(path)) {
      const known = this.#callers.get(entry);
      if (!known) continue;
      const [callers, format] = await Promise.all([known, entry.loadProject()]);
      if (callers.set(path, await this.#calledBy(path, entry, format))) return true;
    }
    return false;
  }

  /** Whether a file is one of the workspace, or open. */
  #counts(path: string): boolean {
    return this.#host.isSearched(path) || this.#host.openText(path) !== undefined;
  }

  /** What a file calls; nothing for one that does not count. */
  async #calledBy(path: string, entry: ProjectEntry, format: ProjectFormat): Promise<readonly string[]> {
    return this.#counts(path) ? calledBy(path, await this.#files.text(path), entry, format) : [];
  }
}

const keyOf = ({ entry, host, roots }: ProjectWish): string => [entry.name, host, ...roots].join("\n");

/** What a project has read of a file. */
const fileIn = ({ parsed }: CheckedProject, path: string): SourceFile | undefined =>
  parsed.sources.files.find((file) => file.path === path);

/** Whether a file is reached from some roots alone; each folder is looked up once. */
function ownTo(roots: readonly string[], callers: Callers | undefined): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = folderOf(path);
    const isOwn = known.get(folder) ?? callers?.rootsOf(folder).every((root) => roots.includes(root)) ?? true;
    known.set(folder, isOwn);
    return isOwn;
  };
}

function calledBy(path: string, text: string | undefined, { extensions, mayHold }: ProjectEntry, format: ProjectFormat): readonly string[] {
  const isOne = extensions.some((extension) => path.toLowerCase().endsWith(extension));
  return text === undefined || !isOne || mayHold?.(text) === false ? [] : (format.refersTo?.(path, text) ?? []);
}
