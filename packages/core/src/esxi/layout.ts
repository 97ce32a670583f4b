import type { EsxiVersion } from "../model/esxi.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import { DENNEMAN_2017_HOTADD, type Source, VNUMA_ATTRIBUTES_60, VNUMA_DOC_50 } from "../model/sources.ts";
import type { SettingValues } from "../model/spec.ts";
import { plural } from "../model/words.ts";

/**
 * How far a fact can be trusted. `documented`: stated by documentation or seen in a published guest, log or
 * screenshot. `derived`: follows from those by a rule no source confirms for this very case. `possible`: no source decides
 * between the cases that are listed. `unknown`: no source decides it, and none lists the cases.
 *
 * @example
 * const isSure = (certainty: Certainty) => certainty === "documented";
 */
export type Certainty = "documented" | "derived" | "possible" | "unknown";

/** What a topology says of a VM: how its cores make sockets, its NUMA nodes, its NUMA clients, and where the host keeps those. */
export type Fact = "sockets" | "nodes" | "clients" | "placement";

export interface Reason {
  readonly text: string;
  readonly source: Source | null;
  readonly certainty: Exclude<Certainty, "possible">;
  /** The one fact that it decides; missing where it decides nodes and clients. */
  readonly about?: Fact;
  /** Where no source decides: what sources speak for, the likeliest first. */
  readonly candidates?: readonly Candidate[];
}

/** One of several answers, no source deciding between them: what differs from the likeliest, and what speaks for it. */
export interface Candidate {
  readonly nodes?: readonly number[];
  readonly clients?: readonly number[];
  readonly coresPerSocket?: number;
  readonly source: Source | null;
}

/** What ESXi sizes virtual NUMA by: the VM's settings with the defaults of its ESXi version already in. */
export interface NumaInput {
  readonly vcpus: number;
  readonly coresPerSocket: number | "auto";
  /** What those rest on. */
  readonly socketReasons: readonly Reason[];
  /** Whether the hardware version, which is not stated, decides between those that ESXi chooses and one core per socket. */
  readonly isByHardware: boolean;
  /** `cpuid.numSMT`, 1 where the release or the virtual hardware does not have it. */
  readonly threadsPerCore: number;
  /** Undefined when the file does not say. */
  readonly hardwareVersion: number | undefined;
  readonly host: HostModel;
  readonly esxi: EsxiVersion;
  /** Most vCPUs one client may hold: cores of a node, threads under preferHT, or a limit set by hand. */
  readonly capacity: number;
  /** Most vCPUs one node may hold; a client may be limited to fewer. */
  readonly nodeLimit: number;
  /** `numa.vcpu.min`. */
  readonly minVcpus: number;
  /** Node size set by hand, 0 when none: `numa.vcpu.maxPerVirtualNode`, `numa.vcpu.coresPerNode`. */
  readonly maxPerVnumaNode: number;
  readonly coresPerNumaNode: number;
  /** Node size that ESXi stored at an earlier power-on and still holds for. */
  readonly storedNodeSize: number | undefined;
  /** Cores per socket that it was stored for, where ESXi wrote them down. */
  readonly storedCoresPerSocket: number | undefined;
  /** `numa.autosize`. */
  readonly autosize: boolean;
  readonly cpuHotAdd: boolean;
  readonly exposeVnumaOnHotAdd: boolean;
  readonly followCoresPerSocket: boolean;
  readonly consolidate: boolean;
}

/** vCPUs of each virtual NUMA node the guest sees, and of each NUMA client the scheduler keeps on one node. */
export interface Layout {
  readonly nodes: readonly number[];
  readonly clients: readonly number[];
  /** False where the NUMA scheduler does not place the VM. */
  readonly managed?: boolean;
  readonly reasons: readonly Reason[];
}

/** One behaviour of the NUMA scheduler: from which release on it holds, and what it makes of a VM. */
export interface Behaviour {
  readonly since: EsxiVersion;
  /** Whether sockets can be chosen at power-on and nodes sized by `coresPerNumaNode`. */
  readonly virtualTopology: boolean;
  readonly layout: (input: NumaInput) => Layout;
  /** Whether cores per socket above 1 are taken as the size of the virtual nodes. */
  readonly socketsSizeNodes: boolean;
  /** What sets nodes of `size` vCPUs by hand, beside sockets of that size; nothing where the sockets alone do. */
  readonly manualSize: (size: number, vcpus: number, hardwareVersion: number) => SettingValues;
}

/** `size, size, ..., remainder`: groups are filled in order and never balanced. */
export function fill(vcpus: number, size: number): readonly number[] {
  const groups: number[] = [];
  for (let left = vcpus; left > 0; left -= size) groups.push(Math.min(size, left));
  return groups;
}

/** `count` groups of whole units, none more than one unit larger than another; the larger ones come first. */
export function balance(vcpus: number, count: number, unit = 1): readonly number[] {
  const units = vcpus / unit;
  const groups = Math.min(count, units);
  return Array.from({ length: groups }, (_, i) => unit * (Math.floor(units / groups) + (i < units % groups ? 1 : 0)));
}

/** As few equal groups as hold the vCPUs in at most `most` each; of a count that does not divide, the last is smaller. */
export const share = (vcpus: number, most: number): readonly number[] => fill(vcpus, Math.ceil(vcpus / Math.ceil(vcpus / most)));

