import { type Diagnostic, type HostModel, type Rule, requireHost, rules, type SettingName, type VmSpec } from "@vmlint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classHosts, SMALLEST } from "../../packages/core/src/hosts/node-classes.ts";
import {
  fitsEvery,
  isDivided,
  isOfClasses,
  onClassHosts,
  onEveryClass,
  silentOnEveryClass,
} from "../../packages/core/src/lint/without-host.ts";
import type { Skip } from "../../packages/core/src/model/diagnostic.ts";
import { coresPerNode } from "../../packages/core/src/model/host.ts";
import { lintWith, partial, ruleThat } from "../support/lint-with.ts";
import { vmOf } from "../support/sample-vm.ts";

const vm = (lines: string, ...open: readonly SettingName[]): VmSpec =>
  partial(lines, Object.fromEntries(open.map((name) => [name, undefined])));
const { node, host } = SMALLEST();

test.each<[VmSpec, fitsNode: boolean | undefined, fitsHost: boolean | undefined]>([
  [vm('memSize = "4"'), true, true],
  [vm(`numvcpus = "${node}"`), true, true],
  [vm(`numvcpus = "${node + 1}"`), false, true],
  [vm(`numvcpus = "${host}"`), false, true],
  [vm(`numvcpus = "${host + 1}"`), false, false],
  [vm('numvcpus = "2"', "vcpus"), undefined, undefined],
  [vm('numvcpus = "2"\nnuma.vcpu.coresPerNode = "1"'), false, false],
  [vm('numvcpus = "2"', "coresPerNumaNode"), undefined, undefined],
  [vm('numvcpus = "16"', "coresPerNumaNode"), false, false],
])("a VM fits each node and each host, or not: %#", (one, ofNode, ofHost) => {
  expect([fitsEvery("node", one), fitsEvery("host", one)]).toEqual([ofNode, ofHost]);
});

test.each<[lines: string, open: readonly SettingName[], divided: boolean | undefined]>([
  ["", [], false],
  ['numa.vcpu.min = "8"', [], true],
  ['numa.vcpu.min = "9"', [], false],
  ['numa.consolidate = "FALSE"', [], true],
  ['numa.consolidate = "TRUE"', [], false],
  ['numa.vcpu.coresPerNode = "0"', [], false],
  ['numa.vcpu.coresPerNode = "4"', [], true],
  ['numa.vcpu.maxPerVirtualNode = "8"', [], false],
  ['numa.vcpu.maxPerVirtualNode = "7"', [], true],
  ['numa.vcpu.maxPerMachineNode = "4"', [], true],
  ['numa.vcpu.maxPerClient = "4"', [], true],
  ['numa.autosize.vcpu.maxPerVirtualNode = "4"', [], true],
  ["", ["preferHt"], false],
  ["", ["vcpus"], undefined],
  ["", ["maxVcpusPerClient"], undefined],
  ["", ["vnumaMinVcpus"], undefined],
  ["", ["numaConsolidate"], undefined],
])("8 vCPUs with %j, and with unknown %j, are divided: %s", (lines, open, divided) => {
  expect(isDivided(vm(`numvcpus = "8"\n${lines}`, ...open))).toBe(divided);
});

test("9 vCPUs are divided where ESXi shows nodes", () => {
  expect(isDivided(vm('numvcpus = "9"'))).toBe(true);
});

