import { clientsOf, compareLists, excessOf, preferencesOf, shapesOf, sortedBy } from "../advice/shapes.ts";
import { mostFtVcpus } from "../limits/fault-tolerance.ts";
import { MAX_VCPUS } from "../limits/hardware.ts";
import { nodesForMemory } from "../limits/vm-memory.ts";
import { coresOf, coresPerNode, type HostModel } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import { isFaultTolerant } from "../model/workload.ts";
import { type Note, notesOf } from "./notes.ts";
import { type CompleteSizeRequest, checkRequest, completed, type SizeRequest, workloadName } from "./request.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** A vCPU count at which the topology of a growing VM changes. */
export interface Step {
  /** The last count before the change. */
  readonly above: number;
  readonly text: string;
}

/** The answer to "which shape is best?". */
export interface Sizing {
  readonly request: CompleteSizeRequest;
  readonly hosts: readonly HostModel[];
  /** The best candidate with exactly the requested vCPUs. */
  readonly requestedShape: Shape;
  /** The same count under preferHT, if its flaws are milder or its nodes fewer. */
  readonly preferHt: Shape | null;
  /** Best first. Each has its vCPU count, which may differ from the request. None has a flaw if a candidate without one exists. */
  readonly proposals: readonly Shape[];
  /** Every count with a candidate whose nodes are known and that no rule reports. */
  readonly flawless: readonly number[];
  /** The fewest NUMA nodes that hold the memory, or all of a host; 1 without requested memory or without a host that states its own. */
  readonly nodesForMemory: number;
  readonly steps: readonly Step[];
  readonly notes: readonly Note[];
}

/** The most proposals. */
const PROPOSALS = 5;

/**
 * Returns the best candidates for a request on one host, or on all hosts of a cluster, by the worst host. Throws USAGE for an unusable
 * request, and HOST_UNKNOWN for an impossible host.
 */
export function size(request: SizeRequest, hosts: readonly HostModel[]): Sizing {
  checkRequest(request, hosts);
  const full = completed(request, hosts);
  const cores = Math.min(...hosts.map(coresOf));
  const [least, most] = request.range ?? [1, Math.max(cores, request.vcpus)];
  const counts = sequence(Math.max(cores, request.vcpus, most), (i) => i + 1);
  const candidates = counts.map((count) => candidatesOf(count, full, hosts));
  const requestedShape = bestOf(candidates[request.vcpus - 1] as readonly Shape[], full); // Every count up to it is there.
  const preferHt = preferHtOf(requestedShape, full, hosts);
  const proposals = proposalsOf(candidates.slice(least - 1, most), full);
  return {
    request: full,
    hosts,
    requestedShape,
    preferHt,
    proposals,
    flawless: flawlessOf(candidates).map(({ vcpus }) => vcpus),
    nodesForMemory: Math.max(...hosts.map((host) => nodesForMemory(full.memoryMiB, host))),
    steps: stepsOf(candidates, full, hosts),
    notes: notesOf(request, full, [requestedShape, ...(preferHt ? [preferHt] : []), ...proposals]),
  };
}

/** Returns the best candidate with exactly `vcpus`, and the rest of the request unchanged. */
export const bestShape = (vcpus: number, request: SizeRequest, hosts: readonly HostModel[], preferHt = false): Shape =>
  bestOf(candidatesOf(vcpus, request, hosts, preferHt), request);

/** Returns all candidates with one vCPU count, in the order of preference. */
function candidatesOf(vcpus: number, request: SizeRequest, hosts: readonly HostModel[], preferHt = false): readonly Shape[] {
  const full = completed(request, hosts);
  return sortedBy(shapes(vcpus, full, hosts, preferHt), (shape) => preferencesOf(shape, full.vcpus));
}

/** The first candidate without a flaw is the best one. Rules are slow, so they do not check further candidates. */
const bestOf = (candidates: readonly Shape[], request: SizeRequest): Shape =>
  candidates.find(isFlawless) ?? (ranked(candidates, request)[0] as Shape);

