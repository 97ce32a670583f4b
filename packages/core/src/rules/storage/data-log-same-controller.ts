import { DAKIC19, SCSI_QUEUES, SQL55 } from "../../model/sources.ts";
import { DATABASES } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";

const controllerOf = (disk: string): string => disk.split(":")[0] ?? "";

export const rule = builtinRule({
  id: "storage/data-log-same-controller",
  severity: "hint",
  needs: ["workload"],
  about: DATABASES,
  messages: {
    shared: (d: { controller: string; data: string; log: string }) =>
      `Data (${d.data}) and log (${d.log}) share ${d.controller}. Put the log on a controller of its own.`,
  },
  applies: (_, __, workload) => workload?.data !== undefined && workload.log !== undefined,
  *check({ vm, workload }) {
    const { disks } = vm.devices();
    const disksOf = (ids: readonly string[] = []) => disks.filter(({ id }) => ids.includes(id));
    for (const log of disksOf(workload.log)) {
      const data = disksOf(workload.data).find((disk) => controllerOf(disk.id) === controllerOf(log.id) && disk.id !== log.id);
      if (!data) continue;
      yield {
        messageId: "shared",
        data: { controller: log.controller, data: data.id, log: log.id },
        at: log.range,
        related: [{ message: "the data is here", range: data.range }],
      };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Database data and log share one controller",
  why: "Log writes are small and each transaction waits for one; data is read and written in bulk. On one controller they wait in one queue.",
  whenNot: "When the load keeps few I/Os waiting.",
  evidence: {
    figure: "Queue of a controller: PVSCSI 256 by default and 1,024 at most, LSI Logic SAS 128",
    source: SCSI_QUEUES,
    against: "Dakic's measurement had data and log on one controller, without a comparison to two.",
  },
  sources: [SQL55, DAKIC19],
  shared: { vmx: `scsi1.present = "TRUE"\nscsi1:0.present = "TRUE"` },
  bad: [{ title: "Data and log on scsi1", workload: "mssql, data=scsi1:0, log=scsi1:1", vmx: `scsi1:1.present = "TRUE"` }],
  good: [
    { title: "The log on scsi2", workload: "mssql, data=scsi1:0, log=scsi2:0", vmx: `scsi2.present = "TRUE"\nscsi2:0.present = "TRUE"` },
    { title: "The log's disk is not in this VM", workload: "mssql, data=scsi1:0, log=scsi1:1", vmx: "" },
    { title: "Not declared", workload: "mssql", vmx: `scsi1:1.present = "TRUE"` },
  ],
});
