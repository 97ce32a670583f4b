import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Cell } from "../../packages/core/src/model/cell.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { csvFiles, type ExportedHost, type ExportedVm, exportOf, workbook } from "../support/write-workbook.ts";

const HOSTS = Array.from({ length: 8 }, (_, i) => ({ name: `esx0${i + 1}.test`, sockets: i % 2 ? 4 : 2, cores: i % 2 ? 8 : 16 }));

/** 133 VMs on 9 hosts. The host list lacks the last one. */
const VMS: readonly ExportedVm[] = Array.from({ length: 133 }, (_, i) => ({
  name: `vm-${i}`,
  host: `esx0${(i % 9) + 1}.test`,
  cpus: [1, 4, 12, 24][i % 4] ?? 1,
  id: `vm-${1000 + i}`,
}));
const ESTATE = exportOf(VMS, HOSTS);

type Row = readonly [name: string, host: string | null, clients: readonly number[] | null];

async function placed(files: Readonly<Record<string, string | Uint8Array>>, ...paths: readonly string[]) {
  const { out, err, code } = await vmlint(folder(files), ["topology", ...paths, "--format", "json"]);
  const rows: Row[] = JSON.parse(out).vms.map(
    ({ name, host, topology }: { name: string; host: string | null; topology: { numaClients: number[] } | null }): Row => [
      name,
      host,
      topology?.numaClients ?? null,
    ],
  );
  return { rows, err, code };
}

const [FIRST] = HOSTS;
const wanted = VMS.map(({ name, host, cpus }): Row => {
  const known = HOSTS.find((one) => one.name === host);
  const clients = Math.ceil(cpus / (known ?? FIRST ?? { cores: 1 }).cores);
  return [name, known ? host : "c1 (like esx01.test)", Array.from({ length: clients }, () => cpus / clients)];
});

describe("a workbook of 133 VMs on 9 hosts", () => {
  test.each([
    ["as Excel writes it", {}],
    ["with a prefix before every name", { prefix: "x:" }],
    ["with texts inside of its cells", { strings: "inline" as const }],
    ["with 20,000 rows that have no cells", { emptyRows: 20_000 }],
  ])("%s", async (_, dialect) => {
    const { rows, err } = await placed({ "estate.xlsx": workbook(ESTATE, dialect) }, "estate.xlsx");
    expect(rows).toEqual(wanted);
    expect(err).toContain("vmlint: 14 VMs: the inventory lacks the host, so the hosts of the cluster count: c1 (14 VMs).\n");
    expect(err).toContain("and 7 more: assumed 1 NUMA node per socket");
    expect(err.match(/assumed that no VM sets advanced options/g)).toHaveLength(1);
  });

  test.each([",", ";"])("as files with %s between the cells, in a folder", async (separator) => {
    const { rows, err } = await placed(csvFiles(ESTATE, separator));
    expect(rows).toEqual(wanted);
    expect(err).toContain("vmlint: 14 VMs: the inventory lacks the host, so the hosts of the cluster count: c1 (14 VMs).\n");
  });
});

