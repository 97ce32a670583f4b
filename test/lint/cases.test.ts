import { type Diagnostic, defineRule, type HostModel, requireHost, type SettingName, type VmSpec } from "@vmlint/core";
import { expect, test } from "vitest";
import { casesFor, decidingSetting, joinedMessage } from "../../packages/core/src/lint/cases.ts";
import { combinations, possibleSpecs } from "../../packages/core/src/lint/combinations.ts";
import { type Completion, completed } from "../../packages/core/src/platforms/esxi/possible.ts";
import { lintWith, partial, ruleThat, type Said, type Values } from "../support/lint-with.ts";
import { vmOf } from "../support/sample-vm.ts";

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

test("up to 128 possible values are all checked; the value is unknown to a rule with more", () => {
  const result = (count: number) => {
    const vm = partial('numvcpus = "8"', { coresPerSocket: upTo(count) });
    const { found, skipped } = lintWith(
      vm,
      ruleThat(() => ["It is wide."], { reads: ["coresPerSocket"] }),
    );
    return [found, skipped];
  };
  expect([result(128), result(129)]).toEqual([
    [["It is wide."], []],
    [[], ["unknown-value"]],
  ]);
});

test("a value that a layout depends on is the same in the layout and in what the rule reads", () => {
  const vm = partial('numvcpus = "4"', { coresPerSocket: [2, 4] });
  const host = requireHost("2x12x2:256@8.0");
  const completion = (coresPerSocket: number) => ({ vm: completed(vm, { coresPerSocket }), host }) as Completion;
  const cases = casesFor({ spec: vm, target: { host } }, ["coresPerSocket", "preferHt"], [2, 4].map(completion));
  expect(cases?.map((one) => one.vm.settings.coresPerSocket)).toMatchObject([{ value: 2 }, { value: 4 }]);
});

test("values that vSphere refuses are left out, unless it refuses all", () => {
  const found = (among: readonly number[]) =>
    lintWith(
      partial('numvcpus = "6"', { coresPerSocket: among }),
      ruleThat(({ coresPerSocket }) => [`Size ${coresPerSocket}.`], { reads: ["coresPerSocket"] }),
    ).found;
  expect([found([3, 4]), found([4, 5])]).toEqual([["Size 3."], ["Size 4. If coresPerSocket is 5: Size 5."]]);
});

test("a release that does not run a VM is no case of a host without a release", () => {
  const { esxi: _, ...host } = requireHost("2x12x2:256@8.0");
  const text = 'virtualHW.version = "21"\nnumvcpus = "48"\ncpuid.numSMT = "2"';
  const isNew = ({ esxi }: HostModel) => (esxi && esxi.major < 8 ? [] : ["It is new."]);
  const { found, skipped } = lintWith(
    vmOf(text),
    ruleThat((_, facts) => isNew(facts.host), { needs: ["topology", "host"] }),
    { host },
  );
  expect([found, skipped]).toEqual([["It is new."], []]);
});

const HOT_ADD = partial('numvcpus = "8"\nmemSize = "4096"', { cpuHotAdd: undefined, memoryHotAdd: undefined });
const BOTH = ["cpuHotAdd", "memoryHotAdd"] as const;

test.each<[what: string, says: (values: Values) => readonly (Said | string)[], found: readonly string[], skipped: readonly string[]]>([
  ["every case has is one finding", () => ["A."], ["A."], []],
  ["no case has is none", () => [], [], []],
  ["every case has twice at one place is two findings", () => ["A.", "B."], ["A.", "B."], []],
  ["every case has at two places is two findings", () => ["A.", { text: "B.", at: 5 }], ["A.", "B."], []],
  [
    "one value decides is a note",
    ({ cpuHotAdd }) => (cpuHotAdd ? ["A."] : []),
    ["If cpuHotAdd is true: A. Set cpuHotAdd to be sure (unknown: a variable has no value)."],
    [],
  ],
  [
    "one value has a second time is a note",
    ({ memoryHotAdd }) => (memoryHotAdd ? ["A."] : ["A.", "B."]),
    ["A.", "If memoryHotAdd is false: B. Set memoryHotAdd to be sure (unknown: a variable has no value)."],
    [],
  ],
  [
    "two values decide together is skipped",
    ({ cpuHotAdd, memoryHotAdd }) => (cpuHotAdd && memoryHotAdd ? ["A."] : []),
    [],
    ["unknown-value"],
  ],
  [
    "two equal values decide is skipped",
    ({ cpuHotAdd, memoryHotAdd }) => (cpuHotAdd === memoryHotAdd ? ["A."] : []),
    [],
    ["unknown-value"],
  ],
  [
    "several values decide is skipped once",
    ({ cpuHotAdd, memoryHotAdd }) => (cpuHotAdd === memoryHotAdd ? ["A.", "B."] : []),
    [],
    ["unknown-value"],
  ],
  ["is no more than an info is skipped", ({ cpuHotAdd }) => (cpuHotAdd ? [{ text: "A.", as: "info" }] : []), [], ["unknown-value"]],
  [
    "one value decides has the words of each other value",
    ({ cpuHotAdd, memoryHotAdd }) => (cpuHotAdd ? [`Set ${memoryHotAdd ? "this" : "that, and more"}.`] : []),
    [
      "If cpuHotAdd is true: Set that, and more. If memoryHotAdd is true: Set this. Set cpuHotAdd to be sure (unknown: a variable has no value).",
    ],
    [],
  ],
])("what %s", (_, says, found, skipped) => {
  expect(lintWith(HOT_ADD, ruleThat(says, { reads: BOTH }))).toMatchObject({ found, skipped });
});

