import type { Topology } from "../esxi/derive.ts";
import { mostFtVcpus } from "../limits/fault-tolerance.ts";
import { isHanaSize } from "../limits/hana.ts";
import { nodesForMemory } from "../limits/memory.ts";
import { nodeTrouble, sqlLimits } from "../limits/sql-server.ts";
import type { HostModel } from "../model/host.ts";
import { isFaultTolerant, type Workload } from "../model/workload.ts";

/** What a VM is for, as far as it is known. */
export interface Purpose {
  readonly host: HostModel;
  readonly workload: Workload | undefined;
  readonly memoryMiB: number | undefined;
}

/**
 * Whether what is known of a VM beside its nodes allows it a layout: they hold its memory, its licence takes so many vCPUs, and so do SAP
 * HANA in production and Fault Tolerance, and SQL Server takes so many in a node. So that no advice about nodes leads to another finding.
 */
export const suits = ({ vcpus, vnumaNodes, numaClients, esxi }: Topology, { host, workload, memoryMiB }: Purpose): boolean =>
  numaClients.length >= nodesForMemory(memoryMiB, host) &&
  isLicensed(vcpus, workload) &&
  !nodeTrouble(workload, Math.max(...vnumaNodes)) &&
  !(isFaultTolerant(workload) && vcpus > mostFtVcpus(esxi)) &&
  !(isHanaInProduction(workload) && !isHanaSize(vcpus, host));

/** By one of the versions it may be of, where that is not declared. */
function isLicensed(vcpus: number, workload: Workload | undefined): boolean {
  const limits = workload?.kind === "mssql" ? sqlLimits(workload) : [];
  return limits.length === 0 || limits.some(({ cores }) => cores === null || vcpus <= cores);
}

const isHanaInProduction = (workload: Workload | undefined): boolean => workload?.kind === "hana" && workload.environment === "production";
