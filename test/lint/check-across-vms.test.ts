import { defineRule, type Rule, requireHost, type Target, type VmSpec } from "@vmlint/core";
import { type CheckedFile, checkAcrossVms, type LintedVm, meetsOthers, NO_SETTINGS } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HostedVm } from "../../packages/core/src/lint/hosted-vms.ts";
import { known, unknown } from "../../packages/core/src/model/source.ts";
import { PAGE } from "../support/plugin-page.ts";
import { vmOf } from "../support/sample-vm.ts";

const BASE = vmOf('numvcpus = "2"');
const [large, small] = [requireHost("r640"), requireHost("r930")];

interface Vm extends Partial<Omit<VmSpec, "settings" | "uuids">> {
  /** The place of its name in its file. */
  readonly at?: number;
  readonly vcpus?: number | undefined;
  readonly hotAdd?: boolean | "open";
  readonly uuids?: { readonly instance?: string; readonly bios?: string };
  readonly path?: string;
  readonly target?: Partial<Target>;
}

/** Returns a VM on the machine "m", of 2 vCPUs at its place. */
function vmFrom({ at = 0, vcpus = 2, hotAdd, uuids, path: _, target, ...more }: Vm): HostedVm {
  const range = [at, at + 1] as const;
  const open = hotAdd === "open" ? unknown("a variable", range) : hotAdd === undefined ? undefined : known(hotAdd, range);
  const settings = { ...NO_SETTINGS, vcpus: known(vcpus, range), ...(open && { cpuHotAdd: open }) };
  const spec = { ...BASE, ...more, range, settings, ...(uuids && { uuids: () => uuids }) };
  const placed: HostedVm["target"] = { machine: "m", ...target, host: target?.host ?? large };
  return { spec, target: placed };
}

/** Returns one file for each path, in the order of the VMs. */
function filesOf(vms: readonly Vm[]): readonly CheckedFile[] {
  const paths = [...new Set(vms.map(({ path = "a" }) => path))];
  return paths.map((path) => {
    const hostedVms = vms.filter((vm) => (vm.path ?? "a") === path).map(vmFrom);
    return { path, diagnostics: [], skipped: [], hostedVms, described: hostedVms };
  });
}

const ID = "acme/seen";

interface Seen {
  readonly vms: string;
  readonly complete: boolean;
  readonly host: string;
}

/** A rule that lists the VMs that it receives, and fails without one. */
const seeing = (more: Partial<Rule> = {}): Rule => ({
  ...defineRule({
    ...PAGE,
    id: ID,
    severity: "warning",
    over: "host",
    reads: ["vcpus", "cpuHotAdd"],
    messages: { seen: ({ vms, complete, host }: Seen) => `${vms} on ${host}${complete ? "" : " and more"}` },
    *check({ vms, complete, host: { name }, isCluster }) {
      const host = isCluster ? `${name} of a cluster` : name;
      const [first, ...others] = vms;
      if (!first) throw new Error("no VM");
      const data = { vms: vms.map(({ name, vm }) => `${name}${vm.vcpus?.value ?? ""}`).join(), complete, host };
      const related = others.map((on) => ({ on, at: on.vm.range, message: on.name }));
      yield { messageId: "seen", data, on: first, at: first.vm.range, related };
    },
  }),
  ...more,
});

/** Returns what a rule says, each with its file, and the reasons of its skipped checks. */
function said(files: readonly CheckedFile[], rule: Rule = seeing(), more: Parameters<typeof checkAcrossVms>[2] = {}) {
  const results = checkAcrossVms(files, [rule], more);
  return {
    found: results.flatMap(({ path, diagnostics }) => diagnostics.map(({ message }) => `${path}: ${message}`)),
    skipped: results.flatMap(({ path, skipped }) => skipped.map(({ reason, input }) => [path, reason, ...(input?.vms ?? [])].join(" "))),
  };
}

