import type { Config } from "../config/config.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { projectHolding, projectsOf } from "../formats/index.ts";
import type { Inventory } from "../inventory/index.ts";
import type { LintedVm } from "../lint/target.ts";
import { folderOf, type SourceFile } from "../model/files.ts";
import { type CheckedProject, documentIn, findingsIn } from "./check-project.ts";
import { type CheckedText, type CheckSettings, targetBy } from "./check-text.ts";
import type { EditorHost } from "./editor-host.ts";
import type { FileFindings } from "./other-file-findings.ts";
import { type ProjectRequest, Projects } from "./projects.ts";
import { ReadAhead } from "./read-ahead.ts";
import { NOTHING, type Selected, Selection, TOO_LARGE } from "./selection.ts";
import { Singles, singleFormat, type TextToCheck } from "./singles.ts";
import { isDescribed, sharesMachine, Together } from "./together.ts";
import { WorkspaceCallers } from "./workspace-callers.ts";

/** The result of a check. */
export interface CheckResult extends CheckedText {
  readonly config: Config;
  /** Findings in other files of the same project, or about the same machine, by path. */
  readonly otherFiles: ReadonlyMap<string, FileFindings>;
  /** Returns another file that a finding, an edit or a link leads to, as the check read it. */
  readonly textOf: (path: string) => string | undefined;
  /** The reason if VMs of other files may belong to the same machine, but were not compared. */
  readonly notCompared?: string;
  /** Checks another text with another configuration and host; `undefined` for a text of a project. */
  readonly checkAgain?: (text: string, by: Pick<CheckSettings, "config" | "host">) => CheckedText;
}

interface CachedCheck {
  readonly request: TextToCheck;
  readonly checkup: Promise<CheckResult | undefined>;
  /** The files and folders that it used; `undefined` until that is known. */
  paths: ReadonlySet<string> | undefined;
  /** Whether its VMs are compared with VMs of other files. */
  compares?: boolean;
}

type Keep = (paths: ReadonlySet<string>, compares?: boolean) => void;

/** Checks the texts of an editor, and repeats a check only if one of its inputs changed. */
export class Checks {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #kept = new Map<string, CachedCheck>();
  readonly #callers: WorkspaceCallers;
  readonly #projects: Projects;
  readonly #singles: Singles;
  readonly #selection: Selection;
  readonly #together: Together;

