import type { DumpFacts } from "./facts.ts";

/** The memory of a NUMA node. */
export interface NodeMemory {
  readonly name: string;
  readonly bytes: number;
  readonly hasCpus: boolean;
}

/** Firmware and a kernel use less than a tenth of a node; one more DIMM than another node's eight is an eighth. */
const EQUAL = 0.9;

/** Whether all nodes that can run VMs have equal memory, with the reason if not. */
export function sharesOf(nodes: readonly NodeMemory[]): Pick<DumpFacts, "unevenMemory" | "notes"> {
  const withCpus = nodes.filter(({ hasCpus }) => hasCpus);
  const memoryOnly = nodes.filter(({ hasCpus }) => !hasCpus);
  const sizes = withCpus.map(({ bytes }) => bytes);
  const differ = Math.min(...sizes) < EQUAL * Math.max(...sizes);
  const listed = withCpus.map(({ name, bytes }) => `NUMA node ${name} has ${gib(bytes)}`).join(", ");
  return {
    ...((differ || memoryOnly.length > 0) && { unevenMemory: true }),
    notes: [
      ...(differ ? [`${listed}: a model holds one size, so ${LEFT_OUT}`] : []),
      ...memoryOnly.map(({ name }) => `NUMA node ${name} has memory but no CPUs: it is ignored, and ${LEFT_OUT}`),
    ],
  };
}

const LEFT_OUT = "checks of a node's memory are left out";

/** Returns an amount for a note. */
export const gib = (bytes: number): string => `${Math.round((bytes / 2 ** 30) * 100) / 100} GiB`;
