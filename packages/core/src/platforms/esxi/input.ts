import { AUTO_TOPOLOGY_HARDWARE, FIRST_HARDWARE, hasVirtualThreads } from "../../limits/hardware.ts";
import { atLeast, type EsxiVersion, formatEsxi, esxi as release } from "../../model/esxi.ts";
import { coresPerNode, type HostModel } from "../../model/host.ts";
import { valueIfKnown } from "../../model/source.ts";
import {
  CONFIG_OPTION_9,
  DENNEMAN_2010_PREFERHT,
  SOLORI_2010,
  SQL55,
  VHT_DOC,
  VIRTUAL_NUMA_API,
  VNUMA_ATTRIBUTES_60,
  VNUMA_ATTRIBUTES_70,
  VNUMA_CONTROLS_67,
  VTOPO_DOC_80,
} from "../../model/sources.ts";
import type { SettingName, SettingTypes, SettingValues, VmSpec } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { Answers } from "./answers.ts";
import { between, derived, documented, type NumaInput, type Reason, undecided } from "./layout.ts";

/** The default of `numa.vcpu.min`: a VM with fewer vCPUs sees one node (vSphere 5.0 to 8.0, Using Virtual NUMA). */
export const DEFAULT_MIN_VCPUS = 9;

/** Reads a setting: its replacement, otherwise its value, otherwise the default of its format. */
export type Read = <K extends SettingName>(name: K) => SettingTypes[K] | undefined;

/** Returns a reader of a VM with other values for some settings. */
export const reader =
  ({ settings, defaults }: Pick<VmSpec, "settings" | "defaults">, override: SettingValues): Read =>
  <K extends SettingName>(name: K): SettingTypes[K] | undefined =>
    override[name] ?? valueIfKnown<SettingTypes[K]>(settings[name]) ?? defaults[name];

/** Returns the VM's settings with the defaults of its ESXi version. Settings that few layouts need are read on demand. */
export function numaInput(
  get: Read,
  host: HostModel,
  esxi: EsxiVersion,
  virtualTopology: boolean,
  answers: NumaInput["answers"] = new Answers(),
): { readonly input: NumaInput; readonly reasons: readonly Reason[] } {
  const vcpus = get("vcpus") ?? 1;
  const reasons: Reason[] = [];
  const hostDefault = host.preferHt ?? false;
  const preferHt = get("preferHt") ?? hostDefault;
  const perNode = preferHt ? coresPerNode(host) * host.threadsPerCore : coresPerNode(host);
  if (perNode > coresPerNode(host))
    reasons.push(
      documented(`preferHT counts the ${plural(perNode, "thread")} of a node instead of its ${plural(coresPerNode(host), "core")}`, SQL55),
    );
  if (preferHt !== hostDefault && host.threadsPerCore > 1 && !atLeast(esxi, release(5, 0))) {
    const text = "before 5.0 preferHT is a setting of the whole host: no source shows numa.vcpu.preferHT there";
    reasons.push(undecided(text, DENNEMAN_2010_PREFERHT));
  }
  const limit = capacityByHand(vcpus, perNode, get("maxVcpusPerPhysicalNode"), get("maxVcpusPerClient"), esxi);
  reasons.push(...limit.reasons);
  const { capacity, nodeLimit } = limit;
  const threads = get("threadsPerCore") ?? 1;
  const threadsPerCore = hasVirtualThreads(esxi, get("hardwareVersion")) ? threads : 1;
  if (threads > threadsPerCore) {
    const text = `cpuid.numSMT needs ESXi 8.0 and hardware version ${FIRST_HARDWARE.hyperthreading}: no source shows whether this VM starts with it`;
    reasons.push({ ...undecided(text, VHT_DOC), about: "sockets" });
  }
  if (threadsPerCore > 1 && vcpus > capacity) {
    const text = `no source shows whether a node of ${capacity} holds ${vcpus} vCPUs that share virtual cores (cpuid.numSMT = ${threadsPerCore})`;
    reasons.push(undecided(text, VHT_DOC));
  }

  const stored = storedSizeOf(get, vcpus);
  const unused = stored === undefined && holdsFor(get, vcpus) ? get("storedNodeSize") : undefined;
  // Virtual NUMA nodes exist since 5.0.
  if (unused !== undefined && atLeast(esxi, release(5, 0)))
    reasons.push(documented(`the stored nodes of ${unused} do not count: the VM is sized anew at each power-on`, VNUMA_CONTROLS_67));

  const coresPerNumaNode = get("coresPerNumaNode") ?? 0;
  if (coresPerNumaNode > 0 && !virtualTopology)
    reasons.push(derived("numa.vcpu.coresPerNode came with ESXi 8.0 and does nothing before it", VIRTUAL_NUMA_API));
  const nodeSize = virtualTopology ? coresPerNumaNode : 0;
  const input = new Input(get, host, esxi, virtualTopology, vcpus, threadsPerCore, capacity, nodeLimit, nodeSize, stored, answers);
  return { reasons, input };
}

