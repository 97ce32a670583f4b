import { consecutive, sequence } from "../../../model/sequence.ts";
import { type Range, valueIfKnown } from "../../../model/source.ts";
import { NOVA_HARDWARE } from "../../../model/sources.ts";
import type { KvmCell, KvmMachine, KvmRefusal } from "../../../model/spec.ts";
import { plural } from "../../../model/words.ts";
import { cpuSet } from "../../../syntax/values.ts";

/*
 * OpenStack Nova 34.0.0, nova/virt/hardware.py: get_best_cpu_topology and numa_get_constraints. The order of the checks is Nova's.
 */

type Values = Readonly<Record<string, string>>;

/** A flavor, and the properties of an image with their names in the file: `hw_cpu_sockets`. */
export interface Flavor {
  readonly vcpus: number;
  readonly ramMiB: number;
  /** Extra specs: `hw:cpu_sockets`. */
  readonly specs: Values;
  readonly image?: Values;
  /** Returns the place of an extra spec or of a property of the image, and without a key the flavor's. */
  readonly at: (key?: string) => Range;
}

const KINDS = ["sockets", "cores", "threads"] as const;

/** The largest limit, if none is stated. */
const NO_LIMIT = 65_536;

/** More NUMA nodes than an image can describe (ImageMetaProps.NUMA_NODES_MAX). */
const MOST_NODES = 128;

interface Problem {
  readonly name: string;
  readonly data?: KvmRefusal["data"];
  readonly key?: string;
}

/** Returns the machine of a flavor, or the exception of Nova. */
export function machineOfFlavor(flavor: Flavor): KvmMachine | KvmRefusal {
  const shape = shapeOf(flavor);
  if ("name" in shape) return refusal(flavor, shape);
  const cells = cellsOfFlavor(flavor);
  if ("name" in cells) return refusal(flavor, cells);
  const pci = pciPolicyOf(flavor);
  if (pci && "name" in pci) return refusal(flavor, pci);
  const [sockets, cores, threads] = shape.counts;
  const byPinning = cells.length > 0 && !(flavor.specs["hw:numa_nodes"] ?? flavor.image?.["hw_numa_nodes"]);
  const step = (text: string) => ({ text, source: NOVA_HARDWARE, certainty: "documented" as const });
  return {
    cores,
    threads,
    present: sequence(flavor.vcpus, (i) => i),
    possible: flavor.vcpus,
    cells,
    sharesL3: null,
    steps: [
      step(
        `${plural(sockets, "socket")} of ${plural(cores * threads, "vCPU")}: the fewest threads, then the most sockets within the wishes and limits`,
      ),
      ...(flavor.image ? [] : [step("an image may have other wishes and limits (hw_cpu_*), which the flavor does not show")]),
      ...(cells.length > 0
        ? [
            step(
              byPinning
                ? "dedicated CPUs or a page size make one NUMA cell"
                : `${plural(cells.length, "NUMA cell")}, which do not follow the sockets`,
            ),
          ]
        : []),
      ...(pci ? [step(`PCI devices (${pci.policy}): ${PCI_POLICIES[pci.policy]}`)] : []),
    ],
  };
}

/** The host devices that a server may get, by `hw:pci_numa_affinity_policy` (nova/api/validation/extra_specs/hw.py). */
const PCI_POLICIES: Readonly<Record<string, string>> = {
  required: "only of the host's NUMA nodes that its vCPUs use",
  legacy: "only of the host's NUMA nodes that its vCPUs use, or of an unknown node",
  preferred: "of any NUMA node of the host, first of the nodes that its vCPUs use",
  socket: "only of the host's sockets that its vCPUs use",
};

/** Returns the policy for PCI devices, which the flavor and the image must agree on (get_pci_numa_policy_constraint). */
function pciPolicyOf({ specs, image }: Flavor): { readonly policy: string } | Problem | undefined {
  const key = "hw:pci_numa_affinity_policy";
  const [ofFlavor, ofImage] = [specs[key], image?.["hw_pci_numa_affinity_policy"]];
  if (ofFlavor && ofImage && ofFlavor !== ofImage) return { name: "ImagePCINUMAPolicyForbidden", key };
  const policy = ofFlavor || ofImage;
  if (!policy) return undefined;
  return Object.hasOwn(PCI_POLICIES, policy) ? { policy } : { name: "InvalidPCINUMAAffinity", data: { policy }, key };
}

const refusal = ({ at }: Flavor, { name, data = {}, key }: Problem): KvmRefusal => ({
  messageId: name,
  data,
  message: name,
  at: at(key),
  source: NOVA_HARDWARE,
});

const numberOf = (values: Values | undefined, key: string): number => Number(values?.[key] ?? 0) || 0;

