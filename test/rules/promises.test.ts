import { applyEdits, lint, requireHost, rules, type Workload } from "@vmlint/core";
import { describe, expect, test } from "vitest";

const target = (host?: string, workload?: Workload) => ({ ...(host && { host: requireHost(host) }), ...(workload && { workload }) });

/** Returns the findings of one rule on a VM, and its reasons for skipping. */
function said(id: string, vmx: string, host?: string, workload?: Workload) {
  const { diagnostics, skipped } = lint(vmx, { rules: rules.filter((rule) => rule.id === id), target: target(host, workload) });
  return {
    data: diagnostics.map(({ data }) => data),
    fixes: diagnostics.flatMap(({ fixes }) => fixes),
    skips: skipped.map(({ reason }) => reason),
  };
}

const vm = (version: number, vcpus: number, more = "") => `virtualHW.version = "${version}"\nnumvcpus = "${vcpus}"\n${more}`;
const cps = (cores: number) => `cpuid.coresPerSocket = "${cores}"\n`;
const guest = (name: string) => `guestOS = "${name}"\n`;

describe("SQL Server Standard uses the lesser of 4 sockets and its cores (Microsoft, Compute capacity limits by edition)", () => {
  const standard = (version?: Workload["version"]): Workload => ({ kind: "mssql", edition: "standard", ...(version && { version }) });
  test.each<[string, string, Workload, readonly object[], readonly string[]]>([
    [
      "sockets that mend it",
      vm(19, 16, cps(2)),
      standard("2012"),
      [{ usable: 8, shape: { sockets: 2, coresPerSocket: 8, usable: 16 } }],
      [],
    ],
    ["sockets that stop it before the cores", vm(19, 72, cps(4)), standard("2022"), [{ usable: 16 }], []],
    ["cores that stop it first", vm(19, 72, cps(8)), standard("2012"), [], []],
    ["cores of 2022 that stop it first", vm(19, 108, cps(9)), standard("2022"), [], []],
    ["cores of 2022 that are as many as the sockets have", vm(19, 72, cps(6)), standard("2022"), [], []],
    ["no cores in 2008 R2", vm(19, 72, cps(8)), standard("2008r2"), [{ usable: 32 }], []],
    ["up to the cores of any version", vm(19, 32, cps(4)), standard(), [{ usable: 16 }], []],
    ["a version that decides it", vm(19, 40, cps(5)), standard(), [], ["workload-incomplete"]],
  ])("%s", (_, vmx, workload, data, skips) => {
    expect(said("mssql/standard-sockets", vmx, undefined, workload)).toMatchObject({ data, skips });
  });
});

test("Enterprise of 2008 R2 does not have the Server+CAL limit of 2012 and later", () => {
  const workload = (version: Workload["version"]): Workload => ({
    kind: "mssql",
    edition: "enterprise",
    licensing: "server-cal",
    ...(version && { version }),
  });
  const count = (version: Workload["version"]) => said("mssql/enterprise-cal-20", vm(19, 32), undefined, workload(version)).data.length;
  expect([count("2008r2"), count("2012"), count(undefined)]).toEqual([0, 1, 1]);
});

describe("sockets that no source decides are no error", () => {
  // L3 groups of 8 cores: automatic sockets of 24 are likely, and shown nowhere.
  const host = { ...requireHost("8x24x2@8.0"), coresPerL3: 8 };
  const of = (id: string, vmx: string, workload?: Workload) => {
    const result = lint(vmx, { rules: rules.filter((rule) => rule.id === id), target: { host, ...(workload && { workload }) } });
    return [result.diagnostics.map(({ ruleId }) => ruleId), result.skipped.map(({ reason }) => reason)];
  };
  test("for a guest", () => {
    expect(of("guest/max-sockets", vm(20, 144, guest("windows9-64")))).toEqual([[], ["layout-unknown"]]);
    expect(of("guest/max-sockets", vm(20, 144, guest("windows9-64") + cps(24)))).toEqual([["guest/max-sockets"], []]);
    expect(of("topo/windows-client-sockets", vm(20, 72, guest("windows9-64")))).toEqual([[], []]);
  });
  test("for an edition", () => {
    expect(of("mssql/standard-sockets", vm(20, 20), { kind: "mssql", edition: "standard", version: "2022" })).toEqual([[], []]);
    expect(of("mssql/web", vm(20, 16, 'vcpu.hotadd = "TRUE"'), { kind: "mssql", edition: "web", version: "2022" })).toEqual([
      [],
      ["layout-unknown"],
    ]);
    expect(of("mssql/web", vm(20, 32), { kind: "mssql", edition: "web", version: "2022" })).toEqual([["mssql/web"], []]);
  });
});

