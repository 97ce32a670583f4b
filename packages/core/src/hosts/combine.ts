import { coresPerNode, type HostModel, invalidHost, type KvmHost, threadsOf } from "../model/host.ts";
import { plural } from "../model/words.ts";
import { findCpu } from "./cpu.ts";
import type { Assumption, DumpFacts, Fail } from "./facts.ts";
import { nodesPerSocket } from "./host-from-cpu.ts";

/** Facts about a host from its owner. */
export type StatedHost = Partial<Omit<HostModel, "name" | "source" | "pcpusOfNode" | "linuxCpus" | "unevenMemory" | "assumed">>;

export interface ImportRequest {
  /** The name of the host. */
  readonly name: string;
  /** The name of the dump in error messages. */
  readonly file: string;
  /** The owner's facts, which override the dump. */
  readonly stated?: StatedHost | undefined;
  /** Whether it is an export of many hosts. People export these again. */
  readonly isExport?: true;
}

/** A host read from a dump, with the sources of its facts. */
export interface ImportedHost {
  readonly host: HostModel;
  /** The name of the dump in messages; missing without a dump. */
  readonly file?: string;
  /** The formats found in the dump: "esxcli hardware cpu global get". */
  readonly formats: readonly string[];
  /** The source of each field: one of the formats, "stated" or "assumed". */
  readonly origins: Readonly<Partial<Record<keyof StatedHost, string>>>;
  /** Facts of the dump that a host model does not contain. */
  readonly notes: readonly string[];
  /** Facts that some checks need and that are missing. */
  readonly missing: readonly ("esxi" | "memoryGiB" | "mhz")[];
}

/** The facts of one format, found in a file that may hold several. */
export interface DumpPart {
  readonly title: string;
  readonly facts: DumpFacts;
}

/** Builds a host from dumps and stated facts. */
export function combine(parts: readonly DumpPart[], { name, file, stated = {}, isExport }: ImportRequest, fail: Fail): ImportedHost {
  agree(parts, fail);
  const facts: DumpFacts = Object.assign({}, ...parts.map((part) => part.facts).reverse());
  const { counts, assumed: assumedNodes } = countsOf(facts, stated, isExport, parts, fail);
  const assumed = [
    ...assumedNodes,
    ...parts.flatMap((part) =>
      (part.facts.assumed ?? []).filter((assumption) => !isKnown(assumption, part, parts, stated)).map(({ text }) => text),
    ),
  ];
  const host: HostModel = {
    name,
    ...(facts.memoryBytes !== undefined && { memoryGiB: gib(facts.memoryBytes) }),
    ...(facts.nvmeTierBytes !== undefined && { nvmeTierGiB: gib(facts.nvmeTierBytes) }),
    ...(facts.unevenMemory && stated.numaNodes !== 1 && { unevenMemory: true }),
    ...(facts.hz !== undefined && { mhz: Math.round(facts.hz / 1e6) }),
    ...(facts.cpu !== undefined && { cpu: facts.cpu }),
    ...(facts.esxi !== undefined && { esxi: facts.esxi }),
    ...(facts.coresPerL3 !== undefined && { coresPerL3: facts.coresPerL3 }),
    ...(facts.powerPolicy !== undefined && { powerPolicy: facts.powerPolicy }),
    ...stated,
    ...((facts.runs ?? stated.runs) && { runs: Object.assign({}, ...parts.map((part) => part.facts.runs), stated.runs) }),
    ...((facts.kvm ?? stated.kvm) && { kvm: kvmOf([...parts.flatMap((part) => part.facts.kvm ?? []), stated.kvm ?? {}]) }),
    ...counts,
    ...(facts.hyperthreadingOff && counts.threadsPerCore === 1 && { hyperthreadingOff: true }),
    ...numbering(counts, facts),
    ...(facts.linuxCpus?.length === counts.sockets * counts.coresPerSocket * counts.threadsPerCore && { linuxCpus: facts.linuxCpus }),
    ...(assumed.length > 0 && { assumed }),
  };
  const wrong = invalidHost(host);
  if (wrong) return fail(`Such a host cannot exist: ${wrong}. Take the dump again, or state the host by hand.`);
  return {
    host,
    file,
    formats: parts.flatMap(({ title }) => title || []),
    origins: originsOf(parts, stated),
    notes: [...new Set(parts.flatMap((part) => part.facts.notes ?? []))],
    missing: (["esxi", "memoryGiB", "mhz"] as const).filter((field) => host[field] === undefined && !(field === "esxi" && host.runs)),
  };
}

/** The configuration of a kubelet has more facts than the label of its node. */
function kvmOf(all: readonly KvmHost[]): KvmHost {
  const kubernetes = all.flatMap((one) => one.kubernetes ?? []);
  return Object.assign({}, ...all, ...(kubernetes.length > 0 ? [{ kubernetes: Object.assign({}, ...kubernetes) }] : []));
}

const gib = (bytes: number): number => Math.round((bytes / 2 ** 30) * 100) / 100;

/** The counts that must be equal in all parts of a file. */
const COUNTED = { packages: "package", cores: "core", threads: "logical CPU", nodes: "NUMA node" } as const;

function agree(parts: readonly DumpPart[], fail: Fail): void {
  for (const field of ["packages", "cores", "threads", "nodes"] as const) {
    const [first, ...others] = parts.flatMap(({ title, facts }) => (facts[field] === undefined ? [] : [{ title, count: facts[field] }]));
    const other = others.find(({ count }) => count !== first?.count);
    if (!first || !other) continue;
    const [a, b] = [first, other].map(({ title, count }) => `${title} has ${plural(count, COUNTED[field])}`);
    fail(`${a}, ${b}: one is truncated, or they are from two machines. Take them again.`);
  }
}

