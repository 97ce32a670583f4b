import { guestLimit, usableByGuest } from "../../limits/guest-limits.ts";
import { MAX_VCPUS, MAX_VNUMA_NODES } from "../../limits/hardware.ts";
import { exclusiveCores, givesExclusiveCores } from "../../limits/latency.ts";
import { beyondSources } from "../../limits/releases.ts";
import { usableVcpus } from "../../limits/sql-server.ts";
import { atLeast, type EsxiVersion } from "../../model/esxi.ts";
import { checkHost, coresPerNode, type HostModel, threadsOf } from "../../model/host.ts";
import { once, onceFor } from "../../model/memoize.ts";
import { valueIfKnown } from "../../model/source.ts";
import {
  AFFINITY_DOC,
  CONFIG_OPTION_9,
  HARDWARE_DOC,
  LATENCY_55,
  NUMA_CONTROLS_DOC,
  type Source,
  VHT_DOC,
  VNUMA_ATTRIBUTES_60,
} from "../../model/sources.ts";
import type { SettingName, SettingValues, VmSpec } from "../../model/spec.ts";
import type { GuestView } from "../../model/topology.ts";
import { plural } from "../../model/words.ts";
import type { Workload } from "../../model/workload.ts";
import { Answers } from "./answers.ts";
import { type Certainties, certaintiesOf, weakest } from "./certainty.ts";
import { dividesIntoCores } from "./divide.ts";
import { esxi40, esxi41 } from "./esxi-4.ts";
import { esxi50 } from "./esxi-5.0.ts";
import { esxi65 } from "./esxi-6.5.ts";
import { esxi70 } from "./esxi-7.0.ts";
import { esxi80 } from "./esxi-8.0.ts";
import { DEFAULT_MIN_VCPUS, numaInput, type Read, reader } from "./input.ts";
import { onceForReads } from "./known-answers.ts";
import { type Behaviour, derived, documented, type Fact, type Layout, type NumaInput, type Reason, undecided } from "./layout.ts";
import { type Pinning, pinningOf } from "./pinning.ts";
import { powerOnErrors } from "./power-on.ts";
import { deriveSockets } from "./sockets.ts";

/** Newest first; the first behaviour that a host's release reaches applies. */
export const BEHAVIOURS: readonly Behaviour[] = [esxi80, esxi70, esxi65, esxi50, esxi41, esxi40];

/**
 * The view of the guest of a VM, and its placement, on one host.
 *
 * @example
 * const nodes = (topology: Topology) => topology.vnumaNodes.join("+"); // "10+10"
 */
export interface Topology extends GuestView {
  readonly esxi: EsxiVersion;
  /** vCPUs of each group that the scheduler keeps on one physical node. */
  readonly numaClients: readonly number[];
  /** The most vCPUs that ESXi puts on one physical node: its cores, or its threads under preferHT. */
  readonly nodeCapacity: number;
  /** False if an affinity or the release excludes the VM from NUMA scheduling; then its clients are not kept on nodes. */
  readonly numaManaged: boolean;
  /** The existing physical nodes of `numa.nodeAffinity`; null if the VM may run on any node. */
  readonly nodeAffinity: readonly number[] | null;
  readonly pinning: Pinning | null;
  readonly certainties: Certainties;
  readonly reasons: readonly Reason[];
}

/**
 * A topology, or why there is none.
 *
 * @example
 * if (result.ok) console.log(result.topology.sockets);
 */
export type TopologyResult =
  | { readonly ok: true; readonly topology: Topology }
  | {
      readonly ok: false;
      readonly because: "other-platform" | "unknown-value" | "no-esxi-version" | "no-power-on";
      readonly reasons: readonly Reason[];
    };

/** The settings that a topology depends on; with an unknown one, it is not computed. */
export const TOPOLOGY_SETTINGS = [
  "vcpus",
  "coresPerSocket",
  "coresPerNumaNode",
  "threadsPerCore",
  "hardwareVersion",
  "cpuHotAdd",
  "preferHt",
  "vnumaMinVcpus",
  "maxVcpusPerVnumaNode",
  "maxVcpusPerPhysicalNode",
  "maxVcpusPerClient",
  "followCoresPerSocket",
  "numaConsolidate",
  "numaAutosize",
  "numaAutosizeOnce",
  "storedNodeSize",
  "storedCookie",
  "exposeVnumaOnHotAdd",
  "numaFixedAutoAffinity",
] as const satisfies readonly SettingName[];

