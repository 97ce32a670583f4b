import { coresOf, type HostModel, hostKind } from "../model/host.ts";
import type { ListedHost } from "../model/inventory-host.ts";
import { addTo, getOrInsert, grouped } from "../model/maps.ts";
import { valueIfKnown } from "../model/source.ts";
import type { EstateVm, Fit } from "./estate-vms.ts";

/** A cluster or a host with its VMs in numbers. Templates do not count. */
export interface Load {
  readonly name: string;
  readonly vms: number;
  /** `open`: the host is unknown, or only some of the possible layouts fit. */
  readonly fits: Readonly<Record<Fit | "open", number>>;
  /** The vCPUs of VMs that are not off, for each core; missing without a host. */
  readonly vcpusPerCore: number | undefined;
  /** The highest measured CPU readiness of a VM. */
  readonly readyPercent: number | undefined;
}

export interface ClusterLoad extends Load {
  readonly hosts: readonly Load[];
}

/** Hosts with equal hardware, and their VMs. */
export interface HostKind {
  readonly host: HostModel;
  readonly hosts: number;
  readonly vms: readonly EstateVm[];
}

const isCounted = ({ spec }: EstateVm): boolean => spec.template !== true;

function loadOf(name: string, vms: readonly EstateVm[], hosts: readonly HostModel[]): Load {
  const fits = { fits: 0, spans: 0, exceeds: 0, open: 0 };
  for (const { fit = "open" } of vms) fits[fit]++;
  const cores = hosts.reduce((sum, host) => sum + coresOf(host), 0);
  const vcpus = vms.reduce((sum, { spec }) => sum + (spec.off ? 0 : (valueIfKnown(spec.settings.vcpus) ?? 0)), 0);
  const ready = vms.flatMap(({ spec }) => spec.measured?.readyPercent?.value ?? []);
  const readyPercent = ready.length > 0 ? ready.reduce((a, b) => Math.max(a, b)) : undefined;
  return { name, vms: vms.length, fits, vcpusPerCore: cores > 0 ? vcpus / cores : undefined, readyPercent };
}

/** Clusters with the most VMs that exceed their host come first, then by VMs that span nodes, then by vCPUs per core. */
const worstFirst = (a: Load, b: Load): number =>
  b.fits.exceeds - a.fits.exceeds ||
  b.fits.spans - a.fits.spans ||
  (b.vcpusPerCore ?? 0) - (a.vcpusPerCore ?? 0) ||
  (a.name < b.name ? -1 : 1);

interface OpenCluster {
  readonly name: string | undefined;
  readonly server: string | undefined;
  readonly vms: EstateVm[];
  readonly hosts: Map<string, { readonly host: HostModel; readonly vms: EstateVm[] }>;
}

/** Returns the VMs without a `fit` by the reason, the most frequent first. */
export function openReasons(vms: readonly EstateVm[]): readonly (readonly [why: string, count: number])[] {
  const open = grouped(vms.filter(isCounted), ({ open: why }) => why);
  return Array.from(open, ([why, all]) => (why === undefined ? [] : [[why, all.length] as const]))
    .flat()
    .sort(([, a], [, b]) => b - a);
}

/** Returns the clusters of an estate with their hosts, also those without VMs. */
export function clusterLoads(vms: readonly EstateVm[], listed: readonly ListedHost[] = []): readonly ClusterLoad[] {
  const clusters = new Map<string, OpenCluster>();
  const clusterAt = (name: string | undefined, server: string | undefined) =>
    getOrInsert(clusters, JSON.stringify([name, server?.toLowerCase()]), () => ({ name, server, vms: [], hosts: new Map() }));
  for (const { cluster, server, host, machine } of listed) clusterAt(cluster, server).hosts.set(machine, { host, vms: [] });
  for (const vm of vms.filter(isCounted)) {
    const { vms: all, hosts } = clusterAt(vm.cluster, vm.server);
    all.push(vm);
    const { host, machine } = vm;
    if (host && machine !== undefined) getOrInsert(hosts, machine, () => ({ host, vms: [] })).vms.push(vm);
  }
  const named = grouped(clusters.values(), ({ name }) => name);
  return Array.from(clusters.values(), ({ name, server, vms: all, hosts }): ClusterLoad => {
    const each = [...hosts.values()];
    // Two vCenters may have a cluster of one name.
    const of = (named.get(name)?.length ?? 0) > 1 && server !== undefined ? ` (${server})` : "";
    return {
      ...loadOf(
        `${name ?? "No cluster"}${of}`,
        all,
        each.map(({ host }) => host),
      ),
      hosts: each.map(({ host, vms: own }) => loadOf(host.name, own, [host])).sort(worstFirst),
    };
  }).sort(worstFirst);
}

/** Returns the kinds of hosts with VMs, the one with the most VMs first. */
export function hostKinds(vms: readonly EstateVm[], listed: readonly ListedHost[] = []): readonly HostKind[] {
  const hosts = new Map<string, Set<string>>();
  for (const { host, machine } of listed) getOrInsert(hosts, hostKind(host), () => new Set()).add(machine);
  const byKind = new Map<string, EstateVm[]>();
  for (const vm of vms) {
    if (!vm.host || !isCounted(vm)) continue;
    addTo(byKind, hostKind(vm.host), vm);
    if (vm.machine !== undefined) getOrInsert(hosts, hostKind(vm.host), () => new Set()).add(vm.machine);
  }
  return Array.from(byKind, ([kind, all]) => ({ host: all[0]?.host as HostModel, hosts: hosts.get(kind)?.size ?? 1, vms: all })).sort(
    (a, b) => b.vms.length - a.vms.length,
  );
}

/** VMs of one size with one layout. */
export interface Shape {
  readonly vcpus: number;
  readonly layout: string;
  readonly clients: readonly number[];
  readonly fit: Fit | undefined;
  readonly vms: readonly EstateVm[];
}

/** Returns the VMs of a kind by size and layout, the largest first. */
export function shapesOf({ vms }: HostKind): readonly Shape[] {
  const shapes = new Map<string, { shape: Omit<Shape, "vms">; vms: EstateVm[] }>();
  for (const vm of vms) {
    const vcpus = valueIfKnown(vm.spec.settings.vcpus);
    if (vcpus === undefined || vm.clients.length === 0) continue;
    const { layout, clients, fit } = vm;
    getOrInsert(shapes, `${vcpus} ${layout} ${fit}`, () => ({ shape: { vcpus, layout, clients, fit }, vms: [] })).vms.push(vm);
  }
  return Array.from(shapes.values(), ({ shape, vms: all }) => ({ ...shape, vms: all })).sort(
    (a, b) => b.vcpus - a.vcpus || b.vms.length - a.vms.length,
  );
}
