import { AUTO_TOPOLOGY_HARDWARE, FIRST_HARDWARE, hasVirtualThreads } from "../limits/hardware.ts";
import { atLeast, type EsxiVersion, formatEsxi, esxi as release } from "../model/esxi.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import { valueIfKnown } from "../model/source.ts";
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
} from "../model/sources.ts";
import type { SettingName, SettingTypes, SettingValues, VmSpec } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { derived, documented, type NumaInput, type Reason, undecided } from "./layout.ts";
import { statedCoresPerSocket } from "./sockets.ts";

/** `numa.vcpu.min` where nothing sets it: fewer vCPUs see one node (vSphere 5.0 to 8.0, Using Virtual NUMA). */
export const DEFAULT_MIN_VCPUS = 9;

/** The VM's settings with the defaults of its ESXi version. No setting read here is unknown. */
export function numaInput(
  vm: VmSpec,
  host: HostModel,
  esxi: EsxiVersion,
  virtualTopology: boolean,
  override: SettingValues,
): { input: NumaInput; reasons: readonly Reason[] } {
  const get = <K extends SettingName>(name: K): SettingTypes[K] | undefined =>
    override[name] ?? valueIfKnown<SettingTypes[K]>(vm.settings[name]) ?? vm.defaults[name];
  const vcpus = get("vcpus") ?? 1;
  const hardwareVersion = get("hardwareVersion");
  const { coresPerSocket, reasons } = settledSockets(
    override.coresPerSocket ?? statedCoresPerSocket(vm),
    vcpus,
    hardwareVersion,
    virtualTopology,
  );

  const ofHost = host.preferHt ?? false;
  const preferHt = get("preferHt") ?? ofHost;
  const perNode = preferHt ? coresPerNode(host) * host.threadsPerCore : coresPerNode(host);
  if (perNode > coresPerNode(host))
    reasons.push(
      documented(`preferHT counts the ${plural(perNode, "thread")} of a node instead of its ${plural(coresPerNode(host), "core")}`, SQL55),
    );
  if (preferHt !== ofHost && host.threadsPerCore > 1 && !atLeast(esxi, release(5, 0))) {
    const text = "before 5.0 preferHT is a setting of the host, which tells no VMs apart: no source shows numa.vcpu.preferHT there";
    reasons.push(undecided(text, DENNEMAN_2010_PREFERHT));
  }
  const limit = capacityByHand(vcpus, perNode, get("maxVcpusPerPhysicalNode"), get("maxVcpusPerClient"), esxi);
  reasons.push(...limit.reasons);
  const { capacity, nodeLimit } = limit;
  const asked = get("threadsPerCore") ?? 1;
  const threadsPerCore = hasVirtualThreads(esxi, hardwareVersion) ? asked : 1;
  if (asked > threadsPerCore) {
    const text = `cpuid.numSMT is of ESXi 8.0 and hardware version ${FIRST_HARDWARE.hyperthreading}: no source shows whether this VM starts with it`;
    reasons.push({ ...undecided(text, VHT_DOC), about: "sockets" });
  }
  if (threadsPerCore > 1 && vcpus > capacity) {
    const text = `no source shows whether a node of ${capacity} holds ${vcpus} vCPUs that share virtual cores (cpuid.numSMT = ${threadsPerCore})`;
    reasons.push(undecided(text, VHT_DOC));
  }

  const stored = storedNodeSize(vm, vcpus);
  const unused = stored === undefined && holdsFor(vm, vcpus) ? valueIfKnown(vm.settings.storedNodeSize) : undefined;
  // Nodes that the guest sees came with 5.0.
  if (unused !== undefined && atLeast(esxi, release(5, 0)))
    reasons.push(documented(`the stored nodes of ${unused} do not count: the VM is sized anew at each power-on`, VNUMA_CONTROLS_67));

  const coresPerNumaNode = get("coresPerNumaNode") ?? 0;
  if (coresPerNumaNode > 0 && !virtualTopology)
    reasons.push(derived("numa.vcpu.coresPerNode came with ESXi 8.0 and does nothing before it", VIRTUAL_NUMA_API));

  // vSphere 8.0, Configuring Virtual Topology: for ESXi 8.0 and hardware version 20 alone.
  const exposes = virtualTopology && (hardwareVersion ?? AUTO_TOPOLOGY_HARDWARE) >= AUTO_TOPOLOGY_HARDWARE;

  return {
    reasons,
    input: {
      vcpus,
      coresPerSocket,
      threadsPerCore,
      hardwareVersion,
      host,
      esxi,
      capacity,
      nodeLimit,
      minVcpus: get("vnumaMinVcpus") ?? DEFAULT_MIN_VCPUS,
      maxPerVnumaNode: get("maxVcpusPerVnumaNode") ?? 0,
      coresPerNumaNode: virtualTopology ? coresPerNumaNode : 0,
      storedNodeSize: override.numaAutosizeOnce === false ? undefined : stored,
      storedCoresPerSocket: storedCoresPerSocket(get("storedCookie")),
      autosize: get("numaAutosize") ?? false,
      cpuHotAdd: get("cpuHotAdd") ?? false,
      exposeVnumaOnHotAdd: exposes && (get("exposeVnumaOnHotAdd") ?? false),
      followCoresPerSocket: get("followCoresPerSocket") ?? host.followCoresPerSocket ?? false,
      consolidate: get("numaConsolidate") ?? true,
    },
  };
}

