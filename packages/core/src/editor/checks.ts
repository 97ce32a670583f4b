import type { Config } from "../config/config.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { projectHolding, projectsOf } from "../formats/index.ts";
import { folderOf, type SourceFile } from "../model/files.ts";
import type { FileResult } from "../report/result.ts";
import { isCrossVm } from "../rules/define.ts";
import { rules } from "../rules/index.ts";
import { type CheckedProject, documentIn, findingsIn } from "./check-project.ts";
import { type CheckedPart, type CheckedText, type CheckSettings, reviewParts, targetBy } from "./check-text.ts";
import type { EditorHost } from "./editor-host.ts";
import type { FileFindings } from "./other-file-findings.ts";
import { type ProjectRequest, Projects } from "./projects.ts";
import { ReadAhead } from "./read-ahead.ts";
import { machinesOf, Singles, type TextToCheck } from "./singles.ts";
import { WorkspaceCallers } from "./workspace-callers.ts";

/** The result of a check. */
export interface CheckResult extends CheckedText {
  readonly config: Config;
  /** Findings in other files of the same project, or about the same machine, by path. */
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
  /** Whether it depends on all single files of the workspace. */
  sharesMachine?: boolean;
}

type Keep = (paths: ReadonlySet<string>, sharesMachine?: boolean) => void;

/** Checks the texts of an editor, and repeats a check only if one of its inputs changed. */
export class Checks {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #kept = new Map<string, CachedCheck>();
  readonly #callers: WorkspaceCallers;
  readonly #projects: Projects;
  readonly #singles: Singles;
  /** The last review that began with a part. */
  readonly #reviews = new WeakMap<CheckedPart, { readonly parts: readonly CheckedPart[]; readonly results: readonly FileResult[] }>();

  constructor(host: EditorHost) {
    this.#host = host;
    this.#files = new ReadAhead(host);
    this.#callers = new WorkspaceCallers(host, this.#files);
    this.#projects = new Projects(host, this.#files, (path) => this.#callers.counts(path));
    this.#singles = new Singles(host, this.#files);
  }

  /** Returns the findings of a text; `undefined` if it does not define a VM or its configuration ignores it. */
  check(request: TextToCheck): Promise<CheckResult | undefined> {
    const before = this.#kept.get(request.path);
    if (before && before.request.text === request.text && before.request.host === request.host) return before.checkup;
    const keep: Keep = (paths, sharesMachine = false) => Object.assign(kept, { paths, sharesMachine });
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
    this.#singles.forget(isHit, path);
    if (what === "name") this.#singles.forgetNames();
    for (const [key, { paths, sharesMachine }] of this.#kept) {
      const isBelow = what === "name" && (sharesMachine || key.startsWith(`${path}/`));
      if (key !== path && !isBelow && !isHit(paths)) continue;
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
    this.#singles.close(path);
  }

  /** Call it when anything may have changed. */
  forgetAll(): void {
    this.#files.forgetAll();
    this.#kept.clear();
    this.#projects.forgetAll();
    this.#singles.forgetAll();
    this.#callers.forgetAll();
  }

  async #checkNow(request: TextToCheck, keep: Keep): Promise<CheckResult | undefined> {
    const { path, text, isNowhere = false } = request;
    const entry = isNowhere ? undefined : projectHolding(path, text);
    if (entry) return this.#inProject(entry, request, keep);
    const single = await this.#singles.check(request);
    if (!single) {
      keep(new Set());
      return undefined;
    }
    const { config, paths, textOf, checkAgain } = single;
    const { results, otherFiles, textOf: textOfOther } = await this.#reviewed(single, { config, request, keep, paths });
    const checked = single.documentWith(results.find((file) => file.path === path));
    return { ...checked, config, otherFiles, textOf: (other) => textOfOther(other) ?? textOf(other), checkAgain };
  }

  /** Completes the result of a document, together with the single files whose VMs share machines with its VMs. */
  async #reviewed(own: CheckedPart, { config, request: { path, text, host, isNowhere }, keep, paths }: Reviewing): Promise<Reviewed> {
    const machines = isNowhere ? new Set<string>() : machinesOf(own, config);
    if (machines.size === 0) {
      keep(paths);
      return { results: this.#review([own]), otherFiles: new Map(), textOf: () => undefined };
    }
    const around = await this.#singles.onMachines(host);
    keep(new Set([...paths, ...around.paths]), true);
    const others = new Map(around.singles.map((single) => [single.linted.path, single]));
    others.delete(path);
    const results = this.#review([own, ...others.values()].sort((a, b) => (firstOf(a) < firstOf(b) ? -1 : 1)));
    const textOf = (other: string): string | undefined => others.get(other)?.linted.text;
    const otherFiles = new Map<string, FileFindings>();
    for (const result of results) {
      const single = others.get(result.path);
      const diagnostics = result.diagnostics.filter(({ ruleId }) => TOGETHER.has(ruleId));
      if (!single || diagnostics.length === 0 || [...machinesOf(single, single.config)].every((machine) => !machines.has(machine)))
        continue;
      otherFiles.set(result.path, {
        text: single.linted.text,
        diagnostics,
        textOf: (other) => textOf(other) ?? (other === path ? text : undefined),
      });
    }
    return { results, otherFiles, textOf };
  }

  /** Reviews files once, whichever of them is the document. */
  #review(parts: readonly CheckedPart[]): readonly FileResult[] {
    const [first] = parts;
    if (!first) return [];
    const before = this.#reviews.get(first);
    if (before?.parts.length === parts.length && before.parts.every((part, at) => part === parts[at])) return before.results;
    const { today, inTime = (work) => work() } = this.#host;
    const results = inTime(() => reviewParts(parts, today()));
    this.#reviews.set(first, { parts, results });
    return results;
  }

  async #inProject(entry: FormatEntry, request: TextToCheck, keep: Keep): Promise<CheckResult | undefined> {
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
    const findings = findingsIn(project, this.#review([project]));
    const document = project.vms.length + findings.size > 0 ? documentIn(project, findings, path) : undefined;
    if (!document) return undefined;
    const texts = new Map(project.parsed.sources.files.map((file) => [file.path, file.text]));
    const textOf = (other: string): string | undefined => texts.get(other);
    const otherFiles = new Map<string, FileFindings>();
    for (const [other, diagnostics] of findings) {
      if (other !== path) otherFiles.set(other, { text: texts.get(other) ?? "", diagnostics, textOf });
    }
    return { ...document, badHost: targetBy(config, host).badHost, config, otherFiles, textOf };
  }
}

/** The other inputs of a document's review. */
interface Reviewing {
  readonly config: Config;
  readonly request: TextToCheck;
  readonly keep: Keep;
  /** The files and folders that the document itself used. */
  readonly paths: ReadonlySet<string>;
}

interface Reviewed {
  readonly results: readonly FileResult[];
  /** Findings about the same machines in other single files. */
  readonly otherFiles: ReadonlyMap<string, FileFindings>;
  readonly textOf: (path: string) => string | undefined;
}

const TOGETHER: ReadonlySet<string> = new Set(rules.filter(isCrossVm).map(({ id }) => id));

const firstOf = ({ files: [first] }: CheckedPart): string => first?.path ?? "";

/** Returns a file as a project read it. */
const fileIn = ({ parsed }: CheckedProject, path: string): SourceFile | undefined =>
  parsed.sources.files.find((file) => file.path === path);
