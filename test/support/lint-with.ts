import { type Diagnostic, defineRule, type HostModel, type Rule, type SettingName, type Target, type VmSpec } from "@vmlint/core";
import { lintParsed } from "../../packages/core/src/lint/lint.ts";
import type { Skip } from "../../packages/core/src/model/diagnostic.ts";
import { unknown } from "../../packages/core/src/model/source.ts";
import type { Facts, MissingInput, ProposedFix } from "../../packages/core/src/rules/define.ts";
import { vmOf } from "./sample-vm.ts";

/** A VM with unknown settings, and the values that each may have. */
export function partial(text: string, among: Partial<Record<SettingName, readonly unknown[] | undefined>>): VmSpec {
  const vm = vmOf(text);
  const hidden = Object.entries(among).map(([name, values]) => [name, unknown("a variable has no value", [7, 9], values)]);
  return { ...vm, settings: { ...vm.settings, ...Object.fromEntries(hidden) } };
}

/** Something that a rule says about a VM, by the severity of its message. */
export interface Said {
  readonly text: string;
  readonly as?: "warning" | "error" | "info";
  readonly at?: number;
  readonly fixes?: readonly (string | ProposedFix)[];
}

export type Values = Partial<Record<SettingName, unknown>>;
export type AnyFacts = Facts<"host", SettingName>;
type Says = (values: Values, facts: AnyFacts) => Iterable<Said | MissingInput | string>;

const text = ({ text: own }: { readonly text: string }) => own;

/** Returns a rule that reads some settings, with a warning or another finding for each text that a function of their values returns. */
export function ruleThat(says: Says, { id = "acme/any", reads = [], ...more }: Partial<Rule> = {}): Rule {
  const rule = defineRule({
    ...{ id, since: "1.0.0", docsUrl: `https://acme.example/${id}`, severity: "warning", severities: { error: "error", info: "info" } },
    ...{ reads, messages: { warning: text, error: text, info: text } },
    *check(given) {
      const facts = given as unknown as AnyFacts;
      const values = Object.fromEntries(reads.map((name) => [name, facts.vm[name]?.value]));
      for (const one of says(values, facts)) {
        if (typeof one === "object" && "skip" in one) {
          yield one;
          continue;
        }
        const { text: own, as = "warning", at = 0, fixes = [] } = typeof one === "string" ? { text: one } : one;
        const proposed = fixes.map((fix) => (typeof fix === "string" ? { title: fix, safety: "safe" as const, changes: [] } : fix));
        yield { messageId: as, data: { text: own }, at: [at, at + 1], fixes: proposed };
      }
    },
  });
  return { ...rule, ...more };
}

interface Result {
  readonly diagnostics: readonly Diagnostic[];
  /** The messages. */
  readonly found: readonly string[];
  /** The reasons of skipped checks. */
  readonly skipped: readonly string[];
  readonly skips: readonly Skip[];
  readonly ran: number | undefined;
}

/** Lints a VM with some rules. */
export function lintWith(
  vm: VmSpec,
  rules: readonly Rule[] | Rule,
  target: Target & { readonly host?: HostModel | undefined } = {},
): Result {
  const all = "id" in rules ? [rules] : rules;
  const { diagnostics, skipped, ran } = lintParsed({ vms: [vm], problems: [] }, { target, rules: all });
  return {
    diagnostics,
    found: diagnostics.map(({ message }) => message),
    skipped: skipped.map(({ reason }) => reason),
    skips: skipped,
    ran,
  };
}