/** Further settings that decide where ESXi runs the vCPUs of a topology. An unknown one leaves only that open. */
export const PLACEMENT_SETTINGS = [
  "cpuAffinity",
  "memoryAffinity",
  "numaNodeAffinity",
  "latencySensitivity",
] as const satisfies readonly SettingName[];

const OTHER_PLATFORM = "this VM is for another hypervisor than ESXi, whose layout vmlint does not know";

/**
 * Computes the topology of a VM on a host. A pure function: an impossible VM gets a reason, an impossible host throws HOST_UNKNOWN.
 *
 * @example
 * const result = deriveTopology(vm, requireHost("2x20x2:768@8.0"));
 */
export function deriveTopology(vm: VmSpec, host: HostModel, workload?: Workload, override: SettingValues = {}): TopologyResult {
  const answer = certainAnswer(vm, host, workload, override);
  return answer.ok ? { ok: true, topology: answer.topology } : answer;
}

/** Computes the answer for a VM without unknown settings. */
export function certainAnswer(vm: VmSpec, host: HostModel, workload?: Workload, override: SettingValues = {}): Answer {
  checkHost(host);
  if (vm.platform === "other" || vm.platform === "kvm") return no("other-platform", undecided(OTHER_PLATFORM));
  if (!host.esxi) return no("no-esxi-version", undecided(`host ${host.name} does not state its ESXi version`));
  for (const name of TOPOLOGY_SETTINGS) {
    const setting = vm.settings[name];
    if (setting.state === "unknown" && !(name in override)) return no("unknown-value", undecided(`${name} is unknown: ${setting.reason}`));
  }
  return answerOf(vm, host, host.esxi, workload, reader(vm, override));
}

/** The likeliest topology of a VM, and all of them if no source decides. */
export type Answer =
  | Exclude<TopologyResult, { ok: true }>
  | { readonly ok: true; readonly topology: Topology; readonly all: () => Variants };

/** The topologies of a VM, one for each answer that sources support. */
export interface Variants {
  readonly list: readonly Variant[];
  /** False if there are more answers than were tried. */
  readonly isComplete: boolean;
}

/** A topology with its source; null if nothing is undecided. */
export interface Variant {
  readonly topology: Topology;
  readonly source: Source | null;
}

/** Computes the answer for a VM with the settings of `get`. */
export function answerOf(vm: VmSpec, host: HostModel, esxi: EsxiVersion, workload: Workload | undefined, get: Read): Answer {
  const given = { vm, host, esxi, workload, get };
  const { guestOs, cpuAffinity, memoryAffinity, numaNodeAffinity } = vm.settings;
  const isFree = [cpuAffinity, memoryAffinity, numaNodeAffinity].every(({ state }) => state === "absent");
  const key = `${esxi.major}.${esxi.minor}.${esxi.update} ${valueIfKnown(guestOs)} ${workload && textOf(workload)}`;
  const answer = isFree ? knownAnswers(host, key, get, (read) => answerWith({ ...given, get: read })) : answerWith(given);
  return answer.ok ? { ...answer, all: once(() => variantsOf(given, answer.topology)) } : answer;
}

/** Most VMs of an estate equal others. */
const knownAnswers = onceForReads<TopologyResult>();
const textOf = onceFor((workload: Workload) => JSON.stringify(workload));

/** The arguments of `answerOf`. */
interface Given {
  readonly vm: VmSpec;
  readonly host: HostModel;
  readonly esxi: EsxiVersion;
  readonly workload: Workload | undefined;
  readonly get: Read;
}

/** Computes the answer. `answers`: as if they were decided; the likeliest if missing, with the questions undecided. */
export function answerWith({ vm, host, esxi, workload, get }: Given, answers?: NumaInput["answers"]): TopologyResult {
  const behaviour = behaviourOf(esxi);
  const { input, reasons: defaults } = numaInput(get, host, esxi, behaviour.virtualTopology, answers);
  const { vcpus } = input;
  const beyond = beyondSources(esxi, get("hardwareVersion"));
  if (vcpus > MAX_VCPUS && !beyond)
    return no("no-power-on", documented(`no ESXi release runs ${vcpus} vCPUs; the most is ${MAX_VCPUS}`, HARDWARE_DOC));
  const errors = powerOnErrors(input);
  if (errors.length > 0) return no("no-power-on", ...errors);

  const limit = guestLimit(valueIfKnown(vm.settings.guestOs) ?? "");
  const layout = behaviour.layout(input);
  const { sockets, coresPerSocket, reasons: socketReasons } = deriveSockets(input, layout);
  const placement = placementOf(vm, input, layout);
  const open = [
    ...defaults,
    ...layout.reasons,
    ...shownBelow(input, layout.nodes),
    ...openCount(layout.nodes),
    ...openCores(input, layout),
    ...socketReasons,
    ...placement.reasons,
    ...(beyond ? [derived(beyond.text, beyond.source)] : []),
  ];
  const reasons = answers ? open.map(decided) : open;
  const certainties = certaintiesOf(reasons, input.coresPerSocket === "auto", beyond !== undefined);
  const topology = {
    esxi,
    vcpus,
    sockets,
    coresPerSocket,
    threadsPerCore: input.threadsPerCore,
    vnumaNodes: layout.nodes,
    numaClients: layout.clients,
    nodeCapacity: input.capacity,
    numaManaged: placement.managed,
    nodeAffinity: placement.nodes,
    pinning: placement.pinning,
    usableVcpus: usableBySql(workload, input, coresPerSocket),
    guestUsableVcpus: usableByGuest(limit, vcpus, coresPerSocket),
    certainty: weakest(Object.values(certainties)),
    certainties,
    reasons,
  };
  return { ok: true, topology };
}

