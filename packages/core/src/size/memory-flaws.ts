import { nodeMiB, ownedGiB, shownGiB } from "../limits/vm-memory.ts";
import type { FlawText, HostCandidate } from "./flaw.ts";

/** Finds memory that exceeds the host or its nodes. */
export function* memoryFlaws({ host, topology, request: { memoryMiB, workload } }: HostCandidate): Iterable<FlawText> {
  const { name, memoryGiB, nvmeTierGiB } = host;
  if (memoryMiB === undefined || memoryGiB === undefined) return;
  const hostMiB = memoryGiB * 1024;
  if (memoryMiB >= hostMiB) {
    yield [
      "memory-exceeds-host",
      `${name} has ${memoryGiB} GiB of ${nvmeTierGiB === undefined ? "memory" : "DRAM"} for itself and the VM; you asked for ${shownGiB(memoryMiB)} GiB.`,
    ];
    return;
  }
  // For a grid member, a separate flaw covers more than one node.
  if (workload?.kind === "imdg") return;
  const clients = topology.numaClients.length;
  const each = nodeMiB(host);
  const shareMiB = memoryMiB / clients;
  // No source documents ESXi's own share of a node, so a VM that exactly fills its nodes passes.
  if (each === undefined || shareMiB <= each) return;
  const memoryText = clients === 1 ? `${shownGiB(memoryMiB)} GiB` : `${shownGiB(shareMiB)} GiB for each of ${clients} nodes`;
  yield ["memory-remote", `${memoryText} are more than the ${ownedGiB(each)} GiB of a node on ${name}: the rest is remote.`];
}
