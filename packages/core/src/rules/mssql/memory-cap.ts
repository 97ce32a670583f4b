import { bufferPoolMiB } from "../../limits/sql-server.ts";
import { SQL_2008R2_MEMORY, SQL_2014_FEATURES, SQL_2025_CAPACITY, SQL_EDITIONS_DOC } from "../../model/sources.ts";
import { memoryWords } from "../../model/words.ts";
import { type SqlEdition, type SqlVersion, sqlServerName } from "../../model/workload.ts";
import { defineRule, holds } from "../define.ts";

/** MiB that the OS and SQL Server's other caches are given here before the rule speaks: no source has a figure. */
const BESIDES = 16 * 1024;

/** The memory up to which nothing is said: room for as much again as the pool, which other caches may take. */
const enough = (poolMiB: number): number => 2 * poolMiB + BESIDES;

export const rule = defineRule({
  id: "mssql/memory-cap",
  since: "0.1.0",
  severity: "info",
  summary: "Far more memory than the edition's buffer pool can use",
  why: "Standard, Web and Express cap the buffer pool of an instance. Memory beyond the pool, the OS and the other caches stays unused, but the host still provides it.",
  whenNot: "With several instances, large columnstore or in-memory tables, or other software in the guest.",
  evidence: {
    figure:
      "Buffer pool of an instance, 2016 to 2022: Standard 128 GB, Web 64 GB, Express 1,410 MB; 2025: Standard 256 GB; 2014: as 2016, Express 1 GB; 2008 R2: Standard 64 GB",
    source: SQL_EDITIONS_DOC,
    against: "The cap is on the buffer pool alone: columnstore (32 GB in Standard), in-memory tables and plans come on top.",
  },
  sources: [SQL_EDITIONS_DOC, SQL_2025_CAPACITY, SQL_2014_FEATURES, SQL_2008R2_MEMORY],
  esxiOnly: false,
  on: ["memoryMiB"],
  needs: ["workload"],
  about: "mssql",
  reads: ["memoryMiB"],
  messages: {
    unused: (d: { memoryMiB: number; poolMiB: number; edition: SqlEdition; version: SqlVersion }) =>
      `${memoryWords(d.memoryMiB)} of memory are far more than the ${memoryWords(d.poolMiB)} that the buffer pool of ${sqlServerName(d)} takes. Use ${memoryWords(enough(d.poolMiB))} or less for one instance.`,
  },
  bad: [
    {
      title: "512 GiB for Standard",
      workload: { kind: "mssql", edition: "standard", version: "2022" },
      vmx: `memSize = "524288"`,
      expect: "unused",
    },
  ],
  good: [
    { title: "160 GiB for Standard", workload: { kind: "mssql", edition: "standard", version: "2022" }, vmx: `memSize = "163840"` },
    { title: "512 GiB for Standard of 2025", workload: { kind: "mssql", edition: "standard", version: "2025" }, vmx: `memSize = "524288"` },
    { title: "Enterprise has no cap", workload: { kind: "mssql", edition: "enterprise", version: "2022" }, vmx: `memSize = "524288"` },
    { title: "Version not declared", workload: { kind: "mssql", edition: "standard" }, vmx: `memSize = "524288"` },
  ],
  applies: ({ memoryMiB }, _, workload) => {
    const poolMiB = workload && bufferPoolMiB(workload);
    return poolMiB === undefined ? false : holds(memoryMiB, (mib = 0) => mib > enough(poolMiB));
  },
  *check({ vm, workload }) {
    const { edition, version } = workload;
    const poolMiB = bufferPoolMiB(workload);
    if (!vm.memoryMiB || poolMiB === undefined || edition === undefined || version === undefined) return;
    yield { messageId: "unused", data: { memoryMiB: vm.memoryMiB.value, poolMiB, edition, version }, at: vm.memoryMiB.range };
  },
});