/** Returns the best shapes of some counts: those without a flaw, or all if there are none. */
function proposalsOf(candidates: readonly (readonly Shape[])[], request: SizeRequest): readonly Shape[] {
  const flawless = flawlessOf(candidates);
  const best = flawless.length > 0 ? flawless : candidates.map((shapes) => bestOf(shapes, request));
  return ranked(best, request).slice(0, PROPOSALS);
}

/** Returns the best candidate without a flaw of each count that has one. */
const flawlessOf = (candidates: readonly (readonly Shape[])[]): readonly Shape[] =>
  candidates.flatMap((shapes) => shapes.find(isFlawless) ?? []);

const isFlawless = (shape: Shape): boolean => shape.isFlawless;

/** Returns all candidates with one vCPU count. */
function* shapes(vcpus: number, request: CompleteSizeRequest, hosts: readonly HostModel[], preferHt: boolean): Iterable<Shape> {
  const { hardwareVersion } = request;
  const common = { vcpus, hardwareVersion, ...(preferHt && { preferHt }) };
  for (const settings of shapesOf(vcpus, { ...request, preferHt }, hosts)) yield shapeOf({ ...common, ...settings }, request, hosts);
}

/** Whether the licence leaves vCPUs idle. */
const isCapped = ({ vcpus, usableVcpus }: Shape): boolean => usableVcpus !== null && usableVcpus < vcpus;

/** Of shapes with idle vCPUs, the one with the most usable ones is best. */
const idleOf = (shape: Shape): number => (isCapped(shape) ? MAX_VCPUS - (shape.usableVcpus ?? 0) : 0);

/** Compares two candidates for a request: negative if the first is better. */
export const compareShapes = (a: Shape, b: Shape, request: SizeRequest): number => compareLists(rankOf(a, request), rankOf(b, request));

/** Rules cannot check a layout that no source decides, so a decided one with a warning is better. */
function rankOf(shape: Shape, request: SizeRequest): readonly number[] {
  const [errors = 0, ...milder] = shape.severities;
  return [startsNot(shape), errors, idleOf(shape), shape.isDecided ? 0 : 1, ...milder, ...preferencesOf(shape, request.vcpus)];
}

const startsNot = ({ placements }: Shape): number => placements.filter(({ topology }) => topology === null).length;

const ranked = (all: Iterable<Shape>, request: SizeRequest): Shape[] => sortedBy(all, (shape) => rankOf(shape, request));

/** Returns the requested count with nodes sized by threads, if that has milder flaws or fewer nodes. */
function preferHtOf(requestedShape: Shape, request: CompleteSizeRequest, hosts: readonly HostModel[]): Shape | null {
  if (hosts.some(({ threadsPerCore }) => threadsPerCore < 2)) return null;
  const other = bestShape(request.vcpus, request, hosts, true);
  const rank = (shape: Shape): readonly number[] => [startsNot(shape), ...shape.severities, excessOf(shape) > 0 ? 1 : 0, clientsOf(shape)];
  return startsNot(other) === 0 && compareLists(rank(other), rank(requestedShape)) < 0 ? other : null;
}

function stepsOf(candidates: readonly (readonly Shape[])[], request: SizeRequest, hosts: readonly HostModel[]): Step[] {
  const steps: Step[] = [];
  const node = Math.min(...hosts.map(coresPerNode));
  const cores = Math.min(...hosts.map(coresOf));
  for (let nodes = 1; nodes * node < cores; nodes++) steps.push({ above: nodes * node, text: `needs ${nodes + 1} NUMA nodes` });
  const capped = candidates.findIndex((shapes) => shapes.every(isCapped));
  if (request.workload && capped > 0) steps.push({ above: capped, text: `${workloadName(request.workload)} uses no more` });
  if (isFaultTolerant(request.workload))
    steps.push({ above: Math.min(...hosts.map(({ esxi }) => mostFtVcpus(esxi))), text: "Fault Tolerance protects no more" });
  steps.push({ above: cores, text: "more vCPUs than cores" });
  return steps.sort((a, b) => a.above - b.above);
}
