import type { Parsed } from "../../model/parsed.ts";
import type { Observed, RunningVm } from "../../model/spec.ts";
import { textFormat } from "../format.ts";
import { rowsOf } from "../table/rows.ts";
import { BATCH, CLIENTS } from "./recognise.ts";

/** Measurements of the VMs that run on a host. */
export interface HostStatistics {
  /** The name of the host; missing if the text does not have it. */
  readonly host?: string;
  readonly groups: readonly SchedulingGroup[];
}

/** The worlds of a VM, which the host schedules together. `esxtop` has the name of the VM, `sched-stats` its NUMA clients. */
export interface SchedulingGroup extends RunningVm {
  readonly id: string;
  readonly name?: string;
}

/** Returns the statistics in the output of `esxtop -b` or `sched-stats -t numa-clients`; `undefined` for any other text. */
export function hostStatisticsIn(text: string): HostStatistics | undefined {
  if (BATCH.test(text)) return batchIn(text);
  return CLIENTS.test(text) ? { groups: clientsIn(text) } : undefined;
}

/** `\\esx01.example.com\Group Cpu(1405619:app)\% Ready` (vfedotovs/esxtop-batch-data-visualizer); the name may have any characters. */
const READY = /^\\\\([^\\]*)\\Group Cpu\((\d+):(.*)\)\\% Ready$/;
/** A host that does not know its name writes this. */
const NAMELESS = "localhost";

/** Reads a batch of esxtop: each column is a counter of a group, and each row a sample. */
function batchIn(text: string): HostStatistics {
  const [header = [], ...rows] = rowsOf(text, 0, text.length, ",");
  const counters = header.flatMap(({ value }, column) => {
    const [, host = "", id, name = ""] = READY.exec(value) ?? [];
    return id === undefined ? [] : [{ column, host, id, name }];
  });
  // A rate needs two samples ("Interpreting esxtop Statistics"). No source says what the first sample compares with.
  const samples = rows.slice(1);
  const meanOf = (column: number): number =>
    samples.reduce((sum, cells) => sum + Number(cells[column]?.value.trim() || Number.NaN), 0) / samples.length;
  const [first] = counters;
  return {
    ...(first && first.host !== NAMELESS && { host: first.host }),
    groups: counters.map(({ column, id, name }) => {
      const ready = meanOf(column);
      return { id, name, ...(ready >= 0 && { readyPercent: Math.round(ready * 10) / 10 }) };
    }),
  };
}

/**
 * Reads the NUMA clients of each VM: `vmmWorlds` counts their vCPUs, and `groupID` is the group of esxtop (F. Denneman,
 * denneman-2021-12).
 */
function clientsIn(text: string): readonly SchedulingGroup[] {
  const [header = [], ...rows] = text.split("\n").map((line) => line.trim().split(/\s+/));
  const [nameColumn, idColumn, vcpuColumn] = ["groupName", "groupID", "vmmWorlds"].map((column) => header.indexOf(column));
  const clients = new Map<string, number[]>();
  for (const cells of rows) {
    const [name, id, vcpus] = [nameColumn, idColumn, vcpuColumn].map((column) => cells[column ?? -1] ?? "");
    if (cells.length !== header.length || !name?.startsWith("vm.") || !id || !/^[1-9]\d{0,3}$/.test(vcpus ?? "")) continue;
    clients.set(id, [...(clients.get(id) ?? []), Number(vcpus)]);
  }
  return Array.from(clients, ([id, numaClients]) => {
    const observed: Observed = { numaClients, source: "sched-stats" };
    return { id, observed };
  });
}

/** Statistics have no VM to check: they belong to VMs of other files. */
const parse = (text: string): Parsed => {
  const hasGroups = (hostStatisticsIn(text)?.groups.length ?? 0) > 0;
  return { vms: [], problems: [], ...(!hasGroups && { foreign: "it has no VM of esxtop -b or sched-stats -t numa-clients" }) };
};

export const hostStatistics = textFormat({ name: "host-statistics", parse });
