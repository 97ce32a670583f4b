import { sequence } from "../model/sequence.ts";
import { type Assumption, type DumpFacts, type DumpFormat, type Fail, linesOf } from "./facts.ts";
import { factsOfCpus, type LogicalCpu, seenIn } from "./grid.ts";

/** A line of a map: its owner and its marked logical CPUs. */
interface Entity {
  readonly label: string;
  readonly mask: string;
  /** One-based. */
  readonly line: number;
}

/**
 * Coreinfo of Sysinternals. Every map contains each logical CPU once, which reveals a truncated dump. CPU numbers are Windows', so only
 * their counts are used.
 */
export const coreinfo: DumpFormat = {
  id: "coreinfo",
  title: "Coreinfo",
  recognises: (text) => /^(Logical to Physical Processor Map|Logical Processor to (NUMA Node|Socket) Map):/m.test(text),
  see: (text, fail) => ({
    ...seenIn(cpusIn(text, fail), fail),
    ...(NO_NODES.test(text) && { nodes: [cpusIn(text, fail).map(({ id }) => id)] }),
  }),
  read(text, fail) {
    const facts = factsOfCpus(cpusIn(text, fail), fail);
    return { ...(NO_NODES.test(text) && { nodes: 1 }), ...facts, assumed: [...splitNodes(facts), ...hypervisor(text)] };
  },
};

function cpusIn(text: string, fail: Fail): readonly LogicalCpu[] {
  const cores = mapOf("Logical to Physical Processor Map", text, fail);
  const sockets = mapOf("Logical Processor to Socket Map", text, fail);
  const nodes = mapOf("Logical Processor to NUMA Node Map", text, fail);
  const caches = mapOf("Logical Processor to Cache Map", text, fail)?.filter(({ label }) => /Unified Cache\s.*\bLevel 3\b/.test(label));
  const width = (cores ?? sockets ?? nodes)?.[0]?.mask.length ?? 0;
  const [inCore, inSocket, inNode] = [cores, sockets, nodes].map((map) => map && memberships(map, width, fail));
  const inCache = caches && caches.length > 0 ? memberships(caches, width, fail) : undefined;
  return sequence(width, (id): LogicalCpu => ({ id, core: inCore?.[id], package: inSocket?.[id], node: inNode?.[id], l3: inCache?.[id] }));
}

/** Reads a map. Above 64 logical CPUs, a label has its own line, with a row per processor group below. */
function mapOf(title: string, text: string, fail: Fail): readonly Entity[] | undefined {
  const lines = linesOf(text);
  const start = lines.findIndex((line) => line.startsWith(`${title}:`));
  if (start < 0) return undefined;
  const maps: { label: string; mask: string; line: number }[] = [];
  for (const [i, line] of lines.entries()) {
    if (i <= start) continue;
    const [, mask, label] = /^([*-]+)(?:\s+(\S.*?))?\s*$/.exec(line) ?? [];
    const last = maps.at(-1);
    if (mask !== undefined && label !== undefined) maps.push({ label, mask, line: i + 1 });
    else if (mask !== undefined && last) last.mask += mask;
    else if (/^[A-Z].* \d+.*:\s*$/.test(line)) maps.push({ label: line.trim(), mask: "", line: i + 1 });
    else if (/^[A-Z].*(Map|Cost).*:/.test(line)) break;
  }
  if (maps.length === 0 && NO_NODES.test(text)) return undefined;
  if (maps.length === 0) fail(`"${title}" has no rows. Take the dump again.`, start + 1);
  return maps;
}

/** Returns the group of each logical CPU: each one must be in exactly one. */
function memberships(map: readonly Entity[], width: number, fail: Fail): readonly string[] {
  const groups: string[] = [];
  for (const [i, { label, mask, line }] of map.entries()) {
    if (mask.length !== width) fail(`This row is ${mask.length} CPUs wide and others are ${width}. Take the dump again.`, line);
    for (const [cpu, sign] of [...mask].entries()) {
      if (sign !== "*") continue;
      if (groups[cpu] !== undefined) fail(`CPU ${cpu} is in "${label}" and in another row. Take the dump again.`, line);
      groups[cpu] = String(i);
    }
  }
  const missing = sequence(width, (cpu) => cpu).find((cpu) => groups[cpu] === undefined);
  if (missing !== undefined) fail(`No row up to here has CPU ${missing}: the dump is truncated. Take it again.`, map.at(-1)?.line);
  return groups;
}

/** Replaces the rows of the map, or follows the only one. */
const NO_NODES = /^No NUMA nodes\./m;

/** The most logical CPUs of a processor group. */
const GROUP = 64;

/**
 * Before Server 2022 Windows cut a node of more than 64 logical CPUs into nodes that fit its groups (Microsoft, "NUMA Support": "the system
 * splits the node into multiple smaller nodes"); a dump does not show which nodes are the machine's own.
 */
function splitNodes({ threads = 0, nodes = 1, packages = 1 }: DumpFacts): readonly Assumption[] {
  const size = threads / nodes;
  if (nodes <= packages || size > GROUP || size * 2 <= GROUP) return [];
  return [
    {
      about: "nodes",
      text: `${nodes} NUMA nodes: Windows before Server 2022 splits larger nodes into parts of up to ${GROUP} logical CPUs`,
    },
  ];
}

/** Hyper-V sets the same flag on the machine it runs on. */
const hypervisor = (text: string): readonly Assumption[] =>
  /^HYPERVISOR\s+\*/m.test(text)
    ? [{ text: "the machine is no VM: a hypervisor is running, and inside a VM the dump shows the virtual topology it was given" }]
    : [];
