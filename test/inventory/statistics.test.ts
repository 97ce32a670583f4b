import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** A host of 2 sockets of 16 cores, as the vSphere API writes it. */
const host = (id: string, name: string) => ({
  self: { type: "HostSystem", value: id },
  name,
  hardware: {
    cpuInfo: { numCpuPackages: 2, numCpuCores: 32, numCpuThreads: 64, hz: 2_400_000_000 },
    memorySize: 512 * 2 ** 30,
    numaInfo: { numNodes: 2, numaNode: [] },
  },
  config: { hyperThread: { active: true }, product: { name: "VMware ESXi", productLineId: "embeddedEsx", version: "8.0.2" } },
});

const vm = (name: string, on: string, numCPU: number, more: object = {}) => ({
  self: { type: "VirtualMachine", value: `vm-${name}-${on}` },
  name,
  runtime: { powerState: "poweredOn", host: { type: "HostSystem", value: on } },
  config: {
    name,
    version: "vmx-20",
    hardware: { numCPU, memoryMB: 8192, numCoresPerSocket: 1, autoCoresPerSocket: true, device: [] },
    numaInfo: { autoCoresPerNumaNode: true, vnumaOnCpuHotaddExposed: false },
    cpuAllocation: { reservation: 0 },
    memoryAllocation: { reservation: 0 },
    ...more,
  },
});

const inventory = (...virtualMachines: readonly object[]): string =>
  JSON.stringify({ virtualMachines, hostSystems: [host("host-1", "esx01.example.com"), host("host-2", "esx02.example.com")] });

/** Output of `esxtop -b -n 2`: the counters of groups, by id and name. */
const batch = (on: string, groups: readonly (readonly [id: number, name: string, ready: readonly number[]])[]): string => {
  const header = groups.flatMap(([id, name]) => [
    `\\\\${on}\\Group Cpu(${id}:${name})\\% Used`,
    `\\\\${on}\\Group Cpu(${id}:${name})\\% Ready`,
  ]);
  const samples = [0, 1].map((sample) => [
    `11/27/2026 06:00:0${sample}`,
    ...groups.flatMap(([, , ready]) => ["50.00", String(ready[sample])]),
  ]);
  const rows = [["(PDH-CSV 4.0) (UTC)(0)", ...header], ...samples];
  return rows.map((row) => `${row.map((cell) => `"${cell}"`).join(",")}\n`).join("");
};

/** Output of `sched-stats -t numa-clients`: the vCPUs of each client, by group. */
const clients = (...groups: readonly (readonly [id: number, vcpus: readonly number[]])[]): string =>
  [
    "       groupName    groupID   clientID   homeNode   affinity    nWorlds  vmmWorlds   localMem  remoteMem currLocal% cummLocal%",
    ...groups.flatMap(([id, vcpus]) =>
      vcpus.map(
        (count, client) =>
          `      vm.${id}    ${id}          ${client}          ${client}        0x3         ${count}         ${count}    4194304          0        100         99`,
      ),
    ),
    "",
  ].join("\n");

interface Row {
  readonly observed: { readonly numaClients?: readonly number[]; readonly agrees: boolean; readonly source: string } | null;
}

async function check(files: Readonly<Record<string, string>>) {
  const root = folder(files);
  const names = Object.keys(files);
  const { out, err } = await vmlint(root, [...names, "--format", "json", "--fail-on", "never"]);
  const diagnostics: readonly { ruleId: string; vm: string; message: string }[] = JSON.parse(out).diagnostics;
  const rows: readonly Row[] = JSON.parse((await vmlint(root, ["topology", ...names, "--format", "json"])).out).vms;
  return {
    err,
    found: diagnostics.map(({ ruleId, vm: name, message }) => [ruleId, name, message] as const),
    observed: rows.map((row) => row.observed),
  };
}

test("esxtop says how long the vCPUs of a VM wait, without the first sample", async () => {
  const { found } = await check({
    "vms.json": inventory(vm("app", "host-1", 4), vm("web", "host-1", 4)),
    "esxtop.csv": batch("esx01", [
      [1, "system", [0, 0]],
      [1001, "app", [900, 48]],
      [1002, "web", [900, 2]],
    ]),
  });
  expect(found.filter(([ruleId]) => ruleId === "cpu/ready-high")).toEqual([
    ["cpu/ready-high", "app", expect.stringContaining("The 4 vCPUs of this VM waited for a core 48 % of the time, 12 % each.")],
  ]);
});