/** Returns an answered question as a decided fact. */
const decided = (reason: Reason): Reason => (reason.candidates ? { ...reason, certainty: "derived" } : reason);

/** The most combinations of answers to try. */
const MOST_ANSWERS = 1024;

/** Returns the topologies of a VM with each combination of answers to its open questions, likeliest first; only its own if all is decided. */
function variantsOf(given: Given, likeliest: Topology): Variants {
  if (likeliest.reasons.every(({ candidates }) => !candidates)) return { list: [{ topology: likeliest, source: null }], isComplete: true };
  const variants = new Map<string, Variant>();
  let answers: Answers | undefined = new Answers();
  for (let tried = 0; answers && tried < MOST_ANSWERS; tried++) {
    const result = answerWith(given, answers);
    if (result.ok) {
      const { topology } = result;
      const key = JSON.stringify([topology.coresPerSocket, topology.vnumaNodes, topology.numaClients]);
      if (!variants.has(key)) variants.set(key, { topology, source: answers.deciding?.source ?? null });
    }
    answers = answers.next();
  }
  return { list: [...variants.values()], isComplete: answers === undefined };
}

/** No source shows how the limits of an edition count the threads of a virtual core. */
function usableBySql(workload: Workload | undefined, { vcpus, threadsPerCore }: NumaInput, coresPerSocket: number): number | null {
  const usable = usableVcpus(workload, vcpus, coresPerSocket) ?? null;
  return threadsPerCore > 1 && usable !== vcpus ? null : usable;
}

/** BEHAVIOURS ends with the oldest modelled release, which also serves for older hosts. */
const behaviourOf = (esxi: EsxiVersion): Behaviour => BEHAVIOURS.find(({ since }) => atLeast(esxi, since)) ?? esxi40;

/** Returns the settings for manual nodes of `size` vCPUs on a release, in addition to sockets of that size. */
export const manualNodeSize = (esxi: EsxiVersion, size: number, vcpus: number, hardwareVersion: number): SettingValues =>
  behaviourOf(esxi).manualSize(size, vcpus, hardwareVersion);

/** Whether cores per socket above 1 size the virtual nodes on a release. */
export const socketsSizeNodes = (esxi: EsxiVersion): boolean => behaviourOf(esxi).socketsSizeNodes;

const no = (
  because: "other-platform" | "unknown-value" | "no-esxi-version" | "no-power-on",
  ...reasons: Reason[]
): Extract<TopologyResult, { ok: false }> => ({
  ok: false,
  because,
  reasons,
});

/** Returns the reason why a VM sees its nodes although it is below the default minimum. */
const shownBelow = (input: NumaInput, nodes: readonly number[]): readonly Reason[] =>
  nodes.length > 1 && input.vcpus < DEFAULT_MIN_VCPUS && input.minVcpus <= input.vcpus
    ? [documented(`numa.vcpu.min = ${input.minVcpus} shows nodes to VMs of fewer than ${DEFAULT_MIN_VCPUS} vCPUs too`, VNUMA_ATTRIBUTES_60)]
    : [];

/** Returns the open question about more nodes than a VM may have. */
const openCount = ({ length }: readonly number[]): readonly Reason[] =>
  length > MAX_VNUMA_NODES
    ? [undecided(`a VM has at most ${MAX_VNUMA_NODES} virtual NUMA nodes: no source shows what ESXi does with ${length}`, CONFIG_OPTION_9)]
    : [];

