import { parseConfig } from "@vmlint/core/config";
import { describe, expect, test } from "vitest";
import { editor } from "../support/editor.ts";

// VMs of files that no other file names: they share a machine, or are the same VM.

const ESX01 = 'hosts: { esx01: { sockets: 2, coresPerSocket: 12, memoryGiB: 256, esxi: "8.0", runs: ["vm-*"] } }\n';
const config = parseConfig(ESX01, "vmlint.yaml");
const pins = "0,2,4,6";
const vmx = (name: string, cores = pins) =>
  `displayName = "${name}"\nvirtualHW.version = "19"\nnumvcpus = "4"\nmemSize = "4096"\nsched.cpu.affinity = "${cores}"\n`;
const resource = (name: string, more = "", vcpus: number | string = 4) =>
  `resource "vsphere_virtual_machine" "x" {\n  name = "${name}"\n  num_cpus = ${vcpus}\n  memory = 4096\n${more}}\n`;
const tf = (name: string, cores = pins) =>
  resource(name, `  extra_config = { for i in range(4) : "sched.vcpu${"${i}"}.affinity" => "${cores}" }\n`);

describe("VMs of a project and of a single file on one machine", () => {
  const files = { "/tf/main.tf": tf("vm-a"), "/b.vmx": vmx("vm-b"), "/other.tf": tf("lone") };

  test("are compared, and each shows its finding in the other", async () => {
    const { check } = editor(files, { config });
    const inProject = (await check("/tf/main.tf"))?.result.diagnostics ?? [];
    expect(inProject.map(({ ruleId, related }) => [ruleId, related.map(({ path }) => path)])).toEqual([["affinity/overlap", ["/b.vmx"]]]);
    expect((await check("/tf/main.tf"))?.textOf("/b.vmx")).toBe(files["/b.vmx"]);
    const around = [...((await check("/b.vmx"))?.otherFiles ?? [])];
    expect(around.map(([path, { text, diagnostics }]) => [path, text, diagnostics])).toEqual([
      ["/tf/main.tf", files["/tf/main.tf"], inProject],
    ]);
    expect((await check("/other.tf"))?.result.diagnostics).toEqual([]);
  });

  test("count as they are typed, in any file of the project", async () => {
    const values = {
      "/tf/main.tf": tf("${var.name}"),
      "/tf/variables.tf": 'variable "name" {}\n',
      "/tf/terraform.tfvars": 'name = "lone"\n',
    };
    const { type, rules, close } = editor({ ...files, ...values }, { config });
    await type("/tf/main.tf");
    await type("/b.vmx");
    expect(await rules("/tf/main.tf")).toEqual([]);
    expect(await type("/tf/terraform.tfvars", 'name = "vm-a"\n')).toContain("/tf/main.tf");
    expect(await rules("/tf/main.tf")).toEqual(["affinity/overlap"]);
    expect(await type("/b.vmx", vmx("vm-b", "8,10,12,14"))).toContain("/tf/main.tf");
    expect(await rules("/tf/main.tf")).toEqual([]);
    expect(await close("/b.vmx")).toContain("/tf/main.tf");
    expect(await rules("/tf/main.tf")).toEqual(["affinity/overlap"]);
  });

  test("come and go with their files and folders", async () => {
    const { checks, disk, type, rules } = editor(files, { config });
    await type("/b.vmx");
    const found = async () => [...((await checks.check({ path: "/b.vmx", text: files["/b.vmx"], host: "" }))?.otherFiles.keys() ?? [])];
    expect(await found()).toEqual(["/tf/main.tf"]);
    disk.delete("/tf/main.tf");
    expect(await checks.changed("/tf", "name")).toContain("/b.vmx");
    expect(await found()).toEqual([]);
    disk.set("/new/main.tf", tf("vm-c"));
    expect(await checks.changed("/new", "name")).toContain("/b.vmx");
    expect(await found()).toEqual(["/new/main.tf"]);
    expect(await rules("/new/main.tf")).toEqual(["affinity/overlap"]);
  });
});

