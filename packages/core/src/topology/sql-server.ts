import { type Source, SQL_2025_CAPACITY, SQL_CAPACITY, SQL55 } from "../model/sources.ts";
import { SQL_VERSIONS, type SqlEdition, type SqlVersion, type Workload } from "../model/workload.ts";

/** A licence limit: at most so many sockets and so many cores, whichever is reached first. `null` = what the OS has. */
export interface SqlLimit {
  readonly sockets: number | null;
  readonly cores: number | null;
  readonly source: Source;
}

const NO_LIMIT = { sockets: null, cores: null, source: SQL_CAPACITY };
const limit = (sockets: number | null, cores: number | null, source = SQL_CAPACITY): SqlLimit => ({ sockets, cores, source });

/** In a VM the limits count the logical processors the guest sees (the 32-vCPU ERRORLOG line of the 5.5 study). */
const CAL = limit(null, 20, SQL55);

/** Microsoft, "Compute capacity limits by edition of SQL Server", by version. Editions a version does not have are left out. */
const LIMITS: Readonly<Record<SqlVersion, Partial<Record<SqlEdition, SqlLimit>>>> = {
  // Enterprise's 8 sockets and Web's and Express's limits of 2008 R2 are from memory: left out, so unknown.
  "2008r2": { standard: limit(4, null) },
  "2012": { standard: limit(4, 16), bi: limit(4, 16), web: limit(4, 16), express: limit(1, 4), enterprise: NO_LIMIT, developer: NO_LIMIT },
  "2014": { standard: limit(4, 16), bi: limit(4, 16), web: limit(4, 16), express: limit(1, 4), enterprise: NO_LIMIT, developer: NO_LIMIT },
  "2016": { standard: limit(4, 24), web: limit(4, 16), express: limit(1, 4), enterprise: NO_LIMIT, developer: NO_LIMIT },
  "2017": { standard: limit(4, 24), web: limit(4, 16), express: limit(1, 4), enterprise: NO_LIMIT, developer: NO_LIMIT },
  "2019": { standard: limit(4, 24), web: limit(4, 16), express: limit(1, 4), enterprise: NO_LIMIT, developer: NO_LIMIT },
  "2022": { standard: limit(4, 24), web: limit(4, 16), express: limit(1, 4), enterprise: NO_LIMIT, developer: NO_LIMIT },
  "2025": { standard: limit(4, 32, SQL_2025_CAPACITY), express: limit(1, 4), enterprise: NO_LIMIT, developer: NO_LIMIT },
};

/**
 * The limits a workload may fall under: one when its version is declared, one for each version that has the
 * edition when it is not. Empty when the edition is not declared, or the version's limit is not known.
 */
export function sqlLimits({ edition, version, licensing }: Workload): readonly SqlLimit[] {
  if (edition === undefined) return [];
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
