import type { EsxiVersion } from "../../model/esxi.ts";
import { coresPerNode, type HostModel } from "../../model/host.ts";
import { grouped } from "../../model/maps.ts";
import { sequence } from "../../model/sequence.ts";
import { DENNEMAN_2017_HOTADD, type Source, VNUMA_ATTRIBUTES_60, VNUMA_DOC_50 } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import type { Step } from "../../model/topology.ts";
import { plural } from "../../model/words.ts";

/** A fact of a topology: the sockets, the NUMA nodes, the NUMA clients, or their placement. */
export type Fact = "sockets" | "nodes" | "clients" | "placement";

export interface Reason extends Step {
  /** The one fact that it decides; if missing, it decides nodes and clients. */
  readonly about?: Fact;
  /** The answers that sources support, likeliest first, if no source decides. */
  readonly candidates?: readonly Candidate[];
}

/** One of several undecided answers: its differences to the likeliest one, with its source. */
export interface Candidate {
  readonly nodes?: readonly number[];
  readonly clients?: readonly number[];
  readonly coresPerSocket?: number;
  readonly source: Source | null;
}

/** The input of virtual NUMA: the VM's settings with the defaults of its ESXi version. */
export interface NumaInput {
  readonly vcpus: number;
  readonly coresPerSocket: number | "auto";
  /** The reasons for the sockets. */
  readonly socketReasons: readonly Reason[];
  /** Whether the unstated hardware version decides between automatic cores per socket and one. */
  readonly isByHardware: boolean;
  /** `cpuid.numSMT`; 1 if the release or the virtual hardware does not support it. */
  readonly threadsPerCore: number;
  /** Undefined if the file does not set it. */
  readonly hardwareVersion: number | undefined;
  readonly host: HostModel;
  readonly esxi: EsxiVersion;
  /** The most vCPUs of one client: cores of a node, threads under preferHT, or a manual limit. */
  readonly capacity: number;
  /** The most vCPUs of one node; a client may have a lower limit. */
  readonly nodeLimit: number;
  /** `numa.vcpu.min`. */
  readonly minVcpus: number;
  /** A manual node size, 0 for none: `numa.vcpu.maxPerVirtualNode`, `numa.vcpu.coresPerNode`. */
  readonly maxPerVnumaNode: number;
  readonly coresPerNumaNode: number;
  /** A valid node size that ESXi stored at an earlier power-on. */
  readonly storedNodeSize: number | undefined;
  /** The cores per socket at that time, if ESXi stored them. */
  readonly storedCoresPerSocket: number | undefined;
  /** `numa.autosize`. */
  readonly autosize: boolean;
  readonly cpuHotAdd: boolean;
  readonly exposeVnumaOnHotAdd: boolean;
  readonly fixedAutoAffinity: boolean;
  readonly followCoresPerSocket: boolean;
  readonly consolidate: boolean;
  /** Answers the questions that no source decides; an empty answer if a reason has no candidates. */
  readonly answers: { to(question: Reason): Candidate };
}

/** The vCPUs of each virtual NUMA node, and the vCPUs of each NUMA client, which the scheduler keeps on one node. */
export interface Layout {
  readonly nodes: readonly number[];
  readonly clients: readonly number[];
  /** False if the NUMA scheduler does not place the VM. */
  readonly managed?: boolean;
  readonly reasons: readonly Reason[];
}

/** A behaviour of the NUMA scheduler: its first release, and the layout that it makes. */
export interface Behaviour {
  readonly since: EsxiVersion;
  /** Whether sockets can be chosen at power-on and nodes sized by `coresPerNumaNode`. */
  readonly virtualTopology: boolean;
  readonly layout: (input: NumaInput) => Layout;
  /** Whether cores per socket above 1 size the virtual nodes. */
  readonly socketsSizeNodes: boolean;
  /** Returns the settings for manual nodes of `size` vCPUs, in addition to sockets of that size; empty if the sockets are enough. */
  readonly manualSize: (size: number, vcpus: number, hardwareVersion: number) => SettingValues;
}

/** `size, size, ..., remainder`: groups are filled in order and never balanced. */
export function fill(vcpus: number, size: number): readonly number[] {
  const groups: number[] = [];
  for (let rest = vcpus; rest > 0; rest -= size) groups.push(Math.min(size, rest));
  return groups;
}

/** Returns `count` groups of whole units that differ by at most one unit; larger ones come first. */
export function balance(vcpus: number, count: number, unit = 1): readonly number[] {
  const units = vcpus / unit;
  const groups = Math.min(count, units);
  return sequence(groups, (i) => unit * (Math.floor(units / groups) + (i < units % groups ? 1 : 0)));
}

/** Returns the fewest groups of at most `most` vCPUs, of equal size; if the count does not divide, the last one is smaller. */
export const share = (vcpus: number, max: number): readonly number[] => fill(vcpus, Math.ceil(vcpus / Math.ceil(vcpus / max)));

