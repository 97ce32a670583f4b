import { EMPTY_CONFIG } from "../config/config.ts";
import { holdsConfig } from "../config/names.ts";
import type { ConfigFiles, ConfigProblem } from "../config/parse.ts";
import { nameOf } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import type { Completion, Hover } from "../syntax/language.ts";

/** A configuration as it is typed. */
export interface ConfigText {
  readonly problems: readonly ConfigProblem[];
  readonly complete: (offset: number) => readonly Completion[];
  readonly hover: (offset: number) => Hover | undefined;
}

/** Whether a package.json has the key of a configuration in it and is no JSON, as one that is typed into. */
function mayBecomeOne(text: string): boolean {
  if (!text.includes('"vmlint"')) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** Reads configurations as they are typed; one that cannot be read now is offered the hosts that it could name before. */
export class ConfigTexts {
  readonly #hosts = new Map<string, ReadonlyMap<string, HostModel>>();

  /** `key`: its address, `path`: as what it names is found from it. `undefined`: a file of that name which holds no configuration. */
  async read(key: string, path: string, text: string, files: ConfigFiles): Promise<ConfigText | undefined> {
    const isOne = holdsConfig(nameOf(path), text);
    if (!isOne && !mayBecomeOne(text)) return undefined;
    const [{ configLanguage }, { readConfigTyped }] = await Promise.all([import("../config/language.ts"), import("../config/index.ts")]);
    // What is wrong with a package.json that is no JSON, its own readers say.
    const { config, problems } = isOne ? await readConfigTyped(text, path, files) : { config: EMPTY_CONFIG, problems: [] };
    if (isOne && problems.length === 0) this.#hosts.set(key, config.hosts);
    const hosts = this.#hosts.get(key) ?? config.hosts;
    const { complete, hover } = configLanguage(path, hosts);
    return { problems, complete: (offset) => complete(text, offset), hover: (offset) => hover(text, offset) };
  }

  /** To be called when an editor is closed. */
  close(key: string): void {
    this.#hosts.delete(key);
  }
}