describe("a reservation above a limit would keep the VM from starting", () => {
  const fixed = (id: string, vmx: string, host?: string) => {
    const [fix] = said(id, vmx, host, { kind: "latency" }).fixes;
    return [fix?.title, fix && applyEdits(vmx, fix.edits)];
  };
  test("the limit goes with it", () => {
    const memory = 'memSize = "4096"\nsched.cpu.latencySensitivity = "high"\nsched.mem.max = "2048"\n';
    const [title, text] = fixed("latency/high-needs-mem-reservation", memory);
    expect(title).toBe("Reserve 4096 MiB, no memory limit");
    expect(text).toContain('sched.mem.max = "unlimited"');
    expect(text).toContain('sched.mem.min = "4096"');
    const cpu = 'numvcpus = "4"\nsched.cpu.latencySensitivity = "high"\nsched.cpu.max = "2400"\n';
    expect(fixed("latency/high-needs-cpu-reservation", cpu, "r640")).toEqual([
      "Reserve 9600 MHz, no CPU limit",
      expect.stringContaining('sched.cpu.max = "unlimited"'),
    ]);
  });
  test.each<[string, Workload]>([
    ["imdg/mem-reservation", { kind: "imdg" }],
    ["exchange/mem-reservation", { kind: "exchange" }],
    ["hana/mem-reservation", { kind: "hana", environment: "production" }],
    ["mem/tier-1-unreserved", { kind: "mssql", environment: "tier-1" }],
  ])("%s names the limit", (id, workload) => {
    const text = (limit: number) => `memSize = "4096"\nsched.mem.max = "${limit}"\n`;
    const limited = (limit: number) => said(id, text(limit), undefined, workload).data.map((data) => data.limited);
    expect([limited(2048), limited(4096)]).toEqual([[true], [false]]);
  });
  test("a limit above the reservation stays", () => {
    const memory = 'memSize = "4096"\nsched.cpu.latencySensitivity = "high"\nsched.mem.max = "4096"\n';
    expect(fixed("latency/high-needs-mem-reservation", memory)).toEqual([
      "Reserve 4096 MiB",
      expect.stringContaining('sched.mem.max = "4096"'),
    ]);
  });
});

test("reservations for latency sensitivity High are suggested only if High itself is fine", () => {
  const vmx = 'numvcpus = "4"\nmemSize = "4096"\nsched.cpu.latencySensitivity = "high"\n';
  const fixes = (workload?: Workload) =>
    ["latency/high-needs-mem-reservation", "latency/high-needs-cpu-reservation", "latency/high"].map(
      (id) => said(id, vmx, "r640", workload).fixes.length,
    );
  expect([fixes(), fixes({ kind: "mssql" }), fixes({ kind: "latency" }), fixes({ kind: "imdg" })]).toEqual([
    [0, 0, 1],
    [0, 0, 1],
    [1, 1, 0],
    [1, 1, 0],
  ]);
});

describe("a layout is proposed only where the guest can use it, and a source decides it", () => {
  const memory = `memSize = "${300 * 1024}"\n`;
  const instead = (more: string) => said("numa/mem-exceeds-node", vm(14, 16, cps(16) + memory + more), "8x32x2:512@6.7").data[0]?.instead;
  test("8 sockets are not proposed to a guest that uses 2", () => {
    expect(instead("")).toMatchObject({ nodes: 8, size: 2 });
    expect(instead(guest("windows7-64"))).toBeNull();
  });
  test("below 9 vCPUs nodes by hand come with numa.vcpu.min", () => {
    const vmx = vm(17, 8, cps(8) + memory);
    const { data, fixes } = said("numa/mem-exceeds-node", vmx, "2x20x2:512@7.0");
    expect(data[0]?.instead).toMatchObject({ nodes: 2, size: 4, minVcpus: 8 });
    expect(fixes[0] && applyEdits(vmx, fixes[0].edits)).toContain('numa.vcpu.min = "8"');
  });
  test("a split that no source shows is no finding", () => {
    expect(said("numa/wide-uneven", vm(17, 22), "4x10x2@7.0").data).toHaveLength(1);
    // Uneven whichever it is.
    expect(said("numa/wide-uneven", vm(17, 22, `numa.autosize = "TRUE"`), "4x10x2@7.0").data).toHaveLength(1);
    // KB 67996 leaves open what the guest is shown, not where the VM lies.
    expect(said("numa/wide-uneven", vm(17, 7), "2x4x2@7.0").data).toHaveLength(1);
  });
});

