import { readFileSync } from "node:fs";
import { type HostModel, VmlintError } from "@vmlint/core";
import { dumpFormats, type ImportedHost, importHost } from "@vmlint/core/hosts";
import { esxi } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as dumps from "./dumps.ts";
import { type Machine, machines } from "./dumps.ts";

const read = (text: string, stated?: Parameters<typeof importHost>[1]["stated"]): ImportedHost =>
  importHost(text, { name: "lab", file: "dump", stated });
const problem = (text: string): string => {
  try {
    return `no error: ${JSON.stringify(read(text).host)}`;
  } catch (error) {
    if (error instanceof VmlintError && error.code === "HOST_UNREADABLE") return error.message;
    throw error;
  }
};
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");

type Carried = "memoryGiB" | "mhz" | "cpu" | "esxi" | "coresPerL3";

/** The host that every reader must return for a machine, with the fields of its format. */
function expected(m: Machine, carries: readonly Carried[], nodesKnown = true): Partial<HostModel> {
  const coresPerL3 = m.cachesPerNode > 1 ? m.coresPerNode / m.cachesPerNode : undefined;
  const all = {
    memoryGiB: m.nodeGiB * m.packages * m.nodesPerPackage,
    mhz: Math.round(m.hz / 1e6),
    cpu: m.cpu,
    esxi: esxi(8, 0, 2),
    coresPerL3,
  };
  return {
    name: "lab",
    sockets: m.packages,
    coresPerSocket: m.nodesPerPackage * m.coresPerNode,
    threadsPerCore: m.threads,
    numaNodes: nodesKnown ? m.packages * m.nodesPerPackage : m.packages,
    ...Object.fromEntries(Object.entries(all).filter(([field, value]) => carries.includes(field as Carried) && value !== undefined)),
  };
}

const HT = /^hyper-threading is active/;
const LIST = /^no more CPUs than the \d+ listed/;
const NODES = /^1 NUMA node per socket/;

/** For each kind of dump: how to write it, its fields, and the expected notes about assumptions. */
const KINDS: readonly (readonly [string, (m: Machine) => string, readonly Carried[], readonly RegExp[]])[] = [
  ["esxcli cpu global get", dumps.esxcliGlobal, [], [NODES]],
  ["esxcli cpu global get, memory get", (m) => dumps.esxcliGlobal(m) + dumps.esxcliMemory(m), ["memoryGiB"], []],
  ["esxcli cpu list, global get", (m) => dumps.esxcliList(m) + dumps.esxcliGlobal(m), ["mhz"], []],
  [
    "all of esxcli, behind a shell's prompts",
    (m) =>
      `[root@esx01:~] esxcli system version get\n${dumps.esxiVersion}[root@esx01:~] esxcli hardware cpu global get\n${dumps.esxcliGlobal(m)}[root@esx01:~] esxcli hardware cpu list\n${dumps.esxcliList(m)}[root@esx01:~] esxcli hardware memory get\n${dumps.esxcliMemory(m)}`,
    ["memoryGiB", "mhz", "esxi"],
    [],
  ],
  [
    "esxcli, with what other commands print behind it",
    (m) =>
      `${dumps.esxiVersion}${dumps.esxcliGlobal(m)}${dumps.esxcliList(m)}   Id: 2\n   Name: Balanced\n   Driver Info:\n         Version: 2.0.0.31\n   Update: 7\n`,
    ["mhz", "esxi"],
    [],
  ],
  [
    "govc collect -type h",
    (m) => JSON.stringify({ kind: "enter", changeSet: JSON.parse(dumps.govcCollect(m)) }),
    ["memoryGiB", "mhz", "cpu", "esxi"],
    [],
  ],
  ["sched-stats", dumps.schedStats, ["coresPerL3"], []],
  ["vim-cmd", dumps.vmodl, ["memoryGiB", "mhz", "cpu"], [HT]],
  ["vim-cmd, with the version", (m) => dumps.vmodl(m) + dumps.esxiVersion, ["memoryGiB", "mhz", "cpu", "esxi"], [HT]],
  ["vim-cmd, indentation eaten", (m) => dumps.vmodl(m).replace(/^ +/gm, ""), ["memoryGiB", "mhz", "cpu"], [HT]],
  [
    "vim-cmd, with other output around it",
    (m) =>
      `(vim.host.HyperThreadScheduleInfo) {\n   active = ${m.threads > 1}\n}\n${dumps.vmodl(m)}(vim.vm.Summary) {\n  log (vim.x) {...\n`,
    ["memoryGiB", "mhz", "cpu"],
    [],
  ],
  [
    "vim-cmd, with hyper-threading and the version behind it",
    (m) =>
      `${dumps.vmodl(m)}[root@esx01:~] vim-cmd hostsvc/hyperthread\n(vim.host.HyperThreadScheduleInfo) {\n   active = ${m.threads > 1},\n   config = true\n}\n(vim.AboutInfo) {\n   name = "VMware ESXi",\n   version = "8.0.2",\n}\n`,
    ["memoryGiB", "mhz", "cpu", "esxi"],
    [],
  ],
  ["pyVmomi", (m) => dumps.vmodl(m, "pyvmomi"), ["memoryGiB", "mhz", "cpu"], [HT]],
  ["HostHardwareInfo", dumps.vsphereHardware, ["memoryGiB", "mhz", "cpu"], [HT]],
  ["govc host.info", dumps.govcHostInfo, ["memoryGiB", "mhz", "cpu", "esxi"], []],
  ["govc host.info before 0.31", dumps.oldGovcHostInfo, ["memoryGiB", "mhz", "cpu", "esxi"], []],
  ["govc object.collect", dumps.govcCollect, ["memoryGiB", "mhz", "cpu", "esxi"], []],
  ["lscpu", dumps.lscpu, ["cpu"], []],
  ["lscpu behind a shell's prompt", (m) => `[root@rhel9 ~]# lscpu\n${dumps.lscpu(m)}`, ["cpu"], []],
  ["lscpu of util-linux 2.42", dumps.lscpuStrided, ["cpu"], []],
  ["lscpu -J", dumps.lscpuJson, ["cpu"], []],
  ["lscpu -J of util-linux 2.39", dumps.lscpuNestedJson, ["cpu"], []],
  ["lscpu -p", dumps.lscpuParsable, ["coresPerL3"], [LIST]],
  ["pvesh get /nodes/NODE/status", dumps.proxmoxNode, ["memoryGiB", "cpu"], [NODES]],
  ["lscpu, thread_siblings_list", (m) => dumps.lscpu(m) + dumps.siblingLists(m), ["cpu"], []],
  ["lscpu, a resource provider of OpenStack", (m) => dumps.lscpu(m) + dumps.resourceProvider(m), ["memoryGiB", "cpu"], []],
  ["virsh capabilities", dumps.virshCapabilities, ["memoryGiB"], []],
  ["lscpu -e", dumps.lscpuExtended, ["coresPerL3"], [LIST]],
  ["lscpu -e -J", dumps.lscpuExtendedJson, ["coresPerL3"], [LIST]],
  ["lscpu, numactl -H", (m) => dumps.lscpu(m) + dumps.numactl(m), ["memoryGiB", "cpu"], []],
  ["lscpu -p, numactl -H", (m) => dumps.lscpuParsable(m) + dumps.numactl(m), ["memoryGiB", "coresPerL3"], []],
  ["Coreinfo", dumps.coreinfo, ["coresPerL3"], []],
  ["hwloc's description", dumps.synthetic, ["memoryGiB", "coresPerL3"], []],
  [
    "lscpu, a Node of Kubernetes, its kubelet",
    (m) => `${dumps.lscpu(m)}---\n${dumps.kubernetesNode(m)}---\nkind: KubeletConfiguration\ncpuManagerPolicy: static\n`,
    ["memoryGiB", "cpu"],
    [],
  ],
];

