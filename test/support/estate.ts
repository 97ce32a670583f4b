import type { Sheets } from "./write-workbook.ts";

type Row = readonly (string | number | boolean)[];

/** The parts of an estate that tests vary. */
export interface EstateOptions {
  readonly vms?: number;
  readonly hosts?: number;
  /** Columns that an older version of RVTools does not write, by sheet. */
  readonly without?: Readonly<Record<string, readonly string[]>>;
  /** Other titles of columns, as older versions write them. */
  readonly titles?: Readonly<Record<string, string>>;
}

const SERVER = "vc01.example";
const CLUSTERS = ["prod", "dev"];

/** Each VM repeats with small differences, as in a real estate. */
const KINDS = [
  { name: "web", cpus: 2, cps: 2, memory: 8192, hw: 19, card: "Vmxnet3", scsi: "VMware paravirtual SCSI", os: "Ubuntu Linux (64-bit)" },
  { name: "app", cpus: 8, cps: 1, memory: 32768, hw: 19, card: "Vmxnet3", scsi: "LSI Logic SAS", os: WINDOWS(2019) },
  { name: "sqlprod", cpus: 24, cps: 12, memory: 131072, hw: 20, card: "Vmxnet3", scsi: "VMware paravirtual SCSI", os: WINDOWS(2022) },
  { name: "file", cpus: 4, cps: 4, memory: 16384, hw: 11, card: "E1000", scsi: "LSI Logic", os: WINDOWS(2012) },
  {
    name: "batch",
    cpus: 22,
    cps: 22,
    memory: 65536,
    hw: 19,
    card: "Vmxnet3",
    scsi: "VMware paravirtual SCSI",
    os: "Red Hat Enterprise Linux 8 (64-bit)",
  },
  {
    name: "small",
    cpus: 1,
    cps: 1,
    memory: 4096,
    hw: 19,
    card: "Vmxnet3",
    scsi: "VMware paravirtual SCSI",
    os: "Debian GNU/Linux 11 (64-bit)",
  },
  { name: "wide", cpus: 40, cps: 1, memory: 262144, hw: 17, card: "E1000e", scsi: "LSI Logic SAS", os: WINDOWS(2016) },
];

function WINDOWS(year: number): string {
  return `Microsoft Windows Server ${year} (64-bit)`;
}

/** An estate of a vCenter with the columns of RVTools that vmlint reads, and some that it does not. */
export function estate({ vms: count = 140, hosts: hostCount = 9, without = {}, titles = {} }: EstateOptions = {}): Sheets {
  const hosts = Array.from({ length: hostCount }, (_, i) => ({
    name: `esx${String(i + 1).padStart(2, "0")}.corp.example`,
    cluster: CLUSTERS[i % 3 === 2 ? 1 : 0] ?? "",
    cores: i % 3 === 2 ? 12 : 16,
  }));
  // The last host runs no VM.
  const used = hosts.slice(0, -1);
  const vms = Array.from({ length: count }, (_, i) => {
    const kind = KINDS[(i * 5) % KINDS.length] ?? KINDS[0];
    const host = used[i % used.length] ?? hosts[0];
    const power = i % 17 === 16 ? "poweredOff" : "poweredOn";
    return { ...kind, name: `${kind?.name}${String(i).padStart(3, "0")}`, host, power, id: `vm-${1000 + i}`, template: i % 47 === 46 };
  });
  const ends = ({ host, id }: (typeof vms)[number]): Row => ["dc1", host?.cluster ?? "", host?.name ?? "", id, SERVER];
  const END = ["Datacenter", "Cluster", "Host", "VM ID", "VI SDK Server"];
  const sheets: Record<string, readonly Row[]> = {
    vInfo: [
      [
        ..."VM,Powerstate,Template,SRM Placeholder,CPUs,Memory,NICs,Disks,Latency Sensitivity,HW version,Annotation".split(","),
        ..."OS according to the configuration file,VM UUID".split(","),
        ...END,
      ],
      ...vms.map((vm, i): Row => {
        const uuid = `42000000-0000-0000-0000-${String(i).padStart(12, "0")}`;
        const { name = "", power, template, cpus = 1, memory = 4096, hw = 19, os = "" } = vm;
        return [name, power, template, false, cpus, memory, 1, 2, "normal", hw, "", os, uuid, ...ends(vm)];
      }),
    ],
    vCPU: [
      ["VM", "Powerstate", "CPUs", "Sockets", "Cores p/s", "Reservation", "Limit", "Hot Add", "Hot Remove", "Numa Hotadd Exposed", ...END],
      ...vms.map((vm): Row => {
        const { name = "", power, cpus = 1, cps = 1 } = vm;
        return [name, power, cpus, cpus / cps, cps, 0, -1, false, false, false, ...ends(vm)];
      }),
    ],
    vMemory: [
      [
        "VM",
        "Powerstate",
        "Size MiB",
        "Memory Reservation Locked To Max",
        "Reservation",
        "Limit",
        "Hot Add",
        "Swapped",
        "Ballooned",
        ...END,
      ],
      ...vms.map((vm): Row => [vm.name ?? "", vm.power, vm.memory ?? 4096, false, 0, -1, false, 0, 0, ...ends(vm)]),
    ],
    vDisk: [
      ["VM", "Powerstate", "Disk", "Capacity MiB", "Thin", "Eagerly Scrub", "Controller", "Label", "Unit #", ...END],
      ...vms.flatMap((vm): readonly Row[] =>
        [0, 1].map((unit): Row => {
          const label = `Hard disk ${unit + 1}`;
          return [vm.name ?? "", vm.power, label, 102400, true, false, vm.scsi ?? "", "SCSI controller 0", unit, ...ends(vm)];
        }),
      ),
    ],
    vNetwork: [
      ["VM", "Powerstate", "NIC label", "Adapter", "Network", ...END],
      ...vms.map((vm): Row => [vm.name ?? "", vm.power, "Network adapter 1", vm.card ?? "", "vlan", ...ends(vm)]),
    ],
    vTools: [
      ["VM", "Powerstate", "Tools", "Tools Version", ...END],
      ...vms.map((vm): Row => [vm.name ?? "", vm.power, "toolsOk", 12352, ...ends(vm)]),
    ],
    vHost: [
      [
        ..."Host,Datacenter,Cluster,CPU Model,Speed,HT Available,HT Active,# CPU,Cores per CPU,# Cores,# Memory,# VMs".split(","),
        ..."vCPUs per Core,ESX Version,Host Power Policy,VI SDK Server".split(","),
      ],
      ...hosts.map(({ name, cluster, cores }, i): Row => {
        const model = cores === 16 ? "Intel(R) Xeon(R) Gold 6142 CPU @ 2.60GHz" : "Intel(R) Xeon(R) Gold 6126 CPU @ 2.60GHz";
        const active = i % 4 !== 3;
        const version = "VMware ESXi 7.0.3 build-20328353";
        return [name, "dc1", cluster, model, 2600, true, active, 2, cores, 2 * cores, 785_000, 15, 4.2, version, "Balanced", SERVER];
      }),
    ],
  };
  return Object.fromEntries(
    Object.entries(sheets).map(([sheet, rows]) => {
      const [head = []] = rows;
      const left = head.flatMap((title, at) => (without[sheet]?.includes(String(title)) ? [] : at));
      return [sheet, rows.map((row, y) => left.map((at) => (y === 0 ? (titles[String(row[at])] ?? row[at] ?? "") : (row[at] ?? ""))))];
    }),
  );
}
