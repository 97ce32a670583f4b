import { applyEdits, type Diagnostic, lint, type Rule, requireHost, rules, type SettingName, type Workload } from "@vmlint/core";
import { pageOf } from "@vmlint/core/docs";
import { coresPerNode } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { written } from "../support/findings-of-rule.ts";

const ruleOf = (id: string): Rule => {
  const rule = rules.find((candidate) => candidate.id === id);
  if (!rule) throw new Error(id);
  return rule;
};

const hosts = fc.constantFrom(
  "dl580g7",
  "2x10x2@6.5",
  "4x10x2@7.0",
  "2x24x2/2@8.0",
  "2x20x2@8.0",
  "2x64x2/4@8.0",
  "4x6x1@5.5",
  "1x4x2@7.0",
);
const hardware = fc.constantFrom(10, 13, 17, 20);

/** Every fix of every finding of one rule, applied on its own, leaves nothing for the rule to say, and a second time nothing to do. */
function cures(id: string, text: string, host: string | undefined, workload?: Workload): number {
  const options = {
    rules: [ruleOf(id)],
    target: { ...(host !== undefined && { host: requireHost(host) }), ...(workload && { workload }) },
  };
  const { diagnostics } = lint(text, options);
  for (const { fixes } of diagnostics) {
    for (const { title, edits } of fixes) {
      const fixed = applyEdits(text, edits);
      expect(lint(fixed, options).diagnostics, `${title}\n${fixed}`).toEqual([]);
    }
  }
  return diagnostics.length;
}

function property<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => number, numRuns = 400) {
  let found = 0;
  fc.assert(
    fc.property(arbitrary, (value) => {
      found += check(value);
    }),
    { numRuns },
  );
  expect(found).toBeGreaterThan(5);
}

describe("a rule never reports its own suggestion", () => {
  test("numa/wide-uneven", () => {
    const cps = fc.constantFrom(
      "",
      'cpuid.coresPerSocket = "1"',
      'cpuid.coresPerSocket = "2"',
      'numa.vcpu.preferHT = "TRUE"',
      'vcpu.hotadd = "TRUE"',
    );
    property(fc.tuple(fc.integer({ min: 2, max: 64 }), hosts, hardware, cps), ([vcpus, host, version, more]) =>
      cures("numa/wide-uneven", `virtualHW.version = "${version}"\nnumvcpus = "${vcpus}"\n${more}`, host),
    );
  });

  test("affinity/ht-siblings", () => {
    const pins = fc.uniqueArray(fc.integer({ min: 0, max: 79 }), { minLength: 1, maxLength: 80 });
    property(fc.tuple(fc.integer({ min: 1, max: 48 }), hosts, pins), ([vcpus, host, pinned]) =>
      cures("affinity/ht-siblings", `numvcpus = "${vcpus}"\nsched.cpu.affinity = "${pinned.join(",")}"`, host),
    );
  });

  test("mssql/standard-sockets and mssql/standard-cores", () => {
    const version = fc.constantFrom("2012", "2016", "2019", "2025" as const);
    property(
      fc.tuple(fc.integer({ min: 1, max: 64 }), fc.option(hosts, { nil: undefined }), hardware, version),
      ([vcpus, host, hw, sql]) => {
        const text = `virtualHW.version = "${hw}"\nnumvcpus = "${vcpus}"`;
        const workload = { kind: "mssql", edition: "standard", version: sql } as Workload;
        return cures("mssql/standard-sockets", text, host, workload) + cures("mssql/standard-cores", text, host, workload);
      },
    );
  });

  test("mssql/enterprise-cal-20", () => {
    const workload: Workload = { kind: "mssql", edition: "enterprise", licensing: "server-cal" };
    property(fc.integer({ min: 1, max: 64 }), (vcpus) => cures("mssql/enterprise-cal-20", `numvcpus = "${vcpus}"`, undefined, workload));
  });

  const any = (key: string, ...values: readonly (string | number)[]) =>
    fc.constantFrom("", ...values.map((value) => `${key} = "${value}"\n`));
  const mib = [0, -1, 100, 4093, 4096, 5000, 8192, "unlimited"];
  const anyVm = fc
    .tuple(
      fc.integer({ min: 1, max: 100 }).map((vcpus) => `numvcpus = "${vcpus}"\n`),
      fc.oneof(fc.constant(""), any("cpuid.coresPerSocket", 1, 2, 3, 4, 6, 8, 12, 65, 96)),
      any("virtualHW.version", 8, 10, 13, 17, 19, 20, 21),
      any("guestOS", "windows7-64", "windows9-64", "windows2019srv-64"),
      any("memSize", 4093, 4096, 5000),
      any("sched.mem.min", 0, 100, 4096, 8192),
      any("sched.mem.max", ...mib),
      any("sched.cpu.min", 0, 1000),
      any("sched.cpu.max", ...mib),
      any("numa.vcpu.coresPerNode", 0, 4, 6, 8),
      any("vcpu.hotadd", "TRUE", "FALSE"),
      any("numa.allowHotadd", "TRUE", "FALSE"),
      any("cpuid.numSMT", 1, 2, 4),
      any("sched.cpu.latencySensitivity", "low", "normal", "medium"),
    )
    .map((lines) => lines.join(""));
  test.each([
    "cpu/cps-divides",
    "cpu/exceeds-physical-cores",
    "cpu/limit-lt-reservation",
    "cpu/max-cps-hw",
    "guest/max-sockets",
    "latency/low-medium-no-effect",
    "mem/limit-lt-reservation",
    "mem/limit-lt-size",
    "mem/reservation-gt-size",
    "mem/step-4mb",
    "numa/cores-per-node-divides",
    "numa/cores-per-node-requires-cps",
    "numa/expose-hotadd-hw",
    "numa/manual-nodes-with-hotadd",
    "numa/node-socket-multiple",
    "smt/num-smt-host",
    "smt/num-smt-multiple",
  ])("%s", (id) => {
    property(fc.tuple(anyVm, fc.option(hosts, { nil: undefined })), ([text, host]) => cures(id, text, host), 6000);
  });

  test("mem/reserve-all-conflict", () => {
    const other = fc.oneof(any("sched.mem.min", 0, 100, 4096), any("sched.mem.max", ...mib));
    property(other, (more) => cures("mem/reserve-all-conflict", `memSize = "4096"\nsched.mem.pin = "TRUE"\n${more}`, undefined));
  });

  test("latency reservations", () => {
    const amount = fc.integer({ min: 0, max: 50_000 });
    property(fc.tuple(fc.integer({ min: 1, max: 20 }), amount, amount, fc.boolean()), ([vcpus, mhz, mib, written]) => {
      const reserved = written ? `sched.cpu.min = "${mhz}"\nsched.mem.min = "${mib}"\n` : "";
      const text = `virtualHW.version = "10"\nnumvcpus = "${vcpus}"\nmemSize = "32768"\n${reserved}sched.cpu.latencySensitivity = "high"`;
      return (
        cures("latency/high-needs-cpu-reservation", text, "dl580g7") +
        cures("latency/high-needs-mem-reservation", text, "dl580g7") +
        cures("latency/high", text, "dl580g7")
      );
    });
  });
});