const anyPlaced = fc.record(
  {
    path: fc.constantFrom("a", "b"),
    off: fc.constantFrom(false, false, false, true),
    runsOn: fc.constantFrom({ name: "h1" }, { name: "h2" }, { id: "h1" }, { cluster: "c" }),
    machine: fc.constantFrom("m", "m", "m", "n", undefined),
    host: fc.constantFrom(large, small),
  },
  { requiredKeys: ["machine", "off"] },
);

describe("the VMs of a machine", () => {
  test("are those that run on one host of it, in any order of files; a VM on an unknown host is left out", () => {
    fc.assert(
      fc.property(fc.array(anyPlaced, { maxLength: 8 }), fc.boolean(), (placed, isReversed) => {
        const all = placed.map(({ machine, host = large, path = "a", ...one }, i) => {
          const target = machine === undefined ? { host, machine: undefined } : { machine };
          return { ...one, path, at: i * 2, name: `vm${i}`, target: target as Partial<Target> };
        });
        const inOrder = [...all].sort((a, b) => (a.path === b.path ? a.at - b.at : a.path < b.path ? -1 : 1));
        const found: string[] = [];
        const skipped: string[] = [];
        const machines = ["m", "n", large, small];
        for (const machine of machines) {
          const isOn = ({ target }: (typeof all)[number]) =>
            typeof machine === "string" ? target.machine === machine : target.machine === undefined && target.host === machine;
          const running = inOrder.filter((vm) => isOn(vm) && !vm.off);
          if (running.length < 2) continue;
          const hostOf = ({ runsOn }: (typeof all)[number]) => runsOn?.id ?? runsOn?.name;
          const hosts = new Set(running.flatMap((vm) => hostOf(vm) ?? []));
          const groups = hosts.size < 2 ? [running] : [...hosts].map((host) => running.filter((vm) => hostOf(vm) === host));
          const open = hosts.size < 2 ? [] : running.filter((vm) => hostOf(vm) === undefined);
          for (const group of groups) {
            if (group.length < 2) continue;
            const [{ path } = { path: "" }] = group;
            const names = group.map(({ name }) => name);
            if (typeof machine !== "string") skipped.push(`${path} placement-unknown ${names.join(" ")}`);
            else found.push(`${path}: ${names.map((name) => `${name}2`).join()} on ${large.name}${open.length > 0 ? " and more" : ""}`);
          }
          if (open[0] && typeof machine === "string") skipped.push(`${open[0].path} unknown-value`);
        }
        const result = said(filesOf(isReversed ? [...all].reverse() : all));
        expect({ found: result.found.sort(), skipped: result.skipped.sort() }).toEqual({ found: found.sort(), skipped: skipped.sort() });
      }),
      { numRuns: 400 },
    );
  });

  test.each<[string, Partial<Vm>, string | undefined, readonly string[]]>([
    ["counts", {}, "x2,y2,z2 on r640", []],
    ["may not be alone with them", { target: { othersMayRun: true } }, "x2,y2,z2 on r640 and more", []],
    ["has the rule off", { target: { severities: { [ID]: "off" } } }, "y2,z2 on r640 and more", []],
    ["has another workload", { target: { workload: { kind: "mssql" } } }, "y2,z2 on r640", []],
    ["is no case of the rule", { vcpus: 1 }, "y2,z2 on r640", []],
    ["may be no case of the rule", { vcpus: 3 }, "y2,z2 on r640 and more", ["a unknown-value"]],
    ["is of another platform", { platform: "other" }, "y2,z2 on r640 and more", ["a other-platform"]],
    ["may be final elsewhere", { changes: true }, "y2,z2 on r640 and more", ["a unknown-value"]],
    ["may be several", { hasUnknownCount: true }, "y2,z2 on r640 and more", ["a unknown-value"]],
    ["is no VM of its own", { off: true }, "y2,z2 on r640", []],
  ])("one that %s", (_, more, found, skipped) => {
    const applies: Rule["applies"] = ({ settings: { vcpus } }) => {
      const count = vcpus.state === "known" ? vcpus.value : undefined;
      return count === 3 ? undefined : count !== 1;
    };
    const rule = seeing({ about: "latency", applies });
    const others = [2, 4].map((at) => ({ at, name: at === 2 ? "y" : "z" }));
    expect(said(filesOf([{ name: "x", ...more }, ...others]), rule)).toEqual({ found: [`a: ${found}`], skipped });
  });

  test("are none where the rule is about none of them, or all are unknown to it", () => {
    const vms = (more: Partial<Vm>) => filesOf([0, 2].map((at) => ({ at, name: `vm${at}`, ...more })));
    expect(said(vms({ target: { severities: { [ID]: "off" } } }))).toEqual({ found: [], skipped: [] });
    expect(said(vms({ changes: true }))).toEqual({ found: [], skipped: ["a unknown-value"] });
  });

  test("are not compared if they are more than a machine runs, unless it is declared", () => {
    const crowd = (count: number, machine?: string) => {
      const target = { machine: machine as string };
      return said(filesOf(Array.from({ length: count }, (_, i) => ({ at: i * 2, name: `vm${i}`, target }))));
    };
    expect([1024, 1025].map((count) => crowd(count).skipped.length)).toEqual([1, 0]);
    expect([1024, 1025].map((count) => crowd(count, "m").found.length)).toEqual([1, 1]);
  });

  test("of a finding without a declared machine are named so that a glob finds them", () => {
    const target = { machine: undefined as unknown as string };
    const vms = filesOf([
      { name: "a[0]", target },
      { name: "b", alias: "{c}", at: 2, target },
    ]);
    expect(said(vms).skipped).toEqual(["a placement-unknown a?0? ?c?"]);
    expect(said(vms, seeing({ checkHost: () => [] })).skipped).toEqual([]);
  });
});