/** Nodes of a given size, each on its own clients: a node larger than a physical one is backed by several. */
export function nodesOfSize(input: NumaInput, size: number): Layout {
  const { vcpus, capacity, host } = input;
  const nodes = fill(vcpus, size);
  const [node = vcpus] = nodes;
  const reasons = [...restOf(vcpus, size)];
  if (!isEven(share(node, capacity)))
    reasons.push(derived(`a node of ${node} on physical nodes of ${capacity} has clients of unequal size`));
  const clients = nodes.flatMap((one) => share(one, capacity));
  if (vcpus > 1 && clients.length < host.numaNodes && !input.consolidate)
    reasons.push({ ...undecided("no source shows numa.consolidate = FALSE with nodes of a given size"), about: "clients" });
  return { nodes, clients, reasons };
}

/** What nodes of a size that does not divide the vCPUs rest on. */
export const restOf = (vcpus: number, size: number): readonly Reason[] =>
  size < vcpus && vcpus % size !== 0 ? [derived(`${size} does not divide ${vcpus}: the last node takes the rest`)] : [];

/**
 * What is open of nodes that ESXi sizes: that they are no larger than a client that is limited by hand, of which its page does not speak;
 * and with `numa.autosize = TRUE` whether they are as large as a physical one, as that says, or the equal ones that were seen.
 */
export function openAutosize({ vcpus, autosize, host, capacity, nodeLimit }: NumaInput, nodes: readonly number[]): readonly Reason[] {
  const filled = fill(vcpus, coresPerNode(host));
  const ofClients =
    "numa.vcpu.maxPerClient limits the clients: that the nodes the guest sees are no larger follows from their being one each";
  const limited: Reason[] =
    nodes.length > 1 && capacity < nodeLimit ? [{ ...derived(ofClients, VNUMA_ATTRIBUTES_60), about: "nodes" }] : [];
  if (!autosize || joined(filled) === joined(nodes)) return limited;
  const candidates = [nodes, filled].map((groups) => ({ nodes: groups, clients: groups, source: VNUMA_ATTRIBUTES_60 }));
  const text = `numa.autosize is documented to make nodes as large as a physical one (${joined(filled)}): seen in no source`;
  return [...limited, between(text, VNUMA_ATTRIBUTES_60, candidates)];
}

export const isEven = (groups: readonly number[]): boolean => groups.every((group) => group === groups[0]);

/** Whether two results have the same nodes and clients, however their cores make sockets. */
export const isSameLayout = (a: NodesAndClients, b: NodesAndClients): boolean =>
  joined(a.vnumaNodes) === joined(b.vnumaNodes) && joined(a.numaClients) === joined(b.numaClients);

interface NodesAndClients {
  readonly vnumaNodes: readonly number[];
  readonly numaClients: readonly number[];
}

/** `8+8`, `10+10+4`; `1` for a single group. */
export const joined = (groups: readonly number[]): string => groups.join("+");

/** Why a VM sees one node, or lies on one. */
export const belowMinimum = (vcpus: number, minimum: number): string =>
  `${plural(vcpus, "vCPU")} ${vcpus === 1 ? "is" : "are"} fewer than numa.vcpu.min (${minimum}), so the guest sees one node`;
export const fitsOne = (vcpus: number, capacity: number): string =>
  `${plural(vcpus, "vCPU")} ${vcpus === 1 ? "fits" : "fit"} one node of ${capacity}`;

export const documented = (text: string, source: Source): Reason => ({ text, source, certainty: "documented" });
export const derived = (text: string, source: Source | null = null): Reason => ({ text, source, certainty: "derived" });
export const undecided = (text: string, source: Source | null = null): Reason => ({ text, source, certainty: "unknown" });

/** No source decides between several answers. One that no candidate differs from is as little decided, and lists none. */
export function between(text: string, source: Source | null, candidates: readonly Candidate[], about?: Fact): Reason {
  const keyOf = ({ nodes, clients, coresPerSocket }: Candidate): string => JSON.stringify([nodes, clients, coresPerSocket]);
  const distinct = [...new Map(candidates.toReversed().map((one) => [keyOf(one), one])).values()].toReversed();
  return { ...undecided(text, source), ...(about && { about }), ...(distinct.length > 1 && { candidates: distinct }) };
}

/** A reason about a VM's clients alone: the guest sees nothing of it. */
export const onlyClients = ({ candidates, ...reason }: Reason): Reason => ({
  ...reason,
  about: "clients",
  ...(candidates && { candidates: candidates.map(({ clients = [], source }) => ({ clients, source })) }),
});

/** Where the virtual hardware is older than virtual NUMA: why the guest sees one node. */
export const beforeVnuma = ({ hardwareVersion = FIRST_VNUMA }: Pick<NumaInput, "hardwareVersion">): Reason | undefined =>
  hardwareVersion < FIRST_VNUMA
    ? documented(`hardware version ${hardwareVersion} is older than ${FIRST_VNUMA}, the first with virtual NUMA`, VNUMA_DOC_50)
    : undefined;

/** Of ESXi 5.0. */
const FIRST_VNUMA = 8;

export const HOT_ADD = documented("CPU hot add is on, so the guest sees one node", DENNEMAN_2017_HOTADD);
