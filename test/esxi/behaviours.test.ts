import { deriveTopology, type HostModel, lint, requireHost, VmlintError } from "@vmlint/core";
import { esxi } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { isDecided, isPlaced, isShown } from "../../packages/core/src/advice/aligned-size.ts";
import type { SettingValues } from "../../packages/core/src/model/spec.ts";
import { onHost } from "../../packages/core/src/report/topology-text.ts";
import { topologyOf, vmOf } from "../support/sample-vm.ts";

const layout = (lines: string, host: string) => {
  const { vnumaNodes, numaClients, certainty } = topologyOf(lines, host);
  return { nodes: vnumaNodes.join("+"), clients: numaClients.join("+"), certainty };
};

describe("uneven counts are derived, never called documented", () => {
  // Sizes follow from the only published indivisible case (30 vCPUs, 2 per socket, ESXi 7.0: 16+14).
  test.each([
    [11, "2x10x2@7.0", "6+5"],
    [13, "2x10x2@7.0", "7+6"],
    [22, "4x10x2@7.0", "8+8+6"],
    [22, "2x16x2@7.0", "11+11"],
    [25, "4x10x2@7.0", "9+9+7"],
    [25, "2x20x2@7.0", "13+12"],
  ])("%i vCPUs on %s: %s", (vcpus, host, expected) => {
    const { nodes, certainty } = layout(`virtualHW.version = "17"\nnumvcpus = "${vcpus}"`, host);
    expect([nodes, certainty === "documented"]).toEqual([expected, vcpus === 22 && host.startsWith("2x16")]);
  });
});

describe("sub-NUMA clusters: nodes, not sockets, are what counts", () => {
  test("10 vCPUs on 18 cores stay whole, and split over half-sockets of 9", () => {
    const vm = `virtualHW.version = "17"\nnumvcpus = "10"`;
    expect(layout(vm, "2x18x2@7.0").nodes).toBe("10");
    expect(layout(vm, "2x18x2/2@7.0").nodes).toBe("5+5");
  });
});

describe("CPU hot add", () => {
  const wide = `numvcpus = "16"\nvcpu.hotadd = "TRUE"`;
  test.each(["5.5", "6.0", "6.5", "7.0", "8.0"])("hides the nodes on %s while the clients stay", (release) => {
    expect(layout(`virtualHW.version = "10"\n${wide}`, `2x10x2@${release}`)).toMatchObject({ nodes: "16", clients: "8+8" });
  });
  test("8.0 can show the nodes nevertheless", () => {
    expect(layout(`virtualHW.version = "20"\n${wide}\nnuma.allowHotadd = "TRUE"`, "2x10x2@8.0").nodes).toBe("8+8");
  });
  test("but not before 8.0, and not before hardware version 20", () => {
    expect(layout(`virtualHW.version = "19"\n${wide}\nnuma.allowHotadd = "TRUE"`, "2x10x2@8.0").nodes).toBe("16");
    expect(layout(`virtualHW.version = "17"\n${wide}\nnuma.allowHotadd = "TRUE"`, "2x10x2@7.0").nodes).toBe("16");
  });
  test("with a size set by hand the sources contradict each other: unknown", () => {
    expect(
      layout(`virtualHW.version = "20"\ncpuid.coresPerSocket = "8"\nnuma.vcpu.coresPerNode = "8"\n${wide}`, "2x10x2@8.0").certainty,
    ).toBe("possible");
  });
});

describe("cores per socket", () => {
  const vm = (cps: number, more = "") => `virtualHW.version = "11"\nnumvcpus = "16"\ncpuid.coresPerSocket = "${cps}"\n${more}`;
  test("make the nodes up to 6.0, and only round them from 6.5 on", () => {
    expect(layout(vm(2), "2x10x2@6.0").nodes).toBe("2+2+2+2+2+2+2+2");
    expect(layout(vm(2), "2x10x2@6.5").nodes).toBe("8+8");
  });
  test("followCoresPerSocket restores the old sizing, by VM or by host", () => {
    for (const cores of [2, 4, 8, 16])
      expect(layout(vm(cores, `numa.vcpu.followcorespersocket = "1"`), "2x10x2@7.0").nodes).toBe(layout(vm(cores), "2x10x2@6.0").nodes);
    const following = { ...requireHost("2x10x2@7.0"), followCoresPerSocket: true };
    const result = deriveTopology(vmOf(vm(4)), following);
    expect(result.ok && result.topology.vnumaNodes).toEqual([4, 4, 4, 4]);
  });
  test("of a single vCPU are ignored: the VM starts with one socket of one core", () => {
    const one = topologyOf(`virtualHW.version = "13"\nnumvcpus = "1"\ncpuid.coresPerSocket = "2"`, "2x10x2@6.5");
    expect(one).toMatchObject({ sockets: 1, coresPerSocket: 1, vnumaNodes: [1], certainty: "derived" });
  });
  test("a socket larger than a node: no source documents it, and the result is unknown", () => {
    expect(layout(vm(16), "2x10x2@7.0").certainty).toBe("possible");
  });
});

describe("sources of manual settings", () => {
  const reasonOf = (lines: string, host: string, word: string) =>
    topologyOf(lines, host)
      .reasons.filter(({ text }) => text.includes(word))
      .map(({ text, source, certainty }) => [text, source?.key, certainty]);
  test.each([
    [8, "2x12x2@7.0", "spreads a VM that fits one node over two", "denneman-2017-10", "documented"],
    [6, "2x12x2/2@7.0", "spreads a VM that fits one node over two; which nodes of 4 is not published", "denneman-2019-02", "unknown"],
    [
      8,
      "2x12x2/4@7.0",
      "may spread a VM over more than the 3 nodes that hold it; which nodes of 8 is not published",
      "denneman-2019-02",
      "unknown",
    ],
  ])("numa.consolidate = FALSE, %i vCPUs on %s: %s (%s, %s)", (vcpus, host, text, source, certainty) => {
    const lines = `virtualHW.version = "17"\nnumvcpus = "${vcpus}"\nnuma.consolidate = "FALSE"`;
    expect(reasonOf(lines, host, "consolidate")).toEqual([[`numa.consolidate = FALSE ${text}`, source, certainty]]);
  });
  // The page of 7.0, which has the words of 6.0, speaks for 6.5 and later.
  test.each([
    ["6.0", "vsphere-6.0-numa-attributes", "documented"],
    ["6.5", "vsphere-7.0-numa-attributes", "documented"],
    ["8.0", "vsphere-7.0-numa-attributes", "derived"],
  ])("a limit of clients on ESXi %s: %s, %s", (esxi, source, certainty) => {
    const lines = `virtualHW.version = "11"\nnumvcpus = "12"\nnuma.vcpu.maxPerMachineNode = "6"`;
    const text = `at most 6 vCPUs per client by hand${certainty === "derived" ? ": the pages of 8.0 leave the setting out" : ""}`;
    expect(reasonOf(lines, `2x12x2@${esxi}`, "by hand")).toEqual([[text, source, certainty]]);
  });
});

describe("sockets chosen at power-on", () => {
  test("need hardware version 20 and ESXi 8.0", () => {
    expect(topologyOf(`virtualHW.version = "20"\nnumvcpus = "14"`, "4x22x2@8.0")).toMatchObject({
      sockets: 1,
      coresPerSocket: 14,
      certainty: "documented",
    });
    expect(topologyOf(`virtualHW.version = "19"\nnumvcpus = "14"`, "4x22x2@8.0")).toMatchObject({ sockets: 14, coresPerSocket: 1 });
  });
  test("one for each node of a wide VM is derived: seen once, on a host that is not named", () => {
    expect(topologyOf(`virtualHW.version = "20"\nnumvcpus = "40"`, "2x24x2@8.0")).toMatchObject({
      sockets: 2,
      coresPerSocket: 20,
      certainty: "derived",
    });
  });
  test("beyond one L3 group of an EPYC: unknown", () => {
    expect(topologyOf(`virtualHW.version = "20"\nnumvcpus = "8"`, "dual-epyc-7763").certainty).toBe("documented");
    expect(topologyOf(`virtualHW.version = "20"\nnumvcpus = "16"`, "dual-epyc-7763").certainty).toBe("possible");
  });
  test("a file that states no hardware version leaves it unknown", () => {
    for (const vcpus of [2, 8]) expect(topologyOf(`numvcpus = "${vcpus}"`, "2x24x2@8.0").certainty).toBe("possible");
    expect(topologyOf(`numvcpus = "8"`, "2x24x2@7.0")).toMatchObject({ sockets: 8, certainty: "documented" });
  });
});

