import { defineRule, type HostModel, type Rule, requireHost, type Target, type VmSpec } from "@vmlint/core";
import { lintParsed, type Problem } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { safest } from "../../packages/core/src/lint/lint.ts";
import { PAGE } from "../support/plugin-page.ts";
import { vmOf } from "../support/sample-vm.ts";

const TEXT = "acme/text";
const [SMALL, UNSURE] = ["acme/small", "acme/unsure"];

/** A rule about problems of a text, a rule about few vCPUs, and a rule that skips each VM. */
const RULES: readonly Rule[] = [
  {
    ...defineRule({
      ...PAGE,
      id: TEXT,
      severity: "warning",
      severities: { mild: "hint" },
      over: "text",
      messages: { grave: () => "Grave.", mild: () => "Mild." },
    }),
  },
  defineRule({
    ...PAGE,
    id: SMALL,
    severity: "warning",
    reads: ["vcpus"],
    messages: { few: ({ vcpus }: { vcpus: number }) => `It has ${vcpus}.` },
    *check({ vm: { vcpus, range: at } }) {
      if (vcpus && vcpus.value < 8) yield { messageId: "few", data: { vcpus: vcpus.value }, at };
    },
  }),
  defineRule({ ...PAGE, id: UNSURE, severity: "warning", needs: ["workload"], messages: { any: () => "" }, *check() {} }),
];

const vm = (name: string, more: Partial<VmSpec> = {}, vcpus = 4): VmSpec => ({ ...vmOf(`numvcpus = "${vcpus}"`), name, ...more });
const problem = (messageId: string, at = 0, more: Partial<Problem> = {}): Problem => ({
  ruleId: TEXT,
  messageId,
  data: {},
  range: [at, at + 1],
  ...more,
});

const lint = (vms: readonly VmSpec[], problems: readonly Problem[] = [], options: Parameters<typeof lintParsed>[1] = {}) =>
  lintParsed({ vms, problems }, { rules: RULES, ...options });

/** Returns the findings with the severity, the message and the VM. */
const shown = (...given: Parameters<typeof lint>) =>
  lint(...given).diagnostics.map(({ severity, message, vm, host }) => [severity, message, vm, ...(host === null ? [] : [host])].join(" "));

const big = (name: string, more: Partial<VmSpec> = {}) => vm(name, more, 8);

describe("a problem of a text", () => {
  test("is about the VM of the text, if there is one", () => {
    expect(shown([big("a")], [problem("grave")])).toEqual(["warning Grave. a"]);
    expect(shown([big("a"), big("b")], [problem("grave")])).toEqual(["warning Grave. "]);
    expect(shown([], [problem("grave")])).toEqual(["warning Grave. "]);
  });

  test("of a VM is about that VM, if no other one has the same", () => {
    const of = (name: string, at: number) => big(name, { problems: [problem("grave", at)] });
    expect(shown([of("a", 0), of("b", 2)])).toEqual(["warning Grave. a", "warning Grave. b"]);
    expect(shown([of("a", 0), of("b", 0)])).toEqual(["warning Grave. "]);
    expect(shown([of("a", 0), of("b", 0), of("c", 2)])).toEqual(["warning Grave. ", "warning Grave. c"]);
    const messages = [big("a", { problems: [problem("grave"), problem("mild"), problem("mild", 0, { ruleId: "acme/none" })] })];
    expect(shown(messages).sort()).toEqual(["hint Mild. a", "warning Grave. a"]);
  });

  test("of the comment of a VM is one, however many options its file has", () => {
    const first = big("a");
    const target: Target = { problems: [problem("mild")] };
    expect(shown([first, big("a", { choiceOf: first })], [], { target })).toEqual(["hint Mild. "]);
    expect(shown([first], [], { target: () => target })).toEqual(["hint Mild. a"]);
  });

  test.each<[string, readonly VmSpec[], string | undefined, readonly string[]]>([
    ["of its first VM", [big("a"), big("b")], "error", ["error Grave. "]],
    ["off for its first VM", [big("a"), big("b")], "off", []],
    ["of its first VM, which states none", [big("b"), big("a")], "error", ["warning Grave. "]],
    ["of a text without VMs", [], "info", ["info Grave. "]],
  ])("has the severity %s", (_, vms, level, expected) => {
    const severities = { [TEXT]: level } as NonNullable<Target["severities"]>;
    const target = ({ name }: VmSpec): Target => (name === "a" ? { severities } : {});
    expect(shown(vms, [problem("grave")], { target, severities: () => severities })).toEqual(expected);
  });

  test("keeps its fix, which is safe, and its related places, and has the host of its VM", () => {
    const related = [{ message: "here", range: [4, 5] as const }];
    const fix = { title: "Change it", edits: [] };
    const host: HostModel = requireHost("r640");
    const [found] = lint([big("a")], [problem("grave", 0, { related, fix })], { target: { host } }).diagnostics;
    expect(found).toMatchObject({ related, fixes: [{ ...fix, safety: "safe" }], vm: "a", host: host.name });
    expect(lint([big("a")], [problem("grave")]).diagnostics[0]).toMatchObject({ related: [], fixes: [] });
  });
});