describe("one estate in every form", () => {
  const OTHER = { vTools: [["VM", "Powerstate", "Tools"], ...VMS.map(({ name }) => [name, "poweredOn", "toolsOk"])] };
  const zip = (files: Readonly<Record<string, string>>): Uint8Array =>
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
  const found = async (files: Readonly<Record<string, string | Uint8Array>>, ...paths: readonly string[]) => {
    const { out, err, code } = await vmlint(folder(files), [...paths, "--format", "json"]);
    const { diagnostics, summary, notChecked } = JSON.parse(out);
    const rows = diagnostics.map(({ ruleId, vm, message, cell }: { ruleId: string; vm: string; message: string; cell: Cell }) => [
      ruleId,
      vm,
      message,
      cell.sheet,
      cell.row,
      cell.column,
      cell.title,
      cell.value,
    ]);
    return { rows: rows.map(String).sort(), vms: summary.vms, notChecked, err: err.match(/\d+ VMs: .*/g), code };
  };
  const forms: readonly (readonly [string, Readonly<Record<string, string | Uint8Array>>, readonly string[]])[] = [
    ["a folder with RVTools' names", csvFiles({ ...ESTATE, ...OTHER }), ["."]],
    ["files with other names and semicolons", csvFiles({ ...ESTATE, ...OTHER }, ";", (sheet) => `${sheet}.csv`), ["."]],
    ["files of a named export", csvFiles(ESTATE, "\t", (sheet) => `2026 ${sheet.toLowerCase()} all.csv`), ["."]],
    ["named files", csvFiles(ESTATE), Object.keys(csvFiles(ESTATE))],
    ["an archive", { "estate.zip": zip(csvFiles(ESTATE)) }, ["estate.zip"]],
    ["a workbook with a prefix", { "e.xlsx": workbook(ESTATE, { prefix: "x:" }) }, ["e.xlsx"]],
  ];

  test.each(forms)("%s", async (_, files, paths) => {
    const wanted = await found({ "estate.xlsx": workbook(ESTATE) }, "estate.xlsx");
    expect(wanted).toMatchObject({ vms: 133, code: 1, err: [expect.stringContaining("14 VMs: the inventory lacks the host, so")] });
    expect(wanted.rows.length).toBeGreaterThan(20);
    expect(await found(files, ...paths)).toEqual(wanted);
  });

  test("places name cells in every report", async () => {
    const vms = [{ name: "app", host: "esx01.test", cpus: 12, coresPerSocket: 5 }];
    const files = { "e.xlsx": workbook(exportOf(vms, HOSTS)), ...csvFiles(exportOf(vms, HOSTS)) };
    for (const form of ["text", "compact", "html", "md", "csv", "sarif", "github", "checkstyle", "junit", "tap", "azure", "gitlab"]) {
      const ofWorkbook = await vmlint(folder(files), ["e.xlsx", "--format", form]);
      expect(ofWorkbook.out, form).toContain("vCPU!E2");
      const ofFiles = await vmlint(folder(files), ["RVTools_tabvInfo.csv", "--format", form]);
      expect(ofFiles.out, form).toContain("vCPU!E2");
    }
    const { out } = await vmlint(folder(files), ["RVTools_tabvInfo.csv"]);
    expect(out).toContain("RVTools_tabvCPU.csv vCPU!E2");
    expect(out).toContain("vCPU!E2 | Cores p/s = 5");
  });

  test("a file of a sheet without the list of VMs is no list of VMs", async () => {
    const { "RVTools_tabvCPU.csv": cpus = "" } = csvFiles(ESTATE);
    const { err, code } = await vmlint(folder({ "cpus.csv": cpus }), ["cpus.csv"]);
    expect([err, code]).toEqual([expect.stringContaining("cpus.csv is not checked: it has no table of VMs"), 2]);
  });

  test("two exports in one folder keep apart", async () => {
    const twin = (host: string) => exportOf([{ name: "app", host, cpus: 12, coresPerSocket: host === "a" ? 5 : 6 }], []);
    const files = {
      ...csvFiles(twin("a"), ",", (sheet) => `old-${sheet}.csv`),
      ...csvFiles(twin("b"), ",", (sheet) => `new-${sheet}.csv`),
    };
    const { out } = await vmlint(folder(files), ["--format", "json"]);
    const { diagnostics, summary } = JSON.parse(out);
    expect(summary.vms).toBe(2);
    expect(diagnostics.map(({ path, cell }: { path: string; cell: Cell }) => [path, cell.path])).toEqual([
      ["old-vInfo.csv", "old-vCPU.csv"],
    ]);
  });
});

test("VMs with the same name differ by ID and vCenter", async () => {
  const twins = [
    { name: "app", host: "a", cpus: 2, coresPerSocket: 2, id: "vm-1", server: "vc01" },
    { name: "app", host: "b", cpus: 2, coresPerSocket: 1, id: "vm-1", server: "vc02" },
  ];
  const hosts = [
    { name: "a", sockets: 2, cores: 8, server: "vc01" },
    { name: "b", sockets: 1, cores: 8, server: "vc02" },
  ];
  const { out } = await vmlint(folder({ "e.xlsx": workbook(exportOf(twins, hosts)) }), ["topology", "e.xlsx", "--format", "json"]);
  const found = JSON.parse(out).vms.map((vm: { host: string; spec: { coresPerSocket: number } }) => [vm.host, vm.spec.coresPerSocket]);
  expect(found).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});