describe("rules about VMs wider than a node", () => {
  const wide = rules.filter(({ onlyWiderThan, needs }) => onlyWiderThan === "node" && !needs.includes("workload"));
  const selects = () => true;
  const shapes = [4, 5, 6, 7, 8, 14, 24].flatMap((vcpus): readonly (readonly [number, string])[] => [
    [vcpus, `virtualHW.version = "${vcpus % 4 === 0 ? 19 : 21}"`],
    [vcpus, `virtualHW.version = "17"\nnuma.vcpu.preferHT = "TRUE"\ncpuid.coresPerSocket = "${vcpus % 2 === 0 ? 2 : 1}"`],
  ]);
  // Without the rules that hide findings with the same cause.
  const alone = wide.map((rule): Rule => ({ ...rule, unless: [] }));
  const others: readonly (readonly HostModel[])[] = [[], classHosts().slice(-1)];

  test.each(shapes)("are checked without a host if they find nothing on any: %i vCPUs, %j", (vcpus, lines) => {
    const one = vm(`numvcpus = "${vcpus}"\nnuma.vcpu.min = "200"\n${lines}`);
    const skipped = new Set(lintWith(one, wide, { selects }).skips.map(({ ruleId }) => ruleId));
    const found = new Set<string>();
    for (const on of classHosts().filter((one) => coresPerNode(one) < vcpus))
      for (const otherHosts of others) {
        const { diagnostics, skips } = lintWith(one, alone, { selects, host: on, otherHosts });
        for (const { ruleId } of [...diagnostics, ...skips]) found.add(ruleId);
      }
    expect([...skipped].sort()).toEqual([...found].sort());
  });

  const asked = (one: VmSpec): number => {
    let count = 0;
    silentOnEveryClass({ spec: one, target: {} }, () => {
      count++;
      return () => false;
    });
    return count;
  };
  const configured = () => ({ options: [], dropped: [] });
  const narrow = vm('numvcpus = "7"\nnuma.vcpu.min = "202"');
  test.each<[what: string, one: VmSpec, isAsked: boolean]>([
    ["a plain VM", narrow, true],
    ["an unknown count", vm('numvcpus = "7"\nnuma.vcpu.min = "203"', "vcpus"), false],
    ["a divided VM", vm('numvcpus = "7"\nnuma.vcpu.min = "7"'), false],
    ["an unknown size", vm('numvcpus = "7"\nnuma.vcpu.min = "204"', "maxVcpusPerClient"), false],
    ["another unknown setting of its layout", vm('numvcpus = "7"\nnuma.vcpu.min = "205"', "preferHt"), false],
    ["another unknown setting", vm('numvcpus = "7"\nnuma.vcpu.min = "206"', "guestOs"), true],
    ["an observed VM", { ...narrow, observed: { value: { source: "log" }, range: [0, 1] } }, false],
    ["a configuration", { ...narrow, configured }, false],
    ["a running VM", { ...narrow, running: true }, false],
  ])("ask each host, but not for what differs between equal shapes: %s", (_, one, isAsked) => {
    expect(asked(one) > 0).toBe(isAsked);
  });
});