describe.each(Object.entries(machines))("%s", (name, m) => {
  test.each(KINDS)("%s", (_, write, carries, assumptions) => {
    const { host, missing } = read(write(m));
    const { assumed = [], linuxCpus: _cpus, runs, kvm: _kvm, ...model } = host;
    // With one thread a core there is no hyper-threading to assume.
    const due = assumptions.filter((pattern) => pattern !== HT || m.threads > 1);
    expect(model).toEqual(expected(m, carries, !due.includes(NODES)));
    expect(assumed).toEqual(due.map((pattern) => expect.stringMatching(pattern)));
    expect(missing).toEqual(
      (["esxi", "memoryGiB", "mhz"] as const).filter((field) => !carries.includes(field) && !(runs && field === "esxi")),
    );
  });

  test.runIf(name !== "2x14x1")("hwloc's own XML", () => {
    expect(read(fixture(`${name}.xml`)).host).toEqual(expected(m, ["memoryGiB", "coresPerL3"]));
  });
});

test("hwloc 1.x wraps packages in nodes and calls them sockets", () => {
  expect(read(fixture("2x24x2-snc2.v1.xml")).host).toEqual(expected(machines["2x24x2-snc2"], ["memoryGiB"]));
});

test("virsh nodeinfo counts the sockets of each NUMA cell", () => {
  const { host } = read(dumps.virshNodeInfo(machines["4x10x2"]));
  expect(host).toEqual({
    ...expected(machines["4x10x2"], ["memoryGiB", "mhz"]),
    runs: { platform: "kvm" },
    assumed: [expect.stringMatching(/^1 socket per NUMA node/)],
  });
  const unusual = dumps
    .virshNodeInfo(machines["4x10x2"])
    .replace(/^(Core.*: *)\d+/m, "$180")
    .replace(/^(Thread.*: *)2/m, "$11")
    .replace(/^(NUMA.*: *)4/m, "$11");
  expect(read(unusual).host.assumed).toEqual([expect.stringMatching(/^1 socket: virsh nodeinfo prints unusual/)]);
  expect(problem(dumps.virshNodeInfo(machines["4x10x2"]).replace(/^(CPU\(s\): *)80/m, "$179"))).toContain("CPU(s) says 79");
});