describe("numa.consolidate = FALSE", () => {
  const vm = `virtualHW.version = "20"\nnumvcpus = "20"\ncpuid.coresPerSocket = "10"\nnuma.consolidate = "FALSE"`;
  test("two nodes on a host of two", () =>
    expect(layout(vm, "2x20x2@8.0")).toEqual({ nodes: "10+10", clients: "10+10", certainty: "documented" }));
  test("unknown on a host of four, and nothing to spread over on one", () => {
    expect(layout(vm, "4x20x2@8.0").certainty).toBe("possible");
    expect(layout(vm, "1x20x2@8.0").clients).toBe("20");
  });
});

describe("VMs that do not start", () => {
  const refused = (lines: string, host: string) => {
    const result = deriveTopology(vmOf(lines), requireHost(host));
    return result.ok ? "starts" : `${result.because}: ${result.reasons.map(({ text }) => text).join("; ")}`;
  };
  test.each([
    [`virtualHW.version = "17"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"`, "2x10x2@7.0", "6 vCPUs do not divide into sockets of 4"],
    [`virtualHW.version = "20"\nnumvcpus = "5"\ncpuid.numSMT = "2"`, "2x10x2@8.0", "5 vCPUs are not a multiple of 2 threads per core"],
    [`virtualHW.version = "20"\nnumvcpus = "1"\ncpuid.numSMT = "2"`, "2x10x2@8.0", "1 vCPU is not a multiple of 2 threads per core"],
    [
      `virtualHW.version = "20"\nnumvcpus = "20"\ncpuid.numSMT = "2"`,
      "2x20x1@8.0",
      "cpuid.numSMT asks for 2 threads per core, and the host's cores have 1 thread",
    ],
    [
      `virtualHW.version = "20"\nnumvcpus = "10"\nnuma.vcpu.coresPerNode = "4"`,
      "2x10x2@8.0",
      "10 vCPUs do not divide into NUMA nodes of 4",
    ],
    [`virtualHW.version = "20"\nnumvcpus = "4"`, "2x10x2@7.0", "hardware version 20 is newer than ESXi 7.0 supports"],
    [`virtualHW.version = "8"\nnumvcpus = "33"`, "4x10x2@5.5", "hardware version 8 has at most 32 vCPUs"],
    [`virtualHW.version = "10"\nnumvcpus = "65"`, "4x24x2@5.5", "hardware version 10 has at most 64 vCPUs"],
    [`virtualHW.version = "19"\nnumvcpus = "129"`, "2x96x2@8.0", "a VM has at most 128 virtual sockets"],
    [`virtualHW.version = "21"\nnumvcpus = "129"\ncpuid.coresPerSocket = "1"`, "2x96x2@8.0 U2", "a VM has at most 128 virtual sockets"],
    [`numvcpus = "4000"`, "4x24x2@8.0", "no ESXi release runs 4000 vCPUs"],
  ])("%s", (lines, host, reason) => {
    expect(refused(lines, host)).toContain(`no-power-on: ${reason}`);
  });
  test.each([
    [19, "2x10x2@7.0", "starts"],
    [19, "2x10x2@7.0 GA", "no-power-on: hardware version 19 is newer than ESXi 7.0 GA supports"],
    [21, "r640", "starts"],
  ])("hardware version %i on %s, where an update that is not stated may run it", (version, host, expected) => {
    expect(refused(`virtualHW.version = "${version}"\nnumvcpus = "4"`, host)).toBe(expected);
  });
  test("258 vCPUs at hardware version 17: documentation and ESX 9 disagree, so it is not refused", () => {
    expect(refused(`virtualHW.version = "17"\nnumvcpus = "258"\ncpuid.coresPerSocket = "3"`, "8x40x2@7.0")).toBe("starts");
    expect(refused(`virtualHW.version = "17"\nnumvcpus = "769"`, "8x60x2@7.0")).toContain("at most 768");
  });
  test("7.0 ignores a node size of 8.0", () => {
    expect(refused(`virtualHW.version = "17"\nnumvcpus = "10"\nnuma.vcpu.coresPerNode = "4"`, "2x10x2@7.0")).toBe("starts");
  });
});

test("without an ESXi version, or with an unknown setting, there is no topology, only the reason", () => {
  expect(deriveTopology(vmOf(`numvcpus = "8"`), requireHost("4x10x2"))).toMatchObject({ ok: false, because: "no-esxi-version" });
  expect(deriveTopology(vmOf(`numvcpus = "{{ n }}"`), requireHost("4x10x2@7.0"))).toMatchObject({
    ok: false,
    because: "unknown-value",
    reasons: [{ text: "vcpus is unknown: a template fills it in" }],
  });
});

describe("an invented host is refused before anything is computed", () => {
  const host = requireHost("dl580g7");
  const vm = 'virtualHW.version = "10"\nnumvcpus = "64"\n';
  const refusals = (wrong: HostModel) =>
    [() => deriveTopology(vmOf(vm), wrong), () => lint(vm, { target: { host: wrong } })].map((act) => {
      try {
        return act();
      } catch (error) {
        return error instanceof VmlintError ? `${error.code}: ${error.message}` : error;
      }
    });
  test.each<[string, unknown, string]>([
    ["a name", "dl580g7", '"dl580g7" is no host: it is no object.'],
    ["nodes that no cores divide into", { ...host, numaNodes: 3 }, "dl580g7 is no host: 40 cores do not divide into 3 NUMA nodes."],
    ["no socket", { ...host, sockets: 0 }, "dl580g7 is no host: sockets must be a positive whole number."],
    ["a frequency that is none", { ...host, mhz: Number.NaN }, "dl580g7 is no host: mhz must be more than 0."],
    ["a version in words", { ...host, esxi: "5.5" }, "dl580g7 is no host: esxi must be a version, as parseEsxi gives it."],
    ["a version without its parts", { ...host, esxi: { major: 8 } }, "dl580g7 is no host: esxi must be a version, as parseEsxi gives it."],
    ["no version", { ...host, esxi: null }, "dl580g7 is no host: esxi must be a version, as parseEsxi gives it."],
  ])("%s", (_, wrong, reason) => {
    const said = `HOST_UNKNOWN: ${reason} requireHost finds a host by its name or short form.`;
    expect(refusals(wrong as HostModel)).toEqual([said, said]);
  });

  test("a valid host after a change", () => {
    const mine = { ...host };
    expect(refusals(mine)).toEqual([expect.objectContaining({ ok: true }), expect.objectContaining({ vmCount: 1 })]);
    mine.sockets = 0;
    expect(refusals(mine)).toEqual([expect.stringMatching(/^HOST_UNKNOWN/), expect.stringMatching(/^HOST_UNKNOWN/)]);
  });
});

test("an affinity ends NUMA management; node affinity does not", () => {
  const vm = `virtualHW.version = "17"\nnumvcpus = "16"`;
  expect(topologyOf(vm, "2x10x2@7.0").numaManaged).toBe(true);
  expect(topologyOf(`${vm}\nsched.cpu.affinity = "0-15"`, "2x10x2@7.0").numaManaged).toBe(false);
  expect(topologyOf(`${vm}\nsched.mem.affinity = "0"`, "2x10x2@7.0").numaManaged).toBe(false);
  expect(topologyOf(`${vm}\nnuma.nodeAffinity = "0,1"`, "2x10x2@7.0")).toMatchObject({ numaManaged: true, certainty: "documented" });
  expect(topologyOf(`${vm}\nnuma.nodeAffinity = "0"`, "2x10x2@7.0").certainty).toBe("unknown");
  expect(topologyOf(`${vm}\nnuma.nodeAffinity = "0,2"`, "2x10x2@7.0")).toMatchObject({ nodeAffinity: [0], certainty: "unknown" });
  const both = topologyOf(`${vm}\nsched.mem.affinity = "0"\nnuma.nodeAffinity = "0"`, "2x10x2@7.0");
  expect(both).toMatchObject({ numaManaged: false, nodeAffinity: null, certainty: "documented" });
});

