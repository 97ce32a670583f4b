import { isSure } from "../esxi/certainty.ts";
import type { Topology, TopologyResult } from "../esxi/derive.ts";
import type { Compared } from "../esxi/observed.ts";
import type { StoredSize } from "../esxi/stored-size.ts";
import { AUTO_TOPOLOGY_HARDWARE } from "../limits/hardware.ts";
import type { Evidence, Related, Severity, SkipReason } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import { type Located, type Range, type Setting, valueIfKnown } from "../model/source.ts";
import type { Source } from "../model/sources.ts";
import type { Change, ScsiController, SettingName, Settings, SettingTypes, SettingValues, VmSpec } from "../model/spec.ts";
import type { Workload, WorkloadKind } from "../model/workload.ts";
import type { Preset } from "./preset-names.ts";

/** What a rule cannot do without. The engine skips it, and counts it as skipped, where one is missing. */
export type Need = "host" | "topology" | "workload";

/** The part of a VM that a rule declared it reads. Absent settings are `undefined`; unknown ones never get here. */
export type View<R extends SettingName> = {
  readonly [K in R]: Located<SettingTypes[K]> | undefined;
} & {
  /** Where to point when the setting a rule wants is absent. */
  readonly range: Range;
  readonly defaults: VmSpec["defaults"];
  readonly scsiControllers: readonly ScsiController[];
  readonly devices: VmSpec["devices"];
  readonly configured: VmSpec["configured"];
};

export interface Facts<N extends Need = never, R extends SettingName = never> {
  readonly vm: View<R>;
  readonly host: "host" extends N ? HostModel : HostModel | undefined;
  readonly workload: "workload" extends N ? Workload : Workload | undefined;
  readonly topology: "topology" extends N ? Topology : Topology | undefined;
  /** A setting that the rule can do without: it is asked although this one may be unknown. */
  readonly ifKnown: <K extends SettingName>(name: K) => SettingTypes[K] | undefined;
  /** The topology the VM would have with other values; `undefined` when it would not start. */
  readonly whatIf: (override: SettingValues) => Topology | undefined;
  /** The other hosts of the VM's cluster, and its topology on each, with other values if given; `undefined` as in `whatIf`, or where nothing is known. */
  readonly elsewhere: (override?: SettingValues) => readonly { readonly host: HostModel; readonly topology: Topology | undefined }[];
  /** How the VM runs by what its server reports, against its topology; `undefined` where one of them is not known. */
  readonly observed: () => Compared | undefined;
  /** What an earlier power-on stored, against what the host would give the VM today; null where nothing stored counts. */
  readonly storedSize: () => StoredSize | null;
}

/** One of the VMs that run on one machine. */
export interface Neighbour<R extends SettingName = never> {
  /** Its name, or its file's where it has none. */
  readonly name: string;
  readonly vm: Omit<View<R>, "scsiControllers">;
  readonly workload: Workload | undefined;
  /** Computed when asked for. */
  readonly layout: () => TopologyResult;
}

/** What a rule about a whole machine sees: all VMs on it of which everything the rule reads is known. */
export interface HostFacts<R extends SettingName = never> {
  readonly host: HostModel;
  /** In the order of their files. */
  readonly vms: readonly Neighbour<R>[];
  /** False when VMs are missing from the list, so that every sum over it is a least one. */
  readonly complete: boolean;
}

/** What one file says of a VM that others describe, too. */
export interface Description<R extends SettingName = never> {
  readonly name: string;
  readonly format: string;
  /** A setting as it is written, or else the format's own default; `undefined` where it is unknown or neither. */
  readonly valueOf: <K extends R>(setting: K) => Located<SettingTypes[K]> | undefined;
}

/** What a rule about descriptions sees: those of one VM, in formats that describe it once. */
export interface DescribedFacts<R extends SettingName = never> {
  /** In the order of their files; two or more. */
  readonly descriptions: readonly Description<R>[];
}

/** What a VM could say instead. A rule lists the better ones first. What must go with a new count is added by the engine. */
export interface ProposedFix {
  readonly title: string;
  readonly safety: "safe" | "unsafe";
  readonly changes: readonly Change[];
}

/** Every rule's messages are functions of the data they print. */
export type Messages = Readonly<Record<string, (data: never) => string>>;

/** What a message prints, which may be nothing. */
type Printed<M extends (data: never) => string> =
  Parameters<M> extends [] ? { readonly data?: Readonly<Record<string, never>> } : { readonly data: Parameters<M>[0] };