const withSiblings = (m: Machine): string => dumps.lscpu(m) + dumps.siblingLists(m);

test.each([dumps.lscpuParsable, dumps.lscpuExtended, dumps.lscpuExtendedJson, dumps.virshCapabilities, withSiblings])(
  "Linux's own numbers of CPUs are kept",
  (write) => {
    const { linuxCpus = [] } = read(write(machines["4x10x2"])).host;
    expect(linuxCpus).toHaveLength(80);
    expect([linuxCpus[0], linuxCpus[40], linuxCpus[39]]).toEqual([
      { core: 0, node: 0 },
      { core: 0, node: 0 },
      { core: 39, node: 3 },
    ]);
  },
);

test("line ends of Windows and a byte order mark change nothing", () => {
  for (const [, write] of KINDS) {
    const text = write(machines["4x10x2"]);
    expect(read(`\ufeff${text.replaceAll("\n", "\r\n")}`)).toEqual(read(text));
  }
});

test("values of the owner apply, and replace assumptions", () => {
  const { host, origins } = read(dumps.vmodl(machines["4x10x2"]), { esxi: esxi(5, 5), threadsPerCore: 1, numaNodes: 8, mhz: 2400 });
  expect(host).toMatchObject({ threadsPerCore: 1, coresPerSocket: 10, numaNodes: 8, mhz: 2400, esxi: esxi(5, 5) });
  expect(host.assumed).toBeUndefined();
  expect(origins).toMatchObject({ esxi: "stated", threadsPerCore: "stated", sockets: "vim-cmd hostsvc/hosthardware" });
  expect(read(dumps.numactl(machines["4x10x2"]), { sockets: 4, threadsPerCore: 2 }).host).toEqual(
    expected(machines["4x10x2"], ["memoryGiB"]),
  );
});

describe("hyper-threading is on only if it is active", () => {
  const inactive = dumps.esxcliGlobal(machines["4x10x2"]).replace("Active: true", "Active: false");
  test("esxcli", () => {
    expect(read(inactive).host).toMatchObject({ coresPerSocket: 10, threadsPerCore: 1 });
  });
  test("config.hyperThread", () => {
    const text = JSON.stringify({
      hardware: { cpuInfo: { numCpuPackages: 2, numCpuCores: 8, numCpuThreads: 16 } },
      config: { hyperThread: { active: false } },
    });
    expect(read(text).host).toMatchObject({ coresPerSocket: 4, threadsPerCore: 1 });
    expect(read(text).host.hyperthreadingOff).toBeUndefined();
    const available = text.replace('"active"', '"available":true,"active"');
    expect(read(available).host.hyperthreadingOff).toBe(true);
  });
  test("a second object after another", () => {
    const cpus = "(vim.host.CpuInfo) {\n  numCpuPackages = 2,\n  numCpuCores = 8,\n  numCpuThreads = 16\n}\n";
    const text = `${cpus}(vim.host.HyperThreadScheduleInfo) {\n  available = true,\n  active = false,\n  config = true\n}\n`;
    expect(read(text).host).toMatchObject({ coresPerSocket: 4, threadsPerCore: 1 });
  });
});

test("PowerShell's JSON, which names what lies too deep", () => {
  const { cpuInfo, memorySize } = dumps.hardwareInfo(machines["4x10x2"]);
  const [cpuPkg, numaNode] = ["VMware.Vim.HostCpuPackage VMware.Vim.HostCpuPackage", "VMware.Vim.HostNumaNode VMware.Vim.HostNumaNode"];
  const text = JSON.stringify({ cpuInfo, cpuPkg, memorySize, numaInfo: { type: "NUMA", numNodes: 4, numaNode } });
  expect(read(text).host).toMatchObject(expected(machines["4x10x2"], ["memoryGiB", "mhz"]));
});

describe("the version", () => {
  const global = dumps.esxcliGlobal(machines["4x10x2"]) + dumps.esxcliMemory(machines["4x10x2"]);
  test.each([
    [dumps.esxiVersion, esxi(8, 0, 2), 0],
    ["VMware ESXi 8.0.3 build-24022510\nVMware ESXi 8.0 Update 3\n", esxi(8, 0, 3), 0],
    ["   Product: VMware ESXi\n   Version: 6.7.0\n   Build: Releasebuild-14320388\n   Update: 3\n   Patch: 73\n", esxi(6, 7, 3), 0],
    ["VMware ESXi 7.0.3 build-19193900\n", esxi(7, 0, 3), 0],
    ["VMware ESXi 6.7.0 build-14320388\n", esxi(6, 7), 1],
    ["VMware ESXi 6.7.0 build-14320388\nVMware ESXi 6.7.0 Update 3\n", esxi(6, 7, 3), 0],
  ])("%j", (version, release, assumptions) => {
    const { host } = read(global + version);
    expect(host.esxi).toEqual(release);
    expect(host.assumed ?? []).toHaveLength(assumptions);
  });

  test("vCenter's own is not the host's", () => {
    const text = JSON.stringify({
      cpuInfo: { numCpuPackages: 1, numCpuCores: 4, numCpuThreads: 4 },
      product: { name: "VMware vCenter Server", productLineId: "vpx", version: "8.0.3" },
    });
    expect(read(text).missing).toContain("esxi");
  });
});