test.each([
  ["Hyper-V", "a.csv", "VM,Powerstate,CPUs,Memory,VM ID,HW version\nsql,On,8,16384,310e728b-1111-2222-3333-444455556666,\n"],
  ["Hyper-V", "a.csv", "Name,State,ProcessorCount,MemoryStartup,Generation,VMId\nsql,Running,8,17179869184,2,310e728b\n"],
  ["Nutanix AHV", "a.csv", '"vmName","numVCpus","memoryCapacityInBytes","hostName"\n"sql","8","17179869184","ahv1"\n'],
  ["Nutanix AHV", "a.json", '{"entities": [{"name": "sql", "num_vcpus": 8, "num_cores_per_vcpu": 1, "memory_mb": 16384}]}'],
  ["Nutanix AHV", "a.json", '{"entities": [{"spec": {"name": "sql", "resources": {"num_sockets": 8, "num_vcpus_per_socket": 1}}}]}'],
  ["Proxmox VE", "a.json", '[{"id": "node/pve1", "maxcpu": 64}, {"id": "qemu/100", "vmid": 100, "maxcpu": 8, "maxmem": 17179869184}]'],
  ["Proxmox VE", "a.csv", "vmid,name,status,cpus,maxmem,node\n100,sql,running,8,17179869184,pve1\n"],
])("an inventory of %s is refused: %s", async (hypervisor, path, text) => {
  const { err, code } = await vmlint(folder({ [path]: text }), [path]);
  expect([err, code]).toEqual([
    expect.stringContaining(`${path} is not checked: it lists VMs of ${hypervisor}, which ESXi does not run.\n`),
    2,
  ]);
});

describe("VMs and hosts with other names", () => {
  const hosts = (...names: readonly string[]) => names.map((name) => ({ name, sockets: 2, cores: 16 }));
  const placedOn = async (host: string, all: readonly ExportedHost[], more: Partial<ExportedVm> = {}) => {
    const sheets = exportOf([{ name: "app", host, cpus: 24, hotAdd: false, ...more }], all);
    const { rows, err } = await placed({ "e.xlsx": workbook(sheets) }, "e.xlsx");
    return { row: rows[0]?.slice(1), err };
  };

  test.each([
    ["esx1", "esx1.corp.local"],
    ["ESX1.corp.local.", "esx1.corp.local"],
    ["esx1.old.local", "esx1.corp.local"],
  ])("%s is %s", async (name, other) => {
    const { row, err } = await placedOn(name, hosts(other, "esx2.corp.local"));
    expect(row?.[0]).toBe(other);
    expect(err.includes(`${name} is taken for ${other}`)).toBe(name !== "ESX1.corp.local.");
  });

  test("an address and a name of two hosts are no name of a host", async () => {
    expect((await placedOn("10.1.2.3", hosts("10.1.9.9", "10.2.0.1"))).row?.[0]).toBe("c1 (any of 2 hosts)");
    expect((await placedOn("esx1", hosts("esx1.a", "esx1.b"))).row?.[0]).toBe("c1 (any of 2 hosts)");
  });

  test("a VM without its host is checked on each kind of hosts of its cluster", async () => {
    const kinds = [...hosts("esx1"), { name: "esx2", sockets: 4, cores: 10 }];
    const vms = [12, 24, 70].map((cpus) => ({ name: `vm${cpus}`, host: "gone", cpus, hardware: 19 }));
    const { out, err } = await vmlint(folder({ "e.xlsx": workbook(exportOf(vms, kinds)) }), ["e.xlsx", "--format", "json"]);
    const found = JSON.parse(out).diagnostics.map(({ ruleId, vm, host, otherHost }: Record<string, string>) => [
      ruleId,
      vm,
      host,
      otherHost,
    ]);
    // Both kinds cut the VMs differently from each other; each number of threads is one of some hosts.
    expect(found).toContainEqual(["host/heterogeneous-cluster", "vm24", "c1 (like esx1)", undefined]);
    expect(found).toContainEqual(["cpu/exceeds-host-threads", "vm70", "c1 (like esx1)", "esx1"]);
    expect(found).toContainEqual(["cpu/exceeds-physical-cores", "vm70", "c1 (like esx1)", "esx2"]);
    expect(err).toContain("no VM names a host of the inventory, so the hosts probably have other names there");
  });

  test("a cluster without rows is named and counted", async () => {
    const { row, err } = await placedOn("gone", [{ name: "other", cluster: "c2", sockets: 2, cores: 8 }]);
    expect(row).toEqual([null, null]);
    expect(err).toContain("1 VM: host gone is not in the inventory, and no host of its cluster c1");
  });
});