describe("descriptions of one VM", () => {
  const [X, Y] = ["0".repeat(32), "1".repeat(32)];
  test.each<[string, readonly Vm[], string]>([
    ["have its name, each in a format", [{ name: "x" }, { name: "x", format: "yaml" }], "x2,o2"],
    ["are two VMs in one format", [{ name: "x" }, { name: "x" }], "x2,x2,o2"],
    ["are two VMs without a name", [{ name: "" }, { name: "", format: "yaml" }], "a2,a2,o2"],
    [
      "have its alias",
      [
        { name: "x", alias: "n" },
        { name: "n", format: "yaml" },
      ],
      "x2,o2",
    ],
    [
      "have its name in place of a resource",
      [
        { name: "x", resource: "r" },
        { name: "x", format: "yaml" },
      ],
      "x2,x2,o2",
    ],
    [
      "are captures of one instance",
      [
        { name: "x", uuids: { instance: X } },
        { name: "y", uuids: { instance: X } },
      ],
      "x2,o2",
    ],
    [
      "are two VMs that share a BIOS",
      [
        { name: "x", uuids: { bios: X } },
        { name: "y", uuids: { bios: X } },
      ],
      "x2,y2,o2",
    ],
    [
      "share a BIOS in two formats",
      [
        { name: "x", uuids: { bios: X } },
        { name: "y", uuids: { bios: X }, format: "yaml" },
      ],
      "x2,o2",
    ],
    [
      "are two instances of one name",
      [
        { name: "x", uuids: { instance: X } },
        { name: "x", uuids: { instance: Y }, format: "yaml" },
      ],
      "x2,x2,o2",
    ],
    [
      "are ambiguous with the name of two instances",
      [
        { name: "x", uuids: { instance: X } },
        { name: "x", uuids: { instance: Y } },
        { name: "x", format: "yaml" },
      ],
      "x2,x2,x2,o2",
    ],
    [
      "are captures of an instance, and a VM of its name",
      [{ name: "x", uuids: { instance: X } }, { name: "x", uuids: { instance: X } }, { name: "x" }, { name: "x", format: "yaml" }],
      "x2,x2,o2",
    ],
    [
      "are joined by the surest mark first",
      [
        { name: "x", format: "yaml" },
        { name: "x", uuids: { instance: X, bios: Y } },
        { name: "z", uuids: { bios: Y }, format: "csv" },
      ],
      "x2,o2",
    ],
    [
      "of a resource are those of its plan",
      [
        { name: "x", resource: "r", hasUnknownCount: true },
        { name: "x1", alias: "x1", resource: "r", format: "plan" },
      ],
      "x12,o2",
    ],
    [
      "of a resource are those of its plan, which knows their number",
      [
        { name: "x", resource: "r", hasUnknownCount: true },
        { name: "x1", alias: "x1", resource: "r", format: "plan" },
        { name: "x2", alias: "x2", resource: "r", format: "plan" },
      ],
      "x12,x22,o2",
    ],
    [
      "of a resource without a plan are unknown",
      [
        { name: "x", alias: "", hasUnknownCount: true },
        { name: "y", format: "plan" },
      ],
      "y2,o2 and more",
    ],
  ])("%s", (_, vms, expected) => {
    const all = [...vms, { name: "o" }].map((vm, i) => ({ ...vm, at: i * 2 }));
    const [found] = said(filesOf(all)).found;
    expect(found?.replace(` on ${large.name}`, "")).toBe(`a: ${expected}`);
  });

  test("make no second VM", () => {
    expect(
      said(
        filesOf([
          { name: "x", at: 0 },
          { name: "x", at: 2, format: "yaml" },
        ]),
      ).found,
    ).toEqual([]);
  });

  test("that disagree are unknown, and one that states nothing agrees with the default", () => {
    const vms = (vcpus: number, defaults: VmSpec["defaults"]) =>
      said(
        filesOf([
          { name: "x", at: 0 },
          { name: "x", at: 2, vcpus, format: "yaml", defaults },
          ...["y", "z"].map((name, i) => ({ name, at: 4 + i * 2 })),
        ]),
      );
    expect(vms(2, {})).toEqual({ found: [`a: x2,y2,z2 on ${large.name}`], skipped: [] });
    expect(vms(4, {})).toEqual({ found: [`a: y2,z2 on ${large.name} and more`], skipped: ["a unknown-value"] });
    expect(vms(2, { cpuHotAdd: true })).toEqual({ found: [`a: y2,z2 on ${large.name} and more`], skipped: ["a unknown-value"] });
  });
});

