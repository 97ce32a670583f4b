import type { Rule, Severity, Target } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { atMostInfo } from "../../packages/core/src/lint/check-guess.ts";
import { type AnyFacts, lintWith, partial, ruleThat, type Said, type Values } from "../support/lint-with.ts";
import { vmOf } from "../support/sample-vm.ts";

const VM = vmOf('virtualHW.version = "21"\nnumvcpus = "8"\nmemSize = "4096"');
const guess = { kind: "mssql", evidence: ["name sql01"] } as const;

const always = () => ["A."];
const forServer =
  (...said: readonly (Said | string)[]) =>
  (_values: Values, { workload }: AnyFacts) =>
    workload?.kind === "mssql" ? said : [];
const hostIncomplete = { skip: "host-incomplete" } as const;
const unlessServer =
  <T>(said: T) =>
  (_values: Values, { workload }: AnyFacts) =>
    workload?.kind === "mssql" ? [] : [said];

/** Returns the findings as `rule severity`, with a question mark if they depend on the guess. */
function found(all: Rule | readonly Rule[], target: Target = {}, vm = VM): readonly string[] {
  const { diagnostics, skipped } = lintWith(vm, all, { guess, ...target });
  return [...diagnostics.map((one) => `${one.ruleId.slice(5)} ${one.severity}${one.guess ? "?" : ""}`), ...skipped];
}

describe("with a guessed workload", () => {
  test.each<[what: string, all: Rule | readonly Rule[], expected: readonly string[]]>([
    ["a finding without it stays", ruleThat(always), ["any warning"]],
    ["a finding that depends on it is an info", ruleThat(forServer("A.")), ["any info?"]],
    ["a finding that contradicts it stays", ruleThat(unlessServer("A.")), ["any warning"]],
    ["a second finding at another place is one more", ruleThat(() => ["A.", { text: "B.", at: 4 }]), ["any warning", "any warning"]],
    [
      "a second finding at its place is the same",
      ruleThat((values, facts) => ["A.", ...forServer("B.", { text: "C.", at: 4 })(values, facts)]),
      ["any warning", "any info?"],
    ],
    ["a rule about it runs", ruleThat(always, { needs: ["workload"] }), ["any info?"]],
    ["a check that needs a workload ran", ruleThat(() => [], { needs: ["workload"] }), []],
    [
      "a check that needs more of it is skipped",
      ruleThat(() => [{ skip: "workload-incomplete" }], { needs: ["workload"] }),
      ["no-workload"],
    ],
    ["another skipped check stays", ruleThat(() => [hostIncomplete]), ["host-incomplete"]],
    ["a check that it makes possible was skipped without it", ruleThat(unlessServer(hostIncomplete)), ["host-incomplete"]],
    ["a rule about another one does not run", ruleThat(always, { needs: ["workload"], about: "hana" }), []],
    ["an opt-in rule does not run", ruleThat(always, { optIn: true }), []],
    ["nor does one of its preset", ruleThat(always, { optIn: true, presets: ["mssql"] }), []],
  ])("%s", (_, all, expected) => {
    expect(found(all)).toEqual(expected);
  });

  const other = (says: (values: Values, facts: AnyFacts) => readonly (Said | string)[]) => ruleThat(says, { id: "acme/other" });
  const unless = { unless: ["acme/other"] };
  test.each<[what: string, all: readonly Rule[], expected: readonly string[]]>([
    ["one at least as grave replaces", [ruleThat(() => [{ text: "A.", as: "info" }], unless), other(forServer("B."))], ["other info?"]],
    ["a milder one does not replace", [ruleThat(always, unless), other(forServer("B."))], ["any warning", "other info?"]],
    [
      "one of no such rule does not replace",
      [ruleThat(() => [{ text: "A.", as: "info" }]), other(forServer("B."))],
      ["any info", "other info?"],
    ],
    [
      "a graver one hides",
      [ruleThat(() => [{ text: "A.", as: "error" }], unless), other(forServer({ text: "B.", as: "info" }))],
      ["any error"],
    ],
  ])("the finding of another rule: %s", (_, all, expected) => {
    expect(found(all)).toEqual(expected);
  });

  test("a rule that is selected for the workload alone runs", () => {
    const selects = ({ id }: Rule) => id === "acme/other";
    const all = [
      ruleThat(always),
      ruleThat(always, { id: "acme/sql", presets: ["mssql"] }),
      ruleThat(always, { id: "acme/hana", presets: ["hana"] }),
    ];
    expect(found([...all, ruleThat(always, { id: "acme/other" })], { selects })).toEqual(["other warning", "sql info?"]);
  });

  test("no check counts twice", () => {
    const all = [ruleThat(always), ruleThat(forServer("B."), { id: "acme/b" }), ruleThat(always, { id: "acme/c", needs: ["workload"] })];
    expect([lintWith(VM, all, { guess }).ran, lintWith(VM, all).ran]).toEqual([2, 2]);
  });

  test("two VMs with different guesses differ", () => {
    const both = [ruleThat(forServer("A.")), ruleThat(always, { id: "acme/hana", needs: ["workload"], about: "hana" })];
    const hana = { guess: { kind: "hana", evidence: [] } } as const;
    expect([found(both), found(both, hana), found(both)]).toEqual([["any info?"], ["hana info?"], ["any info?"]]);
  });

  test("an unknown setting may hide what depends on it", () => {
    const vm = partial('numvcpus = "8"', { cpuHotAdd: undefined });
    const hot = ruleThat(({ cpuHotAdd }, { workload }) => (cpuHotAdd && workload?.kind === "mssql" ? ["A."] : []), {
      reads: ["cpuHotAdd"],
    });
    expect(found(hot, {}, vm)).toEqual(["any info?"]);
  });
});