/** The aspect that a line belongs to. A VM gets one line per aspect: two settings that hide its nodes also hide each other. */
const aspect = (line: string): string => (/^(vcpu.hotadd|numa.vcpu.min|numa.autosize)/.test(line) ? "hides" : (line.split("=")[0] ?? ""));

/** VMs of any count and sockets, with up to two settings that rules about the shape read. */
const shapes: fc.Arbitrary<string> = fc.integer({ min: 1, max: 64 }).chain((vcpus) => {
  const sizes = Array.from({ length: vcpus }, (_, i) => i + 1).filter((size) => vcpus % size === 0);
  const lines = [
    ...sizes.map((size) => `numa.vcpu.coresPerNode = "${size}"`),
    ...[...sizes, 4, 6, 8].map((size) => `numa.vcpu.maxPerVirtualNode = "${size}"`),
    // No source shows a stored size for a VM with one node.
    ...(vcpus < 9 ? [] : sizes).map((size) => `numa.autosize.cookie = "${vcpus}0012"\nnuma.autosize.vcpu.maxPerVirtualNode = "${size}"`),
    ...["0-7", "0,2,4,6", "0-31", "0-15,20-27", "0,2,4,6,8,10,12,14,16,18,20,22", "70-90"].map((list) => `sched.cpu.affinity = "${list}"`),
    ...[4, 12, 20].map((min) => `numa.vcpu.min = "${min}"`),
    ...[64, 300, 600].map((gib) => `memSize = "${gib * 1024}"`),
    ...["0", "0,1", "5"].map((list) => `numa.nodeAffinity = "${list}"`),
    'numa.vcpu.followcorespersocket = "1"',
    'numa.vcpu.preferHT = "TRUE"',
    'numa.consolidate = "FALSE"',
    'numa.vcpu.maxPerMachineNode = "4"',
    'vcpu.hotadd = "TRUE"',
    'sched.cpu.min = "4000"',
    'sched.cpu.latencySensitivity = "high"',
    'sched.mem.affinity = "0"',
  ];
  const sockets = fc.constantFrom("", ...sizes.map((size) => `\ncpuid.coresPerSocket = "${size}"`));
  return fc
    .tuple(hardware, sockets, fc.uniqueArray(fc.constantFrom(...lines), { maxLength: 2, selector: aspect }))
    .map(([version, cps, more]) => [`virtualHW.version = "${version}"\nnumvcpus = "${vcpus}"${cps}`, ...more].join("\n"));
});

