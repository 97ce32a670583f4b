import { type Config, targetOf, withWorkload } from "../config/config.ts";
import { sameHost } from "../lint/hosted-vms.ts";
import type { Target } from "../lint/target.ts";
import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Workload } from "../model/workload.ts";
import type { FolderTarget } from "./check-file.ts";
import type { FoundConfig } from "./configs.ts";

/** What VMs are checked against, besides their configurations. */
export interface Against {
  /** The host of all VMs, despite configurations; `null`: none. */
  readonly host?: HostModel | null | undefined;
  /** The workload of all VMs. */
  readonly workload?: Workload | undefined;
  /** The workload of VMs without a declared one. */
  readonly otherwise?: Workload | undefined;
  /** Whether all VMs with the same host run on one machine. */
  readonly together?: boolean | undefined;
}

/** Returns what gives each VM its target, by its configuration and by the options of a caller. */
export function targetAgainst(config: Config, { host, workload, otherwise, together }: Against): FolderTarget["targetOf"] {
  const byConfig = targetOf(config, host ?? undefined, workload);
  if (host !== null && !otherwise && !together) return byConfig;
  return (...of): Target => {
    const own = byConfig(...of);
    const target = withWorkload(host === null ? { ...own, host: undefined } : own, otherwise);
    return together && target.host ? { ...target, machine: sameHost(target.host) } : target;
  };
}

/** The configuration and the target for the files of a folder. */
export interface Folder<F extends FoundConfig = FoundConfig> {
  readonly found: F;
  /** The options for its files. */
  readonly options: Against;
  readonly against: FolderTarget;
  /** Whether its configuration or a baseline may hide findings of its files. */
  readonly hides: boolean;
}

export interface FolderOptions<F extends FoundConfig> extends Omit<Against, "host"> {
  readonly configOf: (folder: string) => Promise<F>;
  readonly hostOf: (config: Config) => HostModel | null | undefined | Promise<HostModel | undefined>;
  /** Whether a baseline may hide findings. */
  readonly hasBaseline: (found: F) => boolean;
  /** Writes the folder of a configuration with forward slashes; by default it has them. */
  readonly slashes?: (path: string) => string;
}

/** The folders of all files with findings. */
export interface Folders<F extends FoundConfig = FoundConfig> {
  /** The folders so far, by path. */
  readonly byPath: ReadonlyMap<string, Folder<F>>;
  readonly find: (folder: string) => Promise<Folder<F>>;
}

/** Finds what the files of each folder are checked against. */
export function openFolders<F extends FoundConfig>({ configOf, hostOf, hasBaseline, slashes, ...against }: FolderOptions<F>): Folders<F> {
  const byPath = new Map<string, Folder<F>>();
  const byConfig = new Map<F, Promise<Folder<F>>>();
  const open = async (found: F): Promise<Folder<F>> => {
    const { config, relative } = found;
    const folder = slashes?.(found.folder) ?? found.folder;
    const options = { ...against, host: await hostOf(config) };
    return {
      found,
      options,
      against: { config, folder, relative, targetOf: targetAgainst(config, options) },
      hides: hasBaseline(found) || config.suppress !== undefined,
    };
  };
  return {
    byPath,
    async find(folder) {
      const known = byPath.get(folder);
      if (known) return known;
      const found = await configOf(folder);
      const one = await getOrInsert(byConfig, found, () => open(found));
      byPath.set(folder, one);
      return one;
    },
  };
}
