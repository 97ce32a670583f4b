import { type Diagnostic, type HostModel, type Rule, requireHost, type Target, type VmSpec } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { known } from "../../packages/core/src/model/source.ts";
import { isSure } from "../../packages/core/src/platforms/esxi/certainty.ts";
import { type AnyFacts, lintWith, partial, ruleThat, type Said, type Values } from "../support/lint-with.ts";
import { vmOf } from "../support/sample-vm.ts";

const VM = vmOf('virtualHW.version = "21"\nnumvcpus = "8"\nmemSize = "4096"');
const HOT_ADD = partial('virtualHW.version = "21"\nnumvcpus = "8"\nmemSize = "4096"', { cpuHotAdd: undefined, memoryHotAdd: undefined });
const BOTH = ["cpuHotAdd", "memoryHotAdd"] as const;
const HOST = requireHost("2x12x2:256@8.0");
const { esxi: _, ...WITHOUT_RELEASE } = HOST;
const REFUSED = vmOf('numvcpus = "6"\ncpuid.coresPerSocket = "4"');
const OTHER: VmSpec = { ...VM, platform: "other" };
const KVM: VmSpec = { ...VM, platform: "kvm" };
const UNCOUNTED: VmSpec = { ...partial('numvcpus = "8"', { vcpus: undefined }), platform: "kvm" };
const always = () => ["A."];
const never = () => [];

describe("a check", () => {
  test.each<[what: string, rule: Rule, vm: VmSpec, target: Target, result: readonly unknown[]]>([
    ["with a finding ran", ruleThat(always), VM, {}, [1, ["A."], []]],
    ["without a finding ran", ruleThat(never), VM, {}, [1, [], []]],
    ["of a rule that does not apply is none", ruleThat(always, { applies: () => false }), VM, {}, [0, [], []]],
    [
      "of a rule with others that does not apply is none",
      ruleThat(always, { applies: () => false, unless: ["acme/b"] }),
      VM,
      {},
      [0, [], []],
    ],
    ["that may apply is skipped", ruleThat(always, { applies: () => undefined }), VM, {}, [0, [], ["unknown-value"]]],
    ["with a note ran", ruleThat(({ cpuHotAdd }) => (cpuHotAdd ? ["A."] : []), { reads: BOTH }), HOT_ADD, {}, [1, [expect.anything()], []]],
    ["without a workload", ruleThat(always, { needs: ["workload"] }), VM, { host: HOST }, [0, [], ["no-workload"]]],
    ["with a workload", ruleThat(always, { needs: ["workload"] }), VM, { workload: { kind: "hana" } }, [1, ["A."], []]],
    ["without a host", ruleThat(always, { needs: ["host"] }), VM, {}, [0, [], ["no-host"]]],
    ["without a host for a layout", ruleThat(always, { needs: ["topology"] }), VM, {}, [0, [], ["no-host"]]],
    ["with a host", ruleThat(always, { needs: ["host", "topology"] }), VM, { host: HOST }, [1, ["A."], []]],
    ["of a layout that needs no host", ruleThat(always, { needs: ["topology"], for: "any" }), KVM, {}, [1, ["A."], []]],
    [
      "of a layout that an unknown count decides",
      ruleThat(always, { needs: ["topology"], for: "any" }),
      UNCOUNTED,
      {},
      [0, [], ["unknown-value"]],
    ],
    ["of a host of any platform", ruleThat(always, { needs: ["host"], for: "any" }), KVM, {}, [0, [], ["no-host"]]],
    ["of ESXi on another platform", ruleThat(always), OTHER, {}, [0, [], ["other-platform"]]],
    [
      "of ESXi on another platform without a host",
      ruleThat(always, { needs: ["host"], onlyWiderThan: "node" }),
      OTHER,
      {},
      [0, [], ["other-platform"]],
    ],
    [
      "of a layout that no platform has",
      ruleThat(always, { needs: ["topology"], for: "any" }),
      OTHER,
      { host: HOST },
      [0, [], ["other-platform"]],
    ],
    [
      "of a layout of a VM that does not start",
      ruleThat(always, { needs: ["topology"] }),
      REFUSED,
      { host: HOST },
      [0, [], ["no-power-on"]],
    ],
    ["of a VM that does not start", ruleThat(always, { needs: ["host"] }), REFUSED, { host: HOST }, [1, ["A."], []]],
    ["that lacks something", ruleThat(() => [{ skip: "workload-incomplete" }]), VM, {}, [0, [], ["workload-incomplete"]]],
    [
      "that lacks something else, too",
      ruleThat(() => ["A.", { skip: "workload-incomplete" }]),
      VM,
      {},
      [0, ["A."], ["workload-incomplete"]],
    ],
    ["of a VM that fits each node", ruleThat(always, { needs: ["host"], onlyWiderThan: "node" }), vmOf('numvcpus = "2"'), {}, [1, [], []]],
    ["of a VM that fits no node", ruleThat(always, { needs: ["host"], onlyWiderThan: "node" }), VM, {}, [0, [], ["no-host"]]],
  ])("%s", (_what, rule, vm, target, [ran, found, skipped]) => {
    expect(lintWith(vm, rule, target)).toMatchObject({ ran, found, skipped });
  });

  test.each<[unknown, RegExp]>([
    [new Error("no"), /^Error: no\n {4}at /],
    [Object.assign(new Error("no"), { stack: undefined }), /^no$/],
    ["no", /^no$/],
  ])("that throws %s failed, and the others run", (error, fault) => {
    const throws = ruleThat(() => {
      throw error;
    });
    const { found, ran, skips } = lintWith(VM, [throws, ruleThat(always, { id: "acme/other" })]);
    expect([found, ran]).toEqual([["A."], 1]);
    expect(skips).toMatchObject([{ ruleId: "acme/any", reason: "rule-failed", fault: expect.stringMatching(fault) }]);
  });
});

