import { nodesForMemory } from "../limits/vm-memory.ts";
import type { LintedVm } from "../lint/target.ts";
import { type Diagnostic, SEVERITIES } from "../model/diagnostic.ts";
import { coresOf, type HostModel } from "../model/host.ts";
import { addTo } from "../model/maps.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { valueIfKnown } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import { names } from "../model/words.ts";
import { type Case, type PossibleResult, possibleTopologies, TOPOLOGY_SETTINGS } from "../platforms/esxi/possible.ts";
import { short } from "./headline.ts";
import type { FileResult } from "./result.ts";
import { vmKey, vmKeys } from "./subject.ts";

/** The size of a VM on its host: it fits one NUMA node, spans nodes or exceeds the host. */
export type Fit = "fits" | "spans" | "exceeds";

export const FIT_WORDS = { fits: "fits one node", spans: "spans nodes", exceeds: "exceeds the host" } as const satisfies Record<
  Fit,
  string
>;

/** A VM of an inventory with the facts that reports list. */
export interface EstateVm {
  readonly spec: VmSpec;
  readonly host: HostModel | undefined;
  /** Identifies its host; missing if the host is any host of the cluster. */
  readonly machine: string | undefined;
  readonly cluster: string | undefined;
  /** The vCPUs of each NUMA client in the first of its possible layouts. */
  readonly clients: readonly number[];
  /** All possible layouts in words: `8+8 or 16`. */
  readonly layout: string;
  /** Missing if the layout is unknown, or if only some of the possible ones fit. */
  readonly fit: Fit | undefined;
  /** Why `fit` is missing. */
  readonly open: string | undefined;
  /** Its vCenter, in an inventory of several. */
  readonly server: string | undefined;
  /** Its findings, the most severe first. */
  readonly findings: readonly Diagnostic[];
}

/** Returns the VMs of the inventories of a run. */
export function estateVms(results: readonly FileResult[]): readonly EstateVm[] {
  const findings = new Map<string, Diagnostic[]>();
  for (const { path, diagnostics } of results)
    for (const diagnostic of diagnostics)
      if (diagnostic.vm !== null || !diagnostic.subject) for (const key of vmKeys(path, diagnostic)) addTo(findings, key, diagnostic);
  return results.flatMap(({ path, inventoryVms = [] }) =>
    inventoryVms.map((vm) => {
      const found = [true, false].flatMap((isCell) => findings.get(keyOf(path, vm, isCell)) ?? []);
      return { ...estateVm(vm), findings: found.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)) };
    }),
  );
}

const keyOf = (path: string, { spec, target: { host, cluster } }: LintedVm, isCell: boolean): string =>
  vmKey([path, spec.name, ...(isCell ? [host?.name ?? null, cluster] : [])]);

function estateVm({
  spec,
  target: { host, workload, onAnyHost, machine = host?.name, cluster = spec.runsOn?.cluster },
}: LintedVm): Omit<EstateVm, "findings"> {
  const about = { spec, host, machine: onAnyHost === undefined ? machine : undefined, cluster, server: spec.runsOn?.server };
  const result = host && possibleTopologies(spec, host, workload);
  if (!host || !result?.ok) return { ...about, clients: [], layout: "", fit: undefined, open: whyOpen(spec, host, result) };
  const all = result.cases.map(({ topology }) => topology.numaClients);
  const layouts = [...new Set(all.map(short))];
  const layout = layouts.length > MOST_LAYOUTS ? `${layouts.slice(0, MOST_LAYOUTS).join(" or ")} or others` : layouts.join(" or ");
  const fit = fitOf(spec, host, result.cases.map(isInOneNode));
  const decides = names(result.deciding.map((name) => SETTING_WORDS[name]));
  const open = fit ? undefined : decides === "" ? "sources support several layouts" : `${decides} decides`;
  return { ...about, clients: all[0] ?? [], layout, fit, open };
}

/** Returns why a VM has no layout: the missing host, the settings that are unknown, or what keeps it from starting. */
function whyOpen({ settings, runsOn }: VmSpec, host: HostModel | undefined, result: PossibleResult | undefined): string {
  if (!host || !result || result.ok) return runsOn?.name === undefined ? "its host is unknown" : `the inventory lacks host ${runsOn.name}`;
  if (result.because === "no-power-on") return "its values keep it from starting, as a finding says";
  if (result.because === "no-esxi-version") return `host ${host.name} has no ESXi version`;
  const unknown = TOPOLOGY_SETTINGS.filter((name) => settings[name].state === "unknown");
  return unknown.length === 0 ? "it runs on another platform" : `the inventory lacks ${names(unknown.map((name) => SETTING_WORDS[name]))}`;
}

const MOST_LAYOUTS = 3;

/** One client may be wider than a node. */
const isInOneNode = ({ topology: { numaClients, nodeCapacity } }: Case): boolean =>
  numaClients.length === 1 && (numaClients[0] ?? 0) <= nodeCapacity;

/** `areInOneNode`: for each possible layout, whether its vCPUs are in one node. */
function fitOf({ settings }: VmSpec, host: HostModel, areInOneNode: readonly boolean[]): Fit | undefined {
  const [vcpus, memoryMiB] = [valueIfKnown(settings.vcpus), valueIfKnown(settings.memoryMiB)];
  if ((vcpus ?? 0) > coresOf(host) || (memoryMiB ?? 0) > (host.memoryGiB ?? Number.POSITIVE_INFINITY) * 1024) return "exceeds";
  if (nodesForMemory(memoryMiB, host) > 1 || !areInOneNode.includes(true)) return "spans";
  return areInOneNode.includes(false) ? undefined : "fits";
}
