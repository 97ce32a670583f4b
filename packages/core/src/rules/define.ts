import type { Import, Made } from "../importers/import-vm.ts";
import type { MigrationTarget } from "../importers/importer.ts";
import { AUTO_TOPOLOGY_HARDWARE } from "../limits/hardware.ts";
import type { Diagnostic, Related, Severity, SkipReason } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import type { HostModel } from "../model/host.ts";
import { type Located, type Range, type Setting, valueIfKnown } from "../model/source.ts";
import type { Source } from "../model/sources.ts";
import type {
  Board,
  Change,
  KvmFacts,
  ScsiController,
  SettingName,
  Settings,
  SettingTypes,
  SettingValues,
  Platform as VmPlatform,
  VmSpec,
} from "../model/spec.ts";
import type { GuestView } from "../model/topology.ts";
import { valueWords } from "../model/words.ts";
import type { Workload, WorkloadField, WorkloadKind } from "../model/workload.ts";
import { isSure } from "../platforms/esxi/certainty.ts";
import type { Topology, TopologyResult } from "../platforms/esxi/derive.ts";
import type { Comparison } from "../platforms/esxi/observed.ts";
import type { PossibleTopologies } from "../platforms/esxi/possible.ts";
import type { StoredSize } from "../platforms/esxi/stored-size.ts";
import type { Preset } from "./preset-names.ts";

/**
 * An input that a rule requires. Without it, the engine skips the rule and counts a skipped check. A rule for several platforms that needs
 * the `topology` reads it by `guest()`: only the view of ESXi needs a host, and only ESXi has `topology`.
 */
export type Need = "host" | "topology" | "workload";

/** The settings of a VM that a rule declares it reads. Absent settings are `undefined`; with an unknown one, the rule does not run. */
export type View<R extends SettingName> = {
  readonly [K in R]: Located<SettingTypes[K]> | undefined;
} & {
  /** The range to report if a setting is absent. */
  readonly range: Range;
  readonly defaults: VmSpec["defaults"];
  readonly platform: VmSpec["platform"];
  readonly generator: VmSpec["generator"];
  readonly scsiControllers: readonly ScsiController[];
  readonly devices: VmSpec["devices"];
  readonly board: () => Board;
  readonly configured: VmSpec["configured"];
  readonly measured: VmSpec["measured"];
  readonly kvm: KvmFacts | undefined;
};

export interface Facts<N extends Need = never, R extends SettingName = never> {
  readonly vm: View<R>;
  readonly host: "host" extends N ? HostModel : HostModel | undefined;
  /** Also read it if a finding depends on `topology.usableVcpus`: rules that do not read it run once for all workloads. */
  readonly workload: "workload" extends N ? Workload : Workload | undefined;
  readonly topology: "topology" extends N ? Topology : Topology | undefined;
  /** Returns the view of the guest on any platform; `undefined` if it is unknown, or if it needs a host. */
  readonly guest: () => GuestView | undefined;
  /** Reads an optional setting. The rule also runs if this setting is unknown. */
  readonly ifKnown: <K extends SettingName>(name: K) => SettingTypes[K] | undefined;
  /** Returns the topology of the VM with other values; `undefined` if it would not start. */
  readonly whatIf: (override: SettingValues) => Topology | undefined;
  /**
   * Computes what a finding proposes; `undefined` if the caller only wants to know what rules find. No condition of a rule depends on it.
   */
  readonly advise: <T>(compute: () => T) => T | undefined;
  /**
   * Returns the other hosts of the cluster with the topology of the VM on each, optionally with other values; `undefined` as in `whatIf`,
   * or if the topology is unknown.
   */
  readonly onOtherHosts: (override?: SettingValues) => readonly { readonly host: HostModel; readonly topology: Topology | undefined }[];
  /** Returns all topologies that the VM may have on its host; `undefined` without a host, or if an unknown setting prevents it. */
  readonly layouts: () => PossibleTopologies | undefined;
  /** Compares the observed state of the running VM with its topology; `undefined` if either is unknown. */
  readonly observed: () => Comparison | undefined;
  /** Compares the node size that an earlier power-on stored with the size for this host; null if no stored size applies. */
  readonly storedSize: () => StoredSize | null;
}