describe("a rule with `unless`", () => {
  type Finds = Said["as"] | "skip" | undefined;
  const says = (finds: Finds, text: string) =>
    finds === undefined ? [] : finds === "skip" ? [{ skip: "host-incomplete" as const }] : [{ text, as: finds, fixes: ["Mend it"] }];
  test.each<[own: Finds, other: Finds, found: readonly string[], skipped: number]>([
    ["warning", undefined, ["A."], 0],
    ["warning", "info", ["A."], 0],
    ["warning", "warning", ["B."], 0],
    ["warning", "error", ["B."], 0],
    ["error", "warning", ["A."], 0],
    ["warning", "skip", ["A."], 1],
    ["skip", "info", ["B."], 1],
    ["skip", "error", ["B."], 1],
    ["skip", "skip", [], 2],
    [undefined, "info", ["B."], 0],
    [undefined, "skip", [], 1],
  ])("and %s: with %s of the other rule, %j remains", (own, other, expected, skipped) => {
    const rule = ruleThat(() => says(own, "A."), { unless: ["acme/other"] });
    const others = [ruleThat(() => says(other, "B."), { id: "acme/other" }), ruleThat(always, { id: "acme/third" })];
    const result = lintWith(VM, [rule, ...others]);
    expect([result.found, result.skipped.length]).toEqual([[...expected, "A."], skipped]);
    for (const { ruleId, fixes } of result.diagnostics) expect(fixes).toHaveLength(ruleId === "acme/third" ? 0 : 1);
  });

  test("counts the other even if it is off, and keeps what has another cause", () => {
    const rule = ruleThat(() => [{ text: "A.", as: "error" }, "B."], { unless: ["acme/other"] });
    const result = lintWith(VM, [rule, ruleThat(always, { id: "acme/other" })], { severities: { "acme/other": "off" } });
    expect(result.found).toEqual(["A."]);
  });

  test("has advice, which the search for the more severe one has not", () => {
    const advised = (_values: Values, { advise }: AnyFacts) => [advise(() => "Use 8.") ?? "No advice."];
    expect(lintWith(VM, ruleThat(advised, { unless: ["acme/other"] })).found).toEqual(["Use 8."]);
  });

  test("replaces notes of the other, and has notes itself", () => {
    const ifHot = ({ cpuHotAdd }: Values) => (cpuHotAdd ? ["A."] : []);
    const hot = ruleThat(ifHot, { id: "acme/other", reads: BOTH });
    const beside = (rule: Rule) => lintWith(HOT_ADD, [hot, rule]).diagnostics.map(({ ruleId, holds }) => [ruleId, holds]);
    expect(beside(ruleThat(always, { unless: ["acme/other"] }))).toEqual([["acme/any", undefined]]);
    expect(beside(ruleThat(never, { unless: ["acme/other"] }))).toEqual([["acme/other", "in some cases"]]);
    const own = ruleThat(({ cpuHotAdd }) => (cpuHotAdd ? [] : ["A."]), { reads: BOTH, unless: ["acme/none"] });
    expect(lintWith(HOT_ADD, own).diagnostics.map(({ holds }) => holds)).toEqual(["in some cases"]);
  });
});