type Found<M extends Messages> = {
  [K in keyof M & string]: Printed<M[K]> & {
    readonly messageId: K;
    readonly at: Range;
    readonly related?: readonly { readonly message: string; readonly range: Range }[];
    readonly fixes?: readonly ProposedFix[];
  };
}[keyof M & string];

type FoundTogether<M extends Messages, On> = {
  [K in keyof M & string]: Printed<M[K]> & {
    readonly messageId: K;
    /** The VM whose file carries the finding, and the place in it. */
    readonly on: On;
    readonly at: Range;
    readonly related?: readonly RelatedVm<On>[];
  };
}[keyof M & string];

interface RelatedVm<On> {
  readonly on: On;
  readonly at: Range;
  readonly message: string;
}

/** Ends a check that turned out to lack something: counted, never guessed. */
export interface Lacks {
  readonly skip: SkipReason;
}

interface Example {
  readonly title: string;
  /** Name of a built-in host, a short form, or a host that neither can say; none: no target host. */
  readonly host?: string | HostModel;
  /** Names of the other hosts of its cluster. */
  readonly elsewhere?: readonly string[];
  readonly workload?: Workload;
  /** Several: VMs that run on the host together. */
  readonly vmx?: string | readonly string[];
  /** In place of `vmx`, for what only a spec, an inventory or a descriptor can show. */
  readonly yaml?: string;
  readonly json?: string;
  readonly ovf?: string;
  readonly terraform?: string;
}

export interface RuleMeta {
  /** `family/bad-pattern`: reads well after "allow". */
  readonly id: string;
  readonly since: string;
  /** The address of a plugin rule's page. Built-in rules have theirs at one place. */
  readonly docsUrl?: string | undefined;
  /** `preview`: its condition or messages may still change in any release. Left out: stable. */
  readonly stability?: "preview" | "deprecated" | undefined;
  readonly severity: Severity;
  /** Severities it had in released versions, oldest first: every change of one is a line here and in the changelog. */
  readonly history?: readonly { readonly until: string; readonly severity: Severity; readonly messageId?: string }[] | undefined;
  /** Off unless a configuration gives it a severity. */
  readonly optIn?: boolean | undefined;
  /** Messages whose severity is not the rule's own. */
  readonly severities?: Readonly<Record<string, Severity>> | undefined;
  readonly summary: string;
  readonly why: string;
  /** When not to follow it. */
  readonly whenNot: string;
  readonly evidence: { readonly figure: string; readonly source: Source; readonly against?: string } | null;
  readonly sources: readonly Source[];
  /** The rule is about ESXi's behaviour, and is skipped for a VM of another platform. */
  readonly esxiOnly: boolean;
  /** The workload the rule speaks of, or several; it is silent where another is declared. */
  readonly about?: WorkloadKind | readonly WorkloadKind[] | undefined;
  /** Presets it is in beside those that follow from its severity and workload. */
  readonly presets?: readonly Preset[] | undefined;
  readonly good: readonly Example[];
}

/** Whether a rule is not for the platform of a VM. One without a sign of its platform counts as one of ESXi. */
export const isForeignTo = ({ esxiOnly }: Pick<Rule, "esxiOnly">, { platform }: Pick<VmSpec, "platform">): boolean =>
  esxiOnly && (platform === "desktop" || platform === "other");

/** Something a VM may have, whose presence makes a rule run. A setting that is unknown is present. */
export type Trigger<R extends SettingName = SettingName> = R | "scsiControllers" | "configured" | "observed";

/** What a rule looks at: one VM, the VMs of one host, the descriptions of one VM in several files, or problems that a parser found. */
export type Over = "vm" | "host" | "descriptions" | "text";

interface DefinedRule<M extends Messages, N extends Need, R extends SettingName> extends RuleMeta {
  /** The rule runs on VMs that have at least one of these; on every VM when left out. */
  readonly on?: readonly Trigger<NoInfer<R>>[];
  readonly needs?: readonly N[];
  readonly reads?: readonly R[];
  readonly messages: M;
  readonly bad: readonly (Example & { readonly expect: keyof M & string })[];
  /**
   * Whether a VM that has a trigger can have a finding: a skip is counted only if so. `undefined`: a setting that decides it is unknown.
   */
  applies?(
    settings: Pick<Settings, R>,
    vm: Pick<VmSpec, "scsiControllers" | "configured">,
    workload: Workload | undefined,
  ): boolean | undefined;
}