describe("ESXi's own numbering of nodes", () => {
  const snc = machines["2x24x2-snc2"];
  /** Nodes interleaved inside each package: even cores to one, odd ones to the other. */
  const interleaved = (text: string) => read(text + dumps.esxcliGlobal(snc)).host;
  const list = dumps.esxcliList(snc, (cpu) => cpu.package * 2 + (cpu.core % 2));

  test("is kept if it is unusual", () => {
    expect(interleaved(dumps.esxcliList(snc)).pcpusOfNode).toBeUndefined();
    expect(interleaved(list).pcpusOfNode?.[1]?.slice(0, 6)).toEqual([2, 3, 6, 7, 10, 11]);
    expect(interleaved(list)).toMatchObject({ numaNodes: 4 });
  });

  test("a core in two nodes is refused", () => {
    expect(problem(dumps.esxcliList(snc, ({ id, package: p }) => p * 2 + (id % 2)) + dumps.esxcliGlobal(snc))).toContain(
      "a core has its threads in two NUMA nodes",
    );
  });
});

describe("a machine of unequal parts is rejected, with the parts", () => {
  const hardware = (nodes: readonly (readonly number[])[]) =>
    JSON.stringify({
      cpuInfo: { numCpuPackages: 2, numCpuCores: 8, numCpuThreads: 8 },
      numaInfo: { numNodes: nodes.length, numaNode: nodes.map((cpuID, typeId) => ({ typeId, cpuID, memoryRangeLength: 2 ** 30 })) },
      memorySize: nodes.length * 2 ** 30,
    });

  test.each([
    [
      "vSphere",
      hardware([
        [0, 1, 2, 3, 4],
        [5, 6, 7],
      ]),
      "NUMA node 0 has 5 logical CPUs, NUMA node 1 has 3 logical CPUs",
    ],
    [
      "numactl",
      "available: 2 nodes (0-1)\nnode 0 cpus: 0 1 2\nnode 0 size: 10 MB\nnode 1 cpus: 3\nnode 1 size: 10 MB\n",
      "NUMA node 0 has 3 logical CPUs, NUMA node 1 has 1 logical CPU:",
    ],
    ["lscpu -p, offline", "# CPU,Core,Socket,Node\n0,0,0,0\n2,2,0,0\n", "dump:3: CPU 1 is not listed: it is offline"],
    [
      "lscpu, offline",
      dumps.lscpu(machines["4x10x2"]).replace("Model name", "Off-line CPU(s) list: 3,4\nModel name"),
      "dump:4: CPUs 3,4 are offline",
    ],
    ["lscpu -e, offline", "CPU SOCKET CORE ONLINE\n  0      0    0    yes\n  1      -    -     no\n", "CPU 1 is offline"],
    ["lscpu -e -J, offline", '{"cpus":[{"cpu":0,"socket":0,"core":0,"online":true},{"cpu":1,"online":"no"}]}', "CPU 1 is offline"],
    [
      "hwloc, offline",
      fixture("4x10x2.xml").replace('complete_cpuset="0x0000ffff,', 'complete_cpuset="0x000fffff,'),
      "4 of 84 CPUs are offline",
    ],
    [
      "Coreinfo, big and little cores",
      "Logical to Physical Processor Map:\n**-  Physical Processor 0 (Hyperthreaded)\n--*  Physical Processor 1\n\nLogical Processor to Socket Map:\n***  Socket 0\n",
      "one core has 2 logical CPUs, another 1",
    ],
  ])("%s", (_, text, message) => {
    expect(problem(text)).toContain(message);
  });

  test("memory without CPUs is not a node, and is reported", () => {
    const { host, notes } = read(hardware([[0, 1, 2, 3], [4, 5, 6, 7], []]));
    expect(host).toMatchObject({ numaNodes: 2, memoryGiB: 3, unevenMemory: true });
    expect(notes).toEqual(["NUMA node 2 has memory but no CPUs: it is ignored, and checks of a node's memory are left out"]);
    const text = "available: 2 nodes (0,2)\nnode 0 cpus: 0 1\nnode 0 size: 2048 MB\nnode 2 cpus:\nnode 2 size: 4096 MB\n";
    expect(read(text, { sockets: 1, threadsPerCore: 1 })).toMatchObject({
      host: { numaNodes: 1, memoryGiB: 6, unevenMemory: true },
      notes: [expect.stringContaining("node 2")],
    });
  });

  test("memory without CPUs in two dumps of a file is reported once", () => {
    const nodes = "NUMA node(s): 2\nNUMA node0 CPU(s): 0,1\nNUMA node1 CPU(s):\n";
    const lscpu = `CPU(s): 2\nThread(s) per core: 1\nCore(s) per socket: 2\nSocket(s): 1\n${nodes}`;
    const numactl = "available: 2 nodes (0-1)\nnode 0 cpus: 0 1\nnode 0 size: 2048 MB\nnode 1 cpus:\nnode 1 size: 4096 MB\n";
    expect(read(lscpu).host.unevenMemory).toBe(true);
    expect(read(lscpu + numactl).notes).toEqual([expect.stringContaining("node 1")]);
  });

  test("hwloc gives memory without CPUs the CPUs it is nearest to", () => {
    const near = '<object type="NUMANode" os_index="9" cpuset="0x0000ffff,0xffff" local_memory="1073741824"/>';
    const text = fixture("4x10x2.xml").replace(
      /(<object type="NUMANode" os_index="0" cpuset="([^"]*)"[^>]*(?:\/>|>[\s\S]*?<\/object>))/,
      (all, _, cpuset) => all + near.replace("0x0000ffff,0xffff", cpuset),
    );
    expect(read(text)).toMatchObject({
      host: { numaNodes: 4, memoryGiB: 1025, unevenMemory: true },
      notes: [expect.stringContaining("NUMA node 9 has memory but no CPUs")],
    });
  });
});