test("which rules run depends on the severities, the selection and the workload of each VM", () => {
  const all = [ruleThat(always), ruleThat(() => ["B."], { id: "acme/hana", about: "hana", optIn: true })];
  const found = (target: Target) => lintWith(VM, all, target).found.join("");
  const selects = () => true;
  const targets: readonly Target[] = [
    {},
    { selects },
    { severities: { "acme/any": "off" } },
    { severities: { "acme/hana": "error" } },
    { selects, severities: { "acme/any": "off" } },
    { selects, workload: { kind: "mssql" } },
    { selects, workload: { kind: "hana" } },
    { selects: () => false },
  ];
  const expected = ["A.", "A.B.", "", "A.B.", "B.", "A.", "A.B.", ""];
  expect(targets.map(found)).toEqual(expected);
  expect(targets.map(found)).toEqual(expected);
});

describe("a note", () => {
  const ifHot = (said: Said | string, id: string) => ruleThat(({ cpuHotAdd }) => (cpuHotAdd ? [said] : []), { id, reads: BOTH });
  const noted = (...all: readonly Rule[]) => lintWith(HOT_ADD, all);

  test("joins what one value decides, the most severe first", () => {
    const { diagnostics, found, skipped } = noted(
      ifHot({ text: "A.", fixes: ["Mend it"] }, "acme/a"),
      ifHot({ text: "B.", as: "error", at: 5 }, "acme/b"),
      ifHot({ text: "C.", as: "info" }, "acme/c"),
      ifHot("D.", "acme/d"),
      ifHot({ text: "E.", at: 3 }, "acme/d"),
    );
    expect([found, skipped]).toEqual([
      [
        "If cpuHotAdd is true: B. 3 more checks would report the VM: acme/a, acme/d. Set cpuHotAdd to be sure (unknown: a variable has no value).",
      ],
      ["unknown-value"],
    ]);
    expect(diagnostics).toMatchObject([{ ruleId: "acme/b", severity: "info", range: [7, 9], holds: "in some cases", fixes: [] }]);
    const when = { cpuHotAdd: true };
    expect(diagnostics[0]?.cases).toEqual([
      { when, ruleId: "acme/a", message: "A." },
      { when, ruleId: "acme/b", message: "B." },
      { when, ruleId: "acme/d", message: "D." },
      { when, ruleId: "acme/d", message: "E." },
    ]);
  });

  test("counts the severity of the configuration", () => {
    const severities = { "acme/a": "info", "acme/b": "error" } as const;
    const all = [ifHot("A.", "acme/a"), ifHot({ text: "B.", as: "info" }, "acme/b")];
    const { diagnostics, skipped } = lintWith(HOT_ADD, all, { severities });
    expect([diagnostics.map(({ ruleId }) => ruleId), skipped]).toEqual([["acme/b"], ["unknown-value"]]);
  });

  test("is no reason to skip the check, and a reason to skip it is no note", () => {
    const rule = ruleThat(
      ({ cpuHotAdd, memoryHotAdd }) =>
        cpuHotAdd ? ["A."] : memoryHotAdd ? [{ skip: "workload-incomplete", lacks: ["edition"] }] : [{ text: "B.", at: 5, as: "info" }],
      { reads: BOTH },
    );
    const { found, skipped } = lintWith(HOT_ADD, rule);
    expect([found.length, skipped]).toEqual([1, ["workload-incomplete"]]);
  });
});

