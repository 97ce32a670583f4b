/**
 * Writers of the dumps that admins have, for any machine. Their shapes follow captures of real hosts and runs of the real
 * programs; which programs really run is in tools.test.ts.
 */
export interface Machine {
  readonly packages: number;
  readonly nodesPerPackage: number;
  readonly coresPerNode: number;
  readonly threads: 1 | 2;
  /** Last-level caches of a node. */
  readonly cachesPerNode: number;
  readonly nodeGiB: number;
  readonly hz: number;
  readonly cpu: string;
}

const machine = (
  [packages, nodesPerPackage, coresPerNode, threads]: readonly [number, number, number, 1 | 2],
  rest: Omit<Machine, "packages" | "nodesPerPackage" | "coresPerNode" | "threads">,
): Machine => ({ packages, nodesPerPackage, coresPerNode, threads, ...rest });

/** The fixtures of the same names were written by hwloc's lstopo 2.9.0 from its own short descriptions. */
export const machines = {
  "4x10x2": machine([4, 1, 10, 2], { cachesPerNode: 1, nodeGiB: 256, hz: 2397400272, cpu: "Intel(R) Xeon(R) CPU E7- 4870 @ 2.40GHz" }),
  "2x24x2-snc2": machine([2, 2, 12, 2], { cachesPerNode: 1, nodeGiB: 64, hz: 2400000000, cpu: "Intel(R) Xeon(R) Platinum 8260C" }),
  "2x64x2-nps4": machine([2, 4, 16, 2], { cachesPerNode: 2, nodeGiB: 128, hz: 2450000000, cpu: "AMD EPYC 7763 64-Core Processor" }),
  "2x14x1": machine([2, 1, 14, 1], { cachesPerNode: 1, nodeGiB: 64, hz: 2195000000, cpu: "Intel(R) Xeon(R) Gold 5120 CPU @ 2.20GHz" }),
} as const;

interface Cpu {
  readonly id: number;
  readonly package: number;
  readonly node: number;
  readonly core: number;
  readonly cache: number;
}

const nodesOf = (m: Machine) => m.packages * m.nodesPerPackage;
const coresOf = (m: Machine) => nodesOf(m) * m.coresPerNode;
const threadsOf = (m: Machine) => coresOf(m) * m.threads;
const bytesOf = (m: Machine) => nodesOf(m) * m.nodeGiB * 2 ** 30;
const range = (length: number) => Array.from({ length }, (_, i) => i);

function cpus(m: Machine, idOf: (core: number, thread: number) => number): readonly Cpu[] {
  const all = range(coresOf(m)).flatMap((core) => {
    const node = Math.floor(core / m.coresPerNode);
    const cache = Math.floor(core / (m.coresPerNode / m.cachesPerNode));
    return range(m.threads).map((thread) => ({ id: idOf(core, thread), package: Math.floor(node / m.nodesPerPackage), node, core, cache }));
  });
  return all.sort((a, b) => a.id - b.id);
}

/** ESXi and Windows: the threads of a core are neighbours. */
const neighbours = (m: Machine) => cpus(m, (core, thread) => core * m.threads + thread);
/** Linux: the first thread of every core, then the second ones. */
const linux = (m: Machine) => cpus(m, (core, thread) => thread * coresOf(m) + core);

export const esxcliGlobal = (m: Machine): string => `   CPU Packages: ${m.packages}
   CPU Cores: ${coresOf(m)}
   CPU Threads: ${threadsOf(m)}
   Hyperthreading Active: ${m.threads > 1}
   Hyperthreading Supported: true
   Hyperthreading Enabled: true
   HV Support: 3
`;

export const esxcliMemory = (m: Machine): string => `   Physical Memory: ${bytesOf(m)} Bytes
   Reliable Memory: 0 Bytes
   NUMA Node Count: ${nodesOf(m)}
`;

