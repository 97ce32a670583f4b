import { AUTO_TOPOLOGY_HARDWARE } from "../limits/hardware.ts";
import { coresPerNode } from "../model/host.ts";
import { CONFIG_OPTION_9, KB_374613, VHT_DOC, VTOPO_DOC_80, VTOPO80 } from "../model/sources.ts";
import { plural } from "../model/words.ts";
import { largestDivisor } from "./divide.ts";
import { between, type Candidate, derived, documented, isEven, type Layout, type NumaInput, type Reason, undecided } from "./layout.ts";

export interface Sockets {
  readonly sockets: number;
  readonly coresPerSocket: number;
  readonly reasons: readonly Reason[];
}

/** Sockets and cores per socket as the guest sees them. */
export function deriveSockets(input: NumaInput, { nodes, clients }: Pick<Layout, "nodes" | "clients">): Sockets {
  const { vcpus, coresPerSocket, socketReasons } = input;
  if (coresPerSocket !== "auto") {
    return { sockets: vcpus / coresPerSocket, coresPerSocket, reasons: [...socketReasons, ...openThreads(input)] };
  }
  const open = openQuestion(input, nodes);
  const candidates = open === undefined ? [] : automatic(input, nodes, clients);
  const cores = candidates[0]?.coresPerSocket ?? nodes[0] ?? vcpus;
  const shape = { sockets: vcpus / cores, coresPerSocket: cores };
  const text = `ESXi chooses ${plural(shape.sockets, "socket")} of ${cores} at power-on${cores === nodes[0] ? ", one for each virtual NUMA node" : ""}`;
  const fact = "sockets";
  const reasons: Reason[] = [];
  if (open) reasons.push(between(`${text}: likely, but ${open}`, VTOPO_DOC_80, candidates, fact));
  // Observed for 144 vCPUs, 2x72 on two nodes, on an unnamed host.
  else if (nodes.length > 1) reasons.push({ ...derived(text, KB_374613), about: fact });
  // Observed in guests: 2 -> 1x2, 4 -> 1x4, 8 on an EPYC CCX -> 1x8, 14 on 22 cores -> 1x14.
  else reasons.push({ ...documented(text, VTOPO80), about: fact });
  if (input.isByHardware && cores > 1) {
    const version = `no hardware version is stated: from ${AUTO_TOPOLOGY_HARDWARE} on ESXi chooses the sockets, below ${AUTO_TOPOLOGY_HARDWARE} each vCPU is one`;
    reasons.push(
      between(version, VTOPO_DOC_80, [...(open ? candidates : [{ coresPerSocket: cores, source: VTOPO_DOC_80 }]), ONE_CORE], fact),
    );
  }
  return { ...shape, reasons };
}

/** The default before automatic sockets; with CPU hot add, no source rules it out. */
const ONE_CORE: Candidate = { coresPerSocket: 1, source: CONFIG_OPTION_9 };

/**
 * Returns the sockets that ESXi may choose without a source, likeliest first. All hold whole sockets of the vCPUs: one per node, per
 * client, per part of a node with one last-level cache, or per processor ("optimal coresPerSocket and optimal virtual L3 size"); a single
 * one; and one core each.
 */
function automatic({ vcpus, host }: NumaInput, nodes: readonly number[], clients: readonly number[]): readonly Candidate[] {
  const node = Math.max(...nodes);
  const limits = [node, Math.max(...clients), Math.min(node, host.coresPerSocket), Math.min(node, host.coresPerL3 ?? node)];
  // A socket larger than a node's vCPUs would span two nodes.
  const cores = limits.map((max) => largestDivisor(vcpus, max, (size) => !isEven(nodes) || node % size === 0));
  return [...[...cores, vcpus].map((coresPerSocket) => ({ coresPerSocket, source: VTOPO_DOC_80 })), ONE_CORE];
}

/** Returns the open question about stated cores per socket with virtual hyper-threading. */
const openThreads = ({ threadsPerCore }: NumaInput): readonly Reason[] =>
  threadsPerCore > 1
    ? [
        {
          ...undecided("no source shows whether cpuid.coresPerSocket counts vCPUs or cores with cpuid.numSMT", VHT_DOC),
          about: "sockets",
        },
      ]
    : [];

/** Returns the question that no source answers about automatic sockets for this VM. */
function openQuestion({ vcpus, threadsPerCore, cpuHotAdd, capacity, host }: NumaInput, nodes: readonly number[]): string | undefined {
  if (threadsPerCore > 1) return "no source shows it with cpuid.numSMT";
  if (cpuHotAdd) return "no source shows it with CPU hot add on";
  if (!isEven(nodes)) return "no source shows it for uneven nodes";
  if (nodes.length === 1 && vcpus > capacity) return "no source shows it for a VM wider than a node that sees only one";
  // If the firmware interleaves memory, a node may have the cores of several processors.
  const max = Math.min(coresPerNode(host), host.coresPerSocket);
  if (Math.max(...nodes) > max)
    return `no source shows it beyond the ${max} cores of ${max < coresPerNode(host) ? "a processor" : "a node"}`;
  if (host.coresPerL3 !== undefined && vcpus > host.coresPerL3) return `no source shows it beyond one L3 group of ${host.coresPerL3} cores`;
  return undefined;
}