/** What `check` is given follows from `over`. */
type Check<M extends Messages, N extends Need, R extends SettingName> =
  | { readonly over?: "vm"; check(facts: Facts<N, R>): Iterable<Found<M> | Lacks> }
  /** Called once for each host with two VMs or more. */
  | { readonly over: "host"; check(facts: HostFacts<R>): Iterable<FoundTogether<M, Neighbour<R>> | Lacks> }
  /** Called once for each VM that several files describe. Unknown settings are left out. */
  | { readonly over: "descriptions"; check(facts: DescribedFacts<R>): Iterable<FoundTogether<M, Description<R>>> }
  | { readonly over: "text"; readonly check?: undefined };

export type RuleDefinition<M extends Messages, N extends Need, R extends SettingName> = DefinedRule<M, N, R> & Check<M, N, R>;

/** A finding of any rule, worded but not yet placed in a file. */
export interface Finding {
  readonly messageId: string;
  readonly severity: Severity;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Range;
  readonly related: readonly Related[];
  readonly fixes: readonly ProposedFix[];
}

/** A VM, or a description of one, as a rule over several was shown it. */
export type Shown = Neighbour<SettingName> | Description<SettingName>;

/** A finding about several VMs, or several descriptions of one, worded but not yet placed in their files. */
export interface FindingTogether extends Pick<Finding, "messageId" | "severity" | "message" | "data" | "at"> {
  readonly on: Shown;
  readonly related: readonly RelatedVm<Shown>[];
}

/** A rule as the engine sees it. */
export interface Rule extends RuleMeta {
  readonly needs: readonly Need[];
  readonly reads: readonly SettingName[];
  readonly messageIds: readonly string[];
  readonly bad: readonly (Example & { readonly expect: string })[];
  readonly over: Over;
  readonly on: readonly Trigger[] | undefined;
  readonly shownEvidence: Evidence | null;
  readonly applies: (vm: VmSpec, workload: Workload | undefined) => boolean | undefined;
  readonly check: (facts: Facts<Need, SettingName>) => readonly (Finding | Lacks)[];
  readonly checkHost: (facts: HostFacts<SettingName>) => Iterable<FindingTogether | Lacks>;
  readonly checkDescriptions: (facts: DescribedFacts<SettingName>) => Iterable<FindingTogether | Lacks>;
  /** Words a problem that a parser found. */
  readonly word: (problem: { readonly messageId: string; readonly data: Readonly<Record<string, unknown>> }) => string;
}

/** A value of the file in quotes, cut to what a sentence can carry. */
export const quote = (value: string): string => `"${value.length > 60 ? `${value.slice(0, 57)}...` : value}"`;

/** The vCPUs of a VM whose count is not unknown. */
export const vcpusOf = ({ vcpus, defaults }: Pick<View<"vcpus">, "vcpus" | "defaults">): number => vcpus?.value ?? defaults.vcpus ?? 1;

/** Whether two vCPUs of a VM are the threads of one virtual core, as far as that is known. */
export const hasVirtualThreads = (ifKnown: Facts["ifKnown"]): boolean => (ifKnown("threadsPerCore") ?? 1) > 1;

/** Cores per socket as far as the file alone decides them; `undefined` where ESXi chooses or the file does not say. */
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

/** Cores per socket as the guest sees them, or why they are not known; `undefined` where no host was asked for them. */
export function shownCoresPerSocket(
  vm: Parameters<typeof coresPerSocketOf>[0],
  topology: Topology | undefined,
): number | Lacks | undefined {
  // Those that ESXi chooses follow the nodes, and are as certain.
  if (topology && !isSure(topology.certainties.sockets)) return { skip: "layout-unknown" };
  return topology?.coresPerSocket ?? coresPerSocketOf(vm);
}

/** The changes that give a VM these settings. */
export const changesOf = (settings: SettingValues): readonly Change[] =>
  // Each value is of its setting's type, which is lost in the pairs.
  Object.entries(settings).map(([setting, value]) => ({ setting, value }) as Change);

/** Whether a test holds for a setting; absent is `undefined`, and an unknown one leaves it open. */
export function holds<T>(setting: Setting<T>, test: (value: T | undefined) => boolean): boolean | undefined {
  return setting.state === "unknown" ? undefined : test(valueIfKnown(setting));
}

