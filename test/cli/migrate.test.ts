import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { parseXml } from "../support/parse-xml.ts";

const vmx = (name: string, lines: Readonly<Record<string, string | number>>): string =>
  Object.entries({ "virtualHW.version": 20, memSize: 65_536, displayName: name, ...lines })
    .map(([key, value]) => `${key} = "${value}"\n`)
    .join("");

const FILES = {
  "auto.vmx": vmx("auto", { numvcpus: 16 }),
  "eight.vmx": vmx("eight", { numvcpus: 8, "cpuid.coresPerSocket": 8 }),
  "four.vmx": vmx("four", { numvcpus: 4, "cpuid.coresPerSocket": 4 }),
  "vmlint.yaml": "host: 2x12x2:512@8.0\nworkload: { kind: mssql, edition: standard, version: 2019, licensing: core }\n",
};

interface Row {
  readonly vm: string;
  readonly worst: string | null;
  readonly possible: string | null;
  readonly outcomes: readonly {
    readonly when: string | null;
    readonly after: { readonly vcpus: number; readonly sockets: number; readonly coresPerSocket: number; readonly vnumaNodes: number[] };
    readonly changes: readonly { readonly id: string; readonly severity: string; readonly sources: readonly { readonly key: string }[] }[];
  }[];
}

async function rows(args: readonly string[], files: Readonly<Record<string, string>> = FILES): Promise<Readonly<Record<string, Row>>> {
  const { out } = await vmlint(folder(files), ["migrate", ...args, "--format", "json"]);
  const { vms } = JSON.parse(out) as { vms: Row[] };
  return Object.fromEntries(vms.map((one) => [one.vm, one]));
}

const after = (row: Row | undefined) =>
  row?.outcomes.map(({ after: { sockets, coresPerSocket, vnumaNodes } }) => [sockets, coresPerSocket, vnumaNodes]);

test("16 automatic vCPUs become 2 x 8 in one node by Forklift, and 1 x 16 by virt-v2v", async () => {
  expect(after((await rows(["--to", "kubevirt"])).auto)).toEqual([[2, 8, [16]]]);
  expect(after((await rows(["--to", "kubevirt", "--by", "virt-v2v"])).auto)).toEqual([[1, 16, [16]]]);
});

test("16 automatic vCPUs become 16 x 1 by Proxmox, and SQL Server Standard uses 4", async () => {
  const { auto } = await rows(["--to", "proxmox"]);
  expect(after(auto)).toEqual([[16, 1, [16]]]);
  expect(auto?.outcomes[0]?.changes).toContainEqual(expect.objectContaining({ id: "mssql/standard-sockets", severity: "error" }));
});

test("16 automatic vCPUs become one socket on OpenStack, and --write creates flavors with both nodes", async () => {
  expect(after((await rows(["--to", "openstack"])).auto)).toEqual([[1, 16, [16]]]);
  const { out } = await vmlint(folder(FILES), ["migrate", "--to", "openstack", "--write"]);
  expect(out.split("\n")[0]).toBe(
    "openstack flavor create --vcpus 16 --ram 65536 --disk 0 --property hw:cpu_sockets=2 --property hw:cpu_cores=8 --property hw:cpu_threads=1 --property hw:numa_nodes=2 -- 'auto'",
  );
});

test("Harvester makes 64 vCPUs of 8 under a limit of 8, an error with its issue", async () => {
  const { eight } = await rows(["--to", "kubevirt", "--by", "harvester"]);
  expect(eight?.outcomes[0]?.after.vcpus).toBe(64);
  expect(eight?.outcomes[0]?.changes).toContainEqual(
    expect.objectContaining({
      id: "migrate/changed-vcpus",
      severity: "error",
      sources: expect.arrayContaining([expect.objectContaining({ key: "harvester-11410" })]),
    }),
  );
  expect(eight?.outcomes[0]?.changes).toContainEqual(expect.objectContaining({ id: "kubevirt/limit-below-vcpus", severity: "error" }));
});

test.each([
  ["kubevirt", "forklift", null],
  ["kubevirt", "virt-v2v", null],
  ["kubevirt", "harvester", "error"],
])("4 vCPUs in one socket to %s by %s: %s", async (to, by, worst) => {
  expect((await rows(["--to", to, "--by", by])).four?.worst).toBe(worst);
});

test("an export that does not say who chose the sockets leaves two definitions, each with its condition", async () => {
  const table = "Name,NumCpu,CoresPerSocket,MemoryGB,PowerState\nweb,16,8,64,PoweredOn\n";
  const { web } = await rows(["--to", "kubevirt", "--by", "virt-v2v", "--host", "2x12x2:512@8.0", "vms.csv"], { "vms.csv": table });
  expect(web?.outcomes.map(({ when }) => when)).toEqual(["the .vmx states no cores per socket", "the .vmx states 8 cores per socket"]);
  expect(after(web)).toEqual([
    [1, 16, [16]],
    [2, 8, [16]],
  ]);
});