describe("a VM with an open setting", () => {
  /** A rule with messages about CPU hot add: `on` is a hint, and `also` a second finding at the same place. */
  const hotAdd: Rule = defineRule({
    ...PAGE,
    id: ID,
    severity: "warning",
    severities: { on: "hint" },
    over: "host",
    reads: ["vcpus", "cpuHotAdd"],
    messages: { on: () => "It is on. Turn it off.", off: () => "It is off.", also: () => "Second." },
    applies: ({ vcpus, cpuHotAdd }) =>
      vcpus.state === "known" && vcpus.value === 8 && cpuHotAdd.state === "known" ? cpuHotAdd.value : true,
    *check({ vms }) {
      for (const one of vms) {
        const { cpuHotAdd, vcpus, range } = one.vm;
        const isOn = cpuHotAdd?.value === true;
        const found = { on: one, at: range };
        if (vcpus?.value === 8) yield { ...found, messageId: "on", at: [vms.length, vms.length] };
        if (vcpus?.value === 4 && isOn) yield { ...found, messageId: "on" };
        if (vcpus?.value !== 2) continue;
        yield { ...found, messageId: isOn ? "on" : "off" };
        yield { ...found, messageId: "also" };
      }
    },
  });
  const result = (vms: readonly Partial<Vm>[], rule = hotAdd) => {
    const [file] = checkAcrossVms(filesOf(vms.map((vm, i) => ({ name: `x${i}`, at: i * 2, ...vm }))), [rule]);
    return {
      found: file?.diagnostics.map(({ severity, message, range: [at] }) => `${at} ${severity} ${message}`),
      skipped: file?.skipped.map(({ reason }) => reason),
    };
  };
  const other = { vcpus: 1 };

  test("has the mildest of the findings of all values, and each finding of one place", () => {
    const both = ["hint It is on. Turn it off. Or: It is off.", "warning Second."];
    expect(result([other, { hotAdd: "open" }])).toEqual({ found: both.map((text) => `2 ${text}`), skipped: [] });
    const [on, off] = [true, false].map((value) => ({ hotAdd: value }));
    expect(result([other, on ?? {}, off ?? {}])).toEqual({
      found: ["2 hint It is on. Turn it off.", "2 warning Second.", "4 warning It is off.", "4 warning Second."],
      skipped: [],
    });
  });

  test("is unknown if one value has no finding", () => {
    expect(result([other, { vcpus: 4, hotAdd: "open" }])).toEqual({ found: [], skipped: ["unknown-value"] });
    const open = { vcpus: 4, hotAdd: "open" } as const;
    expect(result([open, open]).skipped).toEqual(["unknown-value"]);
  });

  test("is not there with a value that the rule is not about", () => {
    expect(result([other, { vcpus: 8, hotAdd: true }])).toEqual({ found: ["2 hint It is on. Turn it off."], skipped: [] });
    expect(result([{ vcpus: 8 }, { vcpus: 8, hotAdd: "open" }])).toEqual({ found: [], skipped: ["unknown-value"] });
  });

  test("is one of two files with VMs of one name and place", () => {
    const vms = ["a", "b"].map((path) => ({ path, name: "x", hotAdd: "open" as const }));
    const files = checkAcrossVms(filesOf(vms), [hotAdd]);
    expect(files.map(({ diagnostics }) => diagnostics.length)).toEqual([2, 2]);
  });

  test("is unknown beside so many that their combinations are too many", () => {
    const open = (count: number) => Array.from({ length: count }, () => ({ hotAdd: "open" as const }));
    expect(result(open(6)).skipped).toEqual([]);
    expect(result([other, ...open(7), { hotAdd: true }])).toEqual({
      found: ["16 hint It is on. Turn it off.", "16 warning Second."],
      skipped: ["unknown-value"],
    });
    expect(said(filesOf([...open(7), {}].map((vm, i) => ({ ...vm, at: i * 2, name: "x" })))).found).toEqual([
      `a: x2 on ${large.name} and more`,
    ]);
  });

  test("is unknown on a machine whose VMs are on several hosts, or with another description", () => {
    const on = (name: string) => ({ runsOn: { name } });
    expect(result([other, { ...on("h1"), hotAdd: true }, on("h2"), { hotAdd: "open" }]).skipped).toEqual(["unknown-value"]);
    const two = [
      { name: "y", hotAdd: "open" as const },
      { name: "y", format: "yaml", hotAdd: true },
    ];
    expect(result([other, ...two]).found).toEqual(["4 hint It is on. Turn it off.", "4 warning Second."]);
  });
});

