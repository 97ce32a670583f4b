import { plainNumber } from "../formats/table/columns.ts";
import type { TableRow } from "../formats/table/rows.ts";
import { isHostTable, tableIn } from "../formats/table/table.ts";
import { findCpu } from "../hosts/cpu.ts";
import { type DumpFacts, versionFacts } from "../hosts/facts.ts";
import type { InventoryHost } from "../model/inventory-host.ts";
import { plural } from "../model/words.ts";
import { modelOf } from "./model.ts";

/** Returns the hosts of a table that `Get-VMHost` wrote; an empty list for any other text. */
export function tableHosts(text: string, path: string): readonly InventoryHost[] {
  const table = tableIn(text);
  if (!isHostTable(table)) return [];
  return table.rows.flatMap((row) => {
    const name = row.cell("Name")?.value;
    if (name === undefined) return [];
    const cluster = row.cell("Parent")?.value;
    return { name, cluster, path, model: modelOf({ name, title: "the table", path, facts: () => factsOf(row) }) };
  });
}

/** `Get-VMHost` has no sockets: they follow from the processor if its clock confirms that NumCpu counts cores. */
function factsOf(row: TableRow): DumpFacts {
  const number = (column: string): number | undefined => {
    const value = Number(plainNumber(row.cell(column)?.value.trim() ?? "").replace(",", "."));
    return row.cell(column) && Number.isFinite(value) && value > 0 ? value : undefined;
  };
  const [cores, totalMhz, gib] = [number("NumCpu"), number("CpuTotalMhz"), number("MemoryTotalGB")];
  const cpu = row.cell("ProcessorType")?.value.replace(/\s+/g, " ").trim();
  const found = findCpu(cpu ?? "");
  const listed = "cpu" in found ? found.cpu : undefined;
  const mhz = cores === undefined || totalMhz === undefined ? undefined : totalMhz / cores;
  const isConfirmed = mhz !== undefined && listed?.mhz !== undefined && Math.abs(mhz - listed.mhz) <= listed.mhz / 10;
  const sockets = listed && isConfirmed && cores !== undefined && cores % listed.cores === 0 ? cores / listed.cores : undefined;
  const active = row.cell("HyperthreadingActive")?.value.toLowerCase();
  const threads = cores === undefined || active === undefined ? undefined : active === "true" ? cores * 2 : cores;
  const [, version] = /^(\d+\.\d+(?:\.\d+)?)/.exec(row.cell("Version")?.value ?? "") ?? [];
  const release = version === undefined ? {} : versionFacts(version);
  return {
    ...(sockets !== undefined && { packages: sockets }),
    ...(cores !== undefined && { cores }),
    ...(threads !== undefined && { threads }),
    ...(mhz !== undefined && { hz: mhz * 1e6 }),
    ...(gib !== undefined && { memoryBytes: gib * 2 ** 30 }),
    ...(cpu !== undefined && { cpu }),
    ...release,
    assumed: [
      ...(release.assumed ?? []),
      ...(sockets === undefined
        ? []
        : [{ text: `${plural(sockets, "socket")}: the table counts ${cores} cores, and ${listed?.name} has ${listed?.cores}` }]),
    ],
  };
}