/** Returns nodes of a size with their clients: a node larger than a physical one has several. */
export function nodesOfSize(input: NumaInput, size: number): Layout {
  const { vcpus, capacity, host } = input;
  const nodes = fill(vcpus, size);
  const [node = vcpus] = nodes;
  const reasons = [...restOf(vcpus, size)];
  if (!isEven(share(node, capacity)))
    reasons.push(derived(`a node of ${node} on physical nodes of ${capacity} has clients of unequal size`));
  const clients = nodes.flatMap((node) => share(node, capacity));
  if (vcpus > 1 && clients.length < host.numaNodes && !input.consolidate)
    reasons.push({ ...undecided("no source shows numa.consolidate = FALSE with nodes of a set size"), about: "clients" });
  return { nodes, clients, reasons };
}

/** Returns the reason for uneven nodes if the size does not divide the vCPUs. */
export const restOf = (vcpus: number, size: number): readonly Reason[] =>
  vcpus % Math.min(size, vcpus) !== 0 ? [derived(`${size} does not divide ${vcpus}: the last node takes the rest`)] : [];

/** Returns a layout with the answer to an open question about it. */
export function answered({ answers }: NumaInput, layout: Layout, question: Reason | undefined): Layout {
  if (!question) return layout;
  const { nodes = layout.nodes, clients = layout.clients } = answers.to(question);
  return { ...layout, nodes, clients, reasons: [...layout.reasons, question] };
}

/**
 * Answers the open questions about automatic nodes: whether a manual client limit also limits the nodes, which its page does not mention;
 * and with `numa.autosize = TRUE`, whether they are as large as a physical node, as documented, or equal, as observed.
 */
export function withAutosize(input: NumaInput, layout: Layout): Layout {
  const { vcpus, autosize, host, capacity, nodeLimit } = input;
  const { nodes } = layout;
  const full = fill(vcpus, coresPerNode(host));
  const ofClients = "numa.vcpu.maxPerClient limits the clients; each client is one node of the guest, so these nodes are no larger";
  const limits: Reason[] = nodes.length > 1 && capacity < nodeLimit ? [{ ...derived(ofClients, VNUMA_ATTRIBUTES_60), about: "nodes" }] : [];
  const limited = { ...layout, reasons: [...layout.reasons, ...limits] };
  if (!autosize || groupText(full) === groupText(nodes)) return limited;
  const candidates = [nodes, full].map((groups) => ({ nodes: groups, clients: groups, source: VNUMA_ATTRIBUTES_60 }));
  const text = `numa.autosize is documented to make nodes as large as a physical one (${groupText(full)}): seen in no source`;
  return answered(input, limited, between(text, VNUMA_ATTRIBUTES_60, candidates));
}

export const isEven = (groups: readonly number[]): boolean => groups.every((group) => group === groups[0]);

/** Whether two results have the same nodes and clients, with any sockets. */
export const isSameLayout = (a: NodesAndClients, b: NodesAndClients): boolean =>
  groupText(a.vnumaNodes) === groupText(b.vnumaNodes) && groupText(a.numaClients) === groupText(b.numaClients);

interface NodesAndClients {
  readonly vnumaNodes: readonly number[];
  readonly numaClients: readonly number[];
}

/** `8+8`, `10+10+4`; `1` for a single group. */
export const groupText = (groups: readonly number[]): string => groups.join("+");

/** Returns why a VM sees one node, or runs on one. */
export const belowMinimum = (vcpus: number, minimum: number): string =>
  `${plural(vcpus, "vCPU")} ${vcpus === 1 ? "is" : "are"} fewer than numa.vcpu.min (${minimum}), so the guest sees one node`;
export const fitsOne = (vcpus: number, capacity: number): string =>
  `${plural(vcpus, "vCPU")} ${vcpus === 1 ? "fits" : "fit"} one node of ${capacity}`;

export const documented = (text: string, source: Source): Reason => ({ text, source, certainty: "documented" });
export const derived = (text: string, source: Source | null = null): Reason => ({ text, source, certainty: "derived" });
export const undecided = (text: string, source: Source | null = null): Reason => ({ text, source, certainty: "unknown" });

/** Returns a reason for several undecided answers; unknown if they do not differ. */
export function between(text: string, source: Source | null, candidates: readonly Candidate[], fact?: Fact): Reason {
  const keyOf = ({ nodes, clients, coresPerSocket }: Candidate): string => JSON.stringify([nodes, clients, coresPerSocket]);
  const distinct = [...grouped(candidates, keyOf).values()].flatMap(([first]) => first ?? []);
  return { ...undecided(text, source), ...(fact && { about: fact }), ...(distinct.length > 1 && { candidates: distinct }) };
}

/** Limits a reason to the clients: the guest sees no difference. */
export const onlyClients = ({ candidates, ...reason }: Reason): Reason => ({
  ...reason,
  about: "clients",
  ...(candidates && { candidates: candidates.map(({ clients = [], source }) => ({ clients, source })) }),
});

/** Why the guest sees one node: the virtual hardware is older than virtual NUMA. */
export const beforeVnuma = ({ hardwareVersion = FIRST_VNUMA }: Pick<NumaInput, "hardwareVersion">): Reason | undefined =>
  hardwareVersion < FIRST_VNUMA
    ? documented(`hardware version ${hardwareVersion} is older than ${FIRST_VNUMA}, the first with virtual NUMA`, VNUMA_DOC_50)
    : undefined;

/** Of ESXi 5.0. */
export const FIRST_VNUMA = 8;

export const HOT_ADD = documented("CPU hot add is on, so the guest sees one node", DENNEMAN_2017_HOTADD);