describe("the VMs of a cluster", () => {
  const inCluster = seeing({ alsoInCluster: true, over: "vm" });
  const on = (machine: string | undefined, host = large, others = [small]): Partial<Vm> => ({
    target: { host, otherHosts: others, machine: machine as string },
  });
  const check = (...vms: readonly Partial<Vm>[]) =>
    said(filesOf(vms.map((vm, i) => ({ name: `vm${i}`, at: i * 2, ...vm }))), inCluster).found;
  const both = [`a: vm02,vm12 on ${small.name} of a cluster`];

  test("are compared on its smallest host, wherever each one is, except with VMs of one machine only", () => {
    expect(check(on("m"), on("n", small, [large]))).toEqual(both);
    expect(check(on("m"), on("m"))).toEqual([]);
    expect(check(on(undefined), on(undefined))).toEqual(both);
    expect(check(on("m"), { ...on("n"), off: true })).toEqual([]);
    expect(check(on("m"), on("n", large, []))).toEqual([]);
    expect(check(on("m"), on("n", large, [requireHost("dl580g7")]))).toEqual([]);
    expect(check({ ...on("m"), off: true }, { ...on("n"), off: true })).toEqual([]);
  });

  test("are not compared if they are more than a machine runs", () => {
    const crowd = (count: number) => Array.from({ length: count }, (_, i) => on(`m${i}`));
    expect([check(...crowd(1024)).length, check(...crowd(1025)).length]).toEqual([1, 0]);
  });

  test.each<[string, Partial<Target>, boolean]>([
    ["on a declared machine", { machine: "m" }, true],
    ["on a host of a cluster", { machine: undefined as unknown as string, otherHosts: [small] }, true],
    ["without other hosts", { machine: undefined as unknown as string, otherHosts: [] }, false],
    ["without a cluster", { machine: undefined as unknown as string }, false],
  ])("may be one %s", (_, target, expected) => {
    const vm = vmFrom({ name: "x", target });
    const settings = { ...vm.spec.settings, numaNodeAffinity: known([0], [0, 1]) };
    expect(meetsOthers({ ...vm, spec: { ...vm.spec, settings } })).toBe(expected);
    // Without such a setting, only a machine matters.
    expect(meetsOthers(vm)).toBe(target.machine !== undefined);
  });
});