  constructor(host: EditorHost) {
    this.#host = host;
    this.#files = new ReadAhead(host);
    this.#callers = new WorkspaceCallers(host, this.#files);
    this.#projects = new Projects(host, this.#files, (path) => this.#callers.counts(path));
    this.#singles = new Singles(host, this.#files);
    this.#selection = new Selection(host, this.#files);
    this.#together = new Together(host, this.#files, {
      selection: this.#selection,
      singles: this.#singles,
      projects: this.#projects,
      callers: this.#callers,
    });
  }

  /** Returns the findings of a text; `undefined` if it does not define a VM or its configuration ignores it. */
  check(request: TextToCheck): Promise<CheckResult | undefined> {
    const before = this.#kept.get(request.path);
    if (before && before.request.text === request.text && before.request.host === request.host) return before.checkup;
    const keep: Keep = (paths, compares = false) => Object.assign(kept, { paths, compares });
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
    const drop = (isStale: (path: string, check: CachedCheck) => boolean): void => {
      for (const [key, check] of this.#kept) {
        if (!isStale(key, check)) continue;
        this.#kept.delete(key);
        stale.add(key);
      }
    };
    if (what === "name") this.#files.forgetName(path);
    else this.#files.forget(path);
    const drops = [this.#projects.forget(isHit), this.#singles.forget(isHit, path)];
    drop((key, { paths }) => key === path || (what === "name" && key.startsWith(`${path}/`)) || isHit(paths));
    const [reaches, callsDiffer] = await Promise.all([this.#selection.touch(path, what), this.#callers.differ(path, what)]);
    if (callsDiffer) this.#projects.forgetAll();
    if (callsDiffer || reaches !== "none" || drops.includes(true)) {
      this.#together.forget();
      drop((key, { compares }) => compares === true || reaches === "all" || (callsDiffer && projectsOf(key).length > 0));
    }
    return stale;
  }

  /** Call it when an editor is closed. */
  close(path: string): void {
    this.#kept.delete(path);
    this.#singles.close(path);
  }

  /** Call it when anything may have changed. */
  forgetAll(): void {
    this.#files.forgetAll();
    this.#kept.clear();
    this.#projects.forgetAll();
    this.#singles.forgetAll();
    this.#callers.forgetAll();
    this.#selection.forgetAll();
    this.#together.forget();
  }

  async #checkNow(request: TextToCheck, keep: Keep): Promise<CheckResult | undefined> {
    const { path, text, isNowhere = false } = request;
    const entry = isNowhere ? undefined : projectHolding(path, text);
    if (!entry && !singleFormat(request)) {
      keep(new Set());
      return undefined;
    }
    if (entry) return this.#inProject(entry, request, keep);
    const check = ({ entries, inventory }: Selected) =>
      this.#singles.check({ ...request, inventory: entries.has(path) ? inventory : undefined });
    const { checked: single, selected } = await this.#inWorkspace(request, check, (one) => one?.linted.vms ?? []);
    if (!single) {
      keep(new Set());
      return undefined;
    }
    const { config, linted, paths, textOf, checkAgain } = single;
    const { results, otherFiles, compared } = await this.#together.review(single, { vms: linted.vms, selected, host: request.host });
    keep(paths, compared !== undefined);
    const checked = single.documentWith(results.find((file) => file.path === path));
    return {
      ...checked,
      config,
      otherFiles,
      ...limitOf(selected, linted.vms),
      textOf: (other) => textOf(other) ?? this.#files.known(other),
      checkAgain,
    };
  }

  /** Checks a document by itself. The files of the workspace are searched as soon as they may change its result. */
  async #inWorkspace<T>(
    { path, isNowhere }: TextToCheck,
    check: (selected: Selected) => Promise<T>,
    vmsOf: (checked: T) => readonly LintedVm[],
  ) {
    const isInside = isNowhere !== true && this.#host.isSearched(path);
    const known = isInside ? await this.#selection.known() : undefined;
    const checked = await check(known ?? NOTHING);
    if (!isInside || known || !vmsOf(checked).some(mayDependOnOthers)) return { checked, selected: known ?? NOTHING };
    const selected = await this.#selection.get();
    return { checked: await check(selected), selected };
  }

  async #inProject(entry: FormatEntry, request: TextToCheck, keep: Keep): Promise<CheckResult | undefined> {
    const { path, host } = request;
    const read = ({ inventory }: Selected) => this.#projectOf(entry, request, inventory);
    const { checked, selected } = await this.#inWorkspace(request, read, ({ project: { vms } }) => vms);
    const { project, paths } = checked;
    const { config, relative } = await this.#host.config(folderOf(path));
    const { results, otherFiles: around, compared } = await this.#together.review(project, { vms: project.vms, selected, host });
    keep(new Set([...(paths ?? []), path]), compared !== undefined);
    // An ignored file has no VMs of its own. As part of a module, it belongs to VMs of other files.
    if (entry.separate && isIgnoredBy(config, relative(path))) return undefined;
    const findings = findingsIn(project, results);
    const document = project.vms.length + findings.size > 0 ? documentIn(project, findings, path) : undefined;
    if (!document) return undefined;
    const texts = new Map(project.parsed.sources.files.map((file) => [file.path, file.text]));
    const textOf = (other: string): string | undefined => texts.get(other) ?? this.#files.known(other);
    const otherFiles = new Map(around);
    for (const [other, diagnostics] of findings) {
      if (other !== path) otherFiles.set(other, { text: texts.get(other) ?? "", diagnostics, textOf });
    }
    return { ...document, badHost: targetBy(config, host).badHost, config, otherFiles, ...limitOf(selected, project.vms), textOf };
  }

  /** Returns the project of a text, with the files that it used. */
  async #projectOf(entry: FormatEntry, { path, text, host }: TextToCheck, inventory: Inventory | undefined) {
    const format = await entry.load();
    const callers = entry.separate ? undefined : await this.#callers.callersFor(path, entry, format);
    const folder = folderOf(path);
    const requestFor = (roots: readonly string[]): ProjectRequest => ({ entry, format, roots, host, callers, inventory });
    let request = requestFor(callers?.rootsOf(folder) ?? [path]);
    let kept = this.#projects.get(request);
    let project = await kept.project;
    // The text search found a call of its folder that is not one: a comment, or an unreadable part.
    if (callers && !fileIn(project, path) && !request.roots.includes(folder)) {
      request = requestFor([...request.roots, folder].sort());
      kept = this.#projects.get(request);
      project = await kept.project;
    }
    // The project was read before a change that the editor has not reported yet.
    if ((fileIn(project, path)?.text ?? text) !== text) {
      this.#files.forget(path);
      kept = this.#projects.read(request);
      project = await kept.project;
    }
    return { project, paths: kept.paths };
  }
}

/** Whether other files may be about the same machine or VM, or list its host. */
const mayDependOnOthers = (vm: LintedVm): boolean => sharesMachine(vm) || isDescribed(vm) || vm.spec.runsOn !== undefined;

/** Returns the reason if VMs were not compared. */
const limitOf = ({ isTooLarge }: Selected, vms: readonly LintedVm[]): Pick<CheckResult, "notCompared"> =>
  isTooLarge && vms.some(mayDependOnOthers) ? { notCompared: TOO_LARGE } : {};

/** Returns a file as a project read it. */
const fileIn = ({ parsed }: CheckedProject, path: string): SourceFile | undefined =>
  parsed.sources.files.find((file) => file.path === path);
