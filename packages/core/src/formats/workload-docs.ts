import type { Workload } from "../model/workload.ts";

/** The meaning of each fact of a workload, for schemas and hovers. */
export const WORKLOAD_DOCS: Readonly<Record<keyof Workload, string>> = {
  kind: "The workload of the VM. Without it, vmlint may guess one from names, and findings then show the guess; none turns that off.",
  edition: "Edition of SQL Server: it decides how many sockets and cores are used.",
  version: "Version of SQL Server.",
  licensing: "How SQL Server is licensed: by core, or by server and client access licences, which stop at 20 cores.",
  update: "Cumulative update of SQL Server, as a number.",
  maxdop: "SQL Server's max degree of parallelism; 0 means all CPUs.",
  costThreshold: "SQL Server's cost threshold for parallelism.",
  concurrency: "Sessions that are busy at the same time.",
  profile: "Many short transactions (oltp), or few long queries (warehouse).",
  environment: "tier-1 is production that other VMs must not slow down.",
  data: "Disks that hold the database's data, such as scsi1:0.",
  log: "Disks that hold the database's log, such as scsi2:0.",
  faultTolerance: "Whether vSphere Fault Tolerance protects the VM; kind ft means the same.",
};