export const esxcliList = (m: Machine, nodeOf: (cpu: Cpu) => number = ({ node }) => node): string =>
  neighbours(m)
    .map(
      (cpu) => `CPU:${cpu.id}
   Id: ${cpu.id}
   Package Id: ${cpu.package}
   Family: 6
   Model: 85
   Type: 0
   Stepping: 4
   Brand: GenuineIntel
   Core Speed: ${m.hz}
   Bus Speed: 99999996
   APIC ID: 0x${cpu.id.toString(16)}
   Node: ${nodeOf(cpu)}
   L2 Cache Size: 1048576
   L2 Cache Associativity: 16
   L2 Cache Line Size: 64
   L2 Cache CPU Count: 2
   L3 Cache Size: 20185088
   L3 Cache Associativity: 11
   L3 Cache Line Size: 64
   L3 Cache CPU Count: 2
`,
    )
    .join("\n");

export const schedStats = (m: Machine): string => `         ${threadsOf(m)} PCPUs
         ${coresOf(m)} cores
          ${nodesOf(m) * m.cachesPerNode} LLCs
          ${m.packages} packages
          ${nodesOf(m)} NUMA nodes
`;

export const esxiVersion = `   Product: VMware ESXi
   Version: 8.0.2
   Build: Releasebuild-22380479
   Update: 2
   Patch: 10
`;

/** vim.host.HardwareInfo as in the API. ESXi lists the CPUs of a node from last to first. */
export function hardwareInfo(m: Machine) {
  const all = neighbours(m);
  const idsOf = (field: "package" | "node", n: number) => all.filter((cpu) => cpu[field] === n).map(({ id }) => id);
  return {
    systemInfo: { vendor: "HP", model: "ProLiant DL580 G7" },
    cpuInfo: { numCpuPackages: m.packages, numCpuCores: coresOf(m), numCpuThreads: threadsOf(m), hz: m.hz },
    cpuPkg: range(m.packages).map((index) => ({
      index,
      vendor: "intel",
      hz: m.hz,
      busHz: 133333333,
      description: m.cpu.replace(" @", "  @"),
      threadId: idsOf("package", index),
    })),
    memorySize: bytesOf(m),
    numaInfo: {
      type: "NUMA",
      numNodes: nodesOf(m),
      numaNode: range(nodesOf(m)).map((typeId) => ({
        typeId,
        cpuID: idsOf("node", typeId).reverse(),
        memoryRangeBegin: typeId * m.nodeGiB * 2 ** 30,
        memoryRangeLength: m.nodeGiB * 2 ** 30,
      })),
    },
  };
}

const product = { name: "VMware ESXi", version: "8.0.2", build: "22380479", productLineId: "embeddedEsx", apiType: "HostAgent" };
const config = (m: Machine) => ({ product, hyperThread: { available: m.threads > 1, active: m.threads > 1, config: true } });
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export const vsphereHardware = (m: Machine): string => json({ _typeName: "HostHardwareInfo", ...hardwareInfo(m) });

export const govcHostInfo = (m: Machine): string =>
  json({ hostSystems: [{ name: "esx01", hardware: hardwareInfo(m), config: config(m), summary: { config: { product } } }] });

/** Before 0.31, govc wrote keys in Go's spelling. */
export const oldGovcHostInfo = (m: Machine): string =>
  json(
    JSON.parse(govcHostInfo(m), (_, value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key[0]?.toUpperCase() + key.slice(1), item]))
        : value,
    ),
  );

export const govcCollect = (m: Machine): string => {
  const { cpuInfo, numaInfo, ...rest } = hardwareInfo(m);
  return json([
    { name: "config.hyperThread", op: "assign", val: config(m).hyperThread },
    { name: "config.product", op: "assign", val: product },
    { name: "hardware.cpuInfo", op: "assign", val: cpuInfo },
    { name: "hardware.numaInfo", op: "assign", val: numaInfo },
    { name: "hardware", op: "assign", val: rest },
  ]);
};