describe("every fact of a row is used", () => {
  const HOST = { name: "a", sockets: 2, cores: 8, esxi: "8.0.2" };
  /** The topologies of VMs, with some cells replaced. */
  const read = async (vms: readonly Partial<ExportedVm>[], change: (text: string) => string = (text) => text) => {
    const all = vms.map((vm, i) => ({ name: `vm${i}`, host: "a", cpus: 16, coresPerSocket: 4, hardware: 20, ...vm }));
    const files = Object.entries(csvFiles(exportOf(all, [HOST]))).map(([name, text]) => [name, change(text)]);
    const cwd = folder(Object.fromEntries(files));
    const { out, err } = await vmlint(cwd, ["topology", ".", "--format", "json"]);
    return { vms: JSON.parse(out).vms, err, findings: async () => JSON.parse((await vmlint(cwd, ["--format", "json"])).out).diagnostics };
  };

  test("a running VM has the sockets that its row states", async () => {
    const { vms } = await read([{}, { power: "poweredOff" }, { hardware: 19 }]);
    expect(vms.map(({ topology }: { topology: { sockets: number } | null }) => topology?.sockets)).toEqual([4, null, 4]);
    expect(vms[0].topology.certainties.sockets).toBe("documented");
  });

  test.each([
    ["Microsoft Windows Server 2019 (64-bit)", "windows2019srv_64Guest"],
    ["ubuntu linux (64 bit)", "ubuntu64Guest"],
    ["rhel8_64Guest", "rhel8_64Guest"],
    ["My own system", { unknown: '"My own system" is the name of no known guest' }],
  ])("the guest %s", async (name, guestOs) => {
    const guest = (text: string) =>
      text.replace("Latency Sensitivity", "OS according to the configuration file").replaceAll("normal", name);
    const { vms } = await read([{}], guest);
    expect(vms[0].spec.guestOs).toEqual(guestOs);
  });

  test.each([
    ["True,True", 2, "1 NUMA node per socket"],
    ["True,False", 1, "1 NUMA node per socket"],
    ["False,", 1, "1 NUMA node per socket"],
    [",", 2, "2 threads per core"],
  ])("hyper-threading available and active: %s", async (cells, _threads, assumed) => {
    const { vms, err } = await read([{}], (text) => text.replace(/2400,True,True/, `2400,${cells}`));
    expect(vms[0].topology.vnumaNodes).toEqual([8, 8]);
    expect(err).toContain(`assumed ${assumed}`);
  });

  test("an empty cell takes only its own fact", async () => {
    const { vms } = await read([{ hardware: 19 }], (text) => text.replace(",False,False,False,a,", ",False,,,a,"));
    expect(vms[0].topology).toMatchObject({ sockets: 4, vnumaNodes: [8, 8] });
  });

  test("a running VM shows that it starts with its memory", async () => {
    const { findings } = await read([{}, { power: "poweredOff" }], (text) => text.replaceAll("8192", "8190"));
    const found = (await findings()).filter(({ ruleId }: { ruleId: string }) => ruleId === "mem/step-4mb");
    expect(found.map(({ vm }: { vm: string }) => vm)).toEqual(["vm1"]);
  });

  test("a running VM is not refused: a value is wrong", async () => {
    const { findings } = await read([
      { coresPerSocket: 5, hardware: 19 },
      { coresPerSocket: 5, hardware: 19, power: "poweredOff" },
    ]);
    const refused = (await findings()).filter(({ ruleId }: { ruleId: string }) => ruleId === "cpu/cps-divides");
    expect(refused.map(({ vm, severity }: Record<string, string>) => [vm, severity])).toEqual([
      ["vm0", "info"],
      ["vm1", "error"],
    ]);
    expect(refused[0].message).toContain("The VM is running, but ESXi does not start a VM with vcpus 16 and coresPerSocket 5");
  });

  test("a running VM that its host would refuse has a wrong value, and only there", async () => {
    const hosts = [
      { name: "a", cluster: "c1", sockets: 2, cores: 8, esxi: "7.0.3" },
      { name: "b", cluster: "c1", sockets: 2, cores: 8, esxi: "6.7.0" },
    ];
    const vm = (name: string, host: string, hardware = 20) => ({ name, host, cpus: 4, hardware });
    const vms = [vm("on", "a"), { ...vm("off", "a"), power: "poweredOff" }, vm("lost", "x"), vm("some", "x", 19)];
    const root = folder({ "e.xlsx": workbook(exportOf(vms, hosts)) });
    const found = async (...options: readonly string[]) =>
      JSON.parse((await vmlint(root, ["e.xlsx", ...options, "--format", "json"])).out)
        .diagnostics.filter(({ ruleId }: { ruleId: string }) => ruleId === "host/too-old")
        .map(({ vm: of, severity, message }: Record<string, string>) => [of, severity, message]);
    const wrong = expect.stringMatching(
      /^The VM is running, but ESXi does not start a VM with hardwareVersion 20 on .*: one of these values is wrong/,
    );
    const refused = expect.stringContaining("ESXi will not power on the VM");
    expect(await found()).toEqual([
      ["on", "info", wrong],
      ["off", "error", refused],
      ["lost", "info", wrong],
      ["some", "warning", expect.stringContaining("so the VM cannot move there")],
    ]);
    // Any other host may refuse it.
    expect((await found("--host", "2x8x2@7.0")).map(([, severity]: readonly string[]) => severity)).toEqual(["error", "error", "error"]);
  });
});

