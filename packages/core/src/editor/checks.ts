import { partOfBaseline } from "../baseline/baseline.ts";
import type { Config } from "../config/config.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { formatHolding, projectHolding, projectsOf } from "../formats/index.ts";
import { type Files, folderOf, type SourceFile } from "../model/files.ts";
import { inventoryReader } from "../workspace/check-file.ts";
import { type CheckedProject, documentIn } from "./check-project.ts";
import { type CheckedText, type CheckSettings, checkText, targetBy } from "./check-text.ts";
import type { EditorHost } from "./editor-host.ts";
import type { FileFindings } from "./other-file-findings.ts";
import { type ProjectRequest, Projects } from "./projects.ts";
import { ReadAhead } from "./read-ahead.ts";
import { WorkspaceCallers } from "./workspace-callers.ts";

/** A text to check. */
export interface TextToCheck {
  readonly path: string;
  readonly text: string;
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias?: string;
  /** See `CheckedBy`. */
  readonly host: string;
  /** Whether it has no folder, so that it cannot refer to other files. */
  readonly isNowhere?: boolean;
}

/** The result of a check. */
export interface CheckResult extends CheckedText {
  readonly config: Config;
  /** Findings in other files of the same project, by path. */
  readonly otherFiles: ReadonlyMap<string, FileFindings>;
  /** Returns another file that a finding, an edit or a link leads to, as the check read it. */
  readonly textOf: (path: string) => string | undefined;
  /** Checks another text with another configuration and host; `undefined` for a text of a project. */
  readonly checkAgain?: (text: string, by: Pick<CheckSettings, "config" | "host">) => CheckedText;
}

interface CachedCheck {
  readonly request: TextToCheck;
  readonly checkup: Promise<CheckResult | undefined>;
  /** The files and folders that it used; `undefined` until that is known. */
  paths: ReadonlySet<string> | undefined;
}

/** Checks the texts of an editor, and repeats a check only if one of its inputs changed. */
export class Checks {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #kept = new Map<string, CachedCheck>();
  readonly #callers: WorkspaceCallers;
  readonly #projects: Projects;

  constructor(host: EditorHost) {
    this.#host = host;
    this.#files = new ReadAhead(host);
    this.#callers = new WorkspaceCallers(host, this.#files);
    this.#projects = new Projects(host, this.#files, (path) => this.#callers.counts(path));
  }