describe("a finding", () => {
  test("of several deployment options of one VM is one; of several VMs it is one of each", () => {
    const [a, b] = [vm("a"), vm("b")];
    const options = [a, { ...a, choiceOf: a }, vm("a", { choiceOf: a }, 2), { ...a, choiceOf: a }, b, { ...b, choiceOf: b }];
    expect(shown(options).sort()).toEqual(["warning It has 2. a", "warning It has 4. a", "warning It has 4. b"]);
  });

  test("of some variants of a VM names them; one of all variants does not", () => {
    const first = vm("a", { variant: { name: "dev", of: 2 } });
    const prod = (vcpus: number) => vm("a", { variant: { name: "prod", of: 2 }, choiceOf: first }, vcpus);
    const found = (...vms: readonly VmSpec[]) => lint(vms).diagnostics.map(({ message, variants }) => [message, variants]);
    expect(found(first, prod(4))).toEqual([["It has 4.", ["dev", "prod"]]]);
    expect(found(first, prod(8))).toEqual([["With dev: It has 4.", ["dev"]]]);
    expect(found(first, prod(2)).sort()).toEqual([
      ["With dev: It has 4.", ["dev"]],
      ["With prod: It has 2.", ["prod"]],
    ]);
    // Each VM has variants of its own.
    expect(found(first, vm("b", { variant: { name: "prod", of: 2 } }))).toEqual([
      ["With dev: It has 4.", ["dev"]],
      ["With prod: It has 4.", ["prod"]],
    ]);
  });
});

test("the result has all VMs that are wanted, and counts each VM and each check", () => {
  const { vms, vmCount, ran, skipped } = lint([vm("a"), big("b"), vm("c")], [], { keeps: ({ spec }) => spec.name !== "b" });
  expect([vms.map(({ spec }) => spec.name), vmCount, ran]).toEqual([["a", "c"], 3, 3]);
  expect(skipped.map(({ ruleId, reason }) => `${ruleId} ${reason}`)).toEqual(Array.from({ length: 3 }, () => `${UNSURE} no-workload`));
});

test("a target with a host that cannot be is refused", () => {
  const host = { ...requireHost("r640"), sockets: 0 };
  expect(() => lint([vm("a")], [], { target: { host } })).toThrow("sockets");
});

test("the safest of some fixes is safe if one of them is", () => {
  const [safe, unsafe] = (["safe", "unsafe"] as const).map((safety) => ({ title: "", safety, edits: [] }));
  if (!safe || !unsafe) throw new Error("two fixes");
  expect([[unsafe, safe], [safe], [unsafe], []].map(safest)).toEqual(["safe", "safe", "unsafe", undefined]);
});
