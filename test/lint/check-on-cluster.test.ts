import { defineRule, type HostModel, type Rule, requireHost, type Target, type VmSpec } from "@vmlint/core";
import { type Change, sameHost } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clusterChecker } from "../../packages/core/src/lint/check-on-cluster.ts";
import { unknown } from "../../packages/core/src/model/source.ts";
import { PAGE } from "../support/plugin-page.ts";
import { vmOf } from "../support/sample-vm.ts";

const NODE = "acme/node";
const EVERY = "acme/every";

/** Finds the VM on hosts whose NUMA nodes are small. Its fix fits the host. */
const small: Rule = defineRule({
  ...PAGE,
  id: NODE,
  severity: "error",
  needs: ["host"],
  messages: { cores: () => "Few cores.", memory: () => "Little memory." },
  *check({ host, vm: { range: at } }) {
    const fixes = [{ title: "Fit", safety: "unsafe" as const, changes: [{ setting: "vcpus", value: 2 } as Change] }];
    if (host.coresPerSocket <= 8) yield { messageId: "cores", at, fixes };
    if ((host.memoryGiB ?? 0) <= 64) yield { messageId: "memory", at, fixes };
  },
});
const every: Rule = defineRule({
  ...PAGE,
  id: EVERY,
  severity: "hint",
  messages: { any: () => "Any host." },
  *check({ vm: { range: at } }) {
    yield { messageId: "any", at };
  },
});
const noFact: Rule = defineRule({
  ...PAGE,
  id: "acme/workload",
  severity: "error",
  needs: ["workload"],
  messages: { any: () => "" },
  *check() {},
});

const hostOf = (cores: number, memoryGiB: number, name: string): HostModel => ({
  ...requireHost(`2x${cores}x2:${memoryGiB}@8.0`),
  name,
});
const anyCluster = fc
  .array(fc.tuple(fc.constantFrom(6, 8, 16, 20), fc.constantFrom(48, 64, 128)), { minLength: 1, maxLength: 7 })
  .map((kinds) => kinds.map(([cores, memory], i) => hostOf(cores, memory, `h${i}`)));

const spec = vmOf('virtualHW.version = "20"\nnumvcpus = "4"\nmemSize = "4096"');
const shown = (target: Target, vm: VmSpec = spec, rules: readonly Rule[] = [small, every, noFact]) =>
  [...clusterChecker(rules)({ spec: vm, target })].map((one) => {
    if ("reason" in one) return `${one.ruleId} ${one.reason}`;
    const { severity, message, host, otherHost, fixes } = one;
    return `${severity} ${message} ${host} ${otherHost} ${fixes.map(({ title }) => title).join()}`;
  });

const ALWAYS = ["hint Any host.", "acme/workload no-workload"];

/** Returns the other kinds of hosts, the smallest NUMA nodes first. */
function otherKinds([own, ...others]: readonly HostModel[]): readonly HostModel[] {
  const kindOf = (host: HostModel) => sameHost({ ...host, name: "" });
  const kinds = new Map(others.map((host) => [kindOf(host), host]));
  if (own) kinds.delete(kindOf(own));
  return [...kinds.values()].sort((a, b) => a.coresPerSocket - b.coresPerSocket || (a.memoryGiB ?? 0) - (b.memoryGiB ?? 0));
}

const messagesOn = ({ coresPerSocket, memoryGiB = 0 }: HostModel): readonly string[] => [
  ...(coresPerSocket <= 8 ? ["Few cores."] : []),
  ...(memoryGiB <= 64 ? ["Little memory."] : []),
];