test("a fix that raises a finding with the guessed workload is not proposed", () => {
  const grows = { title: "Grow", safety: "unsafe" as const, changes: [{ setting: "vcpus", value: 16 }] as const };
  const small = ruleThat(({ vcpus }) => (vcpus === 8 ? [{ text: "A.", as: "info", fixes: [grows] }] : []), { reads: ["vcpus"] });
  const large = ruleThat(({ vcpus }, { workload }) => (vcpus === 16 && workload?.kind === "mssql" ? ["B."] : []), {
    ...{ id: "acme/large", reads: ["vcpus"] },
  });
  const titles = (all: readonly Rule[]) => lintWith(VM, all, { guess }).diagnostics.map(({ fixes }) => fixes.map(({ title }) => title));
  expect([titles([small]), titles([small, large])]).toEqual([[["Grow"]], [[]]]);
});

test("a fix is joined with the advice about what it raises", () => {
  const grow = { title: "Grow", safety: "unsafe" as const, changes: [{ setting: "vcpus", value: 16 }] as const };
  const limit = { title: "Raise the limit", safety: "unsafe" as const, changes: [{ setting: "cpuLimitMHz", value: "unlimited" }] as const };
  const reads = ["vcpus", "cpuLimitMHz"] as const;
  const small = ruleThat(({ vcpus }) => (vcpus === 8 ? [{ text: "A.", fixes: [grow] }] : []), { reads });
  const limited = ruleThat(
    ({ vcpus, cpuLimitMHz }, { advise }) =>
      vcpus === 16 && cpuLimitMHz === 1000 ? [{ text: "B.", fixes: advise(() => [limit]) ?? [] }] : [],
    { id: "acme/limited", reads },
  );
  const vm = vmOf('numvcpus = "8"\nsched.cpu.max = "1000"');
  expect(lintWith(vm, [small, limited]).diagnostics.map(({ fixes }) => fixes.map(({ changes }) => changes))).toEqual([
    [[...grow.changes, ...limit.changes]],
  ]);
});

test("a severity above info becomes info", () => {
  const all: readonly Severity[] = ["error", "warning", "info", "hint"];
  expect(all.map(atMostInfo)).toEqual(["info", "info", "info", "hint"]);
});
