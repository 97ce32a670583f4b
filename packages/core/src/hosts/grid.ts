import { addTo } from "../model/maps.ts";
import { plural } from "../model/words.ts";
import type { DumpFacts, Fail, SeenMachine } from "./facts.ts";

/** One logical CPU of a dump that lists them. A field the dump does not have is absent. */
export interface LogicalCpu {
  readonly id: number;
  readonly package?: string | undefined;
  /** Unique in the whole machine. */
  readonly core?: string | undefined;
  readonly node?: string | undefined;
  readonly l3?: string | undefined;
  /** One-based. */
  readonly line?: number | undefined;
}

/** Builds totals from a list of logical CPUs. Fails if the counts are not the same everywhere, because a host model is uniform. */
export function factsOfCpus(cpus: readonly LogicalCpu[], fail: Fail): DumpFacts {
  if (cpus.length === 0) return fail("The dump lists no CPU. Take it again.");
  numbered(cpus, fail);
  const packages = groups(cpus, "package", fail);
  const cores = groups(cpus, "core", fail);
  const nodes = groups(cpus, "node", fail);
  if (cores) within(cores, "package", fail);
  if (cores) within(cores, "node", fail);
  return {
    threads: cpus.length,
    ...(packages && { packages: packages.size }),
    ...(cores && { cores: cores.size }),
    ...(nodes && { nodes: nodes.size }),
    ...lastLevel(cpus, nodes?.size),
  };
}

/** Returns what a list of logical CPUs shows of a machine whose parts may differ. */
export function seenIn(cpus: readonly LogicalCpu[], fail: Fail): SeenMachine {
  if (cpus.length === 0) return fail("The dump lists no CPU. Take it again.");
  numbered(cpus, fail);
  const [packages, cores, nodes, l3] = (["package", "core", "node", "l3"] as const).map((field) => groupsOf(cpus, field));
  const ofSockets = [...(packages?.values() ?? [])].map((all) => new Set(all.map(({ core }) => core)).size);
  return {
    cpus: cpus.length,
    sockets: packages?.size,
    coresPerSocket: cores && new Set(ofSockets).size === 1 ? ofSockets[0] : undefined,
    threadsPerCore: cores && Math.max(...[...cores.values()].map(({ length }) => length)),
    nodes: nodes && [...nodes].sort(([a], [b]) => Number(a) - Number(b)).map(([, all]) => all.map(({ id }) => id).sort((a, b) => a - b)),
    omitsEmptyNodes: true,
    l3Caches: l3?.size,
  };
}

/** CPUs are numbered 0, 1, 2 ...: a missing number is an offline CPU or a missing line. */
function numbered(cpus: readonly LogicalCpu[], fail: Fail): void {
  const ids = new Set<number>();
  for (const { id, line } of cpus) {
    if (ids.has(id)) fail(`CPU ${id} is listed twice. Give each host a file of its own.`, line);
    ids.add(id);
  }
  for (let id = 0; id < cpus.length; id++) {
    if (!ids.has(id)) fail(`CPU ${id} is not listed: it is offline, or the dump is truncated. ${REMEDY}`, cpus.at(-1)?.line);
  }
}

/** Returns the core and the node of each CPU by its number; nothing if the dump lacks the cores. */
export function linuxCpus(cpus: readonly LogicalCpu[]): Pick<DumpFacts, "linuxCpus"> {
  const cores = groupsOf(cpus, "core");
  if (!cores || cpus.some(({ core }) => core === undefined)) return {};
  const numbers = new Map([...cores.keys()].map((core, i) => [core, i]));
  const inOrder = [...cpus].sort((a, b) => a.id - b.id);
  return { linuxCpus: inOrder.map(({ core = "", node = "0" }) => ({ core: numbers.get(core) ?? 0, node: Number(node) })) };
}

type Field = "package" | "core" | "node";
type Groups = ReadonlyMap<string, readonly LogicalCpu[]>;

const TITLES = { package: "package", core: "core", node: "NUMA node" } as const;

const REMEDY = "Take the dump again with every CPU online, or state the host by hand.";

function groups(cpus: readonly LogicalCpu[], field: Field, fail: Fail): Groups | undefined {
  const groups = groupsOf(cpus, field);
  if (!groups) return undefined;
  const title = TITLES[field];
  const without = cpus.find((cpu) => cpu[field] === undefined);
  if (without) return fail(`CPU ${without.id} has no ${title}, and others have one. ${REMEDY}`, without.line);
  const sizes = [...groups].map(([name, { length }]) => [length, `${title} ${name} has ${plural(length, "logical CPU")}`] as const);
  const [first] = sizes;
  const other = sizes.find(([size]) => size !== first?.[0]);
  if (!first || !other) return groups;
  const reason =
    field === "core" ? [`one core has ${plural(first[0], "logical CPU")}`, `another ${other[0]}`] : sizes.map(([, words]) => words);
  return fail(`${reason.join(", ")}: vmlint models hosts whose parts are equal. ${REMEDY}`, cpus.at(-1)?.line);
}

function groupsOf(cpus: readonly LogicalCpu[], field: Field | "l3"): Groups | undefined {
  const groups = new Map<string, LogicalCpu[]>();
  for (const cpu of cpus) {
    const name = cpu[field];
    if (name !== undefined) addTo(groups, name, cpu);
  }
  return groups.size > 0 ? groups : undefined;
}

function within(cores: Groups, field: "package" | "node", fail: Fail): void {
  for (const cpus of cores.values()) {
    const [first, other] = [cpus[0], cpus.find((cpu) => cpu[field] !== cpus[0]?.[field])];
    if (first && other) fail(`CPUs ${first.id} and ${other.id} are one core in two ${TITLES[field]}s. ${REMEDY}`, other.line);
  }
}

/** Returns the cores per last-level cache if it is the same everywhere and fewer than in a node. */
function lastLevel(cpus: readonly LogicalCpu[], nodes: number | undefined): Pick<DumpFacts, "coresPerL3" | "notes"> {
  const caches = groupsOf(cpus, "l3");
  const cores = groupsOf(cpus, "core")?.size;
  if (!caches || cores === undefined || cpus.some(({ l3 }) => l3 === undefined)) return {};
  const sizes = new Set([...caches.values()].map(({ length }) => length));
  if (sizes.size > 1) return { notes: ["the last-level caches serve unequal numbers of cores: they are left out"] };
  const coresPerL3 = cores / caches.size;
  return Number.isInteger(coresPerL3) && coresPerL3 < cores / (nodes ?? 1) ? { coresPerL3 } : {};
}
