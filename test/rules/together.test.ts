import { lint, type Rule, requireHost, rules, type Target, type Workload } from "@vmlint/core";
import { type CheckedFile, checkAcrossVms, hostedVms, isCrossVm } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { yaml } from "../../packages/core/src/formats/yaml/yaml.ts";

const ruleOf = (id: string): Rule => {
  const rule = rules.find((candidate) => candidate.id === id);
  if (!rule) throw new Error(id);
  return rule;
};

const DATABASE: Workload = { kind: "mssql" };

interface Vm {
  readonly text: string;
  readonly workload?: Workload | undefined;
  readonly path?: string;
}

/** Returns the findings of the cross-VM rules for VMs on one host, file by file. */
function together(vms: readonly Vm[], { host = "dl580g7", only }: { host?: string; only?: string } = {}) {
  const checked = only === undefined ? rules.filter(isCrossVm) : [ruleOf(only)];
  const files = vms.map(({ text, workload, path }, i) => {
    const target = { host: requireHost(host), machine: "one", ...(workload && { workload }) };
    const result = lint(text, { rules: checked, target });
    return { ...result, path: path ?? `${String(i).padStart(3, "0")}.vmx`, hostedVms: hostedVms()(result.vms) };
  });
  return checkAcrossVms(files, checked);
}

function said(vms: readonly Vm[], options: { host?: string; only?: string } = {}) {
  const files = together(vms, options);
  return {
    found: files.flatMap(({ path, diagnostics }) => diagnostics.map((d) => ({ ...d, path }))),
    skipped: files.flatMap(({ skipped }) => skipped.map(({ ruleId, reason }) => `${ruleId} ${reason}`)),
  };
}

const ids = (vms: readonly Vm[], options: { host?: string; only?: string } = {}) =>
  said(vms, options).found.map(({ ruleId, messageId, severity }) => `${ruleId} ${messageId} ${severity}`);

const equal = (count: number, vcpus: number, workload: Workload | undefined = DATABASE): Vm[] =>
  Array.from({ length: count }, () => ({ text: `virtualHW.version = "10"\nnumvcpus = "${vcpus}"`, workload }));

const OVERCOMMIT = { only: "host/overcommit" };
const MIX = { only: "host/unbalanced-mix" };
const OVERLAP = { only: "affinity/overlap" };
const EXCLUSIVE = { only: "latency/exclusive-cores-exceed" };

describe("the configurations of the SQL Server study, table 2 (4 x 10 cores, 80 threads)", () => {
  const cores = "host/overcommit cores info";
  test.each<[string, number, number, readonly string[]]>([
    ["8 x 8: 493,804", 8, 8, [cores]],
    ["9 x 8: 473,267, VMs move between sockets", 9, 8, [cores, "host/unbalanced-mix uneven hint"]],
    ["4 x 16: 467,076", 4, 16, [cores]],
    ["5 x 16: 464,883", 5, 16, [cores, "host/unbalanced-mix uneven hint"]],
    ["2 x 32: 407,401", 2, 32, [cores]],
    ["3 x 32: 424,860, balanced, and each VM slower", 3, 32, ["host/overcommit threads warning"]],
    ["1 x 64: alone", 1, 64, []],
    ["4 x 10: what the host has", 4, 10, []],
    ["8 x 10: the study's optimum, not run", 8, 10, [cores]],
  ])("%s", (_, count, vcpus, expected) => {
    expect(ids(equal(count, vcpus))).toEqual(expected);
  });

  test("the sentence and the data contain the numbers, and name all other VMs with their files", () => {
    const { found } = said(equal(9, 8), OVERCOMMIT);
    expect(found).toMatchObject([
      { path: "000.vmx", data: { vms: 9, vcpus: 72, cores: 40, threads: 80, atLeast: false }, range: [37, 38], fixes: [] },
    ]);
    expect(found[0]?.message).toContain("72 vCPUs on this host's 40 cores (80 threads)");
    expect(found[0]?.related.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((i) => `00${i}.vmx`));
  });

  test("9 x 8: a finding for an even split on hyper-threads only", () => {
    expect(said(equal(9, 8), MIX).found).toMatchObject([{ data: { clients: 9, clientVcpus: 8, nodes: 4, below: 8, above: null } }]);
    expect(said(equal(17, 4), MIX).found).toMatchObject([{ data: { clients: 17, below: 16, above: 20 } }]);
  });
});

