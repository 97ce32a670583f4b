import { type Config, findHost, targetOf, unknownHost, withWorkload } from "../config/config.ts";
import type { ProjectInputs } from "../formats/project.ts";
import { sameHost } from "../lint/hosted-vms.ts";
import type { Target } from "../lint/target.ts";
import { isEqual, type Memo, type Outcome, type Query } from "../memo/memo.ts";
import { VmlintError } from "../model/errors.ts";
import { joinPath } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import { onceEach, onceFor } from "../model/memoize.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import type { ConfigOfFolder } from "./host.ts";

/** What VMs are checked against, besides their configurations. */
export interface Against {
  /** The host of all VMs or its name, despite configurations; `null`: none. */
  readonly host?: HostModel | string | null | undefined;
  /** The workload of all VMs. */
  readonly workload?: Workload | undefined;
  /** The workload of VMs without a declared one. */
  readonly otherwise?: Workload | undefined;
  /** Whether all VMs with the same host run on one machine. */
  readonly together?: boolean | undefined;
}

/** The configuration and target for the files of a folder. */
export interface FolderTarget {
  readonly config: Config;
  /** The folder of the configuration, with forward slashes, for its paths. */
  readonly folder: string;
  /** The path relative to the configuration, for its globs. */
  readonly relative: (path: string) => string;
  readonly targetOf: (vm: VmSpec, path: () => string, cluster?: string) => Target;
}

/** The targets of the VMs of a configuration. */
interface Targets {
  readonly targetOf: FolderTarget["targetOf"];
  readonly badHost: UnknownHost | undefined;
}

/** A word in `Against` that no host has as its name, and the reason. */
export interface UnknownHost {
  readonly word: string;
  readonly error: VmlintError;
}

/** The configuration of a folder, with the targets of its VMs. */
export type FolderFacts<C extends ConfigOfFolder = ConfigOfFolder> = C & Targets;

/** Returns the host that a word which is no name describes; `undefined` for another word. Throws HOST_UNKNOWN with a better reason. */
type Described = Query<HostModel | undefined>;

interface FolderSources<C extends ConfigOfFolder> {
  readonly config: Query<C>;
  readonly against: Query<Against>;
  readonly described?: Described;
}

/** Answers what the files of each folder are checked against, and which inputs their configuration gives them. */
export function openFolders<C extends ConfigOfFolder>(memo: Memo, { config, against, described }: FolderSources<C>) {
  const facts = memo.query("facts", (folder): FolderFacts<C> => {
    const found = config(folder);
    const other = described && ((word: string) => memo.outcome(() => described(word)));
    return { ...found, ...targetsAgainst(found.config, against(""), other) };
  });
  const given = memo.query("given", (folder) => configuredInputs(config(folder)), isSameInputs);
  return { facts, given: inputsBy((folder) => memo.ifReady(() => given(folder))) };
}

/** The inputs that a configuration gives the files in its folder. */
interface ConfiguredInputs {
  readonly valueFiles: readonly string[];
  readonly templates: ReturnType<NonNullable<ProjectInputs["templatesOf"]>>;
  readonly columns: ReturnType<NonNullable<ProjectInputs["columnsOf"]>>;
}

const NONE: readonly never[] = [];

export const configuredInputs = ({ config, folder }: Pick<ConfigOfFolder, "config" | "folder">): ConfiguredInputs => ({
  valueFiles: config.varFiles?.map((file) => joinPath(folder, file)) ?? NONE,
  templates: config.assumptions?.templates ?? NONE,
  columns: config.columns,
});

const isSameInputs = (a: ConfiguredInputs, b: ConfiguredInputs): boolean =>
  a.templates === b.templates && isEqual([a.valueFiles, a.columns], [b.valueFiles, b.columns]);

/** Returns the inputs of projects that configurations give. */
export const inputsBy = (
  of: (folder: string) => ConfiguredInputs | undefined,
): Pick<ProjectInputs, "valueFilesOf" | "templatesOf" | "columnsOf"> => ({
  valueFilesOf: (folder) => of(folder)?.valueFiles ?? NONE,
  templatesOf: (folder) => of(folder)?.templates ?? NONE,
  columnsOf: (folder) => of(folder)?.columns,
});

/** Returns the targets of the VMs of a configuration. Folders share them, because topologies are cached by target. */
export function targetsAgainst(config: Config, against: Against, described?: OtherHost): Targets {
  const known = lastTargets(config);
  const { host, badHost } = hostIn(config, against, described);
  const last = known.last?.against === against && known.last.host === host ? known.last : undefined;
  known.last = last ?? { against, host, targets: { targetOf: targetAgainst(config, { ...against, host }), badHost } };
  return known.last.targets;
}

/** Returns the host of a word that no host has as its name, or an error. */
type OtherHost = (word: string) => Outcome<HostModel | undefined>;

interface LastRead {
  readonly against: Against;
  readonly host: HostModel | null | undefined;
  readonly targets: Targets;
}

interface LastTargets {
  last?: LastRead;
}

const lastTargets = onceFor((_: Config): LastTargets => ({}));

/** A short form is the same host for all folders. */
const hostsNamed = onceFor((config: Config) => onceEach((word: string) => findHost(word, config)));

function hostIn(config: Config, { host: word }: Against, otherHost?: OtherHost): Pick<Targets, "badHost"> & Pick<LastRead, "host"> {
  if (typeof word !== "string") return { host: word, badHost: undefined };
  const found = hostsNamed(config)(word);
  if ("host" in found) return { host: found.host, badHost: undefined };
  const { value, error = unknownHost(found) } = otherHost?.(word) ?? {};
  if (value) return { host: value, badHost: undefined };
  if (!(error instanceof VmlintError && error.code === "HOST_UNKNOWN")) throw error;
  // No other host replaces an unknown one.
  return { host: null, badHost: { word, error } };
}

/** Returns what gives each VM its target, by its configuration and by the options of a caller. */
function targetAgainst(
  config: Config,
  { host, workload, otherwise, together }: Against & { readonly host: HostModel | null | undefined },
): FolderTarget["targetOf"] {
  const byConfig = targetOf(config, host ?? undefined, workload);
  if (host !== null && !otherwise && !together) return byConfig;
  return (...of): Target => {
    const own = byConfig(...of);
    const target = withWorkload(host === null ? { ...own, host: undefined } : own, otherwise);
    return together && target.host ? { ...target, machine: sameHost(target.host) } : target;
  };
}