/** Returns the counts within the limits that follow the most wishes; the first in Nova's order if several do. */
function shapeOf({ vcpus, specs, image }: Flavor): { readonly counts: readonly [number, number, number] } | Problem {
  const flavorMost = KINDS.map((kind) => numberOf(specs, `hw:cpu_max_${kind}`));
  const imageMost = KINDS.map((kind) => numberOf(image, `hw_cpu_max_${kind}`));
  const above = KINDS.findIndex((_, i) => (flavorMost[i] ?? 0) > 0 && (imageMost[i] ?? 0) > (flavorMost[i] ?? 0));
  if (above >= 0)
    return {
      name: "ImageVCPULimitsRangeExceeded",
      data: { kind: KINDS[above], image: imageMost[above], flavor: flavorMost[above] },
      key: `hw_cpu_max_${KINDS[above]}`,
    };
  const most = KINDS.map((_, i) => imageMost[i] || flavorMost[i] || NO_LIMIT);
  let wishes = KINDS.map((kind) => numberOf(specs, `hw:cpu_${kind}`));
  if (wishes.some((wish, i) => wish > (most[i] ?? 0))) wishes = [0, 0, 0];
  const imageWishes = KINDS.map((kind) => numberOf(image, `hw_cpu_${kind}`));
  const beyond = imageWishes.findIndex((wish, i) => wish > (most[i] ?? 0));
  if (beyond >= 0)
    return {
      name: "ImageVCPUTopologyRangeExceeded",
      data: { kind: KINDS[beyond], wish: imageWishes[beyond], most: most[beyond] },
      key: `hw_cpu_${KINDS[beyond]}`,
    };
  if (imageWishes.some((wish) => wish > 0)) wishes = imageWishes;
  const divisors = sequence(vcpus, (i) => i + 1).filter((count) => vcpus % count === 0);
  const fits = divisors.flatMap((sockets) =>
    divisors
      .filter((cores) => (vcpus / sockets) % cores === 0)
      .map((cores) => [sockets, cores, vcpus / sockets / cores] as const)
      .filter((counts) => counts.every((count, i) => count <= (most[i] ?? 0))),
  );
  if (fits.length === 0) return { name: "ImageVCPULimitsRangeImpossible", data: { vcpus }, key: firstLimit(specs) };
  const matches = (counts: readonly number[]): number => counts.filter((count, i) => count === wishes[i]).length;
  const [best] = fits.sort((a, b) => matches(b) - matches(a) || b[0] * b[1] - a[0] * a[1] || b[0] - a[0]);
  return { counts: best ?? [vcpus, 1, 1] };
}

const firstLimit = (specs: Values): string => KINDS.map((kind) => `hw:cpu_max_${kind}`).find((key) => key in specs) ?? "";

const POLICIES = ["dedicated", "mixed", "shared"];

/** Returns the policy of CPUs, which the flavor and the image must agree on. */
function policyOf({ specs, image }: Flavor): { readonly policy: string | undefined } | Problem {
  const flavor = specs["hw:cpu_policy"];
  const ofImage = image?.["hw_cpu_policy"];
  if (flavor && !POLICIES.includes(flavor)) return { name: "InvalidCPUAllocationPolicy", data: { policy: flavor }, key: "hw:cpu_policy" };
  if (ofImage && !POLICIES.includes(ofImage))
    return { name: "InvalidCPUAllocationPolicy", data: { policy: ofImage }, key: "hw_cpu_policy" };
  const isForbidden = (flavor === "mixed" && ofImage === "dedicated") || (flavor === "shared" && ofImage && ofImage !== "shared");
  if (isForbidden) return { name: "ImageCPUPinningForbidden", key: "hw_cpu_policy" };
  return { policy: flavor || ofImage };
}

/** Checks the keys around the policy. */
function policyProblem(flavor: Flavor, policy: string | undefined): Problem | undefined {
  const { specs } = flavor;
  const threads = specs["hw:cpu_thread_policy"] ?? flavor.image?.["hw_cpu_thread_policy"];
  if (threads && !["prefer", "isolate", "require"].includes(threads))
    return { name: "InvalidCPUThreadAllocationPolicy", data: { policy: threads }, key: "hw:cpu_thread_policy" };
  const emulator = specs["hw:emulator_threads_policy"];
  if (emulator && !["isolate", "share"].includes(emulator))
    return { name: "InvalidEmulatorThreadsPolicy", data: { policy: emulator }, key: "hw:emulator_threads_policy" };
  const mask = specs["hw:cpu_dedicated_mask"];
  const isRealtime = /^(?:1|t|true|on|y|yes)$/i.test(specs["hw:cpu_realtime"] ?? "");
  if (policy === undefined || policy === "shared") {
    if (threads) return { name: "CPUThreadPolicyConfigurationInvalid", key: "hw:cpu_thread_policy" };
    if (emulator === "isolate") return { name: "BadRequirementEmulatorThreadsPolicy", key: "hw:emulator_threads_policy" };
    if (mask) return { name: "RequiredMixedInstancePolicy", key: "hw:cpu_dedicated_mask" };
    if (isRealtime) return { name: "RealtimeConfigurationInvalid", key: "hw:cpu_realtime" };
  } else if (policy === "dedicated" && mask) return { name: "RequiredMixedInstancePolicy", key: "hw:cpu_dedicated_mask" };
  else if (policy === "mixed" && (isRealtime ? mask : !mask)) return { name: "RequiredMixedOrRealtimeCPUMask", key: "hw:cpu_policy" };
  return undefined;
}