test("a single sample of esxtop says nothing, because a rate needs two", async () => {
  const [header = "", first = ""] = batch("esx01", [[1001, "app", [90, 90]]]).split("\n");
  const { found } = await check({ "vms.json": inventory(vm("app", "host-1", 4)), "esxtop.csv": `${header}\n${first}\n` });
  expect(found.filter(([ruleId]) => ruleId === "cpu/ready-high")).toEqual([]);
});

test("vCenter's nodes and the clients of sched-stats are one report", async () => {
  const numaInfo = { coresPerNumaNode: 10, autoCoresPerNumaNode: true, vnumaOnCpuHotaddExposed: false };
  const { observed } = await check({
    "vms.json": inventory(vm("app", "host-1", 20, { numaInfo })),
    "esxtop.csv": batch("esx01", [[1001, "app", [0, 0]]]),
    "clients.log": clients([1001, [10, 10]]),
  });
  expect(observed).toEqual([{ vnumaNodes: [10, 10], numaClients: [10, 10], agrees: true, source: "vCenter and sched-stats" }]);
});

test("sched-stats says on which NUMA clients a VM runs, and esxtop which VM that is", async () => {
  const { found, observed, err } = await check({
    "vms.json": inventory(vm("app", "host-1", 20), vm("wide", "host-1", 24)),
    "esxtop.csv": batch("esx01.example.com", [
      [1001, "app", [0, 0]],
      [1002, "wide", [0, 0]],
    ]),
    "clients.log": clients([1001, [10, 10]], [1002, [8, 8, 8]]),
  });
  expect(observed).toEqual([
    { numaClients: [10, 10], agrees: true, source: "sched-stats" },
    { numaClients: [8, 8, 8], agrees: false, source: "sched-stats" },
  ]);
  expect(found.filter(([ruleId]) => ruleId === "topo/observed-differs")).toEqual([
    [
      "topo/observed-differs",
      "wide",
      expect.stringContaining("According to sched-stats, the VM has NUMA clients of 8+8+8, but vmlint computes 12+12"),
    ],
  ]);
  expect(err).toContain("1 of 2");
});

const app = { "vms.json": inventory(vm("app", "host-1", 20)), "clients.log": clients([1001, [10, 10]]) };

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ["a batch of another host", { ...app, "esxtop.csv": batch("esx02", [[1001, "app", [0, 90]]]) }],
  [
    "two groups of one name",
    {
      ...app,
      "esxtop.csv": batch("esx01", [
        [1001, "app", [0, 90]],
        [1002, "app", [0, 90]],
      ]),
    },
  ],
  [
    "a VM that is off",
    { ...app, "vms.json": app["vms.json"].replace("poweredOn", "poweredOff"), "esxtop.csv": batch("esx01", [[1001, "app", [0, 90]]]) },
  ],
  ["no batch", app],
])("%s says nothing of a VM", async (_, files) => {
  const { found, observed } = await check(files);
  expect(observed).toEqual([null]);
  expect(found.filter(([ruleId]) => /ready-high|observed-differs/.test(ruleId))).toEqual([]);
});

const NAMELESS = " has no names of VMs: put the output of esxtop -b of the same time in its folder.\n";

test.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ["clients with other vCPUs than the VM has", { "clients.log": clients([1001, [10, 6]]) }, ""],
  [
    "clients with a group that the batch lacks",
    { "clients.log": clients([1001, [10, 10]], [1003, [4]]) },
    `vmlint: clients.log${NAMELESS}`,
  ],
  [
    "clients of two hosts with equal ids",
    { "other.log": clients([1001, [12, 8]]) },
    `vmlint: clients.log${NAMELESS}vmlint: other.log${NAMELESS}`,
  ],
])("%s are not those of the VM", async (_, files, note) => {
  const { observed, err } = await check({ ...app, "esxtop.csv": batch("esx01", [[1001, "app", [0, 0]]]), ...files });
  expect(observed).toEqual([null]);
  expect(err).toBe(note);
});

test("statistics alone have no VM to check", async () => {
  const root = folder({ "clients.log": clients([1001, [10, 10]]), "notes.log": "groupName groupID clientID\n" });
  expect(await vmlint(root, ["clients.log"])).toMatchObject({ code: 2, err: expect.stringContaining("there is no VM in it") });
  expect(await vmlint(root, ["notes.log"])).toMatchObject({ code: 2, err: expect.stringContaining("it has no VM of esxtop -b") });
});
