import { coresOf, coresPerNode, type HostModel } from "../model/host.ts";
import { NO_SETTINGS, type VmSpec } from "../model/spec.ts";
import type { SqlEdition, Workload } from "../model/workload.ts";
import { deriveTopology, type Topology } from "../topology/derive.ts";
import { hanaSizes } from "../topology/hana.ts";
import { isEven, joined } from "../topology/layout.ts";
import type { Override } from "../topology/numa-input.ts";
import { refusesNode, sqlLimits } from "../topology/sql-server.ts";

/** What a VM is to be, before it has a shape. */
export interface Wish {
  readonly vcpus: number;
  readonly memoryMiB?: number;
  readonly workload?: Workload;
  /** The newest that every host runs, when not said. */
  readonly hardwareVersion?: number;
  /** Least and most vCPUs a proposal may have; up to the cores of the smallest host when not said. */
  readonly range?: readonly [least: number, most: number];
}

/** What is wrong with a shape, worst first: the order in which shapes are ranked. */
export const FLAWS = [
  "no-power-on",
  "refused-by-sql-server",
  "memory-exceeds-host",
  "more-vcpus-than-cores",
  "licence",
  "no-hana-size",
  "more-clients-than-nodes",
  "client-exceeds-node",
  "uneven",
  "odd",
  "hidden-nodes",
  "socket-spans-nodes",
  "moves",
  "memory-remote",
  "unknown",
] as const;

export interface Flaw {
  readonly kind: (typeof FLAWS)[number];
  /** The host it holds on; null for all of them. */
  readonly host: string | null;
  /** One sentence with its numbers. */
  readonly text: string;
}

/** What a shape becomes on one host. */
export interface Placement {
  readonly host: string;
  /** Null when the VM would not start. */
  readonly topology: Topology | null;
  /** Memory each NUMA client has to find on its node; null when none was asked for. */
  readonly memoryPerClientMiB: number | null;
}

