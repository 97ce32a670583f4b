import type { Config } from "../config/config.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import { formatHolding, formats, isAlone, projectHolding } from "../formats/index.ts";
import { type Files, folderOf } from "../model/files.ts";
import { inventoryReader } from "../workspace/check-file.ts";
import { type CheckedPart, type CheckedText, type CheckSettings, checkText, type OpenText, openText } from "./check-text.ts";
import type { EditorHost } from "./editor-host.ts";
import type { ReadAhead } from "./read-ahead.ts";

/** A text to check. */
export interface TextToCheck {
  readonly path: string;
  readonly text: string;
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias?: string;
  /** See `CheckSettings`. */
  readonly host: string;
  /** Whether it has no folder, so that it cannot refer to other files. */
  readonly isNowhere?: boolean;
}

/** A single file that was checked by itself. */
export interface CheckedSingle extends OpenText {
  readonly config: Config;
  /** The files and folders that it used. */
  readonly paths: ReadonlySet<string>;
  readonly textOf: (path: string) => string | undefined;
  /** Checks another text with another configuration and host. */
  readonly checkAgain: (text: string, by: Pick<CheckSettings, "config" | "host">) => CheckedText;
}

interface CachedSingle {
  readonly request: TextToCheck;
  /** `undefined` if it defines no VM, or its configuration ignores it. */
  readonly single: Promise<CheckedSingle | undefined>;
  /** `undefined` until they are known. */
  paths: ReadonlySet<string> | undefined;
}

/** A workspace with more files is not searched for VMs of a machine: the first search would take seconds. */
const MOST_FILES = 2000;

/** Checks single files by themselves, and repeats that only if one of their inputs changed. */
export class Singles {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #kept = new Map<string, CachedSingle>();
  /** Files of the workspace that a search would not check. */
  readonly #passedOver = new Set<string>();
  /** The files of the workspace that may be single files with VMs. */
  #searched: Promise<readonly string[]> | undefined;

  constructor(host: EditorHost, files: ReadAhead) {
    this.#host = host;
    this.#files = files;
  }

  /** Returns a text that was checked by itself. */
  check(request: TextToCheck): Promise<CheckedSingle | undefined> {
    const before = this.#kept.get(request.path);
    if (before && before.request.text === request.text && before.request.host === request.host) return before.single;
    const start = async (): Promise<CheckedSingle | undefined> => {
      const single = await this.#checkNow(request);
      kept.paths = single?.paths ?? new Set();
      return single;
    };
    const kept: CachedSingle = { request, single: Promise.resolve().then(start), paths: undefined };
    this.#kept.set(request.path, kept);
    return kept.single;
  }

  /** Returns the single files of the workspace with VMs on declared machines, and all files that an edit may turn into such a file. */
  async onMachines(host: string): Promise<{ readonly singles: readonly CheckedSingle[]; readonly paths: readonly string[] }> {
    this.#searched ??= this.#search();
    const paths = await this.#searched;
    const singles = (await Promise.all(paths.map((path) => this.#onDisk(path, host)))).filter((single) => single !== undefined);
    return { singles: singles.filter((single) => machinesOf(single, single.config).size > 0), paths };
  }

  /** Drops files that used a changed file. */
  forget(isHit: (paths: ReadonlySet<string> | undefined) => boolean, path: string): void {
    this.#passedOver.delete(path);
    for (const [key, { paths }] of this.#kept) if (key === path || key.startsWith(`${path}/`) || isHit(paths)) this.#kept.delete(key);
  }

  /** Call it when an editor is closed. */
  close(path: string): void {
    this.#kept.delete(path);
  }

  /** Call it when a file or folder appeared or disappeared. */
  forgetNames(): void {
    this.#passedOver.clear();
    this.#searched = undefined;
  }

  forgetAll(): void {
    this.#kept.clear();
    this.#passedOver.clear();
    this.#searched = undefined;
  }

  async #search(): Promise<readonly string[]> {
    const endings = formats.flatMap((entry) => (isAlone(entry) && !entry.mustBeNamed ? entry.extensions : []));
    const isOne = (path: string): boolean => endings.some((ending) => path.toLowerCase().endsWith(ending));
    const open = [...this.#host.openPaths()].filter((path) => this.#host.isSearched(path) && isOne(path));
    const paths = [...new Set([...(await this.#host.search([...new Set(endings)])), ...open])];
    return paths.length > MOST_FILES ? [] : paths.sort();
  }

  /** Returns a file of the workspace as a search of its folder would check it. */
  async #onDisk(path: string, host: string): Promise<CheckedSingle | undefined> {
    const before = this.#kept.get(path);
    if (before?.request.host === host) return before.single.catch(() => undefined);
    if (this.#passedOver.has(path)) return undefined;
    const { result: text } = await this.#files.settle(({ read }) => read(path));
    const entry = text === undefined || projectHolding(path, text) ? undefined : formatHolding(path, text);
    // The text of an archive is empty without its bytes.
    if (text === undefined || !entry || entry.mustBeNamed || (await entry.load()).unpack) {
      this.#passedOver.add(path);
      return undefined;
    }
    // The document itself says why it cannot be checked.
    return this.check({ path, text, host }).catch(() => undefined);
  }

  async #checkNow({ path, text, alias, host, isNowhere = false }: TextToCheck): Promise<CheckedSingle | undefined> {
    const alone = formatHolding(path, text) ?? (alias === undefined ? undefined : formatHolding(alias, text));
    if (!alone) return undefined;
    const [format, language, found] = await Promise.all([alone.load(), alone.language?.(), this.#host.config(folderOf(path))]);
    const { config, relative, baseline } = found;
    const readHosts = await inventoryReader([alone]);
    if (isIgnoredBy(config, relative(path))) return undefined;
    const by = { config, path: relative(path), host, today: this.#host.today(), baseline };
    const folder = folderOf(path);
    // The command also accepts a named folder anywhere.
    const isInside = (one: string): boolean => one === folder || one.startsWith(`${folder}/`) || this.#host.isInside(one);
    const optionsWith = (all: Files, given: string) => {
      const files: Files = {
        read: (one) => (isInside(one) ? all.read(one) : undefined),
        list: (one) => (isInside(one) ? all.list(one) : []),
      };
      const inventory = readHosts?.([{ path, text: given }], files);
      return { format, language, inventory, ...by, ...(!isNowhere && { context: { path, files } }) };
    };
    const { inTime = (work) => work() } = this.#host;
    const { result, files, paths } = await this.#files.settle((all) => inTime(() => openText(text, optionsWith(all, text))));
    return {
      ...result,
      config,
      paths,
      textOf: files.read,
      checkAgain: (other, changed) => checkText(other, { ...optionsWith(files, other), ...changed }),
    };
  }
}

/** Returns the declared machines of the VMs in some files. An inventory lists all VMs of its machines itself. */
export function machinesOf({ files }: CheckedPart, { runs }: Config): ReadonlySet<string> {
  const declared = new Set(runs.map(({ machine }) => machine));
  const machines = files.flatMap((file) => file.hostedVms.flatMap(({ target }) => target.machine ?? []));
  return new Set(machines.filter((machine) => declared.has(machine)));
}