describe("NUMA nodes of unequal memory", () => {
  const m = machines["4x10x2"];
  const hardware = (gib: readonly number[], memoryGiB: number, field = "memorySize") => {
    const { numaInfo, ...rest } = dumps.hardwareInfo(m);
    const numaNode = numaInfo.numaNode.map(({ typeId, cpuID }) => ({ typeId, cpuID, [field]: (gib[typeId] ?? 0) * 2 ** 30 }));
    return { ...rest, memorySize: memoryGiB * 2 ** 30, numaInfo: { ...numaInfo, numaNode } };
  };
  const numactl = (mib: string) => dumps.lscpu(m) + dumps.numactl(m).replace("node 3 size: 262144", `node 3 size: ${mib}`);

  test.each([
    ["vSphere", JSON.stringify(hardware([256, 256, 256, 128], 896)), 896],
    ["vSphere, ranges of memory", JSON.stringify(hardware([256, 256, 256, 128], 896, "memoryRangeLength")), 896],
    ["numactl", numactl("131072"), 896],
    ["hwloc", fixture("4x10x2.xml").replace('local_memory="274877906944"', 'local_memory="137438953472"'), 896],
    ["numactl, a DIMM less", numactl("233017"), 995.56],
  ])("%s: only the total memory is known, and this is reported", (_, text, memoryGiB) => {
    const { host, notes } = read(text);
    expect(host).toMatchObject({ memoryGiB, unevenMemory: true });
    expect(notes).toEqual([expect.stringMatching(/^NUMA node 0 has \d+ GiB, .*: a model holds one size/)]);
  });

  test.each<[what: string, text: string, stated?: { numaNodes?: number }]>([
    ["what firmware and a kernel take", numactl("250000")],
    ["one range of several", JSON.stringify(hardware([256, 256, 256, 3], 1024, "memoryRangeLength"))],
    ["a range without the hole for devices", JSON.stringify(hardware([14, 16, 16, 16], 64, "memoryRangeLength"))],
    ["a host that is stated to have one", JSON.stringify(hardware([256, 256, 256, 128], 896)), { numaNodes: 1 }],
  ])("not by %s", (_, text, stated = {}) => {
    expect(read(text, stated).host.unevenMemory).toBeUndefined();
  });

  test("memory that NVMe extends is DRAM and NVMe apart", () => {
    const tiers = [
      { name: "DRAM", type: "DRAM", size: 2 ** 40 },
      { name: "NVMe", type: "NVMe", size: 2 ** 42 },
    ];
    const tiered = (memoryTieringType: string, memoryTierInfo: readonly object[] = tiers) =>
      JSON.stringify({ ...hardware([256, 256, 256, 256], 5120), memoryTieringType, memoryTierInfo });
    expect(read(tiered("softwareTiering")).host).toMatchObject({ memoryGiB: 1024, nvmeTierGiB: 4096 });
    expect(read(tiered("softwareTiering")).host.unevenMemory).toBeUndefined();
    expect(read(tiered("softwareTiering", []))).toMatchObject({
      missing: ["esxi", "memoryGiB"],
      notes: ["the memory is tiered, and the dump does not contain the sizes of DRAM and NVMe"],
    });
    expect(read(tiered("noTiering")).host.memoryGiB).toBe(5120);
  });
});

describe("Windows and nodes", () => {
  const wide = { ...machines["2x64x2-nps4"], cachesPerNode: 1 };
  test.each([
    ["halves of 64 may be Windows' own", { ...wide, nodesPerPackage: 2, coresPerNode: 32 }, 1],
    ["quarters of 32 cannot", wide, 0],
    ["nor whole packages of 64", { ...wide, nodesPerPackage: 1, coresPerNode: 32 }, 0],
    ["nor nodes above 64, which Server 2022 shows", { ...wide, nodesPerPackage: 2, coresPerNode: 40 }, 0],
  ])("%s", (_, m, assumptions) => {
    expect(read(dumps.coreinfo(m)).host.assumed ?? []).toHaveLength(assumptions);
    expect(read(dumps.coreinfo(m)).host.numaNodes).toBe(m.packages * m.nodesPerPackage);
  });

  test("no NUMA nodes are one", () => {
    const text = dumps.coreinfo(machines["2x14x1"]).replace(/(NUMA Node Map:\n)[\s\S]*?\n\n/, "$1\nNo NUMA nodes.\n\n");
    expect(read(text).host).toMatchObject({ sockets: 2, numaNodes: 1 });
  });
});