type Counts = Pick<HostModel, "sockets" | "coresPerSocket" | "threadsPerCore" | "numaNodes">;

interface HostCounts {
  readonly counts: Counts;
  /** The assumptions behind the number of NUMA nodes. */
  readonly assumed: readonly string[];
}

function countsOf(facts: DumpFacts, stated: StatedHost, isExport: true | undefined, parts: readonly DumpPart[], fail: Fail): HostCounts {
  const per = (total: number | undefined, groups: number | undefined) =>
    total === undefined || groups === undefined ? undefined : total / groups;
  const cores = facts.cores ?? per(facts.threads, stated.threadsPerCore);
  const sockets = stated.sockets ?? facts.packages;
  const coresPerSocket = stated.coresPerSocket ?? per(cores, facts.packages ?? sockets);
  const threadsPerCore = stated.threadsPerCore ?? per(facts.threads, facts.cores);
  if (sockets !== undefined && coresPerSocket !== undefined && threadsPerCore !== undefined) {
    const counts = { sockets, coresPerSocket, threadsPerCore };
    const numaNodes = stated.numaNodes ?? facts.nodes;
    if (numaNodes !== undefined) return { counts: { ...counts, numaNodes }, assumed: [] };
    const { nodes, words } = defaultNodesPerSocket(stated.cpu ?? facts.cpu, coresPerSocket);
    return { counts: { ...counts, numaNodes: sockets * nodes }, assumed: [`${words}: the dump does not contain the number`] };
  }
  const absent = Object.entries({ sockets, coresPerSocket, threadsPerCore }).flatMap(([field, value]) =>
    value === undefined ? field : [],
  );
  const titles = parts.flatMap(({ title }) => title || []).join(" and ");
  const remedy = isExport
    ? "export it"
    : `append the output of "esxcli hardware cpu global get" to the file, or state ${absent.map((field) => `${field}:`).join(" and ")} next to from: in vmlint.yaml`;
  return fail(`${titles} does not say ${absent.join(" or ")}: ${remedy}.`);
}

/** Returns the default number of NUMA nodes per socket, from the catalogue if it has the processor, otherwise one. */
function defaultNodesPerSocket(cpu: string | undefined, coresPerSocket: number): { readonly nodes: number; readonly words: string } {
  const match = findCpu(cpu ?? "");
  const listed = "cpu" in match ? match.cpu : undefined;
  const nodes = listed && nodesPerSocket(listed, coresPerSocket);
  if (!listed || typeof nodes !== "number" || nodes === 1) return { nodes: 1, words: "1 NUMA node per socket" };
  const doubt = listed.doubt === undefined ? "" : ` (${listed.doubt})`;
  return { nodes, words: `${nodes} NUMA nodes per socket, as ${listed.name} shows unless it is set otherwise${doubt}` };
}

const STATED_AS = { threads: "threadsPerCore", nodes: "numaNodes", esxi: "esxi" } as const;

/** Whether an assumption is unnecessary, because the owner or another part of the file states the field. */
function isKnown({ about }: Assumption, by: DumpPart, parts: readonly DumpPart[], stated: StatedHost): boolean {
  if (about === undefined) return false;
  const fact = about === "total" ? "threads" : about;
  const others = parts.filter((part) => part !== by && part.facts[fact] !== undefined);
  if (others.some(({ facts }) => !facts.assumed?.some((assumption) => assumption.about === about))) return true;
  return about === "total" ? stated.sockets !== undefined && stated.coresPerSocket !== undefined : stated[STATED_AS[about]] !== undefined;
}

/** Returns the host's own CPU numbers if they differ from the default order for pinning. */
function numbering(counts: Counts, { pcpusOfNode, threads, nodes }: DumpFacts): Pick<HostModel, "pcpusOfNode"> {
  const host = { name: "", ...counts };
  // Other counts than in the dump describe another machine than the numbered one.
  if (!pcpusOfNode || threads !== threadsOf(host) || nodes !== host.numaNodes) return {};
  const share = coresPerNode(host) * host.threadsPerCore;
  const byRule = pcpusOfNode.every((pcpus, node) => pcpus.every((pcpu) => Math.floor(pcpu / share) === node));
  return byRule ? {} : { pcpusOfNode };
}

/** The fact behind each field. */
const MADE_OF = {
  sockets: "packages",
  coresPerSocket: "cores",
  threadsPerCore: "threads",
  numaNodes: "nodes",
  memoryGiB: "memoryBytes",
  nvmeTierGiB: "nvmeTierBytes",
  mhz: "hz",
  cpu: "cpu",
  coresPerL3: "coresPerL3",
  esxi: "esxi",
} as const satisfies Partial<Record<keyof StatedHost, keyof DumpFacts>>;

function originsOf(parts: readonly DumpPart[], stated: StatedHost): ImportedHost["origins"] {
  const fields = Object.keys(MADE_OF) as (keyof typeof MADE_OF)[];
  const origins = fields.map((field) => {
    const read = parts.find(({ facts }) => facts[MADE_OF[field]] !== undefined)?.title;
    return [field, stated[field] !== undefined ? "stated" : (read ?? (field === "numaNodes" ? "assumed" : undefined))] as const;
  });
  return Object.fromEntries(origins.filter(([, origin]) => origin !== undefined));
}
