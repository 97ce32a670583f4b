import { type Diagnostic, SEVERITIES } from "../model/diagnostic.ts";
import { addTo, getOrInsert, grouped } from "../model/maps.ts";
import { once } from "../model/memoize.ts";
import { WORKLOAD_TITLES } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";

/** Joins the consequences in the findings of each file, and names guesses, as `joinConsequences` does. */
export const joinConsequencesIn = <F extends { readonly diagnostics: readonly Diagnostic[] }>(
  files: readonly F[],
  rules?: readonly Rule[],
): readonly F[] => files.map((file) => ({ ...file, diagnostics: joinConsequences(file.diagnostics, rules) }));

/**
 * Adds findings of rules with a `consequence` to the finding that causes them, if both are about the same VM. Expects findings that nothing
 * hides: a suppressed cause leaves its consequences as findings of their own. Names the guessed workload of a VM once.
 */
export function joinConsequences(diagnostics: readonly Diagnostic[], rules: readonly Rule[] = builtin): readonly Diagnostic[] {
  const consequences = getOrInsert(known, rules, () => consequencesIn(rules));
  const sure = diagnostics.filter(({ holds }) => holds === undefined);
  const causes = once(() => grouped(sure, (one) => causeKey(one.ruleId, one)));
  const caused = new Map<string, Diagnostic[]>();
  for (const one of sure) {
    const consequence = consequences.get(one.ruleId);
    if (consequence) addTo(caused, causeKey(consequence.of, one), one);
  }
  const joined = new Map<Diagnostic, Diagnostic>();
  const gone = new Set<Diagnostic>();
  for (const [key, those] of caused) {
    const [cause, ...others] = causes().get(key) ?? [];
    // Two VMs of one file may have the same name.
    if (!cause || others.length > 0) continue;
    const words = those.map((one) => ({ ...one, message: consequences.get(one.ruleId)?.word(one) ?? "" }));
    joined.set(cause, withConsequences(cause, words));
    for (const one of those) gone.add(one);
  }
  return withGuesses(diagnostics.filter((one) => !gone.has(one)).map((one) => joined.get(one) ?? one));
}

/** Adds the guessed workload of a VM to the first finding that rests on it. */
function withGuesses(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = new Set<string>();
  return diagnostics.map((one) => {
    if (!one.guess) return one;
    const vm = JSON.stringify([one.vm, one.vms, one.guess]);
    if (told.has(vm)) return one;
    told.add(vm);
    const { kind, evidence } = one.guess;
    const reason = `This is probably ${WORKLOAD_TITLES[kind]} (${evidence.join(", ")}): declare workload: ${kind}, or workload: none.`;
    return { ...one, message: `${one.message} ${reason}` };
  });
}

function withConsequences(cause: Diagnostic, caused: readonly Diagnostic[]): Diagnostic {
  const severities = [cause, ...caused].map(({ severity }) => SEVERITIES.indexOf(severity));
  const elsewhere = caused.filter(({ range }) => String(range) !== String(cause.range));
  return {
    ...cause,
    severity: SEVERITIES[Math.min(...severities)] ?? cause.severity,
    message: `${cause.message} Also, ${caused.map(({ message }) => message).join("; ")}.`,
    related: [...cause.related, ...elsewhere.map(({ ruleId, range }) => ({ message: `${ruleId} is about this value`, range }))],
  };
}

const known = new WeakMap<readonly Rule[], ReturnType<typeof consequencesIn>>();

const consequencesIn = (rules: readonly Rule[]) =>
  new Map(rules.flatMap((rule) => (rule.consequence ? [[rule.id, rule.consequence] as const] : [])));

/** A key of a VM and the rule of a cause. */
const causeKey = (ruleId: string, { vm, vms, variants, host, otherHost }: Diagnostic): string =>
  JSON.stringify([ruleId, vm, vms, variants, host, otherHost]);