/** Returns the open question about groups that contain part of a virtual core. */
function openCores({ threadsPerCore }: NumaInput, { nodes, clients }: Layout): readonly Reason[] {
  const misfit = [...nodes, ...clients].find((group) => !dividesIntoCores(group, threadsPerCore));
  if (misfit === undefined) return [];
  const text = `a group of ${plural(misfit, "vCPU")} cuts a virtual core of ${threadsPerCore} threads (cpuid.numSMT): no source shows what ESXi does with it`;
  return [undecided(text, VHT_DOC)];
}

/** Returns the open question about clients that use threads of a node although each vCPU needs its own core. */
function openLatency(
  settings: VmSpec["settings"],
  { host, esxi, capacity, threadsPerCore }: NumaInput,
  clients: readonly number[],
): readonly Reason[] {
  if (valueIfKnown(settings.latencySensitivity) !== "high" || !givesExclusiveCores(esxi)) return [];
  const fullClients = clients.filter((client) => client <= capacity);
  const largest = Math.max(...fullClients);
  const needed = exclusiveCores(largest, threadsPerCore);
  const text = `latency sensitivity High gives a client of ${largest} vCPUs ${needed} cores of its own, and a node has ${coresPerNode(host)}: no source shows how ESXi then places it`;
  return needed > coresPerNode(host) ? [undecided(text, LATENCY_55)] : [];
}

const ofPlacement = (reason: Reason): Reason => ({ ...reason, about: "placement" satisfies Fact });

/** Affinities, and whether the NUMA scheduler still places the VM. */
function placementOf({ settings }: VmSpec, input: NumaInput, { clients, managed: isScheduled = true }: Layout) {
  const { host, vcpus, nodeLimit } = input;
  const reasons: Reason[] = [];
  const affinity = valueIfKnown(settings.cpuAffinity);
  const pinning = affinity === undefined || affinity === "all" ? null : pinningOf(affinity, host);
  const memory = valueIfKnown(settings.memoryAffinity);
  const isFree = pinning === null && (memory === undefined || memory === "all");
  const managed = isScheduled && isFree;
  for (const name of ["cpuAffinity", "memoryAffinity"] as const) {
    const { state } = settings[name];
    if (state === "unknown")
      reasons.push(ofPlacement(undecided(`${name} is unknown, and an affinity takes the VM out of NUMA scheduling`, AFFINITY_DOC)));
  }
  if (!isFree)
    reasons.push(
      ofPlacement(
        documented("a CPU or memory affinity takes the VM out of NUMA scheduling: its vCPUs are not kept on one node", AFFINITY_DOC),
      ),
    );
  if (pinning?.pcpus === 0)
    reasons.push(ofPlacement(undecided("the host lacks all CPUs it is pinned to: no source shows how ESXi then runs it", AFFINITY_DOC)));
  if (managed && settings.numaNodeAffinity.state === "unknown")
    reasons.push(undecided("numaNodeAffinity is unknown, and a VM that is kept on too few nodes may get other clients", NUMA_CONTROLS_DOC));
  // A preference for the NUMA scheduler.
  const nodes = managed ? valueIfKnown(settings.numaNodeAffinity) : undefined;
  if (nodes !== undefined) {
    const nodeNames = (list: readonly number[]) => `${list.length === 1 ? "node" : "nodes"} ${list.join(", ")}`;
    const missing = nodes.filter((node) => node >= host.numaNodes);
    reasons.push(
      ofPlacement(
        missing.length > 0
          ? undecided(
              `numa.nodeAffinity names ${nodeNames(missing)}, which the host lacks: no source shows what ESXi does with it`,
              NUMA_CONTROLS_DOC,
            )
          : documented(`numa.nodeAffinity keeps the VM on ${nodeNames(nodes)}`, NUMA_CONTROLS_DOC),
      ),
    );
    const reach = nodes.length * nodeLimit;
    if (missing.length === 0 && vcpus > reach)
      reasons.push(
        undecided(
          `${nodes.length === 1 ? "that node holds" : "those nodes hold"} ${reach} of ${plural(vcpus, "vCPU")}: no source shows how ESXi then sizes the clients`,
          NUMA_CONTROLS_DOC,
        ),
      );
  }
  if (managed) reasons.push(...openLatency(settings, input, clients));
  if (vcpus > threadsOf(host))
    reasons.push(
      ofPlacement(
        undecided(`the host has ${plural(threadsOf(host), "logical CPU")}: a VM of ${vcpus} vCPUs is not expected to start on it`),
      ),
    );
  return { reasons, pinning, managed, nodes: nodes?.filter((node) => node < host.numaNodes) ?? null };
}