test("projects on one machine are each read once while another file is typed, however many they are", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `/tf-${i}/main.tf`);
  const called = { "/call/a/main.tf": 'module "a" {\n  source = "../vm"\n}\n', "/call/b/main.tf": 'module "b" {\n  source = "../vm"\n}\n' };
  const modules = { "/call/vm/main.tf": tf("vm-same", "20-23") };
  const files = {
    ...Object.fromEntries(names.map((path, i) => [path, tf(`vm-${i}`, `${i % 10}-${(i % 10) + 3}`)])),
    ...called,
    ...modules,
  };
  const { type, rules, check, checks, read } = editor({ ...files, "/b.vmx": vmx("vm-b", "20-23") }, { config });
  await type("/b.vmx");
  await type("/tf-9/main.tf");
  expect(await rules("/tf-9/main.tf")).toEqual(["affinity/overlap"]);
  await rules("/b.vmx");
  const around = [...((await check("/call/vm/main.tf"))?.otherFiles ?? [])].filter(([path]) => path.startsWith("/call/"));
  expect(around.map(([path, { diagnostics }]) => [path, ...diagnostics.map(({ ruleId }) => ruleId)])).toEqual([
    ["/call/a/main.tf", "affinity/overlap"],
    ["/call/b/main.tf", "affinity/overlap"],
  ]);
  const checked: string[] = [];
  checks.trace((query, key) => query === "unit" && checked.push(key.split("\n").at(-1) ?? ""));
  for (const cores of ["1-4", "2-5"]) {
    await type("/b.vmx", vmx("vm-b", cores));
    await rules("/b.vmx");
    await rules("/tf-9/main.tf");
  }
  await type("/tf-9/main.tf", tf("vm-9", "3-6"));
  await rules("/tf-9/main.tf");
  await rules("/b.vmx");
  expect(new Set(checked)).toEqual(new Set(["/b.vmx", "/tf-9"]));
  expect(new Set(read).size).toBe(read.length);
});

test("a workspace with too many files is not searched, and the check says so", async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`/values/${i}.yaml`, "a: 1\n"]));
  const files = { "/a.vmx": vmx("vm-a"), "/lone.vmx": vmx("lone") };
  const { check, read } = editor({ ...files, "/tf/main.tf": tf("vm-b"), ...many }, { config });
  const sentence = expect.stringMatching(/^vmlint does not compare the files of this workspace: more than 5000 may describe VMs\./);
  expect((await check("/a.vmx"))?.notCompared).toEqual(sentence);
  expect((await check("/tf/main.tf"))?.notCompared).toEqual(sentence);
  expect((await check("/lone.vmx"))?.notCompared).toBeUndefined();
  expect(read.filter((path) => path.startsWith("/values/"))).toEqual([]);
});

describe("two descriptions of one VM", () => {
  const strict = parseConfig("extends: [strict]\n", "vmlint.yaml");
  const files = { "/tf/main.tf": resource("sql01"), "/sql01.vmx": vmx("sql01", "all").replace('"4"', '"8"'), "/notes.yaml": "a: 1\n" };

  test("are compared if the configuration wants it", async () => {
    const { type, rules, check } = editor(files, { config: strict });
    await type("/sql01.vmx");
    expect(await rules("/tf/main.tf")).toContain("spec/contradiction");
    expect([...((await check("/sql01.vmx"))?.otherFiles.keys() ?? [])]).toEqual(["/tf/main.tf"]);
    expect(await type("/tf/main.tf", resource("sql02"))).toContain("/sql01.vmx");
    expect([...((await check("/sql01.vmx"))?.otherFiles.keys() ?? [])]).toEqual([]);
  });

  test("a third one appears and makes the name ambiguous", async () => {
    const { checks, check, disk, type } = editor(files, { config: strict });
    await type("/tf/main.tf");
    const found = async () => (await check("/tf/main.tf"))?.result.diagnostics.map(({ ruleId }) => ruleId) ?? [];
    expect(await found()).toContain("spec/contradiction");
    disk.set("/copy/sql01.vmx", files["/sql01.vmx"]);
    expect(await checks.changed("/copy/sql01.vmx", "name")).toContain("/tf/main.tf");
    expect(await found()).not.toContain("spec/contradiction");
  });

  test("no other file is read if nothing is compared", async () => {
    const { rules, read } = editor(files);
    await rules("/sql01.vmx");
    expect(read).not.toContain("/tf/main.tf");
    expect(read).not.toContain("/notes.yaml");
  });
});

