import { manualNodeSize } from "../esxi/derive.ts";
import { DEFAULT_MIN_VCPUS } from "../esxi/input.ts";
import { mostFtVcpus } from "../limits/fault-tolerance.ts";
import { AUTO_TOPOLOGY_HARDWARE, MAX_VCPUS, safeCoresPerSocket } from "../limits/hardware.ts";
import { nodesForMemory } from "../limits/vm-memory.ts";
import { checkHost, coresOf, coresPerNode, type HostModel } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import type { SettingValues } from "../model/spec.ts";
import { isFaultTolerant } from "../model/workload.ts";
import { isCutForSqlServer } from "./candidate-flaws.ts";
import { FLAWS, type Flaw } from "./flaw.ts";
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
  /** The same count under preferHT, if that removes a flaw. */
  readonly preferHt: Shape | null;
  /** Best first. Each has its vCPU count, which may differ from the request. */
  readonly proposals: readonly Shape[];
  /** Every count with a candidate without flaws. */
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
  hosts.forEach(checkHost);
  const full = completed(request, hosts);
  const cores = Math.min(...hosts.map(coresOf));
  const [least, most] = request.range ?? [1, Math.max(cores, request.vcpus)];
  const counts = sequence(Math.max(cores, request.vcpus, most), (i) => i + 1);
  const best = counts.map((count) => bestShape(count, full, hosts));
  const at = (count: number): Shape => best[count - 1] as Shape;
  const requestedShape = at(request.vcpus);
  const preferHt = preferHtOf(requestedShape, full, hosts);
  const proposals = ranked(best.slice(least - 1, most), full).slice(0, PROPOSALS);
  return {
    request: full,
    hosts,
    requestedShape,
    preferHt,
    proposals,
    flawless: counts.filter((count) => at(count).flaws.length === 0),
    nodesForMemory: Math.max(...hosts.map((host) => nodesForMemory(full.memoryMiB, host))),
    steps: stepsOf(best, full, hosts),
    notes: notesOf(request, full, [requestedShape, ...(preferHt ? [preferHt] : []), ...proposals]),
  };
}

/** Returns the best candidate with exactly `vcpus`, and the rest of the request unchanged. */
export const bestShape = (vcpus: number, request: SizeRequest, hosts: readonly HostModel[], preferHt = false): Shape =>
  ranked(shapes(vcpus, completed(request, hosts), hosts, preferHt), request)[0] as Shape;

/** Returns all candidates with one vCPU count: every divisor as cores per socket, automatic sockets, manual nodes or not. */
function* shapes(vcpus: number, request: CompleteSizeRequest, hosts: readonly HostModel[], preferHt: boolean): Iterable<Shape> {
  const { hardwareVersion } = request;
  const common = { vcpus, hardwareVersion, ...(preferHt && { preferHt }) };
  const make = (settings: SettingValues): Shape => shapeOf({ ...common, ...settings }, request, hosts);
  const most = Math.min(...hosts.map((host) => host.numaNodes * (isCutForSqlServer(vcpus, request.workload, host) ? 2 : 1)));
  if (hardwareVersion >= AUTO_TOPOLOGY_HARDWARE) yield make({ coresPerSocket: "auto" });
  for (const coresPerSocket of divisors(vcpus, safeCoresPerSocket(hardwareVersion))) {
    yield make({ coresPerSocket });
    if (vcpus < DEFAULT_MIN_VCPUS) yield make({ coresPerSocket, vnumaMinVcpus: vcpus });
    for (let nodes = 2; nodes <= most; nodes++) {
      const node = vcpus / nodes;
      if (!Number.isInteger(node) || node % coresPerSocket !== 0) continue;
      const byHand = Object.assign({}, ...hosts.map(({ esxi }) => esxi && manualNodeSize(esxi, node, vcpus, hardwareVersion)));
      if (Object.keys(byHand).length > 0) yield make({ coresPerSocket, ...byHand });
    }
  }
}

const divisors = (count: number, most: number): number[] =>
  sequence(Math.min(count, most), (i) => i + 1).filter((divisor) => count % divisor === 0);

const groups = ({ placements }: Shape): number => Math.max(0, ...placements.map(({ topology }) => topology?.numaClients.length ?? 0));

/** Returns the number of vCPUs that the largest group exceeds its node by. */
const excessOf = ({ placements }: Shape): number =>
  Math.max(0, ...placements.flatMap(({ topology }) => topology?.numaClients.map((client) => client - topology.nodeCapacity) ?? []));

/** Smaller is better, the first difference decides. */
function rankOf(shape: Shape, { vcpus }: SizeRequest): readonly number[] {
  const { coresPerSocket, sockets, settings } = shape;
  return [
    ...FLAWS.map((kind) => gravity(shape, kind)),
    Math.abs(shape.vcpus - vcpus),
    excessOf(shape),
    groups(shape),
    Math.abs(sockets - groups(shape)),
    Object.keys(settings).length,
    coresPerSocket === "auto" ? 0 : 1,
    // At equal distance to the request, more vCPUs win.
    -shape.vcpus,
  ];
}

/** Returns 0 for a missing flaw; among licences with idle vCPUs, fewer idle ones are smaller. */
function gravity(shape: Shape, kind: Flaw["kind"]): number {
  if (!hasFlaw(shape, kind)) return 0;
  return kind === "licence" ? MAX_VCPUS - (shape.usableVcpus ?? 0) : 1;
}

/** Compares two candidates for a request: negative if the first is better. */
export function compareShapes(a: Shape, b: Shape, request: SizeRequest): number {
  const [left, right] = [rankOf(a, request), rankOf(b, request)];
  const i = left.findIndex((value, index) => value !== right[index]);
  return i < 0 ? 0 : (left[i] as number) - (right[i] as number);
}

const ranked = (all: Iterable<Shape>, request: SizeRequest): Shape[] => [...all].sort((a, b) => compareShapes(a, b, request));

/** Returns the requested count with nodes sized by threads, if that has fewer flaws or nodes. */
function preferHtOf(requestedShape: Shape, request: CompleteSizeRequest, hosts: readonly HostModel[]): Shape | null {
  if (hosts.some(({ threadsPerCore }) => threadsPerCore < 2)) return null;
  const other = bestShape(request.vcpus, request, hosts, true);
  const fewer = other.flaws.length === requestedShape.flaws.length && groups(other) < groups(requestedShape);
  const mended = FLAWS.find((kind) => hasFlaw(requestedShape, kind) !== hasFlaw(other, kind));
  return fewer || (mended !== undefined && hasFlaw(requestedShape, mended)) ? other : null;
}

const hasFlaw = ({ flaws }: Shape, kind: string): boolean => flaws.some((flaw) => flaw.kind === kind);

function stepsOf(best: readonly Shape[], request: SizeRequest, hosts: readonly HostModel[]): Step[] {
  const steps: Step[] = [];
  const node = Math.min(...hosts.map(coresPerNode));
  const cores = Math.min(...hosts.map(coresOf));
  for (let nodes = 1; nodes * node < cores; nodes++) steps.push({ above: nodes * node, text: `needs ${nodes + 1} NUMA nodes` });
  const capped = best.findIndex((shape) => hasFlaw(shape, "licence"));
  if (request.workload && capped > 0) steps.push({ above: capped, text: `${workloadName(request.workload)} uses no more` });
  if (isFaultTolerant(request.workload))
    steps.push({ above: Math.min(...hosts.map(({ esxi }) => mostFtVcpus(esxi))), text: "Fault Tolerance protects no more" });
  steps.push({ above: cores, text: "more vCPUs than cores" });
  return steps.sort((a, b) => a.above - b.above);
}