describe("a rule over descriptions", () => {
  const comparing: Rule = defineRule({
    ...PAGE,
    id: ID,
    severity: "warning",
    over: "descriptions",
    reads: ["vcpus", "cpuHotAdd"],
    messages: { seen: ({ text }: { text: string }) => text },
    *check({ descriptions }) {
      const [on, ...others] = descriptions;
      if (!on || others.length === 0) throw new Error("one description");
      const text = descriptions.map((one) => `${one.name} ${one.format} ${one.valueOf("vcpus")?.value} ${one.valueOf("cpuHotAdd")?.value}`);
      yield { messageId: "seen", data: { text: text.join(", ") }, on, at: [0, 1] };
    },
  });
  const yaml = { format: "yaml" };
  test.each<[string, readonly Partial<Vm>[], readonly string[], readonly string[]]>([
    ["sees both of a VM", [{}, { ...yaml, vcpus: 4 }], ["a: x vmx 2 undefined, x yaml 4 undefined"], []],
    ["sees them by file", [{ path: "b" }, { ...yaml, path: "a" }], ["a: x yaml 2 undefined, x vmx 2 undefined"], []],
    [
      "sees defaults, and no open value",
      [{ defaults: { cpuHotAdd: false } }, { ...yaml, hotAdd: "open" }],
      ["a: x vmx 2 false, x yaml 2 undefined"],
      [],
    ],
    ["sees an alias", [{ alias: "n" }, { ...yaml, alias: "n" }], ["a: n vmx 2 undefined, n yaml 2 undefined"], []],
    ["sees the only one of each format", [{}, {}, yaml, { format: "csv" }], ["a: x yaml 2 undefined, x csv 2 undefined"], []],
    ["does not run for one", [{}, {}, yaml], [], []],
    ["does not run for two VMs", [{}, { ...yaml, name: "y" }], [], []],
    ["does not see one that it is off for", [{}, { ...yaml, target: { severities: { [ID]: "off" } } }], [], []],
    ["does not see another platform", [{}, { ...yaml, platform: "other" }], [], []],
  ])("%s", (_, vms, found, skipped) => {
    expect(said(filesOf(vms.map((vm, i) => ({ name: "x", at: i * 2, ...vm }))), comparing)).toEqual({ found, skipped });
  });

  test("counts no VMs, and may be skipped", () => {
    const files = filesOf([{ name: "x" }, { name: "x", at: 2, ...yaml }]);
    const skipped: Rule = { ...comparing, checkDescriptions: () => [{ skip: "host-incomplete" }] };
    expect(said(files, skipped)).toEqual({ found: [], skipped: ["a host-incomplete"] });
    const [file] = checkAcrossVms(files, [comparing]);
    expect(file?.diagnostics.map(({ among }) => among)).toEqual([undefined]);
  });
});