describe("host/unbalanced-mix", () => {
  const uneven = ["host/unbalanced-mix uneven hint"];
  test.each<[string, number, number, string, readonly string[]]>([
    ["48 of 60 threads are four fifths: there is room", 4, 12, "3x10x2:512@6.0", []],
    ["60 of 60 threads, 10 clients on 3 nodes", 5, 12, "3x10x2:512@6.0", uneven],
    ["5 clients on 4 nodes, half of the threads", 5, 8, "dl580g7", []],
    ["5 clients on 2 nodes, all threads", 5, 8, "2x10x2:512@6.0", uneven],
    ["4 clients on 2 nodes, four fifths", 4, 8, "2x10x2:512@6.0", []],
    ["one node has nothing to balance", 3, 10, "1x16x2:256@6.0", []],
    ["2 VMs of 3 clients each on 4 nodes", 2, 30, "4x10x1:512@6.5", uneven],
    ["clients of two sizes: 8+8+6 each", 3, 22, "4x10x2:512@6.5", []],
  ])("%s", (_, count, vcpus, host, expected) => {
    expect(ids(equal(count, vcpus), { ...MIX, host })).toEqual(expected);
  });
});

describe("host/overcommit", () => {
  test.each<[number, number, readonly string[]]>([
    [20, 19, []],
    [20, 20, []],
    [20, 21, ["host/overcommit cores info"]],
    [40, 40, ["host/overcommit cores info"]],
    [40, 41, ["host/overcommit threads warning"]],
  ])("%i + %i vCPUs on 40 cores, 80 threads", (a, b, expected) => {
    expect(ids([...equal(1, a), ...equal(1, b)], OVERCOMMIT)).toEqual(expected);
  });

  test("without hyper-threading the cores are the threads", () => {
    expect(ids(equal(2, 20), { ...OVERCOMMIT, host: "4x10x1@5.5" })).toEqual([]);
    expect(ids(equal(3, 20), { ...OVERCOMMIT, host: "4x10x1@5.5" })).toEqual(["host/overcommit threads warning"]);
  });

  test("lightly loaded VMs are not counted, in any number", () => {
    expect(said([...equal(100, 8, { kind: "general" }), ...equal(40, 4, { kind: "vdi" })], OVERCOMMIT)).toEqual({ found: [], skipped: [] });
    expect(ids([...equal(100, 8, { kind: "general" }), ...equal(2, 20)], OVERCOMMIT)).toEqual([]);
  });

  test("VMs without a declared workload might be databases: skipped if that decides it", () => {
    const undeclared = (count: number, vcpus: number): Vm[] => equal(count, vcpus).map(({ text }) => ({ text }));
    expect(said(undeclared(9, 8), OVERCOMMIT)).toEqual({ found: [], skipped: ["host/overcommit no-workload"] });
    expect(said(undeclared(5, 8), OVERCOMMIT)).toEqual({ found: [], skipped: [] });
    expect(ids([...undeclared(9, 8), ...equal(2, 21)], OVERCOMMIT)).toEqual(["host/overcommit cores info"]);
    expect(said([...undeclared(1, 21), ...equal(1, 20)], OVERCOMMIT)).toEqual({ found: [], skipped: ["host/overcommit no-workload"] });
    expect(said([...equal(1, 64), ...equal(1, 8, { kind: "general" })], OVERCOMMIT)).toEqual({ found: [], skipped: [] });
  });

  test("latency-critical VMs count with databases", () => {
    expect(said([...equal(1, 20), ...equal(1, 21, { kind: "latency" })], OVERCOMMIT).found).toMatchObject([
      { data: { vms: 2, vcpus: 41 } },
    ]);
  });

  test("a VM of unknown size is never guessed: the sum is a minimum, or the check is skipped", () => {
    const template: Vm = { text: `numvcpus = "{{ n }}"`, workload: DATABASE };
    expect(said([...equal(2, 20), template], OVERCOMMIT)).toEqual({ found: [], skipped: ["host/overcommit unknown-value"] });
    const { found } = said([...equal(2, 21), template], OVERCOMMIT);
    expect(found).toMatchObject([{ data: { vms: 2, vcpus: 42, atLeast: true } }]);
    expect(found[0]?.message).toContain("at least 42 vCPUs");
    expect(said([template, template], OVERCOMMIT)).toEqual({ found: [], skipped: ["host/overcommit unknown-value"] });
  });

  test("a file of Workstation runs on no ESXi host", () => {
    const hosted: Vm = { text: `numvcpus = "30"\nethernet0.connectionType = "nat"`, workload: DATABASE };
    expect(said([...equal(2, 20), hosted], OVERCOMMIT)).toEqual({ found: [], skipped: ["host/overcommit other-platform"] });
  });

  test("a file without a vCPU count has one", () => {
    expect(
      said([...equal(2, 20), { text: `virtualHW.version = "10"\ndisplayName = "a"`, workload: DATABASE }], OVERCOMMIT).found,
    ).toMatchObject([{ data: { vcpus: 41 } }]);
  });

  const sizes = fc.array(fc.record({ vcpus: fc.integer({ min: 1, max: 64 }), busy: fc.boolean() }), { minLength: 2, maxLength: 12 });
  const vmsOf = (list: readonly { vcpus: number; busy: boolean }[]): Vm[] =>
    list.flatMap(({ vcpus, busy }) => equal(1, vcpus, { kind: busy ? "mssql" : "general" }));

  test("property: the total is the sum of the databases, and the limits are the host's", () => {
    fc.assert(
      fc.property(sizes, (list) => {
        const busy = list.filter((vm) => vm.busy);
        const vcpus = busy.reduce((sum, vm) => sum + vm.vcpus, 0);
        const { found } = said(vmsOf(list), OVERCOMMIT);
        if (busy.length < 2 || vcpus <= 40) expect(found).toEqual([]);
        else expect(found).toMatchObject([{ messageId: vcpus > 80 ? "threads" : "cores", data: { vcpus, vms: busy.length } }]);
      }),
    );
  });

  test("property: one more VM never removes a finding", () => {
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 1, max: 64 }),
        fc.constantFrom<(Workload | undefined)[]>(DATABASE, { kind: "general" }, undefined),
        (list, vcpus, workload) => {
          const before = said(vmsOf(list), OVERCOMMIT).found.length;
          const more: Vm = { text: `numvcpus = "${vcpus}"`, workload };
          expect(said([...vmsOf(list), more], OVERCOMMIT).found.length).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });
});

