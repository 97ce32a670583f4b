import { type Diagnostic, SEVERITIES } from "../model/diagnostic.ts";
import { getOrInsert, grouped } from "../model/maps.ts";
import { WORKLOAD_TITLES } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";

/** Joins the consequences in the findings of each file, and names guesses, as `joinConsequences` does. */
export const joinConsequencesIn = <F extends { readonly diagnostics: readonly Diagnostic[] }>(
  files: readonly F[],
  rules?: readonly Rule[],
): readonly F[] =>
  files.map((file) => {
    const diagnostics = joinConsequences(file.diagnostics, rules);
    return diagnostics === file.diagnostics ? file : { ...file, diagnostics };
  });

/**
 * Adds findings of rules with a `consequence` to the finding that causes them, if both are about the same VM. Expects findings that nothing
 * hides: a suppressed cause leaves its consequences as findings of their own. Names the guessed workload of a VM once.
 */
export function joinConsequences(diagnostics: readonly Diagnostic[], rules: readonly Rule[] = builtin): readonly Diagnostic[] {
  const consequences = getOrInsert(known, rules, () => consequencesIn(rules));
  const isJoined = ({ ruleId, holds }: Diagnostic): boolean => holds === undefined && consequences.has(ruleId);
  if (!diagnostics.some(isJoined)) return withGuesses(diagnostics);
  const joined = new Map<Diagnostic, Diagnostic>();
  const gone = new Set<Diagnostic>();
  for (const ofVm of grouped(diagnostics, vmOf).values()) {
    for (const of of new Set([...consequences.values()].map((one) => one.of))) {
      const [cause, ...others] = ofVm.filter(({ ruleId, holds }) => ruleId === of && holds === undefined);
      const caused = ofVm.filter((one) => isJoined(one) && consequences.get(one.ruleId)?.of === of);
      // Two VMs of one file may have the same name.
      if (!cause || others.length > 0 || caused.length === 0) continue;
      joined.set(
        cause,
        withConsequences(
          cause,
          caused.map((one) => ({ ...one, message: consequences.get(one.ruleId)?.word(one) ?? "" })),
        ),
      );
      for (const one of caused) gone.add(one);
    }
  }
  return withGuesses(diagnostics.filter((one) => !gone.has(one)).map((one) => joined.get(one) ?? one));
}

/** Adds the guessed workload of a VM to the first finding that rests on it. */
function withGuesses(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!diagnostics.some(({ guess }) => guess)) return diagnostics;
  const told = new Set<string>();
  return diagnostics.map((one) => {
    const vm = JSON.stringify([one.vm, one.vms, one.guess]);
    if (!one.guess || told.has(vm)) return one;
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

const vmOf = ({ vm, vms, variants, host, otherHost }: Diagnostic): string => JSON.stringify([vm, vms, variants, host, otherHost]);