/** One VM of several on the same machine. */
export interface Neighbour<R extends SettingName = never> {
  /** The name of the VM, or of its file if it has none. */
  readonly name: string;
  readonly vm: Omit<View<R>, "scsiControllers">;
  readonly workload: Workload | undefined;
  /** Computed on first use. Facts that differ between possible layouts have the certainty `possible`. */
  readonly layout: () => TopologyResult;
}

/** The input of a cross-VM rule: all VMs of a machine whose settings in `reads` are known. */
interface HostFacts<R extends SettingName = never> {
  readonly host: HostModel;
  /** In file order. */
  readonly vms: readonly Neighbour<R>[];
  /** False if VMs are missing from the list, so that every sum is only a minimum. */
  readonly complete: boolean;
  /** The VMs share a cluster whose smallest host is `host`, and need not run together. */
  readonly isCluster?: boolean;
}

/** The input of a rule about hosts. */
interface HostItself {
  readonly host: HostModel;
  /** Counts the known VMs on it. */
  readonly vmCount: () => number;
}

/** One file's description of a VM that several files describe. */
export interface Description<R extends SettingName = never> {
  readonly name: string;
  readonly format: string;
  /** Returns the value of a setting, or the default of the format; `undefined` if it is unknown or has no default. */
  readonly valueOf: <K extends R>(setting: K) => Located<SettingTypes[K]> | undefined;
}

/** The input of a rule over descriptions: the descriptions of one VM in different files. */
interface DescribedFacts<R extends SettingName = never> {
  /** At least two, in file order. */
  readonly descriptions: readonly Description<R>[];
}

/** The input of a rule about imports: a VM of ESXi, and a definition that an importer makes of it for another platform. */
export interface ImportFacts<R extends SettingName = never> extends Required<Pick<Import, "importer" | "to" | "before" | "kept">> {
  readonly vm: View<R>;
  readonly made: Made;
  /** The shape on ESXi in the words of the target, if a definition keeps it. */
  readonly keep: string | undefined;
  /** The findings about the new definition that the VM does not have on ESXi. */
  readonly newFindings: () => readonly Diagnostic[];
}

/** A proposed change. Rules list better fixes first; the engine adds paired changes. */
export interface ProposedFix {
  readonly title: string;
  readonly safety: "safe" | "unsafe";
  readonly changes: readonly Change[];
}

/** The messages of a rule, as functions of their data. */
export type Messages = Readonly<Record<string, (data: never) => string>>;

/** The data of a message, optional if the message takes none. */
type MessageData<M extends (data: never) => string> =
  Parameters<M> extends [] ? { readonly data?: Readonly<Record<string, never>> } : { readonly data: Parameters<M>[0] };

type RuleFinding<M extends Messages> = {
  [K in keyof M & string]: MessageData<M[K]> & {
    readonly messageId: K;
    readonly at: Range;
    readonly related?: readonly { readonly message: string; readonly range: Range }[];
    readonly fixes?: readonly ProposedFix[];
  };
}[keyof M & string];

type FoundTogether<M extends Messages, On> = {
  [K in keyof M & string]: MessageData<M[K]> & {
    readonly messageId: K;
    /** The VM whose file has the finding, and the range in that file. */
    readonly on: On;
    readonly at: Range;
    readonly related?: readonly RelatedVm<On>[];
  };
}[keyof M & string];

type FoundOnHost<M extends Messages> = {
  [K in keyof M & string]: MessageData<M[K]> & { readonly messageId: K };
}[keyof M & string];

interface RelatedVm<On> {
  readonly on: On;
  readonly at: Range;
  readonly message: string;
}

/** Ends a check without an input that it needs; the engine counts a skipped check. */
export interface MissingInput {
  readonly skip: SkipReason;
  /** The fields that the host or the workload lacks. */
  readonly lacks?: readonly (keyof HostModel | WorkloadField)[];
}

