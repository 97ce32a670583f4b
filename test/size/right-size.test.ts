import { lint, requireHost, rules } from "@vmlint/core";
import { type LintedVm, parseVmx } from "@vmlint/core/program";
import { type Demand, demandReader, type RightSizeOptions, rightSizer } from "@vmlint/core/size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const HOST = requireHost("2x12x2:768@7.0");
const MHZ = 2400;

/** A VM with one core per socket, as vSphere 7.0 makes it. */
const vmx = (vcpus: number, more = "", coresPerSocket = 1): string =>
  `virtualHW.version = "19"\nmemSize = "65536"\nnumvcpus = "${vcpus}"\ncpuid.coresPerSocket = "${coresPerSocket}"\n${more}`;
const vmOf = (text: string, target: LintedVm["target"] = { host: HOST }): LintedVm => {
  const [spec] = parseVmx(text).vms;
  if (!spec) throw new Error("no VM");
  return { spec: { ...spec, name: "db01" }, target };
};

const TITLES = {
  peak: "CPU|Demand (MHz)|Max",
  average: "CPU|Demand (MHz)|Avg",
  capacity: "CPU|Total Capacity (MHz)|Last",
  vcpus: "Config|Hardware|Number of CPUs (vCPUs)|Last",
  ready: "CPU|Ready (%)|Max",
  costop: "CPU|Co-Stop (%)|Max",
  recommended: "Recommended vCPUs",
  mhz: "OnlineCapacityAnalytics|CPU|recommendedSize",
  remove: "vCPUs to Remove",
  add: "vCPUs to Add",
  time: "Timestamp",
  power: "Power State",
} as const;

type Cells = { readonly [K in keyof typeof TITLES]?: number | string | undefined };

/** Demand of a VM as an export writes it. */
const demandOf = (...rows: readonly Cells[]): Demand => percentileOf(undefined, ...rows);

function percentileOf(percent: number | undefined, ...rows: readonly Cells[]): Demand {
  const columns = (Object.keys(TITLES) as (keyof typeof TITLES)[]).filter((column) => rows.some((row) => row[column] !== undefined));
  const reader = demandReader("demand.csv", { percent });
  const lines = rows.map((row) => ["db01", ...columns.map((column) => row[column] ?? "-")].join(","));
  reader.push([["Name", ...columns.map((column) => TITLES[column])].join(","), ...lines].join("\n"));
  const [vm] = reader.end() as readonly Demand[];
  if (!vm) throw new Error("no demand");
  return vm;
}

const sized = (text: string, demand: Demand | undefined, options?: RightSizeOptions, target?: LintedVm["target"]) =>
  rightSizer(options)({ path: "a.vmx", vm: vmOf(text, target), demands: demand ? [demand] : [] });
const ofVcpus = (vcpus: number, cells: Cells): Demand => demandOf({ vcpus, capacity: vcpus * MHZ, ...cells });

test("a VM with a flaw at any size keeps its size, and the flaw is the reason", () => {
  const { action, reason } = sized(
    vmx(20, 'vcpu.hotadd = "TRUE"\nguestOS = "windows9server-64"', 4),
    ofVcpus(20, { peak: 3 * MHZ, recommended: 4 }),
  );
  expect([action, reason]).toEqual([
    "keep",
    expect.stringMatching(
      /^each count from 4 to 24 vCPUs has a flaw on its host, such as: CPU hot add .* Set cpuid.maxVCPUs to 12, or turn hot add off$/,
    ),
  ]);
});

