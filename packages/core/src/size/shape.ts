import { isDecided as isDecidedLayout } from "../advice/aligned-size.ts";
import { readPlain } from "../formats/plain.ts";
import { guessingChecker } from "../lint/check-guess.ts";
import { type VmChecker, vmChecker, withoutAdvice } from "../lint/check-vm.ts";
import { joinConsequences } from "../lint/join-consequences.ts";
import { type Diagnostic, SEVERITIES } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import { once } from "../model/memoize.ts";
import type { SettingValues, VmSpec } from "../model/spec.ts";
import { deriveTopology, type Topology } from "../platforms/esxi/derive.ts";
import { rules } from "../rules/index.ts";
import { selects } from "../rules/presets.ts";
import { memoryOf, type SizeRequest } from "./request.ts";

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
  /** The topology on each host that starts it. */
  readonly topologies: readonly Topology[];
  /** The usable vCPUs under the licence; null if the declared workload does not decide it. */
  readonly usableVcpus: number | null;
  /** Whether sources decide its nodes and their places on every host. */
  readonly isDecided: boolean;
  /** The findings of the rules on each host. Computed on first use, as are the next two. */
  readonly flaws: readonly Diagnostic[];
  /** Whether sources decide its nodes on every host, and no rule reports it. */
  readonly isFlawless: boolean;
  /** The number of different rules with a finding of each severity, the worst first. */
  readonly severities: readonly number[];
}

/** Returns the candidate of some settings, on every host. */
export function shapeOf(settings: SettingValues & { readonly vcpus: number }, request: SizeRequest, hosts: readonly HostModel[]): Shape {
  const { vcpus, coresPerSocket = 1 } = settings;
  const [vm] = readPlain({ ...request.keeps, ...settings, ...memoryOf(request) }).vms as readonly [VmSpec]; // A plain object is one VM.
  const placements = hosts.map((host) => {
    const result = deriveTopology(vm, host, request.workload);
    const topology = result.ok ? result.topology : null;
    const memoryPerClientMiB = topology && request.memoryMiB !== undefined ? request.memoryMiB / topology.numaClients.length : null;
    return { host: host.name, topology, memoryPerClientMiB };
  });
  const topologies = placements.flatMap(({ topology }) => topology ?? []);
  const usable = topologies.map(({ usableVcpus }) => usableVcpus);
  const flaws = once(() => joinConsequences([...findings(check, hosts, vm, request)]));
  const isDecided = topologies.every(isDecidedLayout);
  const isFlawless = once(() => isDecided && findings(quickCheck, hosts, vm, request).next().done === true);
  const severities = once(() => (isFlawless() ? NO_FLAWS : countsOf(joinConsequences([...findings(quickCheck, hosts, vm, request)]))));
  return {
    vcpus,
    sockets: Math.max(...(topologies.length > 0 ? topologies.map(({ sockets }) => sockets) : [asStated(settings)])),
    coresPerSocket,
    settings,
    placements,
    topologies,
    usableVcpus: usable.includes(null) || usable.length === 0 ? null : Math.min(...(usable as number[])),
    isDecided,
    get flaws() {
      return flaws();
    },
    get isFlawless() {
      return isFlawless();
    },
    get severities() {
      return severities();
    },
  };
}

/** Sockets of a candidate that starts nowhere. */
const asStated = ({ vcpus = 1, coresPerSocket = 1 }: SettingValues): number => (coresPerSocket === "auto" ? 1 : vcpus / coresPerSocket);

const check = guessingChecker(rules);
const quickCheck = vmChecker(rules, withoutAdvice);
const isSelected = selects();

/** Returns the findings of a VM on each host. Rules about moves check the first host, and name the hosts that differ. */
function* findings(checker: VmChecker, hosts: readonly HostModel[], spec: VmSpec, { workload }: SizeRequest): Generator<Diagnostic, void> {
  for (const [i, host] of hosts.entries()) {
    const otherHosts = i === 0 ? hosts.slice(1) : [];
    for (const result of checker({ spec, target: { host, otherHosts, workload, selects: isSelected } }))
      if (!("reason" in result)) yield result;
  }
}

const NO_FLAWS = SEVERITIES.map(() => 0);

const countsOf = (flaws: readonly Diagnostic[]): readonly number[] =>
  SEVERITIES.map((severity) => new Set(flaws.flatMap((flaw) => (flaw.severity === severity ? flaw.ruleId : []))).size);
