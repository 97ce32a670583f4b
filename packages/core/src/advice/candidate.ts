import { mostFtVcpus } from "../limits/fault-tolerance.ts";
import { isHanaSize } from "../limits/hana.ts";
import { nodeTrouble, sqlLimits } from "../limits/sql-server.ts";
import { nodesForMemory } from "../limits/vm-memory.ts";
import type { HostModel } from "../model/host.ts";
import { isFaultTolerant, type Workload } from "../model/workload.ts";
import type { Topology } from "../platforms/esxi/derive.ts";

/** The known purpose of a VM: its host, workload and memory. */
interface Purpose {
  readonly host: HostModel;
  readonly workload: Workload | undefined;
  readonly memoryMiB: number | undefined;
}

/**
 * Whether a layout respects every other limit of the VM: memory per node, licence, SAP HANA in production, Fault Tolerance and SQL Server.
 * Advice that ignored one of these would lead to a new finding.
 */
export const fitsVm = ({ vcpus, vnumaNodes, numaClients, esxi }: Topology, { host, workload, memoryMiB }: Purpose): boolean =>
  numaClients.length >= nodesForMemory(memoryMiB, host) &&
  isLicensed(vcpus, workload) &&
  !nodeTrouble(workload, Math.max(...vnumaNodes)) &&
  !(isFaultTolerant(workload) && vcpus > mostFtVcpus(esxi)) &&
  !(isHanaInProduction(workload) && !isHanaSize(vcpus, host));

/** Without a declared version, one version that allows the count is enough. */
function isLicensed(vcpus: number, workload: Workload | undefined): boolean {
  const limits = workload?.kind === "mssql" ? sqlLimits(workload) : [];
  return limits.length === 0 || limits.some(({ cores }) => cores === null || vcpus <= cores);
}

const isHanaInProduction = (workload: Workload | undefined): boolean => workload?.kind === "hana" && workload.environment === "production";
