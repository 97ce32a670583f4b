import { atLeast, type EsxiVersion } from "../model/esxi.ts";
import { coresPerNode, type HostModel, threadsOf } from "../model/host.ts";
import { valueIfKnown } from "../model/source.ts";
import { AFFINITY_DOC, HARDWARE_DOC, NUMA_CONTROLS_DOC, VNUMA_CONTROLS_67 } from "../model/sources.ts";
import type { SettingName, SettingTypes, VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import { esxi4 } from "./esxi-4.ts";
import { esxi50 } from "./esxi-5.0.ts";
import { esxi65 } from "./esxi-6.5.ts";
import { esxi80 } from "./esxi-8.0.ts";
import { guestLimit } from "./guest.ts";
import { AUTO_TOPOLOGY_HARDWARE, MAX_VCPUS } from "./hardware.ts";
import { type Behaviour, type Certainty, documented, type NumaInput, type Reason, undecided, weakest } from "./layout.ts";
import { type Pinning, pinningOf } from "./pinning.ts";
import { powerOnErrors } from "./power-on.ts";
import { deriveSockets, statedCoresPerSocket } from "./sockets.ts";
import { usableVcpus } from "./sql-server.ts";

/** Newest first; a host's release picks the first it reaches. */
const BEHAVIOURS: readonly Behaviour[] = [esxi80, esxi65, esxi50, esxi4];

/** What a VM looks like from inside and how ESXi places it, on one host. */
export interface Topology {
  readonly esxi: EsxiVersion;
  readonly vcpus: number;
  readonly sockets: number;
  readonly coresPerSocket: number;
  /** vCPUs of each NUMA node the guest sees; one element: the guest sees none. */
  readonly vnumaNodes: readonly number[];
  /** vCPUs of each group that the scheduler keeps on one physical node. */
  readonly numaClients: readonly number[];
  /** Most vCPUs ESXi puts on one physical node: its cores, or its threads under preferHT. */
  readonly nodeCapacity: number;
  /** False when an affinity takes the VM out of NUMA scheduling: its clients are then not kept on nodes. */
  readonly numaManaged: boolean;
  readonly pinning: Pinning | null;
  /** After the limits of a declared SQL Server edition and licence; null when the declaration leaves it open. */
  readonly usableVcpus: number | null;
  /** After the socket limit of the guest OS. */
  readonly guestUsableVcpus: number;
  readonly certainty: Certainty;
  readonly reasons: readonly Reason[];
}

export type TopologyResult =
  | { readonly ok: true; readonly topology: Topology }
  | { readonly ok: false; readonly because: "unknown-value" | "no-esxi-version" | "no-power-on"; readonly reasons: readonly Reason[] };

/** The settings a topology depends on; it is not computed when one of them is there but unknown. */
export const TOPOLOGY_SETTINGS = [
  "vcpus",
  "coresPerSocket",
  "coresPerNumaNode",
  "threadsPerCore",
  "hardwareVersion",
  "cpuHotAdd",
  "preferHt",
  "vnumaMinVcpus",
  "maxVcpusPerVnumaNode",
  "maxVcpusPerPhysicalNode",
  "maxVcpusPerClient",
  "followCoresPerSocket",
  "numaConsolidate",
  "numaAutosize",
  "numaAutosizeOnce",
  "storedNodeSize",
  "storedCookie",
  "exposeVnumaOnHotAdd",
] as const satisfies readonly SettingName[];

/** Settings to derive a topology from in place of the VM's own: how a rule asks "what if". */
export type Override = Partial<Pick<SettingTypes, "vcpus" | "coresPerSocket" | "preferHt">>;

/** Pure and total: the same VM and host always give the same answer, and an impossible VM gives a reason. */
export function deriveTopology(vm: VmSpec, host: HostModel, workload?: Workload, override: Override = {}): TopologyResult {
  const esxi = host.esxi;
  if (!esxi) return no("no-esxi-version", undecided(`host ${host.name} does not state its ESXi version`));
  for (const name of TOPOLOGY_SETTINGS) {
    const setting = vm.settings[name];
    if (setting.state === "unknown" && !(name in override)) return no("unknown-value", undecided(`${name} is unknown: ${setting.reason}`));
  }
  // BEHAVIOURS ends with the oldest release vmlint models; an older host is treated as that.
  const behaviour = BEHAVIOURS.find(({ since }) => atLeast(esxi, since)) ?? esxi4;
  const { input, reasons: defaults } = numaInput(vm, host, esxi, behaviour.virtualTopology, override);
  const { vcpus } = input;
  if (vcpus > MAX_VCPUS)
    return no("no-power-on", documented(`no ESXi release runs ${vcpus} vCPUs; the most is ${MAX_VCPUS}`, HARDWARE_DOC));
  const errors = powerOnErrors(input, valueIfKnown(vm.settings.threadsPerCore) ?? 1);
  if (errors.length > 0) return no("no-power-on", ...errors);

  const layout = behaviour.layout(input);
  const shape = deriveSockets(input, layout.nodes);
  const placement = placementOf(vm, host, vcpus);
  const reasons = [...defaults, ...layout.reasons, ...shape.reasons, ...placement.reasons];
  const guest = guestLimit(valueIfKnown(vm.settings.guestOs) ?? "");
  return {
    ok: true,
    topology: {
      esxi,
      vcpus,
      sockets: shape.sockets,
      coresPerSocket: shape.coresPerSocket,
      vnumaNodes: layout.nodes,
      numaClients: layout.clients,
      nodeCapacity: input.capacity,
      numaManaged: placement.managed,
      pinning: placement.pinning,
      usableVcpus: usableVcpus(workload, vcpus, shape.coresPerSocket) ?? null,
      guestUsableVcpus: guest ? Math.min(vcpus, guest.sockets * shape.coresPerSocket) : vcpus,
      certainty: weakest(reasons),
      reasons,
    },
  };
}

const no = (because: "unknown-value" | "no-esxi-version" | "no-power-on", ...reasons: Reason[]): TopologyResult => ({
  ok: false,
  because,
  reasons,
});

/** The VM's settings with the defaults of its ESXi version. No setting read here is unknown. */
function numaInput(
  vm: VmSpec,
  host: HostModel,
  esxi: EsxiVersion,
  virtualTopology: boolean,
  override: Override,
): { input: NumaInput; reasons: readonly Reason[] } {
  const get = <K extends SettingName>(name: K): SettingTypes[K] | undefined =>
    valueIfKnown<SettingTypes[K]>(vm.settings[name]) ?? vm.defaults[name];
  const reasons: Reason[] = [];
  const vcpus = override.vcpus ?? get("vcpus") ?? 1;

  let coresPerSocket = override.coresPerSocket ?? statedCoresPerSocket(vm);
  if (coresPerSocket === undefined && virtualTopology) {
    coresPerSocket = "auto";
    reasons.push(
      undecided(
        `the hardware version is not stated: from ${AUTO_TOPOLOGY_HARDWARE} on ESXi chooses the sockets, before it makes one per vCPU`,
      ),
    );
  }
  if (!virtualTopology && (coresPerSocket === "auto" || coresPerSocket === undefined)) coresPerSocket = 1;

  const preferHt = override.preferHt ?? get("preferHt") ?? host.preferHt ?? false;
  const perNode = preferHt ? coresPerNode(host) * host.threadsPerCore : coresPerNode(host);
  if (preferHt)
    reasons.push(
      documented(`preferHT counts the ${perNode} threads of a node instead of its ${coresPerNode(host)} cores`, VNUMA_CONTROLS_67),
    );
  const cap = get("maxVcpusPerClient") ?? get("maxVcpusPerPhysicalNode");
  if (cap !== undefined) reasons.push(documented(`at most ${cap} vCPUs per client by hand`, VNUMA_CONTROLS_67));

  return {
    reasons,
    input: {
      vcpus,
      coresPerSocket: coresPerSocket ?? 1,
      hardwareVersion: get("hardwareVersion"),
      host,
      esxi,
      capacity: cap ?? perNode,
      minVcpus: get("vnumaMinVcpus") ?? 9,
      maxPerVnumaNode: get("maxVcpusPerVnumaNode") ?? 0,
      coresPerNumaNode: virtualTopology ? (get("coresPerNumaNode") ?? 0) : 0,
      storedNodeSize: storedNodeSize(vm, vcpus),
      cpuHotAdd: get("cpuHotAdd") ?? false,
      exposeVnumaOnHotAdd: get("exposeVnumaOnHotAdd") ?? false,
      followCoresPerSocket: get("followCoresPerSocket") ?? host.followCoresPerSocket ?? false,
      consolidate: get("numaConsolidate") ?? true,
    },
  };
}

/**
 * The node size of an earlier power-on, while it holds: the vCPU count it was made for (the cookie, vCPUs x 10,000
 * and more) is still the VM's, and nobody asked for a new one at each power-on.
 */
function storedNodeSize({ settings }: VmSpec, vcpus: number): number | undefined {
  const cookie = valueIfKnown(settings.storedCookie);
  if (cookie === undefined || Math.floor(cookie / 10_000) !== vcpus) return undefined;
  if (valueIfKnown(settings.numaAutosize) === true || valueIfKnown(settings.numaAutosizeOnce) === false) return undefined;
  return valueIfKnown(settings.storedNodeSize);
}

/** Affinities, and whether the NUMA scheduler still places the VM. */
function placementOf({ settings }: VmSpec, host: HostModel, vcpus: number) {
  const reasons: Reason[] = [];
  const affinity = valueIfKnown(settings.cpuAffinity);
  const pinning = affinity === undefined || affinity === "all" ? null : pinningOf(affinity, host);
  const memory = valueIfKnown(settings.memoryAffinity);
  const managed = pinning === null && (memory === undefined || memory === "all");
  if (!managed)
    reasons.push(
      documented("a CPU or memory affinity takes the VM out of NUMA scheduling: its vCPUs are not kept on one node", AFFINITY_DOC),
    );
  const nodes = valueIfKnown(settings.numaNodeAffinity);
  if (nodes !== undefined) {
    reasons.push(documented(`numa.nodeAffinity keeps the VM on nodes ${nodes.join(", ")}`, NUMA_CONTROLS_DOC));
    const reach = nodes.filter((node) => node < host.numaNodes).length * coresPerNode(host);
    if (vcpus > reach)
      reasons.push(
        undecided(`those nodes have ${reach} cores for ${vcpus} vCPUs: no source shows how ESXi then sizes the clients`, NUMA_CONTROLS_DOC),
      );
  }
  if (vcpus > threadsOf(host))
    reasons.push(undecided(`the host has ${threadsOf(host)} logical CPUs: a VM of ${vcpus} vCPUs is not expected to start on it`));
  return { reasons, pinning, managed };
}