interface Example {
  readonly title: string;
  /** The name of a built-in host, a short form, or a host model; no target host if missing. */
  readonly host?: string | HostModel;
  /** The names of the other hosts of its cluster. */
  readonly otherHosts?: readonly string[];
  readonly workload?: Workload;
  /** The import of a rule about imports. */
  readonly migrate?: { readonly to: MigrationTarget; readonly by: string };
  /** Several texts are VMs that share the host. */
  readonly vmx?: string | readonly string[];
  /** Replaces `vmx` for settings that only a spec, an inventory, an OVF descriptor or a log has. */
  readonly yaml?: string;
  readonly json?: string;
  readonly ovf?: string;
  readonly log?: string;
  readonly terraform?: string;
  readonly xml?: string;
  readonly conf?: string;
}

export interface RuleMeta {
  /** `family/bad-pattern`: reads well after "allow". */
  readonly id: string;
  /** The address of the page of a plugin rule. Built-in rules have a common base address. */
  readonly docsUrl?: string | undefined;
  /** `preview`: the condition or the messages may change in any release. Stable if missing. */
  readonly stability?: "preview" | "deprecated" | undefined;
  readonly severity: Severity;
  /** The severities of released versions, oldest first. Every change of severity adds an entry here and in the changelog. */
  readonly history?: readonly { readonly until: string; readonly severity: Severity; readonly messageId?: string }[] | undefined;
  /** Off unless a configuration sets its severity. */
  readonly optIn?: boolean | undefined;
  /** False: no suppression and no baseline hides its findings. */
  readonly ignorable?: false | undefined;
  /** Messages with another severity than the rule. */
  readonly severities?: Readonly<Record<string, Severity>> | undefined;
  /** The platforms whose VMs the rule is about; ESXi if missing. */
  readonly for?: "any" | readonly VmPlatform[] | undefined;
  /** The rule is also about VMs of Workstation and Fusion. */
  readonly onDesktop?: boolean | undefined;
  /** The workloads that the rule is about; it does not run if another workload is declared. */
  readonly about?: WorkloadKind | readonly WorkloadKind[] | undefined;
  /** Additional presets; severity and workload already imply some. */
  readonly presets?: readonly Preset[] | undefined;
}

/** The texts of a rule, apart from its code. A bundle of checks leaves them out. */
export interface RulePage<Id extends string = string> {
  readonly summary: string;
  readonly why: string;
  /** When to ignore the rule. */
  readonly whenNot: string;
  readonly evidence?: { readonly figure: string; readonly source: Source; readonly against?: string } | null;
  readonly sources: readonly Source[];
  readonly bad: readonly (Example & { readonly expect: Id })[];
  readonly good: readonly Example[];
}

/** An example of a built-in rule. `workload` is a text, as after `--workload`. */
export type BuiltinExample = Omit<Example, "workload"> & { readonly workload?: string };

/** The page of a built-in rule, whose examples do not repeat what all of them share. */
export interface BuiltinPage<Expected = { readonly expect?: string }> extends Omit<RulePage, "sources" | "bad" | "good"> {
  /** The source of the evidence is the first, unless the list has another order. */
  readonly sources?: readonly Source[];
  /** Facts of all examples; an example may state another value. `vmx`: the first lines of each .vmx text, which may set their keys itself. */
  readonly shared?: Pick<BuiltinExample, "host" | "otherHosts" | "workload" | "migrate"> & { readonly vmx?: string };
  readonly bad: readonly (BuiltinExample & Expected)[];
  readonly good: readonly BuiltinExample[];
}

/** The page of a rule, whose examples expect messages of the rule. */
export type PageOf<R> = R extends Rule<infer Id> ? BuiltinPage<ExpectedMessage<Id>> : never;

/** The message that an example expects; a rule with a single message needs none. */
type ExpectedMessage<Id, Each = Id> = Each extends Id ? ([Id] extends [Each] ? { readonly expect?: Id } : { readonly expect: Id }) : never;