describe("host/unbalanced-mix", () => {
  test.each<[string, number, number, string, number]>([
    ["64 of 80 logical CPUs is 80 %: not full", 16, 4, "dl580g7", 0],
    ["68 of 80", 17, 4, "dl580g7", 1],
    ["even: a multiple of the nodes", 20, 4, "dl580g7", 0],
    ["one node", 9, 8, "1x40x2@5.5", 0],
    ["fewer clients than nodes leave each a node of its own", 7, 11, "8x11x1@5.5", 0],
    ["9 clients of 8 on 8 nodes", 9, 8, "8x10x1@5.5", 1],
  ])("%s", (_, count, vcpus, host, expected) => {
    expect(ids(equal(count, vcpus), { ...MIX, host })).toHaveLength(expected);
  });

  test("VMs of other sizes or other work may fill the nodes evenly", () => {
    expect(ids([...equal(9, 8), ...equal(1, 2)], MIX)).toEqual([]);
    expect(ids([...equal(9, 8), ...equal(1, 16)], MIX)).toEqual([]);
    expect(ids([...equal(8, 8), ...equal(1, 8, { kind: "general" })], MIX)).toEqual([]);
  });

  test("on a host of one node nothing is missing", () => {
    expect(said(equal(9, 8), { ...MIX, host: "1x16x2" })).toEqual({ found: [], skipped: [] });
  });

  test("a VM without the facts it needs is skipped", () => {
    const undeclared = equal(9, 8).map(({ text }) => ({ text }));
    expect(said(undeclared, MIX)).toEqual({ found: [], skipped: ["host/unbalanced-mix no-workload"] });
    const bySocket = equal(5, 16).map((vm) => ({ ...vm, text: `${vm.text}\ncpuid.coresPerSocket = "2"` }));
    const wide = said(bySocket, { ...MIX, host: "4x10x2" });
    expect(wide).toEqual({ found: [], skipped: ["host/unbalanced-mix no-esxi-version"] });
    expect(said([...equal(9, 8), { text: `numvcpus = "{{ n }}"` }], MIX)).toEqual({
      found: [],
      skipped: ["host/unbalanced-mix unknown-value"],
    });
  });

  test("a layout that every release has needs no release", () => {
    expect(said(equal(9, 8), { ...MIX, host: "4x10x2" })).toMatchObject({ found: [{ messageId: "uneven" }], skipped: [] });
  });

  test("pinned VMs are not the NUMA scheduler's to move", () => {
    const [pinned, ...others] = equal(9, 8);
    expect(ids([{ ...pinned, text: `${pinned?.text}\nsched.cpu.affinity = "0-19"` }, ...others], MIX)).toEqual([]);
  });
});

