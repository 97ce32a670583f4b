import { SQL_2014_CAPACITY, SQL_CAPACITY, SQL_EDITIONS_DOC } from "../../model/sources.ts";
import type { PageOf } from "../define.ts";
import { editionRule } from "../edition-limit.ts";

export const rule = editionRule("express", "Express", 1);

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than SQL Server Express can use",
  why: "Express edition uses the lesser of 1 socket and 4 cores, and counts the sockets and logical processors the guest sees. With one core per socket it always runs on a single vCPU.",
  whenNot: "When other software or further instances use the remaining vCPUs: the limit applies to each instance.",
  evidence: { figure: "Express: limited to the lesser of 1 socket or 4 cores, the same on the page of 2014", source: SQL_CAPACITY },
  sources: [SQL_2014_CAPACITY, SQL_EDITIONS_DOC],
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [
    { title: "4 sockets x 1 core", workload: "mssql, express, 2022", vmx: `numvcpus = "4"`, expect: "capped" },
    { title: "8 vCPUs in one socket", workload: "mssql, express", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "8"`, expect: "cores" },
  ],
  good: [
    { title: "1 socket x 4 cores", workload: "mssql, express, 2022", vmx: `numvcpus = "4"\ncpuid.coresPerSocket = "4"` },
    { title: "Standard has other limits", workload: "mssql, standard, 2022", vmx: `numvcpus = "4"` },
  ],
});