/** Whether a rule does not apply to the platform of a VM. A VM without any sign of its platform is an ESXi VM. */
export const isForeignTo = (
  { for: platforms = ESXI, onDesktop }: Pick<Rule, "for" | "onDesktop">,
  { platform }: Pick<VmSpec, "platform">,
): boolean =>
  platforms !== "any" && !platforms.includes(platform === "unknown" ? "esxi" : platform) && !(platform === "desktop" && onDesktop);

const ESXI: readonly VmPlatform[] = ["esxi"];

/** Something a VM may have that makes a rule run. An unknown setting is present. */
type Trigger<R extends SettingName = SettingName> = R | "scsiControllers" | "configured" | "observed" | "measured" | "kvm";

/** The input of a rule: one VM, the VMs of one host, a host, the descriptions of one VM in several files, an import, or problems from a parser. */
type RuleScope = "vm" | "host" | "host-itself" | "descriptions" | "import" | "text";

interface DefinedRule<M extends Messages, N extends Need, R extends SettingName> extends RuleMeta {
  /** The release with the rule. A built-in rule of the first release states none. */
  readonly since?: string;
  /** The rule runs on VMs with at least one of these; on every VM if missing. */
  readonly on?: readonly Trigger<NoInfer<R>>[];
  readonly needs?: readonly N[];
  readonly reads?: readonly R[];
  readonly messages: M;
  /** The messages about a VM that does not start: a VM that runs has other values. */
  readonly refused?: readonly (keyof M & string)[];
  /** A rule whose finding on the same VM causes the findings of this one, and the words to add to it. */
  readonly consequence?: { readonly of: string; readonly messages: NoInfer<M> };
  /**
   * Finds nothing on an undivided VM with at most as many vCPUs as a NUMA node, or the host, has cores. Such a VM is checked without a
   * host. test/lint/without-host.test.ts tries each rule.
   */
  readonly onlyWiderThan?: "node" | "host";
  /** Rules about the same cause. Of their findings and this rule's on a VM, only the most severe remain; theirs, if equally severe. */
  readonly unless?: readonly string[];
  /**
   * Whether a VM with a trigger can have a finding; only then the engine counts a skipped check. `undefined` if an unknown setting decides.
   */
  applies?(
    settings: Pick<Settings, R>,
    vm: Pick<VmSpec, "scsiControllers" | "configured" | "defaults" | "platform" | "running">,
    workload: Workload | undefined,
  ): boolean | undefined;
}

/** The argument of `check` depends on `over`. */
type Check<M extends Messages, N extends Need, R extends SettingName> =
  | { readonly over?: "vm"; check(facts: Facts<N, R>): Iterable<RuleFinding<M> | MissingInput> }
  /** Called once for each host with at least two VMs. */
  | {
      readonly over: "host";
      /** Called for the VMs of each cluster, too. */
      readonly alsoInCluster?: true;
      check(facts: HostFacts<R>): Iterable<FoundTogether<M, Neighbour<R>> | MissingInput>;
    }
  /** Called once for each host that a VM runs on or an inventory lists. */
  | { readonly over: "host-itself"; check(facts: HostItself): Iterable<FoundOnHost<M>> }
  /** Called once for each VM with several descriptions. Unknown settings are missing. */
  | { readonly over: "descriptions"; check(facts: DescribedFacts<R>): Iterable<FoundTogether<M, Description<R>>> }
  /** Called for each definition that the importer in the configuration may make of a VM. */
  | { readonly over: "import"; check(facts: ImportFacts<R>): Iterable<RuleFinding<M>> }
  | { readonly over: "text"; readonly check?: undefined };

/** A plugin rule has its page in its definition. Each built-in rule exports its own, and `pages.ts` lists them. */
type OwnPage<M extends Messages> = RulePage<keyof M & string> | { readonly [K in keyof RulePage]?: undefined };

export type RuleDefinition<M extends Messages, N extends Need, R extends SettingName> = DefinedRule<M, N, R> &
  Check<M, N, R> &
  OwnPage<M> & { readonly since: string };

/** A finding with its message, but without its file. */
export interface Finding {
  readonly messageId: string;
  readonly severity: Severity;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Range;
  readonly related: readonly Related[];
  readonly fixes: readonly ProposedFix[];
}

