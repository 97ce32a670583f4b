import { EMPTY_CONFIG } from "../config/config.ts";
import { holdsConfig } from "../config/config-names.ts";
import type { ConfigFiles, ConfigProblem } from "../config/read-config.ts";
import type { Fix } from "../model/diagnostic.ts";
import { nameOf } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import { type Range, touches } from "../model/source.ts";
import type { Completion, Hover } from "../syntax/language.ts";

/** A configuration during editing. */
export interface ConfigText {
  readonly problems: readonly ConfigProblem[];
  readonly complete: (offset: number) => readonly Completion[];
  readonly hover: (offset: number) => Hover | undefined;
  /** Returns the fixes of misspelt names on the lines of a selection. */
  readonly fixesAt: (selection: Range) => readonly Fix[];
}

/** Whether a package.json contains the key of a configuration but is invalid JSON at the moment. */
function mayBecomeOne(name: string, text: string): boolean {
  if (name !== "package.json" || !text.includes('"vmlint"')) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** Reads configurations during editing. While one is broken, completion uses its last known hosts. */
export class ConfigTexts {
  readonly #hosts = new Map<string, ReadonlyMap<string, HostModel>>();

  /**
   * Reads a configuration. `key` is its address, and `path` the base of the files that it names. Returns `undefined` for a package.json
   * without configuration.
   */
  async read(key: string, path: string, text: string, files: ConfigFiles): Promise<ConfigText | undefined> {
    const isOne = holdsConfig(nameOf(path), text);
    if (!isOne && !mayBecomeOne(nameOf(path), text)) return undefined;
    const [{ configLanguage }, { readConfigTyped }] = await Promise.all([import("../config/language.ts"), import("../config/index.ts")]);
    // Other tools report a broken package.json.
    const { config, problems } = isOne ? await readConfigTyped(text, path, files) : { config: EMPTY_CONFIG, problems: [] };
    if (isOne && problems.length === 0) this.#hosts.set(key, config.hosts);
    const hosts = this.#hosts.get(key) ?? config.hosts;
    const { complete, hover } = configLanguage(path, hosts);
    return {
      problems,
      complete: (offset) => complete(text, offset),
      hover: (offset) => hover(text, offset),
      fixesAt: (selection) => problems.filter(({ range }) => touches(range, selection)).flatMap(({ fixes = [] }) => fixes),
    };
  }

  /** Call it when an editor is closed. */
  close(key: string): void {
    this.#hosts.delete(key);
  }
}