/** The objects as vim-cmd prints them, or as pyVmomi does. */
export function vmodl(m: Machine, dialect: "native" | "pyvmomi" = "native"): string {
  const types: Readonly<Record<string, string>> = {
    cpuInfo: "CpuInfo",
    cpuPkg: "CpuPackage",
    numaInfo: "NumaInfo",
    numaNode: "NumaNode",
    systemInfo: "SystemInfo",
  };
  const native = dialect === "native";
  const print = (key: string, value: unknown, indent: string): string => {
    const type = `vim.host.${types[key] ?? "HardwareInfo"}`;
    const inner = `${indent}   `;
    if (typeof value === "string") return native ? `"${value}"` : `'${value}'`;
    if (typeof value === "number") return native || value < 2 ** 31 ? String(value) : `${value}L`;
    if (Array.isArray(value) && typeof value[0] === "number")
      return `(short) [${native ? `\n${inner}` : ""}${value.join(native ? `, \n${inner}` : ", ")}]`;
    if (Array.isArray(value)) return `(${type}) [\n${value.map((item) => inner + print(key, item, inner)).join(", \n")}\n${indent}]`;
    const members = [...(native ? [] : ["dynamicType = <unset>", "dynamicProperty = (vmodl.DynamicProperty) []"])].concat(
      Object.entries(value as object).map(([name, item]) => `${name} = ${print(name, item, inner)}`),
    );
    return `(${type}) {\n${members.map((member) => inner + member).join(native ? ", \n" : ",\n")}${native ? ", " : ""}\n${indent}}`;
  };
  return `${native ? "" : "hardware: "}${native ? "" : "\n"}${print("", hardwareInfo(m), "")}\n`;
}

const listOf = (ids: readonly number[]): string => {
  const runs: number[][] = [];
  for (const id of ids) {
    const last = runs.at(-1);
    if (last && last.at(-1) === id - 1) last.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length > 1 ? `${run[0]}-${run.at(-1)}` : String(run[0]))).join(",");
};

const lscpuRows = (m: Machine): readonly (readonly [string, string])[] => [
  ["Architecture", "x86_64"],
  ["CPU(s)", String(threadsOf(m))],
  ["On-line CPU(s) list", `0-${threadsOf(m) - 1}`],
  ["Model name", m.cpu],
  ["Thread(s) per core", String(m.threads)],
  ["Core(s) per socket", String(m.nodesPerPackage * m.coresPerNode)],
  ["Socket(s)", String(m.packages)],
  ["L3 cache", `64 MiB (${nodesOf(m) * m.cachesPerNode} instances)`],
  ["NUMA node(s)", String(nodesOf(m))],
  ...range(nodesOf(m)).map((n) => {
    const ids = linux(m).filter(({ node }) => node === n);
    return [`NUMA node${n} CPU(s)`, listOf(ids.map(({ id }) => id))] as const;
  }),
  ["Vulnerability Meltdown", "Not affected"],
];

export const lscpu = (m: Machine): string =>
  `${lscpuRows(m)
    .map(([name, value]) => `${`${name}:`.padEnd(33)}${value}`)
    .join("\n")}\n`;

/** As util-linux 2.42 writes lists of CPUs whose numbers alternate between nodes. */
export const lscpuStrided = (m: Machine): string =>
  lscpu(m).replace(/^(NUMA node\d+ CPU\(s\): +)(.*)$/gm, (_, label: string, list: string) => {
    const ids = list.split(",").map(Number);
    const [first = 0, second = first] = ids;
    const isEven = ids.length > 2 && ids.every((id, i) => id === first + i * (second - first));
    return `${label}${isEven ? `${first}-${ids.at(-1)}:${second - first}` : list}`;
  });

export const lscpuJson = (m: Machine): string => json({ lscpu: lscpuRows(m).map(([field, data]) => ({ field: `${field}:`, data })) });

/** As util-linux 2.39 and later nest them. */
export const lscpuNestedJson = (m: Machine): string => {
  const rows = lscpuRows(m).map(([field, data]) => ({ field: `${field}:`, data }));
  return json({
    lscpu: [
      { ...rows[0], children: rows.slice(1, 3) },
      { field: "Vendor ID:", data: "GenuineIntel", children: rows.slice(3) },
    ],
  });
};

