import { besidePoolMiB, bufferPoolMiB } from "../../limits/sql-server.ts";
import { SQL_2008R2_MEMORY, SQL_2014_FEATURES, SQL_2025_CAPACITY, SQL_EDITIONS_DOC } from "../../model/sources.ts";
import { memoryWords } from "../../model/words.ts";
import { type Edition, sqlServerName, type Version, type Workload } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

/** MiB for the OS and query plans. No source has a figure, so the message does not show this one. */
const OTHERS_MIB = 16 * 1024;

/** Returns the most memory without a finding: the pool, columnstore, in-memory tables of one database, and a reserve. */
const enough = (poolMiB: number, workload: Workload): number => poolMiB + 2 * besidePoolMiB(workload) + OTHERS_MIB;

export const rule = builtinRule({
  id: "mssql/memory-cap",
  severity: "info",
  for: "any",
  on: ["memoryMiB"],
  needs: ["workload"],
  about: "mssql",
  reads: ["memoryMiB"],
  messages: {
    unused: (d: { memoryMiB: number; poolMiB: number; besideMiB: number; edition: Edition; version: Version }) =>
      `Of ${memoryWords(d.memoryMiB)}, an instance of ${sqlServerName(d)} can use at most ${memoryWords(d.poolMiB)} for its buffer pool, ${memoryWords(d.besideMiB)} for columnstore, and as much for the in-memory tables of each database. Reduce the memory to what these and the OS need.`,
  },
  applies: ({ memoryMiB }, _, workload) => {
    const poolMiB = workload && bufferPoolMiB(workload);
    return !workload || poolMiB === undefined ? false : holds(memoryMiB, (mib = 0) => mib > enough(poolMiB, workload));
  },
  *check({ vm, workload }) {
    const { edition, version } = workload;
    const poolMiB = bufferPoolMiB(workload);
    if (!vm.memoryMiB || poolMiB === undefined || edition === undefined || version === undefined) return;
    yield {
      messageId: "unused",
      data: { memoryMiB: vm.memoryMiB.value, poolMiB, besideMiB: besidePoolMiB(workload), edition, version },
      at: vm.memoryMiB.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Far more memory than the edition's buffer pool can use",
  why: "Standard, Web and Express cap the buffer pool of an instance. Memory beyond the pool, the OS and the other caches stays unused, but the host still provides it.",
  whenNot: "With several instances, large columnstore or in-memory tables, or other software in the guest.",
  evidence: {
    figure:
      "Buffer pool of an instance, 2016 to 2022: Standard 128 GB, Web 64 GB, Express 1,410 MB; 2025: Standard 256 GB; 2014: as 2016, Express 1 GB; 2008 R2: Standard 64 GB",
    source: SQL_EDITIONS_DOC,
    against: "The cap is on the buffer pool alone: columnstore (32 GB in Standard), in-memory tables and plans come on top.",
  },
  sources: [SQL_2025_CAPACITY, SQL_2014_FEATURES, SQL_2008R2_MEMORY],
  bad: [
    { title: "256 GiB for Standard", workload: "mssql, standard, 2022", vmx: `memSize = "262144"` },
    { title: "512 GiB for Standard", workload: "mssql, standard, 2022", vmx: `memSize = "524288"` },
  ],
  good: [
    { title: "160 GiB for Standard", workload: "mssql, standard, 2022", vmx: `memSize = "163840"` },
    { title: "208 GiB for Standard", workload: "mssql, standard, 2022", vmx: `memSize = "212992"` },
    { title: "320 GiB for Standard of 2025", workload: "mssql, standard, 2025", vmx: `memSize = "327680"` },
    { title: "Enterprise has no cap", workload: "mssql, enterprise, 2022", vmx: `memSize = "524288"` },
    { title: "Version not declared", workload: "mssql, standard", vmx: `memSize = "524288"` },
  ],
});
