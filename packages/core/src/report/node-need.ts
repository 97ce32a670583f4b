import { smallestNode } from "../advice/smallest-node.ts";
import { shownGiB } from "../limits/vm-memory.ts";
import type { VmSpec } from "../model/spec.ts";
import { plural } from "../model/words.ts";

/** Returns a sentence about the NUMA nodes that a large VM needs; empty for other VMs. */
export function nodeNeedWords(spec: VmSpec): string {
  const need = smallestNode(spec);
  if (!need) return "";
  const { cores, memoryMiB, halves } = need;
  const memory = memoryMiB === undefined ? "" : ` and ${shownGiB(memoryMiB)} GiB`;
  const fits = `Fits one NUMA node from ${plural(cores, "core")}${memory}`;
  if (!halves) return `${fits}.`;
  const { from, to } = halves;
  const sizes = from === to ? plural(from, "core") : `${from} to ${to} cores`;
  const each = memoryMiB === undefined ? "" : ` with at least ${shownGiB(memoryMiB / 2)} GiB each`;
  return `${fits}; halves evenly on nodes of ${sizes}${each} (ESXi 6.5 and later).`;
}
