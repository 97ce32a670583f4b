import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

interface Kind {
  readonly sockets: number;
  readonly cores: number;
  readonly gib: number;
}

const host = (id: string, { sockets, cores, gib }: Kind) => ({
  self: { type: "HostSystem", value: id },
  name: `esx-${id}`,
  parent: { type: "ClusterComputeResource", value: "domain-c1" },
  hardware: {
    cpuInfo: { numCpuPackages: sockets, numCpuCores: sockets * cores, numCpuThreads: sockets * cores * 2, hz: 2_400_000_000 },
    memorySize: gib * 2 ** 30,
    numaInfo: { numNodes: sockets, numaNode: [] },
  },
  config: { hyperThread: { active: true }, product: { name: "VMware ESXi", productLineId: "embeddedEsx", version: "8.0.2" } },
});

const vm = (name: string, on: string, size: { readonly numCPU: number; readonly memoryMB: number }, more: object = {}) => ({
  self: { type: "VirtualMachine", value: `vm-${name}` },
  name,
  runtime: { powerState: "poweredOn", host: { type: "HostSystem", value: on } },
  config: {
    name,
    version: "vmx-20",
    hardware: { ...size, numCoresPerSocket: 1, autoCoresPerSocket: true, device: [] },
    ...more,
  },
});

const LARGE: Kind = { sockets: 2, cores: 16, gib: 512 };
const SMALL: Kind = { sockets: 2, cores: 16, gib: 128 };

async function findings(hostSystems: readonly object[], virtualMachines: readonly object[], ...args: readonly string[]) {
  const root = folder({ "hosts.json": JSON.stringify({ hostSystems }), "vms.json": JSON.stringify({ virtualMachines }) });
  const { out, code } = await vmlint(root, [...args, "--format", "json"]);
  const { diagnostics }: { diagnostics: readonly Record<string, unknown>[] } = JSON.parse(out);
  return { code, all: diagnostics, elsewhere: diagnostics.filter(({ otherHost }) => otherHost !== undefined) };
}

test("what only another host of the cluster shows is an info with its name, and counts on the VM's own host", async () => {
  const cluster = [host("1", LARGE), host("2", SMALL), host("3", SMALL)];
  const { elsewhere, code } = await findings(cluster, [vm("a", "1", { numCPU: 8, memoryMB: 98_304 })]);
  expect(elsewhere).toMatchObject([
    { ruleId: "numa/mem-exceeds-node", severity: "info", vm: "a", host: "esx-1", otherHost: "esx-2", fixes: [] },
  ]);
  expect(elsewhere[0]?.message).toMatch(/^On esx-2 of its cluster: /);
  expect(code).toBe(0);
});

test("what its own host shows is said once, about that host", async () => {
  const { all } = await findings([host("1", LARGE), host("2", SMALL)], [vm("a", "2", { numCPU: 8, memoryMB: 98_304 })]);
  const about = all.filter(({ ruleId }) => ruleId === "numa/mem-exceeds-node");
  expect(about).toMatchObject([{ severity: "warning", host: "esx-2" }]);
  expect(about[0]).not.toHaveProperty("otherHost");
});

test("where another host divides the VM differently, the difference is said, and a layout that is bad there", async () => {
  const cluster = [host("1", LARGE), host("2", { sockets: 4, cores: 6, gib: 512 })];
  const { all, elsewhere } = await findings(cluster, [vm("a", "1", { numCPU: 14, memoryMB: 16_384 })]);
  expect(elsewhere).toMatchObject([{ ruleId: "numa/no-good-layout", messageId: "all", otherHost: "esx-2" }]);
  expect(all.filter(({ ruleId }) => ruleId === "host/heterogeneous-cluster")).toMatchObject([{ severity: "warning", host: "esx-1" }]);
});

test("a VM with CPU affinity and a template stay where they are", async () => {
  const cluster = [host("1", LARGE), host("2", SMALL)];
  const size = { numCPU: 8, memoryMB: 98_304 };
  const pinned = vm("a", "1", size, { cpuAffinity: { affinitySet: [0, 2, 4, 6, 8, 10, 12, 14] } });
  expect((await findings(cluster, [pinned, vm("b", "1", size, { template: true })])).elsewhere).toEqual([]);
});

test("the clusters of a configuration have other hosts, too", () => {
  const root = folder({
    "a.vmx": `virtualHW.version = "20"\nnumvcpus = "8"\nmemSize = "98304"\n`,
    "vmlint.yaml": `host: big\nhosts:\n  big: { esxi: "8.0", sockets: 2, coresPerSocket: 16, threadsPerCore: 2, numaNodes: 2, memoryGiB: 512 }\n  small: { esxi: "8.0", sockets: 2, coresPerSocket: 16, threadsPerCore: 2, numaNodes: 2, memoryGiB: 128 }\nclusters: { prod: [big, small] }\n`,
  });
  const { out } = vmlint(root, ["."]);
  expect(out).toContain("On small of its cluster: ");
});