describe("every rule about shape", () => {
  const all = rules.filter(({ id, over }) => /^(affinity|cpu|host|hotadd|numa|topo)\//.test(id) && over === "vm");
  /** Findings that stop a VM from starting, or disable a setting, have priority. */
  const validity = /^(topo\/auto-cps-hw$|cpu\/(?!cps-exceeds-pnode)|numa\/(cores-per-node|expose-hotadd|manual-nodes|node-socket))/;
  /** Rules about a cluster have their own test. */
  const isOfCluster = (rule: Rule) => pageOf(rule).bad.every(({ otherHosts }) => otherHosts);
  /** A .vmx cannot contain the state of a running VM, so examples of that rule are inventories. */
  const isOfInventory = (rule: Rule) => pageOf(rule).bad.every(({ json, log }) => json !== undefined || log !== undefined);
  /** The VMs of the property below have a host. */
  const isWithoutHost = ({ id }: Rule) => id === "numa/fits-no-server";
  const aboutShape = all.filter((rule) => !validity.test(rule.id) && !isOfCluster(rule) && !isOfInventory(rule) && !isWithoutHost(rule));
  const machines = fc.constantFrom(
    "4x10x2:1024@5.5",
    "2x10x2:512@6.0",
    "2x10x1:512@6.5",
    "4x10x2:1024@7.0",
    "2x20x2:512@8.0",
    "1x24x2/4:512@6.5",
    "dual-epyc-7763",
  );
  const examples = aboutShape.flatMap((rule) =>
    pageOf(rule).bad.flatMap(({ vmx, host = "2x10x2:512@7.0", workload, otherHosts }): [string, string, Workload | undefined][] =>
      typeof vmx === "string" && typeof host === "string" && !otherHosts ? [[vmx, host, workload]] : [],
    ),
  );
  const workloads = fc.constantFrom<Workload | undefined>(undefined, { kind: "latency" }, { kind: "imdg" }, { kind: "mssql" });
  const found = new Set<string>();
  /** While the nodes are uneven, no rule reports the sockets. A fix of the nodes leaves the sockets as they are. */
  const leavesSockets = (id: string, title: string) => id.startsWith("topo/") && !title.includes("per socket");
  /**
   * A list of CPUs or nodes, preferHT and numa.consolidate fit only one vCPU count, and rules skip a stored size while the count
   * is wrong. Fewer nodes may have too little memory: a rule that does not read the memory fires even if it is unknown, so it
   * cannot avoid this.
   */
  const unread = new Map<string, SettingName>([
    ["numa/mem-exceeds-node", "memoryMiB"],
    ["numa/node-affinity-size", "memoryMiB"],
    ["numa/prefer-ht-no-fit", "preferHt"],
  ]);
  const leavesUnread = (ruleId: string, id: string) => {
    const setting = unread.get(id);
    return setting !== undefined && !ruleOf(ruleId).reads.includes(setting);
  };
  const leaves = new Map([
    [
      "numa/wide-uneven",
      /^(affinity\/|numa\/(autosize-stale-host|consolidate-narrow|hidden-by-hotadd|llc-boundary|maxpermachinenode|node-affinity-size|prefer-ht-no-fit)$)/,
    ],
    // A stored size counts again.
    ["numa/followcps", /^numa\/autosize-stale-host$/],
    // An odd count stays odd.
    ["numa/mem-exceeds-node", /^numa\/wide-uneven$/],
    // Nodes that the guest does not see are not checked.
    ["numa/hidden-by-hotadd", /^numa\/(followcps$|maxpervnode-)/],
    ["numa/vcpu-min-hides", /^numa\/(followcps$|maxpervnode-)/],
  ]);

  test("the result of its fixes causes no new finding of any rule", () => {
    fc.assert(
      fc.property(shapes, machines, workloads, (text, machine, workload) => {
        const options = { rules: all, target: { host: requireHost(machine), workload } };
        const before = lint(text, options).diagnostics;
        // A CPU or memory affinity hides what a VM has without it, which no fix made.
        const free = [/^sched.cpu.affinity.*$/m, /^sched.*affinity.*$/gm].flatMap(
          (lines) => lint(text.replace(lines, ""), options).diagnostics,
        );
        for (const { ruleId, fixes } of before.filter((one) => !validity.test(one.ruleId))) {
          found.add(ruleId);
          const others = [...before, ...free].map((other) => other.ruleId).filter((id) => id !== ruleId);
          const isLeft = (id: string, title: string) =>
            // Findings about the host's nodes appear while they are split evenly. A change of the VM cannot fix them.
            id.startsWith("host/") ||
            others.includes(id) ||
            leavesSockets(id, title) ||
            leavesUnread(ruleId, id) ||
            leaves.get(ruleId)?.test(id);
          for (const { title, edits } of fixes) {
            const after = lint(applyEdits(text, edits), options).diagnostics.filter((other) => !isLeft(other.ruleId, title));
            expect(
              after.map((other) => `${other.ruleId}: ${other.message}`),
              `${machine}\n${text}\n${ruleId}: ${title}`,
            ).toEqual([]);
          }
        }
      }),
      { numRuns: 2000, examples },
    );
    expect([...found].sort()).toEqual(aboutShape.map(({ id }) => id).sort());
  });
});

describe("fixes for sockets and nodes that do not match", () => {
  const RULES = [
    "cpu/cps-divides",
    "numa/cores-per-node-divides",
    "numa/cores-per-node-hw",
    "numa/cores-per-node-requires-cps",
    "numa/node-socket-multiple",
  ];
  const HOSTS = ["4x10x2:1024@5.5", "2x10x2:512@6.0", "2x10x2:512@6.5", "4x10x2:1024@7.0", "2x20x2:512@8.0", "2x24x2/2:768@8.0"];
  const vms = fc
    .record({
      vcpus: fc.integer({ min: 2, max: 40 }),
      cps: fc.option(fc.integer({ min: 1, max: 24 }), { nil: undefined }),
      node: fc.option(fc.integer({ min: 1, max: 24 }), { nil: undefined }),
      hw: fc.constantFrom(10, 13, 19, 20),
    })
    .map((settings) => Object.entries(settings).filter(([, value]) => value !== undefined));
  const textOf = (settings: readonly (readonly [string, unknown])[]): string =>
    written(settings.map(([key, value]) => `${key} ${value}`).join("; ")).join("\n");
  const NODE = /(?<=coresPerNode = ")\d+/;
  /** The VM after the advice of the message. */
  const followed = ({ ruleId, data }: Diagnostic, text: string): readonly string[] => {
    if (ruleId === "cpu/cps-divides" && data.fewer !== 0) return [text.replace(/(?<=numvcpus = ")\d+/, String(data.fewer))];
    if (ruleId === "numa/cores-per-node-divides" && data.fits !== 0) return [text.replace(NODE, String(data.fits))];
    return ruleId === "numa/cores-per-node-hw" && data.divides === true ? [text.replace("coresPerNode", "maxPerVirtualNode")] : [];
  };

  test("adds no more nodes than requested, and no new warning", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(vms, fc.constantFrom(...HOSTS), (settings, host) => {
        const target = { host: requireHost(host) };
        const graver = (vm: string) =>
          lint(vm, { target }).diagnostics.filter(
            // A bad layout is better than a VM that does not start.
            ({ severity, ruleId }) =>
              (severity === "warning" || severity === "error") &&
              !["cpu/cps-exceeds-pnode", "numa/no-good-layout", "numa/vpd-spans-ppd"].includes(ruleId),
          );
        const text = textOf(settings);
        const before = lint(text, { target }).diagnostics;
        const without = (...keys: readonly string[]) => {
          const vm = textOf(settings.filter(([key]) => !keys.includes(key)));
          // An uneven count stays uneven: whole sockets only make a slight difference larger.
          return [...graver(vm), ...lint(vm, { target }).diagnostics.filter(({ ruleId }) => ruleId === "numa/wide-uneven")];
        };
        const known = new Set([...before, ...without("cps", "node"), ...without("node")].map(({ ruleId }) => ruleId));
        for (const diagnostic of before.filter(({ ruleId }) => RULES.includes(ruleId))) {
          const mended = [...diagnostic.fixes.map(({ edits }) => applyEdits(text, edits)), ...followed(diagnostic, text)];
          if (mended.length > 0) seen.add(diagnostic.ruleId);
          for (const vm of mended) {
            const [{ vcpus = 1, node = 1 }, size] = [Object.fromEntries(settings), Number(NODE.exec(vm)?.[0] ?? 0)];
            // Nodes that no node of the host holds become smaller, and another count makes other nodes.
            const most = Math.max(Math.ceil(vcpus / node), node > coresPerNode(target.host) ? target.host.numaNodes : 1);
            if (size > 0 && vm.includes(`numvcpus = "${vcpus}"`))
              expect(vcpus / size, `nodes of ${size}\n${text}`).toBeLessThanOrEqual(most);
            const anew = graver(vm).filter(({ ruleId }) => !known.has(ruleId));
            expect(
              anew.map(({ ruleId, message }) => `${ruleId}: ${message}`),
              `${host}\n${text}\n${diagnostic.message}\n${vm}`,
            ).toEqual([]);
          }
        }
      }),
      { numRuns: 2000 },
    );
    expect([...seen].sort()).toEqual(RULES);
  });
});

test("a shape for Standard edition also fits the nodes of the host if possible", () => {
  const shape = (vcpus: number, host: string) => {
    const [found] = lint(`virtualHW.version = "10"\nnumvcpus = "${vcpus}"`, {
      rules: [ruleOf("mssql/standard-sockets")],
      target: { host: requireHost(host), workload: { kind: "mssql", edition: "standard", version: "2012" } },
    }).diagnostics;
    return found?.data.shape;
  };
  expect(shape(8, "2x20x2@6.5")).toMatchObject({ sockets: 1, coresPerSocket: 8 });
  expect(shape(16, "2x10x2@6.5")).toMatchObject({ sockets: 2, coresPerSocket: 8 });
  expect(shape(32, "4x10x2@5.5")).toMatchObject({ sockets: 4, coresPerSocket: 8, usable: 16 });
  expect(shape(31, "4x10x2@5.5")).toMatchObject({ sockets: 1, coresPerSocket: 31 });
});

describe("a suggestion of a rule fits the other facts about the VM", () => {
  const STANDARD: Workload = { kind: "mssql", edition: "standard", version: "2019" };
  const CAL: Workload = { kind: "mssql", edition: "enterprise", version: "2019", licensing: "server-cal" };
  const HANA: Workload = { kind: "hana", environment: "production" };
  test.each<[id: string, lines: string, host: string, workload: Workload | undefined, advice: string]>([
    // 300 GiB take two nodes of 256: not preferHT, and not 12 vCPUs, which fit one.
    ["numa/wide-uneven", "hw 17; vcpus 13; mem 307200", "2x12x2:512@7.0", undefined, ". Use 14 vCPUs to divide evenly."],
    [
      "numa/wide-uneven",
      "hw 17; vcpus 13; mem {{ n }}",
      "2x12x2:512@7.0",
      undefined,
      ". Use 12 or 14 vCPUs to divide evenly; or set preferHT, which fits all 13 on one node.",
    ],
    ["numa/wide-uneven", "hw 20; vcpus 21", "2x20x2@8.0", CAL, ". Use 20 vCPUs to divide evenly."],
    ["numa/wide-uneven", "hw 20; vcpus 25", "2x24x2@8.0", STANDARD, ". Use 24 vCPUs to divide evenly."],
    ["numa/wide-uneven", "hw 17; vcpus 53", "4x14x2@7.0", HANA, ". Use 42 or 56 vCPUs to divide evenly."],
    [
      "numa/wide-uneven",
      "hw 14; vcpus 7",
      "2x6x2@6.7",
      { kind: "ft" },
      ". Use 6 vCPUs to divide evenly; or set preferHT, which fits all 7 on one node.",
    ],
    // No more vCPUs than guest OS or SQL Server uses, and no node that SQL Server is not supported with, hidden or of threads.
    ["numa/wide-uneven", "hw 17; vcpus 63; guest windows2019srv-64", "8x10x2@7.0", undefined, ". Use 60 for even numbers."],
    ["numa/wide-uneven", "hw 17; vcpus 63", "8x10x2@7.0", undefined, ". Use 60 or 70 for even numbers."],
    ["numa/wide-uneven", "hw 15; vcpus 61; hotadd TRUE", "4x24x1/2@6.7 U2", { kind: "mssql" }, ". Use 60 vCPUs to divide evenly."],
    ["numa/wide-uneven", "hw 20; vcpus 81; cps 9", "2x64x2@8.0", { kind: "mssql", version: "2025" }, "45+36. Use 72 or 90 vCPUs"],
    // No source documents the placement of 42 vCPUs on two nodes of 20.
    ["numa/wide-uneven", "hw 17; vcpus 25; mem 286720; nodes 0,1", "4x20x2:512@7.0", undefined, "are split 13+12."],
    [
      "mssql/standard-sockets",
      "hw 19; vcpus 12; mem 163840",
      "2x12x2:256@7.0",
      STANDARD,
      "Set 6 cores per socket (2 sockets), which lets it use all 12.",
    ],
    [
      "mssql/standard-sockets",
      "hw 19; vcpus 12; mem 65536",
      "2x12x2:256@7.0",
      STANDARD,
      "Set 12 cores per socket (1 socket), which lets it use all 12.",
    ],
    ["guest/max-sockets", "hw 19; vcpus 12; mem 163840; guest windows7-64", "2x12x2:256@7.0", undefined, "Set 6 cores per socket."],
    ["hana/half-or-full-socket", "hw 14; vcpus 120", "4x56x2@7.0", HANA, "Use 112."],
    ["hana/half-or-full-socket", "hw 19; vcpus 140", "4x28x2@7.0", HANA, "2.5 sockets of 56 threads, and HANA in production takes half"],
    ["hana/half-or-full-socket", "hw 19; vcpus 140", "4x28x2@7.0", HANA, "Use 112 or 168, with 28 cores per socket."],
    [
      "hana/half-or-full-socket",
      "hw 19; vcpus 280",
      "4x28x2@7.0",
      HANA,
      "5 sockets of 56 threads, more than the 4 of this host. Use 224, with 28 cores per socket.",
    ],
    ["hana/half-or-full-socket", "hw 19; vcpus 140", "4x28x1@7.0", HANA, "5 sockets of 28 cores, more than the 4 of this host. Use 112."],
    ["hana/half-or-full-socket", "hw 19; vcpus 70", "4x28x2@7.0", HANA, "Use 56 or 84."],
    ["hana/half-or-full-socket", "hw 19; vcpus 70; preferHt TRUE", "4x28x2@7.0", HANA, "Use 56 or 84."],
    // Sockets of 21 go into neither count, and 160 sockets are more than a VM may have.
    ["hana/half-or-full-socket", "hw 19; vcpus 42; cps 21", "4x28x2@7.0", HANA, "Use 28 or 56, with 28 cores per socket."],
    ["hana/half-or-full-socket", "hw 19; vcpus 42; cps 14", "4x28x2@7.0", HANA, "Use 28 or 56, with 28 cores per socket."],
    ["hana/half-or-full-socket", "hw 20; vcpus 42", "4x28x2@8.0", HANA, "Use 28 or 56."],
    ["hana/half-or-full-socket", "hw 19; vcpus 155", "8x32x2@8.0", HANA, "Use 128 or 160, with 32 cores per socket."],
    ["hana/half-or-full-socket", "hw 19; vcpus 42; mem 1572864", "4x28x2:6144@7.0", HANA, "Use 28 or 56."],
    ["hana/half-or-full-socket", "hw 19; vcpus 42; mem 1572868", "4x28x2:6144@7.0", HANA, "Use 56."],
    ["hana/half-or-full-socket", "hw 19; vcpus 6", "2x12x2@7.0", HANA, "takes at least 8 cores, and this VM has 6 vCPUs. Use 12."],
    ["hana/half-or-full-socket", "hw 19; vcpus 8", "2x12x2@7.0", HANA, "HANA in production takes half a socket or whole sockets. Use 12."],
    ["affinity/any", "vcpus 4; affinity 0-23", "2x12x2@7.0", undefined, "Set numa.nodeAffinity to 0 instead of the affinity,"],
    // A memory affinity would leave it no effect.
    ["affinity/any", "vcpus 4; affinity 0-23; sched.mem.affinity 0", "2x12x2@7.0", undefined, "Remove the affinity unless"],
    ["affinity/any", "vcpus 4; mem 307200; affinity 0-23", "2x12x2:512@7.0", undefined, "Remove the affinity unless you measured a gain."],
    ["numa/node-affinity-size", "hw 17; vcpus 12; mem 256000; nodes 0", "4x10x2:400@7.0", undefined, "List 3 nodes in numa.nodeAffinity"],
    ["cpu/cps-divides", "hw 19; vcpus 130; cps 100", "2x96x2@7.0", undefined, "Set 13 cores per socket"],
    ["cpu/max-cps-hw", "hw 19; vcpus 67; cps 67", "2x96x2@7.0", undefined, "Set 1 core per socket."],
    ["cpu/cps-divides", "hw 18; vcpus 768; cps 5", "16x40x2:32768@7.0 U3", undefined, "Set 6 cores per socket, or use 640 vCPUs."],
    ["cpu/cps-divides", "hw 19; vcpus 131; cps 2", "2x96x2", undefined, "into at most 128 sockets, or use 130 vCPUs."],
    ["cpu/cps-divides", "hw 19; vcpus 131; cps 2", "2x96x2@7.0", undefined, "into at most 128 sockets."],
    ["cpu/max-cps-hw", "hw 19; vcpus 262; cps 131", "2x96x2@7.0", undefined, "Choose a vCPU count that divides into at most 128 sockets"],
    ["cpu/max-sockets-hw", "hw 19; vcpus 160; cps 1", "2x96x2:2048@8.0", undefined, "Set 40 cores per socket."],
    ["cpu/max-sockets-hw", "hw 19; vcpus 144; cps 1", "2x96x2:2048@8.0", undefined, "Set 36 cores per socket."],
    ["cpu/max-sockets-hw", "hw 19; vcpus 131", "2x96x2:2048@8.0", undefined, "Choose a vCPU count that divides into at most 128 sockets."],
    // 1 core per socket gives six nodes of 10 and one of 4.
    ["numa/cps-defines-vnuma", "hw 10; vcpus 64; cps 2", "4x10x2@5.5", undefined, "Choose an even vCPU count that divides into at most 4"],
    // 600 GiB take three nodes of 256, and 20 vCPUs divide over four.
    ["numa/cps-defines-vnuma", "hw 11; vcpus 20; cps 2; mem 614400", "4x10x2:1024@6.0", undefined, "the 20 vCPUs 4 nodes of 5."],
    ["numa/cps-defines-vnuma", "hw 11; vcpus 20; cps 2; mem 65536", "4x10x2:1024@6.0", undefined, "the 20 vCPUs 2 nodes of 10."],
    // 160 GiB take three nodes of 64, and 26 vCPUs divide over two.
    [
      "numa/cps-defines-vnuma",
      "hw 10; vcpus 26; cps 2; mem 163840",
      "4x22x2:256@6.0",
      undefined,
      "of at most 22, and into no fewer than 3",
    ],
    [
      "numa/vpd-spans-ppd",
      "hw 17; vcpus 10; perVirtual 10; mem 327680",
      "4x6x2:512@7.0",
      undefined,
      "of at most 6, and into no fewer than 3",
    ],
    ["numa/vpd-spans-ppd", "hw 17; vcpus 22; perVirtual 22", "4x6x2@7.0", undefined, "an even vCPU count that divides into at most 4"],
    ["cpu/cps-exceeds-pnode", "hw 17; vcpus 15; cps 15", "2x10x2@7.0", undefined, "into at most 2 nodes of at most 10."],
    ["numa/vpd-spans-ppd", "hw 11; vcpus 20; cps 20; mem 614400", "4x10x2:1024@6.0", undefined, "Set 5 cores per socket."],
    ["numa/mem-exceeds-node", "hw 20; vcpus 6; mem 614400", "2x24x2/4:1024@8.0", undefined, "Give it no more than 128 GiB."],
    ["numa/mem-exceeds-node", "hw 20; vcpus 3; mem 307200", "2x24x2/4:1024@8.0", undefined, "Give it no more than 128 GiB."],
    // Sockets of more than 64 are not documented before hardware version 20.
    ["numa/mem-exceeds-node", "hw 19; vcpus 128; mem 307200", "2x192x2:512@8.0", undefined, "To make 2 NUMA nodes of 64 vCPUs,"],
    ["numa/mem-exceeds-node", "hw 19; vcpus 130; cps 2; mem 307200", "2x192x2:512@8.0", undefined, "Give it no more than 256 GiB."],
    ["numa/mem-exceeds-node", "hw 20; vcpus 130; mem 307200", "2x192x2:512@8.0", undefined, "To make 2 NUMA nodes of 65 vCPUs,"],
    // The advisor splits no odd count, and offers 1 core per socket only if the VM then has no other fault.
    ["numa/cps-misaligned", "hw 17; vcpus 45; cps 9", "4x20x2@7.0", undefined, "Choose a vCPU count whose sockets divide over 3 nodes."],
    ["numa/mem-exceeds-node", "hw 20; vcpus 2; mem 153600", "2x24x2/4:1024@8.0", undefined, "To make 2 NUMA nodes of 1 vCPU,"],
    ["numa/cps-defines-vnuma", "hw 11; vcpus 96; cps 16", "2x96x2@6.0", undefined, "Set 48 to give the 96 vCPUs 2 nodes of 48."],
    [
      "mssql/numa-64lp",
      "hw 21; vcpus 80; hotadd TRUE",
      "4x24x2@8.0u2",
      { kind: "mssql", version: "2022" },
      "hot add off, which hides its nodes (20+20+20+20).",
    ],
    [
      "mssql/numa-64lp",
      "hw 21; vcpus 128; hotadd TRUE",
      "2x64x2@8.0u2",
      { kind: "mssql", version: "2022" },
      "hot add off, which hides its nodes (64+64).",
    ],
    // With hot add off they are 72+72.
    [
      "mssql/numa-64lp",
      "hw 21; vcpus 144; cps 72; hotadd TRUE",
      "2x96x2@8.0u2",
      { kind: "mssql", version: "2022" },
      "Give the guest 3 nodes of 48, and turn CPU hot add off.",
    ],
    [
      "mssql/numa-64lp",
      "hw 21; vcpus 144; hotadd TRUE; allow TRUE",
      "2x96x2@8.0u2",
      { kind: "mssql", version: "2022" },
      "Give the guest 3 nodes of 48.",
    ],
    // If the version is not declared, only Standard's limit of 4 sockets is certain.
    ["numa/cps-misaligned", "hw 17; vcpus 45; cps 9", "4x20x2@7.0", { kind: "mssql", edition: "standard" }, "Choose a vCPU count whose"],
    ["numa/cps-defines-vnuma", "hw 11; vcpus 20; cps 4", "4x12x2@6.0", { kind: "mssql", edition: "standard" }, "Set 10 to give the 20"],
    // Two nodes of 48 fill one of 96.
    ["mssql/numa-64lp", "hw 21; vcpus 144", "2x96x2@8.0u2", { kind: "mssql", version: "2022" }, "Give the guest 3 nodes of 48."],
    [
      "latency/high-needs-cpu-reservation",
      "hw 10; vcpus 2; latency high; cpuMin 900; cpuMax 1000",
      "dl580g7",
      undefined,
      "Reserve 4800 MHz, and remove the CPU limit.",
    ],
    [
      "latency/high-needs-mem-reservation",
      "mem 4096; latency high; memMax 2048",
      "dl580g7",
      undefined,
      "Reserve 4096 MiB, and remove the memory limit.",
    ],
    // A small excess must not round to the same figure as the limit.
    [
      "numa/mem-exceeds-node",
      "hw 17; vcpus 1; mem 65540",
      "2x8x2:128@7.0",
      undefined,
      "of 64 GiB, and the VM has 64.1 GiB: some of it is remote.",
    ],
    [
      "imdg/single-node",
      "hw 20; vcpus 4; mem 393220",
      "r640",
      { kind: "imdg" },
      "The 384.1 GiB of this grid member are more than the 384 GiB",
    ],
    // Sockets that divide the vCPUs and fit the nodes in equal numbers.
    ["cpu/cps-divides", "hw 19; vcpus 22; cps 4", "2x20x2@8.0", undefined, "Set 11 cores per socket, or use 20 vCPUs."],
    ["cpu/cps-divides", "hw 19; vcpus 26; cps 4", "2x20x2@8.0", undefined, "Set 13 cores per socket, or use 24 vCPUs."],
    ["cpu/cps-divides", "hw 19; vcpus 30; cps 7", "2x20x2@8.0", undefined, "Set 5 cores per socket, or use 28 vCPUs."],
    ["cpu/cps-divides", "hw 19; vcpus 37; cps 4", "4x24x2@7.0", undefined, "Set 37 cores per socket."],
    // No fewer vCPUs where these have not enough nodes for the memory, more sockets than the guest uses, or nodes that are larger than
    // the host's or that no source decides.
    ["cpu/cps-divides", "hw 19; vcpus 10; cps 3; mem 307200", "2x20x2:512@8.0", undefined, "Set 2 cores per socket."],
    ["cpu/cps-divides", "hw 19; vcpus 13; cps 4; guest windows7-64", "2x20x2@8.0", undefined, "Set 13 cores per socket."],
    ["cpu/cps-divides", "hw 11; vcpus 41; cps 20", "4x10x2@6.0", undefined, "Set 41 cores per socket."],
    ["cpu/cps-divides", "hw 17; vcpus 13; cps 4; perVirtual 6", "2x10x2@7.0", undefined, "Set 13 cores per socket."],
    ["cpu/cps-divides", "hw 19; vcpus 37; cps 4", "4x24x2", undefined, "or use 36 vCPUs."],
    ["cpu/cps-divides", "hw 10; vcpus 10; cps 3", "4x10x2@5.5", undefined, "Set 10 cores per socket."],
    ["cpu/cps-divides", "hw 19; vcpus 10; cps 3", "2x20x2@8.0", undefined, "Set 2 cores per socket, or use 9 vCPUs."],
    ["cpu/cps-divides", "hw 19; vcpus 22; cps 4; preferHt {{ n }}", "2x20x2@8.0", undefined, "Set 2 cores per socket"],
    ["cpu/max-cps-hw", "hw 19; vcpus 132; cps 132", "2x96x2@8.0", undefined, "Set 33 cores per socket"],
    // Sockets that the guest or SQL Server uses come before equal nodes, and more than one core of each before both.
    ["cpu/cps-divides", "hw 17; vcpus 18; cps 10; guest windows7-64", "4x8x2@7.0", undefined, "Set 9 cores per socket"],
    ["cpu/cps-divides", "hw 17; vcpus 18; cps 10", "4x8x2@7.0", undefined, "Set 6 cores per socket"],
    ["cpu/max-cps-hw", "hw 9; vcpus 64; cps 130; guest windows7-64", "4x8x2@7.0u3", undefined, "Set 64 cores per socket"],
    ["cpu/max-cps-hw", "hw 9; vcpus 64; cps 130", "4x8x2@7.0u3", undefined, "Set 16 cores per socket"],
    ["cpu/cps-divides", "hw 19; vcpus 20; cps 3", "10x2x2@8.0", STANDARD, "Set 5 cores per socket"],
    ["cpu/cps-divides", "hw 10; vcpus 9; cps 8", "4x8x2@5.5", undefined, "Set 9 cores per socket"],
    // Also if another setting stops the VM from starting. Pro uses 2 of Windows 10's 4 sockets.
    ["cpu/cps-divides", "hw 19; vcpus 34; cps 8; guest windows9-64", "4x10x2@5.5", undefined, "Set 17 cores per socket"],
    ["cpu/cps-divides", "hw 19; vcpus 20; cps 3; guest windows9-64", "2x20x2@8.0", undefined, "Set 10 cores per socket"],
    [
      "affinity/uneven-nodes",
      "vcpus 12; affinity 0-11; sched.mem.affinity 0",
      "2x10x1@7.0",
      undefined,
      "10+2 cores of 2 NUMA nodes. Remove the",
    ],
    [
      "affinity/uneven-nodes",
      "vcpus 12; affinity 0-11; nodes 0",
      "2x10x1@7.0",
      undefined,
      "Pin them evenly (0,1,2,3,4,5,10,11,12,13,14,15),",
    ],
    [
      "affinity/too-few",
      "vcpus 12; affinity 0-10; nodes 0",
      "2x10x1@7.0",
      undefined,
      "Pin them to 12 cores (0,1,2,3,4,5,10,11,12,13,14,15)",
    ],
    ["affinity/ht-siblings", "vcpus 8; affinity 0-7; nodes 1", "2x10x2@7.0", undefined, "(0,2,4,6,8,10,12,14), or"],
    // As many nodes as were asked for, or ESXi's.
    ["numa/cores-per-node-divides", "hw 20; vcpus 16; cps 4; node 12", "2x24x2@8.0", undefined, "Set it to 8, or to 0"],
    ["numa/cores-per-node-divides", "hw 20; vcpus 22; cps 2; node 6", "2x24x2@8.0", undefined, "(numa.vcpu.coresPerNode). Set it to 0"],
    ["numa/cores-per-node-divides", "hw 20; vcpus 9; node 6", "2x24x2@8.0", undefined, "(numa.vcpu.coresPerNode). Set it to 0"],
    [
      "numa/node-socket-multiple",
      "hw 20; vcpus 22; cps 11; node 6",
      "2x24x2@8.0",
      undefined,
      "Set the size of the nodes to 0 to let ESXi choose.",
    ],
    ["numa/cores-per-node-hw", "hw 13; vcpus 12; node 6", "2x24x2@8.0", undefined, "Set numa.vcpu.maxPerVirtualNode to 6 instead, or"],
    ["numa/cores-per-node-hw", "hw 13; vcpus 9; node 6", "2x24x2@8.0", undefined, "Remove it, or upgrade"],
    // The threads of preferHT make room for 12 vCPUs on a node of 10 cores.
    [
      "mssql/standard-sockets",
      "hw 19; vcpus 24; preferHt TRUE",
      "2x10x2@8.0",
      STANDARD,
      "Set 12 cores per socket (2 sockets), which lets it use all 24.",
    ],
    ["mssql/standard-sockets", "hw 19; vcpus 24", "4x10x2@8.0", STANDARD, "Set 8 cores per socket (3 sockets), which lets it use all 24."],
    ["smt/num-smt-host", "hw 20; vcpus 4; smt 4", "4x10x2@8.0", undefined, "a virtual core has at most 2. Set it to 2."],
    ["smt/num-smt-host", "hw 20; vcpus 4; smt 4", "4x10x1@8.0", undefined, "this host's cores have 1 thread. Set it to 1."],
    ["smt/num-smt-host", "hw 20; vcpus 13; smt 4", "4x10x2@8.0", undefined, "at most 2, which 13 vCPUs would not fill. Set it to 1."],
    ["smt/num-smt-host", "hw 20; vcpus {{ n }}; smt 4", "4x10x2@8.0", undefined, "a virtual core has at most 2. Set it to 2."],
    ["smt/num-smt-host", "hw 20; vcpus 4; smt 2", "4x10x1@8.0", undefined, "Set it to 1, or turn hyper-threading on."],
    // Nodes that are too many: of a size that a node of the host holds, for both settings.
    ["numa/maxpervnode-with-cps", "hw 10; vcpus 12; cps 12; perVirtual 2", "4x10x2@5.5", undefined, "set nodes of 12. Set both to 6."],
    ["numa/maxpervnode-with-cps", "hw 10; vcpus 16; cps 4; perVirtual 2", "4x10x2@5.5", undefined, "set nodes of 4. Set both to 8."],
    [
      "numa/maxpervnode-with-cps",
      "hw 10; vcpus 22; cps 11; perVirtual 2",
      "4x10x2@5.5",
      undefined,
      "set nodes of 11. Set 1 core per socket.",
    ],
    // A shape that the host does not run is not recommended.
    // SQL Server Web and the guest may use only one socket, so removing either setting leads to another finding.
    [
      "numa/maxpervnode-with-cps",
      "hw 10; vcpus 14; cps 14; perVirtual 2",
      "4x6x2@5.5",
      { kind: "mssql", edition: "web" },
      "set nodes of 14. Choose an even vCPU count that divides into at most 4 nodes of at most 6.",
    ],
    [
      "numa/maxpervnode-uneven",
      "hw 10; vcpus 20; cps 20; perVirtual 8",
      "4x10x2@5.5",
      undefined,
      "maxPerVirtualNode and cores per socket to 5.",
    ],
    ["numa/maxpervnode-uneven", "hw 13; vcpus 20; cps 5; perVirtual 8", "4x10x2@6.5", undefined, "maxPerVirtualNode to 5."],
    [
      "numa/maxpervnode-uneven",
      "hw 13; vcpus 35; perVirtual 10",
      "2x28x2@6.5",
      undefined,
      "cannot be equal. Choose an even vCPU count that divides into at most 2 nodes of at most 28.",
    ],
    ["numa/cores-per-node-requires-cps", "hw 20; vcpus 4; node 1", "2x12x2@8.0", undefined, "Set 1 core per socket as well."],
    ["smt/num-smt-host", "hw 19; vcpus 8; smt 2", "2x12x2@7.0", undefined, "Set it to 1."],
    ["smt/num-smt-host", "hw 19; vcpus 8; smt 2", "2x12x2@8.0", undefined, "Set it to 1, or upgrade the virtual hardware."],
    ["numa/expose-hotadd-hw", "hw 19; hotadd TRUE; allow TRUE", "2x12x2@7.0", undefined, "Turn CPU hot add off."],
    ["numa/expose-hotadd-dead", "hw 19; allow TRUE", "2x12x2@8.0", undefined, "Remove it."],
    ["nvme/hw", "hw 11; nvme0.present TRUE", "2x12x2@6.0", undefined, "Put its disks on a SCSI controller."],
    ["sata/hw", "hw 9; sata0.present TRUE", "2x12x2@5.1", undefined, "Put its disks and drives on a SCSI or IDE controller."],
    ["sata/hw", "hw 9; sata0.present TRUE", "2x12x2@5.5", undefined, "Upgrade the virtual hardware, or put its disks and drives"],
    [
      "passthrough/mem-reservation",
      "mem 4096; memMax 2048; pciPassthru0.present TRUE",
      "2x12x2@8.0",
      undefined,
      "Reserve 4096 MiB, and remove the memory limit.",
    ],
    ["ft/vcpu-limit", "vcpus 2", "dl580g7", { kind: "ft" }, "at most 1 vCPU on ESXi 5.5; this VM has 2. Use 1."],
  ])("%s: %s on %s", (id, lines, host, workload, advice) => {
    const options = { rules: [ruleOf(id)], target: { host: requireHost(host), workload } };
    const messages = lint(written(lines).join("\n"), options).diagnostics.map(({ message }) => message);
    expect(messages).not.toEqual([]);
    for (const message of messages) expect(message).toContain(advice);
  });

  test.each([
    ["hw 10; vcpus 60; cps 4; perVirtual 1", "8x24x2:1024@6.0", 20],
    ["hw 11; vcpus 18; cps 6; perVirtual 2", "4x48x2/2@6.0", 18],
    ["hw 10; vcpus 16; cps 4; perVirtual 2", "4x10x2@5.5", 8],
  ])("too many nodes, and other sockets: both rules propose one size for %s on %s", (lines, host, size) => {
    const options = {
      rules: ["numa/maxpervnode-with-cps", "numa/more-nodes-than-host"].map(ruleOf),
      target: { host: requireHost(host) },
    };
    const { diagnostics } = lint(written(lines).join("\n"), options);
    expect(diagnostics.map(({ ruleId, data }) => [ruleId, data.forBoth ?? data.instead]).sort()).toEqual([
      ["numa/maxpervnode-with-cps", size],
      ["numa/more-nodes-than-host", size],
    ]);
    const [edits, others] = diagnostics.map(({ fixes }) => fixes[0]?.edits);
    expect(edits).toEqual(others);
  });

  test.each([
    ["windows9-64", "Set 5 cores per socket"],
    ["windows7-64", "Set 5 cores per socket"],
    ["windows2019srv-64", "Set 2 cores per socket"],
    ["{{ n }}", "Set 2 cores per socket"],
  ])("without a host, 10 vCPUs for %s go into sockets that it uses", (guest, advice) => {
    const { diagnostics } = lint(written(`hw 10; vcpus 10; cps 3; guest ${guest}`).join("\n"), { rules: [ruleOf("cpu/cps-divides")] });
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(advice)]);
  });

  test.each([
    ["hw 19; vcpus 18; cps 4", "standard", "Set 6 cores per socket"],
    ["hw 19; vcpus 18; cps 4", "developer", "Set 3 cores per socket"],
  ])("without a host, %s goes into sockets that SQL Server %s uses", (lines, edition, advice) => {
    const workload = { kind: "mssql", edition, version: "2022" } as Workload;
    const { diagnostics } = lint(written(lines).join("\n"), { rules: [ruleOf("cpu/cps-divides")], target: { workload } });
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(advice)]);
  });

  test.each([
    [
      "cpu/cps-exceeds-pnode",
      "hw 14; vcpus 60; cps 60; consolidate FALSE",
      "4x20x2@6.7",
      "is wider than a NUMA node of 20, and no source says whether ESXi divides the VM as .* or 60.",
    ],
    [
      "cpu/cps-exceeds-pnode",
      "hw 13; vcpus 28; cps 28; preferHt TRUE; latency high",
      "2x14x2/2@6.5",
      "a NUMA node of 14, and no source says whether ESXi divides the VM as .* or 28.",
    ],
    [
      "numa/maxpervnode-with-cps",
      "hw 11; vcpus 32; cps 32; perVirtual 8; guest windows7-64; mem 393216",
      "4x18x2:384@6.0",
      "set nodes of 32.",
    ],
    ["numa/maxpervnode-uneven", "hw 17; vcpus 8; hotadd TRUE; perVirtual 3; mem 524288", "2x16x2:512@7.0", "cannot be equal."],
    ["numa/maxpervnode-uneven", "hw 17; vcpus 20; hotadd TRUE; perVirtual 3", "2x16x2@7.0", "Remove numa.vcpu.maxPerVirtualNode."],
  ])("%s: %s on %s proposes no other count, as the VM's divides", (id, lines, host, end) => {
    const options = { rules: [ruleOf(id)], target: { host: requireHost(host) } };
    const { diagnostics } = lint(written(lines).join("\n"), options);
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringMatching(new RegExp(`${end}$`))]);
  });

  test.each([
    ["topo/many-single-core-sockets", "hw 20; vcpus 12; cps 1", "2x24x2:768@8.0", 384, 385],
    ["topo/manual-cps-on-v8", "hw 20; vcpus 12; cps 3", "2x24x2:768@8.0", 384, 385],
    ["numa/cps-misaligned", "hw 17; vcpus 28; cps 4", "4x20x2:512@7.0", 256, 257],
  ])("%s leaves the sockets alone whose memory takes more nodes", (id, lines, host, fits, exceeds) => {
    const found = (gib: number) =>
      lint(written(`${lines}; mem ${gib * 1024}`).join("\n"), { rules: [ruleOf(id)], target: { host: requireHost(host) } }).diagnostics;
    expect([found(fits).length, found(exceeds).length]).toEqual([1, 0]);
  });

  test("an unknown list of CPUs leaves unknown whether the VM stays on its nodes", () => {
    const text = 'virtualHW.version = "17"\nnumvcpus = "8"\nmemSize = "307200"\nsched.cpu.affinity = "{{ pins }}"';
    const { diagnostics, skipped } = lint(text, {
      rules: [ruleOf("numa/mem-exceeds-node")],
      target: { host: requireHost("2x12x2:512@7.0") },
    });
    expect([diagnostics, skipped]).toEqual([[], [{ ruleId: "numa/mem-exceeds-node", reason: "layout-unknown" }]]);
  });

  test("a disk goes to an existing unit", () => {
    const disks = (type: string, units: readonly number[]) => [
      'virtualHW.version = "19"',
      'scsi0.present = "TRUE"',
      `scsi0.virtualDev = "${type}"`,
      ...units.map((unit) => `scsi0:${unit}.present = "TRUE"`),
    ];
    const upTo = (last: number) => Array.from({ length: last + 1 }, (_, unit) => unit);
    const free = (lines: readonly string[]) => lint(lines.join("\n"), { rules: [ruleOf("scsi/unit-7")] }).diagnostics[0]?.data.free;
    expect(free(disks("lsisas1068", upTo(7)))).toBe("scsi0:8");
    expect(free(disks("lsisas1068", upTo(15).slice(1)))).toBe("scsi0:0");
    expect(free(disks("lsisas1068", upTo(15)))).toBeNull();
    expect(free(disks("pvscsi", upTo(15)))).toBe("scsi0:16");
  });
});