test("ESX 4.0 leaves a VM wider than a node out of NUMA scheduling, and 4.1 cuts it into clients", () => {
  const at = (vcpus: number, host: string) => topologyOf(`virtualHW.version = "4"\nnumvcpus = "${vcpus}"`, host);
  expect(at(4, "2x2x2:64@4.0")).toMatchObject({ vnumaNodes: [4], numaClients: [4], numaManaged: false, certainty: "documented" });
  expect(at(4, "2x2x2:64@3.5")).toMatchObject({ numaManaged: false });
  expect(at(2, "2x2x2:64@4.0")).toMatchObject({ numaClients: [2], numaManaged: true, certainty: "documented" });
  expect(at(4, "2x2x2:64@4.1")).toMatchObject({ numaClients: [2, 2], numaManaged: true });
});

test.each(["5.5", "6.7 U1"])("on %s a guest with one node is certain, even if its clients are not", (release) => {
  const low = topologyOf(`virtualHW.version = "10"\nnumvcpus = "8"\nnuma.vcpu.maxPerMachineNode = "2"`, `2x10x2@${release}`);
  expect([isShown(low), isPlaced(low)]).toEqual([true, false]);
});

test("virtual cores of two threads make only the sockets unknown", () => {
  const at = (version: number, host: string) => topologyOf(`virtualHW.version = "${version}"\nnumvcpus = "10"\ncpuid.numSMT = "2"`, host);
  for (const [topology, threads] of [
    [at(20, "2x10x2@8.0"), 2],
    [at(19, "2x10x2@8.0"), 1],
    [at(17, "2x10x2@7.0"), 1],
  ] as const) {
    expect([topology.threadsPerCore, ["possible", "unknown"].includes(topology.certainties.sockets), isDecided(topology)]).toEqual([
      threads,
      true,
      true,
    ]);
  }
});

test("the limit of a SQL Server edition is unknown if it might include virtual hyper-threads", () => {
  const standard = { kind: "mssql", edition: "standard", version: "2022" } as const;
  const of = (vcpus: number, more = "") =>
    topologyOf(`virtualHW.version = "20"\nnumvcpus = "${vcpus}"\ncpuid.coresPerSocket = "16"\n${more}`, "2x24x2@8.0", standard);
  const open = of(32, 'cpuid.numSMT = "2"');
  expect([of(32), open, of(16, 'cpuid.numSMT = "2"')].map(({ usableVcpus }) => usableVcpus)).toEqual([24, null, 16]);
  expect(onHost(open, requireHost("2x24x2@8.0"))).toContain(
    "SQL Server: no source shows how the limits of an edition count virtual hyper-threads",
  );
});

test("an answer for one workload, guest or affinity is not the answer for another", () => {
  const host = requireHost("2x24x2@8.0");
  const standard = { kind: "mssql", edition: "standard", version: "2022" } as const;
  const vm = 'virtualHW.version = "20"\nnumvcpus = "32"\ncpuid.coresPerSocket = "4"';
  const desktop = `${vm}\nguestOS = "windows11-64"`;
  const all = (list: string) => `${vm}\nsched.cpu.affinity = "${list}"\nsched.mem.affinity = "0"\nnuma.nodeAffinity = "0"`;
  const inputs = [
    [vm],
    [vm, standard],
    [vm, { ...standard, edition: "express" }],
    [desktop],
    [`${vm}\nsched.cpu.affinity = "0-31"`],
    [vm],
    [all("0-31")],
    [all("32-63")],
  ] as const;
  const ask = (on: () => HostModel) => inputs.map(([text, workload]) => deriveTopology(vmOf(text), on(), workload));
  expect(ask(() => host)).toEqual(ask(() => ({ ...host })));
});

test("one client up to 6.0 names its own source", () => {
  const { reasons } = topologyOf('virtualHW.version = "10"\nnumvcpus = "10"', "2x10x2@5.5");
  expect(reasons.map(({ source }) => source?.key)).toEqual(["denneman-2016-08"]);
});

describe("a size set by hand names the source of its own setting", () => {
  test.each([
    ["numa.vcpu.coresPerNode", "denneman-2022-11"],
    ["numa.vcpu.maxPerVirtualNode", "vsphere-6.7-vnuma-controls"],
  ])("%s: %s", (key, source) => {
    const { reasons } = topologyOf(`virtualHW.version = "20"\nnumvcpus = "12"\n${key} = "6"`, "2x20x2@8.0");
    expect(reasons.find(({ text }) => text === `${key} sets nodes of 6`)?.source?.key).toBe(source);
  });
});

const told = (text: string, host: string, override: SettingValues = {}, release?: readonly [number, number, number]) => {
  const machine = requireHost(host);
  const result = deriveTopology(vmOf(text), release ? { ...machine, esxi: esxi(...release) } : machine, undefined, override);
  if (!result.ok) throw new Error(result.because);
  const { topology } = result;
  return { ...topology, words: topology.reasons.map((reason) => reason.text) };
};