function cellsOfFlavor(flavor: Flavor): readonly KvmCell[] | Problem {
  const { specs, image = {} } = flavor;
  const found = policyOf(flavor);
  if ("name" in found) return found;
  // vmlint does not read requests for resources, which set a policy too.
  const isByResources = Object.keys(specs).some((key) => /^resources\d*:[VP]CPU$/.test(key) || key === "trait:HW_CPU_HYPERTHREADING");
  const problem = isByResources ? undefined : policyProblem(flavor, found.policy);
  if (problem) return problem;
  const wanted = specs["hw:numa_nodes"];
  if (wanted && image["hw_numa_nodes"]) return { name: "ImageNUMATopologyForbidden", key: "hw:numa_nodes" };
  const nodes = wanted ?? image["hw_numa_nodes"];
  if (nodes !== undefined && !(/^\d+$/.test(nodes) && Number(nodes) >= 1))
    return { name: "InvalidNUMANodesNumber", data: { nodes }, key: "hw:numa_nodes" };
  const pages = specs["hw:mem_page_size"];
  if (!pages && image["hw_mem_page_size"]) return { name: "MemoryPageSizeForbidden", key: "hw_mem_page_size" };
  const isPinned = found.policy === "dedicated" || found.policy === "mixed" || "resources:PCPU" in specs;
  if (nodes === undefined && !pages && !specs["hw:pmem"] && !isPinned) return [];
  return listedCells(flavor, Number(nodes ?? 1));
}

/** Returns the values of `key.0`, `key.1` and so on, up to the first that is missing. */
function listed(specs: Values, key: string): readonly string[] {
  const values = sequence(MOST_NODES, (node) => specs[`${key}.${node}`]);
  const end = values.indexOf(undefined);
  return (end < 0 ? values : values.slice(0, end)) as readonly string[];
}

function listedCells({ vcpus, ramMiB, specs, at }: Flavor, nodes: number): readonly KvmCell[] | Problem {
  const cpus = listed(specs, "hw:numa_cpus");
  const memory = listed(specs, "hw:numa_mem").map(Number);
  const range = at("hw:numa_nodes");
  if (cpus.length === 0 && memory.length === 0) {
    if (vcpus % nodes !== 0 || ramMiB % nodes !== 0)
      return { name: "ImageNUMATopologyAsymmetric", data: { vcpus, ramMiB, nodes }, key: "hw:numa_nodes" };
    return consecutive(sequence(nodes, () => vcpus / nodes)).map((ids) => ({ vcpus: ids, memoryMiB: ramMiB / nodes, range }));
  }
  if (cpus.length !== nodes || memory.length !== nodes)
    return { name: "ImageNUMATopologyIncomplete", data: { nodes, cpus: cpus.length, memory: memory.length }, key: "hw:numa_nodes" };
  const left = new Set(sequence(vcpus, (i) => i));
  const cells: KvmCell[] = [];
  for (const [node, text] of cpus.entries()) {
    const key = `hw:numa_cpus.${node}`;
    const set = parseCpus(text);
    const outside = set.find((vcpu) => vcpu >= vcpus);
    if (outside !== undefined) return { name: "ImageNUMATopologyCPUOutOfRange", data: { vcpu: outside, vcpus }, key };
    const twice = set.find((vcpu) => !left.has(vcpu));
    if (twice !== undefined) return { name: "ImageNUMATopologyCPUDuplicates", data: { vcpu: twice }, key };
    for (const vcpu of set) left.delete(vcpu);
    cells.push({ vcpus: set, memoryMiB: memory[node] ?? null, range: at(key) });
  }
  if (left.size > 0) return { name: "ImageNUMATopologyCPUsUnassigned", data: { vcpus: [...left] }, key: "hw:numa_cpus.0" };
  const sum = memory.reduce((total, size) => total + size, 0);
  return sum === ramMiB ? cells : { name: "ImageNUMATopologyMemoryOutOfRange", data: { sum, ramMiB }, key: "hw:numa_mem.0" };
}

/** Returns the vCPUs of `0-3,^2`. */
const parseCpus = (text: string): readonly number[] => valueIfKnown(cpuSet(text, [0, 0])) ?? [];
