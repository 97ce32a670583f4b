import {
  applyEdits,
  deriveTopology,
  type HostModel,
  lint,
  lintVm,
  openWorkspace,
  type Rule,
  requireHost,
  rules,
  type Workload,
} from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { parseVmx } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appliesTo } from "../../packages/core/src/rules/define.ts";

const ruleOf = (id: string): Rule => {
  const rule = rules.find((candidate) => candidate.id === id);
  if (!rule) throw new Error(id);
  return rule;
};

const hostOf = (host: string | HostModel | undefined) => (typeof host === "string" ? requireHost(host) : host);

/** Lines are written short: `vcpus 4; cps 2; scsi0 pvscsi; disk scsi0:0; nic e1000`. */
const KEYS: Readonly<Record<string, (value: string) => string>> = {
  vcpus: (n) => `numvcpus = "${n}"`,
  cps: (n) => `cpuid.coresPerSocket = "${n}"`,
  hw: (n) => `virtualHW.version = "${n}"`,
  guest: (name) => `guestOS = "${name}"`,
  gib: (n) => `memSize = "${Number(n) * 1024}"`,
  mib: (n) => `memSize = "${n}"`,
  reserved: (n) => `sched.mem.min = "${n}"`,
  pin: (on) => `sched.mem.pin = "${on}"`,
  affinity: (list) => `sched.cpu.affinity = "${list}"`,
  consolidate: (on) => `numa.consolidate = "${on}"`,
  perNode: (n) => `numa.vcpu.coresPerNode = "${n}"`,
  perMachine: (n) => `numa.vcpu.maxPerMachineNode = "${n}"`,
  smt: (n) => `cpuid.numSMT = "${n}"`,
  perVirtual: (n) => `numa.vcpu.maxPerVirtualNode = "${n}"`,
  hotadd: (on) => `vcpu.hotadd = "${on}"`,
  allow: (on) => `numa.allowHotadd = "${on}"`,
  preferHt: (on) => `numa.vcpu.preferHT = "${on}"`,
  latency: (level) => `sched.cpu.latencySensitivity = "${level}"`,
  disk: (id) => `${id}.present = "TRUE"`,
  shared: (id) => `${id}.sharedBus = "physical"`,
  nic: (type) => `ethernet0.present = "TRUE"\nethernet0.virtualDev = "${type}"`,
  pci: (n) => `pciPassthru${n}.present = "TRUE"`,
  hosted: (type) => `ethernet1.present = "TRUE"\nethernet1.connectionType = "${type}"`,
};
const written = (lines: string): string =>
  lines
    .split("; ")
    .filter(Boolean)
    .map((line) => {
      const [key = "", value = ""] = line.split(" ");
      const write = KEYS[key];
      if (write) return write(value);
      return `${key}.present = "TRUE"\n${key}.virtualDev = "${value}"`;
    })
    .join("\n");

function run(id: string, workload: Workload | undefined, lines: string, host: string | HostModel | undefined) {
  const target = { ...(host !== undefined && { host: hostOf(host) }), ...(workload && { workload }) };
  const { diagnostics, skipped } = lint(written(lines), { rules: [ruleOf(id)], target });
  return [...diagnostics.map(({ messageId, severity }) => `${messageId} ${severity}`), ...skipped.map(({ reason }) => `skip ${reason}`)];
}

type Row = readonly [
  workload: Partial<Workload> | undefined,
  lines: string,
  host: string | HostModel | undefined,
  expected: readonly string[],
];

const R640 = "r640"; // 2 x 24 cores, 768 GiB, ESXi 8.0
const WIDE = "2x72x2@8.0";
const HANA = "4x28x2:6144@7.0";
const PRODUCTION = { environment: "production" } as const;

const sapphire = (cpu: string | undefined, numaNodes = 2): HostModel => ({
  ...requireHost("2x32x2:1024@8.0"),
  numaNodes,
  ...(cpu !== undefined && { cpu }),
});

