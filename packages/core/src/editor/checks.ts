import type { Config } from "../config/config.ts";
import { isIgnoredBy } from "../config/names.ts";
import type { ProjectEntry } from "../formats/format.ts";
import { formatHolding, projectHolding, projectsOf } from "../formats/index.ts";
import { type Files, folderOf, type SourceFile } from "../model/files.ts";
import { type CheckedBy, type CheckedText, checkText, targetBy } from "./check.ts";
import type { EditorHost } from "./editor-host.ts";
import type { FoundIn } from "./elsewhere.ts";
import { ReadAhead } from "./files.ts";
import { type CheckedProject, documentIn } from "./project.ts";
import { Projects, type ProjectWish } from "./projects.ts";
import { WorkspaceCallers } from "./workspace-callers.ts";

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

/** Checks the texts of an editor, each once as long as nothing has changed that it depends on. */
export class Checks {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #kept = new Map<string, Kept>();
  readonly #callers: WorkspaceCallers;
  readonly #projects: Projects;

  constructor(host: EditorHost) {
    this.#host = host;
    this.#files = new ReadAhead(host);
    this.#callers = new WorkspaceCallers(host, this.#files);
    this.#projects = new Projects(host, this.#files, (path) => this.#callers.counts(path));
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
    this.#projects.forget(isHit);
    for (const [key, { paths }] of this.#kept) {
      if (key !== path && !isHit(paths) && !(what === "name" && key.startsWith(`${path}/`))) continue;
      this.#kept.delete(key);
      stale.add(key);
    }
    if (await this.#callers.differ(path, what)) {
      this.#projects.forgetAll();
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
    this.#projects.forgetAll();
    this.#callers.forgetAll();
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
    const callers = entry.separate ? undefined : await this.#callers.around(path, entry, format);
    const folder = folderOf(path);
    const wishOf = (roots: readonly string[]): ProjectWish => ({ entry, format, roots, host, callers });
    let wish = wishOf(callers?.rootsOf(folder) ?? [path]);
    let kept = this.#projects.get(wish);
    let project = await kept.project;
    // What seems to call its folder does not: the call is in a comment, or in what cannot be read.
    if (callers && !fileIn(project, path) && !wish.roots.includes(folder)) {
      wish = wishOf([...wish.roots, folder].sort());
      kept = this.#projects.get(wish);
      project = await kept.project;
    }
    // It was read before the last change, of which nobody has told yet.
    if ((fileIn(project, path)?.text ?? text) !== text) {
      this.#files.forget(path);
      kept = this.#projects.read(wish);
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
}

/** What a project has read of a file. */
const fileIn = ({ parsed }: CheckedProject, path: string): SourceFile | undefined =>
  parsed.sources.files.find((file) => file.path === path);
