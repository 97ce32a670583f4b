import { lint, requireHost } from "@vmlint/core";
import { type Demand, type DemandOptions, demandInWorkbook, demandReader, rightSizer } from "@vmlint/core/size";
import { describe, expect, test } from "vitest";
import { workbook } from "../support/write-workbook.ts";

// Rows as each program writes them; the answers are computed by hand, for a VM of 16 vCPUs on cores of 2,400 MHz.
const HOST = { ...requireHost("2x16x2:768@8.0"), mhz: 2400 };
const vmx = `virtualHW.version = "20"\nmemSize = "65536"\nnumvcpus = "16"\ncpuid.coresPerSocket = "16"`;
const size = rightSizer();

function read(text: string, columns?: DemandOptions["columns"]): readonly Demand[] {
  const reader = demandReader("a.csv", { columns });
  reader.push(text);
  const found = reader.end();
  if ("refused" in found) throw new Error(found.refused);
  return found;
}

/** The need of a VM, or the beginning of the reason for none. */
function needOf(demands: readonly Demand[]): number | string {
  const { need, reason } = size({ path: "db01.vmx", vm: { spec: vmOf(), target: { host: HOST } }, demands });
  return need?.vcpus ?? reason;
}

function vmOf() {
  const [vm] = lint(vmx, { target: { host: HOST } }).vms;
  if (!vm) throw new Error("no VM");
  return vm.spec;
}

const quoted = (...cells: readonly string[]): string => `${cells.map((cell) => `"${cell}"`).join(",")}\r\n`;

describe("a view of VCF Operations, a row for each VM", () => {
  const TITLES = [
    "Name",
    "VM|CPU|Demand (MHz)|Max",
    "VM|CPU|Demand (MHz)|Avg",
    "VM|CPU|Ready (%)|Max",
    "VM|CPU|Peak vCPU Ready within collection cycle (%)|Max",
    "VM|CPU|Peak vCPU Co-Stop within collection cycle (%)|Max",
    "VM|CPU|Total Capacity (GHz)|Last",
    "VM|Configuration|Hardware|Number of CPUs (vCPUs)|Last",
  ];
  test.each<[string, readonly string[], number | string]>([
    ["31,002.11 / 2,400 = 12.9", ["31,002.11", "18,240.5", "0.57", "4.1", "1.2", "38.4", "16"], 13],
    ["exactly 8 vCPUs", ["19,200", "9,000.4", "0.57", "0.8", "0.1", "38.4", "16"], 8],
    ["a hundredth above 8 vCPUs", ["19,224.1", "9,000.4", "0.57", "0.8", "0.1", "38.4", "16"], 9],
    ["a faster core: 31,002.11 / 3,000 = 10.3", ["31,002.11", "18,240.5", "0.57", "4.1", "1.2", "48", "16"], 11],
    ["no capacity: the speed of the host", ["31,002.11", "18,240.5", "0.57", "4.1", "1.2", "-", "16"], 13],
    ["no peak, only an average", ["-", "18,240.5", "0.57", "4.1", "1.2", "38.4", "16"], "the export has only averages"],
    ["nothing", ["-", "-", "-", "-", "-", "-", "-"], "the export has no demand and no recommendation"],
    ["empty cells", ["", "", "", "", "", "", ""], "the export has no demand and no recommendation"],
    ["the worst vCPU waits, the average does not", ["9,600", "4,800", "0.57", "5.2", "1.2", "38.4", "16"], 16],
    ["vCPUs wait for each other", ["9,600", "4,800", "0.57", "5.2", "3.4", "38.4", "16"], 4],
    [
      "12 vCPUs at the time of the export",
      ["9,600", "4,800", "0.57", "0.8", "0.1", "28.8", "12"],
      "the export has 12 vCPUs in a.csv, row 2",
    ],
    [
      "peak and average swapped",
      ["9,600", "18,240.5", "0.57", "0.8", "0.1", "38.4", "16"],
      "its highest peak is below its highest average",
    ],
    ["GHz below MHz", ["31.0", "18.2", "0.57", "0.8", "0.1", "38.4", "16"], "its peak would be 31 MHz, less than"],
    ["Hz below MHz", ["31,002,110,000", "1", "0.57", "0.8", "0.1", "38.4", "16"], "its peak would be 12917545.9 vCPUs, more than"],
    ["MHz below GHz", ["31,002.11", "18,240.5", "0.57", "0.8", "0.1", "38,400", "16"], "the capacity in a.csv gives 2400000 MHz"],
    ["milliseconds below per cent", ["9,600", "4,800", "5,400", "0.8", "0.1", "38.4", "16"], "a number could not be read: a.csv, row 2"],
    ["a negative demand", ["-9,600", "4,800", "0.57", "0.8", "0.1", "38.4", "16"], "a number could not be read: a.csv, row 2"],
    ["a word", ["N/A yet", "4,800", "0.57", "0.8", "0.1", "38.4", "16"], "a number could not be read: a.csv, row 2"],
  ])("%s", (_, cells, expected) => {
    const answer = needOf(read(`\ufeff${quoted(...TITLES)}${quoted("db01", ...cells)}`));
    expect(typeof expected === "string" ? String(answer).slice(0, expected.length) : answer).toBe(expected);
  });

  test.each<[string, string, string, number]>([
    ["German", "31.002,11", "38,4", 13],
    ["French", "31 002,11", "38,4", 13],
    ["Swiss", "31'002.11", "38.4", 13],
  ])("numbers of a %s interface", (_, demand, capacity, expected) => {
    const cells = ["db01", demand, "1", "0,5".replace(",", capacity[2] ?? "."), "0", "0", capacity, "16"];
    expect(needOf(read(`\ufeff${quoted(...TITLES)}${quoted(...cells)}`))).toBe(expected);
  });

  test("GHz in the title", () => {
    expect(needOf(read(`${quoted("Name", "VM|CPU|Demand (GHz)|Max")}${quoted("db01", "19.2")}`))).toBe(8);
  });
});

