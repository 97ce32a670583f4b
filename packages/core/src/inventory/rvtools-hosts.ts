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
    // Workbooks that other tools make in the form of RVTools name the host, as RVTools names its clusters.
    const cell = row.cell("Host", "Name");
    if (!cell) return [];
    // The file of the sheet, whichever file of the export is read.
    const place = vHost?.cellAt?.(cell.range);
    const path = place?.path ?? context.path;
    const name = cell.value;
    return {
      name,
      cluster: row.cell("Cluster")?.value,
      server: row.cell("VI SDK Server")?.value,
      path,
      at: { range: cell.range, ...(place && { cell: place }) },
      model: modelOf({ name, title: "the export", path, facts: () => factsOf(row) }),
    };
  });
}

/** True or false; `undefined` for an empty cell or another word. */
const flagIn = (text = ""): boolean | undefined => (/^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : undefined);

/** Reads the vHost sheet, which has sockets, cores and threads, but no NUMA nodes. */
function factsOf(row: TableRow): DumpFacts {
  const number = (...columns: readonly string[]): number | undefined => {
    const text = row.cell(...columns)?.value.replace(/(?<=\d)[.,'’ \u00a0](?=\d{3}\b)/g, "") ?? "";
    return /^\d+(?:[.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : undefined;
  };
  const packages = number("# CPU");
  const each = number("Cores per CPU");
  const cores = number("# Cores") ?? (packages === undefined || each === undefined ? undefined : packages * each);
  const [isAvailable, isActive] = ["HT Available", "HT Active"].map((title) => flagIn(row.cell(title)?.value));
  // Without hyper-threading nothing is active. With an empty cell more threads are assumed: fewer VMs exceed them.
  const hasThreads = isActive ?? isAvailable !== false;
  const isAssumed = isActive === undefined && isAvailable !== false;
  const threads = cores === undefined ? undefined : hasThreads ? cores * 2 : cores;
  const mhz = number("Speed", "CPU MHz");
  const memory = number("# Memory");
  const cpu = row.cell("CPU Model")?.value.replace(/\s+/g, " ").trim();
  const [, version] = /ESXi?\s+(\d+\.\d+(?:\.\d+)?)/.exec(row.cell("ESX Version")?.value ?? "") ?? [];
  const release = version === undefined ? {} : versionFacts(version);
  return {
    ...(packages !== undefined && { packages }),
    ...(cores !== undefined && { cores }),
    ...(threads !== undefined && { threads }),
    ...(mhz !== undefined && { hz: mhz * 1e6 }),
    ...(memory !== undefined && { memoryBytes: memory * 2 ** 20 }),
    ...(cpu !== undefined && { cpu }),
    ...release,
    assumed: [
      ...(release.assumed ?? []),
      ...(isAssumed ? [{ text: "2 threads per core: the export does not say whether HT is active" }] : []),
    ],
    ...(isActive === false && isAvailable && { hyperthreadingOff: true as const }),
    ...powerPolicyOf(row.cell("Host Power Policy", "Current CPU power man. policy")?.value),
  };
}
