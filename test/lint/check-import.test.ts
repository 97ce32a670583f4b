import { type Rule, rules, type VmSpec } from "@vmlint/core";
import { expect, test } from "vitest";
import { importChecker } from "../../packages/core/src/lint/check-import.ts";
import type { LintedVm } from "../../packages/core/src/lint/target.ts";
import { vmOf } from "../support/sample-vm.ts";

const ID = "acme/import";
const importing = rules.find(({ over }) => over === "import") as Rule;

interface Made {
  readonly message?: string;
  readonly when?: { readonly says: string; readonly seen: string };
}

/** Returns the results of a rule that has the message of each definition that an import may make, and the checks that ran. */
function check(made: readonly Made[], more: Partial<VmSpec> = {}, level: "off" | "error" = "error", undecided?: string) {
  const rule: Rule = {
    ...importing,
    id: ID,
    checkImport: (facts) => {
      const { message } = facts.made as Made;
      return message === undefined
        ? []
        : [{ messageId: "any", severity: "warning", message, data: {}, at: [0, 1], related: [], fixes: [] }];
    },
  };
  const imports = (() => ({ importer: "virt-v2v", to: "kvm", kept: [], keep: undefined, made, undecided })) as never;
  const vm: LintedVm = { spec: { ...vmOf('numvcpus = "2"'), ...more }, target: { imports, severities: { [ID]: level } } };
  const ran = { count: 0 };
  const found = importChecker([rule, ...rules.filter(({ over }) => over === "vm")])(vm, ran);
  return [...found.map((one) => ("reason" in one ? one.reason : one.message)), ran.count];
}

const when = (seen: string) => ({ says: "the file states", seen });

test("a finding about an import is certain if each definition that may be made has it; other messages have their condition", () => {
  expect(check([{ message: "A." }])).toEqual(["A.", 1]);
  expect(check([{}])).toEqual([1]);
  expect(check([{ message: "A." }, {}])).toEqual(["no-host", 0]);
  expect(check(["4", "8"].map((seen) => ({ message: "A.", when: when(seen) })))).toEqual(["A.", 1]);
  const [four, eight] = [when("4 cores"), when("8 cores")];
  expect(
    check([
      { message: "A.", when: four },
      { message: "B.", when: eight },
    ]),
  ).toEqual(["If the file states 4 cores per socket: A. If the file states 8 cores per socket: B.", 1]);
  expect(check([{ message: "A." }, { message: "B." }])).toEqual(["A. B.", 1]);
});

test("a rule about imports does not run if it is off, or about a VM of another platform", () => {
  expect(check([{ message: "A." }], {}, "off")).toEqual([0]);
  expect(check([{ message: "A." }, {}], {}, "off")).toEqual([0]);
  expect(check([{ message: "A." }], { platform: "kvm" })).toEqual([0]);
  expect(check([{ message: "A." }], {}, "error", "unknown")).toEqual(["no-host", 0]);
  expect(check([{ message: "A." }], {}, "off", "unknown")).toEqual([0]);
});
