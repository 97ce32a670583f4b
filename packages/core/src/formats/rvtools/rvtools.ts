import type { FileContext } from "../../model/files.ts";
import type { HostReference } from "../../model/inventory-host.ts";
import type { Parsed } from "../../model/parsed.ts";
import { type Located, type Range, type Setting, unknown, withText } from "../../model/source.ts";
import { type LatencySensitivity, NO_SETTINGS, type SettingName, type Settings, type SettingTypes, type VmSpec } from "../../model/spec.ts";
import { excessOf } from "../../syntax/extent.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { checkSettings } from "../check-settings.ts";
import { runningOf, withUnknownChooser } from "../exported.ts";
import { textFormat } from "../format.ts";
import { unstated } from "../inherited.ts";
import { listsVmsOf } from "../other-inventories.ts";
import { count, hardwareVersion, limit, natural, plainNumber } from "../table/columns.ts";
import { guestOf } from "../table/guest-names.ts";
import type { Table, TableRow } from "../table/rows.ts";
import { unreadable } from "../unreadable.ts";
import { exportDevices } from "./devices.ts";
import { cellsIn, rowFinder, type Sheet, sheetsIn, wholeRows } from "./sheets.ts";

const FORMAT = "rvtools";

type Columns = {
  readonly [K in SettingName]?: readonly [sheet: Sheet, columns: readonly string[], read: read.Read<SettingTypes[K]>];
};

/** The columns that are settings (Robware, RVTools documentation, "vInfo", "vCPU", "vMemory"). */
const COLUMNS: Columns = {
  vcpus: ["vInfo", ["CPUs"], count],
  memoryMiB: ["vInfo", ["Memory"], count],
  hardwareVersion: ["vInfo", ["HW version", "VM Version"], hardwareVersion],
  guestOs: ["vInfo", ["OS according to the configuration file", "OS"], guestOf],
  latencySensitivity: ["vInfo", ["Latency Sensitivity"], latencyIn],
  coresPerSocket: ["vCPU", ["Cores p/s"], count],
  cpuReservationMHz: ["vCPU", ["Reservation"], natural],
  cpuLimitMHz: ["vCPU", ["Limit"], limit],
  cpuHotAdd: ["vCPU", ["Hot Add"], read.flag],
  exposeVnumaOnHotAdd: ["vCPU", ["Numa Hotadd Exposed"], read.flag],
  memoryReservationMiB: ["vMemory", ["Reservation"], natural],
  memoryReservationLocked: ["vMemory", ["Memory Reservation Locked To Max"], read.flag],
  memoryLimitMiB: ["vMemory", ["Limit"], limit],
  memoryHotAdd: ["vMemory", ["Hot Add"], read.flag],
};

const NOT_EXPORTED = "the export does not contain it";

/** Versions of RVTools before 4 write numbers in place of levels, and RVTools does not document the numbers. */
function latencyIn(text: string, range: Range): Setting<LatencySensitivity> {
  return /^\d+$/.test(text) ? unknown("the export has a number in place of its name", range) : read.latency(text, range);
}

/** Returns the VMs of an RVTools export with their hosts. Each row of vInfo is one VM, however many sheets name it. */
function parseEach(text: string, _bytes?: Uint8Array, context?: FileContext): Parsed<Iterable<VmSpec>> {
  const sheets = sheetsIn(text, context);
  if ("refused" in sheets) return unreadable("XLSX", sheets.refused);
  const { vInfo, vHost } = sheets.tables;
  const broken =
    Object.values(sheets.tables).find((table) => table.broken !== undefined)?.broken ?? excessOf(vInfo?.rows.length ?? 0, "VMs");
  if (broken !== undefined) return unreadable("CSV", broken);
  if (sheets.isPart || (!vInfo && vHost)) return { vms: [], problems: [] };
  if (!vInfo?.has("VM") || !vInfo.has("Powerstate"))
    return { vms: [], problems: [], foreign: "it has no table of VMs as RVTools exports it (vInfo)" };
  if (isHyperV(vInfo)) return { vms: [], problems: [], foreign: listsVmsOf("Hyper-V") };
  const rowsOf = rowFinder(sheets);
  const [cellAt, rowOf] = [cellsIn(sheets), wholeRows(sheets)];
  const vms = {
    *[Symbol.iterator]() {
      for (const info of vInfo.rows) if (info.cell("VM")) yield { ...vmOf(info, (sheet) => rowsOf(info, sheet)), cellAt, rowOf };
    },
  };
  return { vms, problems: [] };
}

/** Whether the VMs have the power states of Hyper-V, and no other state: tools write its inventory in the columns of RVTools. */
function isHyperV({ rows }: Table): boolean {
  const states = rows.slice(0, 1000).map((row) => row.cell("Powerstate")?.value.trim() ?? "");
  const areAll = states.length > 0 && states.every((state) => /^(?:on|off|running|saved|paused|starting|stopping|)$/i.test(state));
  return areAll && states.some((state) => state !== "") && rows.every((row) => row.cell("HW version") === undefined);
}

