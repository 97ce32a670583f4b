import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { exportOf, workbook } from "../support/write-workbook.ts";

const running = (name: string, coresPerNumaNode: number, more: object = {}) => ({
  name,
  runtime: { powerState: "poweredOn" },
  config: {
    name,
    version: "vmx-20",
    hardware: { numCPU: 20, memoryMB: 8192, numCoresPerSocket: 1, autoCoresPerSocket: true, device: [] },
    numaInfo: { coresPerNumaNode, autoCoresPerNumaNode: true, vnumaOnCpuHotaddExposed: false },
    cpuAllocation: { reservation: 0 },
    memoryAllocation: { reservation: 0 },
    ...more,
  },
});

const estate = (...virtualMachines: readonly object[]) => folder({ "vms.json": JSON.stringify({ virtualMachines }) });
const HOST = ["--host", "2x16x2@8.0"];

test("a VM that reports 4 nodes of 5 where 10+10 is computed is found, and agreement is counted", async () => {
  const root = estate(
    running("same", 10),
    running("other", 5),
    running("byHand", 5, { extraConfig: [{ key: "numa.vcpu.maxPerVirtualNode", value: "7" }] }),
    { ...running("off", 5), runtime: { powerState: "poweredOff" } },
  );
  const { out, err } = await vmlint(root, ["vms.json", ...HOST, "--format", "json"]);
  const found = JSON.parse(out).diagnostics.filter(({ ruleId }: { ruleId: string }) => ruleId === "topo/observed-differs");
  expect(found).toMatchObject([{ vm: "other", severity: "info", data: { reported: [5, 5, 5, 5], computed: [10, 10] } }]);
  expect(err).toMatch(/^vmlint: the computed layout agrees for 1 of 3 VMs that report theirs\.$/m);
});

test("reported values are printed before computed ones", async () => {
  const root = estate(running("same", 10), running("other", 5));
  const { out } = await vmlint(root, ["topology", "vms.json", ...HOST]);
  expect(out).toContain("vCenter reports NUMA nodes of 10+10; computed: the same.");
  expect(out).toContain("vCenter reports NUMA nodes of 5+5+5+5; computed: 10+10.");
  const { out: json } = await vmlint(root, ["topology", "vms.json", ...HOST, "--format", "json"]);
  expect(JSON.parse(json).vms.map(({ observed }: { observed: unknown }) => observed)).toEqual([
    { vnumaNodes: [10, 10], agrees: true, source: "vCenter" },
    { vnumaNodes: [5, 5, 5, 5], agrees: false, source: "vCenter" },
  ]);
});

test("the exported sockets of running VMs are compared with those that ESXi chooses, and are no layout", async () => {
  const vm = (name: string, cpus: number, coresPerSocket: number) => ({
    name,
    host: "esx01",
    cpus,
    coresPerSocket,
    hardware: 20,
    id: name,
  });
  const vms = [vm("chosen", 16, 16), vm("two", 20, 10), vm("byHand", 20, 1), { ...vm("off", 16, 16), power: "poweredOff" }];
  const root = folder({ "e.xlsx": workbook(exportOf(vms, [{ name: "esx01", sockets: 2, cores: 16, esxi: "8.0.2" }])) });
  const { err } = await vmlint(root, ["e.xlsx"]);
  expect(err).toMatch(/^vmlint: ESXi would choose the reported sockets of 2 of 3 VMs; other sockets may be set by hand\.$/m);
  expect(err).not.toContain("computed layout agrees");
  const { out } = await vmlint(root, ["topology", "e.xlsx"]);
  expect(out).not.toContain("reports NUMA");
});