describe("a finding", () => {
  const two = (more: Partial<LintedVm> = {}, path = "a"): readonly CheckedFile[] => {
    const vms = filesOf([
      { name: "x", at: 0, path: "a" },
      { name: "y", at: 2, path },
    ]);
    return vms.map((file) => ({ ...file, hostedVms: file.hostedVms.map((vm) => ({ ...vm, ...more }) as HostedVm) }));
  };
  const placesOf = (files: readonly CheckedFile[]) =>
    checkAcrossVms(files, [seeing()]).flatMap(({ path, diagnostics }) =>
      diagnostics.map(({ range, related, vm, among }) => ({ path, range, vm, among, related })),
    );

  test("is in the file of its VM, with the places of the others", () => {
    const finding = { path: "a", range: [0, 1], vm: "x", among: 2 };
    expect(placesOf(two())).toEqual([{ ...finding, related: [{ message: "y", range: [2, 3] }] }]);
    expect(placesOf(two({}, "b"))).toEqual([{ ...finding, related: [{ message: "y", range: [2, 3], path: "b" }] }]);
  });

  test("is where the VM's value is written; outside of the run it is at the VM's file", () => {
    const part: CheckedFile = { path: "part", diagnostics: [], skipped: [], hostedVms: [] };
    const moved = two({ locate: ([from, to]) => ({ path: "part", range: [from + 10, to + 10] }) });
    const written = { message: "it is written here", path: "part", range: [10, 11] };
    const related = { message: "y", range: [12, 13] };
    expect(placesOf([...moved, part])).toEqual([{ path: "part", range: [10, 11], vm: "x", among: 2, related: [related] }]);
    expect(placesOf(moved)).toEqual([{ path: "a", range: [0, 0], vm: "x", among: 2, related: [written, { ...related, path: "part" }] }]);
  });

  test("has the cell of its place, if that is in the file of its VM", () => {
    const cellAt: VmSpec["cellAt"] = ([at]) => ({ sheet: "vInfo", column: 1, row: at + 2, title: "VM", value: "x" });
    const rows = two().map((file) => ({
      ...file,
      hostedVms: file.hostedVms.map((vm) => ({ ...vm, spec: { ...vm.spec, cellAt } })),
    }));
    const cellsOf = (files: readonly CheckedFile[]) =>
      checkAcrossVms(files, [seeing()]).flatMap(({ diagnostics }) => diagnostics.map(({ cell }) => cell?.row));
    expect(cellsOf(rows)).toEqual([2]);
    const locate: LintedVm["locate"] = (range) => ({ path: "part", range });
    expect(cellsOf(rows.map((file) => ({ ...file, hostedVms: file.hostedVms.map((vm) => ({ ...vm, locate })) })))).toEqual([undefined]);
  });

  test("has the severity of the configuration, and is sorted among those of its file", () => {
    const severities = { [ID]: "error" } as const;
    const files = filesOf([0, 2].map((at) => ({ at, name: `vm${at}`, target: { severities } })));
    const [first] = checkAcrossVms(files, [seeing()]);
    expect(first?.diagnostics.map(({ severity }) => severity)).toEqual(["error"]);
    const later = files.map((file) => ({
      ...file,
      diagnostics: (first?.diagnostics ?? []).map((one) => ({ ...one, range: [9, 9] as const })),
    }));
    expect(checkAcrossVms(later, [seeing()]).map(({ diagnostics }) => diagnostics.map(({ range: [at] }) => at))).toEqual([[0, 9]]);
  });
});