export const lscpuParsable = (m: Machine): string => `# The following is the parsable format, which can be fed to other
# programs. Each different item in every column has an unique ID
# starting usually from zero.
# CPU,Core,Socket,Node,,L1d,L1i,L2,L3
${linux(m)
  .map((cpu) => [cpu.id, cpu.core, cpu.package, cpu.node, "", cpu.core, cpu.core, cpu.core, cpu.cache].join(","))
  .join("\n")}
`;

export const lscpuExtended = (m: Machine): string =>
  `CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE    MAXMHZ\n${linux(m)
    .map(({ id, node, package: socket, core, cache }) =>
      [
        `${id}`.padStart(3),
        `${node}`.padStart(4),
        `${socket}`.padStart(6),
        `${core}`.padStart(4),
        `${core}:${core}:${core}:${cache}`.padEnd(13),
        "yes 3700.0000",
      ].join(" "),
    )
    .join("\n")}\n`;

export const lscpuExtendedJson = (m: Machine): string =>
  json({
    cpus: linux(m).map(({ id, node, package: socket, core, cache }) => ({
      cpu: id,
      node,
      socket,
      core,
      "l1d:l1i:l2:l3": `${core}:${core}:${core}:${cache}`,
      online: true,
    })),
  });

export const virshCapabilities = (m: Machine): string => {
  const cells = range(nodesOf(m)).map((node) => {
    const own = linux(m).filter((cpu) => cpu.node === node);
    const rows = own.map(
      ({ id, package: socket, core }) => `          <cpu id='${id}' socket_id='${socket}' die_id='0' core_id='${core}' siblings='${id}'/>`,
    );
    return `      <cell id='${node}'>\n        <memory unit='KiB'>${m.nodeGiB * 2 ** 20}</memory>\n        <cpus num='${own.length}'>\n${rows.join("\n")}\n        </cpus>\n      </cell>`;
  });
  return `<capabilities>\n  <host>\n    <topology>\n    <cells num='${nodesOf(m)}'>\n${cells.join("\n")}\n    </cells>\n    </topology>\n  </host>\n</capabilities>\n`;
};

export const virshNodeInfo = (m: Machine): string => `CPU model:           x86_64
CPU(s):              ${threadsOf(m)}
CPU frequency:       ${Math.round(m.hz / 1e6)} MHz
CPU socket(s):       1
Core(s) per socket:  ${m.coresPerNode}
Thread(s) per core:  ${m.threads}
NUMA cell(s):        ${nodesOf(m)}
Memory size:         ${m.nodeGiB * nodesOf(m) * 2 ** 20} KiB
`;

export const proxmoxNode = (m: Machine): string =>
  json({
    cpuinfo: { sockets: m.packages, cores: coresOf(m), cpus: threadsOf(m), model: m.cpu, mhz: "1200.000", flags: "fpu" },
    memory: { total: m.nodeGiB * nodesOf(m) * 2 ** 30, used: 1 },
    pveversion: "pve-manager/8.2.4/faa83925c9641325",
  });

export const siblingLists = (m: Machine): string =>
  linux(m)
    .map(({ id, core }) => {
      const own = linux(m).filter((cpu) => cpu.core === core);
      return `/sys/devices/system/cpu/cpu${id}/topology/thread_siblings_list:${own.map((cpu) => cpu.id).join(",")}\n`;
    })
    .join("");

export const resourceProvider = (m: Machine): string =>
  json(
    ["VCPU", "PCPU", "MEMORY_MB"].map((name) => ({
      resource_class: name,
      allocation_ratio: 1,
      total: name === "MEMORY_MB" ? m.nodeGiB * nodesOf(m) * 1024 : threadsOf(m) / 2,
    })),
  );

