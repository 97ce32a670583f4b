import { SQL_2014_CAPACITY, SQL_EDITIONS_DOC } from "../../model/sources.ts";
import type { PageOf } from "../define.ts";
import { editionRule } from "../edition-limit.ts";

export const rule = editionRule("web", "Web", 4);

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than SQL Server Web can use",
  why: "Web edition uses the lesser of 4 sockets and 16 cores, and counts the sockets and logical processors the guest sees. vCPUs beyond either limit stay idle.",
  whenNot: "When other software or further instances use the remaining vCPUs: the limit applies to each instance.",
  evidence: {
    figure: "Web: limited to the lesser of 4 sockets or 16 cores, 2016 to 2022 and on the page of 2014 (2025 has no Web edition)",
    source: SQL_EDITIONS_DOC,
  },
  sources: [SQL_2014_CAPACITY],
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [
    { title: "8 sockets x 1 core", workload: "mssql, web, 2022", vmx: `numvcpus = "8"`, expect: "capped" },
    { title: "17 vCPUs", workload: "mssql, web", vmx: `numvcpus = "17"\ncpuid.coresPerSocket = "17"`, expect: "cores" },
  ],
  good: [
    { title: "4 sockets x 4 cores", workload: "mssql, web, 2022", vmx: `numvcpus = "16"\ncpuid.coresPerSocket = "4"` },
    { title: "Standard has other limits", workload: "mssql, standard, 2022", vmx: `numvcpus = "17"\ncpuid.coresPerSocket = "17"` },
  ],
});
