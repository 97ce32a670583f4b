import { SQL_2014_CAPACITY } from "../../model/sources.ts";
import type { PageOf } from "../define.ts";
import { editionRule } from "../edition-limit.ts";

export const rule = editionRule("bi", "Business Intelligence", 4);

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than SQL Server Business Intelligence can use",
  why: "Business Intelligence edition (2012 and 2014) uses the lesser of 4 sockets and 16 cores, and counts the sockets and logical processors the guest sees. vCPUs beyond either limit stay idle.",
  whenNot: "When other software or further instances use the remaining vCPUs: the limit applies to each instance.",
  evidence: { figure: "Business Intelligence: limited to the lesser of 4 sockets or 16 cores", source: SQL_2014_CAPACITY },
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [
    { title: "8 sockets x 1 core", workload: "mssql, bi, 2014", vmx: `numvcpus = "8"`, expect: "capped" },
    { title: "17 vCPUs", workload: "mssql, bi", vmx: `numvcpus = "17"\ncpuid.coresPerSocket = "17"`, expect: "cores" },
  ],
  good: [
    { title: "4 sockets x 4 cores", workload: "mssql, bi, 2014", vmx: `numvcpus = "16"\ncpuid.coresPerSocket = "4"` },
    { title: "Standard has other limits", workload: "mssql, standard, 2014", vmx: `numvcpus = "17"\ncpuid.coresPerSocket = "17"` },
  ],
});
