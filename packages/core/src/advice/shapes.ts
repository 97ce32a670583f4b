import { AUTO_TOPOLOGY_HARDWARE, safeCoresPerSocket } from "../limits/hardware.ts";
import { nodeTrouble } from "../limits/sql-server.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import type { SettingValues } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import { manualNodeSize, type Topology } from "../platforms/esxi/derive.ts";
import { DEFAULT_MIN_VCPUS } from "../platforms/esxi/input.ts";

/** The facts that decide which shapes a VM may have. */
export interface ShapeRequest {
  readonly hardwareVersion?: number | undefined;
  readonly workload?: Workload | undefined;
  readonly preferHt?: boolean;
}

/** Returns all shapes with one vCPU count: every divisor as cores per socket, automatic sockets, manual nodes or not. */
export function* shapesOf(
  vcpus: number,
  { hardwareVersion, workload, preferHt = false }: ShapeRequest,
  hosts: readonly HostModel[],
): Iterable<SettingValues> {
  /** Nodes that each fit one of the host; for SQL Server perhaps two in one. */
  const fits =
    (nodes: number) =>
    (host: HostModel): boolean =>
      vcpus / nodes <= coresPerNode(host) * (preferHt ? host.threadsPerCore : 1) &&
      (nodes <= host.numaNodes || (nodes === 2 * host.numaNodes && isCutForSqlServer(vcpus, workload, host)));
  const most = 2 * Math.min(...hosts.map(({ numaNodes }) => numaNodes));
  if (hardwareVersion !== undefined && hardwareVersion >= AUTO_TOPOLOGY_HARDWARE) yield { coresPerSocket: "auto" };
  for (const coresPerSocket of divisors(vcpus, safeCoresPerSocket(hardwareVersion))) {
    yield { coresPerSocket };
    if (vcpus < DEFAULT_MIN_VCPUS) yield { coresPerSocket, vnumaMinVcpus: vcpus };
    // Rules accept nodes set by hand as they are. An odd number of vCPUs in each is never proposed (RIGHTSIZING_2017).
    if (vcpus % 2 === 1) continue;
    for (let nodes = 2; nodes <= most; nodes++) {
      const node = vcpus / nodes;
      if (!Number.isInteger(node) || node % coresPerSocket !== 0 || !hosts.every(fits(nodes))) continue;
      const byHand = Object.assign({}, ...hosts.map(({ esxi }) => esxi && manualNodeSize(esxi, node, vcpus, hardwareVersion ?? 0)));
      if (Object.keys(byHand).length > 0) yield { coresPerSocket, ...byHand };
    }
  }
}

const divisors = (count: number, most: number): number[] =>
  sequence(Math.min(count, most), (i) => i + 1).filter((divisor) => count % divisor === 0);

/** Whether one node per physical node would exceed the size that SQL Server supports. */
const isCutForSqlServer = (vcpus: number, workload: Workload | undefined, { numaNodes }: HostModel): boolean =>
  nodeTrouble(workload, Math.ceil(vcpus / numaNodes)) !== undefined;

/** A shape with its topology on each host that starts it. */
export interface PlacedShape {
  readonly vcpus: number;
  readonly sockets: number;
  readonly settings: SettingValues;
  readonly topologies: readonly Topology[];
}

/** The order of shapes that the rules report alike, for a VM of `vcpus`. Smaller is better, the first difference decides. */
export function preferencesOf(shape: PlacedShape, vcpus: number): readonly number[] {
  const clients = clientsOf(shape);
  return [
    excessOf(shape) > 0 ? 1 : 0,
    Math.abs(shape.vcpus - vcpus),
    excessOf(shape),
    unevennessOf(shape),
    clients,
    Math.abs(shape.sockets - clients),
    Object.keys(shape.settings).length,
    shape.settings.coresPerSocket === "auto" ? 0 : 1,
    // At equal distance to the request, more vCPUs win.
    -shape.vcpus,
  ];
}

/** Returns the most NUMA clients on any host. */
export const clientsOf = ({ topologies }: PlacedShape): number => Math.max(0, ...topologies.map(({ numaClients }) => numaClients.length));

/** Returns the number of vCPUs that the largest client exceeds its node by. */
export const excessOf = ({ topologies }: PlacedShape): number =>
  Math.max(0, ...topologies.flatMap(({ numaClients, nodeCapacity }) => numaClients.map((client) => client - nodeCapacity)));

/** Returns how many more vCPUs the largest client has than the smallest. */
const unevennessOf = ({ topologies }: PlacedShape): number =>
  Math.max(0, ...topologies.map(({ numaClients }) => Math.max(...numaClients) - Math.min(...numaClients)));

/** Smaller is better, the first difference decides. */
export function compareLists(left: readonly number[], right: readonly number[]): number {
  const i = left.findIndex((value, index) => value !== right[index]);
  return i < 0 ? 0 : (left[i] as number) - (right[i] as number);
}

export const sortedBy = <T>(items: Iterable<T>, rank: (item: T) => readonly number[]): T[] =>
  Array.from(items, (item) => [rank(item), item] as const)
    .sort(([a], [b]) => compareLists(a, b))
    .map(([, item]) => item);