describe("a result lists its reasons and no others", () => {
  test.each<[string, string, string, readonly string[]]>([
    ["a VM in one node of 5.5", 'virtualHW.version = "10"\nnumvcpus = "10"', "2x10x2@5.5", ["10 vCPUs fit one node of 10"]],
    [
      "below numa.vcpu.min",
      'virtualHW.version = "10"\nnumvcpus = "4"',
      "2x10x2@5.5",
      ["4 vCPUs are fewer than numa.vcpu.min (9), so the guest sees one node"],
    ],
    [
      "below numa.vcpu.min, on two clients",
      'virtualHW.version = "10"\nnumvcpus = "8"',
      "2x4x2@5.5",
      ["8 vCPUs are fewer than numa.vcpu.min (9), so the guest sees one node", "8 vCPUs on nodes of 4 make 2 clients of up to 4"],
    ],
    [
      "a stored size on one client",
      'virtualHW.version = "13"\nnumvcpus = "10"\nnuma.autosize.vcpu.maxPerVirtualNode = "5"\nnuma.autosize.cookie = "100001"',
      "2x10x2@6.5",
      ["the first power-on stored nodes of 5; only the clients are sized anew"],
    ],
    [
      "a stored size on two clients",
      'virtualHW.version = "13"\nnumvcpus = "12"\nnuma.autosize.vcpu.maxPerVirtualNode = "4"\nnuma.autosize.cookie = "120001"',
      "2x10x2@6.5",
      ["the first power-on stored nodes of 4; only the clients are sized anew", "12 vCPUs on nodes of 10 make 2 clients of up to 6"],
    ],
    [
      "threads and a limit of clients",
      'virtualHW.version = "13"\nnumvcpus = "12"\nnuma.vcpu.preferHT = "TRUE"\nnuma.vcpu.maxPerClient = "14"',
      "2x10x2@6.5",
      [
        "preferHT counts the 20 threads of a node instead of its 10 cores",
        "at most 14 vCPUs per client by hand, and the VM has no more",
        "12 vCPUs fit one node of 14",
      ],
    ],
    [
      "memory kept on a node",
      'virtualHW.version = "13"\nnumvcpus = "10"\nsched.mem.affinity = "0"',
      "2x10x2@6.5",
      ["10 vCPUs fit one node of 10", "a CPU or memory affinity takes the VM out of NUMA scheduling: its vCPUs are not kept on one node"],
    ],
    [
      "memory of any node",
      'virtualHW.version = "13"\nnumvcpus = "10"\nsched.mem.affinity = "all"',
      "2x10x2@6.5",
      ["10 vCPUs fit one node of 10"],
    ],
    [
      "a node that the host lacks",
      'virtualHW.version = "13"\nnumvcpus = "11"\nnuma.nodeAffinity = "1,2"',
      "2x11x2@6.5",
      ["11 vCPUs fit one node of 11", "numa.nodeAffinity names node 2, which the host lacks: no source shows what ESXi does with it"],
    ],
    [
      "a node that the host lacks, where the other is too small",
      'virtualHW.version = "13"\nnumvcpus = "12"\nnuma.nodeAffinity = "1,2"',
      "2x10x2@6.5",
      [
        "12 vCPUs on nodes of 10 make 2 clients of up to 6",
        "numa.nodeAffinity names node 2, which the host lacks: no source shows what ESXi does with it",
      ],
    ],
    [
      "CPUs that the host has none of",
      'virtualHW.version = "13"\nnumvcpus = "2"\nsched.cpu.affinity = "40,41"',
      "2x10x2@6.5",
      [
        "2 vCPUs are fewer than numa.vcpu.min (9), so the guest sees one node",
        "a CPU or memory affinity takes the VM out of NUMA scheduling: its vCPUs are not kept on one node",
        "the host lacks all CPUs it is pinned to: no source shows how ESXi then runs it",
      ],
    ],
    [
      "a node affinity that a template fills in",
      'virtualHW.version = "13"\nnumvcpus = "2"\nnuma.nodeAffinity = "{{ nodes }}"',
      "2x10x2@6.5",
      [
        "2 vCPUs are fewer than numa.vcpu.min (9), so the guest sees one node",
        "numaNodeAffinity is unknown, and a VM that is kept on too few nodes may get other clients",
      ],
    ],
    [
      "a node affinity that a template fills in, beside a CPU affinity, which switches it off",
      'virtualHW.version = "13"\nnumvcpus = "2"\nsched.cpu.affinity = "0,2"\nnuma.nodeAffinity = "{{ nodes }}"',
      "2x10x2@6.5",
      [
        "2 vCPUs are fewer than numa.vcpu.min (9), so the guest sees one node",
        "a CPU or memory affinity takes the VM out of NUMA scheduling: its vCPUs are not kept on one node",
      ],
    ],
    [
      "a node affinity of one node",
      'virtualHW.version = "13"\nnumvcpus = "12"\nnuma.nodeAffinity = "1"',
      "2x10x2@6.5",
      [
        "12 vCPUs on nodes of 10 make 2 clients of up to 6",
        "numa.nodeAffinity keeps the VM on node 1",
        "that node holds 10 of 12 vCPUs: no source shows how ESXi then sizes the clients",
      ],
    ],
    [
      "a node affinity beside a CPU affinity, which switches it off",
      'virtualHW.version = "13"\nnumvcpus = "12"\nsched.cpu.affinity = "0,2,4,6"\nnuma.nodeAffinity = "1"',
      "2x10x2@6.5",
      [
        "12 vCPUs on nodes of 10 make 2 clients of up to 6",
        "a CPU or memory affinity takes the VM out of NUMA scheduling: its vCPUs are not kept on one node",
      ],
    ],
    [
      "numa.vcpu.min that shows nodes",
      'virtualHW.version = "10"\nnumvcpus = "8"\nnuma.vcpu.min = "5"',
      "2x4x2@5.5",
      ["8 vCPUs on nodes of 4 make 2 clients of up to 4", "numa.vcpu.min = 5 shows nodes to VMs of fewer than 9 vCPUs too"],
    ],
    [
      "numa.vcpu.min that shows nodes, from 6.5 on",
      'virtualHW.version = "13"\nnumvcpus = "8"\nnuma.vcpu.min = "8"',
      "2x4x2@6.5",
      ["8 vCPUs on nodes of 4 make 2 clients of up to 4", "numa.vcpu.min = 8 shows nodes to VMs of fewer than 9 vCPUs too"],
    ],
    [
      "numa.vcpu.min that does not matter",
      'virtualHW.version = "13"\nnumvcpus = "9"\nnuma.vcpu.min = "8"',
      "2x5x2@6.5",
      ["9 vCPUs on nodes of 5 make 2 clients of up to 5; uneven sizes follow from the published 16+14"],
    ],
    [
      "preferHT on a host without hyper-threading",
      'virtualHW.version = "17"\nnumvcpus = "20"\nnuma.vcpu.preferHT = "TRUE"',
      "2x20x1@7.0",
      ["20 vCPUs fit one node of 20"],
    ],
    [
      "a single vCPU that nothing spreads",
      'virtualHW.version = "14"\nnumvcpus = "1"\nnuma.consolidate = "FALSE"',
      "2x10x2@6.7",
      ["1 vCPU is fewer than numa.vcpu.min (9), so the guest sees one node"],
    ],
    [
      "a stored size that is not used",
      `virtualHW.version = "13"\nnumvcpus = "20"\nnuma.autosize.vcpu.maxPerVirtualNode = "4"\nnuma.autosize.cookie = "200001"\nnuma.autosize.once = "FALSE"`,
      "2x10x2@6.5",
      ["the stored nodes of 4 do not count: the VM is sized anew at each power-on", "20 vCPUs on nodes of 10 make 2 clients of up to 10"],
    ],
    [
      "a stored size that the first release with nodes does not use",
      `virtualHW.version = "8"\nnumvcpus = "10"\nnuma.autosize.vcpu.maxPerVirtualNode = "4"\nnuma.autosize.cookie = "100001"\nnuma.autosize.once = "FALSE"`,
      "2x10x2@5.0",
      ["the stored nodes of 4 do not count: the VM is sized anew at each power-on", "10 vCPUs fit one node of 10"],
    ],
    [
      "a stored size that no release of that time used",
      `virtualHW.version = "7"\nnumvcpus = "8"\nnuma.autosize.vcpu.maxPerVirtualNode = "4"\nnuma.autosize.cookie = "80001"\nnuma.autosize.once = "FALSE"`,
      "2x4x2@4.1",
      ["ESX 4 has no virtual NUMA and fills one node before the next"],
    ],
    [
      "a socket that the host has no room for",
      'virtualHW.version = "13"\nnumvcpus = "12"\ncpuid.coresPerSocket = "12"\nnuma.vcpu.min = "1"',
      "1x6x2/2@6.5",
      ["virtual sockets of 12 do not fit whole into 2 nodes of 3: no source shows whether ESXi splits them (6+6) or keeps them whole (12)"],
    ],
    [
      "more vCPUs than there is room for, on fewer clients than nodes",
      'virtualHW.version = "13"\nnumvcpus = "9"',
      "4x2x1@6.5",
      [
        "9 vCPUs on nodes of 2 make 3 clients of up to 3, or 3+2+2+2: no source shows which of more than two clients are smaller from 6.5 on",
        "the host has 8 logical CPUs: a VM of 9 vCPUs is not expected to start on it",
      ],
    ],
    [
      "one vCPU",
      'virtualHW.version = "13"\nnumvcpus = "1"\ncpuid.coresPerSocket = "1"\nnuma.vcpu.min = "1"',
      "2x10x2@6.5",
      ["1 vCPU fits one node of 10"],
    ],
    [
      "hot add on one client",
      'virtualHW.version = "13"\nnumvcpus = "10"\nvcpu.hotadd = "TRUE"',
      "2x10x2@6.5",
      ["CPU hot add is on, so the guest sees one node"],
    ],
    [
      "hot add on two clients",
      'virtualHW.version = "13"\nnumvcpus = "16"\nvcpu.hotadd = "TRUE"',
      "2x10x2@6.5",
      ["CPU hot add is on, so the guest sees one node", "16 vCPUs on nodes of 10 make 2 clients of up to 8"],
    ],
    [
      "a size that divides",
      'virtualHW.version = "13"\nnumvcpus = "12"\nnuma.vcpu.maxPerVirtualNode = "6"',
      "2x10x2@6.5",
      ["numa.vcpu.maxPerVirtualNode sets nodes of 6"],
    ],
    [
      "numa.vcpu.min that hides nodes, beside nodes by hand",
      'virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"\nnuma.vcpu.coresPerNode = "4"\nnuma.vcpu.min = "10"',
      "2x10x2@8.0",
      [
        "numa.vcpu.coresPerNode sets nodes of 4",
        "the API accepts any size; according to the documentation of 6.7, fewer vCPUs than numa.vcpu.min (10) see one node",
      ],
    ],
    [
      "only a node that the host lacks",
      'virtualHW.version = "13"\nnumvcpus = "12"\nnuma.nodeAffinity = "2"',
      "2x10x2@6.5",
      [
        "12 vCPUs on nodes of 10 make 2 clients of up to 6",
        "numa.nodeAffinity names node 2, which the host lacks: no source shows what ESXi does with it",
      ],
    ],
    ["before 4.1, a VM within a node", 'virtualHW.version = "7"\nnumvcpus = "2"', "2x2x2@4.0", ["2 vCPUs fit one node of 2"]],
    [
      "before 4.1, a VM wider than a node",
      'virtualHW.version = "7"\nnumvcpus = "4"',
      "2x2x2@4.0",
      ["ESX before 4.1 has no virtual NUMA and leaves a VM wider than a node of 2 out of NUMA scheduling"],
    ],
    [
      "a size by hand on hardware without virtual NUMA",
      'virtualHW.version = "7"\nnumvcpus = "8"\nnuma.vcpu.maxPerVirtualNode = "4"',
      "2x10x2@6.5",
      ["hardware version 7 is older than 8, the first with virtual NUMA"],
    ],
    [
      "a client larger than the only node",
      'virtualHW.version = "13"\nnumvcpus = "12"',
      "1x6x2@6.5",
      ["12 vCPUs on nodes of 6 make 1 client", "more vCPUs than the host has room for: one client for its one node"],
    ],
    [
      "sockets of two on more nodes than there are sockets",
      'virtualHW.version = "13"\nnumvcpus = "6"\ncpuid.coresPerSocket = "2"\nnuma.vcpu.min = "7"',
      "4x1x2@6.5",
      [
        "6 vCPUs are fewer than numa.vcpu.min (7), so the guest sees one node",
        "6 vCPUs on nodes of 1 make 3 clients of up to 2",
        "more vCPUs than the host has room for: one client for each of 4 nodes",
      ],
    ],
    [
      "sockets that may stay whole on more nodes",
      'virtualHW.version = "13"\nnumvcpus = "24"\ncpuid.coresPerSocket = "6"',
      "4x10x2@6.5",
      [
        "virtual sockets of 6 do not fit whole into 3 nodes of 10: no source shows whether ESXi splits them (8+8+8) or keeps them whole (6+6+6+6)",
      ],
    ],
    [
      "a size that does not",
      'virtualHW.version = "13"\nnumvcpus = "12"\nnuma.vcpu.maxPerVirtualNode = "5"',
      "2x10x2@6.5",
      [
        "numa.vcpu.maxPerVirtualNode sets nodes of 5",
        "5 does not divide 12: the last node takes the rest",
        "the documentation splits evenly (4+4+4), which no source shows",
      ],
    ],
  ])("%s", (_, text, host, words) => {
    expect(told(text, host).words).toEqual(words);
  });
});

