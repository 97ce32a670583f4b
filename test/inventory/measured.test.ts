import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const csv = (...rows: readonly (readonly (string | number)[])[]): string => rows.map((row) => row.join(",")).join("\n");

const EXPORT = {
  "RVTools_tabvInfo.csv": csv(
    ["VM", "Powerstate", "CPUs", "Memory", "Overall Cpu Readiness", "Latency Sensitivity", "HW version", "Host", "VM ID"],
    ["waits", "poweredOn", 4, 8192, 24, "normal", 19, "esx01", "vm-1"],
    ["swaps", "poweredOn", 2, 8192, "0.16", "normal", 19, "esx01", "vm-2"],
    ["off", "poweredOff", 2, 8192, 90, "normal", 19, "esx01", "vm-3"],
  ),
  "RVTools_tabvMemory.csv": csv(
    ["VM", "Size MiB", "Swapped", "Ballooned", "Reservation", "Limit", "VM ID"],
    ["waits", 8192, 0, 0, 0, -1, "vm-1"],
    ["swaps", 8192, "1,024".replace(",", "."), 64, 0, -1, "vm-2"],
    ["off", 8192, 512, 0, 0, -1, "vm-3"],
  ),
  "RVTools_tabvHost.csv": csv(
    [
      "Host",
      "CPU Model",
      "Speed",
      "HT Available",
      "HT Active",
      "# CPU",
      "Cores per CPU",
      "# Cores",
      "# Memory",
      "Host Power Policy",
      "ESX Version",
    ],
    [
      "esx01",
      "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz",
      2400,
      "True",
      "False",
      2,
      20,
      40,
      786432,
      "Balanced",
      "VMware ESXi 8.0.2 build-1",
    ],
  ),
};

test("an export's measurements are findings, for running VMs alone", async () => {
  const { out } = await vmlint(folder(EXPORT), ["--format", "json"]);
  const found = JSON.parse(out).diagnostics as { ruleId: string; vm: string; data: object }[];
  const of = (...ids: readonly string[]) =>
    found.filter(({ ruleId }) => ids.includes(ruleId)).map(({ ruleId, vm, data }) => [ruleId, vm, data]);
  expect(of("cpu/ready-high", "mem/reclaimed")).toEqual([
    ["cpu/ready-high", "waits", { ready: 24, each: 6, vcpus: 4, limited: false }],
    ["mem/reclaimed", "swaps", { swappedMiB: 1024, balloonedMiB: 64, isReserved: false }],
  ]);
  expect(of("host/hyperthreading-off")).toEqual([["host/hyperthreading-off", null, { host: "esx01", cores: 40, vms: 2 }]]);
});

test("the power policy of a host matters to a latency-critical VM alone", async () => {
  const rules = async (...args: readonly string[]) =>
    JSON.parse((await vmlint(folder(EXPORT), ["--format", "json", ...args])).out).diagnostics.map(
      ({ ruleId }: { ruleId: string }) => ruleId,
    );
  expect(await rules()).not.toContain("latency/power-policy");
  expect(await rules("--workload", "latency")).toContain("latency/power-policy");
});