test("a setting that a rule does not read is unknown to it in each case, too", () => {
  const tells = ({ cpuHotAdd }: Values, { ifKnown }: AnyFacts) => [`${cpuHotAdd} ${ifKnown("preferHt")} ${ifKnown("cpuHotAdd")}.`];
  const { cpuHotAdd: hot, preferHt } = partial('numvcpus = "30"', { cpuHotAdd: [true], preferHt: [true, false] }).settings;
  const told = (more: Partial<VmSpec["settings"]>) =>
    lintWith({ ...VM, settings: { ...VM.settings, ...more } }, ruleThat(tells, { reads: ["cpuHotAdd"], needs: ["topology"] }), {
      host: HOST,
    }).found;
  expect(told({ cpuHotAdd: hot, preferHt })).toEqual(["true undefined true."]);
  expect(told({ cpuHotAdd: hot, preferHt: known(true, [0, 1]) })).toEqual(["true true true."]);
});

test("a value that decides only beside one of another setting is no condition", () => {
  const vm = partial('virtualHW.version = "21"\nnumvcpus = "24"', { cpuHotAdd: undefined, exposeVnumaOnHotAdd: undefined });
  const isUndivided = (_values: Values, { topology }: AnyFacts) => (topology?.vnumaNodes.length === 1 ? ["A."] : []);
  expect(lintWith(vm, ruleThat(isUndivided, { needs: ["topology"] }), { host: HOST })).toMatchObject({
    found: [],
    skipped: ["unknown-value"],
  });
});

test("a rule that no source decides sees each layout", () => {
  const open = vmOf('virtualHW.version = "20"\nnumvcpus = "4"\nvcpu.hotadd = "TRUE"');
  const ofSockets = (most: number) =>
    ruleThat(
      (_values, { topology }) => {
        if (!topology || !isSure(topology.certainties.sockets)) return [{ skip: "layout-unknown" }];
        return topology.coresPerSocket <= most ? [`Sockets of ${topology.coresPerSocket}.`] : [];
      },
      { needs: ["topology"] },
    );
  expect(lintWith(open, ofSockets(8), { host: HOST })).toMatchObject({ found: ["Sockets of 4 or 1."], skipped: [] });
  expect(lintWith(open, ofSockets(2), { host: HOST })).toMatchObject({ found: [], skipped: ["layout-unknown"] });
  const undecided = ruleThat(() => [{ skip: "layout-unknown" }], { reads: ["cpuHotAdd"] });
  expect(lintWith(HOT_ADD, undecided)).toMatchObject({ found: [], skipped: ["layout-unknown"] });
});

test("what decides a finding is a value, a release or no source", () => {
  const wide = vmOf('virtualHW.version = "21"\nnumvcpus = "36"\nmemSize = "4096"');
  const ifHost = (is: (host: HostModel) => boolean) =>
    ruleThat((_values, { host }) => (is(host) ? ["A."] : []), { needs: ["host", "topology"] });
  const skipped = (vm: VmSpec, host: HostModel, is: (host: HostModel) => boolean) => lintWith(vm, ifHost(is), { host }).skipped;
  const isNine = ({ esxi }: HostModel) => esxi?.major === 9;
  expect(skipped(wide, WITHOUT_RELEASE, isNine)).toEqual(["no-esxi-version"]);
  const { preferHt } = partial('numvcpus = "30"', { preferHt: undefined }).settings;
  expect(skipped({ ...wide, settings: { ...wide.settings, preferHt } }, WITHOUT_RELEASE, isNine)).toEqual(["unknown-value"]);
});

