import { sameHost } from "../lint/hosted-vms.ts";
import type { Target } from "../lint/target.ts";
import { type HostModel, hostKind } from "../model/host.ts";
import { type HostReference, type InventoryHost, type ListedHost, machineOf } from "../model/inventory-host.ts";
import { addTo, getOrInsert } from "../model/maps.ts";
import type { RunningVm, VmSpec } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { inventoryNotes, type Joins } from "./inventory-notes.ts";
import type { Listing } from "./listed-hosts.ts";
import { runningVms } from "./running-vms.ts";

/** The hosts in the inventories of a run, and the host of each VM. */
export interface Inventory {
  readonly hosts: readonly InventoryHost[];
  /** The files that list hosts or clusters, or have statistics of a host. */
  readonly paths: ReadonlySet<string>;
  /** A key that changes with any fact about the hosts. */
  readonly key: string;
  /** The hosts that rules about hosts check. */
  readonly listed: readonly ListedHost[];
  /** Returns the cluster of the VM if the inventory has the VM's host. */
  readonly clusterOf: (vm: VmSpec, path: string) => string | undefined;
  /** Returns the target with the host of the VM, or a host of its cluster, unless another source sets a host. */
  readonly place: (target: Target, vm: VmSpec, path: string) => Target;
  /** Returns what is assumed about hosts, and which hosts are missing; call it after `place` placed all VMs. */
  readonly notes: () => readonly string[];
  /** Whether no host or cluster has the name of the aim. */
  readonly aimsAtNothing: boolean;
}

/**
 * Joins VMs with hosts: by the server's own reference, else by name. With an aim, the name of a host or a cluster, all VMs get that host or
 * hosts of that cluster.
 */
export function inventoryOf(listings: readonly Listing[], aim?: string): Inventory {
  const hosts = withClusterNames(listings);
  const aimed = aim === undefined ? undefined : hosts.filter(({ name, cluster }) => isNamed(name, aim) || isNamed(cluster, aim));
  const statistics = listings.flatMap((listing) => listing.statistics ?? []);
  const running = runningVms(statistics);
  const find = hostFinder(hosts);
  const joins = newJoins();
  const targets = targetsOn(hosts, joins.used);
  const placeOnOwn = ownPlacer(targets, find, joins);
  const ownHost = ({ runsOn }: VmSpec, path: string): InventoryHost | string | undefined => runsOn && find(runsOn, path);
  return {
    hosts,
    listed: listedIn(aimed ?? hosts),
    paths: new Set(listings.flatMap(pathsIn)),
    key: JSON.stringify([hosts, statistics, aim]),
    aimsAtNothing: aimed?.length === 0,
    clusterOf: (vm, path) => {
      const found = ownHost(vm, path);
      return typeof found === "object" ? found.cluster : undefined;
    },
    notes: () => [...running.notes, ...inventoryNotes(joins.used, joins.missing, joins)],
    place: (target, vm, path) => {
      const own = ownHost(vm, path);
      const measured = running.find(vm, typeof own === "object" ? own.name : vm.runsOn?.name);
      if (aimed) {
        const stays = typeof own === "object" && aimed.includes(own) && "host" in own.model;
        return stays ? withRunning(targets.onOneOf([own], target), measured) : targets.onOneOf(aimed, target);
      }
      return withRunning(placeOnOwn(target, vm, path), measured);
    },
  };
}

/** How the placed VMs were joined so far. */
interface RunningJoins extends Joins {
  readonly used: Set<HostModel>;
  /** The VMs without a host, by the reason. */
  readonly missing: Map<string, Set<string>>;
  readonly anyOf: Map<string, Set<string>>;
  readonly taken: Set<string>;
  areJoined: boolean;
}

const newJoins = (): RunningJoins => ({ used: new Set(), missing: new Map(), anyOf: new Map(), taken: new Set(), areJoined: false });

