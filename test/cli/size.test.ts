import { WORKLOAD_KINDS } from "@vmlint/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const WISH = ["size", "--host", "4x10x2:1024@8.0", "22", "--memory", "300GiB"];
const SQL = ["--workload", "mssql,edition=standard,version=2019"];

describe("vmlint size", () => {
  test("prints the requested shape, better shapes, thresholds and the settings to write", () => {
    const { code, out, err } = vmlint(folder({}), [...WISH, ...SQL]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`22 vCPUs, 300 GiB, SQL Server 2019 Standard, hardware version 20

Hosts
  4x10x2:1024@8.0: 4 NUMA nodes x 10 cores, 256 GiB each, ESXi 8.0

Requested
      22 vCPUs  2 sockets x 11  NUMA nodes 8+8+6
     ! warning cpu/cps-exceeds-pnode: A virtual socket of 11 cores is wider than a NUMA node of 10, and no source says whether ESXi divides the VM as 8+8+6 or 8+7+7 or 11+11. Choose an even vCPU count that divides into at most 4 nodes of at most 10.

With preferHT
      22 vCPUs  2 sockets x 11, assigned at power on  NUMA nodes 11+11
     Two vCPUs then share a core: for work that shares memory, not for work that keeps every core busy (KB 415687).

Proposals, best first
  1.  20 vCPUs (-2)  2 sockets x 10, assigned at power on  NUMA nodes 10+10
  2.  24 vCPUs (+2)  3 sockets x 8, assigned at power on   NUMA nodes 8+8+8
  3.  18 vCPUs (-4)  2 sockets x 9, assigned at power on   NUMA nodes 9+9
  4.  16 vCPUs (-6)  2 sockets x 8, assigned at power on   NUMA nodes 8+8
  5.  14 vCPUs (-8)  2 sockets x 7, assigned at power on   NUMA nodes 7+7

Where it changes
  above  10  needs 2 NUMA nodes
  above  20  needs 3 NUMA nodes
  above  24  SQL Server 2019 Standard uses no more
  above  30  needs 4 NUMA nodes
  above  40  more vCPUs than cores
  The memory alone takes 2 NUMA nodes.
  without a flaw: 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24

Settings for 20 vCPUs

  .vmx
    numvcpus = "20"
    memSize = "307200"
    virtualHW.version = "20"

  Terraform, vsphere_virtual_machine
    # version 2.16 or later of the provider
    num_cpus             = 20
    num_cores_per_socket = 0
    memory               = 307200
    hardware_version     = 20

  Ansible, community.vmware.vmware_guest
    hardware:
      num_cpus: 20
      memory_mb: 307200
      version: 20

  Packer, vsphere-iso
    CPUs       = 20
    RAM        = 307200
    vm_version = 20

  vSphere client, Edit Settings
    CPU: 20
    Cores per Socket: Assigned at power on
    Memory: 307200 MB
    Compatibility: hardware version 20
`);
  });

  test("its JSON keeps to the published schema, for one host and for a cluster", () => {
    const cwd = folder({ "vmlint.yaml": "host: old\nhosts: { old: { sockets: 2, coresPerSocket: 10, esxi: 7.0 } }\n" });
    const validate = new Ajv2020().compile(JSON.parse(vmlint(cwd, ["schema", "output"]).out));
    for (const args of [
      [...WISH, ...SQL],
      ["size", "13", "--range", "11-15"],
    ]) {
      const report = JSON.parse(vmlint(cwd, [...args, "--format", "json"]).out);
      expect([validate(report), validate.errors]).toEqual([true, null]);
    }
    const { requested, proposals, hosts } = JSON.parse(vmlint(cwd, ["size", "13", "--range", "11-15", "--format", "json"]).out);
    expect(hosts).toEqual([{ name: "old", esxi: "7.0" }]);
    expect([requested.vcpus, requested.difference, proposals[0].vcpus, proposals[0].difference]).toEqual([13, 0, 14, 1]);
  });

  test("without --host the cluster of the configured host decides", () => {
    const cwd = folder({ "vmlint.yaml": 'host: 2x20x2@7.0\nclusters: { a: ["2x20x2@7.0", "2x8x2@7.0"], b: ["4x10x2@7.0"] }\n' });
    const hosts = (...args: string[]) =>
      JSON.parse(vmlint(cwd, ["size", "20", "--format", "json", ...args]).out).hosts.map(({ name }: { name: string }) => name);
    expect(hosts()).toEqual(["2x20x2@7.0", "2x8x2@7.0"]);
    expect(hosts("--host", "2x20x2@7.0")).toEqual(["2x20x2@7.0"]);
  });

  test("prints skipped checks and rounded values below the request", () => {
    const sql = ["--workload", "mssql,edition=standard"];
    const { out } = vmlint(folder({}), ["size", "--host", "2x24x2:768@8.0", "40", "--memory", "1001MiB", ...sql]);
    expect(out).toContain(
      `40 vCPUs, 1004 MiB, SQL Server Standard, hardware version 20

! The licence of SQL Server Standard was not checked, and may cover no more than 16 vCPUs. State its version.
! Memory comes in steps of 4 MiB: 1004 MiB instead of 1001.

Hosts
  2x24x2:768@8.0: 2 NUMA nodes x 24 cores, 384 GiB each, ESXi 8.0
`,
    );
  });

  test("uses the singular for one, and shows no shape for a VM that does not start", () => {
    const out = (...args: string[]): string => vmlint(folder({}), ["size", ...args]).out;
    const single = out("--host", "1x1x1:8@8.0", "2");
    expect(single).toContain("\n  1x1x1:8@8.0: 1 NUMA node x 1 core, 8 GiB, ESXi 8.0\n");
    expect(single).not.toMatch(/\b1 (?:\w+ )?(?:nodes|cores|CPUs|vCPUs|sockets|groups)\b/);
    expect(out("--host", "1x16x2@8.0", "15", "--hardware-version", "4")).toContain("15 vCPUs  15 sockets x 1  does not start");
    const wide = out("--host", "1x16x2@8.0", "40");
    expect(wide).not.toMatch(/\b1 (?:NUMA )?nodes\b/);
  });

  test.each<[string[], string]>([
    [["4"], "Sizing needs a host: pass --host or add host: to vmlint.yaml."],
    [["--host", "2x10x2@8.0"], "vmlint size needs the number of vCPUs you want: vmlint size 24."],
    [["--host", "2x10x2@8.0", "5.5"], 'vmlint size takes the number of vCPUs, such as 24, not "5.5".'],
    [["--host", "2x10x2", "4"], 'Host "2x10x2" does not state its ESXi version: add @8.0 to the short form or esxi: to the host.'],
    [["--host", "2x10x2@8.0", "4", "--memory", "300"], '--memory takes an amount with its unit, such as 300GiB or 512MiB, not "300".'],
    [["4", "--workload", "mssql,edition=std"], "--workload: edition must be enterprise, standard, web, express, bi, developer"],
    [["4", "--percentile", "95"], "--percentile only works with --estate."],
    [["4", "5"], "vmlint size takes one number of vCPUs, such as vmlint size 24."],
    [["4", "--range", "8"], '--range takes two vCPU counts, such as 16-32, not "8".'],
    [
      ["--host", "2x10x2@8.0", "4", "--hardware-version", "99"],
      "No ESXi release has hardware version 99. There are 4, 7, 8, 9, 10, 11, 13, 14, 15, 17, 18, 19, 20, 21, 22.\n",
    ],
    // That of Workstation 12.
    [["--host", "2x10x2@8.0", "4", "--hardware-version", "vmx-12"], "No ESXi release has hardware version 12."],
    [["--host", "2x10x2@8.0", "4", "--hardware-version", "vmx"], '--hardware-version takes a whole number, not "vmx".'],
    [
      ["4", "--workload", "Postgres"],
      `--workload: "Postgres" is no workload: write ${WORKLOAD_KINDS.join(", ")}, none. Did you mean postgresql?\n`,
    ],
    [["a.vmx"], 'vmlint size takes the number of vCPUs, such as 24, not "a.vmx".'],
  ])("%j is the caller's to mend", (args, message) => {
    const { code, out, err } = vmlint(folder({}), ["size", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`vmlint: ${message}`);
  });

  describe("--estate", () => {
    const ESTATE =
      "Name,PowerState,NumCpu,CoresPerSocket,MemoryGB,HardwareVersion\nsql01,PoweredOn,16,1,64,vmx-19\nsql02,PoweredOn,8,8,64,vmx-19\n";
    const DEMAND = '"Name","vCPUs to Remove","Config|Hardware|Number of CPUs (vCPUs)|Last"\n"sql01","5","16"\n"gone","2","4"\n';
    const files = { "estate.csv": ESTATE, "demand.csv": DEMAND, "vmlint.yaml": "host: 2x12x2:768@7.0\n" };
    const estate = (more: readonly string[], texts: Readonly<Record<string, string>> = files) =>
      vmlint(folder(texts), ["size", "--estate", "estate.csv", "demand.csv", ...more]);

    test("prints the sums, the VMs that change with their numbers, and the names without a VM", () => {
      const { code, out } = estate([]);
      expect(code).toBe(0);
      expect(out).toBe(`No cluster: 2 VMs: 1 shrink, 1 without a row
  4 vCPUs returned, 1 NUMA node freed

VMs that shrink, by vCPUs returned
  sql01: 16 vCPUs (8+8) -> 12 vCPUs (12), 12 cores per socket
    need 11: the recommendation is 11 (demand.csv, row 2: vCPUs to Remove)
    not 11: an odd number has no equal halves
    against: no peak is measured: the size rests on a recommendation alone; CPU ready is not measured; the export has no times: its window is unknown

1 name of the exports matches no VM: gone (demand.csv, row 3).
1 VM of these seems to run SQL Server: add workload: { kind: mssql, licensing: core } to vmlint.yaml to count licences.
The files do not say if CPU hot add is on for 1 VM of these: the sizes assume that it is off.
These sizes are proposals: the files hold no growth, no plans for other VMs on the host, and no tuning of the application.
`);
    });

    test("counts the licences of each cluster, and says where a cut saves none", () => {
      const config = `host: 2x12x2:768@7.0
overrides:
  - vms: ["sql*"]
    workload: { kind: mssql, edition: standard, version: "2019", licensing: core }
  - vms: ["ora*"]
    workload: oracle
`;
      const rows = [
        ["sql01", 16, 8],
        ["sql02", 4, 2],
        ["ora01", 16, 8],
      ] as const;
      const table = rows.map(([name, vcpus]) => `${name},PoweredOn,${vcpus},1,64,vmx-19\n`).join("");
      const demand = rows.map(([name, vcpus, remove]) => `"${name}","${remove}","${vcpus}"\n`).join("");
      const head = (text: string): string => text.slice(0, text.indexOf("\n") + 1);
      const { out } = estate([], { "estate.csv": head(ESTATE) + table, "demand.csv": head(DEMAND) + demand, "vmlint.yaml": config });
      expect(out).toContain("18 vCPUs returned, 2 NUMA nodes freed, 8 core licences returned\n");
      expect(out).toMatch(/sql01: 16 vCPUs .*\n.*\n +8 core licences returned\n/);
      expect(out).toMatch(/sql02: 4 vCPUs .* -> 2 vCPUs .*\n.*\n +no core licence is saved: a VM needs at least 4\n/);
      expect(out).toMatch(/ora01: 16 vCPUs .*\n.*\n +Oracle counts the cores of the hosts: no licence changes\n/);
      expect(out).not.toContain("seem");
    });

    test.each<[string, (name: string, id: string) => string, (rows: readonly string[]) => Readonly<Record<string, string>>]>([
      [
        "Get-VM | Export-Csv",
        (name, id) => `${name},VirtualMachine-${id},PoweredOn,16,1,64,vmx-19`,
        (rows) => ({ "estate.csv": ["Name,Id,PowerState,NumCpu,CoresPerSocket,MemoryGB,HardwareVersion", ...rows].join("\n") }),
      ],
      [
        "govc vm.info -json",
        (name, value) =>
          JSON.stringify({
            self: { type: "VirtualMachine", value },
            name,
            config: { name, version: "vmx-19", template: false, hardware: { numCPU: 16, numCoresPerSocket: 1, memoryMB: 65536 } },
          }),
        (rows) => ({ "estate.json": `{"virtualMachines":[${rows.join()}]}` }),
      ],
    ])("tells two VMs of one name apart by their IDs in %s", (_, row, texts) => {
      const files = texts([row("db01", "vm-1"), row("db01", "vm-2")]);
      const demand = '"Name","Summary|MOID","vCPUs to Remove"\n"db01","vm-1","8"\n"db01","vm-2","4"\n';
      const cwd = folder({ ...files, "demand.csv": demand, "vmlint.yaml": "host: 2x12x2:768@7.0\n" });
      const { out } = vmlint(cwd, ["size", "--estate", ...Object.keys(files), "demand.csv", "--format", "json"]);
      const { vms, ambiguousNames } = JSON.parse(out);
      expect([vms.map(({ need }: { need: { vcpus: number } | null }) => need?.vcpus), ambiguousNames]).toEqual([[8, 12], []]);
    });

    test("replaces no file that it reads", () => {
      const texts = { ...files, "demand.txt": DEMAND };
      const { code, out, err } = vmlint(folder(texts), ["size", "--estate", "estate.csv", "demand.txt", "--format", "html:demand.txt"]);
      expect([code, out, err]).toEqual([2, "", expect.stringContaining("demand.txt cannot be replaced by a report: this run reads it.")]);
    });

    test("names the files without VMs", () => {
      const { code, err } = vmlint(folder({ ...files, "notes.csv": "a,b\n1,2\n" }), [
        "size",
        "--estate",
        "estate.csv",
        "notes.csv",
        "demand.csv",
      ]);
      expect([code, err]).toEqual([0, expect.stringContaining("vmlint: notes.csv: no VM is read:")]);
    });

    test("its tables have a row for each VM, and lines for PowerCLI", () => {
      const rows = estate(["--format", "csv"]).out.split("\r\n");
      expect(rows).toHaveLength(4);
      expect(rows[1]).toContain("Get-VM -Name 'sql01' | Set-VM -NumCpu 12 -CoresPerSocket 12");
      const { vms, unknownNames } = JSON.parse(estate(["--format", "json"]).out);
      expect(vms.map((vm: { vm: string; action: string }) => [vm.vm, vm.action])).toEqual([
        ["sql01", "shrink"],
        ["sql02", "unmeasured"],
      ]);
      expect(unknownNames).toEqual([{ name: "gone", path: "demand.csv", sheet: null, row: 3 }]);
    });

    test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
      ["no demand", [], { ...files, "demand.csv": ESTATE }, "None of the named files has demand or recommendations: name a view"],
      ["no VM", [], { ...files, "estate.csv": DEMAND }, "vmlint size --estate needs files with the VMs"],
      ["a range", ["--range", "4-8"], files, "--range is for one VM: the VMs of an estate have their own."],
      ["a percentile of averages", ["--percentile", "5"], files, '--percentile takes a number from 50 to 100, not "5".'],
    ])("%s is the caller's to mend", (_, more, texts, message) => {
      const { code, out, err } = estate(more, texts);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(message);
    });
  });

  test("its options are its own", () => {
    expect(vmlint(folder({}), ["--range", "4-8"])).toMatchObject({ code: 2, err: "vmlint: --range only works with vmlint size.\n" });
  });
});
