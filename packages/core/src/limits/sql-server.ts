import { sequence } from "../model/sequence.ts";
import { type Source, SQL_2014_CAPACITY, SQL_2025_CAPACITY, SQL_CAPACITY, SQL_EDITIONS_DOC, SQL55 } from "../model/sources.ts";
import { type Edition, SQL_VERSIONS, type Version, type Workload } from "../model/workload.ts";

/** The fewest core licences of a VM that is licensed by core (SQL_2022_LICENSING). */
export const LEAST_CORE_LICENCES = 4;

/** A licence limit on sockets and cores; the lower one applies. `null` means the limit of the OS. */
interface SqlLimit {
  readonly sockets: number | null;
  readonly cores: number | null;
  readonly source: Source;
}

const NO_LIMIT = { sockets: null, cores: null, source: SQL_CAPACITY };
const limit = (sockets: number | null, cores: number | null, source = SQL_CAPACITY): SqlLimit => ({ sockets, cores, source });

/**
 * In a VM the limits count the logical processors that the guest sees (the 32-vCPU ERRORLOG line of the 5.5 study). Server+CAL has this one
 * since 2012, the first version licensed by core.
 */
const CAL = limit(null, 20, SQL55);

const STANDARD_2025 = limit(4, 32, SQL_2025_CAPACITY);

const UNTIL_2014 = {
  standard: limit(4, 16, SQL_2014_CAPACITY),
  bi: limit(4, 16, SQL_2014_CAPACITY),
  web: limit(4, 16, SQL_2014_CAPACITY),
  express: limit(1, 4, SQL_2014_CAPACITY),
  enterprise: NO_LIMIT,
  developer: NO_LIMIT,
};
const UNTIL_2022 = {
  standard: limit(4, 24),
  web: limit(4, 16, SQL_EDITIONS_DOC),
  express: limit(1, 4),
  enterprise: NO_LIMIT,
  developer: NO_LIMIT,
};

/** Microsoft, "Compute capacity limits by edition of SQL Server", by version. Editions that a version does not have are missing. */
const LIMITS: Readonly<Partial<Record<Version, Partial<Record<Edition, SqlLimit | readonly SqlLimit[]>>>>> = {
  // The page of 2008 R2 was not read: Standard has the sockets of every later version; Enterprise, Web and Express are missing, so unknown.
  "2008r2": { standard: limit(4, null) },
  // The table in the page of 2012 was not read; a secondary source gives the figures of 2014.
  "2012": UNTIL_2014,
  "2014": UNTIL_2014,
  "2016": UNTIL_2022,
  "2017": UNTIL_2022,
  "2019": UNTIL_2022,
  "2022": UNTIL_2022,
  // Developer exists as Enterprise Developer, and as Standard Developer with the limits of Standard.
  "2025": {
    standard: STANDARD_2025,
    express: limit(1, 4),
    enterprise: NO_LIMIT,
    developer: [NO_LIMIT, STANDARD_2025],
    "standard-developer": STANDARD_2025,
    "enterprise-developer": NO_LIMIT,
  },
};

/**
 * Returns the limits that may apply to a workload: one if its version is declared (two for an edition with two variants), otherwise one per
 * version with this edition. Empty if the edition is not declared or the limit is unknown.
 */
export function sqlLimits({ edition, version, licensing }: Workload): readonly SqlLimit[] {
  if (edition === undefined || (edition === "enterprise" && version === "2008r2")) return [];
  if (edition === "enterprise" && licensing === "server-cal") return [CAL];
  // Enterprise has two licence models, and only one has a limit, so without the model nothing is certain.
  if (edition === "enterprise" && licensing === undefined) return [NO_LIMIT, CAL];
  const versions = version === undefined ? SQL_VERSIONS : [version];
  return versions.flatMap((v) => LIMITS[v]?.[edition] ?? []);
}

/** Returns the vCPUs that SQL Server can use; `undefined` if the declared facts do not decide it. */
export function usableVcpus(workload: Workload | undefined, vcpus: number, coresPerSocket: number): number | undefined {
  if (workload?.kind !== "mssql") return vcpus;
  const usable = new Set(
    sqlLimits(workload).map(({ sockets, cores }) => Math.min(vcpus, cores ?? vcpus, sockets === null ? vcpus : sockets * coresPerSocket)),
  );
  return usable.size === 1 ? [...usable][0] : undefined;
}