/** Returns the targets with a host, or with the hosts of a cluster. The targets of equal VMs are one object. */
function targetsOn(hosts: readonly InventoryHost[], used: Set<HostModel>) {
  const targets = new WeakMap<Target, Map<InventoryHost | string, Target>>();
  const madeOf = (target: Target): Map<InventoryHost | string, Target> => getOrInsert(targets, target, () => new Map());
  const clusters = new Map<string, InventoryHost[]>();
  const byCluster = new Map<string, InventoryHost[]>();
  for (const host of hosts) {
    if (host.cluster === undefined) continue;
    addTo(clusters, clusterKey(host), host);
    addTo(byCluster, host.cluster.toLowerCase(), host);
  }

  const onHost = (target: Target, at: InventoryHost, host: HostModel, isItsOwn = true): Target => {
    used.add(host);
    return getOrInsert(madeOf(target), at, () => ({
      ...target,
      host,
      hostSource: "inventory",
      // VMs that could move to a host do not all run there.
      ...(isItsOwn && { machine: machineOf(at) }),
      othersMayRun: true,
      otherHosts: othersOf(host, clusters.get(clusterKey(at)) ?? []),
      ...(at.cluster !== undefined && { cluster: at.cluster }),
    }));
  };

  /** Returns the target with the first usable host; the VM may run on each of them. */
  const onOneOf = (any: readonly InventoryHost[], target: Target): Target => {
    for (const at of any) if ("host" in at.model) return onHost(target, at, at.model.host, false);
    return target;
  };

  /** Returns the target with all kinds of hosts of a cluster; `undefined` without hosts. */
  const onCluster = ({ cluster, server }: HostReference, target: Target, path: string): Target | undefined => {
    if (cluster === undefined) return undefined;
    const fits = (host: InventoryHost): boolean => isNamed(host.cluster, cluster) && (!server || !host.server || same(server, host.server));
    const all = nearest(byCluster.get(cluster.toLowerCase()) ?? [], path).filter(fits);
    const [first] = all.filter(({ model }) => "host" in model);
    if (!first || !("host" in first.model)) return undefined;
    const { powerPolicy: _, hyperthreadingOff: __, ...kind } = first.model.host;
    const otherHosts = othersOf(first.model.host, all);
    const shown = otherHosts.length > 0 ? `like ${first.name}` : `any of ${plural(all.length, "host")}`;
    for (const host of [first.model.host, ...otherHosts]) used.add(host);
    return getOrInsert(madeOf(target), `${clusterKey(first)} ${first.path}`, () => ({
      ...target,
      host: { ...kind, name: all.length === 1 ? first.name : `${first.cluster} (${shown})` },
      hostSource: "inventory",
      othersMayRun: true,
      otherHosts,
      onAnyHost: first.name,
      cluster: first.cluster ?? cluster,
    }));
  };

  return { onHost, onOneOf, onCluster };
}

/** Returns a function that gives a target the VM's own host, or the hosts of its cluster. */
function ownPlacer({ onHost, onCluster }: ReturnType<typeof targetsOn>, find: FindHost, joins: RunningJoins): Inventory["place"] {
  return (target, vm, path) => {
    const { runsOn } = vm;
    if (!runsOn || target.host || target.problems?.length) return target;
    if (runsOn.id === undefined && runsOn.name === undefined) return onCluster(runsOn, target, path) ?? target;
    const found = find(runsOn, path);
    if (typeof found !== "string" && "host" in found.model) {
      joins.areJoined = true;
      if (!isNamed(found.name, (runsOn.name ?? found.name).replace(/\.$/, "")))
        joins.taken.add(`${runsOn.name} is taken for ${found.name}`);
      return onHost(target, found, found.model.host);
    }
    const reason = typeof found === "object" && "reason" in found.model ? found.model.reason.replace(/\.$/, "") : "";
    const why = typeof found === "string" ? found : `host ${found.name} is not known: ${reason}`;
    const placed = onCluster(runsOn, target, path);
    const none = typeof found === "string" && runsOn.cluster !== undefined ? `, and no host of its cluster ${runsOn.cluster}` : "";
    const [missed, word] = placed ? [joins.anyOf, `${runsOn.cluster}`] : [joins.missing, why + none];
    getOrInsert(missed, word, () => new Set()).add(`${path} ${vm.range[0]}`);
    return placed ?? target;
  };
}

/** Two files of one vCenter may list a host. */
const listedIn = (hosts: readonly InventoryHost[]): readonly ListedHost[] => [
  ...new Map(
    hosts.flatMap((one) => {
      const { cluster, server, path, at, model } = one;
      const machine = machineOf(one);
      return "host" in model ? [[machine, { machine, host: model.host, cluster, server, path, ...(at && { at }) }] as const] : [];
    }),
  ).values(),
];

const pathsIn = ({ hosts, clusters, statistics }: Listing): readonly string[] =>
  [...hosts, ...clusters, ...(statistics ? [statistics] : [])].map(({ path }) => path);

/** The targets of equal VMs are one object, so that their results are shared; a measured VM has its own. */
const withRunning = (target: Target, running: RunningVm | undefined): Target => (running ? { ...target, running } : target);