/** What a check gives, as long as it is what its type says: a plugin may be written without types. */
function listed<T>(found: Iterable<T>): Iterable<T> {
  if (typeof found?.[Symbol.iterator] === "function") return found;
  throw new TypeError("its check gives no findings to go through: write *check() with yield, and without async");
}

/** Whether a rule looks at several VMs, or several descriptions of one, together. */
export const isCrossVm = ({ over }: Pick<Rule, "over">): boolean => over === "host" || over === "descriptions";

/** Whether a rule can have a finding about a VM; `undefined`: a setting that decides it is unknown. */
export function appliesTo(rule: Rule, vm: VmSpec, workload: Workload | undefined): boolean | undefined {
  return rule.on === undefined || hasTrigger(rule.on, vm) ? rule.applies(vm, workload) : false;
}

function hasTrigger(triggers: readonly Trigger[], { settings, scsiControllers, configured, observed }: VmSpec): boolean {
  for (const trigger of triggers) {
    if (
      trigger === "scsiControllers"
        ? scsiControllers.length > 0
        : trigger === "configured"
          ? configured
          : trigger === "observed"
            ? observed !== undefined
            : settings[trigger].state !== "absent"
    )
      return true;
  }
  return false;
}

/** Ties every finding to one of the rule's own messages at compile time, and words it. */
export function defineRule<const M extends Messages, const N extends Need = never, const R extends SettingName = never>(
  definition: RuleDefinition<M, N, R>,
): Rule {
  const { applies, messages, evidence, severity, severities } = definition;
  // Its parameter follows from `over`, which the compiler does not see any more.
  const check = definition.check as ((facts: unknown) => Iterable<never>) | undefined;
  const severityOf = (messageId: string): Severity => severities?.[messageId] ?? severity;
  if (!messages) throw new TypeError(`rule "${definition.id}" has no messages`);
  const word = (messageId: string, data: unknown): string => {
    const message = messages[messageId];
    if (!message) throw new TypeError(`it has no message "${messageId}"`);
    // TypeScript cannot see that messageId and data come from the same message.
    return (message as (data: unknown) => string)(data);
  };
  function* worded<On>(all: Iterable<FoundTogether<M, On> | Lacks>): Iterable<FindingTogether | Lacks> {
    for (const found of listed(all)) {
      if ("skip" in found) yield found;
      else {
        const { messageId, data = {}, on, at, related = [] } = found;
        const finding = { messageId, severity: severityOf(messageId), message: word(messageId, data), data, on, at, related };
        yield finding as unknown as FindingTogether; // What a rule was shown is handed back as it was handed in.
      }
    }
  }
  return {
    // Named one by one: all rules are then objects of one shape, which are made and read faster than what a spread makes.
    id: definition.id,
    since: definition.since,
    docsUrl: definition.docsUrl,
    stability: definition.stability,
    severity,
    history: definition.history,
    optIn: definition.optIn,
    severities,
    summary: definition.summary,
    why: definition.why,
    whenNot: definition.whenNot,
    evidence,
    sources: definition.sources,
    esxiOnly: definition.esxiOnly,
    about: definition.about,
    presets: definition.presets,
    bad: definition.bad,
    good: definition.good,
    needs: definition.needs ?? [],
    reads: definition.reads ?? [],
    over: check ? (definition.over ?? "vm") : "text",
    on: definition.on,
    messageIds: Object.keys(messages),
    shownEvidence: evidence && { figure: evidence.figure, source: evidence.source.title, against: evidence.against ?? null },
    applies: (vm, workload) => (applies ? applies(vm.settings, vm, workload) : true),
    check(facts) {
      const findings: (Finding | Lacks)[] = [];
      for (const found of listed<Found<M> | Lacks>(check?.(facts) ?? [])) {
        if ("skip" in found) findings.push(found);
        else {
          const { messageId, data = {}, at, related = [], fixes = [] } = found;
          findings.push({
            messageId,
            severity: severityOf(messageId),
            message: word(messageId, data),
            data: data as Finding["data"],
            at,
            related,
            fixes,
          });
        }
      }
      return findings;
    },
    checkHost: (facts) => worded(check?.(facts) ?? []),
    checkDescriptions: (facts) => worded(check?.(facts) ?? []),
    word: ({ messageId, data }) => word(messageId, data),
  } satisfies { readonly [K in keyof Required<Rule>]: Rule[K] };
}