test("hardware version 7 has no virtual NUMA, regardless of numa.vcpu.min", () => {
  const at = (version: number) => told(`virtualHW.version = "${version}"\nnumvcpus = "8"\nnuma.vcpu.min = "4"`, "2x4x2@5.5").vnumaNodes;
  expect([at(7), at(8)]).toEqual([[8], [4, 4]]);
});

test("numa.vcpu.min is the least that sees its nodes", () => {
  const at = (vcpus: number) => told(`virtualHW.version = "10"\nnumvcpus = "${vcpus}"`, "2x5x2@5.5").vnumaNodes;
  expect([at(8), at(9)]).toEqual([[8], [5, 4]]);
});

test.each([
  [22, 22, "2x10x2@7.0", "possible"],
  [22, 11, "2x10x2@7.0", "derived"],
  [30, 6, "2x10x2@7.0", "possible"],
  [30, 6, "2x20x2@7.0", "derived"],
])("%i vCPUs in sockets of %i on %s: whether a socket larger than its client keeps whole is %s", (vcpus, cores, host, certainty) => {
  const lines = `virtualHW.version = "17"\nnumvcpus = "${vcpus}"\ncpuid.coresPerSocket = "${cores}"`;
  expect(deriveTopology(vmOf(lines), requireHost(host))).toMatchObject({ ok: true, topology: { certainty } });
});

test("nodes by hand may have one vCPU", () => {
  const at = (version: number, key: string, host: string) =>
    told(`virtualHW.version = "${version}"\nnumvcpus = "4"\ncpuid.coresPerSocket = "1"\n${key} = "1"`, host).vnumaNodes;
  expect(at(13, "numa.vcpu.maxPerVirtualNode", "4x10x2@6.5")).toEqual([1, 1, 1, 1]);
  expect(at(20, "numa.vcpu.coresPerNode", "4x10x2@8.0")).toEqual([1, 1, 1, 1]);
  expect(told('virtualHW.version = "10"\nnumvcpus = "9"\nnuma.vcpu.maxPerVirtualNode = "1"', "2x10x2@6.0").vnumaNodes).toEqual(
    Array(9).fill(1),
  );
});

test.each([
  [20, "documented"],
  [64, "documented"],
  [22, "derived"],
])("%i vCPUs on nodes of 10 up to 6.0 are %s", (vcpus, certainty) => {
  expect(told(`virtualHW.version = "10"\nnumvcpus = "${vcpus}"`, "8x10x2@5.5").certainty).toBe(certainty);
});

test.each<[readonly [number, number, number], string]>([
  [[6, 5, 2], "documented"],
  [[6, 5, 3], "possible"],
  [[6, 7, 1], "documented"],
  [[6, 7, 2], "possible"],
  [[7, 0, 0], "possible"],
])("8 vCPUs on two nodes of ESXi %j: whether the guest sees them is %s", (release, certainty) => {
  expect(told('virtualHW.version = "13"\nnumvcpus = "8"', "2x4x2", {}, release).certainty).toBe(certainty);
});

describe("sockets that ESXi chooses at power-on", () => {
  test("are one per vCPU where the release does not know them", () => {
    expect(told('virtualHW.version = "17"\nnumvcpus = "8"', "2x10x2@7.0", { coresPerSocket: "auto" })).toMatchObject({
      sockets: 8,
      certainty: "documented",
    });
  });
  test.each([
    [8, "possible"],
    [2, "possible"],
    [1, "documented"],
  ])("are likely one per vCPU where the hardware version does not know them: of %i vCPUs it is %s", (vcpus, certainty) => {
    expect(told(`virtualHW.version = "19"\nnumvcpus = "${vcpus}"`, "2x10x2@8.0", { coresPerSocket: "auto" })).toMatchObject({
      sockets: vcpus,
      certainty,
    });
  });
  test("are open for a VM wider than a node that sees one", () => {
    const { words, certainty } = told('virtualHW.version = "20"\nnumvcpus = "20"\nnuma.vcpu.min = "21"', "2x10x2@8.0");
    expect(certainty).toBe("possible");
    expect(words.join()).toContain("no source shows it for a VM wider than a node that sees only one");
  });
});

test("a setting tried in place of an unknown one is known", () => {
  const text = 'virtualHW.version = "17"\nnumvcpus = "8"\ncpuid.coresPerSocket = "{{ n }}"';
  expect(told(text, "2x10x2@7.0", { coresPerSocket: 4 }).sockets).toBe(2);
  expect(deriveTopology(vmOf(text), requireHost("2x10x2@7.0"), undefined, { vcpus: 4 })).toMatchObject({ because: "unknown-value" });
});

test("a VM of a format without defaults has one vCPU, as ESXi makes it", () => {
  const result = deriveTopology({ ...vmOf('virtualHW.version = "17"'), defaults: {} }, requireHost("2x10x2@7.0"));
  expect(result).toMatchObject({ topology: { vcpus: 1, sockets: 1, coresPerSocket: 1 } });
  expect(deriveTopology({ ...vmOf('numvcpus = "4"'), defaults: {} }, requireHost("2x10x2@7.0"))).toMatchObject({
    topology: { sockets: 4 },
  });
});

test("a format's own hardware version decides whether ESXi chooses the sockets", () => {
  const certainty = (hardwareVersion?: number) =>
    deriveTopology({ ...vmOf('numvcpus = "4"'), defaults: hardwareVersion ? { hardwareVersion } : {} }, requireHost("2x10x2@8.0"));
  expect(certainty(21)).toMatchObject({ topology: { sockets: 1, certainty: "documented" } });
  expect(certainty(19)).toMatchObject({ topology: { sockets: 4, certainty: "documented" } });
  expect(certainty()).toMatchObject({ topology: { certainty: "possible" } });
});

