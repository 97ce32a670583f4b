import type { HostModel } from "../model/host.ts";
import { addTo, grouped } from "../model/maps.ts";
import { onceFor } from "../model/memoize.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { allValuesOf, type Completion, completed } from "../platforms/esxi/possible.ts";
import { canExist } from "../platforms/esxi/power-on.ts";
import type { Finding, MissingInput } from "../rules/define.ts";
import type { Target } from "./target.ts";

/** The VM as a rule sees it in one case: with one possible value for each unknown setting. */
export interface RuleCase {
  readonly vm: VmSpec;
  readonly host: HostModel | undefined;
  /** Missing if the rule does not need it. */
  readonly topology: Topology | undefined;
  /** Returns the topology for each answer that sources support. */
  readonly all?: Completion["all"];
}

/** With more cases, the value is unknown to the rule. */
const MOST_CASES = 128;

/**
 * Returns a case for each combination of unknown values that a rule reads; `undefined` if there are too many, or a value is unrestricted.
 */
export function casesFor(
  { spec, target: { host } }: { readonly spec: VmSpec; readonly target: Target },
  reads: readonly SettingName[],
  completions: readonly Completion[] | undefined,
): readonly RuleCase[] | undefined {
  const unknown = reads.filter((name) => spec.settings[name].state === "unknown");
  let cases: readonly RuleCase[] = completions ?? [{ vm: spec, host, topology: undefined }];
  for (const name of unknown) {
    const values = allValuesOf(name, spec, host);
    if (!values) return undefined;
    cases = cases.flatMap((one) =>
      one.vm.settings[name].state === "unknown" ? values.map((value) => ({ ...one, vm: completed(one.vm, { [name]: value }) })) : [one],
    );
    if (cases.length > MOST_CASES) return undefined;
  }
  if (cases.length > MOST_CASES) return undefined;
  // If vSphere refuses each one, the rules report that.
  const real = cases.filter(isReal);
  return real.length > 0 ? real : cases;
}

/** Rules that read no unknown setting share their cases. */
const isReal = onceFor(({ vm, host }: RuleCase) => canExist(vm, host));

/** A finding in one case. */
export interface CaseFinding {
  readonly finding: Finding;
  readonly ruleCase: RuleCase;
}

/** The findings of a rule over all cases. */
interface JoinedFindings {
  /** Findings of every case, each with its instance in each case. */
  readonly always: readonly (readonly CaseFinding[])[];
  /** Findings of some cases, each with its instance in these cases. */
  readonly sometimes: readonly (readonly CaseFinding[])[];
  readonly lacks: MissingInput | undefined;
}

/** Joins the findings of all cases; findings with the same range are the same. */
export function join(
  results: readonly { readonly ruleCase: RuleCase; readonly found: readonly (Finding | MissingInput)[] }[],
): JoinedFindings {
  const places = new Map<string, CaseFinding[]>();
  let lacks: MissingInput | undefined;
  for (const { ruleCase, found } of results) {
    lacks ??= found.find((one) => "skip" in one);
    for (const [at, alike] of grouped(found.filter(isFinding), (one) => one.at.join()))
      for (const [nth, finding] of alike.entries()) addTo(places, `${at} ${nth}`, { finding, ruleCase });
  }
  const all = [...places.values()];
  return {
    always: all.filter(({ length }) => length === results.length),
    sometimes: all.filter(({ length }) => length < results.length),
    lacks,
  };
}

const isFinding = (found: Finding | MissingInput): found is Finding => !("skip" in found);

/** An unknown setting that alone decides whether a finding applies, with the value that makes it apply. */
export interface Deciding {
  readonly setting: SettingName;
  readonly value: unknown;
}

/** Returns the single unknown setting that decides: the finding always applies with one of its values, and never with the rest. */
export function decidingSetting(spec: VmSpec, cases: readonly RuleCase[], holding: readonly RuleCase[]): Deciding | undefined {
  for (const setting of Object.keys(spec.settings) as SettingName[]) {
    if (spec.settings[setting].state !== "unknown") continue;
    const valueIn = ({ vm }: RuleCase): unknown => {
      const one = vm.settings[setting];
      return one.state === "known" ? one.value : undefined;
    };
    const values = new Set(holding.map(valueIn));
    const [value] = values;
    if (values.size === 1 && value !== undefined && cases.filter((one) => valueIn(one) === value).length === holding.length)
      return { setting, value };
  }
  return undefined;
}

/** Matches the space between two sentences. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z])/;

/**
 * Returns one text for the messages of a finding in different cases. Sentences that both messages begin with are not repeated, and `when`
 * is the condition of the second.
 */
export function joinedMessage(messages: readonly string[], mildest: string, when: (message: string) => string | undefined): string {
  const [first = "", second = "", ...more] = [...new Set([mildest, ...messages])];
  if (second === "") return first;
  if (more.length > 0) return `In one of ${more.length + 2} possible cases: ${mildest}`;
  const condition = when(second);
  const either = condition === undefined ? withEitherWord(first, second) : undefined;
  if (either !== undefined) return either;
  const [sentences, others] = [first.split(SENTENCE_END), second.split(SENTENCE_END)];
  const differs = others.findIndex((sentence, i) => sentence !== sentences[i]);
  const rest = others.slice(Math.max(differs, 0)).join(" ");
  return `${first} ${condition ?? "Or:"} ${rest}`;
}

/** Returns two texts as one if a single word differs: `split 8+7+7 or 8+8+6: ...`. */
function withEitherWord(first: string, second: string): string | undefined {
  const [words, others] = [first.split(" "), second.split(" ")];
  const different = words.flatMap((word, i) => (word === others[i] ? [] : [i]));
  const [at, ...more] = different;
  if (words.length !== others.length || at === undefined || more.length > 0) return undefined;
  const [, word, end] = WORD.exec(words[at] ?? "") ?? [];
  const [, other, otherEnd] = WORD.exec(others[at] ?? "") ?? [];
  return end === otherEnd ? words.with(at, `${word} or ${other}${end}`).join(" ") : undefined;
}

/** A word, and the punctuation after it. */
const WORD = /^(.*?)([.:,;]?)$/;
