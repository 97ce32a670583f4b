import { clientsOf } from "../advice/shapes.ts";
import type { Demand, Figure } from "../demand/demand.ts";
import { isWindowsServer, LEAST_WINDOWS_LICENCES, leastVcpusOf } from "../limits/guest-limits.ts";
import { HARDWARE_VERSIONS } from "../limits/hardware.ts";
import { LEAST_CORE_LICENCES } from "../limits/sql-server.ts";
import type { LintedVm } from "../lint/target.ts";
import { coresOf, type HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import type { SettingName, Settings, SettingValues } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { PLACEMENT_SETTINGS, TOPOLOGY_SETTINGS } from "../platforms/esxi/derive.ts";
import { perVcpu } from "../rules/readiness.ts";
import { type Need, needOf } from "./need.ts";
import type { SizeRequest } from "./request.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { bestShape } from "./size.ts";

/** The answers for a VM. `undecided` has no need, `unmeasured` no row of any export. */
export const ACTIONS = ["shrink", "grow", "reshape", "keep", "undecided", "unmeasured"] as const;

export type Action = (typeof ACTIONS)[number];

/** A recommended number of vCPUs that is not proposed. */
export interface Rejected {
  readonly vcpus: number;
  readonly why: string;
}

/** The effect of a change on licences. */
export interface Licence {
  /** The core licences that it needs more, or fewer; 0 if it changes none. */
  readonly change: number;
  readonly text: string;
}

/** A VM with its need and its smallest good shape. */
export interface RightSized {
  readonly vm: string;
  readonly path: string;
  readonly host: string | null;
  /** The machine of this host, with its nodes. */
  readonly on?: HostModel | undefined;
  readonly cluster: string | null;
  readonly vcpus: number | null;
  /** vCPUs by NUMA client today; null if unknown. */
  readonly layout: readonly number[] | null;
  readonly action: Action;
  /** Why it keeps its size, or why nothing is proposed; the rule that decided otherwise. */
  readonly reason: string;
  /** Its demand in each export. */
  readonly demands: readonly Demand[];
  readonly need?: Need | undefined;
  /** The proposed shape, for VMs that change. */
  readonly shape?: Shape | undefined;
  readonly rejected: readonly Rejected[];
  /** The effect of the change on the licences of the declared workload. */
  readonly licence?: Licence | undefined;
  /** Whether it runs SQL Server, as declared or as its names suggest, and nothing states how that is licensed. */
  readonly isLicenceOpen: boolean;
  /** The figures against the change that the files hold, and the gaps in them. */
  readonly against: readonly string[];
  /** Whether hot add makes the change while the VM runs. */
  readonly isHot: boolean;
  /** Whether no source says if CPU hot add is on, which would hide the nodes of the guest. The proposal assumes that it is off. */
  readonly assumesNoHotAdd: boolean;
}

export interface RightSizeOptions {
  /** The smallest change of vCPUs to propose; by default 2. */
  readonly least?: number | undefined;
}

const LEAST_CHANGE = 2;

/** Settings that stay as they are. ESXi stores a node size for one number of vCPUs, and ignores it for others. */
const KEPT: readonly SettingName[] = [
  ...(["guestOs", "cpuHotAdd", "exposeVnumaOnHotAdd", "latencySensitivity", "preferHt", "threadsPerCore"] as const),
  ...(["storedNodeSize", "storedCookie"] as const),
];

/** Returns a function that finds the smallest good shape at or above what a VM needs. Equal VMs share their shapes. */
export function rightSizer({ least = LEAST_CHANGE }: RightSizeOptions = {}) {
  const shapeFor = shapeFinder();
  return ({ path, vm, demands }: { readonly path: string; readonly vm: LintedVm; readonly demands: readonly Demand[] }): RightSized => {
    const { spec, target } = vm;
    const { vcpus } = spec.settings;
    const count = vcpus.state === "known" ? vcpus.value : undefined;
    const hosts = target.host ? [target.host, ...(target.otherHosts ?? [])] : [];
    const request = count === undefined ? undefined : requestOf(count, vm);
    const now = request && hosts.length > 0 ? shapeNow(spec.settings, request, hosts) : undefined;
    const common = {
      vm: spec.name,
      path,
      host: target.host?.name ?? null,
      on: target.host,
      cluster: target.cluster ?? spec.runsOn?.cluster ?? null,
      vcpus: count ?? null,
      layout: now?.topologies[0]?.numaClients ?? null,
      demands,
      rejected: [],
      against: [],
      isHot: false,
      assumesNoHotAdd: spec.settings.cpuHotAdd.state === "unknown",
      isLicenceOpen: (target.workload ?? target.guess)?.kind === "mssql" && target.workload?.licensing === undefined,
    };
    const undecided = (reason: string): RightSized => ({ ...common, action: "undecided", reason });
    if (demands.length === 0) return { ...common, action: "unmeasured", reason: "no export has a row for it" };
    if (count === undefined || !request) return undecided("its number of vCPUs is unknown");
    if (spec.platform === "kvm" || spec.platform === "other") return undecided("it is not a VM of ESXi");
    if (hosts.length === 0) return undecided("its host is unknown");
    if (hosts.some(({ esxi }) => esxi === undefined)) return undecided("the ESXi release of its host is unknown");
    const open = openSetting(spec.settings);
    if (open !== undefined) return undecided(open);
    const { guestOs } = spec.settings;
    const present = {
      ...{ vcpus: count, mhz: mhzOf(hosts), isOff: spec.off, ready: readyOf(vm, path, count), fixed: fixedBy(spec.settings) },
      guest: guestOs.state === "known" ? leastVcpusOf(String(guestOs.value)) : undefined,
    };
    const need = needOf(demands, present);
    if ("reason" in need) return undecided(need.reason);
    const most = Math.max(count, Math.min(...hosts.map(coresOf)));
    const shape = firstGood(need.vcpus, most, (n) => shapeFor(n, request, hosts));
    const decided = { ...common, need, rejected: rejectedOf(need, shape, (n) => shapeFor(n, request, hosts)) };
    const keep = (reason: string): RightSized => ({ ...decided, action: "keep", reason });
    if (!shape) {
      const [flaw] = shapeFor(isEvenNumber(need.vcpus) ? need.vcpus : need.vcpus + 1, request, hosts).flaws;
      const why = flaw?.message.replace(/\.$/, "") ?? "no source decides its layout";
      return keep(`each count from ${need.vcpus} to ${most} vCPUs has a flaw on its host, such as: ${why}`);
    }
    const change = shape.vcpus - count;
    if (change > 0 && need.vcpus <= count)
      return keep(`no count from ${need.vcpus} to ${count} has a better layout; the next is ${shape.vcpus}`);
    const good = change === 0 || Math.abs(change) >= least ? shape : shapeFor(count, request, hosts);
    if (good.vcpus !== count)
      return {
        ...decided,
        action: change < 0 ? "shrink" : "grow",
        reason: need.because,
        shape: good,
        isHot: isHotChange(spec.settings, good),
        licence: licenceOf(vm, count, good.vcpus),
        against: againstOf(need, good, count),
      };
    if (now && !now.isFlawless && good.isFlawless)
      return { ...decided, action: "reshape", reason: now.flaws[0]?.message ?? need.because, shape: good };
    return keep(change === 0 ? need.because : `a change of ${Math.abs(change)} is below the step of ${least}`);
  };
}

/** Settings that decide nodes and pinning, and that a proposal neither replaces nor keeps. */
const DECIDING: readonly SettingName[] = [...TOPOLOGY_SETTINGS, ...PLACEMENT_SETTINGS].filter(
  (name) => !["vcpus", "coresPerSocket", "hardwareVersion", ...KEPT].includes(name),
);

/** Returns why the nodes of another size are open: a setting that no proposal replaces decides them, or one is unknown. */
function openSetting(settings: Settings): string | undefined {
  const unknown = (["memoryMiB", "hardwareVersion"] as const).find((name) => settings[name].state === "unknown");
  if (unknown) return `${SETTING_WORDS[unknown]} is unknown`;
  const stated = DECIDING.find((name) => settings[name].state !== "absent");
  if (!stated) return undefined;
  return `${SETTING_WORDS[stated]} is ${settings[stated].state === "unknown" ? "unknown" : "set, and another size may need another value"}`;
}

function requestOf(vcpus: number, { spec: { settings }, target }: LintedVm): SizeRequest {
  const knownOf = <K extends SettingName>(name: K): SettingValues[K] | undefined => {
    const setting = settings[name];
    return setting.state === "known" ? (setting.value as SettingValues[K]) : undefined;
  };
  const [memoryMiB, hardwareVersion] = [knownOf("memoryMiB"), knownOf("hardwareVersion")];
  const keeps = Object.fromEntries(KEPT.map((name) => [name, knownOf(name)] as const).filter(([, value]) => value !== undefined));
  return {
    vcpus,
    ...(memoryMiB !== undefined && { memoryMiB }),
    ...(hardwareVersion !== undefined && HARDWARE_VERSIONS.includes(hardwareVersion) && { hardwareVersion }),
    ...(target.workload && { workload: target.workload }),
    keeps,
  };
}

/** Returns the present shape of a VM; `undefined` if one of its settings is unknown. */
function shapeNow(
  { vcpus, coresPerSocket, coresPerNumaNode }: Settings,
  request: SizeRequest,
  hosts: readonly HostModel[],
): Shape | undefined {
  if (vcpus.state !== "known" || coresPerSocket.state === "unknown") return undefined;
  const settings = {
    vcpus: vcpus.value,
    ...(request.hardwareVersion !== undefined && { hardwareVersion: request.hardwareVersion }),
    ...(coresPerSocket.state === "known" && { coresPerSocket: coresPerSocket.value }),
    ...(coresPerNumaNode.state === "known" && { coresPerNumaNode: coresPerNumaNode.value }),
  };
  return shapeOf(settings, request, hosts);
}

/** Finds the shapes of each count once for all VMs that have the same request and the same hosts. */
function shapeFinder(): (vcpus: number, request: SizeRequest, hosts: readonly HostModel[]) => Shape {
  const ids = new WeakMap<HostModel, number>();
  const shapes = new Map<string, Shape>();
  let last = 0;
  return (vcpus, request, hosts) => {
    const at = hosts.map((host) => getOrInsert(ids, host, () => ++last));
    const own = { ...request, vcpus };
    return getOrInsert(shapes, JSON.stringify([at, own]), () => bestShape(vcpus, own, hosts));
  };
}

/** People who size estates round odd numbers up (kanecharles92/vrops_right_sizing; cosmin.us on VCF Operations 9). */
const isEvenNumber = (vcpus: number): boolean => vcpus === 1 || vcpus % 2 === 0;

function firstGood(from: number, to: number, shapeFor: (vcpus: number) => Shape): Shape | undefined {
  for (let vcpus = from; vcpus <= to; vcpus++) {
    if (!isEvenNumber(vcpus)) continue;
    const shape = shapeFor(vcpus);
    if (shape.isFlawless) return shape;
  }
  return undefined;
}

/** Returns the recommended numbers that are not proposed, and why. */
function rejectedOf(
  { recommended, vcpus, because }: Need,
  shape: Shape | undefined,
  shapeFor: (vcpus: number) => Shape,
): readonly Rejected[] {
  const counts = [...new Set(recommended.map((one) => one.vcpus))].filter((count) => count !== shape?.vcpus);
  return counts.map((count) => {
    if (count < vcpus) return { vcpus: count, why: because };
    if (!isEvenNumber(count)) return { vcpus: count, why: "an odd number has no equal halves" };
    const [flaw] = shapeFor(count).flaws;
    return { vcpus: count, why: flaw ? flaw.message : "no source decides its layout" };
  });
}

/** vCenter and esxtop add the time up over all vCPUs. */
function readyOf({ spec, target: { running } }: LintedVm, path: string, vcpus: number): Figure | undefined {
  const cell = spec.measured?.readyPercent;
  const sum = cell?.value ?? running?.readyPercent;
  if (sum === undefined) return undefined;
  const { sheet, row = 0, title = "CPU ready" } = (cell && spec.cellAt?.(cell.range)) ?? {};
  return { path, sheet, row, title, value: perVcpu(sum, vcpus) };
}

/** The slowest host counts: a VM must fit there, too. */
function mhzOf(hosts: readonly HostModel[]): number | undefined {
  const all = hosts.map(({ mhz }) => mhz);
  return all.includes(undefined) ? undefined : Math.min(...(all as number[]));
}

/** VMware's appliances run Photon OS, and their documentation states their sizes. */
const fixedBy = ({ guestOs }: Settings): string | undefined =>
  guestOs.state === "known" && /photon/i.test(String(guestOs.value))
    ? "its guest is Photon OS, as in VMware's appliances: their documentation states their size"
    : undefined;

/**
 * SQL Server that is licensed by core needs a licence for each vCPU, and a least number; Oracle's licences count the cores of hosts. Licences
 * of Windows Server count the cores of the host, or the vCPUs of the VM, and a least number.
 */
function licenceOf({ spec, target: { workload } }: LintedVm, before: number, after: number): Licence | undefined {
  const { guestOs } = spec.settings;
  const texts: string[] = [];
  let change = 0;
  if (workload?.kind === "oracle") texts.push("Oracle counts the cores of the hosts: no licence changes");
  if (workload?.kind === "mssql" && workload.licensing === "core") {
    change = licences(after, LEAST_CORE_LICENCES) - licences(before, LEAST_CORE_LICENCES);
    texts.push(
      change === 0
        ? `no core licence is saved: a VM needs at least ${LEAST_CORE_LICENCES}`
        : change < 0
          ? `${plural(-change, "core licence")} returned`
          : `${plural(change, "core licence")} more`,
    );
  }
  if (guestOs.state === "known" && isWindowsServer(String(guestOs.value))) {
    const ofVm = licences(after, LEAST_WINDOWS_LICENCES) - licences(before, LEAST_WINDOWS_LICENCES);
    const words = ofVm === 0 ? `none: at least ${LEAST_WINDOWS_LICENCES}` : `${Math.abs(ofVm)} ${ofVm < 0 ? "fewer" : "more"}`;
    texts.push(`Windows Server: no licence changes if the host is licensed; licensed by VM, ${words}`);
  }
  return texts.length === 0 ? undefined : { change, text: texts.join("; ") };
}

const licences = (vcpus: number, least: number): number => Math.max(vcpus, least);

/** Few spare vCPUs are left above such a share. People who size estates leave 15 % above the highest peaks (spiral023/rvtools-analyzer). */
const MOST_USED = 0.85;

/**
 * Returns what speaks against a change. The public recommendations of VCF Operations 8.18.7 remove at most half (4 to 2 vCPUs, 32 to 16 GiB;
 * tests of an Aria MCP server, 2026-09-13).
 */
function againstOf({ peak, ready, windowMinutes, recommended }: Need, { vcpus }: Shape, count: number): readonly string[] {
  const isLess = vcpus < count;
  const counts = new Set(recommended.map((one) => one.vcpus));
  const spread = [Math.min(...counts), Math.max(...counts)];
  return [
    ...(isLess && !peak ? ["no peak is measured: the size rests on a recommendation alone"] : []),
    ...(isLess && peak && peak.vcpus > MOST_USED * vcpus
      ? [`the ${peak.figure.statistic ?? "peak"} takes ${peak.vcpus} of ${vcpus} vCPUs, ${Math.round((100 * peak.vcpus) / vcpus)} %`]
      : []),
    ...(isLess && peak && Math.max(...counts) > 0 && peak.vcpus > Math.max(...counts)
      ? [`the peak of ${peak.vcpus} vCPUs is above the recommended ${Math.max(...counts)}`]
      : []),
    ...(counts.size > 1 ? [`the recommendations differ: ${spread[0]} and ${spread[1]} vCPUs`] : []),
    ...(isLess && ready === undefined ? ["CPU ready is not measured"] : []),
    ...(2 * vcpus < count ? [`it removes ${count - vcpus} of ${count} vCPUs at once`] : []),
    ...(isLess && vcpus === 1 ? ["one busy thread then takes the whole VM"] : []),
    ...(windowMinutes === undefined ? ["the export has no times: its window is unknown"] : []),
  ];
}

/** Whether only sockets are added to a VM with hot add. */
const isHotChange = ({ cpuHotAdd, coresPerSocket, vcpus }: Settings, shape: Shape): boolean =>
  cpuHotAdd.state === "known" &&
  cpuHotAdd.value &&
  coresPerSocket.state === "known" &&
  coresPerSocket.value === shape.coresPerSocket &&
  vcpus.state === "known" &&
  shape.vcpus > vcpus.value;

/** The sums of a cluster. */
export interface ClusterSum {
  readonly cluster: string | null;
  readonly vms: Readonly<Record<Action, number>>;
  readonly vcpusReturned: number;
  readonly vcpusAdded: number;
  /** NUMA nodes of the host that VMs no longer need. */
  readonly nodesFreed: number;
  /** Core licences of declared workloads that are no longer needed, and that are needed more. */
  readonly licencesReturned: number;
  readonly licencesAdded: number;
}

/** Returns the sums of each cluster, in the order of the VMs. */
export function clusterSums(vms: readonly RightSized[]): readonly ClusterSum[] {
  const sums = new Map<string | null, ClusterSum>();
  const none = Object.fromEntries(ACTIONS.map((action) => [action, 0])) as Record<Action, number>;
  for (const { cluster, action, vcpus, shape, layout, licence } of vms) {
    const sum = getOrInsert(sums, cluster, () => ({
      ...{ cluster, vms: none, vcpusReturned: 0, vcpusAdded: 0, nodesFreed: 0, licencesReturned: 0, licencesAdded: 0 },
    }));
    const licences = licence?.change ?? 0;
    const change = shape && vcpus !== null ? shape.vcpus - vcpus : 0;
    const freed = shape && layout ? Math.max(0, layout.length - clientsOf(shape)) : 0;
    sums.set(cluster, {
      cluster,
      vms: { ...sum.vms, [action]: sum.vms[action] + 1 },
      vcpusReturned: sum.vcpusReturned + Math.max(0, -change),
      vcpusAdded: sum.vcpusAdded + Math.max(0, change),
      nodesFreed: sum.nodesFreed + freed,
      licencesReturned: sum.licencesReturned + Math.max(0, -licences),
      licencesAdded: sum.licencesAdded + Math.max(0, licences),
    });
  }
  return [...sums.values()];
}