test("a finding of all cases is the mildest, with the fixes that are right in each", () => {
  const says = ({ cpuHotAdd }: Values): readonly Said[] => [
    cpuHotAdd ? { text: "A.", fixes: ["Turn it off", "Grow"] } : { text: "B.", as: "info", fixes: ["Shrink", "Grow"] },
  ];
  const [found] = lintWith(HOT_ADD, ruleThat(says, { reads: BOTH })).diagnostics as readonly [Diagnostic];
  expect([found.severity, found.fixes.map(({ title }) => title)]).toEqual(["info", ["Grow"]]);
});

test("a setting that matters only with one value of another decides nothing", () => {
  const vm = partial('numvcpus = "4"', { cpuHotAdd: undefined, preferHt: undefined });
  const cases = [{ preferHt: true }, { preferHt: false, cpuHotAdd: true }, { preferHt: false, cpuHotAdd: false }].map((values) => ({
    vm: completed(vm, values),
    host: undefined,
    topology: undefined,
  }));
  expect(decidingSetting(vm, cases, cases.slice(0, 1))).toEqual({ setting: "preferHt", value: true });
  expect(decidingSetting(vm, cases, cases.slice(2))).toEqual({ setting: "cpuHotAdd", value: false });
});

test("each choice of one item from each list is a combination, up to 64", () => {
  expect(combinations<unknown>([["a", "b"], ["c"], [1, 2]])?.map((one) => one.join(""))).toEqual(["ac1", "ac2", "bc1", "bc2"]);
  const lists = (...lengths: readonly number[]) => lengths.map((length) => Array.from({ length }, (_, i) => i));
  expect([combinations(lists(8, 8))?.length, combinations(lists(5, 13)), combinations([])]).toEqual([64, undefined, [[]]]);
});

test("a VM is one of several possible ones, or none of these where the rule does not apply", () => {
  const rule = defineRule({
    ...{ id: "acme/any", since: "1.0.0", docsUrl: "https://acme.example/any", severity: "warning", reads: BOTH, messages: {} },
    applies: ({ cpuHotAdd, memoryHotAdd }) =>
      memoryHotAdd.state === "unknown" ? undefined : cpuHotAdd.state === "known" && cpuHotAdd.value,
    *check() {},
  });
  const possible = (vm: VmSpec, reads: readonly SettingName[] = BOTH) =>
    possibleSpecs({ ...rule, reads }, { spec: vm, target: { host: requireHost("r640") } })?.map((one) => one?.settings.memoryHotAdd);
  expect(possible(HOT_ADD)).toMatchObject([undefined, undefined, { value: false }, { value: true }]);
  expect(possible(HOT_ADD, ["cpuHotAdd"])).toBeUndefined();
  expect(possible({ ...HOT_ADD, hasUnknownCount: true })).toBeUndefined();
  expect(possible({ ...HOT_ADD, changes: "vm-1" as unknown as NonNullable<VmSpec["changes"]> })).toBeUndefined();
});

const never = () => undefined;

test.each<[messages: readonly string[], expected: string]>([
  [["It is wide.", "It is wide."], "It is wide."],
  [["Split 8+7: use 16.", "Split 8+6: use 16."], "Split 8+7 or 8+6: use 16."],
  [["Use 8.", "Use 16,"], "Use 8. Or: Use 16,"],
  [["Use 8 cores.", "Split 16 cores."], "Use 8 cores. Or: Split 16 cores."],
  [["Use 8 cores now", "Use 8 cores"], "Use 8 cores now Or: Use 8 cores"],
  [["It is wide. Use 8 cores.", "It is wide. Use 8 cores, or 4."], "It is wide. Use 8 cores. Or: Use 8 cores, or 4."],
  [["It is wide. Use 8. See there.", "It is wide. Use 8."], "It is wide. Use 8. See there. Or: It is wide. Use 8."],
  [["B.", "A.", "C."], "In one of 3 possible cases: B."],
])("%j are one text, without what they share", (messages, expected) => {
  expect(joinedMessage(messages, messages[0] ?? "", never)).toBe(expected);
});

test("the mildest message comes first, and a condition is before the other", () => {
  const [plain, hotAdd] = ["A socket is wide. Set 8 cores.", "A socket is wide. Set 8 cores, and turn hot add off."];
  const when = (message: string) => (message === hotAdd ? "If cpuHotAdd is true:" : undefined);
  expect(joinedMessage([hotAdd, plain], plain, when)).toBe(`${plain} If cpuHotAdd is true: Set 8 cores, and turn hot add off.`);
  expect(joinedMessage(["It has 8.", "It has 4."], "It has 4.", never)).toBe("It has 4 or 8.");
});