/** The rows of each family use its workload kind; `undefined` is a VM without a declared workload. */
const TABLES: Readonly<Record<string, readonly [kind: Workload["kind"], rows: readonly Row[]]>> = {
  "mssql/express": [
    "mssql",
    [
      [{ edition: "express" }, "vcpus 1; hw 19", undefined, []],
      [{ edition: "express" }, "vcpus 2; hw 19", undefined, ["capped error"]],
      [{ edition: "express" }, "vcpus 2; cps 2; hw 19", undefined, []],
      [{ edition: "express" }, "vcpus 4; cps 4", undefined, []],
      [{ edition: "express" }, "vcpus 5; cps 5", undefined, ["cores warning"]],
      [{ edition: "express", version: "2025" }, "vcpus 5; cps 5", undefined, ["cores warning"]],
      [{ edition: "express", version: "2008r2" }, "vcpus 5; cps 5", undefined, []],
      [{ edition: "express" }, "vcpus 4; hw 20", undefined, ["skip no-host"]],
      [{ edition: "express" }, "vcpus 4; hw 20", R640, []],
      [{ edition: "express" }, "vcpus 5; hw 20", undefined, ["cores warning"]],
      [{ edition: "express" }, "vcpus {{n}}", undefined, ["skip unknown-value"]],
      [{}, "vcpus 8; hw 19", undefined, []],
      [undefined, "vcpus 8; hw 19", undefined, []],
    ],
  ],
  "mssql/web": [
    "mssql",
    [
      [{ edition: "web" }, "vcpus 4; hw 19", undefined, []],
      [{ edition: "web" }, "vcpus 5; hw 19", undefined, ["capped error"]],
      [{ edition: "web" }, "vcpus 16; cps 4", undefined, []],
      [{ edition: "web" }, "vcpus 16; cps 2", undefined, ["capped error"]],
      [{ edition: "web" }, "vcpus 17; cps 17", undefined, ["cores warning"]],
      [{ edition: "web", version: "2025" }, "vcpus 17; cps 17", undefined, []],
      [undefined, "vcpus 17; cps 17", undefined, []],
    ],
  ],
  "mssql/bi": [
    "mssql",
    [
      [{ edition: "bi", version: "2012" }, "vcpus 16; cps 16", undefined, []],
      [{ edition: "bi", version: "2012" }, "vcpus 17; cps 17", undefined, ["cores warning"]],
      [{ edition: "bi", version: "2019" }, "vcpus 17; cps 17", undefined, []],
    ],
  ],
  "mssql/numa-64lp": [
    "mssql",
    [
      [{ version: "2022", update: 11 }, "vcpus 64; hw 20", WIDE, []],
      [{ version: "2022", update: 11 }, "vcpus 65; hw 20", WIDE, ["refused error"]],
      [{ version: "2022", update: 10 }, "vcpus 65; hw 20", WIDE, ["unsupported warning"]],
      [{ version: "2022", update: 12 }, "vcpus 144; hw 20", WIDE, ["refused error"]],
      [{ version: "2022" }, "vcpus 144; hw 20", WIDE, ["later warning"]],
      [{ version: "2025", update: 3 }, "vcpus 144; hw 20", WIDE, ["doubtful warning"]],
      [{ version: "2019" }, "vcpus 144; hw 20", WIDE, ["unsupported warning"]],
      [{ version: "2019" }, "vcpus 128; hw 20", WIDE, []],
      [{}, "vcpus 144; hw 20", WIDE, ["unsupported warning"]],
      [{ version: "2014" }, "vcpus 144; hw 20", WIDE, []],
      [{ version: "2022", update: 11 }, "vcpus 128; hw 20", "2x64x2@8.0", []],
      [{ version: "2022", update: 11 }, "vcpus 144; hw 20", undefined, ["skip no-host"]],
      [undefined, "vcpus 144; hw 20", WIDE, []],
    ],
  ],
  "mssql/maxdop": [
    "mssql",
    [
      [{ version: "2022", maxdop: 8 }, "vcpus 16; hw 20", R640, []],
      [{ version: "2022", maxdop: 9 }, "vcpus 16; hw 20", R640, ["over info"]],
      [{ version: "2022", maxdop: 0 }, "vcpus 8; hw 20", R640, []],
      [{ version: "2022", maxdop: 0 }, "vcpus 9; hw 20", R640, ["over info"]],
      [{ version: "2022", maxdop: 1 }, "vcpus 48; hw 20", R640, []],
      // Where the socket lies is open, and that the guest sees one node is not.
      [{ version: "2019", maxdop: 0 }, "vcpus 24; cps 24; hw 19; hotadd TRUE", "2x18x2@7.0", ["over info"]],
      // Manual nodes together with hot add: no source shows this case.
      [{ version: "2019", maxdop: 0 }, "vcpus 24; hw 19; perVirtual 12; hotadd TRUE", "2x18x2@7.0", ["over info"]],
      // two nodes of 16: a node's own count
      [{ version: "2022", maxdop: 16 }, "vcpus 32; hw 20", R640, []],
      [{ version: "2022", maxdop: 17 }, "vcpus 32; hw 20", R640, ["over info"]],
      // two nodes of 24: half of a node
      [{ version: "2022", maxdop: 12 }, "vcpus 48; hw 20", R640, []],
      [{ version: "2022", maxdop: 13 }, "vcpus 48; hw 20", R640, ["over info"]],
      // two nodes of 40: 16 at most
      [{ version: "2022", maxdop: 16 }, "vcpus 80; hw 20", "2x40x2@8.0", []],
      [{ version: "2022", maxdop: 17 }, "vcpus 80; hw 20", "2x40x2@8.0", ["over info"]],
      // the table until 2014
      [{ version: "2014", maxdop: 8 }, "vcpus 32; hw 20", R640, []],
      [{ version: "2014", maxdop: 9 }, "vcpus 32; hw 20", R640, ["over info"]],
      // which nodes of four it is spread over, and so how many, no source shows
      [{ version: "2022", maxdop: 0 }, "vcpus 20; hw 20; consolidate FALSE", "4x24x2:768@8.0", ["over info"]],
      [{ version: "2022", maxdop: 8 }, "vcpus 20; hw 20; consolidate FALSE", "4x24x2:768@8.0", []],
      // Queries cannot use CPUs above the limit of the edition.
      [{ version: "2022", edition: "express", maxdop: 0 }, "vcpus 16; cps 16; hw 20", R640, []],
      [{ version: "2022" }, "vcpus 48; hw 20", R640, []],
      [{ version: "2022", maxdop: 0 }, "vcpus 48; hw 20", undefined, ["skip no-host"]],
    ],
  ],
  "mssql/maxdop-1": [
    "mssql",
    [
      [{ maxdop: 1, profile: "warehouse" }, "vcpus 7", undefined, []],
      [{ maxdop: 1, profile: "warehouse" }, "vcpus 8", undefined, ["serial hint"]],
      [{ maxdop: 2, profile: "warehouse" }, "vcpus 8", undefined, []],
      [{ maxdop: 1, profile: "oltp" }, "vcpus 8", undefined, []],
      [{ maxdop: 1 }, "vcpus 8", undefined, []],
    ],
  ],
  "mssql/cost-threshold": [
    "mssql",
    [
      [{ costThreshold: 5 }, "vcpus 7", undefined, []],
      [{ costThreshold: 5 }, "vcpus 8", undefined, ["low hint"]],
      [{ costThreshold: 6 }, "vcpus 8", undefined, []],
      [{ costThreshold: 0 }, "vcpus 8", undefined, ["low hint"]],
      [{}, "vcpus 8", undefined, []],
    ],
  ],
  "mssql/core-minimum": [
    "mssql",
    [
      [{ edition: "standard", licensing: "core" }, "vcpus 3", undefined, ["fewer hint"]],
      [{ edition: "standard", licensing: "core" }, "vcpus 4", undefined, []],
      [{ edition: "enterprise", licensing: "core", version: "2008r2" }, "vcpus 2", undefined, []],
      [{ edition: "standard" }, "vcpus 2", undefined, []],
      [{ licensing: "core" }, "vcpus 2", undefined, []],
    ],
  ],
  "mssql/over-allocation": [
    "mssql",
    [
      [{ concurrency: 8, maxdop: 1 }, "vcpus 31", undefined, []],
      [{ concurrency: 8, maxdop: 1 }, "vcpus 32", undefined, ["idle info"]],
      // Measured on ESXi alone.
      [{ concurrency: 8, maxdop: 1 }, "vcpus 32; hosted nat", undefined, ["skip other-platform"]],
      [{ concurrency: 2, maxdop: 1 }, "vcpus 31", undefined, []],
      [{ concurrency: 2, maxdop: 1 }, "vcpus 32", undefined, ["idle info"]],
      [{ concurrency: 8, maxdop: 3 }, "vcpus 32", undefined, ["idle info"]],
      [{ concurrency: 8, maxdop: 4 }, "vcpus 32", undefined, []],
      [{ concurrency: 8, maxdop: 0 }, "vcpus 32", undefined, []],
      [{ concurrency: 8 }, "vcpus 32", undefined, ["skip workload-incomplete"]],
      [{ maxdop: 1 }, "vcpus 32", undefined, []],
    ],
  ],
  "mssql/soft-numa": [
    "mssql",
    [
      [{ version: "2016" }, "vcpus 8; hw 20", R640, []],
      [{ version: "2016" }, "vcpus 9; hw 20", R640, []],
      [{ version: "2016" }, "vcpus 10; hw 20", R640, []],
      [{ version: "2016" }, "vcpus 11; hw 20", R640, ["uneven hint"]],
      [{ version: "2014" }, "vcpus 11; hw 20", R640, []],
      [{}, "vcpus 11; hw 20", R640, []],
      [{ version: "2016" }, "vcpus 18; hw 20", "2x9x2@8.0", []],
      [{ version: "2016" }, "vcpus 22; hw 20", "2x11x2@8.0", ["uneven hint"]],
      // It counts cores.
      [{ version: "2016" }, "vcpus 22; hw 20; smt 2", R640, []],
      [{ version: "2016" }, "vcpus 22; hw 20; smt 1", R640, ["uneven hint"]],
      [{ version: "2016" }, "vcpus 22; hw 20; smt {{n}}", R640, ["skip unknown-value"]],
      [{ version: "2016" }, "vcpus 22; hw 20; consolidate FALSE", "4x24x2@8.0", ["skip layout-unknown"]],
    ],
  ],
  "mssql/hot-add-soft-numa": [
    "mssql",
    [
      [{ version: "2016" }, "vcpus 8; hotadd TRUE", undefined, []],
      [{ version: "2016" }, "vcpus 9; hotadd TRUE", undefined, ["unsupported warning"]],
      [{ version: "2016" }, "vcpus 9; hotadd FALSE", undefined, []],
      [{ version: "2014" }, "vcpus 9; hotadd TRUE", undefined, []],
      [{}, "vcpus 9; hotadd TRUE", undefined, []],
      [{ version: "2016" }, "vcpus 16; hw 20; hotadd TRUE; allow TRUE", undefined, ["skip no-host"]],
      [{ version: "2016" }, "vcpus 16; hw 20; hotadd TRUE; allow TRUE", "2x8x2@8.0", []],
      [{ version: "2016" }, "vcpus 9; hotadd {{on}}", undefined, ["unsupported info"]],
      // An edition that uses 4 sockets, and so 8 vCPUs or 12.
      [{ version: "2016", edition: "standard" }, "vcpus 16; cps 2; hw 19; hotadd TRUE", "2x18x2@7.0", []],
      [{ version: "2016", edition: "standard" }, "vcpus 18; cps 3; hw 19; hotadd TRUE", "2x18x2@7.0", ["unsupported warning"]],
      [{ version: "2016" }, "vcpus 24; cps 24; hw 19; hotadd TRUE", "2x18x2@7.0", ["unsupported warning"]],
      [
        { version: "2022", edition: "standard", licensing: "core" },
        "vcpus 32; cps 16; hw 19; hotadd TRUE",
        "2x40x2@7.0",
        ["unsupported warning"],
      ],
      [{ version: "2016" }, "vcpus 16; hw 20; hotadd TRUE; smt 2", R640, []],
      [{ version: "2016" }, "vcpus 16; hw 20; hotadd TRUE; smt 1", R640, ["unsupported warning"]],
      [{ version: "2016" }, "vcpus 20; hw 20; hotadd TRUE; allow TRUE; consolidate FALSE", "4x24x2@8.0", ["skip layout-unknown"]],
      // An edition that uses 4 of them has nothing to divide.
      [{ version: "2016", edition: "express" }, "vcpus 16; hotadd TRUE", undefined, []],
      [{ version: "2016", edition: "express" }, "vcpus 16; hw 20; hotadd TRUE", R640, []],
      [{ version: "2016", edition: "standard" }, "vcpus 16; hotadd TRUE", undefined, ["unsupported warning"]],
    ],
  ],
  "mssql/memory-cap": [
    "mssql",
    [
      [{ edition: "standard", version: "2022" }, "gib 208", undefined, []],
      [{ edition: "standard", version: "2022" }, "gib 209", undefined, ["unused info"]],
      [{ edition: "standard", version: "2025" }, "gib 336", undefined, []],
      [{ edition: "standard", version: "2025" }, "gib 337", undefined, ["unused info"]],
      [{ edition: "web", version: "2019" }, "gib 112", undefined, []],
      [{ edition: "web", version: "2019" }, "gib 113", undefined, ["unused info"]],
      [{ edition: "express", version: "2019" }, "mib 18498", undefined, []],
      [{ edition: "express", version: "2019" }, "mib 18499", undefined, ["unused info"]],
      [{ edition: "bi", version: "2014" }, "gib 208", undefined, []],
      [{ edition: "bi", version: "2014" }, "gib 209", undefined, ["unused info"]],
      [{ edition: "express", version: "2014" }, "gib 19", undefined, ["unused info"]],
      [{ edition: "standard", version: "2012" }, "gib 512", undefined, []],
      [{ edition: "standard", version: "2008r2" }, "gib 144", undefined, []],
      [{ edition: "standard", version: "2008r2" }, "gib 145", undefined, ["unused info"]],
      [{ edition: "enterprise", version: "2008r2" }, "gib 512", undefined, []],
      [{ edition: "standard" }, "gib 512", undefined, []],
    ],
  ],
  "mem/tier-1-unreserved": [
    "mssql",
    [
      [{ environment: "tier-1" }, "mib 4096; reserved 4095", undefined, ["partial info"]],
      [{ environment: "tier-1" }, "mib 4096; reserved 4096", undefined, []],
      [{ environment: "tier-1" }, "mib 4096; pin TRUE", undefined, []],
      [{ environment: "production" }, "mib 4096", undefined, []],
      [{ environment: "tier-1" }, "vcpus 4", undefined, []],
    ],
  ],
  "storage/single-controller": [
    "oracle",
    [
      [{}, "scsi0 pvscsi; disk scsi0:0; disk scsi0:1", undefined, []],
      [{}, "scsi0 pvscsi; disk scsi0:0; disk scsi0:1; disk scsi0:2", undefined, ["shared info"]],
      [{}, "scsi0 pvscsi; scsi1 pvscsi; disk scsi0:0; disk scsi0:1; disk scsi1:0", undefined, []],
      [{}, "disk sata0:0; disk sata0:1; disk sata0:2", undefined, []],
      [{}, "scsi0 pvscsi; disk scsi0:0; disk scsi0:1; disk scsi0:2; hosted nat", undefined, ["skip other-platform"]],
    ],
  ],
  "storage/data-log-same-controller": [
    "mssql",
    [
      [{ data: ["scsi0:1"], log: ["scsi0:2"] }, "disk scsi0:1; disk scsi0:2", undefined, ["shared hint"]],
      [{ data: ["scsi0:1"], log: ["scsi1:0"] }, "disk scsi0:1; disk scsi1:0", undefined, []],
      [{ data: ["scsi0:1"], log: ["scsi0:2"] }, "disk scsi0:1", undefined, []],
      [{ data: ["scsi0:1"] }, "disk scsi0:1; disk scsi0:2", undefined, []],
      [{ data: ["scsi0:1"], log: ["scsi0:1"] }, "disk scsi0:1; disk scsi0:2", undefined, []],
    ],
  ],
  "storage/ide-data": [
    "mysql",
    [
      [{}, "scsi0 pvscsi; disk scsi0:0; disk ide0:0", undefined, ["emulated info"]],
      [{}, "disk ide0:0; disk ide0:1", undefined, []],
      [{ data: ["ide0:1"] }, "disk ide0:0; disk ide0:1", undefined, ["emulated info"]],
      [{}, "scsi0 pvscsi; disk scsi0:0; disk nvme0:0", undefined, []],
    ],
  ],
  "storage/buslogic": [
    "general",
    [
      [undefined, "guest windows7srv-64; scsi0 buslogic; disk scsi0:0", undefined, ["boot info"]],
      [undefined, "guest win2000pro; scsi0 buslogic; disk scsi0:0", undefined, []],
      [undefined, "guest other; scsi0 buslogic; disk scsi0:0", undefined, []],
      // All guests that the dumps recommend BusLogic for.
      ...["winXPProGuest", "winnt", "win98", "win95", "win31", "dos", "rhel2Guest", "os2", "unixWare7", "eComStation2Guest"].map(
        (guest) => [undefined, `guest ${guest}; scsi0 buslogic; disk scsi0:0`, undefined, []] as const,
      ),
      [undefined, "guest winxppro-64; scsi0 buslogic; disk scsi0:0", undefined, ["boot info"]],
      [undefined, "guest winXPPro64Guest; scsi0 buslogic; disk scsi0:0", undefined, ["boot info"]],
      [undefined, "guest winnetstandard; scsi0 buslogic; disk scsi0:0", undefined, ["boot info"]],
      [undefined, "scsi0 buslogic; disk scsi0:0", undefined, []],
      [undefined, "guest windows7srv-64; scsi0 lsilogic; scsi1 buslogic; disk scsi0:0", undefined, []],
      [undefined, "guest windows7srv-64; scsi0 buslogic; scsi1 pvscsi; disk scsi0:0; disk scsi1:0", undefined, ["boot info"]],
      // lsi-for-db reports this VM.
      [undefined, "guest windows7srv-64; scsi0 buslogic; disk scsi0:0; disk scsi0:1", undefined, []],
      [undefined, "guest {{os}}; scsi0 buslogic; disk scsi0:0", undefined, ["skip unknown-value"]],
    ],
  ],
  "net/e1000": [
    "imdg",
    [
      [{}, "nic e1000", undefined, ["emulated warning"]],
      [{}, "nic E1000e", undefined, ["emulated warning"]],
      [{}, "nic vmxnet3", undefined, []],
      [{}, "nic flexible", undefined, []],
      [{}, "nic e1000; hw 6", undefined, []],
      [{}, "nic e1000; hw 7", undefined, ["emulated warning"]],
      [undefined, "nic e1000", undefined, []],
    ],
  ],
  "net/sriov-suggest": [
    "latency",
    [
      [{}, "latency high; nic vmxnet3", undefined, ["stack hint"]],
      [{}, "latency high; nic vmxnet3; pci 0", undefined, []],
      [{}, "latency high; nic e1000", undefined, []],
      [{}, "latency normal; nic vmxnet3", undefined, []],
    ],
  ],
  "hana/half-or-full-socket": [
    "hana",
    [
      [PRODUCTION, "vcpus 13", HANA, ["between error"]],
      [PRODUCTION, "vcpus 14", HANA, []],
      [PRODUCTION, "vcpus 15", HANA, ["between error"]],
      [PRODUCTION, "vcpus 28", HANA, []],
      [PRODUCTION, "vcpus 42", HANA, ["between error"]],
      [PRODUCTION, "vcpus 56", HANA, []],
      [PRODUCTION, "vcpus 84", HANA, []],
      [PRODUCTION, "vcpus 112", HANA, []],
      [PRODUCTION, "vcpus 42; preferHt TRUE", HANA, ["between error"]],
      [{ environment: "tier-1" }, "vcpus 42", HANA, ["between error"]],
      [{ environment: "test" }, "vcpus 42", HANA, []],
      [{}, "vcpus 42", HANA, ["skip workload-incomplete"]],
      [{}, "vcpus 28", HANA, []],
      [PRODUCTION, "vcpus 42", undefined, ["skip no-host"]],
      [undefined, "vcpus 42", HANA, []],
      // hana/half-socket-snc2 reports half a socket that may not be shared.
      [PRODUCTION, "vcpus 16", sapphire("2x Xeon Gold 6430"), []],
      [PRODUCTION, "vcpus 17", sapphire("2x Xeon Gold 6430"), ["between error"]],
      // All threads of entire sockets, regardless of preferHT.
      [PRODUCTION, "vcpus 448", "8x28x2:12288@7.0", []],
      [PRODUCTION, "vcpus 392", "8x28x2:12288@7.0", []],
      [PRODUCTION, "vcpus 420", "8x28x2:12288@7.0", ["between error"]],
      [PRODUCTION, "vcpus 476", "8x28x2:12288@7.0", ["between error"]],
      [PRODUCTION, "vcpus 96", "2x24x2@8.0", []],
      // Half a socket of at least 8 cores.
      [PRODUCTION, "vcpus 6", "2x12x2@8.0", ["between error"]],
      [PRODUCTION, "vcpus 4", "2x4x1@8.0", ["between error"]],
      [PRODUCTION, "vcpus 8", "2x16x2@8.0", []],
      [PRODUCTION, "vcpus 8", "2x12x2@8.0", ["between error"]],
    ],
  ],
  "hana/memory-share": [
    "hana",
    [
      [PRODUCTION, "vcpus 14; gib 768", HANA, []],
      [PRODUCTION, "vcpus 14; gib 769", HANA, ["beyond warning"]],
      [PRODUCTION, "vcpus 28; gib 1536", HANA, []],
      [PRODUCTION, "vcpus 28; gib 1537", HANA, ["beyond warning"]],
      [PRODUCTION, "vcpus 84; gib 4608", HANA, []],
      [PRODUCTION, "vcpus 84; gib 4609", HANA, ["beyond warning"]],
      [PRODUCTION, "vcpus 28; gib 1536; preferHt TRUE", HANA, []],
      [PRODUCTION, "vcpus 28; gib 1537; preferHt TRUE", HANA, ["beyond warning"]],
      [PRODUCTION, "vcpus 28; gib 5000", "4x28x2@7.0", ["skip host-incomplete"]],
      [{ environment: "test" }, "vcpus 14; gib 769", HANA, []],
    ],
  ],
  "hana/half-socket-snc2": [
    "hana",
    [
      [PRODUCTION, "vcpus 16", sapphire("Intel(R) Xeon(R) Platinum 8462Y+"), ["off error"]],
      [PRODUCTION, "vcpus 16", sapphire("Intel Xeon Platinum 8462Y+"), ["off error"]],
      [PRODUCTION, "vcpus 16", sapphire("2x Xeon Gold 6430"), ["off error"]],
      [PRODUCTION, "vcpus 16", sapphire("2x Xeon Gold 6330"), []],
      [PRODUCTION, "vcpus 16", sapphire("2x Xeon Gold 6530"), []],
      [PRODUCTION, "vcpus 16", sapphire("2x Xeon Gold 6430", 4), []],
      // Four nodes of a socket are not SNC-2.
      [PRODUCTION, "vcpus 16", sapphire("2x Xeon Gold 6430", 8), ["off error"]],
      [PRODUCTION, "vcpus 15", sapphire("2x Xeon Gold 6430"), []],
      [PRODUCTION, "vcpus 32", sapphire("2x Xeon Gold 6430"), []],
      [PRODUCTION, "vcpus 16", sapphire(undefined), []],
      [{}, "vcpus 16", sapphire("2x Xeon Gold 6430"), ["skip workload-incomplete"]],
    ],
  ],
  "hana/mem-reservation": [
    "hana",
    [
      [PRODUCTION, "gib 64; reserved 65535", undefined, ["partial warning"]],
      [PRODUCTION, "gib 64; reserved 65536", undefined, []],
      [{ environment: "test" }, "gib 64", undefined, []],
      [{}, "gib 64", undefined, ["skip workload-incomplete"]],
      [{}, "gib 64; pin TRUE", undefined, []],
    ],
  ],
  "imdg/single-node": [
    "imdg",
    [
      [{}, "vcpus 24; hw 20; gib 384", R640, []],
      [{}, "vcpus 25; hw 20; gib 384", R640, ["vcpus warning"]],
      [{}, "vcpus 25; hw 20; gib 384; affinity 0-49", R640, []],
      [{}, "vcpus 24; hw 20; gib 385", R640, ["memory warning"]],
      [{}, "vcpus 26; hw 20; gib 385", R640, ["vcpus warning", "memory warning"]],
      [{}, "vcpus 8; hw 20; consolidate FALSE", R640, ["spread warning"]],
      [{}, "vcpus 8; hw 20; perNode 4", R640, ["spread warning"]],
      [{}, "vcpus 8; hw 20; consolidate FALSE; preferHt TRUE", R640, ["spread warning"]],
      [{}, "vcpus 50; hw 20; consolidate FALSE; preferHt TRUE", R640, ["vcpus warning"]],
      [{}, "vcpus 8; hw 20; consolidate FALSE", "4x24x2@8.0", ["spread warning"]],
      [{}, "vcpus 25; hw 20; consolidate FALSE", "4x24x2@8.0", ["vcpus warning"]],
      [{}, "vcpus 60; hw 20; perMachine 30; consolidate FALSE", "4x24x2@8.0", ["skip layout-unknown"]],
      [{}, "vcpus 24; hw 20; gib 385", undefined, ["skip no-host"]],
      [{}, "vcpus 24; hw 20; gib 385", "2x24x2@8.0", []],
    ],
  ],
  "imdg/mem-reservation": [
    "imdg",
    [
      [{}, "gib 64; reserved 65535", undefined, ["partial warning"]],
      [{}, "gib 64; reserved 65536", undefined, []],
      [undefined, "gib 64", undefined, []],
    ],
  ],
  "exchange/mem-reservation": [
    "exchange",
    [
      [{}, "gib 64; reserved 65535", undefined, ["partial warning"]],
      [{}, "gib 64; reserved 65536", undefined, []],
      [{ environment: "test" }, "gib 64", undefined, []],
    ],
  ],
  "exchange/too-large": [
    "exchange",
    [
      [{ version: "2019" }, "vcpus 48; gib 256", undefined, []],
      [{ version: "2019" }, "vcpus 49; gib 257", undefined, ["cores warning", "memory warning"]],
      [{ version: "2016" }, "vcpus 24; gib 192", undefined, []],
      [{ version: "2016" }, "vcpus 25; gib 193", undefined, ["cores warning", "memory warning"]],
      [{ version: "2013" }, "vcpus 24; gib 96", undefined, []],
      [{ version: "2013" }, "vcpus 25; gib 97", undefined, ["cores warning", "memory warning"]],
      [{ version: "se" }, "vcpus 49; gib 256", undefined, ["cores warning"]],
      [{ version: "2019" }, "vcpus 20", "2x10x2@7.0", []],
      [{ version: "2019" }, "vcpus 21", "4x10x2@7.0", ["sockets warning"]],
      [{}, "vcpus 24; gib 96", undefined, []],
      [{}, "vcpus 25; gib 8", undefined, ["skip workload-incomplete"]],
      [{}, "vcpus 25; gib 257", undefined, ["memory warning", "skip workload-incomplete"]],
      [{}, "vcpus 49; gib 257", undefined, ["cores warning", "memory warning"]],
    ],
  ],
  "ft/vcpu-limit": [
    "ft",
    [
      [{}, "vcpus 4", "2x8x2@6.0", []],
      [{}, "vcpus 5", "2x8x2@6.0", ["over error"]],
      [{}, "vcpus 8", "2x8x2@6.5", []],
      [{}, "vcpus 8", "2x8x2@6.7", []],
      [{}, "vcpus 9", "2x8x2@6.7", ["over error"]],
      [{}, "vcpus 8", undefined, []],
      [{}, "vcpus 9", undefined, ["over error"]],
      [{ faultTolerance: false }, "vcpus 9", undefined, []],
      [undefined, "vcpus 9", undefined, []],
    ],
  ],
  "ft/mem-limit": [
    "ft",
    [
      [{}, "gib 64", "2x8x2@6.0", []],
      [{}, "gib 65", "2x8x2@6.0", ["over error"]],
      [{}, "gib 65", "2x8x2@6.5", []],
      [{}, "gib 65", "2x8x2", ["skip no-esxi-version"]],
      [{}, "gib 65", undefined, ["skip no-host"]],
    ],
  ],
  "ft/latency": [
    "latency",
    [
      [{ faultTolerance: true }, "vcpus 2", undefined, ["held warning"]],
      [{}, "vcpus 2", undefined, []],
      [{}, "vcpus 2; latency high", undefined, []],
    ],
  ],
  "ft/passthrough": [
    "ft",
    [
      [{}, "pci 0", undefined, ["unprotected error"]],
      [{}, "nic sriov", undefined, ["unprotected error"]],
      [{}, "nic vmxnet3", undefined, []],
      [undefined, "pci 0", undefined, []],
    ],
  ],
};