test("nodes that hot add hides are shown by 8.0 alone, also where no hardware version is stated", () => {
  const text = 'numvcpus = "16"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"';
  expect([told(text, "2x10x2@7.0").vnumaNodes, told(text, "2x10x2@8.0").vnumaNodes]).toEqual([[16], [8, 8]]);
});

test.each([
  ["128 sockets", `virtualHW.version = "19"\nnumvcpus = "256"\ncpuid.coresPerSocket = "2"`],
  ["more of hardware version 22, of which no source says it", `virtualHW.version = "22"\nnumvcpus = "129"\ncpuid.coresPerSocket = "1"`],
  ["sockets that ESXi chooses", `virtualHW.version = "21"\nnumvcpus = "256"`],
])("%s start", (_, text) => {
  expect(told(text, "4x96x2@9.0").vcpus).toBeGreaterThan(128);
});

test("a VM with the most vCPUs starts", () => {
  expect(told('virtualHW.version = "22"\nnumvcpus = "960"', "8x120x2@9.0").vcpus).toBe(960);
});

describe("without a source, or with contradicting sources, a layout is not called documented", () => {
  const vm = (version: number, vcpus: number, more = "") => `virtualHW.version = "${version}"\nnumvcpus = "${vcpus}"\n${more}`;
  const perNode = (size: number) => `numa.vcpu.maxPerVirtualNode = "${size}"\n`;
  const byApi = (size: number) => `cpuid.coresPerSocket = "1"\nnuma.vcpu.coresPerNode = "${size}"\n`;
  const sockets = (cores: number) => `cpuid.coresPerSocket = "${cores}"\n`;
  const follow = `numa.vcpu.followcorespersocket = "1"\n`;
  const hotAdd = `cpuid.coresPerSocket = "8"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"\n`;
  const stored = (size: number, cookie: number) => `numa.autosize.vcpu.maxPerVirtualNode = "${size}"\nnuma.autosize.cookie = "${cookie}"\n`;

  test.each<[string, string, string, string, string]>([
    // vSphere 6.0, Advanced Virtual NUMA Attributes: "maximum", and the default is the cores of a node.
    ["a raised limit of a node", vm(17, 12, `numa.vcpu.maxPerMachineNode = "12"`), "2x10x2@7.0", "unknown", "no source shows it raised"],
    ["a limit of clients above the node's", vm(17, 12, `numa.vcpu.maxPerClient = "12"`), "2x10x2@7.0", "derived", "more than the 10"],
    ["a limit of clients of a node's cores", vm(17, 12, `numa.vcpu.maxPerClient = "10"`), "2x10x2@7.0", "documented", ""],
    // The same page: "the virtual NUMA topology has the same number of virtual CPUs per virtual node as there are cores".
    ["numa.autosize, up to 6.0", vm(10, 12, `numa.autosize = "TRUE"`), "2x10x2@5.5", "possible", "(10+2)"],
    ["numa.autosize, from 6.5 on", vm(17, 12, `numa.autosize = "TRUE"`), "2x10x2@7.0", "possible", "(10+2)"],
    ["numa.autosize, where both say the same", vm(10, 20, `numa.autosize = "TRUE"`), "2x10x2@5.5", "documented", ""],
    // The same page: "In this case, do not set cpuid.coresPerSocket".
    ["two sizes up to 6.0", vm(11, 24, sockets(4) + perNode(6)), "4x10x2@6.0", "possible", "no source shows which wins"],
    ["one size said twice", vm(11, 24, sockets(6) + perNode(6)), "4x10x2@6.0", "documented", ""],
    ["a size that does not divide, up to 6.0", vm(11, 20, perNode(8)), "4x10x2@6.0", "derived", "the last node takes the rest"],
    ["a node on equal clients", vm(11, 40, sockets(20)), "4x10x2@6.0", "documented", ""],
    ["a node on two unequal clients", vm(11, 30, sockets(15)), "4x8x2@6.0", "derived", "clients of unequal size"],
    ["numa.consolidate before 6.5", vm(10, 10, `numa.consolidate = "FALSE"`), "2x10x2@5.5", "possible", "before 6.5"],
    // vSphere 6.7, Virtual NUMA Controls: "always UMA when its size is smaller than numa.vcpu.min", and the size splits "evenly".
    ["numa.consolidate before 6.5, below numa.vcpu.min", vm(10, 8, `numa.consolidate = "FALSE"`), "2x10x2@5.5", "possible", "before 6.5"],
    // An ESX 9 host's VirtualMachineConfigOption, virtual NUMA nodes.
    ["a single vCPU of no hardware version", `numvcpus = "1"`, "2x10x2@8.0", "documented", ""],
    ["64 nodes", vm(21, 64, sockets(1) + perNode(1)), "8x60x2@8.0 U2", "documented", ""],
    ["more nodes than 64", vm(21, 65, sockets(1) + perNode(1)), "8x60x2@8.0 U2", "unknown", "what ESXi does with 65"],
    ["a size below numa.vcpu.min", vm(17, 8, perNode(4)), "2x10x2@7.0", "possible", "numa.vcpu.min (9)"],
    ["a size the documentation splits otherwise", vm(17, 20, perNode(8)), "4x10x2@7.0", "possible", "(7+7+6)"],
    ["a size of 8.0 below numa.vcpu.min", vm(20, 8, byApi(4)), "2x10x2@8.0", "derived", "numa.vcpu.min (9)"],
    ["a size of 8.0 at numa.vcpu.min", vm(20, 9, byApi(3)), "2x10x2@8.0", "documented", ""],
    ["a size of 8.0 below hardware version 20", vm(19, 12, byApi(6)), "2x10x2@8.0", "unknown", "their effect on 19"],
    ["a size of 8.0 before it", vm(17, 12, byApi(1)), "2x10x2@7.0", "derived", "came with ESXi 8.0"],
    ["both sizes", vm(20, 12, byApi(6) + perNode(1)), "2x10x2@8.0", "unknown", "asks for 1"],
    ["both sizes, which are one", vm(20, 12, byApi(6) + perNode(6)), "2x10x2@8.0", "documented", ""],
    [
      "a size that followCoresPerSocket contradicts",
      vm(17, 24, sockets(2) + perNode(12) + follow),
      "2x20x2@7.0",
      "possible",
      "of the two wins",
    ],
    ["a size as large as the VM, under hot add", vm(17, 10, `${perNode(10)}vcpu.hotadd = "TRUE"`), "2x10x2@7.0", "documented", ""],
    ["a size beyond the VM, beside sockets that do not divide it", vm(17, 12, sockets(6) + perNode(16)), "2x12x2@7.0", "documented", ""],
    ["more clients than nodes", vm(17, 48, perNode(24)), "2x10x2@7.0", "unknown", "6 clients"],
    ["more clients than nodes, each a whole node by hand", vm(17, 30, perNode(10)), "2x10x2@7.0", "documented", ""],
    ["followCoresPerSocket with a core per socket", vm(17, 24, follow), "2x10x2@7.0", "possible", "whether it makes 3 clients"],
    // The API: "ESXi will consider exposing virtual NUMA".
    ["nodes beside CPU hot add", vm(20, 16, hotAdd), "2x10x2@8.0", "derived", "in spite of CPU hot add"],
    ["nodes beside CPU hot add, of some version", `numvcpus = "16"\n${hotAdd}`, "2x10x2@8.0", "possible", "the VM states none"],
    ["nodes stored for other sockets", vm(17, 36, sockets(18) + stored(9, 360022)), "2x20x2@7.0", "possible", "stored for 2"],
    ["nodes stored for sockets of a core", vm(17, 36, sockets(18) + stored(9, 360012)), "2x20x2@7.0", "possible", "for 1 core per socket"],
    ["nodes stored for wide sockets", vm(17, 36, sockets(6) + stored(9, 360182)), "2x20x2@7.0", "possible", "for 18 cores per socket"],
    ["nodes stored for these sockets", vm(17, 36, sockets(2) + stored(9, 360022)), "2x20x2@7.0", "documented", ""],
    ["nodes stored as they would be today", vm(17, 36, sockets(18) + stored(18, 360022)), "2x20x2@7.0", "documented", ""],
    ["nodes stored for sockets that are automatic now", vm(20, 36, stored(9, 360182)), "2x20x2@8.0", "derived", "stored nodes of 9"],
    [
      "nodes stored for the most vCPUs in one socket",
      vm(22, 960, sockets(960) + stored(120, 9609602)),
      "8x120x2@9.0",
      "possible",
      "stored nodes of 120",
    ],
    ["a stored size that does not divide", vm(17, 14, stored(4, 140001)), "2x20x2@7.0", "derived", "the last node takes the rest"],
    [
      "a socket larger than a node, under hot add",
      vm(17, 16, `${sockets(16)}vcpu.hotadd = "TRUE"`),
      "2x10x2@7.0",
      "possible",
      "do not fit whole",
    ],
    ["a socket larger than a node, below numa.vcpu.min", vm(13, 8, sockets(8)), "2x6x2@6.5", "possible", "do not fit whole"],
    [
      "a socket larger than a node, with a stored size",
      vm(17, 16, sockets(16) + stored(8, 160001)),
      "2x10x2@7.0",
      "possible",
      "do not fit whole",
    ],
    [
      "a spread that a socket stands against, under hot add",
      vm(17, 8, `${sockets(8)}vcpu.hotadd = "TRUE"\nnuma.consolidate = "FALSE"`),
      "4x10x2@7.0",
      "possible",
      "which nodes of 4",
    ],
    ["a size of 8.0 of no hardware version", `numvcpus = "12"\n${byApi(6)}`, "2x10x2@8.0", "derived", "the VM states none"],
    ["virtual cores of two threads", vm(20, 16, `cpuid.coresPerSocket = "4"\ncpuid.numSMT = "2"`), "2x10x2@8.0", "unknown", "numSMT = 2"],
    [
      "virtual cores of two threads on one node",
      vm(20, 8, `cpuid.coresPerSocket = "4"\ncpuid.numSMT = "2"`),
      "2x10x2@8.0",
      "unknown",
      "counts vCPUs or cores",
    ],
    ["automatic sockets of virtual cores of two threads", vm(20, 8, `cpuid.numSMT = "2"`), "2x10x2@8.0", "unknown", "with cpuid.numSMT"],
    // vSphere 8.0, Virtual Hyperthreading: neither older hosts nor older hardware versions can use it.
    ["virtual cores of two threads before 8.0", vm(17, 7, `cpuid.numSMT = "2"`), "2x20x1@7.0", "unknown", "needs ESXi 8.0"],
    ["virtual cores of two threads of older hardware", vm(19, 7, `cpuid.numSMT = "2"`), "2x20x1@8.0", "unknown", "needs ESXi 8.0"],
    // F. Denneman, AMD EPYC and vSphere vNUMA: "the optimal number of nodes greater than 1".
    ["numa.consolidate of a wide VM", vm(20, 16, `${sockets(8)}numa.consolidate = "FALSE"`), "4x10x2@8.0", "possible", "nodes of 4"],
    ["numa.consolidate of a VM as wide as the host", vm(20, 32, `${sockets(8)}numa.consolidate = "FALSE"`), "4x10x2@8.0", "documented", ""],
    ["numa.consolidate of a wide VM before 6.5", vm(10, 16, `numa.consolidate = "FALSE"`), "4x10x2@5.5", "possible", "before 6.5"],
    ["numa.consolidate beside nodes by hand", vm(17, 8, `${perNode(8)}numa.consolidate = "FALSE"`), "2x10x2@7.0", "unknown", "set size"],
    [
      "numa.consolidate beside two vCPUs by hand",
      vm(17, 2, `${perNode(2)}numa.consolidate = "FALSE"`),
      "2x10x2@7.0",
      "unknown",
      "set size",
    ],
    ["numa.consolidate of a single vCPU by hand", vm(17, 1, `${perNode(1)}numa.consolidate = "FALSE"`), "2x10x2@7.0", "documented", ""],
    [
      "numa.consolidate beside as many nodes as the host has",
      vm(17, 20, `${perNode(10)}numa.consolidate = "FALSE"`),
      "2x10x2@7.0",
      "documented",
      "",
    ],
    // vSphere 6.0, Advanced Virtual NUMA Attributes: only clients that can be scheduled "on a NUMA node at the same time".
    [
      "more clients by hand than nodes, up to 6.0",
      vm(10, 9, `numa.vcpu.maxPerMachineNode = "2"`),
      "2x10x2@5.5",
      "unknown",
      "5 clients of up to 2, more",
    ],
    ["as many clients by hand as nodes, up to 6.0", vm(10, 10, `numa.vcpu.maxPerMachineNode = "5"`), "2x10x2@5.5", "documented", ""],
    ["nodes of limited clients", vm(10, 10, `numa.vcpu.maxPerClient = "5"`), "2x10x2@5.5", "derived", "these nodes are no larger"],
    ["one node of limited clients", vm(10, 8, `numa.vcpu.maxPerClient = "4"`), "2x10x2@5.5", "documented", ""],
    // F. Denneman, AMD EPYC Naples vs Rome: "existing VMs need to have its virtual NUMA topology reset".
    ["one node stored below numa.vcpu.min", vm(17, 8, stored(8, 80001)), "2x24x2/4@7.0", "documented", ""],
    ["nodes stored below numa.vcpu.min", vm(17, 8, stored(4, 80012)), "2x24x2@7.0", "possible", "stored nodes of 4"],
    ["nodes stored below numa.vcpu.min before the sizer", vm(13, 8, stored(4, 80001)), "2x24x2@6.5 U2", "documented", ""],
    ["a share for the only node of a host without room", vm(17, 12, ""), "1x10x2@7.0", "derived", "one client for its one node"],
    ["a share for each node of a host without room", vm(17, 40, ""), "8x4x2:64@7.0", "derived", "each of 8 nodes"],
    ["shares that leave a node of a host without room", vm(17, 34, ""), "8x4x2:64@7.0", "possible", "5+5+4+4+4+4+4+4"],
    [
      "a node by preferHT that holds its VM",
      vm(10, 36, `numa.vcpu.preferHT = "TRUE"\nnuma.nodeAffinity = "0"`),
      "2x28x2@5.5",
      "documented",
      "",
    ],
    [
      "a node that holds less than its cores",
      vm(20, 16, `${sockets(8)}numa.vcpu.maxPerMachineNode = "10"\nnuma.nodeAffinity = "0"`),
      "2x20x2@8.0",
      "unknown",
      "that node holds 10 of 16 vCPUs",
    ],
    ["a node of limited clients", vm(11, 8, `numa.vcpu.maxPerClient = "4"\nnuma.nodeAffinity = "0"`), "2x20x2@6.0", "documented", ""],
    [
      "a node of limited clients, by a setting that the pages no longer have",
      vm(13, 12, `numa.vcpu.maxPerMachineNode = "6"`),
      "2x20x2@8.0",
      "derived",
      "at most 6 vCPUs per client by hand: the pages of 8.0 leave the setting out",
    ],
    // Heeded or not, a limit that a VM stays within leaves it as it is.
    ["a limit of a node that the VM reaches on 8.0", vm(13, 6, `numa.vcpu.maxPerMachineNode = "6"`), "2x20x2@8.0", "documented", ""],
    ["a limit of clients that the VM reaches on 8.0", vm(13, 6, `numa.vcpu.maxPerClient = "6"`), "2x20x2@8.0", "documented", ""],
    ["a limit of clients that the VM reaches on 4.1", vm(7, 4, `numa.vcpu.maxPerClient = "4"`), "2x10x2@4.1", "documented", ""],
    ["a raised limit of a node that holds the VM", vm(17, 10, `numa.vcpu.maxPerMachineNode = "12"`), "2x10x2@7.0", "documented", ""],
    ["a raised limit of clients, on a node that holds the VM", vm(17, 10, `numa.vcpu.maxPerClient = "12"`), "2x10x2@7.0", "documented", ""],
    // A virtual core of two threads is in one node or in none.
    [
      "a node that cuts a core of two threads",
      vm(20, 12, `${perNode(3)}cpuid.coresPerSocket = "1"\ncpuid.numSMT = "2"`),
      "4x20x2@8.0",
      "unknown",
      "3 vCPUs cuts a virtual core of 2 threads",
    ],
    [
      "cores by hand beside threads",
      vm(20, 12, `${byApi(6)}cpuid.numSMT = "2"`),
      "2x20x2@8.0",
      "unknown",
      "whether numa.vcpu.coresPerNode counts vCPUs or cores",
    ],
    [
      "exclusive cores on threads",
      vm(17, 24, `numa.vcpu.preferHT = "TRUE"\nsched.cpu.latencySensitivity = "high"`),
      "2x20x2@7.0",
      "unknown",
      "gives a client of 24 vCPUs 24 cores of its own",
    ],
    [
      "exclusive cores on all threads of a node",
      vm(17, 40, `numa.vcpu.preferHT = "TRUE"\nsched.cpu.latencySensitivity = "high"`),
      "2x20x2@7.0",
      "unknown",
      "gives a client of 40 vCPUs 40 cores of its own",
    ],
    [
      "exclusive cores on cores",
      vm(17, 20, `numa.vcpu.preferHT = "TRUE"\nsched.cpu.latencySensitivity = "high"`),
      "2x20x2@7.0",
      "documented",
      "",
    ],
    [
      "High on threads before it gave cores",
      vm(9, 24, `numa.vcpu.preferHT = "TRUE"\nsched.cpu.latencySensitivity = "high"`),
      "2x20x2@5.1",
      "documented",
      "",
    ],
    // F. Denneman, NUMA, Hyperthreading and NUMA.PreferHT, of 4.1: "a CPU scheduler wide setting"; he knows maxPerMachineNode there.
    ["preferHT of a VM before 5.0", vm(7, 8, `numa.vcpu.preferHT = "TRUE"`), "2x4x2@4.1", "unknown", "setting of the whole host"],
    ["preferHT of a VM on 5.0", vm(8, 8, `numa.vcpu.preferHT = "TRUE"`), "2x4x2@5.0", "documented", ""],
    ["preferHT of a VM before 5.0, on cores of one thread", vm(7, 8, `numa.vcpu.preferHT = "TRUE"`), "2x8x1@4.1", "documented", ""],
    ["a limit of a node in 4.1", vm(7, 8, `numa.vcpu.maxPerMachineNode = "4"`), "2x8x2@4.1", "documented", ""],
    ["a limit of a node in 4.0", vm(7, 8, `numa.vcpu.maxPerMachineNode = "4"`), "2x8x2@4.0", "unknown", "before 4.1"],
    ["a limit of clients in 4.1", vm(7, 8, `numa.vcpu.maxPerClient = "4"`), "2x8x2@4.1", "unknown", "before 5.0"],
    ["automatic sockets of one size by any rule", vm(20, 16, `numa.vcpu.preferHT = "TRUE"`), "2x20x2/2@8.0", "derived", "beyond the 10"],
    ["automatic sockets on threads", vm(20, 16, `numa.vcpu.preferHT = "TRUE"`), "2x10x2@8.0", "possible", "beyond the 10 cores of a node"],
  ])("%s", (_, text, host, certainty, words) => {
    const result = told(text, host);
    expect([result.certainty, result.words.join("; ")]).toEqual([certainty, expect.stringContaining(words)]);
  });

  test("automatic sockets of a node that several processors make", () => {
    const interleaved = { ...requireHost("2x16x2@8.0"), numaNodes: 1 };
    const certainty = (vcpus: number) => {
      const result = deriveTopology(vmOf(vm(20, vcpus)), interleaved);
      return result.ok && result.topology.certainty;
    };
    expect([certainty(16), certainty(24)]).toEqual(["documented", "possible"]);
  });

  test("a limit of clients does not let a node hold more, and the lower of two limits counts", () => {
    const capacity = (more: string) => told(vm(17, 12, more), "2x10x2@7.0").nodeCapacity;
    expect(capacity(`numa.vcpu.maxPerClient = "12"`)).toBe(10);
    expect(capacity(`numa.vcpu.maxPerClient = "12"\nnuma.vcpu.maxPerMachineNode = "6"`)).toBe(6);
    expect(capacity(`numa.vcpu.maxPerClient = "4"\nnuma.vcpu.maxPerMachineNode = "6"`)).toBe(4);
  });

  test("releases do not run hardware of desktop products or of later releases", () => {
    const starts = (version: number, host: string) => deriveTopology(vmOf(vm(version, 4)), requireHost(host)).ok;
    expect([starts(12, "2x10x2@6.0"), starts(12, "2x10x2@6.5")]).toEqual([false, true]);
    expect([starts(16, "2x10x2@6.7 U3"), starts(16, "2x10x2@7.0")]).toEqual([false, true]);
    expect([starts(23, "2x10x2@8.0"), starts(23, "2x10x2@9.0")]).toEqual([false, true]);
  });
});