  /** Returns the findings of a text; `undefined` if it does not define a VM or its configuration ignores it. */
  check(request: TextToCheck): Promise<CheckResult | undefined> {
    const before = this.#kept.get(request.path);
    if (before && before.request.text === request.text && before.request.host === request.host) return before.checkup;
    const keep = (paths: ReadonlySet<string>): void => {
      kept.paths = paths;
    };
    const kept: CachedCheck = { request, checkup: Promise.resolve().then(() => this.#checkNow(request, keep)), paths: undefined };
    this.#kept.set(request.path, kept);
    return kept.checkup;
  }

  /** Call it when a file changed, appeared or disappeared, on disk or in the editor. Returns the texts to check again. */
  async touch(path: string, event: "text" | "name"): Promise<ReadonlySet<string>> {
    const what = this.#files.comesOrGoes(path) ? "name" : event;
    // Its own check depends on it even if it does not exist.
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

  /** Call it when an editor is closed. */
  close(path: string): void {
    this.#kept.delete(path);
  }

  /** Call it when anything may have changed. */
  forgetAll(): void {
    this.#files.forgetAll();
    this.#kept.clear();
    this.#projects.forgetAll();
    this.#callers.forgetAll();
  }

  async #checkNow(request: TextToCheck, keep: (paths: ReadonlySet<string>) => void): Promise<CheckResult | undefined> {
    const { path, text, alias, isNowhere = false } = request;
    const entry = isNowhere ? undefined : projectHolding(path, text);
    if (entry) return this.#inProject(entry, request, keep);
    const alone = formatHolding(path, text) ?? (alias === undefined ? undefined : formatHolding(alias, text));
    if (!alone) {
      keep(new Set());
      return undefined;
    }
    const [format, language, found] = await Promise.all([alone.load(), alone.language?.(), this.#host.config(folderOf(path))]);
    const { config, relative, baseline } = found;
    const readHosts = await inventoryReader([alone]);
    if (isIgnoredBy(config, relative(path))) {
      keep(new Set());
      return undefined;
    }
    const known = baseline && { ...partOfBaseline(baseline, [path]), nameOf: () => baseline.nameOf(path) };
    const by = { config, path: relative(path), host: request.host, today: this.#host.today(), baseline: known };
    const folder = folderOf(path);
    // The command also accepts a named folder anywhere.
    const isInside = (one: string): boolean => one === folder || one.startsWith(`${folder}/`) || this.#host.isInside(one);
    const checkWith = (all: Files, given: string, changed: Partial<CheckSettings> = {}): CheckedText => {
      const files: Files = {
        read: (one) => (isInside(one) ? all.read(one) : undefined),
        list: (one) => (isInside(one) ? all.list(one) : []),
      };
      const inventory = readHosts?.([{ path, text: given }], files);
      return checkText(given, { format, language, inventory, ...by, ...changed, ...(!isNowhere && { context: { path, files } }) });
    };
    const { inTime = (work) => work() } = this.#host;
    const { result, files, paths } = await this.#files.settle((all) => inTime(() => checkWith(all, text)));
    keep(paths);
    const checkAgain = (other: string, changed: Partial<CheckSettings>): CheckedText => checkWith(files, other, changed);
    return { ...result, config, otherFiles: new Map(), textOf: files.read, checkAgain };
  }

  async #inProject(entry: FormatEntry, request: TextToCheck, keep: (paths: ReadonlySet<string>) => void): Promise<CheckResult | undefined> {
    const { path, text, host } = request;
    const format = await entry.load();
    const callers = entry.separate ? undefined : await this.#callers.callersFor(path, entry, format);
    const folder = folderOf(path);
    const requestFor = (roots: readonly string[]): ProjectRequest => ({ entry, format, roots, host, callers });
    let projectRequest = requestFor(callers?.rootsOf(folder) ?? [path]);
    let kept = this.#projects.get(projectRequest);
    let project = await kept.project;
    // The text search found a call of its folder that is not one: a comment, or an unreadable part.
    if (callers && !fileIn(project, path) && !projectRequest.roots.includes(folder)) {
      projectRequest = requestFor([...projectRequest.roots, folder].sort());
      kept = this.#projects.get(projectRequest);
      project = await kept.project;
    }
    // The project was read before a change that the editor has not reported yet.
    if ((fileIn(project, path)?.text ?? text) !== text) {
      this.#files.forget(path);
      kept = this.#projects.read(projectRequest);
      project = await kept.project;
    }
    const { config, relative } = await this.#host.config(folderOf(path));
    keep(new Set([...(kept.paths ?? []), path]));
    // An ignored file has no VMs of its own. As part of a module, it belongs to VMs of other files.
    if (entry.separate && isIgnoredBy(config, relative(path))) return undefined;
    const document = project.vms.length + project.findings.size > 0 ? documentIn(project, path) : undefined;
    if (!document) return undefined;
    const texts = new Map(project.parsed.sources.files.map((file) => [file.path, file.text]));
    const textOf = (other: string): string | undefined => texts.get(other);
    const otherFiles = new Map<string, FileFindings>();
    for (const [other, diagnostics] of project.findings) {
      if (other !== path) otherFiles.set(other, { text: texts.get(other) ?? "", diagnostics, textOf });
    }
    return { ...document, badHost: targetBy(config, host).badHost, config, otherFiles, textOf };
  }
}

/** Returns a file as a project read it. */
const fileIn = ({ parsed }: CheckedProject, path: string): SourceFile | undefined =>
  parsed.sources.files.find((file) => file.path === path);