describe("sockets and nodes that do not go together", () => {
  const node = (cores: number) => `numa.vcpu.coresPerNode = "${cores}"\n`;
  test.each([
    ["numa/cores-per-node-requires-cps", vm(20, 12, node(6)), "Set 6 cores per socket", ['cpuid.coresPerSocket = "6"\n']],
    ["numa/cores-per-node-requires-cps", vm(20, 10, node(20)), "Make sockets and nodes of 10", ["10", 'cpuid.coresPerSocket = "10"\n']],
    ["numa/node-socket-multiple", vm(20, 12, cps(4) + node(6)), "Make sockets and nodes of 6", ["6"]],
    ["numa/node-socket-multiple", vm(20, 10, cps(8) + node(20)), "Make sockets and nodes of 10", ["10", "10"]],
    ["numa/node-socket-multiple", vm(20, 22, cps(11) + node(6)), "Let ESXi choose the nodes", ["0"]],
  ])("%s: %j: %s", (id, vmx, title, texts) => {
    const [fix, ...more] = said(id, vmx).fixes;
    expect([fix?.title, fix?.edits.map(({ newText }) => newText), more]).toEqual([title, expect.arrayContaining(texts), []]);
    expect(fix?.edits).toHaveLength(texts.length);
  });
});

describe("a fix changes no more than it must", () => {
  const hotAdd = 'vcpu.hotadd = "TRUE"\n';
  const windows7 = (reserved: number) => `guestOS = "windows7"\nmemSize = "8192"\nsched.mem.min = "${reserved}"\n`;
  const HANA: Workload = { kind: "hana", environment: "production" };
  test.each<[string, string, string | undefined, Workload | undefined, readonly string[]]>([
    ["cpu/cps-exceeds-pnode", vm(17, 12, cps(12)), "2x10x2@7.0", undefined, ["6"]],
    ["cpu/cps-exceeds-pnode", vm(17, 12, cps(12) + hotAdd), "2x10x2@7.0", undefined, ["6", "FALSE"]],
    ["cpu/cps-exceeds-pnode", vm(20, 12, `${cps(12) + hotAdd}numa.allowHotadd = "TRUE"\n`), "2x10x2@8.0", undefined, ["6"]],
    ["cpu/cps-exceeds-pnode", vm(17, 15, cps(15) + hotAdd), "2x10x2@7.0", undefined, []],
    ["guest/max-memory", windows7(4095), undefined, undefined, ["4096"]],
    ["guest/max-memory", windows7(4096), undefined, undefined, ["4096"]],
    ["guest/max-memory", windows7(4097), undefined, undefined, ["4096", "4096"]],
    // Sockets of 96 are not documented before hardware version 20.
    ["hana/half-or-full-socket", vm(19, 100), "2x96x2@8.0", HANA, []],
    ["hana/half-or-full-socket", vm(20, 100), "2x96x2@8.0", HANA, ["96", "192"]],
  ])("%s: %j on %s", (id, vmx, host, workload, texts) => {
    const { data, fixes } = said(id, vmx, host, workload);
    expect(data).toHaveLength(1);
    expect(fixes.flatMap(({ edits }) => edits.map(({ newText }) => newText))).toEqual(texts);
    if (id === "cpu/cps-exceeds-pnode") expect(data[0]?.hotAdd).toBe(texts.includes("FALSE"));
  });
});

test("known caches determine how to split nodes", () => {
  const of = (coresPerL3: number | undefined) =>
    lint(vm(17, 32, 'numa.vcpu.maxPerVirtualNode = "8"\n'), {
      rules: rules.filter(({ id }) => id === "numa/more-nodes-than-host"),
      target: { host: { ...requireHost("2x16x2@7.0"), ...(coresPerL3 && { coresPerL3 }) } },
    });
  const found = (coresPerL3?: number) => [of(coresPerL3).diagnostics.length, of(coresPerL3).skipped.map(({ reason }) => reason)];
  expect([found(), found(8), found(16)]).toEqual([
    [0, ["host-incomplete"]],
    [0, []],
    [1, []],
  ]);
});

test("the lower of two manual limits is named", () => {
  const key = (client: number, machine: number) => {
    const both = `memSize = "65536"\nnuma.vcpu.maxPerClient = "${client}"\nnuma.vcpu.maxPerMachineNode = "${machine}"`;
    return said("numa/maxpermachinenode", vm(17, 12, both), "4x20x2:1024@7.0").data.map((data) => data.key);
  };
  expect([key(12, 6), key(4, 6)]).toEqual([["numa.vcpu.maxPerMachineNode"], ["numa.vcpu.maxPerClient"]]);
});

test("numa.vcpu.min is named if it would show the VM's NUMA nodes to the guest", () => {
  const count = (more: string) => said("numa/vcpu-min-hides", vm(10, 8, more), "2x4x2@6.0").data.length;
  // 4+4 by their sockets, 2+2+2+2 by smaller ones, and 6+2 by hand.
  expect([count(""), count(cps(4)), count(cps(2)), count(`numa.vcpu.maxPerVirtualNode = "6"`)]).toEqual([1, 1, 0, 0]);
});

test("a node of half a socket is not proposed to a VM whose memory takes two", () => {
  const perNode = (gib: number) =>
    said("host/node-not-socket", vm(20, 16, `memSize = "${gib * 1024}"\n`), "2x24x2/2:768@8.0").data.map((data) => data.perNode);
  expect([perNode(192), perNode(193)]).toEqual([[12], [null]]);
});
