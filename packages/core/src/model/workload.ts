export const WORKLOAD_KINDS = [
  "mssql",
  "oracle",
  "hana",
  "postgresql",
  "mysql",
  "database",
  "latency",
  "imdg",
  "vdi",
  "ft",
  "general",
] as const;
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

export const SQL_EDITIONS = ["enterprise", "standard", "web", "express", "bi", "developer"] as const;
export type SqlEdition = (typeof SQL_EDITIONS)[number];

export const SQL_VERSIONS = ["2008r2", "2012", "2014", "2016", "2017", "2019", "2022", "2025"] as const;
export type SqlVersion = (typeof SQL_VERSIONS)[number];

export const SQL_LICENSING = ["core", "server-cal"] as const;
export type SqlLicensing = (typeof SQL_LICENSING)[number];

/** What runs in the VM, as its owner declares it. vmlint never guesses one from a name or a guest OS. */
export interface Workload {
  readonly kind: WorkloadKind;
  readonly edition?: SqlEdition;
  readonly version?: SqlVersion;
  readonly licensing?: SqlLicensing;
}

const DATABASES: readonly WorkloadKind[] = ["mssql", "oracle", "hana", "postgresql", "mysql", "database"];

export const isDatabase = (workload: Workload | undefined): boolean => workload !== undefined && DATABASES.includes(workload.kind);

/** Work that fills the CPUs it is given or cannot wait for them; VMs of any other kind share CPUs without being noticed. */
export const isDemanding = (workload: Workload | undefined): boolean => isDatabase(workload) || isLatencyCritical(workload);

/** Work for which latency sensitivity High is made: telephony, trading, in-memory grids. */
export const isLatencyCritical = (workload: Workload | undefined): boolean => workload?.kind === "latency" || workload?.kind === "imdg";