for (const [id, [kind, rows]] of Object.entries(TABLES)) {
  describe(id, () => {
    test.each(rows)("%j: %s on %j", (workload, lines, host, expected) => {
      expect(run(id, workload && { kind, ...workload }, lines, host)).toEqual(expected);
    });
  });
}

test("each of these rules has a table", () => {
  const own = /^(mssql|hana|imdg|ft)\//;
  const elsewhere = ["mssql/enterprise-cal-20", "mssql/oltp-maxdop", "mssql/standard-cores", "mssql/standard-sockets"];
  expect(rules.filter(({ id }) => own.test(id) && !(id in TABLES)).map(({ id }) => id)).toEqual(elsewhere);
});

test("without a workload, these rules neither fire nor count as skipped", () => {
  const own = rules.filter(({ id, over }) => id in TABLES && id !== "storage/buslogic" && over === "vm");
  const vmx = written(
    "vcpus 144; hw 20; gib 4096; hotadd TRUE; scsi0 pvscsi; disk scsi0:0; disk scsi0:1; disk ide0:0; nic e1000; latency high",
  );
  expect(lint(vmx, { rules: own, target: { host: requireHost("r640") } })).toMatchObject({ diagnostics: [], skipped: [] });
});

test("suggestions in numbers", () => {
  const found = (id: string, workload: Workload, lines: string, host?: string | HostModel) =>
    lint(written(lines), { rules: [ruleOf(id)], target: { workload, host: hostOf(host) } }).diagnostics[0];
  const refused = { kind: "mssql", version: "2022", update: 11 } as const;
  // SAP HANA is sized in entire sockets, so no message suggests parts of two sockets.
  const remote = (kind: "hana" | "oracle" | "imdg") =>
    found("numa/mem-exceeds-node", { kind }, "vcpus 20; hw 20; gib 384", "2x20x2:512@8.0");
  expect([remote("hana")?.data.instead, remote("hana")?.fixes, remote("oracle")?.fixes.length]).toEqual([null, [], 2]);
  // A grid takes more members in place of wider ones: see imdg/single-node.
  expect(remote("imdg")).toBeUndefined();
  const titles = (lines: string, host: string) => found("mssql/numa-64lp", refused, lines, host)?.fixes.map(({ title }) => title);
  expect(titles("vcpus 128; hw 22", "2x128x2@9.0")).toEqual(["Make 2 NUMA nodes"]);
  // Nodes of up to 70 may be 70+58 or 64+64: no source shows which.
  expect(titles("vcpus 128; hw 19; perVirtual 70", "2x128x2@9.0")).toBeUndefined();
  // ESXi would place three nodes of 48 on two nodes as 96 and 48.
  expect(titles("vcpus 144; hw 20", "2x72x2@8.0")).toEqual(["Make 4 NUMA nodes"]);
  expect(titles("vcpus 144; hw 20", "4x72x2@8.0")).toEqual(["Make 3 NUMA nodes"]);
  // 134 = 2 x 67: the next even split is 67 nodes of 2.
  expect(titles("vcpus 134; hw 22", "2x128x2@9.0")).toEqual([]);
  // Hardware version 4 has one core per socket.
  const old = found("mssql/web", { kind: "mssql", edition: "web" }, "vcpus 6; hw 4");
  expect([old?.data.fits, old?.fixes.map(({ title }) => title)]).toEqual([{ vcpus: 4, sockets: 4 }, ["Use 4 vCPUs as 4 sockets"]]);
  const one = found("mssql/express", { kind: "mssql", edition: "express" }, "vcpus 4; hw 4");
  expect(one?.data.fits).toEqual({ vcpus: 1, sockets: 1 });
  expect(found("ft/vcpu-limit", { kind: "ft" }, "vcpus 9", "2x8x2@6.5")?.data.esxi).toBeNull();
  expect(found("ft/vcpu-limit", { kind: "ft" }, "vcpus 9", "2x8x2@6.7")?.data.esxi).toBe("6.7");
  const hana = { kind: "hana", ...PRODUCTION } as const;
  expect(found("hana/memory-share", hana, "vcpus 84; gib 4609", HANA)?.data).toMatchObject({ percent: 75, shareGiB: 4608 });
  const threads =
    "1537 GiB are more than the 1536 GiB (25 % of this host) that go with 28 vCPUs, even with a core for each. Use 1536 GiB or less, or more sockets.";
  expect(found("hana/memory-share", hana, "vcpus 28; gib 1537; preferHt TRUE", HANA)?.message).toBe(threads);
  expect(found("mssql/soft-numa", { kind: "mssql", version: "2016" }, "vcpus 11; hw 20", R640)?.data).toMatchObject({ even: [10, 12] });
  // Nodes wider than the host's are no better for being wider still.
  expect(found("mssql/soft-numa", { kind: "mssql", version: "2016" }, "vcpus 11; hw 20", "2x12x2@8.0")?.data).toMatchObject({
    even: [10, 12],
  });
  expect(found("mssql/soft-numa", { kind: "mssql", version: "2016" }, "vcpus 11; hw 20", "2x11x2@8.0")?.data).toMatchObject({ even: [10] });
  expect(found("mssql/soft-numa", { kind: "mssql", version: "2016" }, "vcpus 44; hw 20", "2x11x2@8.0")?.data).toMatchObject({ even: [21] });
  // 12 of them would not fit a node of 11.
  expect(found("mssql/soft-numa", { kind: "mssql", version: "2016" }, "vcpus 22; hw 20", "2x11x2@8.0")?.data).toMatchObject({ even: [10] });
  const all = (vcpus: number) =>
    found("mssql/maxdop", { kind: "mssql", version: "2022", maxdop: 0 }, `vcpus ${vcpus}; hw 20`, WIDE)?.message;
  expect(all(128)).toContain("lets one query take up to 64 of the 128 CPUs;");
  expect(all(64)).toContain("lets one query take all 64 of the CPUs;");
  const wide = found("imdg/single-node", { kind: "imdg" }, "vcpus 12; hw 17; consolidate FALSE", "4x10x1@7.0")?.message;
  expect(wide).toContain("are spread over at least 2 NUMA nodes. Use 10 or fewer");
  const spread = (lines: string, host: string) => found("imdg/single-node", { kind: "imdg" }, lines, host)?.data.by;
  expect(spread("vcpus 12; hw 20; consolidate FALSE", R640)).toEqual(["numa.consolidate"]);
  expect(spread("vcpus 12; hw 20; consolidate FALSE; perNode 6; cps 6", R640)).toEqual(["numa.consolidate", "numa.vcpu.coresPerNode"]);
  expect(spread("vcpus 12; hw 20; consolidate FALSE; cps 6", R640)).toEqual(["numa.consolidate"]);
  expect(spread("vcpus 12; hw 11; cps 4", "2x24x2@6.0")).toEqual(["cores per socket"]);
  expect(spread("vcpus 12; hw 20; perMachine 6", R640)).toEqual(["numa.vcpu.maxPerMachineNode"]);
  const onLsi = (workload: Workload, lines: string) => {
    const diagnostic = found("storage/lsi-for-db", workload, lines);
    return diagnostic && [diagnostic.messageId, diagnostic.data.disks];
  };
  expect(onLsi({ kind: "mssql" }, "scsi0 lsisas1068; disk scsi0:0")).toEqual(["boot", 1]);
  expect(onLsi({ kind: "mssql" }, "scsi0 lsisas1068; disk scsi0:0; disk scsi0:1")).toEqual(["boot", 1]);
  expect(onLsi({ kind: "imdg" }, "scsi0 lsisas1068; disk scsi0:0")).toBeUndefined();
  const cluster = (type: string) => `guest windows2019srv-64; scsi0 ${type}; disk scsi0:0; shared scsi0`;
  expect([onLsi({ kind: "mssql" }, cluster("lsisas1068")), found("storage/buslogic", { kind: "mssql" }, cluster("buslogic"))]).toEqual([
    undefined,
    undefined,
  ]);
  // The controller without a shared bus.
  const beside = "scsi0 lsisas1068; disk scsi0:0; disk scsi0:1; scsi1 lsisas1068; disk scsi1:0; disk scsi1:1; shared scsi1";
  expect(run("storage/lsi-for-db", { kind: "mssql" }, beside, undefined)).toEqual(["boot warning"]);
  // The count is at fault where the edition takes no more cores, else the sockets are.
  const web = (lines: string) => found("mssql/web", { kind: "mssql", edition: "web" }, lines)?.range[0];
  expect([web("vcpus 17; cps 17"), web("vcpus 16; cps 2")]).toEqual([12, 40]);
  // The lowest unit of the lowest bus boots, in whichever order the disks are written.
  expect(onLsi({ kind: "imdg" }, "scsi0 lsisas1068; scsi1 pvscsi; disk scsi1:0; disk scsi0:0")).toBeUndefined();
  expect(onLsi({ kind: "imdg" }, "scsi0 pvscsi; scsi1 lsisas1068; disk scsi1:0; disk scsi0:0")).toEqual(["other", 1]);
  const sizes = (lines: string) => found("hana/half-or-full-socket", hana, lines, HANA)?.fixes[0]?.edits.map(({ newText }) => newText);
  expect(sizes("vcpus 42")).toEqual(["28"]);
  expect(sizes("vcpus 42; cps 14")).toEqual(["28", "28"]);
  const between = found("hana/half-or-full-socket", hana, "vcpus 17", sapphire("2x Xeon Gold 6430"));
  expect(between?.data).toMatchObject({ below: null, above: 32 });
  const split = (workload: Workload) => found("host/node-not-socket", workload, "vcpus 16; hw 20; preferHt TRUE", "2x24x2/4@8.0");
  expect([split({ kind: "oracle" })?.data.perNode, split(hana)]).toEqual([12, undefined]);
  const shared = (lines: string, workload: Workload) => found("cpu/exceeds-physical-cores", workload, lines, "4x28x2@7.0")?.messageId;
  expect([shared("vcpus 168", hana), shared("vcpus 180", hana), shared("vcpus 168", { kind: "oracle" })]).toEqual([
    undefined,
    "shared",
    "shared",
  ]);
  expect(shared("vcpus 168; latency high", hana)).toBe("exclusive");
});

