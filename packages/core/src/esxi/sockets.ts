import { AUTO_TOPOLOGY_HARDWARE } from "../limits/hardware.ts";
import { coresPerNode } from "../model/host.ts";
import { valueIfKnown } from "../model/source.ts";
import { KB_374613, VHT_DOC, VTOPO_DOC_80, VTOPO80 } from "../model/sources.ts";
import type { VmSpec } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { derived, documented, isEven, type NumaInput, type Reason, undecided } from "./layout.ts";

/**
 * Cores per socket by the VM's own file and format, with the default of its hardware version: 1 before version 20,
 * chosen at power-on from then on. `undefined` when nothing states it, or the value is unknown.
 */
export function statedCoresPerSocket({ settings, defaults }: VmSpec): number | "auto" | undefined {
  if (settings.coresPerSocket.state !== "absent") return valueIfKnown(settings.coresPerSocket);
  if (defaults.coresPerSocket !== undefined) return defaults.coresPerSocket;
  const version = settings.hardwareVersion.state === "absent" ? defaults.hardwareVersion : valueIfKnown(settings.hardwareVersion);
  if (version === undefined) return undefined;
  return version >= AUTO_TOPOLOGY_HARDWARE ? "auto" : 1;
}

export interface Sockets {
  readonly sockets: number;
  readonly coresPerSocket: number;
  readonly reasons: readonly Reason[];
}

/** Sockets and cores per socket as the guest sees them. */
export function deriveSockets(input: NumaInput, nodes: readonly number[]): Sockets {
  const { vcpus, coresPerSocket } = input;
  if (coresPerSocket !== "auto") {
    return { sockets: vcpus / coresPerSocket, coresPerSocket, reasons: openThreads(input) };
  }
  const [node = vcpus] = nodes;
  const shape = { sockets: nodes.length, coresPerSocket: node };
  const text = `ESXi chooses ${plural(nodes.length, "socket")} of ${node} at power-on, one for each virtual NUMA node`;
  const open = openQuestion(input, nodes);
  if (open) return { ...shape, reasons: [{ ...undecided(`${text}: likely, but ${open}`, VTOPO_DOC_80), about: "sockets" }] };
  // Seen of 144 vCPUs, 2x72 on two nodes; on which host is not said.
  if (nodes.length > 1) return { ...shape, reasons: [{ ...derived(text, KB_374613), about: "sockets" }] };
  // Seen in guests: 2 -> 1x2, 4 -> 1x4, 8 on an EPYC CCX -> 1x8, 14 on 22 cores -> 1x14.
  return { ...shape, reasons: [{ ...documented(text, VTOPO80), about: "sockets" }] };
}

/** What is not known of stated cores per socket beside virtual hyper-threading. */
const openThreads = ({ threadsPerCore }: NumaInput): readonly Reason[] =>
  threadsPerCore > 1
    ? [
        {
          ...undecided("no source shows whether cpuid.coresPerSocket counts vCPUs or cores with cpuid.numSMT", VHT_DOC),
          about: "sockets",
        },
      ]
    : [];

/** What no source answers about automatic sockets for this VM. */
function openQuestion({ vcpus, threadsPerCore, cpuHotAdd, capacity, host }: NumaInput, nodes: readonly number[]): string | undefined {
  if (threadsPerCore > 1) return "no source shows it with cpuid.numSMT";
  if (cpuHotAdd) return "no source shows it with CPU hot add on";
  if (!isEven(nodes)) return "no source shows it for uneven nodes";
  if (nodes.length === 1 && vcpus > capacity) return "no source shows it for a VM wider than a node that sees only one";
  // A node may have the cores of several processors, where the firmware interleaves their memory.
  const most = Math.min(coresPerNode(host), host.coresPerSocket);
  if (Math.max(...nodes) > most)
    return `no source shows it beyond the ${most} cores of ${most < coresPerNode(host) ? "a processor" : "a node"}`;
  if (host.coresPerL3 !== undefined && vcpus > host.coresPerL3) return `no source shows it beyond one L3 group of ${host.coresPerL3} cores`;
  return undefined;
}