test("what its own host does not show is an info about the smallest of four other kinds, without a fix", () => {
  fc.assert(
    fc.property(anyCluster, (hosts) => {
      const [own, ...otherHosts] = hosts;
      const onOwn = own ? messagesOn(own) : [];
      const other = otherKinds(hosts)
        .slice(0, 4)
        .find((host) => messagesOn(host).length > 0);
      const found =
        onOwn.length > 0
          ? onOwn.map((text) => `error ${text} h0 undefined Fit`)
          : other
            ? [`info On ${other.name} of its cluster: ${messagesOn(other)[0]} h0 ${other.name} `]
            : [];
      expect(shown({ host: own, otherHosts }).sort()).toEqual([`${ALWAYS[0]} h0 undefined `, ALWAYS[1], ...found].sort());
    }),
    { numRuns: 300 },
  );
});

test("a VM on any host of its cluster has the findings of all, and infos about those of some", () => {
  fc.assert(
    fc.property(anyCluster, (hosts) => {
      const [own, ...otherHosts] = hosts;
      const kinds = otherKinds(hosts);
      const onOwn = own ? messagesOn(own) : [];
      const isOnAll = kinds.every((host) => messagesOn(host).length > 0);
      const other = kinds.find((host) => messagesOn(host).length > 0);
      const found =
        onOwn.length > 0
          ? onOwn.map((text) => (isOnAll ? `error ${text} h0 undefined Fit` : `info On esx01 of its cluster: ${text} h0 esx01 `))
          : other
            ? [`info On ${other.name} of its cluster: ${messagesOn(other)[0]} h0 ${other.name} `]
            : [];
      expect(shown({ host: own, otherHosts, onAnyHost: "esx01" }).sort()).toEqual(
        [`${ALWAYS[0]} h0 undefined `, ALWAYS[1], ...found].sort(),
      );
    }),
    { numRuns: 300 },
  );
});

const [large, tiny] = [hostOf(16, 512, "large"), hostOf(6, 48, "tiny")];

test.each<[string, VmSpec, Target, boolean]>([
  ["may move", spec, { host: large, otherHosts: [tiny] }, true],
  ["is a template", { ...spec, template: true }, { host: large, otherHosts: [tiny] }, false],
  ["is pinned", vmOf('numvcpus = "4"\nsched.cpu.affinity = "0,1,2,3"'), { host: large, otherHosts: [tiny] }, false],
  ["is pinned to all", vmOf('numvcpus = "4"\nsched.cpu.affinity = "all"'), { host: large, otherHosts: [tiny] }, true],
  ["has no cluster", spec, { host: large }, false],
  ["has no host", spec, { otherHosts: [tiny] }, false],
  ["has a target that is no object", spec, 5 as never, false],
])("a VM that %s", (_, vm, target, isFound) => {
  expect(shown(target, vm).some((text) => text.startsWith("info"))).toBe(isFound);
});

const [own, other] = ["own", "other"];

/** Finds the VM on each host except its own. */
const elsewhere = (id: string, ...needs: ("host" | "topology")[]): Rule =>
  defineRule({
    ...PAGE,
    id: `acme/${id}`,
    severity: "warning",
    needs,
    messages: { any: () => id },
    *check({ host, vm: { range: at } }) {
      if (host?.name !== own) yield { messageId: "any", at };
    },
  });

describe("a rule about the layout", () => {
  const rules = [elsewhere("both", "host", "topology"), elsewhere("layout", "topology"), elsewhere("host", "host")];
  test.each<[string, string, string, number, boolean]>([
    ["runs on a host that divides the VM alike", "2x16x2:512@8.0", "2x20x2:512@8.0", 24, true],
    ["not on one that divides it differently", "2x16x2:512@8.0", "2x10x2:512@8.0", 12, false],
    ["not on one whose layout is unknown", "2x16x2:512@8.0", "2x16x2:512", 24, false],
    ["nor from one", "2x16x2:512", "2x16x2:512@8.0", 24, false],
    ["not on one where the VM does not start", "2x16x2:512@8.0", "2x8x1:512@8.0", 24, false],
    ["nor from one", "2x8x1:512@8.0", "2x16x2:512@8.0", 24, false],
  ])("%s", (_, here, there, vcpus, isFound) => {
    const vm = vmOf(`virtualHW.version = "19"\nnumvcpus = "${vcpus}"\ncpuid.coresPerSocket = "2"\nmemSize = "4096"`);
    const target = { host: { ...requireHost(here), name: own }, otherHosts: [{ ...requireHost(there), name: other }] };
    const found = shown(target, vm, rules).flatMap((text) => /cluster: (\S+)/.exec(text)?.[1] ?? []);
    expect(found).toEqual(isFound ? ["both", "layout", "host"] : ["host"]);
  });
});