test("a rule does not run on a VM without its subject", () => {
  const applies = (id: string, lines: string, workload?: Workload) => {
    const [vm] = parseVmx(`config.version = "8"\n${written(lines)}`).vms;
    return vm && appliesTo(ruleOf(id), vm, workload);
  };
  const oracle = { kind: "oracle" } as const;
  expect(applies("storage/buslogic", "guest windows7srv-64; scsi0 lsilogic; disk scsi0:0")).toBe(false);
  expect(applies("storage/lsi-for-db", "scsi0 pvscsi; disk scsi0:0", oracle)).toBe(false);
  expect(applies("storage/single-controller", "disk sata0:0", oracle)).toBe(false);
  expect(applies("storage/single-controller", "scsi0 pvscsi", oracle)).toBe(true);
  expect(applies("storage/thin-for-db", "scsi0 pvscsi; disk scsi0:0", { kind: "general" })).toBe(false);
  expect(applies("scsi/unit-7", "disk sata0:0")).toBe(false);
  expect(applies("scsi/unit-7", "scsi0 pvscsi")).toBe(true);
});

const starts = (text: string, host: string): boolean => {
  const [vm] = parseVmx(text).vms;
  return vm !== undefined && deriveTopology(vm, requireHost(host)).ok;
};

describe("a suggestion is not reported again, and the VM starts", () => {
  const hosts = fc.constantFrom("r640", "2x72x2@8.0", "2x10x2@6.5", "4x28x2:6144@7.0", "dl380gen9", "2x96x2@9.0");
  const workloads: Readonly<Record<string, fc.Arbitrary<Workload>>> = {
    "mssql/express": fc.constant({ kind: "mssql", edition: "express" }),
    "mssql/web": fc.constant({ kind: "mssql", edition: "web" }),
    "mssql/bi": fc.constant({ kind: "mssql", edition: "bi" }),
    "mssql/numa-64lp": fc.constant({ kind: "mssql", version: "2022", update: 11 }),
    "mssql/over-allocation": fc.integer({ min: 1, max: 40 }).map((concurrency) => ({ kind: "mssql", concurrency, maxdop: 1 })),
    "mssql/hot-add-soft-numa": fc.constant({ kind: "mssql", version: "2019" }),
    "mem/tier-1-unreserved": fc.constant({ kind: "oracle", environment: "tier-1" }),
    "hana/half-or-full-socket": fc.constant({ kind: "hana", environment: "production" }),
    "hana/mem-reservation": fc.constant({ kind: "hana", environment: "production" }),
    "imdg/mem-reservation": fc.constant({ kind: "imdg" }),
    "exchange/mem-reservation": fc.constant({ kind: "exchange" }),
    "exchange/too-large": fc.constant({ kind: "exchange", version: "2019" }),
    "ft/vcpu-limit": fc.constant({ kind: "ft" }),
  };
  const anyVm = fc
    .tuple(
      fc.integer({ min: 1, max: 200 }).map((n) => `vcpus ${n}`),
      fc.constantFrom("", "cps 1", "cps 2", "cps 4", "cps 12"),
      fc.constantFrom("hw 13", "hw 19", "hw 20"),
      fc.constantFrom("hotadd TRUE", ""),
      fc.constantFrom("mib 8192", "mib 8192; reserved 4096"),
    )
    .map((parts) => parts.filter(Boolean).join("; "));
  test.each(Object.keys(workloads))("%s", (id) => {
    let fixed = 0;
    fc.assert(
      fc.property(anyVm, fc.option(hosts, { nil: undefined }), workloads[id] ?? fc.constant(undefined), (lines, host, workload) => {
        const options = {
          rules: [ruleOf(id)],
          target: { ...(host !== undefined && { host: requireHost(host) }), ...(workload && { workload }) },
        };
        const text = written(lines);
        for (const { fixes } of lint(text, options).diagnostics) {
          for (const { title, edits } of fixes) {
            const after = applyEdits(text, edits);
            expect(lint(after, options).diagnostics, `${title}\n${after}`).toEqual([]);
            if (host !== undefined && starts(text, host)) expect(starts(after, host), `${title}\n${after}`).toBe(true);
            fixed++;
          }
        }
      }),
      { numRuns: 800 },
    );
    expect(fixed).toBeGreaterThan(5);
  });
});

