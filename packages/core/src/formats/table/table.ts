import type { Columns } from "../../model/columns.ts";
import type { FileContext } from "../../model/files.ts";
import type { Parsed } from "../../model/parsed.ts";
import { known, type Located, mistyped, type Range, type Setting, unknown, withText } from "../../model/source.ts";
import { NO_SETTINGS, type Settings, type VmSpec } from "../../model/spec.ts";
import { excessOf } from "../../syntax/extent.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import type { Read } from "../../syntax/values.ts";
import { checkSettings } from "../check-settings.ts";
import { runningOf, withUnknownChooser } from "../exported.ts";
import { textFormat } from "../format.ts";
import { unstated } from "../inherited.ts";
import { otherInventory } from "../other-inventories.ts";
import { unreadable } from "../unreadable.ts";
import { POWERCLI, plainNumber, READERS } from "./columns.ts";
import { readJsonTable } from "./json-rows.ts";
import { readTable, type Table, type TableRow } from "./rows.ts";

const FORMAT = "table";

/** Windows PowerShell writes the type of its objects above the columns. */
const TYPE_LINE = /^\ufeff?#TYPE [^\n]*\n/;

/** Reads a text as a table, from comma-separated values or from objects in JSON. */
export const tableIn = (text: string): Table =>
  /^\s*[[{]/.test(text) ? readJsonTable(text) : readTable(text, { start: TYPE_LINE.exec(text)?.[0].length });

/** Returns the VMs of a table with columns that the configuration names, or with the columns of PowerCLI. */
function parse(text: string, _bytes: unknown, { columns }: Pick<FileContext, "columns"> = {}): Parsed {
  const table = tableIn(text);
  if (isHostTable(table)) return { vms: [], problems: [] };
  const broken = table.broken ?? excessOf(table.rows.length, "VMs");
  if (broken !== undefined) return unreadable(/^\s*[[{]/.test(text) ? "JSON" : "CSV", broken);
  const isThere = (title: string | undefined): boolean => title !== undefined && table.has(title);
  const used = [columns, POWERCLI].find((candidate) => isThere(candidate?.name) && isThere(candidate?.vcpus));
  if (!used) return { vms: [], problems: [], foreign: otherInventory(text) ?? foreignOf(columns) };
  return { vms: table.rows.flatMap((row) => vmOf(row, used) ?? []), problems: [] };
}

const foreignOf = (columns: Columns | undefined): string =>
  columns
    ? `it has no columns "${columns.name}" and "${columns.vcpus}", which columns: in vmlint.yaml names`
    : "neither RVTools nor PowerCLI writes its columns. Name them under columns: in vmlint.yaml";

/** Whether a table lists hosts, as `Get-VMHost` does. */
export const isHostTable = (table: Table): boolean => table.has("ProcessorType") && table.has("NumCpu");

function vmOf(row: TableRow, columns: Columns): VmSpec | undefined {
  const cell = (fact: keyof Columns): Located<string> | undefined => {
    const title = columns[fact];
    return title === undefined ? undefined : row.cell(title);
  };
  const name = cell("name");
  if (!name) return undefined;
  const settings = settingsOf(name.range, columns, cell);
  const power = cell("power")?.value ?? "";
  const [host, cluster] = [cell("host")?.value, cell("cluster")?.value];
  const [, id] = /^VirtualMachine-(vm-\d+)$/.exec((columns === POWERCLI && row.cell("Id")?.value) || "") ?? [];
  return {
    name: name.value,
    format: FORMAT,
    exportHosts: columns === POWERCLI ? "Get-VMHost | Export-Csv hosts.csv" : "host: under columns:, and hosts: for each of them",
    platform: "esxi",
    range: name.range,
    ...checkSettings(settings),
    defaults: {},
    scsiControllers: [],
    devices: () => ({ otherControllers: [], disks: [], nics: [], missing: "the table lists no devices" }),
    advanced: () => NO_OPTIONS,
    directive: NO_DIRECTIVE,
    ...(id !== undefined && { managed: () => ({ id }) }),
    ...(IS_OFF.test(power) && { off: true }),
    ...runningOf(IS_ON.test(power), settings.coresPerSocket, "the table"),
    ...((host !== undefined || cluster !== undefined) && {
      runsOn: { ...(host !== undefined && { name: host }), ...(cluster !== undefined && { cluster }) },
    }),
  };
}

const NO_OPTIONS = new Map<never, never>();
const NO_DIRECTIVE = new Map<never, never>();

/** The power states of PowerCLI, with the numbers that `ConvertTo-Json` writes, and of spreadsheets. */
const IS_ON = /^(?:powered\s*on|on|running|1)$/i;
const IS_OFF = /^(?:powered\s*off|suspended|off|0|2)$/i;

function settingsOf(range: Range, columns: Columns, cell: (fact: keyof Columns) => Located<string> | undefined): Settings {
  const settings: Record<string, Setting<unknown>> = { ...NO_SETTINGS };
  for (const [fact, read] of Object.entries(READERS)) {
    const setting = fact as keyof typeof READERS;
    const located = cell(setting);
    settings[setting] = located
      ? settingIn(located, read as Read<unknown>, columns[setting])
      : unstated(setting, "the table does not contain it", range);
  }
  const [inMiB, inGiB] = [cell("memoryMiB"), cell("memoryGiB")];
  if (!inMiB && inGiB) settings.memoryMiB = settingIn(inGiB, gib, columns.memoryGiB);
  return withUnknownChooser(settings as unknown as Settings, "the table");
}

const settingIn = ({ value, range }: Located<string>, read: Read<unknown>, key?: string): Setting<unknown> =>
  isTemplate(value) ? unknown("a template fills it in", range) : withText(read(value.trim(), range), { key, text: value });

/** A number of GiB that is a whole number of MiB. */
const gib: Read<number> = (text, range) => {
  const number = plainNumber(text).replace(",", ".");
  const mib = /^[\d.]+$/.test(number) ? Number(number) * 1024 : Number.NaN;
  return Number.isSafeInteger(mib) && mib > 0 ? known(mib, range) : mistyped("a number of GiB", range);
};

/** A table is never edited. */
export const table = textFormat({
  name: FORMAT,
  parse,
  assumes: "that no VM sets advanced options such as numa.vcpu.preferHT or sched.cpu.affinity: the table has none",
});