/** A finding about a host, with its message, but without its place. */
export type HostFinding = Pick<Finding, "messageId" | "severity" | "message" | "data">;

/** A VM, or a description of one, in the input of a cross-VM rule. */
export type RuleSubject = Neighbour<SettingName> | Description<SettingName>;

/** A finding about several VMs or several descriptions, with its message, but without its files. */
export interface FindingTogether extends Pick<Finding, "messageId" | "severity" | "message" | "data" | "at"> {
  readonly on: RuleSubject;
  readonly related: readonly RelatedVm<RuleSubject>[];
}

/**
 * A rule as the engine sees it.
 *
 * @example
 * const ids = rules.map(({ id }: Rule) => id);
 */
export interface Rule<Id extends string = string> extends RuleMeta {
  readonly since: string;
  readonly needs: readonly Need[];
  readonly reads: readonly SettingName[];
  readonly messageIds: readonly Id[];
  readonly refused: readonly string[];
  /** The page of a plugin rule. */
  readonly page: RulePage | undefined;
  readonly over: RuleScope;
  readonly alsoInCluster: boolean;
  readonly on: readonly Trigger[] | undefined;
  /** The rule whose finding on the same VM causes the findings of this one. `word` returns the words to add to it. */
  readonly consequence: { readonly of: string; readonly word: Rule["word"] } | undefined;
  readonly unless: readonly string[];
  readonly onlyWiderThan: "node" | "host" | undefined;
  readonly applies: (vm: VmSpec, workload: Workload | undefined) => boolean | undefined;
  readonly check: (facts: Facts<Need, SettingName>) => readonly (Finding | MissingInput)[];
  readonly checkHost: (facts: HostFacts<SettingName>) => Iterable<FindingTogether | MissingInput>;
  readonly checkDescriptions: (facts: DescribedFacts<SettingName>) => Iterable<FindingTogether | MissingInput>;
  readonly checkHostItself: (facts: HostItself) => readonly HostFinding[];
  readonly checkImport: (facts: ImportFacts<SettingName>) => readonly Finding[];
  /** Returns the message for a problem from a parser. */
  readonly word: (problem: { readonly messageId: string; readonly data: Readonly<Record<string, unknown>> }) => string;
}

/** Returns a value in quotes, shortened to fit a sentence. */
export const quote = (value: string): string => `"${value.length > 60 ? `${value.slice(0, 57)}...` : value}"`;

/** Returns the vCPUs of a VM if the count is known. */
export const vcpusOf = ({ vcpus, defaults }: Pick<View<"vcpus">, "vcpus" | "defaults">): number => vcpus?.value ?? defaults.vcpus ?? 1;

/** Whether two vCPUs of a VM are known to be threads of one virtual core. */
export const hasVirtualThreads = (ifKnown: Facts["ifKnown"]): boolean => (ifKnown("threadsPerCore") ?? 1) > 1;

/** Returns cores per socket if the file alone decides them; `undefined` if ESXi chooses them or the value is unknown. */
export function coresPerSocketOf({
  coresPerSocket,
  hardwareVersion,
  defaults,
}: Pick<View<"coresPerSocket" | "hardwareVersion">, "coresPerSocket" | "hardwareVersion" | "defaults">): number | undefined {
  const stated = coresPerSocket?.value ?? defaults.coresPerSocket;
  if (stated !== undefined) return stated === "auto" ? undefined : stated;
  const version = hardwareVersion?.value ?? defaults.hardwareVersion;
  return version !== undefined && version < AUTO_TOPOLOGY_HARDWARE ? 1 : undefined;
}

/** Returns cores per socket as the guest sees them, or why they are unknown; `undefined` without a host. */
export function shownCoresPerSocket(
  vm: Parameters<typeof coresPerSocketOf>[0],
  topology: Topology | undefined,
): number | MissingInput | undefined {
  // Cores per socket that ESXi chooses follow the nodes, with the same certainty.
  if (topology && !isSure(topology.certainties.sockets)) return { skip: "layout-unknown" };
  return topology?.coresPerSocket ?? coresPerSocketOf(vm);
}