/** One way to build a VM: the settings that make it, what it becomes on each host, and what is wrong with that. */
export interface Shape {
  readonly vcpus: number;
  /** Virtual sockets on the host with the most of them. */
  readonly sockets: number;
  readonly coresPerSocket: number | "auto";
  /** Everything that is to be set, by name. */
  readonly settings: Override;
  readonly placements: readonly Placement[];
  /** After the licence; null when the declared workload leaves it open. */
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

/** What a set of settings becomes on every host. */
export function shapeOf(settings: Override & { readonly vcpus: number }, wish: Wish, hosts: readonly HostModel[]): Shape {
  const { vcpus, coresPerSocket = 1 } = settings;
  const results = hosts.map((host) => ({ host, result: deriveTopology(NOTHING, host, wish.workload, settings) }));
  const flaws = results.flatMap(({ host, result }): Flaw[] =>
    result.ok
      ? flawsOn(host, result.topology, wish)
      : result.reasons.map(({ text }) => ({ kind: "no-power-on", host: host.name, text: `It does not start on ${host.name}: ${text}.` })),
  );
  const topologies = results.flatMap(({ result }) => (result.ok ? [result.topology] : []));
  const usable = topologies.map(({ usableVcpus }) => usableVcpus);
  return {
    vcpus,
    sockets: Math.max(1, ...topologies.map(({ sockets }) => sockets)),
    coresPerSocket,
    settings,
    placements: results.map(({ host, result }) => ({
      host: host.name,
      topology: result.ok ? result.topology : null,
      memoryPerClientMiB: result.ok && wish.memoryMiB !== undefined ? wish.memoryMiB / result.topology.numaClients.length : null,
    })),
    usableVcpus: usable.includes(null) || usable.length === 0 ? null : Math.min(...(usable as number[])),
    flaws: [
      ...flaws,
      ...moves(
        results.map(({ host }) => host.name),
        topologies,
      ),
    ],
  };
}

function flawsOn(host: HostModel, topology: Topology, { memoryMiB, workload }: Wish): Flaw[] {
  const { vcpus, numaClients: clients, vnumaNodes: nodes, coresPerSocket, nodeCapacity, usableVcpus } = topology;
  const on = `on ${host.name}`;
  const flaws: Flaw[] = [];
  const add = (kind: Flaw["kind"], text: string) => flaws.push({ kind, host: host.name, text });

  if (workload && refusesNode(workload, Math.max(...nodes))) {
    add("refused-by-sql-server", `${workloadName(workload)} does not start with a NUMA node of ${Math.max(...nodes)} vCPUs ${on}.`);
  }
  if (vcpus > coresOf(host)) add("more-vcpus-than-cores", `${host.name} has ${coresOf(host)} cores for ${vcpus} vCPUs.`);
  if (workload && usableVcpus !== null && usableVcpus < vcpus) {
    add("licence", `${workloadName(workload)} uses ${usableVcpus} of ${vcpus} vCPUs.`);
  }
  if (workload?.kind === "hana" && workload.environment !== "test") {
    const sizes = hanaSizes(host, nodeCapacity > coresPerNode(host));
    if (!sizes.includes(vcpus))
      add("no-hana-size", `SAP HANA in production takes half a socket or whole ones (${sizes.join(", ")} vCPUs) ${on}.`);
  }
  // Nodes made smaller for SQL Server lie beside each other where the host's are divided evenly.
  const isHalved = clients.length % host.numaNodes === 0 && isCutForSqlServer(vcpus, workload, host);
  if (clients.length > host.numaNodes && !isHalved) {
    add("more-clients-than-nodes", `${vcpus} vCPUs make ${clients.length} groups (${joined(clients)}) for ${host.numaNodes} nodes ${on}.`);
  }
  if (clients.some((client) => client > nodeCapacity)) {
    add("client-exceeds-node", `A group of ${Math.max(...clients)} vCPUs does not fit a node of ${nodeCapacity} ${on}.`);
  } else if (!isEven(clients) || !isEven(nodes)) {
    add("uneven", `${vcpus} vCPUs are split ${joined(clients)} over ${host.numaNodes} nodes of ${nodeCapacity} ${on}.`);
  } else if (clients.length > 1 && vcpus % 2 === 1) {
    add("odd", `${vcpus} vCPUs span ${clients.length} nodes with an odd count in each (${joined(clients)}) ${on}.`);
  }
  if (clients.length > nodes.length) {
    const seen = nodes.length === 1 ? "one node" : `${nodes.length} nodes`;
    add("hidden-nodes", `The guest sees ${seen} where the VM lies on ${clients.length} ${on}.`);
  }
  if (nodes.length > 1 && isEven(nodes) && nodes.some((node) => node % coresPerSocket !== 0)) {
    add("socket-spans-nodes", `Virtual sockets of ${coresPerSocket} do not go into nodes of ${joined(nodes)} in whole ${on}.`);
  }
  if (memoryMiB !== undefined && host.memoryGiB !== undefined) flaws.push(...memoryFlaws(host, host.memoryGiB, memoryMiB, clients.length));
  if (!isEven(nodes)) return flaws;
  const open = topology.reasons.find(({ certainty, about }) => certainty === "unknown" && (about === undefined || countsSockets(workload)));
  if (open) add("unknown", `No source decides it ${on}: ${open.text}.`);
  return flaws;
}

/** Whether as many nodes as the host has would be larger than SQL Server takes. */
export const isCutForSqlServer = (vcpus: number, workload: Workload | undefined, { numaNodes }: HostModel): boolean =>
  workload !== undefined && refusesNode(workload, Math.ceil(vcpus / numaNodes));

/** ESXi's own share of a node is in no source, so a VM that just fills its nodes passes. */
function memoryFlaws({ name, numaNodes }: HostModel, hostGiB: number, memoryMiB: number, clients: number): Flaw[] {
  const all = memoryMiB / 1024;
  if (all > hostGiB) {
    return [
      { kind: "memory-exceeds-host", host: name, text: `${name} has ${hostGiB} GiB of memory, and ${round(all)} GiB are asked for.` },
    ];
  }
  const share = all / clients;
  const node = hostGiB / numaNodes;
  if (share <= node) return [];
  const each = clients === 1 ? `${round(all)} GiB` : `${round(share)} GiB for each of ${clients} nodes`;
  return [
    { kind: "memory-remote", host: name, text: `${each} are more than the ${round(node)} GiB of a node on ${name}: the rest is remote.` },
  ];
}

/** Whether the licence counts sockets, so that how the cores are shown decides what is used. */
const countsSockets = (workload: Workload | undefined): boolean =>
  workload?.kind === "mssql" && sqlLimits(workload).some(({ sockets }) => sockets !== null);

/** The guest keeps the nodes of its first power-on, so a cluster whose hosts give it different ones is a trap for vMotion. */
function moves(hosts: readonly string[], topologies: readonly Topology[]): Flaw[] {
  const nodes = topologies.map(({ vnumaNodes }) => joined(vnumaNodes));
  if (new Set(nodes).size < 2 || nodes.length < hosts.length) return [];
  const seen = nodes.map((node, i) => `${node} on ${hosts[i]}`).join(", ");
  return [{ kind: "moves", host: null, text: `The guest keeps the nodes of its first power-on when it moves: ${seen}.` }];
}

const EDITIONS: Readonly<Record<SqlEdition, string>> = {
  enterprise: "Enterprise",
  standard: "Standard",
  web: "Web",
  express: "Express",
  bi: "Business Intelligence",
  developer: "Developer",
};

/** `SQL Server 2019 Standard`, as far as it was declared; the kind of any other workload. */
export function workloadName({ kind, version, edition, licensing }: Workload): string {
  if (kind !== "mssql") return kind;
  const licence = licensing === "server-cal" ? "with Server+CAL licences" : undefined;
  return ["SQL Server", version, edition && EDITIONS[edition], licence].filter(Boolean).join(" ");
}

const round = (value: number): number => Math.round(value * 10) / 10;
