import { isIgnoredBy } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { formatHolding, formats, isAlone, projectHolding, searchedFormatsOf } from "../formats/index.ts";
import type { Inventory } from "../inventory/index.ts";
import { folderOf } from "../model/files.ts";
import { inventoryReader } from "../workspace/check-file.ts";
import { mayHoldVms, withoutDerived } from "../workspace/select-files.ts";
import type { EditorHost } from "./editor-host.ts";
import type { ReadAhead } from "./read-ahead.ts";

/** The files of the workspace that the command would check. */
export interface Selected {
  readonly entries: ReadonlyMap<string, FormatEntry>;
  /** Whether several of them may describe the same VM. */
  readonly describes: boolean;
  /** The hosts that they list. */
  readonly inventory: Inventory | undefined;
  /** Whether the workspace has too many files to search them. */
  readonly isTooLarge: boolean;
  /** The files whose texts decide about other files. */
  readonly deciding: ReadonlySet<string>;
}

/** The selection for a text outside of the workspace. */
export const NOTHING: Selected = { entries: new Map(), describes: false, inventory: undefined, isTooLarge: false, deciding: new Set() };

/** A workspace with more files is not searched: the first search would take seconds, and searches of editors end at some number of files. */
const MOST_FILES = 5000;

/** The message about a larger workspace. */
export const TOO_LARGE = `vmlint does not compare the files of this workspace: more than ${MOST_FILES} may describe VMs. Run vmlint in a terminal.`;

/** The number of files to read at a time. */
export const AT_ONCE = 64;

/** Selects the files of the workspace as the command does, and again after a change. */
export class Selection {
  readonly #host: EditorHost;
  readonly #files: ReadAhead;
  readonly #entries = new Map<string, Promise<FormatEntry | undefined>>();
  #searched: Promise<readonly string[]> | undefined;
  /** Missing if a file changed since. */
  #selected: Promise<Selected> | undefined;
  #last: Promise<Selected> | undefined;
  /** The last inventory; it stays the same object as long as it lists the same hosts. */
  #inventory: Inventory | undefined;

  constructor(host: EditorHost, files: ReadAhead) {
    this.#host = host;
    this.#files = files;
  }

  /** Returns the selection if a text needed it before. */
  known(): Promise<Selected> | undefined {
    return this.#last && this.get();
  }

  get(): Promise<Selected> {
    this.#selected ??= this.#select();
    this.#last = this.#selected;
    return this.#selected;
  }

  /** Call it when a file changed, appeared or disappeared. Returns the files that may have other findings now: `all`, or only compared files. */
  async touch(path: string, event: "text" | "name"): Promise<"none" | "compared" | "all"> {
    const entry = this.#entries.get(path);
    this.#entries.delete(path);
    const last = this.#last;
    if (!last) return "none";
    if (event === "name") {
      if (!(await this.#mayBringFiles(path))) return "none";
      for (const key of this.#entries.keys()) if (key.startsWith(`${path}/`)) this.#entries.delete(key);
      this.#searched = undefined;
    } else if (!entry || (!(await last).deciding.has(path) && (await entry) === (await this.#entry(path)))) return "none";
    this.#selected = undefined;
    // Files often change together: they are selected once, after all of these calls.
    const [before, after] = [await last, await this.get()];
    if (before.describes !== after.describes || before.inventory !== after.inventory || before.isTooLarge !== after.isTooLarge)
      return "all";
    return isSame(before.entries, after.entries) ? "none" : "compared";
  }

  forgetAll(): void {
    this.#entries.clear();
    this.#searched = undefined;
    this.#selected = undefined;
    this.#last = undefined;
    this.#inventory = undefined;
  }

  /** Whether a path is a file that may be selected, or a folder that has some or had some. */
  async #mayBringFiles(path: string): Promise<boolean> {
    if ([...this.#entries.keys()].some((file) => file.startsWith(`${path}/`))) return true;
    if (!this.#host.isSearched(path)) return false;
    return searchedFormatsOf(path).length > 0 || (await this.#host.list(path)).length > 0;
  }

  async #search(): Promise<readonly string[]> {
    const endings = new Set(formats.flatMap((entry) => (entry.mustBeNamed ? [] : entry.extensions)));
    const open = [...this.#host.openPaths()].filter((path) => this.#host.isSearched(path));
    const paths = new Set([...(await this.#host.search([...endings])), ...open]);
    return [...paths].filter((path) => searchedFormatsOf(path).length > 0).sort();
  }

  async #select(): Promise<Selected> {
    this.#searched ??= this.#search();
    const paths = await this.#searched;
    if (paths.length > MOST_FILES) return { ...NOTHING, isTooLarge: true };
    const found = new Map<string, FormatEntry>();
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const group = paths.slice(from, from + AT_ONCE);
      const entries = await Promise.all(group.map((path) => this.#entry(path)));
      group.forEach((path, at) => {
        const entry = entries[at];
        if (entry) found.set(path, entry);
      });
    }
    const listing = [...found].filter(([, entry]) => entry.listsHosts);
    const readHosts = await inventoryReader(listing.map(([, entry]) => entry));
    const { result, paths: deciding } = await this.#files.settle((files) => {
      const joint = [...found].filter(([, entry]) => !isAlone(entry));
      const kept = withoutDerived(
        joint.map(([path, entry]) => ({ path, entry, text: files.read(path) ?? "", isNamed: false })),
        files,
      );
      const derived = new Set(joint.map(([path]) => path));
      for (const { path } of kept) derived.delete(path);
      return {
        derived,
        inventory: readHosts?.(
          listing.map(([path]) => ({ path, text: files.read(path) ?? "" })),
          files,
        ),
      };
    });
    for (const path of result.derived) found.delete(path);
    if (result.inventory?.key !== this.#inventory?.key) this.#inventory = result.inventory;
    return { ...NOTHING, entries: found, describes: new Set(found.values()).size > 1, inventory: this.#inventory, deciding };
  }

  #entry(path: string): Promise<FormatEntry | undefined> {
    const known = this.#entries.get(path) ?? this.#readEntry(path);
    this.#entries.set(path, known);
    return known;
  }

  /** Returns the format of a file; `undefined` if the command would not check it. */
  async #readEntry(path: string): Promise<FormatEntry | undefined> {
    const found = await this.#host.config(folderOf(path)).catch(() => undefined);
    if (!found || isIgnoredBy(found.config, found.relative(path)) || (await this.#host.isIgnored?.(path))) return undefined;
    const { result: text } = await this.#files.settle(({ read }) => read(path));
    const entry = text === undefined ? undefined : (projectHolding(path, text) ?? formatHolding(path, text));
    // The text of an archive is empty without its bytes.
    if (text !== undefined && entry && !entry.mustBeNamed && mayHoldVms(entry, text) && !(await entry.load()).unpack) return entry;
    // Most of these files belong to other programs, and no project needs them.
    if (searchedFormatsOf(path).every((one) => isAlone(one) || one.separate)) this.#files.forget(path);
    return undefined;
  }
}

const isSame = (some: Selected["entries"], others: Selected["entries"]): boolean =>
  some.size === others.size && [...some].every(([path, entry]) => others.get(path) === entry);