describe("numa/prefer-ht-cpu-bound", () => {
  const PREFERHT = { only: "numa/prefer-ht-cpu-bound" };
  const preferring = (vcpus: number, workload: Workload | undefined = DATABASE): Vm => ({
    text: `numvcpus = "${vcpus}"\nnuma.vcpu.preferHT = "TRUE"`,
    workload,
  });
  const undeclared = (vcpus: number): Vm => ({ text: `numvcpus = "${vcpus}"` });

  test.each<[string, Vm[], string, readonly string[]]>([
    ["12 and 8 vCPUs on 20 cores", [preferring(12), ...equal(1, 8)], "2x10x2@7.0", []],
    ["12 and 9", [preferring(12), ...equal(1, 9)], "2x10x2@7.0", ["packed"]],
    ["10 fit a node", [preferring(10), ...equal(1, 11)], "2x10x2@7.0", []],
    ["a host without hyper-threading has nothing to pack", [preferring(12), ...equal(1, 9)], "2x10x1@7.0", []],
    ["a lone busy VM has the other threads for itself", [preferring(24), ...equal(1, 8, { kind: "general" })], "2x10x2@7.0", []],
    ["an undeclared one may be busy", [preferring(12), undeclared(9)], "2x10x2@7.0", ["? no-workload"]],
    ["and not matter", [preferring(12), undeclared(8)], "2x10x2@7.0", []],
    ["without preferHT nothing is lacking", [...equal(1, 12), undeclared(9)], "2x10x2@7.0", []],
  ])("%s", (_, vms, host, expected) => {
    const { found, skipped } = said(vms, { ...PREFERHT, host });
    expect([...found.map(({ messageId }) => messageId), ...skipped.map((text) => text.replace(/^\S+/, "?"))]).toEqual(expected);
  });

  test("the finding lists all busy VMs", () => {
    const { found } = said([...equal(1, 9), preferring(12), ...equal(1, 8, { kind: "general" })], { ...PREFERHT, host: "2x10x2@7.0" });
    expect(found.map(({ path, related }) => [path, related.map((other) => other.path)])).toEqual([["001.vmx", ["000.vmx"]]]);
  });
});