describe("the need of a VM", () => {
  test.each<[string, number, Cells, string, number | undefined]>([
    ["a recommendation below today's number", 16, { recommended: 8 }, "shrink", 8],
    ["never below the measured peak", 16, { recommended: 8, peak: 12.9 * MHZ }, "shrink", 14],
    ["an odd recommendation is rounded up", 24, { recommended: 5 }, "shrink", 6],
    ["a change of the number", 16, { remove: 4 }, "shrink", 12],
    ["a growing VM", 4, { add: 4 }, "grow", 8],
    ["a size in MHz", 16, { mhz: 12 * MHZ }, "shrink", 12],
    ["a size in MHz with 1 % of drift", 16, { mhz: 12.04 * MHZ }, "shrink", 12],
    ["verdicts that differ: the larger one", 16, { mhz: 6 * MHZ, remove: 4 }, "shrink", 12],
    ["only the peak", 16, { peak: 7.2 * MHZ }, "shrink", 8],
    ["vCPUs that wait for cores get no fewer", 4, { recommended: 2, ready: 7 }, "keep", undefined],
    ["but co-stop shows that they wait for each other", 12, { recommended: 4, ready: 7, costop: 6 }, "shrink", 4],
    ["a change of one vCPU", 2, { recommended: 1 }, "keep", undefined],
    ["a VM with the right size", 8, { recommended: 8 }, "keep", undefined],
  ])("%s", (_, vcpus, cells, action, proposed) => {
    const found = sized(vmx(vcpus), ofVcpus(vcpus, cells));
    expect([found.action, found.shape?.vcpus, found.reason]).toEqual([action, proposed, expect.any(String)]);
  });

  test.each<[string, Demand, string]>([
    ["powered off", ofVcpus(8, { peak: 9, power: "Powered Off" }), "it is powered off"],
    ["reclaimable", ofVcpus(8, { mhz: 0 }), "reclaimable"],
    ["an older export", ofVcpus(4, { recommended: 2 }), "the export has 4 vCPUs in demand.csv, row 2, and the VM has 8"],
    ["a changed number", demandOf({ vcpus: 4, peak: 9 }, { vcpus: 8, peak: 9 }), "its vCPUs changed from 4 to 8 in demand.csv, row 3"],
    ["only averages", ofVcpus(8, { average: 2 * MHZ }), "only averages"],
    ["an unknown speed", demandOf({ peak: 9000 }), "the MHz of a vCPU are unknown"],
    ["a word", ofVcpus(8, { peak: "much", recommended: 4 }), 'row 2, CPU|Demand (MHz)|Max: "much" is no number'],
    ["more removed than there is", ofVcpus(8, { remove: 9 }), "the recommended change removes all vCPUs"],
    ["GHz in a column of MHz", ofVcpus(8, { peak: 7.2 }), "less than a guest system takes: check the unit"],
    ["Hz in a column of MHz", ofVcpus(8, { peak: 7_200_000 }), "its peak would be 3000 vCPUs, more than 8 vCPUs can use: check the unit"],
    ["a capacity in another unit", ofVcpus(8, { recommended: 4, capacity: 19.2 }), "gives 2 MHz for a vCPU, which no core has"],
    ["peak and average swapped", ofVcpus(8, { peak: 3 * MHZ, average: 7 * MHZ }), "its highest peak is below its highest average"],
    ["no number", ofVcpus(8, { recommended: "-" }), "no demand and no recommendation"],
    [
      "three days",
      demandOf(...[1, 2, 3].map((day): Cells => ({ peak: 9, capacity: MHZ * 8, vcpus: 8, time: `2026-07-0${day} 00:00` }))),
      "the export covers 3 days",
    ],
  ])("nothing is decided: %s", (_, demand, reason) => {
    const found = sized(vmx(8), demand);
    expect([found.action, found.shape]).toEqual(["undecided", undefined]);
    expect(found.reason).toContain(reason);
  });

  test.each<[string, string]>([
    ["an export states that hot add hides the nodes", 'numa.allowHotadd = "FALSE"'],
    ["ESXi stored the node size of 24 vCPUs", 'numa.autosize.vcpu.maxPerVirtualNode = "12"\nnuma.autosize.cookie = "240001"'],
  ])("every VM of an export may state it: %s", (_, more) => {
    const found = sized(vmx(24, more, 12), ofVcpus(24, { recommended: 8 }));
    expect([found.action, found.shape?.vcpus]).toEqual(["shrink", 8]);
  });

  test.each<[string, string, LintedVm["target"] | undefined, string]>([
    ["an appliance", vmx(8, 'guestOS = "vmware-photon-64"'), undefined, "Photon OS"],
    ["no host", vmx(8), {}, "its host is unknown"],
    ["nodes set by hand", vmx(8, 'numa.vcpu.maxPerVirtualNode = "4"'), undefined, "numa.vcpu.maxPerVirtualNode is set"],
    ["pinned", vmx(8, 'sched.cpu.affinity = "0-7"'), undefined, "CPU affinity is set"],
  ])("nothing is decided: %s", (_, text, target, reason) => {
    const found = sized(text, ofVcpus(8, { recommended: 4 }), {}, target);
    expect([found.action, found.reason]).toEqual(["undecided", expect.stringContaining(reason)]);
  });

  test("a VM without a row is counted, not decided", () => {
    expect(sized(vmx(8), undefined)).toMatchObject({ action: "unmeasured", reason: "no export has a row for it" });
  });

  test("a percentile leaves out the highest hours, and only hourly rows have one", () => {
    const hours = Array.from({ length: 168 }, (_, hour): Cells => {
      const time = `2026-07-${String(1 + Math.floor(hour / 24)).padStart(2, "0")} ${String(hour % 24).padStart(2, "0")}:00`;
      return { vcpus: 16, capacity: 16 * MHZ, peak: (hour < 5 ? 13 : 7) * MHZ, time };
    });
    expect(sized(vmx(16), demandOf(...hours)).shape?.vcpus).toBe(14);
    expect(sized(vmx(16), percentileOf(95, ...hours)).shape?.vcpus).toBe(8);
    // Without rows to take it from, the peak counts.
    expect(sized(vmx(16), percentileOf(95, { vcpus: 16, capacity: 16 * MHZ, peak: 13 * MHZ, recommended: 4 })).shape?.vcpus).toBe(14);
  });

  test("a step below the threshold of the configuration changes nothing", () => {
    const demand = ofVcpus(12, { recommended: 8 });
    expect(sized(vmx(12), demand, { least: 4 }).shape?.vcpus).toBe(8);
    expect(sized(vmx(12), demand, { least: 5 })).toMatchObject({ action: "keep", reason: "a change of 4 is below the step of 5" });
  });

  test("a VM of the right size with uneven nodes changes its shape", () => {
    const found = sized(vmx(18, "", 6), ofVcpus(18, { recommended: 18 }));
    expect([found.action, found.layout, found.shape?.coresPerSocket]).toEqual(["reshape", [12, 6], 9]);
  });

  test.each<[string, string, Cells, number | undefined, string]>([
    ["Windows 11 keeps two vCPUs", "windows11-64", { recommended: 1 }, 2, "Windows 11 needs at least 2 vCPUs"],
    ["Windows 11 with a peak above that", "windows11-64", { recommended: 1, peak: 3.2 * MHZ }, 4, "the peak of demand is 3.2 vCPUs"],
    ["a server may have one", "windows2019srv-64", { recommended: 1 }, 1, "the recommendation is 1"],
  ])("%s", (_, guest, cells, vcpus, reason) => {
    const found = sized(vmx(8, `guestOS = "${guest}"`), ofVcpus(8, cells));
    expect([found.shape?.vcpus, found.reason]).toEqual([vcpus, reason]);
  });

  test("a cut by more than half, and one to a single vCPU, has its figures against it", () => {
    const { against } = sized(vmx(20, 'guestOS = "rhel8-64"'), ofVcpus(20, { recommended: 1 }));
    expect(against).toEqual(expect.arrayContaining(["it removes 19 of 20 vCPUs at once", "one busy thread then takes the whole VM"]));
    expect(sized(vmx(16), ofVcpus(16, { recommended: 8 })).against.join()).not.toContain("at once");
  });

  test.each<[number, number, string]>([
    [16, 10, "Windows Server: no licence changes if the host is licensed; licensed by VM, 6 fewer"],
    [8, 4, "Windows Server: no licence changes if the host is licensed; licensed by VM, none: at least 8"],
    [10, 16, "Windows Server: no licence changes if the host is licensed; licensed by VM, 6 more"],
  ])("Windows Server: %i to %i vCPUs", (vcpus, recommended, text) => {
    const { licence } = sized(vmx(vcpus, 'guestOS = "windows2019srv-64"', 2), ofVcpus(vcpus, { recommended }));
    expect(licence).toEqual({ change: 0, text });
  });

  test.each<[number, number, string]>([
    [8, 6, "2 core licences returned"],
    [8, 2, "4 core licences returned"],
    [4, 2, "no core licence is saved: a VM needs at least 4"],
  ])("SQL Server by core: %i to %i vCPUs", (vcpus, recommended, licence) => {
    const workload = { kind: "mssql", edition: "standard", version: "2019", licensing: "core" } as const;
    expect(sized(vmx(vcpus, "", vcpus), ofVcpus(vcpus, { recommended }), {}, { host: HOST, workload }).licence?.text).toBe(licence);
  });
});