/**
 * The largest buffer pool of an instance in MiB ("Editions and supported features", Scale limits); until 2014 the pages call it the memory
 * of the instance. 2012 is missing, because its page was not read. Enterprise and Developer are missing, because they use the limit of the
 * OS (2 TB in 2008 R2), or may be Standard (Developer of 2025).
 */
const BUFFER_POOL_MIB: Partial<Record<Edition, number>> = { standard: 128 * 1024, web: 64 * 1024, express: 1410 };
const BUFFER_POOLS: Partial<Record<Version, Partial<Record<Edition, number>>>> = {
  "2008r2": { standard: 64 * 1024, web: 64 * 1024, express: 1024 },
  "2014": { standard: 128 * 1024, bi: 128 * 1024, web: 64 * 1024, express: 1024 },
  "2016": BUFFER_POOL_MIB,
  "2017": BUFFER_POOL_MIB,
  "2019": BUFFER_POOL_MIB,
  "2022": BUFFER_POOL_MIB,
  "2025": { standard: 256 * 1024, "standard-developer": 256 * 1024, express: 1410 },
};

/** Returns the buffer pool limit of a declared edition and version; `undefined` if there is none or it is unknown. */
export const bufferPoolMiB = ({ edition, version }: Workload): number | undefined => edition && version && BUFFER_POOLS[version]?.[edition];

/**
 * The most MiB for columnstore segments of an instance, and for in-memory tables of a database, in addition to the buffer pool (the same
 * pages: 32 GB in Standard, 16 GB in Web, 352 MB in Express from 2016 SP1 on; until 2014 the same values serve editions without these
 * features).
 */
const BESIDE_POOL_MIB: Partial<Record<Edition, number>> = {
  standard: 32 * 1024,
  "standard-developer": 32 * 1024,
  bi: 32 * 1024,
  web: 16 * 1024,
  express: 352,
};

/** Returns the most MiB for columnstore, and for in-memory tables of one database, in addition to the pool. */
export const besidePoolMiB = ({ edition }: Workload): number => (edition && BESIDE_POOL_MIB[edition]) ?? 0;

/** Versions that divide NUMA nodes of more than 8 automatically ("Soft-NUMA"; 2014 SP2 does with a trace flag). */
export const dividesNodes = (version: Version): boolean => SQL_VERSIONS.indexOf(version) >= SQL_VERSIONS.indexOf("2016");

/** The ideal number of logical processors in a soft-NUMA node. */
const SOFT_NODE = 8;

/**
 * Returns the soft-NUMA nodes of a NUMA node. Derived: the page describes "ideally eight", down to four or five and up to eight or nine
 * depending on its revision, and shows a log with even nodes.
 */
export function softNumaNodes(size: number): readonly number[] {
  const count = Math.ceil(size / SOFT_NODE);
  return sequence(count, (i) => Math.ceil((size - i) / count));
}

/**
 * Returns the highest MAXDOP by Microsoft's table for these NUMA nodes, in the mildest reading: soft-NUMA off, and the largest of uneven
 * nodes. The table until 2014 ends at 8.
 */
export function mostMaxdop(nodes: readonly number[], version: Version | undefined): number {
  const size = Math.max(...nodes);
  if (nodes.length === 1 || (version && !dividesNodes(version))) return Math.min(size, 8);
  return size <= 16 ? size : Math.min(16, Math.floor(size / 2));
}

/** The most CPUs one query gets with MAXDOP 0. */
export const MOST_PARALLEL = 64;

/**
 * The most logical processors that Microsoft supports per NUMA node, and the cumulative update since which SQL Server 2022 does not start
 * with more.
 */
export const MOST_PER_NODE = 64;
export const PER_NODE_UPDATE = 11;

/** The effects of a too large NUMA node on SQL Server, worst first. */
type NodeTrouble = "refused" | "doubtful" | "unsupported";

/**
 * Returns the effect of a NUMA node of this size; without a declared update, the latest is assumed. The page of the limit covers 2016 and
 * later without naming a version, so it also applies to an undeclared version; 2025 "might fail to start" ("SQL Server 2025 known issues").
 */
export function nodeTrouble(workload: Workload | undefined, size: number): NodeTrouble | undefined {
  if (workload?.kind !== "mssql" || size <= MOST_PER_NODE) return undefined;
  const { version, update = PER_NODE_UPDATE } = workload;
  if (version === "2022" && update >= PER_NODE_UPDATE) return "refused";
  if (version === "2025") return "doubtful";
  return version && SQL_VERSIONS.indexOf(version) < SQL_VERSIONS.indexOf("2016") ? undefined : "unsupported";
}
