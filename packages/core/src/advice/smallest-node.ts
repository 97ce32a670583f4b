import { valueIfKnown } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";

/** The NUMA nodes that a VM fits on any host. */
interface NodeNeed {
  /** The fewest cores of a node that holds all vCPUs. */
  readonly cores: number;
  /** The least memory of that node; `undefined` if the memory of the VM is unknown. */
  readonly memoryMiB: number | undefined;
  /** The node sizes that split the VM into two equal NUMA clients; `undefined` if no size does. */
  readonly halves: { readonly from: number; readonly to: number } | undefined;
}

/** A VM of this size fits one node of nearly every server, so a hint would not help. */
const SMALL_VCPUS = 8;
const SMALL_MIB = 64 * 1024;

/** Settings that size or place NUMA clients by other figures than the cores of a node. */
const BY_HAND: readonly SettingName[] = [
  "coresPerNumaNode",
  "threadsPerCore",
  "preferHt",
  "maxVcpusPerVnumaNode",
  "maxVcpusPerPhysicalNode",
  "maxVcpusPerClient",
  "followCoresPerSocket",
  "numaConsolidate",
  "numaNodeAffinity",
  "numaFixedAutoAffinity",
  "cpuAffinity",
];

/** Returns the nodes that a large VM fits on ESXi 6.5 and later; `undefined` for a small VM, and where a setting sizes its clients by hand or is unknown. */
export function smallestNode({ settings, defaults, platform }: VmSpec): NodeNeed | undefined {
  const vcpus = valueIfKnown(settings.vcpus) ?? (settings.vcpus.state === "absent" ? defaults.vcpus : undefined);
  const memoryMiB = valueIfKnown(settings.memoryMiB);
  if (platform === "other" || vcpus === undefined || BY_HAND.some((name) => settings[name].state !== "absent")) return undefined;
  if (vcpus <= SMALL_VCPUS && (memoryMiB ?? 0) <= SMALL_MIB) return undefined;
  const { coresPerSocket } = settings;
  const coresValue = valueIfKnown(coresPerSocket) ?? defaults.coresPerSocket ?? 1;
  const socket = coresValue === "auto" ? 1 : coresValue;
  // A client holds whole virtual sockets (DENNEMAN_2021_CPS).
  const canHalve = coresPerSocket.state !== "unknown" && vcpus % 2 === 0 && (vcpus / 2) % socket === 0;
  return { cores: vcpus, memoryMiB, halves: canHalve ? { from: vcpus / 2, to: vcpus - 1 } : undefined };
}