test("a sheet of hosts with other titles, as sizing tools make it, still joins", async () => {
  const { vHost: [titles = [], ...hosts] = [], ...sheets } = exportOf(
    [{ name: "a", host: "esx1", cpus: 24 }],
    [{ name: "esx1", sockets: 2, cores: 16 }],
  );
  const renamed = titles.map((title) => ({ Host: "Name", Speed: "CPU MHz" })[String(title)] ?? title);
  const { rows } = await placed({ "e.xlsx": workbook({ ...sheets, vHost: [renamed, ...hosts] }) }, "e.xlsx");
  expect(rows).toEqual([["a", "esx1", [12, 12]]]);
});

test("a running VM without its host starts on one host of its cluster", async () => {
  const hosts = [true, false].map((isSmall) => ({ name: isSmall ? "small" : "large", cluster: "c1", sockets: 2, cores: 8 }));
  const {
    vHost: [titles = [], ...rows] = [],
    vMemory: [head = [], ...sizes] = [],
    ...sheets
  } = exportOf([{ name: "a", host: "x", cpus: 4 }], hosts);
  const set = (title: string, value: number, of: typeof titles) => (row: typeof titles) =>
    row.map((cell, i) => (of[i] === title ? value : cell));
  const vHost = [titles, ...rows.map((row) => (row[0] === "small" ? set("# Memory", 4096, titles)(row) : row))];
  const vMemory = [head, ...sizes.map(set("Reservation", 8192, head))];
  const { out } = await vmlint(folder({ "e.xlsx": workbook({ ...sheets, vHost, vMemory }) }), ["e.xlsx", "--format", "json"]);
  const found = JSON.parse(out).diagnostics.filter(({ ruleId }: { ruleId: string }) => ruleId === "mem/exceeds-host");
  expect(found).toMatchObject([
    { severity: "info", message: expect.stringMatching(/^On .*: 8 GiB are reserved, but this host has only 4 GiB/) },
  ]);
});