describe("a finding on every class of hosts", () => {
  const pinned = vm('numvcpus = "2"\nsched.cpu.affinity = "0"');
  const finding = (message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
    ...{ ruleId: "acme/any", messageId: "any", severity: "warning", message, data: {}, range: [0, 1], vm: "a", host: "own" },
    ...{ related: [], fixes: [], docsUrl: "", ...more },
  });
  const on = (check: (host: HostModel, others: readonly HostModel[]) => readonly (Diagnostic | Skip)[]) =>
    onEveryClass({ spec: pinned, target: {} }, onClassHosts({ spec: pinned, target: {} }), ({ target: { host: one, otherHosts = [] } }) =>
      check(one ?? requireHost("r640"), otherHosts),
    );
  const skip: Skip = { ruleId: "acme/any", reason: "host-incomplete" };
  const isSmall = (one: HostModel) => coresPerNode(one) < 4;

  test("needs the finding on each", () => {
    expect(on(() => [])).toEqual([]);
    expect(on(() => [finding("A.")])).toEqual([{ ...finding("A."), host: null }]);
    expect(on((one) => (isSmall(one) ? [finding("A.")] : []))).toBeUndefined();
    expect(on((one) => (isSmall(one) ? [] : [finding("A.")]))).toBeUndefined();
    expect(on((_one, others) => (others.length > 0 ? [finding("A.")] : []))).toBeUndefined();
    expect(on((_one, others) => (others.length > 0 ? [] : [finding("A.")]))).toBeUndefined();
    expect(on((one) => (isSmall(one) ? [finding("A."), skip] : [finding("A.")]))).toBeUndefined();
    expect(on((one) => (isSmall(one) ? [skip] : [finding("A.")]))).toBeUndefined();
  });

  test("is the mildest of them, with the fixes of all", () => {
    const fix = (title: string) => ({ title, safety: "safe" as const, edits: [] });
    const found = on((one) => [
      isSmall(one)
        ? finding("Mild.", { severity: "info", host: one.name, fixes: [fix("Small"), fix("Both")], assumedOfHost: ["it"] })
        : finding("Grave.", { host: one.name, fixes: [fix("Both"), fix("Large")] }),
      finding("Same."),
    ]);
    const mild = {
      ...finding("", { severity: "info", host: null, fixes: [fix("Both")] }),
      message: expect.stringMatching(/^On every host, for example \dx2x2: Mild\.$/),
    };
    expect(found).toStrictEqual([mild, { ...finding("Same."), host: null }]);
  });

  test("names the host of its message if all are as grave", () => {
    expect(on((one) => [finding(`${one.name}.`, { host: one.name })])).toMatchObject([
      { message: expect.stringMatching(/^On every host, for example (\S+): \1\.$/) },
    ]);
  });

  /** A few hosts represent all classes: each rule has the same answer on the other hosts. */
  test("is a finding on all classes, and no other is", () => {
    const known = rules.filter(isOfClasses);
    const selects = () => true;
    const others = classHosts();
    const targets = [{ host: others[0], otherHosts: others.slice(1) }, ...others.map((one) => ({ host: one }))];
    const anyCpu = fc.oneof(fc.nat(40), fc.constantFrom(63, 64, 127, 191, 255, 383, 500));
    const anyVm = fc.record({
      vcpus: fc.constantFrom(1, 2, 4, 6, 8, 12, 24, 48, 96),
      most: fc.constantFrom(undefined, 16, 64),
      cpus: fc.oneof(
        fc.array(anyCpu, { minLength: 1, maxLength: 8 }),
        fc.nat(30).map((from) => Array.from({ length: 8 }, (_, i) => from + i)),
      ),
      node: fc.constantFrom(undefined, "0", "1", "0,1", "7"),
    });
    fc.assert(
      fc.property(anyVm, ({ vcpus, most, cpus, node: affinity }) => {
        const hotAdd = most === undefined ? "" : `vcpu.hotadd = "TRUE"\nvcpu.maxHotAdd = "${most}"\n`;
        const onNode = affinity === undefined ? "" : `numa.nodeAffinity = "${affinity}"\n`;
        const one = vmOf(`numvcpus = "${vcpus}"\nsched.cpu.affinity = "${cpus.join()}"\n${hotAdd}${onNode}`);
        const counts = (target: object) => {
          const { diagnostics, skips } = lintWith(one, known, { selects, ...target });
          return known.map(({ id }) =>
            skips.some(({ ruleId }) => ruleId === id) ? undefined : diagnostics.filter(({ ruleId }) => ruleId === id).length,
          );
        };
        const onEach = targets.map(counts);
        const all = known.map((_, at) => (onEach.every((each) => each[at] === onEach[0]?.[at]) ? onEach[0]?.[at] : undefined));
        expect(counts({})).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });

  test("is one of a rule about numbers of CPUs that vmlint has", () => {
    const reads = { reads: ["cpuAffinity"], needs: ["host"] } as const;
    expect(
      lintWith(
        pinned,
        ruleThat(() => ["A."], reads),
      ),
    ).toMatchObject({ found: [], skipped: ["no-host"] });
    const known = rules.filter(isOfClasses);
    expect(known.length).toBeGreaterThan(5);
    for (const { needs, reads: own } of known)
      expect([needs.includes("topology"), own.includes("cpuAffinity") || own.includes("numaNodeAffinity")]).toEqual([false, true]);
  });

  test("is one of the VM, whatever is assumed of the hosts", () => {
    const { diagnostics } = lintWith(pinned, rules);
    expect(diagnostics.map(({ ruleId, host: of }) => [ruleId, of])).toEqual([["affinity/too-few", null]]);
    expect(lintWith(vmOf('numvcpus = "2"\nsched.cpu.affinity = "0,500"'), rules).diagnostics.map(({ ruleId }) => ruleId)).not.toContain(
      "affinity/out-of-range",
    );
  });
});
