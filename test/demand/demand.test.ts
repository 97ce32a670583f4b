import { type Demand, demandReader, isDemand, joinDemand } from "@vmlint/core/size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const read = (text: string, percent?: number, path = "view.csv"): readonly Demand[] => {
  const reader = demandReader(path, { percent });
  reader.push(text);
  const found = reader.end();
  if ("refused" in found) throw new Error(found.refused);
  return found;
};
const refusal = (text: string): string | undefined => {
  const reader = demandReader("view.csv");
  reader.push(text);
  const found = reader.end();
  return "refused" in found ? found.refused : undefined;
};
const quoted = (...rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => `"${cell}"`).join(",")}\r\n`).join("");
const one = (titles: readonly string[], cells: readonly string[]): Demand => {
  const [vm] = read(quoted(["Name", ...titles], ["db01", ...cells]));
  if (!vm) throw new Error("no VM");
  return vm;
};

describe("columns", () => {
  test.each<[string, string, Partial<Record<keyof Demand, unknown>>]>([
    ["VM|CPU|Demand (MHz)|Max", "31,002.11", { peak: { value: 31002.11, statistic: "peak" } }],
    ["CPU|Demand (GHz)|Max", "31.0", { peak: { value: 31000, statistic: "peak" } }],
    ["VM|CPU|Demand|Avg", "18,240.5", { average: { value: 18240.5, statistic: "average" } }],
    ["VM | CPU | Demand (MHz) | Average", "180", { average: { value: 180, statistic: "average" } }],
    ["Peak vCPU (GHz)", "3.2", { peak: { value: 3200, statistic: "peak" } }],
    ["Average vCPU (GHz)", "1.5", { average: { value: 1500, statistic: "average" } }],
    ["CPU Demand (MHz)", "500", { average: { value: 500, statistic: undefined } }],
    ["VM|CPU|Peak vCPU Ready within collection cycle (%)|Max", "4.1", { ready: { value: 4.1 } }],
    ["20-second Peak vCPU Ready (%)", "4.1", { ready: { value: 4.1 } }],
    ["VM|CPU|Ready (%)|Max", "0.57", { ready: { value: 0.57 } }],
    ["VM|CPU|Peak vCPU Co-Stop within collection cycle (%)|Max", "1.2", { costop: { value: 1.2 } }],
    ["VM|Configuration|Hardware|Number of CPUs (vCPUs)|Last", "16", { vcpus: [{ value: 16 }] }],
    ["VM|Config|Hardware|Number of CPUs (vCPUs)|Last", "16", { vcpus: [{ value: 16 }] }],
    ["vCPU|New CPU Count", "10", { recommendations: [{ form: "vcpus", value: 10 }] }],
    ["vCPU|Num Added", "-6", { recommendations: [] }],
    ["vCPU|Num Reclaimed", "6", { recommendations: [] }],
    ["Summary|Oversized|vCPUs", "3", { recommendations: [{ form: "change", value: -3 }] }],
    ["Rightsize - vCPUs to Add to Undersized VMs", "2", { recommendations: [{ form: "change", value: 2 }] }],
    ["vCPUs to Remove", "0", { recommendations: [], isReclaimable: false }],
    ["vCPUs to Remove", "-5", { recommendations: [], unread: ['row 2, vCPUs to Remove: "-5" is negative'] }],
    ["vCPU|New CPU Count", "2.5", { recommendations: [], unread: ['row 2, vCPU|New CPU Count: "2.5" is no whole number'] }],
    ["VM|CPU|Ready (%)|Max", "5400", { ready: undefined, unread: ['row 2, VM|CPU|Ready (%)|Max: "5400" is more than 100 %'] }],
    ["Peak vCPU", "3.2", { peak: undefined }],
    ["OnlineCapacityAnalytics|CPU|recommendedSize", "26,400", { recommendations: [{ form: "mhz", value: 26400 }] }],
    ["OnlineCapacityAnalytics|CPU|recommendedSize", "0", { recommendations: [], isReclaimable: true }],
    ["OnlineCapacityAnalytics|CPU|recommendedSize", "-", { recommendations: [], isReclaimable: false }],
    ["VM|CPU|Demand (KB)|Max", "5", { peak: undefined }],
    ["VM|CPU|Demand (MHz)|Min", "5", { peak: undefined, average: undefined }],
    ["Host|CPU|Demand|Avg", "5", { average: undefined }],
    ["Cluster|CPU|Demand|Avg", "5", { average: undefined }],
    ["Power State", "Powered Off", { isOff: true }],
    ["VM|CPU|Demand (MHz)|Max", "abc", { peak: undefined, unread: ['row 2, VM|CPU|Demand (MHz)|Max: "abc" is no number'] }],
  ])("%s: %s", (title, cell, expected) => {
    expect(one([title], [cell])).toMatchObject(expected);
  });

  test("the capacity in GHz gives the MHz of a vCPU, and says nothing without its unit", () => {
    const vcpus = "VM|Configuration|Hardware|Number of CPUs (vCPUs)|Last";
    expect(one(["VM|CPU|Total Capacity (GHz)|Last", vcpus], ["38.4", "16"]).mhzPerVcpu).toBeCloseTo(2400);
    expect(one(["VM|CPU|Total Capacity|Last", vcpus], ["38.4", "16"]).mhzPerVcpu).toBeUndefined();
    expect(one(["cpu|vm_capacity_provisioned", "config|hardware|num_Cpu"], ["38400", "16"]).mhzPerVcpu).toBe(2400);
  });

  test.each([
    ["a view of VMs", quoted(["Name", "VM|CPU|Demand (MHz)|Max"]), true],
    ["a home-made table", "VM|Name,vCPU|Original Count,vCPU|New CPU Count\r\n", true],
    ["RVTools vInfo", "VM,Powerstate,CPUs,Overall Cpu Readiness,Memory\n", false],
    ["a view of hosts", quoted(["Name", "Host|CPU|Demand|Avg"]), false],
    ["a table without names", "CPU|Demand (MHz)|Max\n", false],
  ])("%s", (_, text, expected) => expect(isDemand(text)).toBe(expected));
});

describe("numbers", () => {
  const demand = (cell: string, separator = ","): number | undefined =>
    read(`Name${separator}VM|CPU|Demand (MHz)|Max\ndb01${separator}"${cell}"\n`)[0]?.peak?.value;

  test.each<[string, string, number | undefined]>([
    ["1,546.6", ",", 1546.6],
    ["1,546", ",", 1546],
    ["1.546,6", ",", 1546.6],
    ["1.546", ";", 1546],
    ["1546,6", ";", 1546.6],
    ["1'546.6", ",", 1546.6],
    ["1 546,6", ";", 1546.6],
    ["12", ",", 12],
    ["", ",", undefined],
    ["-", ",", undefined],
  ])("%s in a file with %s is %s", (cell, separator, value) => expect(demand(cell, separator)).toBe(value));

  test("a file with both conventions is refused, not guessed", () => {
    const text = "Name;CPU|Demand (MHz)|Max\na;1.546,6\nb;1,546.6\n";
    expect(refusal(text)).toBe('it writes numbers as 1,546.6 and as 1.546,6: row 3 has "1,546.6"');
  });
});

describe("rows", () => {
  const hours = (count: number, cell: (hour: number) => string) =>
    Array.from({ length: count }, (_, hour) => {
      const [day, at] = [20 + Math.floor(hour / 24), hour % 24];
      return ["db01", `${at % 12 || 12}:00 ${at < 12 ? "AM" : "PM"} ${day} July 2026`, cell(hour)];
    });
  const week = (cell: (hour: number) => string, percent?: number) =>
    read(quoted(["Name", "Interval Breakdown", "CPU|Demand (MHz)|Max"], ...hours(168, cell)), percent)[0] as Demand;

  test("a week of hours: its window, its highest row and its percentiles", () => {
    const cell = (hour: number): string => String(hour === 77 ? 9000 : 1000 + hour);
    const vm = week(cell);
    expect(vm.windowMinutes).toBe(7 * 24 * 60);
    expect(vm.peak).toMatchObject({ value: 9000, row: 79 });
    // The nearest rank of 95 % is the 160th of 168 rows, and hour 77 is the highest row.
    expect(week(cell, 95).percentile).toMatchObject({ value: 1160, statistic: "95th percentile", row: 2, lastRow: 169, unit: "MHz" });
    expect(week(cell, 100).percentile?.value).toBe(9000);
    expect(vm.percentile).toBeUndefined();
  });

  test("what is known of a VM is plain data without its rows", () => {
    const vm = week((hour) => String(1000 + hour), 95);
    expect(structuredClone(vm)).toEqual(vm);
    expect(JSON.stringify(vm).length).toBeLessThan(1000);
  });

  test("a changed number of vCPUs is kept with its row", () => {
    const titles = ["Name", "CPU|Demand (MHz)|Max", "Config|Hardware|Number of CPUs (vCPUs)|Last"];
    const [vm] = read(quoted(titles, ["db01", "1", "8"], ["db01", "1", "8"], ["db01", "1", "16"]));
    expect(vm?.vcpus).toMatchObject([
      { value: 8, row: 2 },
      { value: 16, row: 4 },
    ]);
  });

  test("two VMs of one name are not taken for one", () => {
    const two = (rows: readonly (readonly string[])[], titles = ["Name", "Timestamp", "CPU|Demand (MHz)|Max"]) =>
      read(quoted(titles, ...rows)).map(({ isRepeated }) => isRepeated);
    const day = (hours: readonly number[]) => hours.map((hour) => ["db01", `2026-07-20 ${String(hour).padStart(2, "0")}:00`, "1"]);
    expect(
      two(
        [
          ["db01", "1"],
          ["db01", "2"],
        ],
        ["Name", "CPU|Demand (MHz)|Max"],
      ),
    ).toEqual([true]);
    expect(two([...day([0, 1, 2]), ...day([0, 1, 2])])).toEqual([true]);
    expect(two(day([0, 1, 2, 3]))).toEqual([false]);
    expect(two(day([3, 2, 1, 0]))).toEqual([false]);
    // The end of summer time.
    expect(two(day([0, 1, 2, 2, 3]))).toEqual([false]);
  });

  test("parts of any length give the same as the whole text", () => {
    const text = quoted(
      ["Name", "VM|CPU|Demand (MHz)|Max", "Note"],
      ["db01", "1,546.6", "two\nlines"],
      ["db02", "-", 'a ""quote""'],
      ["db01", "2,000", ""],
    );
    const whole = read(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (lengths) => {
        const reader = demandReader("view.csv");
        for (let at = 0, i = 0; at < text.length; i++) {
          const length = lengths[i % lengths.length] as number;
          reader.push(text.slice(at, at + length));
          at += length;
        }
        expect(reader.end()).toEqual(whole);
      }),
    );
  });
});

describe("joining", () => {
  const demands = (...names: readonly string[]) => read(quoted(["Name", "CPU|Demand (MHz)|Max"], ...names.map((name) => [name, "1"])));
  const joined = (
    vms: readonly { readonly name: string; readonly id?: string; readonly server?: string; readonly uuid?: string }[],
    rows: readonly Demand[],
  ) => {
    const { of, unknown, ambiguous } = joinDemand(vms, rows);
    return {
      found: vms.map((vm) => of(vm)[0]?.name),
      unknown: unknown.map(({ name }) => name),
      ambiguous: ambiguous.map(({ name }) => name),
    };
  };

  test("an exact name wins over one with other capitals", () => {
    expect(joined([{ name: "DB01" }, { name: "db01" }], demands("db01"))).toEqual({
      found: [undefined, "db01"],
      unknown: [],
      ambiguous: [],
    });
    expect(joined([{ name: "DB01" }], demands("db01")).found).toEqual(["db01"]);
  });

  test("names that several VMs have, and names that none has, join nothing", () => {
    expect(joined([{ name: "db01" }, { name: "db01" }], demands("db01", "db02"))).toEqual({
      found: [undefined, undefined],
      unknown: ["db02"],
      ambiguous: ["db01"],
    });
  });

  test("two exports say more about a VM; two rows of one export are counted", () => {
    const [first, second] = [
      read("Name,vCPUs to Remove\ndb01,2\n", undefined, "a.csv"),
      read("Name,CPU|Demand (MHz)|Max\ndb01,900\n", undefined, "b.csv"),
    ];
    const vm = { name: "db01" };
    expect(joinDemand([vm], [...first, ...second]).of(vm)).toEqual([...first, ...second]);
    const ids = read(quoted(["Name", "Summary|MOID", "CPU|Demand (MHz)|Max"], ["db01", "vm-1", "1"], ["db01", "vm-2", "1"]));
    expect(joined([{ name: "db01" }], ids)).toEqual({ found: [undefined], unknown: [], ambiguous: ["db01", "db01"] });
    expect(joined([{ name: "db01" }], demands("db01", "db01"))).toEqual({ found: [undefined], unknown: [], ambiguous: ["db01"] });
  });

  test("the ID of a vCenter wins over a name", () => {
    const titles = ["Name", "Summary|MOID", "VMEntityVCID", "CPU|Demand (MHz)|Max"];
    const rows = read(quoted(titles, ["old-name", "vm-7", "vc-1", "1"]));
    expect(joined([{ name: "db01", id: "vm-7", server: "vc-1" }], rows).found).toEqual(["old-name"]);
    expect(joined([{ name: "db01", id: "vm-7", server: "vc-2" }], rows).unknown).toEqual(["old-name"]);
    // The vCenter gave this name to another VM.
    expect(joined([{ name: "old-name", id: "vm-8", server: "vc-1" }], rows).unknown).toEqual(["old-name"]);
  });
});
