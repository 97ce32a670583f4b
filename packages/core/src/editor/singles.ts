import type { Config } from "../config/config.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { formatHolding } from "../formats/index.ts";
import type { Inventory } from "../inventory/index.ts";
import { type Files, folderOf } from "../model/files.ts";
import { inventoryReader } from "../workspace/check-file.ts";
import { type CheckedText, type CheckSettings, checkText, type OpenText, openText } from "./check-text.ts";
import type { EditorHost } from "./editor-host.ts";
import type { ReadAhead } from "./read-ahead.ts";

/** A text to check. */
export interface TextToCheck {
  readonly path: string;
  readonly text: string;
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias?: string | undefined;
  /** See `CheckSettings`. */
  readonly host: string;
  /** Whether it has no folder, so that it cannot refer to other files. */
  readonly isNowhere?: boolean;
}

/** A text with the hosts of its workspace. */
interface SingleRequest extends TextToCheck {
  /** The hosts that the workspace lists; missing for a text outside of it, which may list hosts itself. */
  readonly inventory?: Inventory | undefined;
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
  readonly request: SingleRequest;
  /** `undefined` if it defines no VM, or its configuration ignores it. */
  readonly single: Promise<CheckedSingle | undefined>;
  /** `undefined` until they are known. */
  paths: ReadonlySet<string> | undefined;
}

/** Checks single files by themselves, and repeats that only if one of their inputs changed. Keeps open files and files of the workspace. */
export class Singles {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #kept = new Map<string, CachedSingle>();

  constructor(host: EditorHost, files: ReadAhead) {
    this.#host = host;
    this.#files = files;
  }

  /** Returns a text that was checked by itself. */
  check(request: SingleRequest): Promise<CheckedSingle | undefined> {
    const before = this.#kept.get(request.path);
    if (before && isSame(before.request, request)) return before.single;
    const start = async (): Promise<CheckedSingle | undefined> => {
      const single = await this.#checkNow(request);
      kept.paths = single?.paths ?? new Set();
      // Folders have many files without a VM.
      if (!single && this.#kept.get(request.path) === kept) this.#kept.delete(request.path);
      return single;
    };
    const kept: CachedSingle = { request, single: Promise.resolve().then(start), paths: undefined };
    this.#kept.set(request.path, kept);
    return kept.single;
  }

  /** Returns a file of the workspace that was checked by itself, unless it changed. */
  known(path: string, { host, inventory }: Pick<SingleRequest, "host" | "inventory">): CachedSingle["single"] | undefined {
    const before = this.#kept.get(path);
    return before?.request.host === host && before.request.inventory === inventory ? before.single : undefined;
  }

  /** Drops files that used a changed file; returns whether there are any. */
  forget(isHit: (paths: ReadonlySet<string> | undefined) => boolean, path: string): boolean {
    let drops = false;
    for (const [key, { paths }] of this.#kept)
      if (key === path || key.startsWith(`${path}/`) || isHit(paths)) drops = this.#kept.delete(key);
    return drops;
  }

  /** Call it when an editor is closed. Files of the workspace stay until they change. */
  close(path: string): void {
    if (!this.#host.isSearched(path)) this.#kept.delete(path);
  }

  forgetAll(): void {
    this.#kept.clear();
  }

  async #checkNow({ path, text, alias, host, isNowhere = false, inventory }: SingleRequest): Promise<CheckedSingle | undefined> {
    const alone = singleFormat({ path, text, alias });
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
      const hosts = inventory ?? readHosts?.([{ path, text: given }], files);
      return { format, language, inventory: hosts, ...by, ...(!isNowhere && { context: { path, files } }) };
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

/** Returns the format of a single text; `undefined` if none accepts it. */
export const singleFormat = ({ path, text, alias }: Pick<TextToCheck, "path" | "text" | "alias">): FormatEntry | undefined =>
  formatHolding(path, text) ?? (alias === undefined ? undefined : formatHolding(alias, text));

const isSame = (a: SingleRequest, b: SingleRequest): boolean => a.text === b.text && a.host === b.host && a.inventory === b.inventory;
