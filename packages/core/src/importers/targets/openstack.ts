import { consecutive } from "../../model/sequence.ts";
import { numberRuns } from "../../model/words.ts";
import { flavorName, flavorText } from "../openstack-text.ts";
import { countsOf, type KeptVm, partsOf, type Target } from "./target.ts";

type Specs = readonly (readonly [key: string, value: string | number])[];

/** Nova divides vCPUs and memory over `hw:numa_nodes`. Other nodes need their own lists, as does memory that does not divide. */
function nodeSpecs({ nodes, vcpus, memoryMiB }: KeptVm): Specs | string {
  if (!nodes || nodes.length === 1) return [];
  if (memoryMiB === undefined) return "its memory is unknown, and each NUMA node needs a part of it";
  const count = ["hw:numa_nodes", nodes.length] as const;
  if (memoryMiB % nodes.length === 0 && nodes.every((size) => size === vcpus / nodes.length)) return [count];
  const parts = partsOf(memoryMiB, nodes.length);
  const cells = consecutive(nodes).map((ids, node) => [
    [`hw:numa_cpus.${node}`, numberRuns(ids)] as const,
    [`hw:numa_mem.${node}`, parts[node] ?? 0] as const,
  ]);
  return [count, ...cells.flat()];
}

function specsOf(vm: KeptVm): Specs | string {
  const counts = countsOf(vm);
  if (typeof counts === "string") return counts;
  const nodes = nodeSpecs(vm);
  return typeof nodes === "string"
    ? nodes
    : [...Object.entries(counts).map(([kind, count]) => [`hw:cpu_${kind}`, count] as const), ...nodes];
}

const properties = (specs: Specs): string => specs.map(([key, value]) => `--property ${key}=${value}`).join(" ");

/** A name for a shell of POSIX. */
const quoted = (name: string): string => `'${flavorName(name).replaceAll("'", "'\\''")}'`;

/** A flavor states sockets, cores, threads and NUMA nodes. Nova puts each node on a node of the host. */
export const openstack: Target = {
  name: "openstack",
  title: "OpenStack",
  format: "yaml",
  path: "flavor.yaml",
  separator: "",
  keep: (vm) => {
    const specs = specsOf(vm);
    if (typeof specs === "string") return { why: specs };
    const { name, vcpus, memoryMiB } = vm;
    if (memoryMiB === undefined) return { why: "its memory is unknown, and a flavor states it" };
    const commands = `openstack flavor create --vcpus ${vcpus} --ram ${memoryMiB} --disk 0 ${properties(specs)} -- ${quoted(name)}\n`;
    return { text: flavorText(name, { vcpus, memoryMiB, specs }), commands };
  },
  words: (vm) => {
    const specs = specsOf(vm);
    return typeof specs === "string" ? specs : specs.map(([key, value]) => `${key}=${value}`).join(" ");
  },
  memory: (memoryMiB) => `a flavor with ram ${memoryMiB}`,
  instead: {
    cpuReservation: "hw:cpu_policy=dedicated",
    memoryReservation: "hw:mem_page_size=large",
    latency: "hw:cpu_policy=dedicated with hw:emulator_threads_policy=isolate",
    affinity: "hw:cpu_policy=dedicated; Nova chooses the host CPUs",
    cpuHotAdd: "a larger flavor, which needs a restart",
    memoryHotAdd: "a larger flavor, which needs a restart",
  },
};