describe("workbooks that are not an export", () => {
  const named = async (bytes: Uint8Array) => vmlint(folder({ "e.xlsx": bytes }), ["e.xlsx"]);

  test.each([
    [
      "a bomb that states a small size",
      lying(zipSync(workbookOf({ "xl/worksheets/sheet1.xml": new Uint8Array(40_000_000) })), 40_000_000),
      "it unpacks to far more than an export has",
    ],
    ["cut off", workbook(ESTATE).subarray(0, 9000), "its archive is damaged or cut off"],
    [
      "a bomb",
      zipSync({ ...workbookOf({ "xl/worksheets/sheet1.xml": new Uint8Array(40_000_000) }) }, { level: 9 }),
      "it unpacks to far more than an export has",
    ],
    [
      "broken XML",
      zipSync(workbookOf({ "xl/worksheets/sheet1.xml": strToU8("<worksheet><row r='1'>") })),
      "one of its sheets is not complete XML",
    ],
    [
      "a character that is cut off",
      zipSync(workbookOf({ "xl/worksheets/sheet1.xml": Uint8Array.of(60, 97, 62, 60, 47, 97, 62, 0xe2) })),
      "one of its sheets is not UTF-8",
    ],
    [
      "a row that no sheet has",
      zipSync(workbookOf({ "xl/worksheets/sheet1.xml": strToU8("<worksheet><row r='99999999'><c r='A1'><v>1</v></c></row></worksheet>") })),
      "one of its sheets has more rows than a sheet can have",
    ],
    [
      "a text that no cell can have",
      zipSync({
        ...workbookOf({ "xl/worksheets/sheet1.xml": farSheet("B1", 1) }),
        "xl/sharedStrings.xml": strToU8(`<sst><si><t>${"x".repeat(40_000)}</t></si></sst>`),
      }),
      "one of its cells has more text than a cell can have",
    ],
  ])("%s is one finding", async (_, bytes, reason) => {
    const { out, err, code } = await named(bytes);
    expect(out).toContain("error inventory/unreadable e.xlsx");
    expect(out).toContain(`This file is truncated or invalid XLSX: ${reason}. No VM in it was checked.\n`);
    expect([code, err]).toEqual([1, ""]);
  });

  test("another workbook is not checked", async () => {
    const { err, code } = await named(workbook({ Sheet1: [["a"], [1]] }));
    expect(err).toContain("vmlint: e.xlsx is not checked: it has no table of VMs as RVTools exports it (vInfo).\n");
    expect(code).toBe(2);
  });
});

test.each([
  ["cells far to the right of the table", "B1", 200, "vm"],
  ["a table whose last column is the last one of a sheet", "XFD1", 2998, "vm"],
  ["a long text in many cells", "B1", 12_000, "x".repeat(30_000)],
])("%s cost nothing, and other files are checked", async (_, second, rows, text) => {
  const parts = {
    "xl/worksheets/sheet1.xml": farSheet(second, rows),
    "xl/sharedStrings.xml": strToU8(`<sst><si><t>${text}</t></si></sst>`),
  };
  const files = { "e.xlsx": zipSync(workbookOf(parts)), "a.vmx": 'numvcpus = "five"\n' };
  const { out, code } = await vmlint(folder(files), ["--format", "json", "e.xlsx", "a.vmx"]);
  expect(JSON.parse(out).diagnostics.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(["vmx/type"]);
  expect(code).toBe(1);
});

/** A sheet of VMs with two columns, the second at a cell, and rows with a value in the last column. */
function farSheet(second: string, rows: number): Uint8Array {
  const head = `<row r="1"><c r="A1" t="inlineStr"><is><t>VM</t></is></c><c r="${second}" t="inlineStr"><is><t>Powerstate</t></is></c></row>`;
  const row = (y: number) => `<row r="${y}"><c r="A${y}" t="s"><v>0</v></c><c r="XFD${y}"><v>1</v></c></row>`;
  return strToU8(`<worksheet><sheetData>${head}${Array.from({ length: rows }, (_, y) => row(y + 2)).join("")}</sheetData></worksheet>`);
}

/** A workbook with a sheet of VMs, with some parts replaced. */
function workbookOf(parts: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> {
  return {
    "xl/workbook.xml": strToU8('<workbook><sheets><sheet name="vInfo" sheetId="1" r:id="rId1"/></sheets></workbook>'),
    "xl/_rels/workbook.xml.rels": strToU8('<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'),
    ...parts,
  };
}

/** The archive, with a small size stated wherever the real one is. */
function lying(archive: Uint8Array, size: number): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  for (let at = 0; at + 4 <= archive.length; at++) if (view.getUint32(at, true) === size) view.setUint32(at, 1000, true);
  return archive;
}
