import type { Import, Made } from "../importers/import-vm.ts";
import { type Condition, conditionWords } from "../importers/source-view.ts";
import { type Diagnostic, SEVERITIES, type Skip } from "../model/diagnostic.ts";
import { grouped } from "../model/maps.ts";
import { once, onceEach } from "../model/memoize.ts";
import type { Platform } from "../model/spec.ts";
import { isForeignTo, type Rule } from "../rules/define.ts";
import { diagnosticOf, faultOf, type Ran, view, vmChecker, withoutAdvice } from "./check-vm.ts";
import { isNotIn } from "./new-findings.ts";
import type { LintedVm } from "./target.ts";

/** The parts of an import that its outcomes share. */
type ImportedVm = Pick<Import, "importer" | "to" | "kept" | "keep">;

/** Returns the findings about a definition that an import makes, and the rules that failed. */
export type OutcomeChecker = (vm: LintedVm, imported: ImportedVm) => (made: Made) => readonly (Diagnostic | Skip)[];

/** Returns a function that runs the rules about imports on each outcome of one. */
export function outcomeChecker(rules: readonly Rule[]): OutcomeChecker {
  const own = rules.filter(({ over }) => over === "import");
  const checkerOf = onceEach((platform: Platform) =>
    vmChecker(
      rules.filter((rule) => rule.over === "vm" && !isForeignTo(rule, { platform })),
      withoutAdvice,
    ),
  );
  const findingsOn = (platform: Platform, vm: LintedVm): readonly Diagnostic[] =>
    [...checkerOf(platform)(vm)].filter((one): one is Diagnostic => !("reason" in one));
  const isShared = (id: string, { spec }: LintedVm): boolean => rules.some((rule) => rule.id === id && !isForeignTo(rule, spec));
  return (vm, { importer, to, keep, kept }) =>
    (made) => {
      const newFindings = once(() => {
        const { spec, view: after, before, from } = made;
        const found = spec ? findingsOn(spec.platform, importedVm(made, vm)) : [];
        if (!spec || found.length === 0) return [];
        const isKept = after?.vcpus === before.vcpus && after.coresPerSocket === before.coresPerSocket;
        // Rules of both platforms have the same answer about the same shape, even if the layout on ESXi is unknown.
        const own = isKept ? found.filter(({ ruleId, severity }) => severity !== "info" && !isShared(ruleId, vm)) : found;
        return own.filter(isNotIn(findingsOn(spec.platform, { ...vm, spec: from.spec })));
      });
      return own.flatMap((rule): readonly (Diagnostic | Skip)[] => {
        if (isOff(rule, vm)) return [];
        try {
          const facts = { vm: view(vm.spec, rule.reads), importer, to, before: made.before, made, keep, kept, newFindings };
          return rule.checkImport(facts).map((finding) => diagnosticOf(rule, finding, vm));
        } catch (error) {
          return [{ ruleId: rule.id, reason: "rule-failed", fault: faultOf(error) }];
        }
      });
    };
}

/** A configured import asks for each change, so presets do not count. */
const isOff = ({ id }: Rule, { target: { severities } }: LintedVm): boolean => severities?.[id] === "off";

/** The host of ESXi is not the host of the target. */
function importedVm({ spec }: Made, { spec: own, target: { host: _, otherHosts: __, imports: ___, ...target } }: LintedVm): LintedVm {
  return { spec: spec ?? own, target };
}

/** Returns a function that imports a VM as its configuration says. It returns the findings of all outcomes. */
export function importChecker(rules: readonly Rule[]): (vm: LintedVm, ran?: Ran) => readonly (Diagnostic | Skip)[] {
  const own = rules.filter(({ over }) => over === "import");
  const check = outcomeChecker(rules);
  return (vm, ran) => {
    const { spec, target } = vm;
    if (!target.imports || isForeignTo({}, spec)) return [];
    const imported = target.imports(vm);
    const selected = own.filter((rule) => !isOff(rule, vm));
    const unknown = (ruleId: string): Skip => ({ ruleId, reason: target.host ? "unknown-value" : "no-host" });
    if (imported.undecided !== undefined) return selected.map(({ id }) => unknown(id));
    const outcome = check(vm, imported);
    const found = imported.made.map((made) => ({ when: made.when, found: outcome(made) }));
    const { certain, open } = inEach(found);
    if (ran) ran.count += selected.length - open.size;
    return [...certain, ...[...open].map(unknown)];
  };
}

interface Outcome {
  readonly when: Condition | undefined;
  readonly found: readonly (Diagnostic | Skip)[];
}

/** Returns the findings that all outcomes have, and the rules of other findings. Different messages have their conditions. */
function inEach(outcomes: readonly Outcome[]): { readonly certain: readonly (Diagnostic | Skip)[]; readonly open: ReadonlySet<string> } {
  const all = outcomes.flatMap(({ when, found }) => found.map((one) => ({ when, one })));
  const skips = all.flatMap(({ one }) => (isFinding(one) ? [] : one));
  const certain: Diagnostic[] = [];
  const open = new Set<string>();
  for (const same of grouped(all.filter(isOfFinding), ({ one }) => keyOf(one)).values()) {
    const [mildest] = same.map(({ one }) => one).sort((a, b) => rank(b) - rank(a));
    if (!mildest || same.length < outcomes.length) {
      if (mildest) open.add(mildest.ruleId);
      continue;
    }
    const texts = [...grouped(same, ({ one }) => one.message)].map(([message, those]) => {
      const conditions = those.flatMap(({ when }) => when ?? []);
      return conditions.length === 0 ? message : `If ${conditionWords(conditions)}: ${message}`;
    });
    certain.push(texts.length === 1 ? mildest : { ...mildest, message: texts.join(" ") });
  }
  return { certain: [...certain, ...skips], open };
}

const rank = ({ severity }: Diagnostic): number => SEVERITIES.indexOf(severity);

const isFinding = (one: Diagnostic | Skip): one is Diagnostic => !("reason" in one);

const isOfFinding = <T extends { readonly one: Diagnostic | Skip }>(of: T): of is T & { readonly one: Diagnostic } => isFinding(of.one);

/** Findings with equal keys are about the same: of one rule, and if that quotes other rules, of the same of them. */
const keyOf = ({ ruleId, data }: Diagnostic): string => JSON.stringify([ruleId, data.rule, data.what]);
