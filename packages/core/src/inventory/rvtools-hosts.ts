import { sheetsIn } from "../formats/rvtools/sheets.ts";
import type { TableRow } from "../formats/table/rows.ts";
import { type DumpFacts, powerPolicyOf, versionFacts } from "../hosts/facts.ts";
import type { FileContext } from "../model/files.ts";
import type { InventoryHost } from "../model/inventory-host.ts";
import { modelOf } from "./model.ts";

/** Returns the hosts of an RVTools export; an empty list for any other text. */
export function exportedHosts(text: string, context: FileContext): readonly InventoryHost[] {
  const sheets = sheetsIn(text, context);
  const vHost = "refused" in sheets ? undefined : sheets.tables.vHost;
  return (vHost?.rows ?? []).flatMap((row) => {
    const cell = row.cell("Host");
    if (!cell) return [];
    // The file of the sheet, whichever file of the export is read.
    const path = vHost?.cellAt?.(cell.range)?.path ?? context.path;
    const name = cell.value;
    return {
      name,
      cluster: row.cell("Cluster")?.value,
      server: row.cell("VI SDK Server")?.value,
      path,
      model: modelOf({ name, title: "the export", path, facts: () => factsOf(row) }),
    };
  });
}

const isYes = (row: TableRow, column: string): boolean => /^(?:true|1)$/i.test(row.cell(column)?.value ?? "");

/** Reads the vHost sheet, which has sockets, cores and threads, but no NUMA nodes. */
function factsOf(row: TableRow): DumpFacts {
  const number = (...columns: readonly string[]): number | undefined => {
    const text = row.cell(...columns)?.value.replace(/(?<=\d)[.,'’ \u00a0](?=\d{3}\b)/g, "") ?? "";
    return /^\d+(?:[.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : undefined;
  };
  const packages = number("# CPU");
  const each = number("Cores per CPU");
  const cores = number("# Cores") ?? (packages === undefined || each === undefined ? undefined : packages * each);
  const active = row.cell("HT Active")?.value.toLowerCase();
  const isActive = active === "true" || active === "1";
  const isKnown = isActive || active === "false" || active === "0";
  const threads = cores === undefined || !isKnown ? undefined : isActive ? cores * 2 : cores;
  const mhz = number("Speed");
  const memory = number("# Memory");
  const cpu = row.cell("CPU Model")?.value.replace(/\s+/g, " ").trim();
  const [, version] = /ESXi?\s+(\d+\.\d+(?:\.\d+)?)/.exec(row.cell("ESX Version")?.value ?? "") ?? [];
  return {
    ...(packages !== undefined && { packages }),
    ...(cores !== undefined && { cores }),
    ...(threads !== undefined && { threads }),
    ...(mhz !== undefined && { hz: mhz * 1e6 }),
    ...(memory !== undefined && { memoryBytes: memory * 2 ** 20 }),
    ...(cpu !== undefined && { cpu }),
    ...(version !== undefined && versionFacts(version)),
    ...(isKnown && !isActive && isYes(row, "HT Available") && { hyperthreadingOff: true as const }),
    ...powerPolicyOf(row.cell("Host Power Policy", "Current CPU power man. policy")?.value),
  };
}