/** Replaces references to clusters by their names. A listing of another server may use the same references. */
function withClusterNames(listings: readonly Listing[]): readonly InventoryHost[] {
  const clusters = listings.flatMap((listing) => listing.clusters);
  // Two files of an export may list its hosts.
  const hosts = [...new Map(listings.flatMap((listing) => listing.hosts.map((host) => [keyOfHost(host), host] as const))).values()];
  if (clusters.length === 0) return hosts;
  return hosts.map((host) => {
    const named = nearest(
      clusters.filter(({ id }) => id === host.cluster),
      host.path,
    );
    const [first, ...others] = named;
    return first && others.every(({ name }) => name === first.name) ? { ...host, cluster: first.name } : host;
  });
}

const keyOfHost = ({ path, server, id, name }: InventoryHost): string => JSON.stringify([path, server, id, name]);

const isNamed = (name: string | undefined, word: string): boolean => name !== undefined && same(name, word);

type Key = Pick<InventoryHost, "id" | "server"> & { readonly name?: string | undefined };

/** Any of these keys finds a host. Keys contain the vCenter because several vCenters may use the same names. */
const keysOf = ({ id, name, server }: Key): readonly string[] => {
  const words = [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(name === undefined ? [] : [`name ${name.toLowerCase().replace(/\.$/, "")}`]),
  ];
  return server === undefined ? words : [...words.map((word) => `${word} of ${server.toLowerCase()}`), ...words];
};

const clusterKey = ({ server, cluster, path }: InventoryHost): string => `${cluster} of ${server ?? folderOf(path)}`;

/** Returns the host, or a message if there is no such host or more than one. */
type FindHost = (runsOn: HostReference, path: string) => InventoryHost | string;

function hostFinder(hosts: readonly InventoryHost[]): FindHost {
  const byKey = new Map<string, InventoryHost[]>();
  const byLabel = new Map<string, InventoryHost[]>();
  for (const host of hosts) {
    for (const key of keysOf(host)) addTo(byKey, key, host);
    addTo(byLabel, labelOf(host.name), host);
  }
  return (runsOn, path) => {
    const shown = runsOn.name ?? runsOn.id;
    for (const key of keysOf(runsOn)) {
      const found = nearest(byKey.get(key) ?? [], path).filter(({ server }) => !server || !runsOn.server || same(server, runsOn.server));
      const [first, ...others] = found;
      if (!first) continue;
      return others.every((other) => isSame(first, other)) ? first : `several hosts are called ${shown}`;
    }
    const [only, another] = runsOn.name === undefined ? [] : nearest(byLabel.get(labelOf(runsOn.name)) ?? [], path).filter(isAlias(runsOn));
    return only && !another ? only : `host ${shown} is not in the inventory`;
  };
}

/** The name of a host without its domain. An address has none. */
const labelOf = (name: string): string => (/^[\d.]+$|:/.test(name) ? name : (name.split(".")[0] ?? "")).toLowerCase();

/** Whether a host may have the name without its domain, or another domain in the same cluster. */
const isAlias =
  ({ name = "", server, cluster }: HostReference) =>
  (host: InventoryHost): boolean =>
    (!server || !host.server || same(server, host.server)) &&
    (!name.includes(".") || !host.name.includes(".") || (host.cluster !== undefined && isNamed(host.cluster, cluster ?? "")));

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Prefers hosts of the same file, then of the same folder: two vCenters may use the same references. */
function nearest<T extends { readonly path: string }>(hosts: readonly T[], path: string): readonly T[] {
  if (hosts.length < 2) return hosts;
  for (const isNear of [(other: string) => other === path, (other: string) => folderOf(other) === folderOf(path)]) {
    const near = hosts.filter((host) => isNear(host.path));
    if (near.length > 0) return near;
  }
  return hosts;
}

const folderOf = (path: string): string => path.replace(/[^/\\]*$/, "");

/** Whether two files list the same host with the same model. */
const isSame = (a: InventoryHost, b: InventoryHost): boolean =>
  a.name === b.name && a.id === b.id && modelOf(a) !== undefined && modelOf(a) === modelOf(b);

const modelOf = ({ model }: InventoryHost): string | undefined => ("host" in model ? sameHost(model.host) : undefined);

/** Returns the hosts of a cluster that differ from this one, one of each model. */
function othersOf(host: HostModel, cluster: readonly InventoryHost[]): readonly HostModel[] {
  const kinds = [host];
  for (const { model } of cluster) if ("host" in model && !kinds.some((kind) => isSameKind(kind, model.host))) kinds.push(model.host);
  return kinds.slice(1);
}

/** Exports round the clock of a processor. */
const isSameKind = (a: HostModel, b: HostModel): boolean => hostKind(a) === hostKind(b) && Math.abs((a.mhz ?? 0) - (b.mhz ?? 0)) <= 1;
