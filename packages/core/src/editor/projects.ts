import { type Config, EMPTY_CONFIG } from "../config/config.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import type { Format, FormatEntry } from "../formats/format.ts";
import type { ParsedProject } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { folderOf, joinPath } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { summarize } from "../report/result.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { openRun } from "../workspace/check-run.ts";
import type { Callers } from "./callers.ts";
import { type CheckedProject, wantedIn } from "./check-project.ts";
import { targetBy } from "./check-text.ts";
import type { ConfigOfFolder, EditorHost } from "./editor-host.ts";
import type { ReadAhead } from "./read-ahead.ts";

/** A requested project. */
export interface ProjectRequest {
  readonly entry: FormatEntry;
  readonly format: Format;
  /** Its folders, or the file of a format with separate files. */
  readonly roots: readonly string[];
  readonly host: string;
  /** Missing for a format with separate files. */
  readonly callers: Callers | undefined;
  /** The hosts that the workspace lists. */
  readonly inventory: Inventory | undefined;
}

/** A project that was read, or is being read. */
export interface CachedProject extends Pick<ProjectRequest, "inventory"> {
  readonly project: Promise<CheckedProject>;
  /** The files and folders that it used; `undefined` until that is known. */
  paths: ReadonlySet<string> | undefined;
}

/** The most cached projects of documents, because a workspace may have hundreds. */
const MOST_PROJECTS = 16;

/** Reads projects. Caches the recently used ones, and all projects that are compared with other files. */
export class Projects {
  readonly #host: Pick<EditorHost, "config" | "environment" | "isSearched" | "inTime">;
  readonly #files: ReadAhead;
  /** Whether a file is part of the workspace, or open. */
  readonly #counts: (path: string) => boolean;
  readonly #kept = new Map<string, CachedProject>();
  /** The projects that are compared with other files of the workspace. */
  readonly #compared = new Map<string, CachedProject>();

  constructor(host: EditorHost, files: ReadAhead, counts: (path: string) => boolean) {
    this.#host = host;
    this.#files = files;
    this.#counts = counts;
  }

  /** Returns a cached project unless a file that it used changed. */
  get(request: ProjectRequest): CachedProject {
    const key = keyOf(request);
    const cached = this.#compared.get(key) ?? this.#kept.get(key);
    return cached && cached.inventory === request.inventory ? cached : this.read(request);
  }

  /** Returns a project, and keeps it as long as its files are the same. */
  compared(request: ProjectRequest): CachedProject {
    const project = this.get(request);
    this.#compared.set(keyOf(request), project);
    return project;
  }

  /** Drops the projects that used a changed file; returns whether there are any. */
  forget(isHit: (paths: ReadonlySet<string> | undefined) => boolean): boolean {
    let drops = false;
    for (const cache of [this.#kept, this.#compared]) for (const [key, { paths }] of cache) if (isHit(paths)) drops = cache.delete(key);
    return drops;
  }

  forgetAll(): void {
    this.#kept.clear();
    this.#compared.clear();
  }

  /** Returns the topmost folder around a folder that is part of the workspace. */
  readonly #topOf = (folder: string): string | undefined => {
    const isPart = (of: string): boolean => this.#host.isSearched(joinPath(of, "any"));
    let top = folder;
    while (folderOf(top) !== top && isPart(folderOf(top))) top = folderOf(top);
    return isPart(top) ? top : undefined;
  };

  /** Reads a project anew. */
  read(request: ProjectRequest): CachedProject {
    const { entry, format, roots, host, callers, inventory } = request;
    const { environment, inTime = (work) => work() } = this.#host;
    const readInTime: Format["read"] = (reading) => inTime(() => format.read(reading));
    const start = async (): Promise<CheckedProject> => {
      // The search for calls may find too many folders; the format decides.
      const calledFolders = callers?.withCalled(roots) ?? [];
      const configByFolder = new Map(
        await Promise.all(calledFolders.map(async (folder) => [folder, await this.#host.config(folder)] as const)),
      );
      const isIgnored = (path: string): boolean => {
        const folder = folderOf(path);
        const foundConfig = configByFolder.get(folder);
        const counts = roots.includes(folder) || this.#counts(path);
        return !counts || (foundConfig !== undefined && isIgnoredBy(foundConfig.config, foundConfig.relative(path)));
      };
      const valueFilesOf = (folder: string): readonly string[] => {
        const found = configByFolder.get(folder);
        return found?.config.varFiles?.map((file) => joinPath(folder, `${"../".repeat(depthOf(found.relative(folder)))}${file}`)) ?? [];
      };
      const templatesOf = (folder: string) => configByFolder.get(folder)?.config.assumptions?.templates ?? [];
      const configs = new Map<string, ConfigOfFolder>();
      const configOf = (path: string): ConfigOfFolder => configs.get(folderOf(path)) ?? NO_CONFIG;
      const targets = new Map<Config, ReturnType<typeof targetBy>>();
      const suppressions = new Map<string, FileSuppressions>();
      const { result, paths } = await this.#files.settle(async (files) => {
        const paths = callers ? wantedIn(calledFolders, entry, files, isIgnored) : roots;
        let parsed: ParsedProject | undefined;
        const check = await openRun({
          files,
          rules: undefined,
          againstAt: (path) => {
            const { config, relative } = configOf(path);
            return { config, relative, targetOf: getOrInsert(targets, config, () => targetBy(config, host)).target };
          },
          inventory,
          hides: () => true,
          suppressions,
          singles: () => [],
          findFolder: async (folder) => configs.set(folder, await this.#host.config(folder)),
          projects: [{ entry, format, paths, files, inputs: { environment, options: [], valueFilesOf, templatesOf, topOf: this.#topOf } }],
          async openProject(_, open) {
            const opened = await open({ format: { ...format, read: readInTime } });
            parsed = opened.project;
            return opened.check;
          },
        });
        if (!parsed) throw new Error(`no project was opened for ${roots.join(", ")}`);
        return { parsed, check };
      });
      cached.paths = paths;
      const checked = inTime(() => [...result.check()]);
      return {
        parsed: result.parsed,
        format,
        vms: checked.flatMap(({ vms }) => vms.map(({ spec, target }) => ({ spec, target }))),
        files: checked.map((file) => summarize(file, undefined, true)),
        suppressions,
        baselineOf: (path) => configOf(path).baseline,
        isOwn: ownTo(roots, callers),
      };
    };
    const cached: CachedProject = { project: Promise.resolve().then(start), paths: undefined, inventory };
    const key = keyOf(request);
    this.#kept.set(key, cached);
    if (this.#compared.has(key)) this.#compared.set(key, cached);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_PROJECTS && oldest !== undefined) this.#kept.delete(oldest);
    return cached;
  }
}

const NO_CONFIG: ConfigOfFolder = { config: EMPTY_CONFIG, relative: (path) => path };

/** How many folders a folder is below its configuration. */
const depthOf = (relative: string): number => relative.split("/").filter((part) => part !== "" && part !== ".").length;

const keyOf = ({ entry, host, roots }: ProjectRequest): string => [entry.name, host, ...roots].join("\n");

/** Whether only some roots reach a file; each folder is looked up once. */
function ownTo(roots: readonly string[], callers: Callers | undefined): (path: string) => boolean {
  const ignoreCache = new Map<string, boolean>();
  return (path) => {
    const folder = folderOf(path);
    return getOrInsert(ignoreCache, folder, () => callers?.rootsOf(folder).every((root) => roots.includes(root)) ?? true);
  };
}
