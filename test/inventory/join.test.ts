import { describe, expect, test } from "vitest";
import { spawned, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { hasVcenter, withVcenter } from "../support/vcenter.ts";

/** A host as the vSphere API writes it: so many sockets of so many cores, a NUMA node each. */
const host = (id: string, name: string, [sockets, cores]: readonly [number, number], cluster?: string) => ({
  self: { type: "HostSystem", value: id },
  name,
  parent: cluster ? { type: "ClusterComputeResource", value: cluster } : { type: "ComputeResource", value: "domain-s1" },
  hardware: {
    cpuInfo: { numCpuPackages: sockets, numCpuCores: sockets * cores, numCpuThreads: sockets * cores * 2, hz: 2_400_000_000 },
    memorySize: 512 * 2 ** 30,
    numaInfo: { numNodes: sockets, numaNode: [] },
  },
  config: { hyperThread: { active: true }, product: { name: "VMware ESXi", productLineId: "embeddedEsx", version: "8.0.2" } },
});

const vm = (name: string, on: string, numCPU: number) => ({
  self: { type: "VirtualMachine", value: `vm-${name}` },
  name,
  runtime: { powerState: "poweredOn", host: { type: "HostSystem", value: on } },
  config: { name, version: "vmx-20", hardware: { numCPU, memoryMB: 8192, numCoresPerSocket: 1, device: [] } },
});

const vms = (...virtualMachines: readonly object[]): string => JSON.stringify({ virtualMachines });
const hosts = (...hostSystems: readonly object[]): string => JSON.stringify({ hostSystems });

interface Placed {
  readonly name: string;
  readonly host: string | null;
  readonly hostSource?: string;
  readonly cluster?: string | null;
  readonly topology: { readonly numaClients: readonly number[] } | null;
}

async function placed(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { out, err } = await vmlint(folder(files), ["topology", ...args, "--format", "json"]);
  const found: readonly Placed[] = JSON.parse(out).vms;
  return { err, hosts: found.map(({ name, host, topology }) => [name, host, topology?.numaClients ?? null]), found };
}

test("each VM is laid out on the host it is on, whichever file lists that", async () => {
  const files = {
    "vms.json": vms(vm("a", "host-1", 12), vm("b", "host-2", 12)),
    "hosts.json": hosts(host("host-1", "esx01", [2, 16], "domain-c1"), host("host-2", "esx02", [4, 8], "domain-c1")),
  };
  const { hosts: joined, found, err } = await placed(files, "vms.json", "hosts.json");
  expect(joined).toEqual([
    ["a", "esx01", [12]],
    ["b", "esx02", [6, 6]],
  ]);
  expect(found.map(({ hostSource, cluster }) => [hostSource, cluster])).toEqual([
    ["inventory", "domain-c1"],
    ["inventory", "domain-c1"],
  ]);
  expect(err).toBe("");
});

test("a named list of hosts is a part of the check, but no VM", async () => {
  const root = folder({
    "vms.json": vms(vm("a", "host-1", 2)),
    "hosts.json": hosts(host("host-1", "esx01", [2, 16])),
    "clusters.json": JSON.stringify([
      { obj: { type: "ClusterComputeResource", value: "domain-c1" }, changeSet: [{ name: "name", val: "sql" }] },
    ]),
  });
  const { code, err } = await vmlint(root, ["vms.json", "hosts.json", "clusters.json", "--fail-on", "never"]);
  expect([code, err]).toEqual([0, ""]);
  expect(await vmlint(root, ["hosts.json"])).toMatchObject({ code: 2, err: expect.stringContaining("there is no VM in it") });
});

test("a host that the inventory lacks is named, with the number of its VMs", async () => {
  const files = {
    "vms.json": vms(vm("a", "host-1", 12), vm("b", "host-9", 12), vm("c", "host-9", 4)),
    "hosts.json": hosts(host("host-1", "esx01", [2, 16])),
  };
  const { hosts: joined, err } = await placed(files);
  expect(joined.map(([name, on]) => [name, on])).toEqual([
    ["a", "esx01"],
    ["b", null],
    ["c", null],
  ]);
  expect(err).toContain("vmlint: 2 VMs: host host-9 is not in the inventory.\n");
});

test("equal references of two vCenters mean the host in the same file", async () => {
  const files = {
    "one/vms.json": vms(vm("a", "host-1", 12)),
    "one/hosts.json": hosts(host("host-1", "esx01", [2, 16])),
    "two/vms.json": vms(vm("b", "host-1", 12)),
    "two/hosts.json": hosts(host("host-1", "other01", [4, 8])),
  };
  expect((await placed(files)).hosts).toEqual([
    ["a", "esx01", [12]],
    ["b", "other01", [6, 6]],
  ]);
  const apart = { ...files, "vms.json": vms(vm("c", "host-1", 12)) };
  const { hosts: joined, err } = await placed(apart);
  expect(joined.find(([name]) => name === "c")).toEqual(["c", null, null]);
  expect(err).toContain("vmlint: 1 VM: several hosts are called host-1.\n");
});

test("an option, and a configuration, come before the inventory", async () => {
  const files = {
    "vms.json": vms(vm("a", "host-1", 12)),
    "hosts.json": hosts(host("host-1", "esx01", [2, 16])),
  };
  expect((await placed(files, "--host", "4x8x2@8.0")).hosts).toEqual([["a", "4x8x2@8.0", [6, 6]]]);
  expect((await placed({ ...files, "vmlint.yaml": "host: r640" })).hosts.map(([, on]) => on)).toEqual(["r640"]);
});

test("a VM with different layouts on the hosts of its cluster has a finding", async () => {
  const files = {
    "vms.json": vms(vm("a", "host-1", 36)),
    "hosts.json": hosts(
      host("host-1", "esx01", [2, 20], "domain-c1"),
      host("host-2", "esx02", [4, 14], "domain-c1"),
      host("host-3", "esx03", [4, 4], "domain-c2"),
    ),
  };
  const { out } = await vmlint(folder(files), ["--format", "json"]);
  const found = JSON.parse(out).diagnostics.filter(({ ruleId }: { ruleId: string }) => ruleId === "host/heterogeneous-cluster");
  expect(found).toMatchObject([{ vm: "a", host: "esx01", data: { here: [18, 18], others: ["esx02"], there: [12, 12, 12] } }]);
});

/** Two clusters by name: sql has hosts of two kinds, web has one. */
const ESTATE = {
  "vms.json": vms(vm("a", "host-1", 36), vm("b", "host-3", 8)),
  "hosts.json": hosts(
    host("host-1", "esx01", [2, 20], "domain-c1"),
    host("host-2", "esx02", [4, 14], "domain-c1"),
    host("host-3", "esx03", [4, 4], "domain-c2"),
  ),
  "clusters.json": ["sql", "web"]
    .map((name, i) =>
      JSON.stringify({
        obj: { type: "ClusterComputeResource", value: `domain-c${i + 1}` },
        changeSet: [{ name: "name", op: "assign", val: name }],
      }),
    )
    .join("\n"),
};

test("a dump of clusters gives them their names, and an override aims at one", async () => {
  const { found } = await placed(ESTATE);
  expect(found.map(({ cluster }) => cluster)).toEqual(["sql", "web"]);
  const config = "overrides: [{ cluster: sql, host: r640 }]";
  expect((await placed({ ...ESTATE, "vmlint.yaml": config })).hosts.map(([name, on]) => [name, on])).toEqual([
    ["a", "r640"],
    ["b", "esx03"],
  ]);
});

test("--host aims all VMs at a cluster or a host of the inventory", async () => {
  expect((await placed(ESTATE, "--host", "web")).hosts).toEqual([
    ["a", "esx03", [9, 9, 9, 9]],
    ["b", "esx03", [4, 4]],
  ]);
  expect((await placed(ESTATE, "--host", "esx02")).hosts).toEqual([
    ["a", "esx02", [12, 12, 12]],
    ["b", "esx02", [8]],
  ]);
  const { err, code } = await vmlint(folder(ESTATE), ["--host", "webb"]);
  expect([code, err]).toEqual([2, expect.stringContaining('There is no host "webb"')]);
});

test("vmlint move shows only VMs that change; VMs of the target cluster stay", async () => {
  const { out } = await vmlint(folder(ESTATE), ["move", "--to", "sql", "--format", "json"]);
  expect(JSON.parse(out)).toMatchObject({
    vms: [{ vm: "b", from: { host: "esx03", layout: [4, 4] }, to: { host: "esx01", layout: [8] } }],
    unchanged: 1,
  });
});

const TERRAFORM = `data "vsphere_compute_cluster" "this" {
  name = var.cluster
}
variable "cluster" { default = "sql" }
resource "vsphere_virtual_machine" "db" {
  name             = "db"
  resource_pool_id = data.vsphere_compute_cluster.this.resource_pool_id
  num_cpus         = 36
}
`;

test("a VM of Terraform or Ansible is judged on the hosts of its cluster", async () => {
  const playbook =
    "- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest: { name: w, cluster: web, guest_id: x, hardware: { num_cpus: 8, memory_mb: 4096 } }\n";
  const files = { ...ESTATE, "main.tf": TERRAFORM, "play.yml": playbook };
  const on = async (all: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    (await placed(all, "main.tf", "play.yml", ...args)).hosts.map(([name, host]) => [name, host]);
  expect(await on(files, "hosts.json", "clusters.json")).toEqual([
    ["vsphere_virtual_machine.db", "sql (like esx01)"],
    ["w", "esx03"],
  ]);
  const config = "hosts: { big: { sockets: 4, coresPerSocket: 10, esxi: '8.0' } }\nclusters: { sql: [big, r640], web: [r930] }";
  expect(await on({ ...files, "vmlint.yaml": config })).toEqual([
    ["vsphere_virtual_machine.db", "big"],
    ["w", "r930"],
  ]);
  const { hosts: aimed } = await placed({ ...files, "vmlint.yaml": config }, "main.tf", "--host", "web");
  expect(aimed.map(([, host]) => host)).toEqual(["r930"]);
});

test("an incomplete host is named, and all other hosts are joined", async () => {
  const broken = { ...host("host-2", "esx02", [2, 16]), hardware: { cpuInfo: { numCpuPackages: 2 } } };
  const files = {
    "vms.json": vms(vm("a", "host-1", 12), vm("b", "host-2", 12)),
    "hosts.json": hosts(host("host-1", "esx01", [2, 16]), broken),
  };
  const { hosts: joined, err } = await placed(files);
  expect(joined.map(([, on]) => on)).toEqual(["esx01", null]);
  expect(err).toContain("vmlint: 1 VM: host esx02 is not known: ");
});

describe.runIf(hasVcenter)("govc, on a simulated vCenter", () => {
  test("every VM is on the host that govc says, from files and from one stream", async () => {
    await withVcenter((run) => {
      const dumps = { "vms.json": run("vm.info", "-json", "/DC0/vm/*"), "hosts.json": run("host.info", "-json", "/DC0/host/*/*") };
      const names = new Map<string, string>(
        JSON.parse(dumps["hosts.json"]).hostSystems.map((one: ReturnType<typeof host>) => [one.self.value, one.name]),
      );
      const wanted = JSON.parse(dumps["vms.json"])
        .virtualMachines.map((one: ReturnType<typeof vm>) => [one.name, names.get(one.runtime.host.value)])
        .sort();
      const on = (out: string) => JSON.parse(out).vms.map(({ name, host }: Placed) => [name, host]);
      const ask = (args: readonly string[], input = "") =>
        on(spawned(folder(dumps), ["topology", ...args, "--format", "json"], {}, input).out);
      expect(wanted).toHaveLength(4);
      expect(ask(["vms.json", "hosts.json"]).sort()).toEqual(wanted);
      const stream = run("object.collect", "-json", "-type", "m", "/") + run("object.collect", "-json", "-type", "h", "/");
      expect(ask(["-"], stream).sort()).toEqual(wanted);
    });
  });
});