export const numactl = (m: Machine): string => {
  const nodes = range(nodesOf(m));
  const cpusOf = (n: number) => linux(m).filter(({ node }) => node === n);
  return `available: ${nodes.length} nodes (0-${nodes.length - 1})
${nodes
  .map((n) => {
    const ids = cpusOf(n).map(({ id }) => id);
    return `node ${n} cpus: ${ids.join(" ")}\nnode ${n} size: ${m.nodeGiB * 1024} MB\nnode ${n} free: 40210 MB`;
  })
  .join("\n")}
node distances:
node  ${nodes.map((n) => ` ${n}`).join("  ")}
${nodes.map((n) => `  ${n}:  ${nodes.map((other) => (n === other ? 10 : 21)).join("  ")}`).join("\n")}
`;
};

/** Above 64 logical CPUs the map of each goes over rows, one for a processor group. */
export function coreinfo(m: Machine): string {
  const all = neighbours(m);
  const group = all.length > 64 ? all.length / Math.ceil(all.length / 64) : all.length;
  const row = (label: string, isMember: (cpu: Cpu) => boolean): string => {
    const mask = all.map((cpu) => (isMember(cpu) ? "*" : "-")).join("");
    if (all.length <= 64) return `${mask}  ${label}`;
    return [`${label}:`, ...range(all.length / group).map((i) => mask.slice(i * group, (i + 1) * group))].join("\n");
  };
  const map = (title: string, rows: readonly string[]) => `${title}:\n${rows.join("\n")}\n`;
  const hyperthreaded = m.threads > 1 ? " (Hyperthreaded)" : "";
  return [
    "\nCoreinfo v3.53 - Dump information on system CPU and memory topology\nCopyright (C) 2008-2022 Mark Russinovich\n",
    "HTT       \t*\tHyperthreading enabled\nHYPERVISOR\t-\tHypervisor is present\n",
    map(
      "Logical to Physical Processor Map",
      range(coresOf(m)).map((n) => row(`Physical Processor ${n}${hyperthreaded}`, ({ core }) => core === n)),
    ),
    map(
      "Logical Processor to Socket Map",
      range(m.packages).map((n) => row(`Socket ${n}`, (cpu) => cpu.package === n)),
    ),
    map(
      "Logical Processor to NUMA Node Map",
      range(nodesOf(m)).map((n) => row(`NUMA Node ${n}`, ({ node }) => node === n)),
    ),
    "Approximate Cross-NUMA Node Access Cost (relative to fastest):\n     00  01\n00: 1.0 1.4\n01: 1.4 1.0\n",
    map(
      "Logical Processor to Cache Map",
      range(nodesOf(m) * m.cachesPerNode).flatMap((n) => [
        row(`Data Cache          ${n}, Level 1,   32 KB, Assoc   8, LineSize  64`, (cpu) => cpu.core === n),
        row(`Unified Cache       ${n}, Level 3,   32 MB, Assoc  16, LineSize  64`, ({ cache }) => cache === n),
      ]),
    ),
    map("Logical Processor to Group Map", [row("Group 0", ({ id }) => id < group)]),
  ].join("\n");
}

export const synthetic = (m: Machine): string =>
  `pack:${m.packages} group:${m.nodesPerPackage} [numa(memory=${m.nodeGiB}GiB)] l3:${m.cachesPerNode} core:${m.coresPerNode / m.cachesPerNode} pu:${m.threads}`;

/** `kubectl get node -o yaml`. */
export const kubernetesNode = (m: Machine): string =>
  `apiVersion: v1\nkind: Node\nmetadata:\n  labels:\n    cpumanager: "true"\n  name: node1\nstatus:\n  allocatable:\n    cpu: "1"\n  capacity:\n    cpu: "${threadsOf(m)}"\n    hugepages-1Gi: 64Gi\n    hugepages-2Mi: "0"\n    memory: ${bytesOf(m) / 1024}Ki\n    pods: "110"\n  nodeInfo:\n    kubeletVersion: v1.31.2\n`;