describe("an unknown number of NUMA nodes", () => {
  const global = (packages: number, cores: number) =>
    `   CPU Packages: ${packages}\n   CPU Cores: ${cores}\n   CPU Threads: ${2 * cores}\n   Hyperthreading Active: true\n`;
  test.each([
    ["Xeon Gold 6148", 20, 2, "1 NUMA node per socket: the dump"],
    ["a processor nobody lists", 20, 2, "1 NUMA node per socket: the dump"],
    [
      "2x Xeon 6787P",
      86,
      4,
      "2 NUMA nodes per socket, as Xeon 6787P shows unless it is set otherwise (Microsoft calls that the default of this generation, Cisco a setting of the firmware): the dump",
    ],
    ["AMD EPYC 7601 32-Core Processor", 32, 8, "4 NUMA nodes per socket, as EPYC 7601 shows"],
    // Some cores are disabled, and the rest does not divide evenly.
    ["Xeon 6787P", 43, 2, "1 NUMA node per socket: the dump"],
  ])("the %s of two sockets of %i has %i", (cpu, coresPerSocket, numaNodes, words) => {
    const { host, origins } = read(global(2, 2 * coresPerSocket), { cpu });
    expect([host.numaNodes, origins.numaNodes]).toEqual([numaNodes, "assumed"]);
    expect(host.assumed).toEqual([expect.stringContaining(words)]);
    expect(read(global(2, 2 * coresPerSocket), { cpu, numaNodes: 2 }).host.assumed).toBeUndefined();
  });
});

describe("a dump from inside of a VM is reported", () => {
  test.each([
    ["lscpu", dumps.lscpu(machines["2x14x1"]).replace("L3 cache", "Hypervisor vendor: VMware\nL3 cache"), "hypervisor VMware"],
    ["Coreinfo", dumps.coreinfo(machines["2x14x1"]).replace("HYPERVISOR\t-", "HYPERVISOR\t*"), "a hypervisor is running"],
    ["hwloc", fixture("4x10x2.xml").replace("<info ", '<info name="DMIProductName" value="VMware7,1"/><info '), "VMware7,1"],
    [
      "vSphere",
      dumps.vsphereHardware(machines["2x14x1"]).replace("ProLiant DL580 G7", "VMware Virtual Platform"),
      "VMware Virtual Platform",
    ],
  ])("%s", (_, text, words) => {
    expect(read(text).host.assumed).toEqual([expect.stringContaining(words)]);
  });
});