describe("affinity/overlap", () => {
  const pinned = (name: string, vcpus: number, list: string): Vm => ({
    text: `displayName = "${name}"\nnumvcpus = "${vcpus}"\nsched.cpu.affinity = "${list}"`,
  });

  test.each<[string, string, string, string[]]>([
    ["cores apart", "0,2,4,6", "8,10,12,14", []],
    ["one logical CPU in common", "0,2,4,6", "6,8,10,12", ["same"]],
    ["one core in common", "0,2,4,6", "7,8,10,12", ["siblings"]],
    ["side by side", "0-7", "8-15", []],
    ["the same list", "0-7", "0-7", ["same"]],
    ["the same list with a core for every vCPU", "0-15", "0-15", []],
    ["numbers the host does not have", "80-87", "80-87", []],
  ])("4 + 4 vCPUs: %s", (_, a, b, expected) => {
    expect(said([pinned("a", 4, a), pinned("b", 4, b)], OVERLAP).found.map(({ messageId }) => messageId)).toEqual(expected);
  });

  test.each([
    [3, 4, 0],
    [4, 4, 0],
    [4, 5, 1],
  ])("%i + %i vCPUs on the same 8 cores", (a, b, expected) => {
    expect(ids([pinned("a", a, "0-15"), pinned("b", b, "0-15")], OVERLAP)).toHaveLength(expected);
  });

  test("three VMs that fit two by two and not together", () => {
    const { found } = said([pinned("a", 3, "0-15"), pinned("b", 3, "0-15"), pinned("c", 3, "0-15")], OVERLAP);
    expect(found).toMatchObject([{ path: "002.vmx", data: { vm: "c", others: ["a", "b"], pcpus: 16, vcpus: 9, cores: 8 } }]);
  });

  test("an overlap caused by one VM names only that VM", () => {
    const { found } = said([pinned("a", 4, "0-7"), pinned("b", 1, "4-15"), pinned("c", 2, "0-7")], OVERLAP);
    expect(found).toMatchObject([{ path: "002.vmx", data: { vm: "c", others: ["a"], vcpus: 6, cores: 4 } }]);
  });

  test("each VM is named once, in the later file, and the earlier ones are shown", () => {
    const { found } = said([pinned("a", 2, "0-3"), pinned("b", 2, "0-3"), pinned("c", 2, "0-3")], OVERLAP);
    expect(found.map(({ path, related }) => [path, related.map((other) => other.path)])).toEqual([
      ["001.vmx", ["000.vmx"]],
      ["002.vmx", ["000.vmx", "001.vmx"]],
    ]);
    expect(found[1]?.message).toContain("c is pinned to 4 logical CPUs of a and b:");
    const five = ["a", "b", "c", "d", "e"].map((name) => pinned(name, 2, "0-3"));
    const others = said(five, OVERLAP).found.map(({ message }) => /CPUs of (.*?):/.exec(message)?.[1]);
    expect(others).toEqual(["a", "a and b", "a, b and c", "a, b, c and 1 more"]);
  });

  test("without hyper-threading neighbours are cores of their own", () => {
    expect(ids([pinned("a", 4, "0,2,4,6"), pinned("b", 4, "1,3,5,7")], { ...OVERLAP, host: "4x10x1@5.5" })).toEqual([]);
  });

  test("a list of the whole host, and no list, pin a VM to nothing", () => {
    expect(ids([pinned("a", 40, "0-79"), pinned("b", 8, "0-7"), ...equal(2, 64)], OVERLAP)).toEqual([]);
  });

  test("a list from a template is skipped, and findings about all other lists remain", () => {
    const template = pinned("t", 4, "{{ cpus }}");
    expect(said([pinned("a", 4, "0-7"), pinned("b", 4, "0-7"), template], OVERLAP)).toMatchObject({
      found: [{ messageId: "same" }],
      skipped: ["affinity/overlap unknown-value"],
    });
  });

  test("property: lists without a common core are not reported, and equal lists with too few cores are", () => {
    const list = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { minLength: 1, maxLength: 39 });
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 39 }), (cores, cut) => {
        const names = (some: readonly number[]) => some.map((core) => core * 2).join(",");
        const [a, b] = [cores.slice(0, cut), cores.slice(cut)];
        if (b.length > 0) expect(ids([pinned("a", a.length, names(a)), pinned("b", b.length, names(b))], OVERLAP)).toEqual([]);
        expect(ids([pinned("a", cores.length, names(cores)), pinned("b", 1, names(cores))], OVERLAP)).toHaveLength(1);
      }),
    );
  });
});

describe("latency/exclusive-cores-exceed", () => {
  const high = (vcpus: number, more = ""): Vm => ({ text: `numvcpus = "${vcpus}"\nsched.cpu.latencySensitivity = "high"\n${more}` });
  const VHT = 'cpuid.numSMT = "2"';

  test.each<[string, Vm[], string, number | undefined]>([
    ["39", [high(20), high(19)], "dl580g7", undefined],
    ["40", [high(20), high(20)], "dl580g7", undefined],
    ["41", [high(20), high(21)], "dl580g7", 41],
    ["virtual hyper-threading halves it", [high(48, VHT), high(24)], "r640", undefined],
    ["an odd vCPU takes a whole core", [high(49, VHT), high(24)], "r640", 49],
    ["others do not count", [high(40), ...equal(10, 8)], "dl580g7", undefined],
    ["a lone one is no matter of several", [high(41), ...equal(1, 8)], "dl580g7", undefined],
    ["before 5.5 High gives no cores", [high(20), high(21)], "4x10x2@5.1", undefined],
  ])("%s", (_, vms, host, needed) => {
    const { found, skipped } = said(vms, { ...EXCLUSIVE, host });
    expect([found.map(({ severity, data }) => [severity, data.needed]), skipped]).toEqual([needed ? [["error", needed]] : [], []]);
  });

  test("a VM without the facts it needs is skipped", () => {
    expect(said([high(20), high(21)], { ...EXCLUSIVE, host: "4x10x2" })).toEqual({
      found: [],
      skipped: ["latency/exclusive-cores-exceed no-esxi-version"],
    });
    const template: Vm = { text: `numvcpus = "{{ n }}"\nsched.cpu.latencySensitivity = "high"` };
    expect(said([high(20), high(20), template], EXCLUSIVE).skipped).toEqual(["latency/exclusive-cores-exceed unknown-value"]);
    expect(said([high(20), high(21), template], EXCLUSIVE).found[0]?.message).toContain("need at least 41 exclusive cores");
  });
});