/** Whether the sockets of a VM are known: no source describes the default of Workstation and Fusion. */
export const statesSockets = ({ platform, coresPerSocket }: Pick<View<"coresPerSocket">, "platform" | "coresPerSocket">): boolean =>
  platform !== "desktop" || coresPerSocket !== undefined;

/** Returns a fix that gives a VM these settings, which changes how it runs. */
export const unsafeFix = (title: string, settings: SettingValues): ProposedFix => ({
  title,
  safety: "unsafe",
  // Each value has the type of its setting, but `Object.entries` loses it.
  changes: Object.entries(settings).map(([setting, value]) => ({ setting, value }) as Change),
});

/** Tests the value of a setting; an absent setting is `undefined`. Returns `undefined` if the setting is unknown. */
export function holds<T>(setting: Setting<T>, test: (value: T | undefined) => boolean): boolean | undefined {
  return setting.state === "unknown" ? undefined : test(valueIfKnown(setting));
}

/** Returns the result of a check, or throws if it has the wrong type, because plugins may be plain JavaScript. */
function listed<T>(findings: Iterable<T>): Iterable<T> {
  if (typeof findings?.[Symbol.iterator] === "function") return findings;
  throw new TypeError("its check returns no findings to iterate over: write *check() with yield, without async");
}

/** Whether a rule takes several VMs, several descriptions of one, or a host with its VMs. */
export const isCrossVm = ({ over }: Pick<Rule, "over">): boolean => over === "host" || over === "host-itself" || over === "descriptions";

/** Whether a rule can have a finding about a VM; `undefined` if an unknown setting decides. */
export function appliesTo(rule: Rule, vm: VmSpec, workload: Workload | undefined): boolean | undefined {
  return rule.on === undefined || hasTrigger(rule.on, vm) ? rule.applies(vm, workload) : false;
}

function hasTrigger(triggers: readonly Trigger[], vm: VmSpec): boolean {
  for (const trigger of triggers) if (hasPart(trigger, vm)) return true;
  return false;
}

function hasPart(trigger: Trigger, { settings, scsiControllers, configured, observed, measured, kvm }: VmSpec): boolean {
  switch (trigger) {
    case "scsiControllers":
      return scsiControllers.length > 0;
    case "configured":
      return configured !== undefined;
    case "observed":
      return observed !== undefined;
    case "measured":
      return measured !== undefined;
    case "kvm":
      return kvm !== undefined;
    default:
      return settings[trigger].state !== "absent";
  }
}

/** Throws PLUGIN_INVALID for a definition that no rule can be made of. */
function checkDefinition(definition: unknown): void {
  const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
  const refuse = (what: string): never => {
    throw new VmlintError("PLUGIN_INVALID", `defineRule: ${what}.`);
  };
  if (!isRecord(definition)) refuse(`a definition must be an object, not ${valueWords(definition)}`);
  const { id, messages, evidence, consequence, severities } = definition as Readonly<Record<string, unknown>>;
  const all = [messages, ...(isRecord(consequence) ? [consequence.messages] : [])];
  if (typeof id !== "string") refuse(`id must be a text, not ${valueWords(id)}`);
  if (!all.every((some) => isRecord(some) && Object.values(some).every((message) => typeof message === "function")))
    refuse(`rule ${valueWords(id)} needs messages, each of them a function`);
  if (evidence && !(isRecord(evidence) && isRecord(evidence.source)))
    refuse(`evidence of rule ${valueWords(id)} needs a figure and a source`);
  if (severities != null && !isRecord(severities)) refuse(`severities of rule ${valueWords(id)} must be an object`);
}

/**
 * Returns a rule whose findings are checked against its messages at compile time.
 *
 * @example
 * export const rules = [defineRule({ id: "acme/memory-heavy", reads: ["memoryMiB"], ...more })];
 */