describe("recommendations of VCF Operations", () => {
  test.each<[string, string, string, number | string]>([
    ["vCPUs to remove", "Summary|Oversized|vCPUs", "5", 11],
    ["vCPUs to remove, as a label", "Rightsize - vCPUs to Remove from Oversized VMs", "8", 8],
    ["vCPUs to add", "Rightsize - vCPUs to Add to Undersized VMs", "4", 20],
    ["vCPUs to remove with a wrong sign", "vCPUs to Remove", "-5", "a number could not be read"],
    ["more than there are", "vCPUs to Remove", "16", "the recommended change removes all vCPUs"],
    ["nothing to remove", "vCPUs to Remove", "0", "the export has no demand and no recommendation"],
    ["12 cores in MHz", "OnlineCapacityAnalytics|CPU|recommendedSize", "28,800", 12],
    ["12 cores in MHz with noise of 0.04 %", "OnlineCapacityAnalytics|CPU|recommendedSize", "28,811.5", 12],
    ["12.2 cores in MHz", "OnlineCapacityAnalytics|CPU|recommendedSize", "29,280", 13],
    ["reclaimable", "OnlineCapacityAnalytics|CPU|recommendedSize", "0", "the export calls it reclaimable"],
    ["never scored", "OnlineCapacityAnalytics|CPU|recommendedSize", "-", "the export has no demand and no recommendation"],
    ["vROps 6", "CPU|size.recommendation", "6", 6],
    ["half a vCPU", "CPU|size.recommendation", "6.5", "a number could not be read"],
  ])("%s", (_, title, cell, expected) => {
    const answer = needOf(read(quoted("Name", title) + quoted("db01", cell)));
    expect(typeof expected === "string" ? String(answer).slice(0, expected.length) : answer).toBe(expected);
  });

  test("two verdicts that differ: both are kept, and the larger one counts", () => {
    const titles = quoted("Name", "Summary|Oversized|vCPUs", "OnlineCapacityAnalytics|CPU|recommendedSize");
    const demands = read(titles + quoted("db01", "0", "2,400"));
    expect(needOf(demands)).toBe(1);
    const both = read(titles + quoted("db01", "4", "24,000"));
    const { need, against } = size({ path: "db01.vmx", vm: { spec: vmOf(), target: { host: HOST } }, demands: both });
    expect([need?.vcpus, need?.recommended.map(({ vcpus }) => vcpus)]).toEqual([12, [12, 10]]);
    expect(against).toContain("the recommendations differ: 10 and 12 vCPUs");
  });
});