test("reservations, latency sensitivity and affinity are listed with what takes their place", async () => {
  const files = {
    "a.vmx": vmx("a", {
      numvcpus: 4,
      "cpuid.coresPerSocket": 4,
      "sched.cpu.min": 9600,
      "sched.cpu.latencySensitivity": "high",
      "numa.nodeAffinity": 0,
    }),
  };
  const { a } = await rows(["--to", "kubevirt", "--host", "2x12x2:512@8.0"], files);
  expect(a?.outcomes[0]?.changes.map(({ id, severity }) => [id, severity])).toEqual([
    ["migrate/lost-latency-sensitivity", "warning"],
    ["migrate/lost-affinity", "info"],
    ["migrate/lost-reservation", "info"],
  ]);
});

test("without a host and without sockets, every size of a socket is one outcome, and what all have is certain", async () => {
  const files = { "a.vmx": vmx("a", { numvcpus: 8, "sched.cpu.min": 9600 }) };
  const forklift = (await rows(["--to", "kubevirt"], files)).a;
  expect([forklift?.outcomes.length, forklift?.worst, forklift?.outcomes.every(({ after }) => after.vcpus === 8)]).toEqual([
    4,
    "info",
    true,
  ]);
  const harvester = (await rows(["--to", "kubevirt", "--by", "harvester"], files)).a;
  expect(harvester?.outcomes.map(({ when, after }) => [when, after.vcpus])).toEqual(
    [1, 2, 4, 8].map((cores) => [`ESXi shows ${cores} core${cores > 1 ? "s" : ""} per socket`, 8 * cores]),
  );
  // Less memory is certain, another number of vCPUs is possible.
  expect([harvester?.worst, harvester?.possible]).toEqual(["warning", "error"]);
  const { out } = await vmlint(folder(files), ["migrate", "--to", "kubevirt"]);
  expect(out).toContain("  after:   8 vCPUs in the same sockets\n");
});

test("--write prints definitions that keep the shapes, and says which nodes they miss", async () => {
  const { out, err, code } = await vmlint(folder(FILES), ["migrate", "--to", "kubevirt", "--write"]);
  expect(out.match(/sockets: 2\n +cores: 8\n/)).not.toBeNull();
  expect(out.split("---\n")).toHaveLength(3);
  expect(err).toContain("vmlint: auto: it does not keep the NUMA nodes 8+8:");
  expect(code).toBe(0);
});

test("the summary counts VMs that lose nothing, and all forms list each VM", async () => {
  const cwd = folder(FILES);
  const { out, code } = await vmlint(cwd, ["migrate", "--to", "kubevirt"]);
  expect(out).toContain("Nothing is lost: 2 VMs\n");
  expect(code).toBe(0);
  for (const format of ["csv", "md", "html"]) {
    const report = (await vmlint(cwd, ["migrate", "--to", "kubevirt", "--format", format])).out;
    for (const name of ["auto", "eight", "four"]) expect(report).toContain(name);
  }
});

test("a workbook goes to a file, and never in the place of a VM", async () => {
  const cwd = folder(FILES);
  const { out, code } = await vmlint(cwd, ["migrate", "--to", "proxmox", "--format", "xlsx:report.xlsx"]);
  expect([out, code]).toEqual(["", 1]);
  const files = unzipSync(readFileSync(join(cwd, "report.xlsx")));
  const sheet = strFromU8(files["xl/worksheets/sheet2.xml"] as Uint8Array);
  for (const name of ["auto", "eight", "four"]) expect(sheet).toContain(`>${name}<`);
  expect((await vmlint(cwd, ["migrate", "--to", "proxmox", "--format", "xlsx"])).err).toContain("needs a file name");
  expect((await vmlint(cwd, ["migrate", "--to", "proxmox", "--format", "csv:auto.vmx"])).code).toBe(2);
});

test("unusual names are text in each form", async () => {
  const name = "<script>alert(1)</script> | `rm -rf` $(id) \u202e\u001b[31m";
  const cwd = folder({ "vms.json": JSON.stringify([{ Name: name, NumCpu: 8, CoresPerSocket: 8, MemoryGB: 8, PowerState: "PoweredOn" }]) });
  const report = async (...args: readonly string[]) =>
    (await vmlint(cwd, ["migrate", "--to", "kubevirt", "--by", "harvester", ...args, "vms.json"])).out;
  const html = await report("--format", "html");
  expect(() => parseXml(html.replace("<!doctype html>", ""))).not.toThrow();
  expect(html).not.toContain("<script>");
  for (const format of ["text", "csv", "md"]) {
    const shown = await report("--format", format);
    expect(["\u202e", "\u001b"].filter((sign) => shown.includes(sign))).toEqual([]);
  }
  expect(await report("--format", "md")).not.toContain("<script>");
  expect(await report("--write")).toContain("name: script-alert-1-script-rm--rf-id-31m\n");
});

test.each([
  [["migrate"], "vmlint migrate needs a target: --to proxmox, kubevirt, openstack or libvirt."],
  [["migrate", "--to", "xen"], '--to of vmlint migrate takes proxmox, kubevirt, openstack or libvirt, not "xen".'],
  [["migrate", "--to", "kubevirt", "--by", "harvestr"], 'not "harvestr". Did you mean harvester?'],
])("%j is refused", async (args, sentence) => {
  const { err, code } = await vmlint(folder(FILES), args);
  expect([err.includes(sentence), code]).toEqual([true, 2]);
});