export function defineRule<const M extends Messages, const N extends Need = never, const R extends SettingName = never>(
  definition: RuleDefinition<M, N, R>,
): Rule<keyof M & string> {
  checkDefinition(definition);
  const { applies, consequence, messages, severity, severities } = definition;
  const { summary, why, whenNot, evidence = null, sources, bad, good } = definition as Partial<RulePage>;
  // The compiler cannot derive the parameter type from `over` here.
  const check = definition.check as ((facts: unknown) => Iterable<never>) | undefined;
  const severityOf = (messageId: string): Severity => severities?.[messageId] ?? severity;
  const word = (messageId: string, data: unknown, all: Messages = messages): string => {
    const message = all[messageId];
    if (!message) throw new TypeError(`it has no message "${messageId}"`);
    // TypeScript cannot see that messageId and data belong to the same message.
    return (message as (data: unknown) => string)(data);
  };
  function* worded<On>(all: Iterable<FoundTogether<M, On> | MissingInput>): Iterable<FindingTogether | MissingInput> {
    for (const found of listed(all)) {
      if ("skip" in found) yield found;
      else {
        const { messageId, data = {}, on, at, related = [] } = found;
        const finding = { messageId, severity: severityOf(messageId), message: word(messageId, data), data, on, at, related };
        yield finding as unknown as FindingTogether; // The rule returns the same objects that it received.
      }
    }
  }
  const findings = (facts: unknown): readonly (Finding | MissingInput)[] => {
    const found: (Finding | MissingInput)[] = [];
    for (const finding of listed<RuleFinding<M> | MissingInput>(check?.(facts) ?? [])) {
      if ("skip" in finding) found.push(finding);
      else {
        const { messageId, data = {}, at, related = [], fixes = [] } = finding;
        const message = word(messageId, data);
        found.push({ messageId, severity: severityOf(messageId), message, data: data as Finding["data"], at, related, fixes });
      }
    }
    return found;
  };
  return {
    // A property list, because objects of one shape are faster to create and read than spread objects.
    id: definition.id,
    since: definition.since,
    docsUrl: definition.docsUrl,
    stability: definition.stability,
    severity,
    history: definition.history,
    optIn: definition.optIn,
    ignorable: definition.ignorable,
    severities,
    // Plugins in JavaScript may lack a part of it: the check of plugins names the part.
    page: summary === undefined ? undefined : ({ summary, why, whenNot, evidence, sources, bad, good } as RulePage),
    for: definition.for,
    onDesktop: definition.onDesktop,
    about: definition.about,
    presets: definition.presets,
    needs: definition.needs ?? [],
    reads: definition.reads ?? [],
    over: check ? (definition.over ?? "vm") : "text",
    alsoInCluster: definition.over === "host" && definition.alsoInCluster === true,
    on: definition.on,
    messageIds: Object.keys(messages),
    refused: definition.refused ?? [],
    consequence: consequence && { of: consequence.of, word: ({ messageId, data }) => word(messageId, data, consequence.messages) },
    unless: definition.unless ?? [],
    onlyWiderThan: definition.onlyWiderThan,
    applies: (vm, workload) => (applies ? applies(vm.settings, vm, workload) : true),
    check: findings,
    checkHost: (facts) => worded(check?.(facts) ?? []),
    checkDescriptions: (facts) => worded(check?.(facts) ?? []),
    checkHostItself: (facts) =>
      [...listed<FoundOnHost<M>>(check?.(facts) ?? [])].map(({ messageId, data = {} }) => {
        return { messageId, severity: severityOf(messageId), message: word(messageId, data), data: data as Finding["data"] };
      }),
    checkImport: (facts) => findings(facts).filter((one): one is Finding => !("skip" in one)),
    word: ({ messageId, data }) => word(messageId, data),
  } satisfies { readonly [K in keyof Required<Rule>]: Rule[K] };
}

const FIRST_RELEASE = "0.1.0";

/** Returns a built-in rule, whose file exports its page. */
export const builtinRule = <const M extends Messages, const N extends Need = never, const R extends SettingName = never>(
  definition: DefinedRule<M, N, R> & Check<M, N, R>,
): Rule<keyof M & string> => defineRule({ since: FIRST_RELEASE, ...definition } as RuleDefinition<M, N, R>);