describe("a VM with unknown settings", () => {
  const PACKED = { only: "numa/prefer-ht-cpu-bound", host: "2x10x2@7.0" };
  const packed: Vm = { text: `numvcpus = "12"\nnuma.vcpu.preferHT = "TRUE"`, workload: DATABASE };

  test("counts with its vCPUs where its preferHT does not matter", () => {
    const unknown: Vm = { text: `numvcpus = "12"\nnuma.vcpu.preferHT = "{{ x }}"`, workload: DATABASE };
    expect(said([packed, unknown], PACKED)).toMatchObject({
      found: [{ ruleId: "numa/prefer-ht-cpu-bound", path: "000.vmx", data: { busyVcpus: 24, atLeast: false } }],
      skipped: ["numa/prefer-ht-cpu-bound unknown-value"],
    });
  });
  test("has a layout where unknown CPU hot add does not change its NUMA clients", () => {
    const unknown: Vm = { text: `${equal(1, 8)[0]?.text}\nvcpu.hotadd = "{{ x }}"`, workload: DATABASE };
    expect(said([...equal(8, 8), unknown], MIX).found).toMatchObject([{ messageId: "uneven", data: { vms: 9 } }]);
  });
});

describe("machines", () => {
  const lone = (path: string, text: string, target: object) => {
    const result = lint(text, { target: { host: requireHost("dl580g7"), workload: DATABASE, ...target } });
    return { ...result, path, hostedVms: hostedVms()(result.vms) };
  };
  const big = `virtualHW.version = "10"\nnumvcpus = "40"`;
  const reasons = (files: readonly CheckedFile[]) =>
    checkAcrossVms(files).flatMap(({ skipped }) =>
      skipped.filter(({ ruleId }) => ruleId === "host/overcommit").map(({ reason }) => reason),
    );
  const found = (files: readonly CheckedFile[]) =>
    checkAcrossVms(files).flatMap(({ path, diagnostics }) =>
      diagnostics.filter(({ ruleId }) => ruleId === "host/overcommit").map(({ severity }) => `${path} ${severity}`),
    );

  test("a rule that throws is a skipped check of the first file, and other rules run", () => {
    const fail = () => {
      throw new Error("odd");
    };
    const odd: Rule = { ...ruleOf("host/unbalanced-mix"), checkHost: fail };
    const inCluster = { machine: "m", otherHosts: [requireHost("r640")] };
    const oddInCluster: Rule = { ...ruleOf("affinity/node-overlap"), over: "vm", checkHost: fail };
    const skips = (files: readonly CheckedFile[], rule: Rule) =>
      checkAcrossVms(files, [rule, ruleOf("host/overcommit")]).map(({ path, diagnostics, skipped }) => [
        path,
        diagnostics.map(({ ruleId }) => ruleId).filter((id) => id === "host/overcommit"),
        skipped.flatMap(({ ruleId, reason, fault = "" }) => (reason === "rule-failed" ? [ruleId, /odd/.test(fault)] : [])),
      ]);
    const expected = (id: string) => [
      ["a", ["host/overcommit"], [id, true]],
      ["b", [], []],
    ];
    expect(skips([lone("b", big, { machine: "m" }), lone("a", big, { machine: "m" })], odd).sort()).toEqual(expected(odd.id));
    const near = `${big}\nnuma.nodeAffinity = "0"`;
    expect(skips([lone("a", near, inCluster), lone("b", near, inCluster)], oddInCluster)).toEqual(expected(oddInCluster.id));
  });

  test("the same host is not the same machine: skipped checks are counted once", () => {
    const files = ["a", "b", "c"].map((path) => lone(path, big, {}));
    expect([found(files), reasons(files)]).toEqual([[], ["placement-unknown"]]);
  });

  test("more VMs than ESXi runs on one machine are a cluster: nothing is counted, unless they are declared", () => {
    const { vms, diagnostics } = lint(big, { target: { host: requireHost("dl580g7"), workload: DATABASE }, rules: [] });
    const [vm] = vms;
    if (!vm) throw new Error("no VM");
    const run = (count: number, machine?: string) => {
      const place = hostedVms();
      const one = machine === undefined ? vm : { ...vm, target: { ...vm.target, machine } };
      const files = Array.from({ length: count }, (_, i) => ({ path: `${i}.vmx`, diagnostics, skipped: [], hostedVms: place([one]) }));
      return [files.filter(({ hostedVms }) => hostedVms.length > 0).length, found(files), reasons(files)];
    };
    expect(run(1024)).toEqual([1024, [], ["placement-unknown"]]);
    expect(run(1025)).toEqual([1025, [], []]);
    expect(run(3000)).toEqual([1025, [], []]);
    expect(run(1025, "m")).toEqual([1025, ["0.vmx warning"], []]);
  });

  test("VMs of two machines are not added up", () => {
    const files = ["a", "b"].map((path) => lone(path, big, { machine: path }));
    expect(checkAcrossVms(files)).toEqual(files);
  });

  test("a machine with one VM, and VMs on different hosts, cause no finding", () => {
    const files = [lone("a", big, {}), lone("b", big, { host: requireHost("4x10x2@5.5") })];
    expect(checkAcrossVms(files)).toEqual(files);
  });

  test("the severity is that of the VM with the finding; a VM with the rule turned off is not counted", () => {
    const severity = (level: string) => ({ machine: "m", severities: { "host/overcommit": level } });
    const on = { machine: "m" };
    expect(found([lone("a", big, severity("error")), lone("b", big, on)])).toEqual(["a error"]);
    expect(found([lone("a", big, severity("off")), lone("b", big, on)])).toEqual([]);
    expect(found([lone("a", big, severity("off")), lone("b", big, on), lone("c", big, on)])).toEqual(["b info"]);
  });

  test("a VM is skipped if the rule is off for its only neighbour", () => {
    const text = `virtualHW.version = "10"\nnumvcpus = "36"\nnuma.vcpu.maxPerMachineNode = "6"`;
    const uneven = (severities: object) => {
      const host = requireHost("4x10x1@5.5");
      const files = [lone("a", text, { machine: "m", host }), lone("b", text, { machine: "m", host, severities })];
      return checkAcrossVms(files).flatMap(({ path, diagnostics }) =>
        diagnostics.filter(({ ruleId }) => ruleId === "host/unbalanced-mix").map(() => path),
      );
    };
    expect(uneven({ "host/unbalanced-mix": "off" })).toEqual([]);
  });

  test("a disk with an I/O filter is not counted if the rule is off for all VMs except its own", () => {
    const spec = `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec: { vcpus: 64, disks: [{ bus: "scsi0:0", ioFilters: [cache] }] }\n`;
    const counted = (severities: NonNullable<Target["severities"]>) => {
      const files = ["a", "b"].map((path, i) => {
        const target = { host: requireHost("dl580g7"), machine: "m", ...(i === 1 && { severities }) };
        const result = lint(spec, { target, format: yaml });
        return { ...result, path, hostedVms: hostedVms()(result.vms) };
      });
      return checkAcrossVms(files, [ruleOf("storage/io-filter-overcommit")]).flatMap(({ diagnostics }) =>
        diagnostics.filter(({ ruleId }) => ruleId === "storage/io-filter-overcommit").map(({ data }) => data.vms),
      );
    };
    expect(counted({})).toEqual([2]);
    expect(counted({ "storage/io-filter-overcommit": "off" })).toEqual([]);
  });

  test("property: the order of the files does not matter", () => {
    const vm = fc.record({
      vcpus: fc.integer({ min: 1, max: 40 }),
      first: fc.integer({ min: 0, max: 20 }),
      kind: fc.constantFrom("mssql", "general", "latency"),
      pinned: fc.boolean(),
      high: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(vm, { minLength: 2, maxLength: 8 }), fc.infiniteStream(fc.integer()), (list, keys) => {
        const vms = list.map(({ vcpus, first, kind, pinned, high }, i): Vm => {
          const affinity = pinned ? `sched.cpu.affinity = "${first}-${first + vcpus - 1}"\n` : "";
          const latency = high ? `sched.cpu.latencySensitivity = "high"\n` : "";
          return { path: `${i}.vmx`, text: `numvcpus = "${vcpus}"\n${affinity}${latency}`, workload: { kind: kind as "mssql" } };
        });
        const shuffled = vms.map((one) => [keys.next().value, one] as const).sort(([a], [b]) => a - b);
        const byPath = (files: ReturnType<typeof together>) =>
          [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, diagnostics, skipped }) => ({ path, diagnostics, skipped }));
        expect(byPath(together(shuffled.map(([, one]) => one)))).toEqual(byPath(together(vms)));
      }),
    );
  });
});