function parse(text: string, bytes?: Uint8Array, context?: FileContext): Parsed {
  const parsed = parseEach(text, bytes, context);
  return { ...parsed, vms: [...parsed.vms] };
}

function vmOf(info: TableRow, rowsIn: (sheet: Sheet) => readonly TableRow[] | undefined): VmSpec {
  const name = info.cell("VM") ?? { value: "", range: info.range };
  const settings = settingsOf(name, info, rowsIn);
  const devices = exportDevices(rowsIn("vDisk"), rowsIn("vNetwork"));
  const says = (column: string, value: RegExp): boolean => value.test(info.cell(column)?.value ?? "");
  // Before version 4.3.1 the VM UUID was the one of the BIOS, and since 4.4.1 both have a column (RVTools documentation, 2024-05-14).
  const bios = read.uuid(info.cell("SMBIOS UUID")?.value);
  const uuids = { bios, instance: bios && read.uuid(info.cell("VM UUID")?.value) };
  return {
    name: name.value,
    format: FORMAT,
    exportHosts: "the sheet vHost, or RVTools_tabvHost.csv",
    platform: "esxi",
    range: name.range,
    ...checkSettings(settings),
    defaults: {},
    scsiControllers: devices.scsiControllers,
    devices: () => devices.otherDevices,
    advanced: () => NO_OPTIONS,
    directive: NO_DIRECTIVE,
    uuids: () => uuids,
    managed: () => ({ id: info.cell("VM ID")?.value, server: info.cell("VI SDK UUID")?.value }),
    ...(says("Template", YES) && { template: true }),
    ...((says("Powerstate", /^(?:poweredOff|suspended)$/i) || says("SRM Placeholder", YES)) && { off: true }),
    ...runningOf(/^poweredOn$/i.test(info.cell("Powerstate")?.value ?? ""), settings.coresPerSocket, "RVTools"),
    ...placeOf(info),
    ...measuredIn(info, rowsIn("vMemory")?.[0]),
  };
}

const YES = /^(?:true|1)$/i;
const NO_OPTIONS = new Map<never, never>();
const NO_DIRECTIVE = new Map<never, never>();

function placeOf(info: TableRow): { readonly runsOn?: HostReference } {
  const [host, server, cluster] = [info.cell("Host"), info.cell("VI SDK Server"), info.cell("Cluster")];
  if (!host) return {};
  return { runsOn: { name: host.value, ...(server && { server: server.value }), ...(cluster && { cluster: cluster.value }) } };
}

/** Returns the measurements of a running VM. */
function measuredIn(info: TableRow, memory: TableRow | undefined): Pick<VmSpec, "measured"> {
  if (!/^poweredOn$/i.test(info.cell("Powerstate")?.value ?? "")) return {};
  const measured = {
    readyPercent: numberIn(info.cell("Overall Cpu Readiness")),
    balloonedMiB: numberIn(memory?.cell("Ballooned")),
    swappedMiB: numberIn(memory?.cell("Swapped")),
  };
  const found = Object.entries(measured).filter(([, cell]) => cell !== undefined);
  return found.length === 0 ? {} : { measured: Object.fromEntries(found) };
}

function numberIn(cell: Located<string> | undefined): Located<number> | undefined {
  const value = Number(plainNumber(cell?.value.replace("%", "").trim() ?? "").replace(",", "."));
  return cell && Number.isFinite(value) && value >= 0 ? { value, range: cell.range } : undefined;
}

/** No sheet has advanced options, so they are absent, as for clones. */
function settingsOf(name: Located<string>, info: TableRow, rowsIn: (sheet: Sheet) => readonly TableRow[] | undefined): Settings {
  const settings: Record<string, unknown> = { ...NO_SETTINGS };
  // vCenter does not know the configuration of such a VM, so its numbers are 0.
  const isLost = /^(?:inaccessible|invalid|orphaned)$/i.test(info.cell("Connection state")?.value ?? "");
  for (const [setting, [sheet, columns, reader]] of Object.entries(COLUMNS)) {
    const [row] = (sheet === "vInfo" ? [info] : rowsIn(sheet)) ?? [];
    const cell = row?.cell(...columns);
    const range: Range = cell?.range ?? name.range;
    settings[setting] = !cell
      ? unstated(setting as SettingName, NOT_EXPORTED, name.range)
      : !(isLost && cell.value === "0") && !isTemplate(cell.value)
        ? withText((reader as read.Read<unknown>)(cell.value.trim(), range), { key: `${sheet} ${columns[0]}`, text: cell.value })
        : unknown(NOT_EXPORTED, name.range);
  }
  return withUnknownChooser(settings as unknown as Settings, "the export");
}

const assumes = "that no VM sets advanced options such as numa.vcpu.preferHT or sched.cpu.affinity: RVTools exports none";

/** An export is never edited. */
export const rvtools = textFormat({ name: FORMAT, parse, parseEach, assumes });