describe("a rule without the facts it needs is skipped and counted", () => {
  const named = rules.filter(({ id }) => /^(affinity\/ht|latency\/high|mssql|numa\/(hidden|wide))/.test(id));
  const skipped = (text: string, host?: string, workload?: Workload, only: readonly Rule[] | undefined = named) => {
    const { diagnostics, skipped: found } = lint(text, {
      rules: only,
      target: { ...(host !== undefined && { host: requireHost(host) }), ...(workload && { workload }) },
    });
    return [diagnostics.map(({ ruleId }) => ruleId), found.map(({ ruleId, reason }) => `${ruleId} ${reason}`)];
  };
  test.each<[string, string, string | undefined, Workload | undefined, string[]]>([
    ["no host", `numvcpus = "64"`, undefined, { kind: "general" }, ["numa/wide-uneven no-host"]],
    ["no ESXi version", `numvcpus = "64"`, "4x10x2", { kind: "general" }, ["numa/wide-uneven no-esxi-version"]],
    [
      "a template",
      `numvcpus = "{{ n }}"\nsched.cpu.affinity = "0-7"`,
      "dl580g7",
      { kind: "general" },
      ["affinity/ht-siblings", "numa/wide-uneven"].map((id) => `${id} unknown-value`),
    ],
    ["no workload", `numvcpus = "5"`, "2x10x2@5.5", undefined, ["mssql/standard-sockets no-workload"]],
    [
      "no edition",
      `numvcpus = "40"\ncpuid.coresPerSocket = "20"`,
      "2x40x2@7.0",
      { kind: "mssql" },
      ["mssql/enterprise-cal-20 workload-incomplete", "mssql/standard-cores workload-incomplete"],
    ],
    [
      "no licence model",
      `numvcpus = "21"\ncpuid.coresPerSocket = "21"`,
      undefined,
      { kind: "mssql", edition: "enterprise" },
      ["mssql/enterprise-cal-20 workload-incomplete", "numa/wide-uneven no-host"],
    ],
    [
      "no frequency",
      `sched.cpu.latencySensitivity = "high"\nsched.cpu.min = "1"\nsched.mem.pin = "TRUE"`,
      "4x10x2@5.5",
      { kind: "latency" },
      ["latency/high-needs-cpu-reservation host-incomplete"],
    ],
    [
      "a VM that cannot start",
      `numvcpus = "6"\ncpuid.coresPerSocket = "4"`,
      "4x4x2@5.5",
      { kind: "general" },
      ["numa/wide-uneven no-power-on"],
    ],
    [
      "a Workstation file",
      `numvcpus = "5"\nethernet0.connectionType = "nat"`,
      "4x4x2@5.5",
      { kind: "general" },
      ["numa/wide-uneven other-platform"],
    ],
  ])("%s", (_, text, host, workload, expected) => {
    expect(skipped(text, host, workload)).toEqual([[], expected]);
  });
  test.each<[string, string, string | undefined, string]>([
    ["cpu/exceeds-host-threads", `numvcpus = "8"`, undefined, "no-host"],
    ["cpu/exceeds-physical-cores", `numvcpus = "{{ n }}"`, "dl580g7", "unknown-value"],
    ["cpu/cps-divides", `numvcpus = "{{ n }}"\ncpuid.coresPerSocket = "4"`, undefined, "unknown-value"],
    ["cpu/max-vcpus-hw", `numvcpus = "8"\nvirtualHW.version = "{{ n }}"`, undefined, "unknown-value"],
    ["cpu/limit-lt-reservation", `sched.cpu.max = "100"\nsched.cpu.min = "{{ n }}"`, undefined, "unknown-value"],
    ["guest/max-sockets", `numvcpus = "8"\nguestOS = "windows9-64"\nvirtualHW.version = "20"`, undefined, "no-host"],
    ["guest/max-sockets", `numvcpus = "8"\nguestOS = "windows9-64"\nvirtualHW.version = "20"`, "4x10x2@7.0", "no-power-on"],
    ["latency/hw-version", `virtualHW.version = "19"\nsched.cpu.latencySensitivity = "high"`, "4x10x2", "no-esxi-version"],
    ["mem/exceeds-host", `memSize = "4096"`, undefined, "no-host"],
    ["mem/exceeds-host", `memSize = "4096"`, "4x10x2@7.0", "host-incomplete"],
    ["mem/step-4mb", `memSize = "4095"\nethernet0.connectionType = "nat"`, undefined, "other-platform"],
    ["numa/more-nodes-than-host", `numvcpus = "{{ n }}"\nnuma.vcpu.coresPerNode = "2"`, "4x10x2@7.0", "unknown-value"],
    [
      "numa/node-socket-multiple",
      `numvcpus = "{{ n }}"\nnuma.vcpu.coresPerNode = "6"\ncpuid.coresPerSocket = "{{ n }}"`,
      undefined,
      "unknown-value",
    ],
  ])("%s: %s", (id, text, host, reason) => {
    expect(skipped(text, host, undefined, [ruleOf(id)])).toEqual([[], [`${id} ${reason}`]]);
  });
  test("a rule that does not apply is not counted", () => {
    expect(skipped(`numvcpus = "1"`, undefined, undefined, rules)).toEqual([[], []]);
  });
});
