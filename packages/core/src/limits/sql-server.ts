import { type Source, SQL_2014_CAPACITY, SQL_2025_CAPACITY, SQL_CAPACITY, SQL_EDITIONS_DOC, SQL55 } from "../model/sources.ts";
import { SQL_VERSIONS, type SqlEdition, type SqlVersion, type Workload } from "../model/workload.ts";

/** A licence limit: at most so many sockets and so many cores, whichever is reached first. `null` = what the OS has. */
export interface SqlLimit {
  readonly sockets: number | null;
  readonly cores: number | null;
  readonly source: Source;
}

const NO_LIMIT = { sockets: null, cores: null, source: SQL_CAPACITY };
const limit = (sockets: number | null, cores: number | null, source = SQL_CAPACITY): SqlLimit => ({ sockets, cores, source });

/**
 * In a VM the limits count the logical processors the guest sees (the 32-vCPU ERRORLOG line of the 5.5 study). Server+CAL has
 * this one from 2012 on, the first version that is licensed by core.
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

/** Microsoft, "Compute capacity limits by edition of SQL Server", by version. Editions a version does not have are left out. */
const LIMITS: Readonly<Record<SqlVersion, Partial<Record<SqlEdition, SqlLimit | readonly SqlLimit[]>>>> = {
  // The page of 2008 R2 was not read: Standard has the sockets of every version since; Enterprise, Web and Express are left out, so unknown.
  "2008r2": { standard: limit(4, null) },
  // Of the page of 2012 the table was not read; a secondary one gives it the figures of 2014.
  "2012": UNTIL_2014,
  "2014": UNTIL_2014,
  "2016": UNTIL_2022,
  "2017": UNTIL_2022,
  "2019": UNTIL_2022,
  "2022": UNTIL_2022,
  // Developer is two: Enterprise Developer, and Standard Developer with all that Standard has.
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
 * The limits a workload may fall under: one when its version is declared (two of an edition that is two), and those of
 * each version that has the edition when it is not. Empty when the edition is not declared, or the version's limit is not known.
 */
export function sqlLimits({ edition, version, licensing }: Workload): readonly SqlLimit[] {
  if (edition === undefined || (edition === "enterprise" && version === "2008r2")) return [];
  if (edition === "enterprise" && licensing === "server-cal") return [CAL];
  // Enterprise is sold both ways, and only one of them is limited: without the licence model nothing is certain.
  if (edition === "enterprise" && licensing === undefined) return [NO_LIMIT, CAL];
  const versions = version === undefined ? SQL_VERSIONS : [version];
  return versions.flatMap((v) => LIMITS[v][edition] ?? []);
}

/** vCPUs SQL Server can use of a VM; `undefined` when the declared facts leave it open. */
export function usableVcpus(workload: Workload | undefined, vcpus: number, coresPerSocket: number): number | undefined {
  if (workload?.kind !== "mssql") return vcpus;
  const usable = new Set(
    sqlLimits(workload).map(({ sockets, cores }) => Math.min(vcpus, cores ?? vcpus, sockets === null ? vcpus : sockets * coresPerSocket)),
  );
  return usable.size === 1 ? [...usable][0] : undefined;
}

/**
 * MiB of the buffer pool of one instance, at most ("Editions and supported features", Scale limits); until 2014 the pages call it the
 * memory of the instance. The page of 2012 was not read, Enterprise and Developer take what the OS has (2 TB in 2008 R2), and that of
 * 2025 may be Standard: left out.
 */
const BUFFER_POOL_MIB: Partial<Record<SqlEdition, number>> = { standard: 128 * 1024, web: 64 * 1024, express: 1410 };
const BUFFER_POOLS: Partial<Record<SqlVersion, Partial<Record<SqlEdition, number>>>> = {
  "2008r2": { standard: 64 * 1024, web: 64 * 1024, express: 1024 },
  "2014": { standard: 128 * 1024, bi: 128 * 1024, web: 64 * 1024, express: 1024 },
  "2016": BUFFER_POOL_MIB,
  "2017": BUFFER_POOL_MIB,
  "2019": BUFFER_POOL_MIB,
  "2022": BUFFER_POOL_MIB,
  "2025": { standard: 256 * 1024, "standard-developer": 256 * 1024, express: 1410 },
};

/** The buffer pool limit of a declared edition and version; `undefined` where it has none or none is known. */
export const bufferPoolMiB = ({ edition, version }: Workload): number | undefined => edition && version && BUFFER_POOLS[version]?.[edition];

/**
 * MiB that columnstore segments of an instance, and in-memory tables of a database, may take beside the buffer pool (the same pages:
 * 32 GB in Standard, 16 GB in Web, 352 MB in Express from 2016 SP1 on; until 2014 an edition without them is allowed as much).
 */
const BESIDE_POOL_MIB: Partial<Record<SqlEdition, number>> = {
  standard: 32 * 1024,
  "standard-developer": 32 * 1024,
  bi: 32 * 1024,
  web: 16 * 1024,
  express: 352,
};

/** The most that columnstore, and the most that in-memory tables of one database, take beside the pool. */
export const besidePoolMiB = ({ edition }: Workload): number => (edition && BESIDE_POOL_MIB[edition]) ?? 0;

/** Versions that divide NUMA nodes of more than 8 by themselves ("Soft-NUMA"; 2014 SP2 does with a trace flag). */
export const dividesNodes = (version: SqlVersion): boolean => SQL_VERSIONS.indexOf(version) >= SQL_VERSIONS.indexOf("2016");

/** Logical processors of a soft-NUMA node, ideally. */
const SOFT_NODE = 8;

/**
 * The soft-NUMA nodes of a NUMA node. Derived: the page says "ideally eight", down to four or five and up to eight or nine
 * by its revision, and shows one log in which they are even.
 */
export function softNumaNodes(size: number): readonly number[] {
  const count = Math.ceil(size / SOFT_NODE);
  return Array.from({ length: count }, (_, i) => Math.ceil((size - i) / count));
}

/**
 * The most MAXDOP that Microsoft's table takes for these NUMA nodes, read as mildly as it can be: with soft-NUMA off, and the
 * largest node of uneven ones. The table until 2014 stops at 8.
 */
export function mostMaxdop(nodes: readonly number[], version: SqlVersion | undefined): number {
  const size = Math.max(...nodes);
  if (nodes.length === 1 || (version && !dividesNodes(version))) return Math.min(size, 8);
  return size <= 16 ? size : Math.min(16, Math.floor(size / 2));
}

/** The most CPUs one query gets with MAXDOP 0. */
export const MOST_PARALLEL = 64;

/** Logical processors that Microsoft supports in a NUMA node, and the cumulative update from which on SQL Server 2022 starts with no more. */
export const MOST_PER_NODE = 64;
export const PER_NODE_UPDATE = 11;

/** What becomes of SQL Server with a NUMA node that is too large, worst first. */
export type NodeTrouble = "refused" | "doubtful" | "unsupported";

/**
 * What a NUMA node of so many brings; one whose update is not declared has the latest. The page of the limit is that of 2016 and later
 * and names no version, so an undeclared one is taken for one of these; 2025 "might fail to start" ("SQL Server 2025 known issues").
 */
export function nodeTrouble(workload: Workload | undefined, size: number): NodeTrouble | undefined {
  if (workload?.kind !== "mssql" || size <= MOST_PER_NODE) return undefined;
  const { version, update = PER_NODE_UPDATE } = workload;
  if (version === "2022" && update >= PER_NODE_UPDATE) return "refused";
  if (version === "2025") return "doubtful";
  return version && SQL_VERSIONS.indexOf(version) < SQL_VERSIONS.indexOf("2016") ? undefined : "unsupported";
}