/** Cores per socket where ESXi chooses them, and where what is stated does not hold. */
function settledSockets(
  stated: number | "auto" | undefined,
  vcpus: number,
  hardwareVersion: number | undefined,
  virtualTopology: boolean,
): { readonly coresPerSocket: number | "auto"; readonly reasons: Reason[] } {
  if (typeof stated === "number") {
    if (vcpus > 1 || stated === 1) return { coresPerSocket: stated, reasons: [] };
    return {
      coresPerSocket: 1,
      reasons: [derived(`1 vCPU is 1 socket of 1: cores per socket (${stated}) are then ignored`, SOLORI_2010)],
    };
  }
  if (!virtualTopology) return { coresPerSocket: 1, reasons: [] };
  const about = "sockets";
  if (hardwareVersion !== undefined && hardwareVersion < AUTO_TOPOLOGY_HARDWARE) {
    const text = `hardware version ${hardwareVersion} knows no automatic sockets: one core per socket is its default`;
    return { coresPerSocket: 1, reasons: [{ ...undecided(text, CONFIG_OPTION_9), about }] };
  }
  if (stated === "auto") return { coresPerSocket: "auto", reasons: [] };
  const text = `the hardware version is not stated: from ${AUTO_TOPOLOGY_HARDWARE} on ESXi chooses the sockets, before it makes one per vCPU`;
  return { coresPerSocket: "auto", reasons: [{ ...undecided(text), about }] };
}

/** Most vCPUs of one client: what a node holds, or what was set by hand. The defaults are the node's cores. */
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
    // F. Denneman knows maxPerMachineNode of ESX 4.1 ("NUMA, Hyperthreading and NUMA.PreferHT", 2010).
    const since = capacity < nodeLimit ? release(5, 0) : release(4, 1);
    const source = atLeast(esxi, release(6, 5)) ? VNUMA_ATTRIBUTES_70 : VNUMA_ATTRIBUTES_60;
    // One that the VM stays within decides nothing about it, whether ESXi heeds it or not.
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
 * The node size of an earlier power-on, while it holds: the vCPU count it was made for (the cookie, vCPUs x 10,000
 * and more) is still the VM's, and nobody asked for a new one at each power-on.
 */
export function storedNodeSize(vm: Pick<VmSpec, "settings">, vcpus: number): number | undefined {
  const { settings } = vm;
  if (!holdsFor(vm, vcpus)) return undefined;
  if (valueIfKnown(settings.numaAutosize) === true || valueIfKnown(settings.numaAutosizeOnce) === false) return undefined;
  return valueIfKnown(settings.storedNodeSize);
}

const holdsFor = ({ settings }: Pick<VmSpec, "settings">, vcpus: number): boolean =>
  Math.floor((valueIfKnown(settings.storedCookie) ?? 0) / 10_000) === vcpus;

/** The cookie of 7.0 and later ends in the cores per socket and a 2: 360022, 120122. */
function storedCoresPerSocket(cookie: number | undefined): number | undefined {
  return cookie !== undefined && cookie % 10 === 2 ? Math.floor((cookie % 10_000) / 10) : undefined;
}
