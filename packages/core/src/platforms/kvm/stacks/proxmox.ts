import { consecutive, sequence } from "../../../model/sequence.ts";
import type { Range } from "../../../model/source.ts";
import { PROXMOX_CPUS, PROXMOX_MEMORY, QEMU_NUMA, type Source } from "../../../model/sources.ts";
import type { KvmCell, KvmMachine, KvmRefusal } from "../../../model/spec.ts";
import { plural } from "../../../model/words.ts";

/*
 * Proxmox VE 9.2 (https://git.proxmox.com, qemu-server, e6352be67f70): src/PVE/QemuServer.pm and src/PVE/QemuServer/Memory.pm.
 */

/** One of `numa0` to `numa7`. */
export interface ProxmoxNode {
  readonly cpus: readonly number[] | undefined;
  readonly memoryMiB: number | undefined;
  readonly hostNodes: readonly number[] | undefined;
  readonly policy: string | undefined;
  readonly range: Range;
}

/** The keys that decide a machine. */
export interface ProxmoxConfig {
  readonly sockets: number;
  readonly cores: number;
  /** Missing or 0: all. */
  readonly vcpus: number | undefined;
  readonly memoryMiB: number;
  readonly numa: boolean;
  readonly nodes: readonly ProxmoxNode[];
  readonly hotplugsMemory: boolean;
  readonly hugePages: boolean;
  readonly isTemplate: boolean;
  /** Whether the CPU is a named model, whose L3 cache QEMU makes. */
  readonly sharesL3: boolean | null;
  /** The place of a key, or of the VM. */
  readonly at: (key: "sockets" | "vcpus" | "memory" | "numa" | "hotplug" | "hugepages") => Range;
}

/** The memory that Proxmox starts with if memory can be added. */
const STATIC_MIB = 1024;

/** Returns the machine of a configuration, or why it does not start. Threads are always 1. */
export function machineOfProxmox(config: ProxmoxConfig): KvmMachine | KvmRefusal {
  const [sockets, cores] = config.isTemplate ? [1, 1] : [config.sockets, config.cores];
  const possible = sockets * cores;
  const vcpus = config.isTemplate ? 1 : config.vcpus || possible;
  const refused = refusalOf(config, possible, vcpus);
  if (refused) return refused;
  const cells: readonly KvmCell[] =
    !config.numa || config.isTemplate ? [] : config.nodes.length > 0 ? customCells(config) : socketCells(config, cores);
  return {
    cores,
    threads: 1,
    present: sequence(vcpus, (i) => i),
    possible,
    cells,
    sharesL3: config.sharesL3,
    steps: [
      {
        text: `${plural(sockets, "socket")} of ${plural(cores, "core")}; Proxmox has no threads`,
        source: PROXMOX_CPUS,
        certainty: "documented",
      },
      ...(cells.length > 0
        ? [
            {
              text:
                config.nodes.length > 0
                  ? `${plural(cells.length, "NUMA node")} of numa0 to numa7`
                  : "numa: 1 makes each socket a NUMA node",
              source: PROXMOX_MEMORY,
              certainty: "documented" as const,
            },
          ]
        : []),
    ],
  };
}

const customCells = ({ nodes }: ProxmoxConfig): readonly KvmCell[] =>
  nodes.map(({ cpus = [], memoryMiB = null, hostNodes, range }) => ({ vcpus: cpus, memoryMiB, hostNodes, range }));

function socketCells({ sockets, memoryMiB, hotplugsMemory, at }: ProxmoxConfig, cores: number): readonly KvmCell[] {
  const size = memoryMiB / sockets;
  const range = at("numa");
  return consecutive(sequence(sockets, () => cores)).map((vcpus) => ({
    vcpus,
    memoryMiB: hotplugsMemory || !Number.isInteger(size) ? null : size,
    range,
  }));
}

type Refuse = (messageId: string, data: KvmRefusal["data"], message: string, at: Range, source?: Source) => KvmRefusal;

const refuse: Refuse = (messageId, data, message, at, source = PROXMOX_MEMORY) => ({ messageId, data, message, at, source });

/** Returns the first reason not to start, in the order of Memory.pm. */
function refusalOf(config: ProxmoxConfig, possible: number, vcpus: number): KvmRefusal | undefined {
  const { numa, nodes, memoryMiB, sockets, hotplugsMemory, hugePages, at } = config;
  if (vcpus > possible) return refuse("vcpus", { vcpus, possible }, "maxcpus must be equal to or greater than smp", at("vcpus"), QEMU_NUMA);
  if (hotplugsMemory) {
    if (!numa) return refuse("hotplugNeedsNuma", {}, "NUMA needs to be enabled for memory hotplug", at("hotplug"));
    if (nodes.length > 0) return refuse("hotplugCustom", {}, "cannot enable memory hotplugging with custom NUMA topology", at("hotplug"));
    if (memoryMiB < STATIC_MIB)
      return refuse("hotplugMemory", { memoryMiB, least: STATIC_MIB }, `minimum memory must be ${STATIC_MIB}MB`, at("memory"));
  }
  if (hugePages && !numa) return refuse("pagesNeedNuma", {}, "numa needs to be enabled to use hugepages", at("hugepages"));
  if (!numa || config.isTemplate) return undefined;
  if (nodes.length > 0) return refusedNode(config);
  // Perl divides to a fraction, and QEMU adds up rounded bytes.
  if (!hotplugsMemory && (memoryMiB * 2 ** 20) % sockets !== 0)
    return refuse("uneven", { memoryMiB, sockets }, "total memory for NUMA nodes should equal RAM size", at("memory"), QEMU_NUMA);
  return undefined;
}

function refusedNode({ nodes, hugePages, memoryMiB, at }: ProxmoxConfig): KvmRefusal | undefined {
  for (const [node, { cpus, memoryMiB: own, hostNodes, policy, range }] of nodes.entries()) {
    if (!own) return refuse("nodeMemory", { node }, `missing NUMA node${node} memory value`, range);
    if (!cpus) return refuse("nodeCpus", { node }, `missing NUMA node${node} cpus`, range);
    if (hostNodes && !policy) return refuse("policy", { node }, "you need to define a policy for hostnode", range);
    if (!hostNodes && hugePages) return refuse("pagesNeedNodes", { node }, "numa hostnodes need to be defined to use hugepages", range);
  }
  const sum = nodes.reduce((total, { memoryMiB: own = 0 }) => total + own, 0);
  if (sum !== memoryMiB)
    return refuse("sum", { sum, memoryMiB }, "total memory for NUMA nodes must be equal to vm static memory", at("memory"));
  return undefined;
}