describe("an unreadable dump is reported in one line with its place", () => {
  const [m, global] = [machines["4x10x2"], dumps.esxcliGlobal(machines["4x10x2"])];
  test.each([
    ["nothing", "", "dump:1: The file is empty."],
    ["another file", 'numvcpus = "4"\n', "dump:1: This is no host dump that vmlint reads."],
    ["other JSON", '{"a": 1}', "dump:1: This is no host dump"],
    ["other XML", "<a/>", "dump:1: This is no host dump"],
    ["JSON cut off", dumps.govcHostInfo(m).slice(0, 600), "dump:26: The JSON is truncated."],
    ["JSON broken", '{"lscpu": [\n  {"field": bad}\n]}', "dump:2: The JSON is truncated."],
    ["XML cut off", fixture("4x10x2.xml").slice(0, 3000), "dump:27: The XML is truncated."],
    ["vim-cmd cut off", dumps.vmodl(m).slice(0, 300), "dump:12: The dump breaks off here"],
    ["esxcli cut off", global.slice(0, 60), 'dump:4: The dump ends before "Hyperthreading Active".'],
    ["esxcli, no number", global.replace("Cores: 40", "Cores: forty"), 'dump:2: "CPU Cores" is "forty", which is no whole number.'],
    ["two hosts in one file", global + global, 'dump:8: "CPU Packages" is here a second time (first on line 1).'],
    [
      "two versions",
      `${global}VMware ESXi 7.0.3 build-1\nVMware ESXi 8.0.2 build-2\n`,
      "dump:9: The version is here a second time (first on line 8)",
    ],
    ["two hosts of vim-cmd", dumps.vmodl(m) + dumps.vmodl(m), '"hardware" is here a second time.'],
    [
      "two hosts of vim-cmd, a part of each",
      "(vim.host.CpuInfo) {\n  numCpuPackages = 2\n}\n(vim.host.CpuInfo) {\n  numCpuPackages = 2\n}\n",
      'dump:4: "cpuInfo" is here a second time.',
    ],
    ["a member of vim-cmd's twice", "(vim.host.CpuInfo) {\n  hz = 2,\n  hz = 3\n}\n", 'dump:3: "hz" is here a second time.'],
    ["two hosts of lscpu", dumps.lscpu(m) + dumps.lscpu(m), "A second machine begins here"],
    [
      "a list that does not make the total",
      dumps.esxcliList(machines["2x14x1"]) + global,
      "esxcli hardware cpu global get has 4 packages, esxcli hardware cpu list has 2 packages",
    ],
    [
      "a list alone",
      dumps.esxcliList(m),
      'esxcli hardware cpu list does not say coresPerSocket or threadsPerCore: append the output of "esxcli hardware cpu global get" to the file',
    ],
    ["lscpu -p cut off", dumps.lscpuParsable(m).slice(0, -200), "dump:"],
    ["lscpu in another language", "CPU(s): 4\nCœur(s) par socket : 4\n", 'dump:2: The dump ends before "Socket(s)", or is not in English.'],
    ["numactl cut off", dumps.numactl(m).slice(0, 200), "The dump names 4 NUMA nodes and lists"],
    ["Coreinfo cut off", dumps.coreinfo(m).slice(0, 3000), "the dump is truncated"],
    ["a host behind another", '{"hostSystems":[]}\n{"hostSystems":[]}\n', "dump:2: Another document follows the first."],
    [
      "hosts in one govc dump",
      JSON.stringify({ hostSystems: [{ name: "a" }, { name: "b" }], numCpuPkgs: 0 }),
      "The dump holds 2 hosts (a, b). Give each a file of its own.",
    ],
    ["a VM's vim-cmd", '(vim.vm.ConfigInfo) {\n  name = "a",\n}\n', "does not say sockets or coresPerSocket or threadsPerCore"],
    ["a description without pu", "pack:2 core:4", "The string must end with pu:"],
    ["a level that is none", "pack:2 cor:4 pu:2", '"cor:4" is no level'],
    ["numa twice", "pack:2 numa:2 [numa] core:2 pu:2", "NUMA nodes at two levels"],
    [
      "cores that do not divide",
      "   CPU Packages: 3\n   CPU Cores: 40\n   CPU Threads: 80\n   Hyperthreading Active: true\n",
      "coresPerSocket must be a positive whole number",
    ],
    ["braces without end", `(vim.host.HardwareInfo) ${"{ a = ".repeat(5000)}`, "more than 200 levels"],
    ["JSON without end", `{"lscpu": ${'[{"children":'.repeat(5000)}`, "The JSON is truncated"],
  ])("%s", (_, text, message) => {
    expect(problem(text)).toContain(message);
    expect(problem(text)).not.toContain("\n");
  });
});

test("every dump is recognised by one reader alone", () => {
  const alone = KINDS.filter(([name]) => !/,|all of/.test(name));
  for (const [name, write] of alone) {
    const text = write(machines["4x10x2"]);
    const ids = dumpFormats.filter((format) => format.recognises(text)).map(({ id }) => id);
    expect(ids, name).toHaveLength(1);
  }
});

test("every kind of dump has a writer here, and its command is in the guide", () => {
  const written = [...KINDS.map(([, write]) => write(machines["4x10x2"])), fixture("4x10x2.xml"), dumps.virshNodeInfo(machines["4x10x2"])];
  const guide = readFileSync(new URL("../../docs/guide/hosts.md", import.meta.url), "utf8");
  for (const { id, title, recognises } of dumpFormats) {
    expect(written.some(recognises), `KINDS has no ${id}`).toBe(true);
    expect(guide, `docs/guide/hosts.md has no ${title}`).toContain(title.split(" ")[0]);
  }
});