describe("an edition or version of other software is a mistake in every place", () => {
  const said = async (path: string, text: string): Promise<readonly string[]> => {
    const { findings } = await openWorkspace({ files: { [path]: text } }).check();
    return findings.filter(({ ruleId }) => ruleId === "spec/directive").map(({ message }) => message);
  };

  test.each([
    ["mssql", "version", "se"],
    ["mssql", "version", "2013"],
    ["exchange", "version", "2022"],
    ["mssql", "edition", "se2"],
  ])("%s, %s %s", async (kind, field, value) => {
    const wrong = `"${value}" is no edition or version of`;
    expect(() => parseConfig(`workload: { kind: ${kind}, ${field}: ${value} }`, "vmlint.yaml")).toThrow(
      `workload.${field} of ${kind} must be one of`,
    );
    expect(() => parseConfig(`workload: ${kind}, ${field}=${value}`, "vmlint.yaml")).toThrow(wrong);
    expect(await said("a.vmx", `# vmlint: workload=${kind} ${field}=${value}\nnumvcpus = "4"`)).toEqual([
      expect.stringContaining(`${field} cannot be "${value}"`),
    ]);
    const spec = `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nworkload: { kind: ${kind}, ${field}: ${value} }\nspec: { vcpus: 4 }\n`;
    expect(await said("a.yaml", spec)).toEqual([expect.stringContaining(`${field} cannot be "${value}"`)]);
    expect(() => lintVm({ vcpus: 4 }, { workload: `${kind}, ${field}=${value}` })).toThrow(wrong);
  });
});