describe("home-made tables", () => {
  test("kanecharles92/vrops_right_sizing: only the new count may be read", () => {
    const titles =
      "VM|Name,vCPU|Original Count,vCPU|New CPU Count,vCPU|Num Added,vCPU|Num Reclaimed,vMEM|Original Allocation (MB),vMEM|New Allocation (MB),vMEM|Added (MB),vMEM|Reclaimed (MB),VM|Notes\n";
    expect(needOf(read(`${titles}db01,16,10,-6,6,131072,98304,-32768,32768,\n`))).toBe(10);
  });

  test.each<[string, string, DemandOptions["columns"], number | string]>([
    ["peaks in GHz", "Server;Spitze GHz\ndb01;19,2\n", { name: "Server", peakGHz: "Spitze GHz" }, 8],
    ["peaks in MHz", "Server;Spitze\ndb01;19.200,5\n", { name: "Server", peakMHz: "Spitze" }, 9],
    ["peaks in vCPUs", "Server\tBusy\ndb01\t6.2\n", { name: "Server", peakVcpus: "Busy" }, 7],
    ["peaks in per cent of 16", "Server,Peak CPU %\ndb01,50\n", { name: "Server", peakPercent: "Peak CPU %" }, 8],
    ["an impossible per cent", "Server,Peak CPU %\ndb01,5000\n", { name: "Server", peakPercent: "Peak CPU %" }, "a number could not"],
    ["a new number", "Server,New\ndb01,6\n", { name: "Server", recommendedVcpus: "new" }, 6],
    ["a change", "Server,Minus\ndb01,6\n", { name: "Server", vcpusToRemove: "Minus" }, 10],
  ])("columns by name: %s", (_, text, columns, expected) => {
    const answer = needOf(read(text, columns));
    expect(typeof expected === "string" ? String(answer).slice(0, expected.length) : answer).toBe(expected);
  });
});

describe("Live Optics", () => {
  const sheets = (peak: string | number, more: Parameters<typeof workbook>[0] = {}) => ({
    Details: [
      ["Project ID", "12345"],
      ["Collector Build Version", "23.4"],
    ],
    VMs: [
      ["VM Name", "MOB ID", "InstanceUUID", "Power State", "Template", "Virtual CPU", "Provisioned Memory (MiB)", "vCenter"],
      ["db01", "vm-1044", "5029aaaa-0000-1111-2222-333344445555", "poweredOn", "False", 16, 65536, "8.0.2"],
    ],
    "VM Performance": [
      ["VM Name", "MOB ID", "Host", "Peak vCPU %", "Peak vCPU (GHz)", "Average vCPU %", "Average vCPU (GHz)", "Peak Memory %"],
      ["db01", "vm-1044", "esx01", 55, peak, 20, 7.1, 80],
    ],
    ...more,
  });
  const found = (peak: string | number): readonly Demand[] => {
    const all = demandInWorkbook("lo.xlsx", workbook(sheets(peak)));
    if (!all || "refused" in all) throw new Error("not read");
    return all;
  };

  test.each<[string, string | number, number | string]>([
    ["a number", 19.2, 8],
    ["a text", "19.2", 8],
    ["MHz below GHz", 19_200, "its peak would be 8000 vCPUs, more than"],
    ["a gap", "", "the export has only averages"],
    ["below the average", 3.2, "its highest peak is below its highest average"],
  ])("the peak as %s", (_, peak, expected) => {
    const answer = needOf(found(peak));
    expect(typeof expected === "string" ? String(answer).slice(0, expected.length) : answer).toBe(expected);
  });

  test("vCPUs, power and UUID come from the sheet VMs, and the number keeps its sheet", () => {
    const [demand] = found(19.2);
    expect(demand).toMatchObject({ id: "vm-1044", uuid: "5029aaaa-0000-1111-2222-333344445555", isOff: false });
    expect([demand?.vcpus[0]?.value, demand?.peak?.sheet, demand?.peak?.row]).toEqual([16, "VM Performance", 2]);
  });

  test("an inventory and other bytes are no demand", () => {
    expect(
      demandInWorkbook(
        "a.xlsx",
        workbook({
          vInfo: [
            ["VM", "Powerstate", "CPUs", "Memory"],
            ["db01", "poweredOn", 16, 1024],
          ],
        }),
      ),
    ).toBeUndefined();
    expect(demandInWorkbook("a.xlsx", new Uint8Array([1, 2, 3]))).toBeUndefined();
    expect(demandInWorkbook("a.xlsx", workbook(sheets(19.2)).slice(0, 900))).toMatchObject({ refused: expect.any(String) });
  });
});