describe("a VM that runs although ESXi refuses its values", () => {
  const refuses = { refused: ["error"], reads: ["vcpus", "coresPerSocket", "cpuHotAdd"], needs: [] } as const;
  const says = () => [{ text: "It does not start.", as: "error" as const }];
  const running = { ...VM, running: true };
  const wrong = (values: string) =>
    `The VM is running, but ESXi does not start a VM with ${values}: one of these values is wrong, or it changed after the start.`;
  test.each<[what: string, vm: VmSpec, more: Partial<Rule>, target: Target, message: string]>([
    ["is stopped", VM, refuses, {}, "It does not start."],
    ["runs", running, refuses, {}, wrong("vcpus 8")],
    ["runs with two values", running, { ...refuses, reads: ["vcpus", "memoryMiB"] }, {}, wrong("vcpus 8 and memoryMiB 4096")],
    ["runs without values", running, { ...refuses, reads: [] }, {}, "The VM is running, so something here is wrong: It does not start."],
    ["runs, and the message is another", running, { ...refuses, refused: ["warning"] }, {}, "It does not start."],
    ["runs on a given host", running, { ...refuses, needs: ["host"] }, { host: HOST }, "It does not start."],
    [
      "runs on its host",
      running,
      { ...refuses, needs: ["host"] },
      { host: HOST, hostSource: "inventory" },
      wrong(`vcpus 8 on ${HOST.name}`),
    ],
    ["runs on its host, which does not matter", running, refuses, { host: HOST, hostSource: "inventory" }, wrong("vcpus 8")],
    [
      "may move there",
      running,
      { ...refuses, needs: ["host"] },
      { host: HOST, hostSource: "inventory", elsewhere: true },
      "It does not start.",
    ],
  ])("and %s", (_what, vm, more, target, message) => {
    const { diagnostics } = lintWith(vm, ruleThat(says, more), target);
    const isMild = message !== "It does not start.";
    expect(diagnostics).toMatchObject([{ message, severity: isMild ? "info" : "error" }]);
  });
});

test("a finding leads through the ways of its value, and says who refuses the file", () => {
  const step = (message: string) => () => [{ message, range: [1, 2] as const }];
  const vm: VmSpec = {
    ...VM,
    traceTo: step("from a variable"),
    calledAt: step("called here"),
    generator: { name: "terraform plan", refuses: ["acme/any"] },
  };
  const { diagnostics } = lintWith(vm, [ruleThat(always), ruleThat(always, { id: "acme/other" })]);
  expect(diagnostics.map(({ message, related }) => [message, ...related.map((one) => one.message)])).toEqual([
    ["terraform plan refuses this file: A.", "from a variable", "called here"],
    ["A.", "from a variable", "called here"],
  ]);
});

