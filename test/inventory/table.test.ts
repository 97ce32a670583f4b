import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** `Get-VM | Select-Object ... | ConvertTo-Json -Depth 2`: a host as an object, a state as a number. */
const VMS = [
  { Name: "sql01", PowerState: 1, NumCpu: 12, CoresPerSocket: 5, MemoryGB: 64.0, VMHost: { Name: "esx01" }, HardwareVersion: "vmx-19" },
  { Name: "web01", PowerState: 1, NumCpu: 24, CoresPerSocket: 1, MemoryGB: 0.5, VMHost: { Name: "esx01" }, HardwareVersion: "vmx-20" },
  { Name: "off01", PowerState: 0, NumCpu: 2, CoresPerSocket: 1, MemoryGB: 4, VMHost: { Name: "esx09" }, HardwareVersion: "vmx-19" },
];

const HOSTS = [
  {
    Name: "esx01",
    Parent: { Name: "prod" },
    NumCpu: 40,
    CpuTotalMhz: 95_960,
    MemoryTotalGB: 767.65,
    ProcessorType: "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz",
    HyperthreadingActive: true,
    Version: "8.0.2",
  },
];

const csv = (rows: readonly object[], separator = ","): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => cells.map((cell) => `"${typeof cell === "object" ? cell.Name : cell}"`).join(separator))
    .join("\r\n");

const findingsOf = async (root: string, args: readonly string[]) => {
  const { out, err } = await vmlint(root, [...args, "--format", "json"]);
  const { diagnostics } = JSON.parse(out) as { diagnostics: readonly { ruleId: string; vm: string; host: string | null }[] };
  return { err, found: diagnostics.map(({ ruleId, vm, host }) => `${vm} ${ruleId} on ${host}`).sort() };
};

test("VMs and hosts of PowerCLI are joined, and JSON, Windows PowerShell and CSV say the same", async () => {
  const root = folder({
    "vms.json": JSON.stringify(VMS),
    "hosts.json": JSON.stringify(HOSTS),
    "windows.json": JSON.stringify({ value: VMS, Count: VMS.length }),
    "vms.csv": csv(VMS, ";"),
    "hosts.csv": csv(HOSTS),
  });
  const json = await findingsOf(root, ["vms.json", "hosts.json"]);
  expect(json.found).toContain("sql01 cpu/cps-divides on esx01");
  expect(json.err).toContain("assumed that no VM sets advanced options");
  expect(json.err).toContain("host esx09 is not in the inventory");
  expect(json.err).not.toContain("hosts.json is not checked");
  expect((await findingsOf(root, ["windows.json", "hosts.json"])).found).toEqual(json.found);
  expect((await findingsOf(root, ["vms.csv", "hosts.csv"])).found).toEqual(json.found);
  // Windows PowerShell writes a byte order mark and the type of its objects, and a redirection writes UTF-16.
  writeFileSync(join(root, "typed.csv"), `\ufeff#TYPE VMware.VimAutomation.ViCore.Impl.V1.VM\r\n${csv(VMS)}`);
  writeFileSync(join(root, "marked.csv"), `\ufeff${csv(VMS)}`);
  writeFileSync(join(root, "wide.json"), `\ufeff${JSON.stringify(VMS)}`, "utf16le");
  for (const file of ["typed.csv", "marked.csv", "wide.json"])
    expect((await findingsOf(root, [file, "hosts.json"])).found, file).toEqual(json.found);
});

test("the sockets of a host follow from its processor, unless the clock shows that NumCpu does not count cores", async () => {
  const root = folder({
    "vms.json": JSON.stringify(VMS),
    "hosts.json": JSON.stringify(HOSTS),
    "threads.json": JSON.stringify(HOSTS.map((host) => ({ ...host, NumCpu: 80 }))),
  });
  const layout = async (hosts: string) => JSON.parse((await vmlint(root, ["topology", "vms.json", hosts, "--format", "json"])).out);
  const [, web] = (await layout("hosts.json")).vms;
  expect(web).toMatchObject({ name: "web01", host: "esx01", assumedOfHost: [expect.any(String), expect.any(String)] });
  expect((await layout("threads.json")).vms[1]).toMatchObject({ host: null, topology: null });
});

test("a configuration names the columns of any other table", async () => {
  const root = folder({
    "vmlint.yaml":
      'columns: { name: Server, vcpus: Cores, coresPerSocket: per Socket, memoryGiB: RAM, hardwareVersion: HW, host: Blade }\nhost: "2x20x2:768@8.0"\n',
    "cmdb.csv": 'Server,Cores,per Socket,RAM,HW,Owner\nsql01,12,5,"64",19,"a, b"\n',
    "cmdb.jsonl": '{"Server":"sql01","Cores":12,"per Socket":5,"RAM":64,"HW":19}\n{"Server":"web01","Cores":2,"RAM":4,"HW":19}\n',
    "other.csv": "a,b\n1,2\n",
    "vms.csv": csv(VMS),
  });
  for (const file of ["cmdb.csv", "cmdb.jsonl"])
    expect((await findingsOf(root, [file])).found).toContain("sql01 cpu/cps-divides on 2x20x2:768@8.0");
  expect((await findingsOf(root, ["vms.csv"])).found).toContain("sql01 cpu/cps-divides on 2x20x2:768@8.0");
  const { code, err } = await vmlint(root, ["other.csv"]);
  expect([code, err]).toEqual([2, expect.stringContaining('it has no columns "Server" and "Cores", which columns: in vmlint.yaml names')]);
});

test("a table that nobody describes is named, and a search of a folder leaves it alone", async () => {
  const root = folder({ "other.csv": "Server,Cores\nsql01,12\n", "a.vmx": 'numvcpus = "2"\n' });
  const { err } = await vmlint(root, ["other.csv"]);
  expect(err).toContain("neither RVTools nor PowerCLI writes its columns. Name them under columns: in vmlint.yaml");
  const { out } = await vmlint(root, [".", "--format", "json"]);
  expect(JSON.parse(out).summary.files).toBe(1);
});