describe("Get-Stat | Export-Csv", () => {
  const TITLES =
    '#TYPE VMware.VimAutomation\n"Value","Timestamp","MetricId","Unit","Description","Entity","EntityId","IntervalSecs","Instance"\n';
  /** A week of rows of two hours. */
  const rows = (metric: string, unit: string, value: (row: number) => number, { seconds = 7200, count = 84, instance = "" } = {}): string =>
    Array.from({ length: count }, (_, i) => {
      const time = new Date(Date.UTC(2026, 6, 27) - i * seconds * 1000).toLocaleString("en-US", { timeZone: "UTC" });
      return `"${value(i)}","${time}","${metric}","${unit}","","db01","VirtualMachine-vm-1044","${seconds}","${instance}"\n`;
    }).join("");
  const peaks = rows("cpu.usagemhz.maximum", "MHz", (i) => (i === 3 ? 19_200 : 4000));

  test.each<[string, string, number | string]>([
    ["the highest maximum of two hours", peaks, 8],
    ["a vCPU's own rows do not count", peaks + rows("cpu.usagemhz.maximum", "MHz", () => 30_000, { instance: "3" }), 8],
    ["averages of two hours hide peaks", rows("cpu.usagemhz.average", "MHz", () => 4000), "the export has only averages"],
    [
      "an hour of samples of 20 seconds",
      rows("cpu.usagemhz.average", "MHz", () => 4000, { seconds: 20, count: 180 }),
      "the export covers 60 minutes",
    ],
    // 5 % of 16 vCPUs in 7,200 s are 5,760,000 ms.
    ["ready, added up over the vCPUs", peaks + rows("cpu.ready.summation", "millisecond", () => 5_760_000), 16],
    ["ready below 5 %", peaks + rows("cpu.ready.summation", "millisecond", () => 5_000_000), 8],
    [
      "ready, but co-stop of 3 %",
      peaks + rows("cpu.ready.summation", "millisecond", () => 5_760_000) + rows("cpu.costop.summation", "millisecond", () => 3_456_000),
      8,
    ],
    ["another unit", rows("cpu.usagemhz.maximum", "KHz", () => 4000), "a number could not be read"],
  ])("%s", (_, text, expected) => {
    const answer = needOf(read(TITLES + text));
    expect(typeof expected === "string" ? String(answer).slice(0, expected.length) : answer).toBe(expected);
  });

  test("its VM has the ID of vCenter, and its window comes from the intervals", () => {
    expect(read(TITLES + peaks)[0]).toMatchObject({ id: "vm-1044", windowMinutes: 7 * 24 * 60 });
  });

  test("values without their instance are refused", () => {
    expect(() =>
      read("Value,MetricId,Unit,Entity,EntityId,IntervalSecs\n1,cpu.usagemhz.maximum,MHz,db01,VirtualMachine-vm-1,20\n"),
    ).toThrow("without the column Instance");
  });
});

describe("esxtop -b", () => {
  const group = (name: string, counter: string): string => `\\\\esx01.example.com\\Group Cpu(${name})\\% ${counter}`;
  const TITLES = quoted(
    "(PDH-CSV 4.0) (UTC)(0)",
    group("2101:db01", "Used"),
    group("2101:db01", "Ready"),
    group("2101:db01", "CoStop"),
    group("1:system", "Used"),
  );
  /** A batch of eight days with a sample every two hours; the first sample is not a rate. */
  const batch = (used: number, ready = 4, costop = 0, hours = 192): string =>
    TITLES +
    Array.from({ length: hours / 2 }, (_, i) => {
      const at = new Date(Date.UTC(2026, 6, 1, 2 * i)).toISOString();
      const time = `${at.slice(5, 7)}/${at.slice(8, 10)}/${at.slice(0, 4)} ${at.slice(11, 19)}`;
      return quoted(time, i === 0 ? "99999.00" : i === 5 ? String(used) : "100.00", String(ready), String(costop), "12.0");
    }).join("");

  test.each<[string, string, number | string]>([
    ["820 % are 8.2 cores", batch(820), 9],
    ["80 % of 16 vCPUs waiting are 5 %", batch(820, 80), 16],
    ["and co-stop of 48 % are 3 %", batch(820, 80, 48), 9],
    ["ten hours", batch(820, 4, 0, 10), "the export covers 8 hours"],
  ])("%s", (_, text, expected) => {
    const answer = needOf(read(text).filter(({ name }) => name === "db01"));
    expect(typeof expected === "string" ? String(answer).slice(0, expected.length) : answer).toBe(expected);
  });

  test("groups of ESXi are known as such", () => {
    expect(read(batch(820)).map(({ name, isSystem }) => [name, isSystem])).toEqual([
      ["db01", false],
      ["system", true],
    ]);
    // ESXi 6 numbers its own worlds from 65536 on (rach-sharp/esxtopd, esxtop-data.csv).
    const older = read(TITLES.replace("1:system", "529:init.65759").replace("2101:db01", "2101:app.2024"));
    expect(older.map(({ name, isSystem }) => [name, isSystem])).toContainEqual(["init.65759", true]);
    expect(older.map(({ name, isSystem }) => [name, isSystem])).toContainEqual(["app.2024", false]);
  });
});

test("readiness of the inventory counts, with its cell", () => {
  const vm = vmOf();
  const measured = { ...vm, measured: { readyPercent: { value: 96, range: [0, 1] as const } } };
  const { need, reason } = size({
    path: "a.xlsx",
    vm: { spec: measured, target: { host: HOST } },
    demands: read("Name,New\ndb01,4\n", { name: "Name", recommendedVcpus: "New" }),
  });
  expect([need?.vcpus, need?.ready?.value, reason]).toEqual([16, 6, expect.stringContaining("wait for cores 6 %")]);
});
