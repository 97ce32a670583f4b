import { AUTO_TOPOLOGY_HARDWARE } from "../../limits/hardware.ts";
import { coresPerNode } from "../../model/host.ts";
import { CONFIG_OPTION_9, KB_374613, VHT_DOC, VTOPO_DOC_80, VTOPO80 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { largestDivisor } from "./divide.ts";
import { between, type Candidate, derived, documented, isEven, type Layout, type NumaInput, type Reason, undecided } from "./layout.ts";

export interface Sockets {
  readonly sockets: number;
  readonly coresPerSocket: number;
  readonly reasons: readonly Reason[];
}

/** Sockets and cores per socket as the guest sees them. */
export function deriveSockets(input: NumaInput, { nodes, clients }: Pick<Layout, "nodes" | "clients">): Sockets {
  const { vcpus, coresPerSocket, socketReasons, answers } = input;
  if (coresPerSocket !== "auto") {
    return { sockets: vcpus / coresPerSocket, coresPerSocket, reasons: [...socketReasons, ...openThreads(input)] };
  }
  const open = openQuestion(input, nodes);
  const candidates = open === undefined ? [] : automatic(input, nodes, clients);
  const likeliest = candidates[0]?.coresPerSocket ?? vcpus / nodes.length;
  const text = `ESXi chooses ${plural(vcpus / likeliest, "socket")} of ${likeliest} at power-on${likeliest === nodes[0] ? ", one for each virtual NUMA node" : ""}`;
  const reason = chosenReason(text, open, candidates, input, nodes);
  let cores = answers.to(reason).coresPerSocket ?? likeliest;
  const reasons = [reason];
  if (input.isByHardware && cores > 1) {
    const version = `no hardware version is stated: from ${AUTO_TOPOLOGY_HARDWARE} on ESXi chooses the sockets, below ${AUTO_TOPOLOGY_HARDWARE} each vCPU is one`;
    const question = between(version, VTOPO_DOC_80, [{ coresPerSocket: cores, source: VTOPO_DOC_80 }, ONE_CORE], "sockets");
    cores = answers.to(question).coresPerSocket ?? cores;
    reasons.push(question);
  }
  return { sockets: vcpus / cores, coresPerSocket: cores, reasons };
}

/** Returns the reason for automatic sockets. `open`: why no source decides them. */
function chosenReason(
  text: string,
  open: string | undefined,
  candidates: readonly Candidate[],
  { threadsPerCore }: NumaInput,
  nodes: readonly number[],
): Reason {
  const about = "sockets";
  // One socket for each node, for each client, for each cache and for each processor are the same.
  if (candidates.length === 1 && isEven(nodes) && threadsPerCore === 1) return { ...derived(`${text}; ${open}`, VTOPO_DOC_80), about };
  if (open) return between(`${text}: likely, but ${open}`, VTOPO_DOC_80, candidates, about);
  // Observed for 144 vCPUs, 2x72 on two nodes, on an unnamed host.
  if (nodes.length > 1) return { ...derived(text, KB_374613), about };
  // Observed in guests: 2 -> 1x2, 4 -> 1x4, 8 on an EPYC CCX -> 1x8, 14 on 22 cores -> 1x14.
  return { ...documented(text, VTOPO80), about };
}

/** The default before automatic sockets; with CPU hot add, no source rules it out. */
const ONE_CORE: Candidate = { coresPerSocket: 1, source: CONFIG_OPTION_9 };

/**
 * Returns the sockets that ESXi may choose without a source, likeliest first. All hold whole sockets of the vCPUs: one per node, per
 * client, per part of a node with one last-level cache, or per processor ("optimal coresPerSocket and optimal virtual L3 size"); or a single
 * one.
 */
function automatic({ vcpus, host, cpuHotAdd }: NumaInput, nodes: readonly number[], clients: readonly number[]): readonly Candidate[] {
  const node = Math.max(...nodes);
  const limits = [node, Math.max(...clients), Math.min(node, host.coresPerSocket), Math.min(node, host.coresPerL3 ?? node)];
  // A socket larger than a node's vCPUs would span two nodes.
  const cores = limits.map((max) => largestDivisor(vcpus, max, (size) => !isEven(nodes) || node % size === 0));
  const sizes = new Set([...cores.filter((size) => size > 1), vcpus]);
  const shapes = [...sizes].map((coresPerSocket) => ({ coresPerSocket, source: VTOPO_DOC_80 }));
  return cpuHotAdd ? [...shapes, ONE_CORE] : shapes;
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
  if (vcpus === 1) return undefined;
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