describe("a rule that fails", () => {
  const fail = () => {
    throw new Error("odd");
  };
  const target = { otherHosts: [small] };
  const files = filesOf([
    { name: "x", at: 0, target },
    { name: "x", at: 2, path: "b", format: "yaml", target },
    { name: "y", at: 4, path: "c", target },
  ]);
  const listed = [{ host: large, machine: "n", path: "hosts" }] as const;
  const fileOf = (path: string): CheckedFile => ({ path, diagnostics: [], skipped: [], hostedVms: [] });

  test.each<[string, Partial<Rule>]>([
    ["about a machine", { over: "host", checkHost: fail }],
    ["about a cluster", { over: "vm", alsoInCluster: true, checkHost: fail }],
    ["about descriptions", { over: "descriptions", checkDescriptions: fail }],
    ["about hosts", { over: "host-itself", checkHostItself: fail }],
  ])("%s is a skipped check of one file, and other rules run", (_, own) => {
    const [file, ...others] = checkAcrossVms(files, [seeing(own), seeing({ id: "acme/other" })]);
    expect(others.map(({ skipped }) => skipped)).toEqual([[], []]);
    expect(file?.skipped.map(({ ruleId, reason, fault = "" }) => [ruleId, reason, fault.includes("odd")])).toEqual([
      [ID, "rule-failed", true],
    ]);
    expect(file?.diagnostics.map(({ ruleId }) => ruleId)).toEqual(["acme/other"]);
  });

  test("takes no file down that the run does not have", () => {
    const rule = seeing({ over: "host-itself", checkHostItself: fail });
    expect(said([], rule, { hosts: listed })).toEqual({ found: [], skipped: [] });
    expect(said([], rule, { hosts: listed, fileOf })).toEqual({ found: [], skipped: ["hosts rule-failed"] });
  });

  test("because of its time has failed", () => {
    const inTime = () => fail();
    expect(said(files, seeing(), { inTime })).toEqual({ found: [], skipped: ["a rule-failed"] });
  });

  test("about a VM that it did not receive has failed", () => {
    const rule = seeing();
    const made: Rule = {
      ...rule,
      *checkHost(facts) {
        for (const one of rule.checkHost(facts)) yield "skip" in one ? one : { ...one, on: { ...one.on } };
      },
    };
    expect(said(files, made)).toEqual({ found: [], skipped: ["a rule-failed"] });
  });
});

test("a finding about a listed host is in its file, which joins the results only then", () => {
  const rule: Rule = {
    ...seeing({ over: "host-itself" }),
    checkHostItself: ({ host, vmCount }) =>
      host === small ? [] : [{ messageId: "seen", severity: "warning", message: `${host.name} ${vmCount()}`, data: {} }],
  };
  const hosts = [
    { host: large, machine: "n", path: "hosts" },
    { host: small, machine: "o", path: "others" },
  ];
  const fileOf = (path: string): CheckedFile => ({ path, diagnostics: [], skipped: [], hostedVms: [] });
  const vms = filesOf([
    { name: "x", at: 0, target: { machine: "n" } },
    { name: "x", at: 2, format: "yaml", target: { machine: "n" } },
    { name: "y", at: 4, off: true, target: { machine: "n" } },
  ]);
  const results = checkAcrossVms(vms, [rule], { hosts, fileOf });
  expect(results.map(({ path, diagnostics }) => [path, diagnostics.map(({ message, vms }) => [message, vms])])).toEqual([
    ["a", []],
    ["hosts", [[`${large.name} 1`, ["x"]]]],
  ]);
  expect(said(vms, rule, { hosts })).toEqual({ found: [], skipped: [] });
});