test("a rule is checked on the four smallest kinds of hosts, where the others are its other hosts", () => {
  const kinds = [6, 8, 12, 20, 24].map((cores) => hostOf(cores, 128, `c${cores}`));
  const isFoundOn = (name: string) =>
    defineRule({
      ...PAGE,
      id: "acme/one",
      severity: "warning",
      needs: ["host"],
      messages: { any: ({ others }: { others: string }) => others },
      *check({ host, onOtherHosts, vm: { range: at } }) {
        const others = onOtherHosts().map((one) => one.host.name);
        if (host.name === name) yield { messageId: "any", data: { others: others.join() }, at };
      },
    });
  const found = kinds.map(({ name }) => shown({ host: hostOf(16, 128, own), otherHosts: kinds }, spec, [isFoundOn(name)]));
  expect(found).toEqual([
    ["info On c6 of its cluster: c8,c12,c20,c24,own own c6 "],
    ["info On c8 of its cluster: c6,c12,c20,c24,own own c8 "],
    ["info On c12 of its cluster: c6,c8,c20,c24,own own c12 "],
    ["info On c20 of its cluster: c6,c8,c12,c24,own own c20 "],
    [],
  ]);
});

test("of equal cores, a host of unknown memory is the smallest", () => {
  const kinds = [hostOf(12, 128, "known"), { ...requireHost("2x12x2@8.0"), name: other }];
  const found = shown({ host: hostOf(16, 128, own), otherHosts: kinds }, spec, [elsewhere("host", "host")]);
  expect(found).toEqual(["info On other of its cluster: host own other "]);
});

test("a note about an unknown value is no finding of another host", () => {
  const hotAdd: Rule = defineRule({
    ...PAGE,
    id: "acme/hot-add",
    severity: "warning",
    needs: ["host"],
    reads: ["cpuHotAdd"],
    messages: { any: () => "Hot add." },
    *check({ host, vm: { cpuHotAdd, range: at } }) {
      if (host.name === "tiny" && cpuHotAdd?.value) yield { messageId: "any", at };
    },
  });
  const open: VmSpec = { ...spec, settings: { ...spec.settings, cpuHotAdd: unknown("a variable", [0, 1]) } };
  const found = (host: HostModel, other: HostModel) => shown({ host, otherHosts: [other] }, open, [hotAdd]);
  expect(found(tiny, large)).toEqual([expect.stringContaining("If cpuHotAdd is true: Hot add.")]);
  expect(found(large, tiny)).toEqual([]);
});

test("a VM that runs is refused by another host only", () => {
  const refusing: Rule = { ...small, refused: ["cores", "memory"] };
  const again: Rule = {
    ...refusing,
    id: "acme/again",
    check: (facts) => small.check(facts).map((one) => ("skip" in one ? one : { ...one, message: "Again." })),
  };
  const running = { ...spec, running: true };
  const target: Target = { host: tiny, otherHosts: [large], onAnyHost: "tiny", hostSource: "inventory" };
  expect(shown(target, running, [again, refusing])).toEqual([
    "info On tiny of its cluster: Again. tiny tiny ",
    "info On tiny of its cluster: Again. tiny tiny ",
    "info On tiny of its cluster: Few cores. tiny tiny ",
    "info On tiny of its cluster: Little memory. tiny tiny ",
  ]);
});