const RECOMMENDED = new Set(rules.filter(({ presets }) => presets?.includes("recommended")).map(({ id }) => id));

test("no proposal is below the need, or has a finding of the rules", () => {
  const hosts = ["2x12x2:768@7.0", "2x16x2:1024@8.0", "4x10x2:1024@6.7", "1x24x2/2:512@7.0"].map((word) => requireHost(word));
  const cells = fc.record({
    vcpus: fc.integer({ min: 1, max: 48 }),
    host: fc.constantFrom(...hosts),
    coresPerSocket: fc.constantFrom(1, 2),
    recommended: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    peak: fc.option(fc.double({ min: 0.1, max: 40, noNaN: true }), { nil: undefined }),
    ready: fc.option(fc.constantFrom(1, 6), { nil: undefined }),
    costop: fc.option(fc.constantFrom(0.5, 5), { nil: undefined }),
    hotAdd: fc.boolean(),
  });
  const size = rightSizer();
  fc.assert(
    fc.property(cells, ({ vcpus, host, coresPerSocket, peak, hotAdd, ...more }) => {
      const demand = ofVcpus(vcpus, { ...more, ...(peak !== undefined && { peak: peak * MHZ }) });
      const text = vmx(vcpus, hotAdd ? 'vcpu.hotadd = "TRUE"\n' : "", vcpus % coresPerSocket === 0 ? coresPerSocket : 1);
      const { shape, need, action } = size({ path: "a.vmx", vm: vmOf(text, { host }), demands: [demand] });
      if (!shape || !need) return;
      expect(shape.vcpus).toBeGreaterThanOrEqual(need.vcpus);
      expect(shape.vcpus).toBeGreaterThanOrEqual(Math.max(more.recommended ?? 0, Math.round((peak ?? 0) * 10) / 10));
      if (action === "shrink" && (more.ready ?? 0) >= 5) expect(more.costop ?? 0).toBeGreaterThanOrEqual(3);
      expect(shape.isFlawless || action !== "reshape").toBe(true);
      const written = `${vmx(shape.vcpus, hotAdd ? 'vcpu.hotadd = "TRUE"\n' : "")}`.replace(
        /cpuid.coresPerSocket = "1"/,
        shape.coresPerSocket === "auto" ? "" : `cpuid.coresPerSocket = "${shape.coresPerSocket}"`,
      );
      if (Object.keys(shape.settings).every((name) => ["vcpus", "coresPerSocket", "hardwareVersion"].includes(name)))
        expect(lint(written, { target: { host } }).diagnostics.filter(({ ruleId }) => RECOMMENDED.has(ruleId))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
