import { strToU8, zipSync } from "fflate";

/** Sheets by their names; the first row of each names its columns. */
export type Sheets = Readonly<Record<string, readonly (readonly (string | number | boolean)[])[]>>;

/** The differences between programs that write workbooks. */
export interface Dialect {
  /** The namespace prefix of each name: `x:`. */
  readonly prefix?: string;
  /** Empty rows after the rows with cells. */
  readonly emptyRows?: number;
  readonly strings?: "shared" | "inline";
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A column's letters: 27 is AB. */
const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : "") + String.fromCharCode(65 + (index % 26));

/** The bytes of an .xlsx. */
export function workbook(sheets: Sheets, { prefix: p = "", emptyRows = 0, strings = "shared" }: Dialect = {}): Uint8Array {
  const shared = new Map<string, number>();
  const cell = (value: string | number | boolean, at: string): string => {
    if (typeof value === "number") return `<${p}c r="${at}"><${p}v>${value}</${p}v></${p}c>`;
    const text = typeof value === "boolean" ? (value ? "True" : "False") : value;
    if (text === "") return "";
    if (strings === "inline") return `<${p}c r="${at}" t="inlineStr"><${p}is><${p}t>${escaped(text)}</${p}t></${p}is></${p}c>`;
    if (!shared.has(text)) shared.set(text, shared.size);
    return `<${p}c r="${at}" t="s"><${p}v>${shared.get(text)}</${p}v></${p}c>`;
  };
  const xmlns = p ? `xmlns:${p.slice(0, -1)}="${MAIN}"` : `xmlns="${MAIN}"`;
  const parts: Record<string, Uint8Array> = {};
  const names = Object.keys(sheets);
  for (const [i, rows] of Object.values(sheets).entries()) {
    const lines = rows.map(
      (row, y) => `<${p}row r="${y + 1}">${row.map((value, x) => cell(value, letters(x) + (y + 1))).join("")}</${p}row>`,
    );
    const empty = Array.from({ length: emptyRows }, (_, y) => `<${p}row r="${rows.length + y + 1}"></${p}row>`);
    const body = `<${p}dimension ref="A1:CL1048576"/><${p}sheetData>${lines.join("")}${empty.join("")}</${p}sheetData>`;
    parts[`xl/worksheets/sheet${i + 1}.xml`] = strToU8(`${HEAD}<${p}worksheet ${xmlns}>${body}</${p}worksheet>`);
  }
  const list = names.map((name, i) => `<${p}sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("");
  parts["xl/workbook.xml"] = strToU8(
    `${HEAD}<${p}workbook ${xmlns} xmlns:r="${RELATIONS}"><${p}sheets>${list}</${p}sheets></${p}workbook>`,
  );
  const relations = names.map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`).join("");
  parts["xl/_rels/workbook.xml.rels"] = strToU8(`${HEAD}<Relationships>${relations}</Relationships>`);
  const texts = [...shared.keys()].map((text) => `<${p}si><${p}t>${escaped(text)}</${p}t></${p}si>`).join("");
  parts["xl/sharedStrings.xml"] = strToU8(`${HEAD}<${p}sst ${xmlns}>${texts}</${p}sst>`);
  return zipSync(parts);
}

/** The same as a folder of files, as RVTools writes it or with other names. */
export const csvFiles = (
  sheets: Sheets,
  separator = ",",
  nameOf = (sheet: string): string => `RVTools_tab${sheet}.csv`,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(sheets).map(([name, rows]) => [
      nameOf(name),
      rows
        .map((row) =>
          row.map((value) => quoted(typeof value === "boolean" ? (value ? "True" : "False") : String(value), separator)).join(separator),
        )
        .join("\r\n"),
    ]),
  );

const quoted = (text: string, separator: string): string =>
  text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;

/** A VM of an export. */
export interface ExportedVm {
  readonly name: string;
  readonly host: string;
  readonly cpus: number;
  readonly coresPerSocket?: number;
  readonly hardware?: number;
  readonly id?: string;
  readonly server?: string;
  readonly hotAdd?: boolean;
  readonly power?: string;
}

/** A host of an export: so many sockets of so many cores. */
export interface ExportedHost {
  readonly name: string;
  readonly cluster?: string;
  readonly sockets: number;
  readonly cores: number;
  readonly esxi?: string;
  readonly cpu?: string;
  readonly server?: string;
}

/** The sheets of an estate with the columns of RVTools 4 that the tests need. */
export function exportOf(vms: readonly ExportedVm[], hosts: readonly ExportedHost[]): Sheets {
  const about = ({ host, id = "", server = "vc01" }: ExportedVm) => [host, id, server];
  const head = ["Host", "VM ID", "VI SDK Server"];
  return {
    vInfo: [
      ["VM", "Powerstate", "Template", "SRM Placeholder", "CPUs", "Memory", "Latency Sensitivity", "HW version", "Cluster", ...head],
      ...vms.map((vm) => [vm.name, vm.power ?? "poweredOn", false, false, vm.cpus, 8192, "normal", vm.hardware ?? 19, "c1", ...about(vm)]),
    ],
    vCPU: [
      ["VM", "Powerstate", "CPUs", "Sockets", "Cores p/s", "Reservation", "Limit", "Hot Add", "Hot Remove", "Numa Hotadd Exposed", ...head],
      ...vms.map((vm) => {
        const { coresPerSocket = 1 } = vm;
        return [
          vm.name,
          vm.power ?? "poweredOn",
          vm.cpus,
          vm.cpus / coresPerSocket,
          coresPerSocket,
          0,
          -1,
          vm.hotAdd ?? false,
          false,
          false,
          ...about(vm),
        ];
      }),
    ],
    vMemory: [
      ["VM", "Powerstate", "Size MiB", "Memory Reservation Locked To Max", "Reservation", "Limit", "Hot Add", ...head],
      ...vms.map((vm) => [vm.name, vm.power ?? "poweredOn", 8192, false, 0, -1, false, ...about(vm)]),
    ],
    vHost: [
      [
        "Host",
        "Cluster",
        "CPU Model",
        "Speed",
        "HT Available",
        "HT Active",
        "# CPU",
        "Cores per CPU",
        "# Cores",
        "# Memory",
        "ESX Version",
        "VI SDK Server",
      ],
      ...hosts.map(({ name, cluster = "c1", cpu = "Unknown CPU", sockets, cores, esxi = "7.0.3", server = "vc01" }) => [
        name,
        cluster,
        cpu,
        2400,
        true,
        true,
        sockets,
        cores,
        sockets * cores,
        524288,
        `VMware ESXi ${esxi} build-1`,
        server,
      ]),
    ],
  };
}