describe("fixed automatic NUMA affinity of hardware version 23", () => {
  const fixed = (vcpus: number, coresPerSocket: number | "auto", host: string, hardwareVersion = 23) => {
    const settings: SettingValues = { vcpus, coresPerSocket, hardwareVersion, numaFixedAutoAffinity: true };
    const result = deriveTopology(vmOf(`numvcpus = "1"`), requireHost(host), undefined, settings);
    return result.ok ? [result.topology.vnumaNodes.join("+"), result.topology.numaClients.join("+"), result.topology.certainty] : result;
  };
  test("makes a node of each socket, or a single one", () => {
    expect(fixed(8, 4, "2x20x2@9.1")).toEqual(["4+4", "4+4", "derived"]);
    expect(fixed(16, "auto", "2x20x2@9.1")).toEqual(["16", "16", "derived"]);
    expect(fixed(40, 20, "2x20x2@9.1")).toEqual(["20+20", "20+20", "derived"]);
  });
  test("is unknown where the host has too few nodes, and on older hardware", () => {
    expect(fixed(12, 4, "2x20x2@9.1")).toEqual(["4+4+4", "4+4+4", "unknown"]);
    expect(fixed(8, 4, "2x20x2@9.0", 22)).toEqual(["4+4", "4+4", "unknown"]);
    expect(fixed(21, "auto", "2x20x2@9.1")).toEqual(["21", "21", "unknown"]);
  });
});

