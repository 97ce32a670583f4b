import { deriveTopology, type Topology } from "../esxi/derive.ts";
import { groupText } from "../esxi/layout.ts";
import type { HostModel } from "../model/host.ts";
import { NO_SETTINGS, type SettingValues, type VmSpec } from "../model/spec.ts";
import { flawsOn } from "./candidate-flaws.ts";
import type { Flaw } from "./flaw.ts";
import type { SizeRequest } from "./request.ts";

/** A candidate on one host. */
export interface Placement {
  readonly host: string;
  /** Null when the VM would not start. */
  readonly topology: Topology | null;
  /** The memory of each NUMA client; null if the request has no memory. */
  readonly memoryPerClientMiB: number | null;
}

/** A candidate: its settings, its topology on each host, and its flaws. */
export interface Shape {
  readonly vcpus: number;
  /** The most virtual sockets on any host; the stated ones if it starts on none. */
  readonly sockets: number;
  readonly coresPerSocket: number | "auto";
  /** All settings to change, by name. */
  readonly settings: SettingValues;
  readonly placements: readonly Placement[];
  /** The usable vCPUs under the licence; null if the declared workload does not decide it. */
  readonly usableVcpus: number | null;
  readonly flaws: readonly Flaw[];
}

const NOTHING: VmSpec = {
  name: "",
  format: "",
  platform: "esxi",
  range: [0, 0],
  settings: NO_SETTINGS,
  defaults: {},
  scsiControllers: [],
  devices: () => ({ otherControllers: [], disks: [], nics: [] }),
  advanced: () => new Map(),
  directive: new Map(),
};

/** Returns the candidate of some settings, on every host. */
export function shapeOf(settings: SettingValues & { readonly vcpus: number }, request: SizeRequest, hosts: readonly HostModel[]): Shape {
  const { vcpus, coresPerSocket = 1 } = settings;
  const results = hosts.map((host) => ({ host, result: deriveTopology(NOTHING, host, request.workload, settings) }));
  const flaws = results.flatMap(({ host, result }): Flaw[] =>
    result.ok
      ? flawsOn({ host, topology: result.topology, settings, request })
      : result.reasons.map(({ text }) => ({ kind: "no-power-on", host: host.name, text: `It does not start on ${host.name}: ${text}.` })),
  );
  const topologies = results.flatMap(({ result }) => (result.ok ? [result.topology] : []));
  const usable = topologies.map(({ usableVcpus }) => usableVcpus);
  return {
    vcpus,
    sockets: Math.max(...(topologies.length > 0 ? topologies.map(({ sockets }) => sockets) : [asStated(settings)])),
    coresPerSocket,
    settings,
    placements: results.map(({ host, result }) => ({
      host: host.name,
      topology: result.ok ? result.topology : null,
      memoryPerClientMiB: result.ok && request.memoryMiB !== undefined ? request.memoryMiB / result.topology.numaClients.length : null,
    })),
    usableVcpus: usable.includes(null) || usable.length === 0 ? null : Math.min(...(usable as number[])),
    flaws: [...flaws, ...moves(hosts, topologies)],
  };
}

/** Sockets of a candidate that starts nowhere. */
const asStated = ({ vcpus = 1, coresPerSocket = 1 }: SettingValues): number => (coresPerSocket === "auto" ? 1 : vcpus / coresPerSocket);

/** The guest keeps the nodes of its first power-on, so a cluster whose hosts give it different ones is a trap for vMotion. */
function moves(hosts: readonly HostModel[], topologies: readonly Topology[]): Flaw[] {
  const nodes = topologies.map(({ vnumaNodes }) => groupText(vnumaNodes));
  if (new Set(nodes).size < 2 || nodes.length < hosts.length) return [];
  const seen = nodes.map((node, i) => `${node} on ${hosts[i]?.name}`).join(", ");
  return [{ kind: "moves", host: null, text: `The guest keeps the nodes of its first power-on when it moves: ${seen}.` }];
}