describe("a fix", () => {
  const fix = (title: string, ...changes: NonNullable<Diagnostic["fixes"][number]["changes"]>) => ({
    title,
    safety: "safe" as const,
    changes,
  });
  const reserve = fix("Reserve it", { setting: "memoryReservationMiB", value: 4096 });
  const grow = fix("Grow", { setting: "vcpus", value: 9 });
  const scsi = fix("Change it", { setting: "scsiType", controller: "scsi0", value: "pvscsi" });
  const titles = (vm: VmSpec, ...fixes: readonly (typeof reserve)[]) =>
    lintWith(
      vm,
      ruleThat(() => [{ text: "A.", fixes }]),
    ).diagnostics.map((one) => one.fixes.map(({ title }) => title));

  test("that the file cannot express is left out", () => {
    const edit: VmSpec["edit"] = (changes) => (changes.some(({ setting }) => setting === "vcpus") ? undefined : []);
    expect(titles({ ...VM, edit }, grow, reserve)).toEqual([["Reserve it"]]);
  });

  test("that keeps the VM startable changes more", () => {
    const limited = vmOf('numvcpus = "8"\nmemSize = "4096"\nsched.mem.max = "1024"');
    expect(titles(limited, reserve)).toEqual([["Reserve it, no memory limit"]]);
  });

  test("that the file states already means no finding", () => {
    const unmet = { memoryReservationMiB: 4096 };
    expect(titles(VM, reserve)).toHaveLength(1);
    expect(titles({ ...VM, unmet }, reserve)).toHaveLength(0);
    expect(titles({ ...VM, unmet }, grow, reserve)).toHaveLength(0);
    expect(titles({ ...VM, unmet: { memoryReservationMiB: 2048 } }, reserve)).toHaveLength(1);
    expect(titles({ ...VM, unmet }, fix("Both", ...reserve.changes, ...grow.changes))).toHaveLength(1);
    expect(titles({ ...VM, unmet }, scsi)).toHaveLength(1);
    expect(
      lintWith(
        { ...VM, unmet },
        ruleThat(() => [{ skip: "workload-incomplete" }]),
      ).skipped,
    ).toEqual(["workload-incomplete"]);
  });
});

describe("the facts of a rule", () => {
  const fact = (get: (facts: AnyFacts) => unknown, target: Target, vm: VmSpec = VM, more: Partial<Rule> = {}) =>
    lintWith(
      vm,
      ruleThat((_values, facts) => [JSON.stringify(get(facts)) ?? "none"], more),
      target,
    ).found[0];

  test("without a host have no layout", () => {
    const without = (get: (facts: AnyFacts) => unknown) => fact(get, {});
    expect(without(({ layouts }) => layouts())).toBe("none");
    expect(without(({ whatIf }) => whatIf({ vcpus: 2 }))).toBe("none");
    expect(without(({ guest }) => guest())).toBe("none");
    expect(without(({ observed }) => observed())).toBe("none");
    expect(without(({ storedSize }) => storedSize())).toBe("null");
    expect(without(({ onOtherHosts }) => onOtherHosts())).toBe("[]");
  });

  test("with a host have its layouts", () => {
    const target = { host: HOST, otherHosts: [requireHost("2x4x2@8.0")] };
    const of = (get: (facts: AnyFacts) => unknown, vm?: VmSpec) => fact(get, target, vm, { needs: ["host", "topology"] });
    expect(of(({ topology }) => topology?.vnumaNodes)).toBe("[8]");
    expect(of(({ layouts }) => layouts()?.cases.length)).toBe("1");
    expect(of(({ whatIf }) => whatIf({ vcpus: 24 })?.vnumaNodes)).toBe("[12,12]");
    expect(of(({ guest }) => guest() !== undefined)).toBe("true");
    expect(of(({ onOtherHosts }) => onOtherHosts().map(({ topology }) => topology?.numaClients))).toBe("[[4,4]]");
    const observed = { value: { numaClients: [4, 4], source: "vCenter" }, range: [0, 1] as const };
    expect(of((facts) => facts.observed() !== undefined, { ...VM, observed })).toBe("true");
    const stored = vmOf(
      'virtualHW.version = "19"\nnumvcpus = "8"\nnuma.autosize.cookie = "80001"\nnuma.autosize.vcpu.maxPerVirtualNode = "4"',
    );
    expect(of(({ storedSize }) => storedSize() !== null, stored)).toBe("true");
  });

  test("that a rule does not read are not there", () => {
    const seen = (_values: Values, { vm }: AnyFacts) => [String("memoryMiB" in vm), String("cpuHotAdd" in vm)];
    expect(lintWith(VM, ruleThat(seen, { reads: ["memoryMiB"] })).found).toEqual(["true", "false"]);
  });
});