describe("a host that a file of the workspace lists", () => {
  const hosts = (name: string) =>
    JSON.stringify({
      hostSystems: [
        {
          self: { type: "HostSystem", value: "host-1" },
          name,
          parent: { type: "ClusterComputeResource", value: "domain-c1" },
          hardware: {
            cpuInfo: { numCpuPackages: 2, numCpuCores: 16, numCpuThreads: 32, hz: 2_400_000_000 },
            memorySize: 512 * 2 ** 30,
            numaInfo: { numNodes: 2, numaNode: [] },
          },
          config: { hyperThread: { active: true }, product: { name: "VMware ESXi", productLineId: "embeddedEsx", version: "8.0.2" } },
        },
      ],
    });
  const play =
    "- hosts: all\n  tasks:\n    - vmware_guest:\n        name: a\n        cluster: c1\n        hardware: { num_cpus: 20, memory_mb: 4096 }\n";
  const cluster = { obj: { type: "ClusterComputeResource", value: "domain-c1" }, changeSet: [{ name: "name", op: "assign", val: "c1" }] };
  const files = { "/play.yml": play, "/clusters.json": JSON.stringify(cluster) };

  test("counts for VMs of other files, as it is typed, comes and goes", async () => {
    const { checks, check, disk, type } = editor(files);
    const host = async () => (await check("/play.yml"))?.result.vms[0]?.target.host;
    await type("/play.yml");
    expect(await host()).toBeUndefined();
    disk.set("/hosts.json", hosts("esx01"));
    expect(await checks.changed("/hosts.json", "name")).toContain("/play.yml");
    expect(await host()).toMatchObject({ name: "esx01" });
    expect(await type("/hosts.json", hosts("esx02"))).toContain("/play.yml");
    expect(await host()).toMatchObject({ name: "esx02" });
    const before = await check("/play.yml");
    expect(await type("/hosts.json", `${hosts("esx02")}\n`)).not.toContain("/play.yml");
    expect(await check("/play.yml")).toBe(before);
  });
});

describe("single files whose VMs share a machine", () => {
  const files = { "/a.vmx": vmx("vm-a", "0,2,4,6"), "/b/b.vmx": vmx("vm-b", "0,2,4,6"), "/other.vmx": vmx("lone", "0,2,4,6") };

  test("are checked together with the open one, and their findings are shown in them", async () => {
    const { check } = editor(files, { config });
    const found = (await check("/b/b.vmx"))?.result.diagnostics ?? [];
    expect(found.map(({ ruleId, related }) => [ruleId, related.map(({ path }) => path)])).toEqual([["affinity/overlap", ["/a.vmx"]]]);
    expect((await check("/b/b.vmx"))?.textOf("/a.vmx")).toBe(files["/a.vmx"]);
    const elsewhere = [...((await check("/a.vmx"))?.otherFiles ?? [])];
    expect(elsewhere.map(([path, { text, diagnostics }]) => [path, text, diagnostics])).toEqual([["/b/b.vmx", files["/b/b.vmx"], found]]);
    expect(elsewhere[0]?.[1].textOf("/a.vmx")).toBe(files["/a.vmx"]);
    expect((await check("/other.vmx"))?.result.diagnostics).toEqual([]);
  });

  test("count as they are typed, come and go", async () => {
    const { checks, disk, type, close, rules } = editor(files, { config });
    await type("/b/b.vmx");
    expect(await rules("/b/b.vmx")).toEqual(["affinity/overlap"]);
    expect(await type("/a.vmx", vmx("vm-a", "8,10,12,14"))).toContain("/b/b.vmx");
    expect(await rules("/b/b.vmx")).toEqual([]);
    expect(await close("/a.vmx")).toContain("/b/b.vmx");
    expect(await rules("/b/b.vmx")).toEqual(["affinity/overlap"]);
    disk.delete("/a.vmx");
    expect(await checks.changed("/a.vmx", "name")).toContain("/b/b.vmx");
    expect(await rules("/b/b.vmx")).toEqual([]);
    disk.set("/0.vmx", vmx("vm-0", "0,2,4,6"));
    expect(await checks.changed("/0.vmx", "name")).toContain("/b/b.vmx");
    expect(await rules("/b/b.vmx")).toEqual(["affinity/overlap"]);
  });

  test("are not read for a VM without a declared machine, and only once while another is typed", async () => {
    const { type, rules, read } = editor(files, { config });
    await type("/other.vmx");
    await rules("/other.vmx");
    expect(read).not.toContain("/a.vmx");
    await type("/a.vmx");
    await rules("/a.vmx");
    for (const cores of ["0,2,4,8", "0,2,4,10"]) {
      await type("/a.vmx", vmx("vm-a", cores));
      await rules("/a.vmx");
    }
    expect(read.filter((path) => path === "/b/b.vmx")).toHaveLength(1);
  });
});
