import { groupText, isEven } from "../esxi/layout.ts";
import { isSupportedHana } from "../limits/hana.ts";
import { excess, type Limit } from "../limits/hardware.ts";
import { nodeTrouble, sqlLimits } from "../limits/sql-server.ts";
import { shownGiB } from "../limits/vm-memory.ts";
import { coresOf, type HostModel } from "../model/host.ts";
import { plural } from "../model/words.ts";
import type { Workload } from "../model/workload.ts";
import { FLAWS, type Flaw, type FlawText, type HostCandidate } from "./flaw.ts";
import { memoryFlaws } from "./memory-flaws.ts";
import { workloadFlaws } from "./workload-flaws.ts";

const CHECKS = [hardwareFlaws, workloadFlaws, layoutFlaws, memoryFlaws, openQuestions];

/** Returns the flaws of a candidate on one host, worst first. */
export const flawsOn = (candidate: HostCandidate): Flaw[] =>
  CHECKS.flatMap((check) => [...check(candidate)].map(([kind, text]): Flaw => ({ kind, host: candidate.host.name, text }))).sort(
    (a, b) => FLAWS.indexOf(a.kind) - FLAWS.indexOf(b.kind),
  );

/** Finds values above the limits of the virtual hardware, or only above the documented figure. */
function* hardwareFlaws({ host, topology, settings: { hardwareVersion }, request }: HostCandidate): Iterable<FlawText> {
  if (hardwareVersion === undefined) return;
  const { vcpus, coresPerSocket } = topology;
  const needs: readonly (readonly [Limit, number, string])[] = [
    ["vcpus", vcpus, "vCPUs"],
    ["coresPerSocket", coresPerSocket, "cores per socket"],
    ["memoryGiB", (request.memoryMiB ?? 0) / 1024, "GiB of memory"],
  ];
  for (const [limit, value, what] of needs) {
    const over = excess(limit, value, hardwareVersion, host.esxi);
    if (!over) continue;
    const most = over.certain ? over.most : over.documented;
    const source = over.certain ? "" : " by its documentation";
    yield ["exceeds-hardware", `Hardware version ${hardwareVersion} has at most ${most} ${what}${source}, not ${shownGiB(value * 1024)}.`];
  }
}

/** Finds flaws in the placement of the vCPUs and in the virtual nodes. */
function* layoutFlaws({ host, topology, request: { workload } }: HostCandidate): Iterable<FlawText> {
  const { vcpus, numaClients: clients, vnumaNodes: nodes, coresPerSocket, nodeCapacity } = topology;
  const on = `on ${host.name}`;
  const ofHost = plural(host.numaNodes, "node");
  const isSupported = isSupportedHana(workload, vcpus, host);
  if (vcpus > coresOf(host) && !isSupported)
    yield ["more-vcpus-than-cores", `${host.name} has ${plural(coresOf(host), "core")} for ${plural(vcpus, "vCPU")}.`];
  // Smaller nodes for SQL Server share physical nodes if they divide evenly over the host.
  const isHalved = clients.length % host.numaNodes === 0 && isCutForSqlServer(vcpus, workload, host);
  if (clients.length > host.numaNodes && !isHalved) {
    yield ["more-clients-than-nodes", `${vcpus} vCPUs make ${clients.length} groups (${groupText(clients)}) for ${ofHost} ${on}.`];
  }
  if (clients.some((client) => client > nodeCapacity)) {
    yield ["client-exceeds-node", `A group of ${Math.max(...clients)} vCPUs does not fit a node of ${nodeCapacity} ${on}.`];
  } else if (!isEven(clients) || !isEven(nodes)) {
    yield ["uneven", `${vcpus} vCPUs are split ${groupText(clients)} over ${ofHost} of ${nodeCapacity} ${on}.`];
  } else if (clients.length > 1 && vcpus % 2 === 1) {
    yield ["odd", `${vcpus} vCPUs span ${clients.length} nodes with an odd number of vCPUs in each (${groupText(clients)}) ${on}.`];
  }
  if (clients.length > nodes.length) {
    const seen = nodes.length === 1 ? "one node" : `${nodes.length} nodes`;
    yield ["hidden-nodes", `The guest sees ${seen} but the VM spans ${clients.length} ${on}.`];
  }
  if (nodes.length > 1 && isEven(nodes) && nodes.some((node) => node % coresPerSocket !== 0)) {
    yield ["socket-spans-nodes", `Virtual sockets of ${coresPerSocket} do not fit whole into nodes of ${groupText(nodes)} ${on}.`];
  }
}

/** Whether one node per physical node would exceed the size that SQL Server supports. */
export const isCutForSqlServer = (vcpus: number, workload: Workload | undefined, { numaNodes }: HostModel): boolean =>
  nodeTrouble(workload, Math.ceil(vcpus / numaNodes)) !== undefined;

/** Finds questions that no source decides, except how uneven nodes make sockets. */
function* openQuestions({ host, topology: { vnumaNodes, reasons }, request: { workload } }: HostCandidate): Iterable<FlawText> {
  const socketsCount = countsSockets(workload) && isEven(vnumaNodes);
  const open = reasons.find(({ certainty, about }) => certainty === "unknown" && (about === undefined || socketsCount));
  if (open) yield ["unknown", `No source describes it on ${host.name}: ${open.text}.`];
}

/** Whether the licence counts sockets, so that the cores per socket decide the usable vCPUs. */
const countsSockets = (workload: Workload | undefined): boolean =>
  workload?.kind === "mssql" && sqlLimits(workload).some(({ sockets }) => sockets !== null);