describe("properties", () => {
  const [tokens] = [
    [
      "CPU:",
      "CPU(s): 4\n",
      "   CPU Packages: 2\n",
      "Node: 0\n",
      "available: 2 nodes (0-1)\n",
      "node 0 cpus: 0 1\n",
      '{"lscpu":[',
      '{"cpus":[{',
      "(vim.host.CpuInfo) {",
      "numCpuCores = 4,",
      "}",
      "]",
      "<topology>",
      '<object type="PU" os_index="0" cpuset="0x1">',
      "Logical Processor to NUMA Node Map:\n",
      "**--  NUMA Node 0\n",
      "pack:2 ",
      "core:4 ",
      "pu:2",
      "# CPU,Core,Socket,Node\n",
      "0,0,0,0\n",
      '"hostSystems":[{',
      "4 PCPUs\n",
    ],
  ];
  test("any text is a host or a VmlintError", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...tokens)), { maxLength: 12 }), (parts) => {
        problem(parts.join(""));
      }),
      { numRuns: 3000 },
    );
  });

  test("a dump with a few characters changed is a host or a VmlintError", () => {
    const texts = KINDS.map(([, write]) => write(machines["2x14x1"])).concat(fixture("4x10x2.xml"));
    const change = fc.tuple(fc.nat(), fc.constantFrom("", "0", "9", "-", "\n", '"', "{", ",", "*"));
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 4 }), (text, changes) => {
        problem(changes.reduce((now, [at, by]) => now.slice(0, at % now.length) + by + now.slice((at % now.length) + 1), text));
      }),
      { numRuns: 1000 },
    );
  });

  /**
   * A cut dump may lack facts, which vmlint then assumes or reports as missing. The remaining facts must equal the facts of the
   * complete dump.
   */
  test.each([...KINDS.map(([name, write]) => [name, write] as const), ["hwloc", () => fixture("4x10x2.xml")] as const])(
    "%s, cut off anywhere: an error, or no other machine",
    (_, write) => {
      for (const m of [machines["4x10x2"], machines["2x64x2-nps4"]]) {
        const text = write(m);
        const whole = read(text).host;
        fc.assert(
          fc.property(fc.integer({ min: 0, max: text.length }), (length) => {
            let cut: HostModel;
            try {
              cut = read(text.slice(0, length)).host;
            } catch (error) {
              expect(error).toBeInstanceOf(VmlintError);
              return;
            }
            const flagged = cut.assumed ?? [];
            for (const field of ["sockets", "coresPerSocket", "threadsPerCore", "numaNodes", "memoryGiB", "mhz"] as const) {
              const asWhole = cut[field] === undefined || cut[field] === whole[field];
              const isSaid = flagged.some(
                (text) => LIST.test(text) || /is whole: the file ends/.test(text) || (field === "numaNodes" && NODES.test(text)),
              );
              expect(asWhole || isSaid, `${field} of the first ${length} characters: ${cut[field]}`).toBe(true);
            }
          }),
          { numRuns: 150 },
        );
      }
    },
  );

  test("hwloc's description and every other dump of any machine agree", () => {
    const any = fc
      .record({
        packages: fc.integer({ min: 1, max: 4 }),
        nodesPerPackage: fc.constantFrom(1, 2, 4),
        coresPerCache: fc.integer({ min: 1, max: 6 }),
        cachesPerNode: fc.constantFrom(1, 2),
        threads: fc.constantFrom(1 as const, 2 as const),
        nodeGiB: fc.integer({ min: 1, max: 2048 }),
      })
      .map(
        ({ coresPerCache, ...rest }): Machine => ({
          ...rest,
          coresPerNode: coresPerCache * rest.cachesPerNode,
          hz: 2_400_000_000,
          cpu: "Any",
        }),
      );
    fc.assert(
      fc.property(any, fc.constantFrom(...KINDS), (m, [, write, carries, assumptions]) => {
        const { assumed: _, linuxCpus: _cpus, runs: _runs, kvm: _kvm, ...model } = read(write(m)).host;
        expect(model).toEqual(expected(m, carries, !assumptions.includes(NODES)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a host for KVM", () => {
  const machine = machines["4x10x2"];
  const kubelet = `kind: KubeletConfiguration
apiVersion: kubelet.config.k8s.io/v1beta1
cpuManagerPolicy: static
cpuManagerPolicyOptions:
  full-pcpus-only: "true"
  distribute-cpus-across-numa: "false"
kubeReserved:
  cpu: 500m
  memory: 1Gi
systemReserved: { cpu: "1", memory: 1Gi }
`;
  const factsIn = (text: string) => {
    const { runs, kvm } = read(text).host;
    return { runs, kvm };
  };

  test("has the huge pages of its cells", () => {
    const pages =
      "<pages unit='KiB' size='4'>16</pages><pages unit='KiB' size='2048'>1024</pages><pages unit='KiB' size='1048576'>4</pages>";
    const { host } = read(dumps.virshCapabilities(machine).replaceAll(/<cpus\b/g, `${pages}<cpus`));
    expect(host).toMatchObject({ runs: { platform: "kvm" }, kvm: { hugePagesMiB: { "2": 4 * 2048, "1024": 4 * 4096 } } });
  });

  test("has the version, the label and the huge pages of its node", () => {
    expect(factsIn(dumps.lscpu(machine) + dumps.kubernetesNode(machine))).toEqual({
      runs: { platform: "kvm", version: "v1.31.2" },
      kvm: { kubernetes: { cpuManager: "static" }, hugePagesMiB: { "1024": 65_536, "2": 0 } },
    });
  });

  const STATIC = { cpuManager: "static", options: ["full-pcpus-only"], reservedCpus: 2 };
  test.each([
    ["reservations, rounded up", kubelet, STATIC],
    ["a list of CPUs", `${kubelet}reservedSystemCPUs: "0-1,40,41"\n`, { ...STATIC, reservedCpus: 4 }],
    [
      "JSON",
      JSON.stringify({ kind: "KubeletConfiguration", cpuManagerPolicy: "none", kubeReserved: { cpu: "2" } }, null, 2),
      { cpuManager: "none", options: [], reservedCpus: 2 },
    ],
    ["no policy", "kind: KubeletConfiguration\n", { cpuManager: "none", options: [] }],
    ["a Node behind it", `${kubelet}---\n${dumps.kubernetesNode(machine)}`, STATIC],
    ["a Node before it", `${dumps.kubernetesNode(machine)}---\n${kubelet}`, STATIC],
  ])("has the CPU manager of its kubelet: %s", (_, text, kubernetes) => {
    expect(factsIn(`${dumps.lscpu(machine)}---\n${text}`).kvm?.kubernetes).toEqual(kubernetes);
  });
});