test("beyond the releases that sources describe, nothing is documented", () => {
  const certainties = (host: string, hardware = 20) =>
    Object.values(topologyOf(`virtualHW.version = "${hardware}"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"`, host).certainties);
  expect(certainties("2x20x2@9.0")).toEqual(["documented", "documented", "documented", "documented"]);
  for (const [host, hardware] of [["2x20x2@9.1"], ["2x20x2@10.0"], ["2x20x2@9.0", 23]] as const)
    expect(certainties(host, hardware)).toEqual(["derived", "derived", "derived", "derived"]);
});

test("a release after them says what its documentation describes", () => {
  const reasons = (host: string) => topologyOf(`virtualHW.version = "20"\nnumvcpus = "8"`, host).reasons.map(({ text }) => text);
  expect(reasons("2x20x2@9.1")).toContain("of ESXi 9.1 sources describe memory tiering, not virtual NUMA: vmlint takes the layout of 9.0");
  expect(reasons("2x20x2@10.0")).toContain("no source describes this release: vmlint takes the layout of 9.0");
  expect(reasons("2x20x2@9.0").join()).not.toContain("takes the layout");
});

test("only followCoresPerSocket, and sockets that make no nodes, leave the clients of a VM without room open", () => {
  const isOpen = (more: string) =>
    topologyOf(`virtualHW.version = "19"\nnumvcpus = "20"\n${more}`, "2x4x2@7.0").reasons.some(({ text }) =>
      text.startsWith("followCoresPerSocket and more vCPUs"),
    );
  const follow = `numa.vcpu.followcorespersocket = "1"`;
  const two = `${follow}\ncpuid.coresPerSocket = "2"`;
  expect([isOpen(""), isOpen(follow), isOpen(two), isOpen(`${two}\nvcpu.hotadd = "TRUE"`)]).toEqual([false, true, false, true]);
});

test("1,024 vCPUs are too many for the known hardware versions, and may start on a later one", () => {
  const result = (hardware: number) => {
    const one = deriveTopology(vmOf(`virtualHW.version = "${hardware}"\nnumvcpus = "1024"`), requireHost("8x128x2@9.1"));
    return one.ok ? one.topology.certainty : one.because;
  };
  expect([result(22), result(23)]).toEqual(["no-power-on", "derived"]);
});