test("a task that changes a VM is not a second VM, nor is its final size known", () => {
  const task = (vcpus: number, more = "") => `- vmware_guest: { name: a, ${more}hardware: { num_cpus: ${vcpus}, memory_mb: 1024 } }\n`;
  const text = task(48, "guest_id: g, ") + task(64);
  const target: Target = { host: requireHost("dl580g7"), machine: "one", workload: DATABASE };
  const checked = [ruleOf("host/overcommit")];
  const { diagnostics, skipped } = lint(text, { format: yaml, rules: checked, target });
  expect([diagnostics, skipped]).toEqual([[], [{ ruleId: "host/overcommit", reason: "unknown-value", input: { cause: "existing" } }]]);
});

describe("a VM that several formats describe", () => {
  const vmx = (vcpus: number, name = "a") => `displayName = "${name}"\nnumvcpus = "${vcpus}"`;
  const task = (vcpus: number | string, name = "a") =>
    `- vmware_guest: { name: ${name}, guest_id: g, hardware: { num_cpus: ${vcpus}, memory_mb: 1024 } }\n`;
  const checked = [ruleOf("host/overcommit")];
  const of = (...texts: string[]) => {
    const files = texts.map((text, i) => {
      const target: Target = { host: requireHost("dl580g7"), machine: "one", workload: DATABASE };
      const result = lint(text, { rules: checked, target, ...(text.startsWith("-") && { format: yaml }) });
      return { ...result, path: `${i}`, hostedVms: hostedVms()(result.vms) };
    });
    const all = checkAcrossVms(files, checked);
    return {
      found: all.flatMap(({ diagnostics }) => diagnostics.map(({ data }) => [data.vms, data.vcpus])),
      skipped: all.reduce((sum, { skipped }) => sum + skipped.length, 0),
    };
  };
  test.each<[string, readonly string[], readonly (readonly number[])[], number]>([
    ["counts once", [vmx(30), task(30)], [], 0],
    ["counts once beside another", [vmx(30), task(30), vmx(30, "b")], [[2, 60]], 0],
    ["counts as what is known of it", [vmx(30), task('"{{ n }}"'), vmx(30, "b")], [[2, 60]], 0],
    ["is not known where they disagree", [vmx(30), task(40), vmx(30, "b"), vmx(30, "c")], [[2, 60]], 1],
    ["counts where one leaves out what its format has as default", ['displayName = "a"', task(1), vmx(60, "b")], [[2, 61]], 0],
    ["is two where one format does so twice", [vmx(30), vmx(30), task(30)], [[2, 60]], 0],
  ])("%s", (_, texts, found, skipped) => {
    expect(of(...texts)).toEqual({ found, skipped });
  });
});

test("VMs of a cluster are compared across its machines, and once if they share one", () => {
  const hosts = ["r640", "r930"].map((name) => requireHost(name));
  const check = (machines: readonly string[]) => {
    const files = machines.map((machine, i) => {
      const text = `displayName = "vm-${i}"\nnumvcpus = "16"\nnuma.nodeAffinity = "0"`;
      const result = lint(text, { target: { host: hosts[0] as never, otherHosts: hosts.slice(1), machine } });
      return { ...result, path: `${i}.vmx`, hostedVms: hostedVms()(result.vms) };
    });
    return checkAcrossVms(files).flatMap(({ diagnostics }) =>
      diagnostics.flatMap(({ ruleId, messageId, data }) => (ruleId === "affinity/node-overlap" ? [[messageId, data]] : [])),
    );
  };
  expect(check(["one", "two"])).toMatchObject([["clusterCores", { vms: ["vm-0", "vm-1"], nodes: [0], vcpus: 32, cores: 22 }]]);
  expect(check(["one", "one"])).toMatchObject([["cores", { vcpus: 32, cores: 24 }]]);
});
