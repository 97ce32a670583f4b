import { type Located, valueIfKnown } from "../model/source.ts";
import type { Observed, SettingName, VmSpec } from "../model/spec.ts";
import { isSure } from "./certainty.ts";
import type { Topology } from "./derive.ts";

/** What a running VM has, beside what is computed for it. */
export interface Compared {
  readonly observed: Located<Observed>;
  /** The nodes that the guest sees, by the size that is reported. */
  readonly nodes: readonly number[];
  readonly agrees: boolean;
  /** The settings of the VM that may have made another size than is computed. */
  readonly explainedBy: readonly SettingName[];
}

/** What an earlier power-on stored or somebody set: they may have changed since the VM was started. */
const EXPLAIN = [
  "storedNodeSize",
  "coresPerNumaNode",
  "maxVcpusPerVnumaNode",
  "cpuHotAdd",
  "followCoresPerSocket",
] as const satisfies readonly SettingName[];

/** Compares what is reported of a VM with its topology; `undefined` where nothing is, or the nodes are not certain. */
export function compareObserved({ observed, settings }: VmSpec, topology: Topology): Compared | undefined {
  const { vcpus, vnumaNodes, threadsPerCore, certainties } = topology;
  // How a size in cores counts virtual threads, no source says.
  if (!observed || threadsPerCore > 1 || !isSure(certainties.vnumaNodes)) return undefined;
  const nodes = nodesOf(vcpus, observed.value.nodeSize);
  const explainedBy = EXPLAIN.filter((name) => {
    const value = valueIfKnown<unknown>(settings[name]);
    return value !== undefined && value !== 0 && value !== false;
  });
  return { observed, nodes, agrees: nodes.join() === vnumaNodes.join(), explainedBy };
}

/** So many vCPUs in nodes of a size. */
const nodesOf = (vcpus: number, size: number): readonly number[] =>
  Array.from({ length: Math.ceil(vcpus / size) }, (_, i) => Math.min(size, vcpus - i * size));
