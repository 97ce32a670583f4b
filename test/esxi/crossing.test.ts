import { deriveTopology, type HostModel, requireHost, type SettingName } from "@vmlint/core";
import { esxi, possibleTopologies } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vmOf } from "../support/sample-vm.ts";
import { MOST_OPEN_VCPUS, missingLayouts, moreValuesFor, type OpenVm, SMALL_HOSTS, valuesFor } from "./invariants.ts";

const anyVm: fc.Arbitrary<OpenVm> = fc
  .record({ host: fc.constantFrom(...SMALL_HOSTS), vcpus: fc.integer({ min: 1, max: MOST_OPEN_VCPUS }) })
  .chain(({ host, vcpus }) => {
    const values = { ...valuesFor(vcpus), ...moreValuesFor(vcpus, host) };
    const names = Object.keys(values) as SettingName[];
    const settings = Object.fromEntries(names.map((name) => [name, fc.constantFrom(...(values[name] ?? []))]));
    return fc.record({
      host: fc.constant(host),
      vcpus: fc.constant(vcpus),
      stated: fc.record(settings, { requiredKeys: [] }),
      open: fc.subarray(names, { maxLength: 2 }),
    });
  });

test("the list of layouts is what each value of the open settings and each answer to each question make (npm run modelcheck takes all pairs)", () => {
  let compared = 0;
  fc.assert(
    fc.property(anyVm, (vm) => {
      const missing = missingLayouts(vm);
      expect(missing ?? []).toEqual([]);
      if (missing) compared++;
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(100);
});

describe("questions that were answered one by one are crossed", () => {
  const layouts = (text: string, host: HostModel) => {
    const result = possibleTopologies(vmOf(text), host);
    return result.ok && [...new Set(result.cases.map(({ topology: t }) => `${t.vnumaNodes.join("+")} on ${t.numaClients.join("+")}`))];
  };
  const host = (sockets: number, cores: number, release = esxi(8, 0)): HostModel => ({
    name: "",
    sockets,
    coresPerSocket: cores,
    threadsPerCore: 2,
    numaNodes: sockets,
    esxi: release,
  });
  test("hot add and the smaller of three clients", () => {
    expect(layouts('numvcpus = "22"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"', host(4, 10))).toEqual([
      "8+8+6 on 8+8+6",
      "22 on 8+8+6",
      "8+7+7 on 8+7+7",
      "22 on 8+7+7",
    ]);
  });
  test("hot add and a size that does not divide", () => {
    const text = 'virtualHW.version = "19"\nnumvcpus = "20"\nvcpu.hotadd = "TRUE"\nnuma.vcpu.maxPerVirtualNode = "8"';
    expect(layouts(text, host(4, 10, esxi(7, 0)))).toEqual(["8+8+4 on 8+8+4", "20 on 8+8+4", "7+7+6 on 7+7+6", "20 on 7+7+6"]);
  });
  test.each([
    [50, 10, ""],
    [9, 2, ""],
    [50, 10, 'cpuid.coresPerSocket = "2"\nvcpu.hotadd = "TRUE"\n'],
  ])("followCoresPerSocket fills clients of %i vCPUs on 4 nodes of %i as 6.0 does (%j)", (vcpus, cores, others) => {
    const text = (more: string) => `virtualHW.version = "11"\nnumvcpus = "${vcpus}"\n${others}${more}`;
    const [old = ""] = layouts(text(""), host(4, cores, esxi(6, 0))) || [];
    for (const release of [esxi(6, 5), esxi(7, 0)])
      expect(layouts(text('numa.vcpu.followcorespersocket = "1"'), host(4, cores, release))).toContain(old);
  });
});

test("more answers than are listed make a set incomplete", () => {
  const wide: HostModel = { name: "", sockets: 32, coresPerSocket: 8, threadsPerCore: 2, numaNodes: 32, esxi: esxi(8, 0) };
  const text = 'virtualHW.version = "20"\nnumvcpus = "128"\nnuma.consolidate = "FALSE"\nnuma.autosize = "TRUE"\nvcpu.hotadd = "TRUE"';
  const result = possibleTopologies(vmOf(text), wide);
  expect(deriveTopology(vmOf(text), wide).ok).toBe(true);
  expect(result).toMatchObject({ ok: true, isComplete: false });
  expect(result.ok && result.cases).toHaveLength(64);
});

test("of more answers than are tried, the few with the reported sockets are incomplete", () => {
  const wide: HostModel = { name: "", sockets: 64, coresPerSocket: 4, threadsPerCore: 2, numaNodes: 64, esxi: esxi(8, 0) };
  const text = 'numvcpus = "48"\nnuma.consolidate = "FALSE"\nnuma.autosize = "TRUE"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"';
  const observed = { range: [0, 0] as const, value: { source: "a report", coresPerSocket: 3 } };
  const result = possibleTopologies({ ...vmOf(text), observed }, wide);
  expect(result).toMatchObject({ ok: true, isComplete: false });
  expect(result.ok && result.cases).toHaveLength(16);
});

test.each([
  ["three clients, with one or two smaller ones at the end", 'numvcpus = "22"', "4x10x2@7.0"],
  ["a socket that is cut or larger than a node", 'numvcpus = "16"\ncpuid.coresPerSocket = "16"', "2x10x2@7.0"],
])("each of several layouts is certain in itself: %s", (_, text, host) => {
  const result = possibleTopologies(vmOf(`virtualHW.version = "17"\n${text}`), requireHost(host));
  expect(result.ok && result.cases.map(({ topology }) => topology.certainty)).toEqual(["derived", "derived"]);
});

test("a guest that sees one node has a reason for each of its possible clients", () => {
  const text = 'virtualHW.version = "17"\nnumvcpus = "16"\ncpuid.coresPerSocket = "16"\nvcpu.hotadd = "TRUE"';
  const result = possibleTopologies(vmOf(text), requireHost("2x10x2@7.0"));
  const reasons = result.ok ? result.cases.map(({ topology }) => topology.reasons.map((reason) => reason.text.slice(0, 43))) : [];
  const both = ["CPU hot add is on, so the guest sees one no", "virtual sockets of 16 do not fit whole into"];
  expect(reasons).toEqual([both, both]);
});

describe("each of several layouts names the source that supports it", () => {
  const hand = (size: number) => `numa.vcpu.maxPerVirtualNode = "${size}"`;
  const sockets = (cores: number) => `cpuid.coresPerSocket = "${cores}"`;
  const spread = 'numa.consolidate = "FALSE"';
  const follow = 'numa.vcpu.followcorespersocket = "1"';
  const hotAdd = 'vcpu.hotadd = "TRUE"';
  test.each<[string, number, string, string, readonly string[]]>([
    ["6.0", 12, "2x10x2", `${sockets(4)}\n${hand(6)}`, ["6+6 vsphere-6.0-numa-attributes", "4+4+4 vsphere-5.0-vnuma"]],
    ["6.0", 10, "2x10x2", spread, ["10 denneman-2017-10", "5+5 denneman-2017-10"]],
    ["6.0", 12, "4x12x2", spread, ["12 denneman-2017-10", "6+6 denneman-2017-10", "4+4+4 denneman-2017-10", "3+3+3+3 denneman-2017-10"]],
    ["7.0", 12, "4x12x2", spread, ["6+6 denneman-2019-02", "4+4+4 denneman-2019-02", "3+3+3+3 denneman-2019-02"]],
    ["7.0", 3, "8x2x2", `${spread}\nnuma.vcpu.min = "1"`, ["2+1 denneman-2019-02", "1+1+1 denneman-2019-02"]],
    ["7.0", 12, "2x20x2", `${sockets(12)}\n${spread}`, ["12 denneman-2021-12", "6+6 vsphere-6.5-vnuma"]],
    ["7.0", 12, "2x10x2", `${sockets(4)}\n${hand(6)}`, ["6+6 vsphere-6.7-vnuma-controls", "8+4 denneman-2021-12"]],
    ["7.0", 20, "4x10x2", hand(8), ["8+8+4 vsphere-6.7-vnuma-controls", "7+7+6 vsphere-6.7-vnuma-controls"]],
    ["7.0", 8, "2x10x2", hand(4), ["4+4 vsphere-6.7-vnuma-controls", "8 vsphere-6.7-vnuma-controls"]],
    ["7.0", 24, "2x20x2", `${sockets(4)}\n${hand(12)}\n${follow}`, ["12+12 vsphere-6.7-vnuma-controls", "4+4+4+4+4+4 denneman-2016-12"]],
    ["7.0", 16, "2x10x2", `${hand(8)}\n${hotAdd}`, ["8+8 vsphere-6.7-vnuma-controls", "16 on 8+8 vsphere-6.5-vnuma"]],
    [
      "7.0",
      36,
      "2x20x2",
      `${sockets(18)}\nnuma.autosize.vcpu.maxPerVirtualNode = "9"\nnuma.autosize.cookie = "360022"`,
      ["9+9+9+9 on 18+18 denneman-2022-03", "18+18 vsphere-6.7-vnuma-controls"],
    ],
    ["7.0", 8, "2x4x2", "", ["8 on 4+4 vsphere-6.5-vnuma", "4+4 kb-67996"]],
    ["7.0", 16, "2x10x2", sockets(16), ["8+8 vsphere-6.5-vnuma", "16 denneman-2021-12"]],
    ["7.0", 20, "2x10x2", sockets(4), ["10+10 vsphere-6.5-vnuma", "8+8+4 denneman-2021-12", "12+8 denneman-2021-12"]],
    [
      "7.0",
      24,
      "4x10x2",
      sockets(6),
      ["6+6+6+6 denneman-2021-12", "8+8+8 vsphere-6.5-vnuma", "12+12 denneman-2021-12", "12+6+6 denneman-2021-12"],
    ],
    ["7.0", 36, "2x10x2", sockets(12), ["18+18 vsphere-6.5-vnuma", "24+12 denneman-2021-12"]],
    ["7.0", 22, "4x10x2", "", ["8+8+6 vmware-sql-5.5", "8+7+7 vsphere-6.5-vnuma"]],
    ["7.0", 24, "2x10x2", follow, ["12+12 denneman-2021-05", "8+8+8 vmware-sql-5.5"]],
    ["7.0", 48, "2x20x2", 'numa.vcpu.maxPerMachineNode = "10"', ["24+24 denneman-2021-05", "10+10+10+9+9 vmware-sql-5.5"]],
    ["7.0", 12, "2x10x2", 'numa.autosize = "TRUE"', ["6+6 vsphere-6.0-numa-attributes", "10+2 vsphere-6.0-numa-attributes"]],
    [
      "8.0",
      16,
      "2x10x2",
      `${sockets(8)}\n${hotAdd}\nnuma.allowHotadd = "TRUE"`,
      ["8+8 vsphere-8.0-cpu-topology", "16 on 8+8 vsphere-6.5-vnuma"],
    ],
    [
      "8.0",
      12,
      "2x20x2",
      'virtualHW.version = "20"\nnuma.vcpu.maxPerMachineNode = "1"',
      ["6+6 denneman-2021-05", `${Array(12).fill(1).join("+")} vmware-sql-5.5`],
    ],
    ["8.0", 8, "2x24x2", "", ["8 vsphere-8.0-vtopology", "8 esx-9-config-option"]],
  ])("ESXi %s, %i vCPUs on %s, %j", (release, vcpus, machine, more, expected) => {
    const result = possibleTopologies(vmOf(`numvcpus = "${vcpus}"\n${more}`), requireHost(`${machine}@${release}`));
    const words = (groups: readonly number[], others: readonly number[]) =>
      groups.join() === others.join() ? groups.join("+") : `${groups.join("+")} on ${others.join("+")}`;
    expect(
      result.ok && result.cases.map(({ topology: t, source }) => `${words(t.vnumaNodes, t.numaClients)} ${source?.key ?? ""}`),
    ).toEqual(expected);
  });
});