/** A class, because an object literal makes each getter anew for each VM. */
class Input implements NumaInput {
  readonly #get: Read;
  readonly #virtualTopology: boolean;
  #sockets: SettledSockets | undefined;
  readonly host: HostModel;
  readonly esxi: EsxiVersion;
  readonly vcpus: number;
  readonly threadsPerCore: number;
  readonly capacity: number;
  readonly nodeLimit: number;
  readonly coresPerNumaNode: number;
  readonly storedNodeSize: number | undefined;
  readonly answers: NumaInput["answers"];

  constructor(
    get: Read,
    host: HostModel,
    esxi: EsxiVersion,
    virtualTopology: boolean,
    vcpus: number,
    threadsPerCore: number,
    capacity: number,
    nodeLimit: number,
    coresPerNumaNode: number,
    storedNodeSize: number | undefined,
    answers: NumaInput["answers"],
  ) {
    this.#get = get;
    this.#virtualTopology = virtualTopology;
    this.host = host;
    this.esxi = esxi;
    this.vcpus = vcpus;
    this.threadsPerCore = threadsPerCore;
    this.capacity = capacity;
    this.nodeLimit = nodeLimit;
    this.coresPerNumaNode = coresPerNumaNode;
    this.storedNodeSize = storedNodeSize;
    this.answers = answers;
  }
  get #settled(): SettledSockets {
    this.#sockets ??= settledSockets(this.#get, this.vcpus, this.#virtualTopology, this.answers);
    return this.#sockets;
  }
  get coresPerSocket() {
    return this.#settled.coresPerSocket;
  }
  get socketReasons() {
    return this.#settled.reasons;
  }
  get isByHardware() {
    return this.#settled.isByHardware ?? false;
  }
  get hardwareVersion() {
    return this.#get("hardwareVersion");
  }
  get minVcpus() {
    return this.#get("vnumaMinVcpus") ?? DEFAULT_MIN_VCPUS;
  }
  get maxPerVnumaNode() {
    return this.#get("maxVcpusPerVnumaNode") ?? 0;
  }
  get storedCoresPerSocket() {
    return storedCoresPerSocket(this.#get("storedCookie"));
  }
  get autosize() {
    return this.#get("numaAutosize") ?? false;
  }
  get cpuHotAdd() {
    return this.#get("cpuHotAdd") ?? false;
  }
  get exposeVnumaOnHotAdd() {
    // vSphere 8.0, Configuring Virtual Topology: only for ESXi 8.0 and hardware version 20.
    const exposes = this.#virtualTopology && (this.#get("exposeVnumaOnHotAdd") ?? false);
    return exposes && (this.#get("hardwareVersion") ?? AUTO_TOPOLOGY_HARDWARE) >= AUTO_TOPOLOGY_HARDWARE;
  }
  get fixedAutoAffinity() {
    return this.#get("numaFixedAutoAffinity") ?? false;
  }
  get followCoresPerSocket() {
    return this.#get("followCoresPerSocket") ?? this.host.followCoresPerSocket ?? false;
  }
  get consolidate() {
    return this.#get("numaConsolidate") ?? true;
  }
}

/** Cores per socket with their reasons. */
interface SettledSockets {
  readonly coresPerSocket: number | "auto";
  /** Whether the unstated hardware version decides between this value and one core per socket. */
  readonly isByHardware?: boolean;
  readonly reasons: readonly Reason[];
}

/** Returns cores per socket if ESXi chooses them, or the stated ones do not apply. */
function settledSockets(get: Read, vcpus: number, virtualTopology: boolean, answers: NumaInput["answers"]): SettledSockets {
  const coresPerSocket = get("coresPerSocket");
  if (typeof coresPerSocket === "number") {
    if (vcpus > 1 || coresPerSocket === 1) return { coresPerSocket, reasons: [] };
    return {
      coresPerSocket: 1,
      reasons: [derived(`1 vCPU is 1 socket of 1: cores per socket (${coresPerSocket}) are then ignored`, SOLORI_2010)],
    };
  }
  if (!virtualTopology) return { coresPerSocket: 1, reasons: [] };
  // 1 before version 20, chosen at power-on from then on.
  const hardwareVersion = get("hardwareVersion");
  if (hardwareVersion === undefined) return { coresPerSocket: "auto", isByHardware: coresPerSocket === undefined, reasons: [] };
  if (hardwareVersion >= AUTO_TOPOLOGY_HARDWARE) return { coresPerSocket: "auto", reasons: [] };
  if (coresPerSocket === undefined || vcpus === 1) return { coresPerSocket: 1, reasons: [] };
  const text = `hardware version ${hardwareVersion} has no automatic sockets: one core per socket is its default`;
  const byDefault = { coresPerSocket: 1, source: CONFIG_OPTION_9 };
  const question = between(text, CONFIG_OPTION_9, [byDefault, { coresPerSocket: vcpus, source: VTOPO_DOC_80 }], "sockets");
  return { coresPerSocket: answers.to(question).coresPerSocket ?? byDefault.coresPerSocket, reasons: [question] };
}

/** Returns the most vCPUs of one client: the capacity of a node, or a manual limit. The defaults are the cores of the node. */
function capacityByHand(
  vcpus: number,
  perNode: number,
  perPhysicalNode: number | undefined,
  perClient: number | undefined,
  esxi: EsxiVersion,
): { readonly capacity: number; readonly nodeLimit: number; readonly reasons: readonly Reason[] } {
  const nodeLimit = perPhysicalNode ?? perNode;
  const capacity = Math.min(nodeLimit, perClient ?? nodeLimit);
  const reasons: Reason[] = [];
  if (capacity < perNode) {
    const text = `at most ${plural(capacity, "vCPU")} per client by hand`;
    // F. Denneman describes maxPerMachineNode for ESX 4.1 ("NUMA, Hyperthreading and NUMA.PreferHT", 2010).
    const since = capacity < nodeLimit ? release(5, 0) : release(4, 1);
    const source = atLeast(esxi, release(6, 5)) ? VNUMA_ATTRIBUTES_70 : VNUMA_ATTRIBUTES_60;
    // A limit at or above the size of the VM has no effect in any case.
    if (vcpus <= capacity) reasons.push(documented(`${text}, and the VM has no more`, source));
    else if (!atLeast(esxi, since))
      reasons.push(undecided(`${text}: no source shows the setting before ${formatEsxi(since)}`, VNUMA_ATTRIBUTES_60));
    // "Virtual NUMA Controls" and "Configuring Virtual Topology" of 8.0 have neither of the two settings.
    else if (atLeast(esxi, release(8, 0))) reasons.push(derived(`${text}: the pages of 8.0 leave the setting out`, source));
    else reasons.push(documented(text, source));
  }
  if (nodeLimit > perNode && vcpus > perNode) {
    const text = `numa.vcpu.maxPerMachineNode is ${nodeLimit} on nodes of ${perNode}: it is documented as a limit, and no source shows it raised`;
    reasons.push(undecided(text, VNUMA_ATTRIBUTES_60));
  }
  if (perClient !== undefined && perClient > nodeLimit && vcpus > nodeLimit)
    reasons.push(derived(`numa.vcpu.maxPerClient (${perClient}) allows more than the ${nodeLimit} that a node holds`, VNUMA_ATTRIBUTES_60));
  return { capacity, nodeLimit, reasons };
}

/**
 * Returns the node size of an earlier power-on if it is still valid. Its cookie (vCPUs x 10,000 and more) must match the vCPUs, and no
 * setting may request a new size at each power-on.
 */
export const storedNodeSize = (vm: Pick<VmSpec, "settings" | "defaults">, vcpus: number): number | undefined =>
  storedSizeOf(reader(vm, {}), vcpus);

function storedSizeOf(get: Read, vcpus: number): number | undefined {
  if (!holdsFor(get, vcpus) || get("numaAutosize") === true || get("numaAutosizeOnce") === false) return undefined;
  return get("storedNodeSize");
}

function holdsFor(get: Read, vcpus: number): boolean {
  const cookie = get("storedCookie");
  return cookie !== undefined && Math.floor(cookie / 10_000) === vcpus;
}

/** Since 7.0, the cookie ends in the cores per socket and a 2: 360022, 120122. */
function storedCoresPerSocket(cookie: number | undefined): number | undefined {
  return cookie !== undefined && cookie % 10 === 2 ? Math.floor((cookie % 10_000) / 10) : undefined;
}
