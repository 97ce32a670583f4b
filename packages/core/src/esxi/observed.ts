import { sequence } from "../model/sequence.ts";
import { type Located, valueIfKnown } from "../model/source.ts";
import type { Observed, SettingName, VmSpec } from "../model/spec.ts";
import { isSure } from "./certainty.ts";
import type { Topology } from "./derive.ts";

/** The observed state of a running VM, compared with its computed topology. */
export interface Comparison {
  readonly observed: Located<Observed>;
  /** The nodes of the guest, by the reported size. */
  readonly nodes: readonly number[];
  readonly agrees: boolean;
  /** The settings of the VM that may explain a difference. */
  readonly explainedBy: readonly SettingName[];
}

/** Settings and stored values that may have changed since the VM started. */
const EXPLAIN = [
  "storedNodeSize",
  "coresPerNumaNode",
  "maxVcpusPerVnumaNode",
  "cpuHotAdd",
  "followCoresPerSocket",
] as const satisfies readonly SettingName[];

/** Compares the reported nodes of a VM with its topology; `undefined` without a report, or if the nodes are uncertain. */
export function compareObserved({ observed, settings }: VmSpec, topology: Topology): Comparison | undefined {
  const { vcpus, vnumaNodes, threadsPerCore, certainties } = topology;
  // No source shows how a size in cores counts virtual threads.
  if (!observed || threadsPerCore > 1 || !isSure(certainties.vnumaNodes)) return undefined;
  const nodes = nodesOf(vcpus, observed.value.nodeSize);
  const explainedBy = EXPLAIN.filter((name) => {
    const value = valueIfKnown<unknown>(settings[name]);
    return value !== undefined && value !== 0 && value !== false;
  });
  return { observed, nodes, agrees: nodes.join() === vnumaNodes.join(), explainedBy };
}

/** Returns the nodes of a number of vCPUs by size. */
const nodesOf = (vcpus: number, size: number): readonly number[] =>
  sequence(Math.ceil(vcpus / size), (i) => Math.min(size, vcpus - i * size));
