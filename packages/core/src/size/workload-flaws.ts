import { groupText } from "../esxi/layout.ts";
import { knowsFtVcpus, mostFtGiB, mostFtVcpus } from "../limits/fault-tolerance.ts";
import { hanaSizes, isHanaSize, LEAST_HANA_VCPUS, shareGiB, sharesSockets } from "../limits/hana.ts";
import { nodeTrouble } from "../limits/sql-server.ts";
import { nodeMiB, ownedGiB, shownGiB } from "../limits/vm-memory.ts";
import { coresPerNode } from "../model/host.ts";
import { plural } from "../model/words.ts";
import { isFaultTolerant } from "../model/workload.ts";
import type { FlawText, HostCandidate } from "./flaw.ts";
import { workloadName } from "./request.ts";

/** Finds flaws for the declared workload. */
export function* workloadFlaws(candidate: HostCandidate): Iterable<FlawText> {
  const { workload } = candidate.request;
  if (isFaultTolerant(workload)) yield* faultToleranceFlaws(candidate);
  if (workload?.kind === "mssql") yield* sqlServerFlaws(candidate);
  if (workload?.kind === "hana" && workload.environment !== "test") yield* hanaFlaws(candidate);
  if (workload?.kind === "imdg") yield* gridFlaws(candidate);
}

function* faultToleranceFlaws({ host: { name, esxi }, topology, request: { memoryMiB = 0, workload } }: HostCandidate): Iterable<FlawText> {
  if (workload?.kind === "latency") yield ["fault-tolerance", "Fault Tolerance delays every answer of a latency-critical workload."];
  const most = mostFtVcpus(esxi);
  const where = esxi && knowsFtVcpus(esxi) ? ` on ${name}` : "";
  if (topology.vcpus > most) yield ["fault-tolerance", `Fault Tolerance protects at most ${plural(most, "vCPU")}${where}.`];
  const mostGiB = esxi && mostFtGiB(esxi);
  if (mostGiB !== undefined && memoryMiB > mostGiB * 1024)
    yield ["fault-tolerance", `Fault Tolerance protects at most ${mostGiB} GiB of memory on ${name}.`];
}

function* sqlServerFlaws({ host, topology: { vcpus, vnumaNodes, usableVcpus }, request: { workload } }: HostCandidate): Iterable<FlawText> {
  if (!workload) return;
  const node = Math.max(...vnumaNodes);
  const trouble = nodeTrouble(workload, node);
  const what = `with a NUMA node of ${node} vCPUs on ${host.name}`;
  if (trouble === "refused") yield ["refused-by-sql-server", `${workloadName(workload)} does not start ${what}.`];
  else if (trouble === "doubtful") yield ["unsupported-node", `${workloadName(workload)} may not start ${what}.`];
  else if (trouble) yield ["unsupported-node", `Microsoft does not support ${workloadName(workload)} ${what}.`];
  if (usableVcpus !== null && usableVcpus < vcpus) yield ["licence", `${workloadName(workload)} uses ${usableVcpus} of ${vcpus} vCPUs.`];
}

function* hanaFlaws({ host, topology: { vcpus, nodeCapacity }, request: { memoryMiB = 0 } }: HostCandidate): Iterable<FlawText> {
  if (!isHanaSize(vcpus, host) || vcpus < LEAST_HANA_VCPUS) {
    const sizes = hanaSizes(host, nodeCapacity > coresPerNode(host));
    const what = sharesSockets(host) ? "half a socket or whole sockets" : "whole sockets";
    const counts = sizes.length > 0 ? ` (${sizes.join(", ")} vCPUs)` : "";
    yield ["no-hana-size", `SAP HANA in production takes ${what} of at least ${LEAST_HANA_VCPUS} cores${counts} on ${host.name}.`];
    return;
  }
  // In cores: if the size counts threads, its share is no larger.
  const share = shareGiB(vcpus, host);
  if (share !== undefined && memoryMiB > share * 1024) {
    const text = `With ${vcpus} vCPUs, SAP HANA in production can have ${ownedGiB(share * 1024)} GiB on ${host.name}; you asked for ${shownGiB(memoryMiB)} GiB.`;
    yield ["memory-beyond-share", text];
  }
}

/** Grids grow by more members, not by larger ones (Apache Geode: a member fits one NUMA node). */
function* gridFlaws({ host, topology, request: { memoryMiB = 0 } }: HostCandidate): Iterable<FlawText> {
  const { vcpus, numaClients: clients, nodeCapacity } = topology;
  const instead = "a member of an in-memory grid should fit one; use more members.";
  if (clients.length > 1)
    yield [
      "member-exceeds-node",
      `${vcpus} vCPUs span ${clients.length} nodes (${groupText(clients)}) of ${nodeCapacity} on ${host.name}: ${instead}`,
    ];
  const each = nodeMiB(host);
  if (each !== undefined && memoryMiB > each)
    yield [
      "member-exceeds-node",
      `${shownGiB(memoryMiB)} GiB are more than the ${ownedGiB(each)} GiB of a node on ${host.name}: ${instead}`,
    ];
}
