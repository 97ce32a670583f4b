import * as z from "zod/mini";
import { SEVERITIES, type SkipReason } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import { hint } from "../model/nearest.ts";
import { NO_SETTINGS, PLATFORMS, type SettingName } from "../model/spec.ts";
import { WORKLOAD_KINDS } from "../model/workload.ts";
import { VERSION } from "../version.ts";
import { defineRule, type FindingTogether, type MissingInput, quote, type Rule, type RuleDefinition, type RuleSubject } from "./define.ts";
import { isBuiltInId } from "./families.ts";
import { PRESETS } from "./preset-names.ts";

/** A loaded plugin module with its name in messages. */
export interface Plugin {
  readonly name: string;
  readonly exports: unknown;
}

/** Called once for each rule that fails. */
export type Failed = (rule: Rule, plugin: string, error: unknown) => void;

/** Calls the check of a rule. */
export type Run = <T>(rule: Rule, plugin: string, check: () => T) => T;

/**
 * Returns the rules of plugins. If a rule throws, it calls `failed`, and the engine skips the rule from then on. Throws PLUGIN_INVALID with
 * the plugin, the problem and the remedy.
 */
export function rulesOf(plugins: readonly Plugin[], failed: Failed, run: Run = (_rule, _plugin, check) => check()): readonly Rule[] {
  const from = new Map<string, string>();
  return plugins.flatMap(({ name, exports }) =>
    exportsOf(name, exports).map((value, i) => {
      const complete = checked(name, defined(name, value), i);
      // A missing page must not become the address of a built-in rule.
      const rule = { ...complete, docsUrl: complete.docsUrl ?? "" };
      const other = from.get(rule.id);
      if (other !== undefined) {
        const twice = other === name ? "twice: rename one of the two" : `in ${other} too: leave one of the two plugins out`;
        throw invalid(`${name}: rule "${rule.id}" exists ${twice}.`);
      }
      from.set(rule.id, name);
      return guarded(
        rule,
        (error) => failed(rule, name, error),
        (check) => run(rule, name, check),
      );
    }),
  );
}

const invalid = (message: string): VmlintError => new VmlintError("PLUGIN_INVALID", message);

/** A CommonJS module has its exports in the default export. */
function exportsOf(name: string, exports: unknown): readonly unknown[] {
  const { rules, default: whole } = (exports ?? {}) as { readonly rules?: unknown; readonly default?: { readonly rules?: unknown } };
  const list = rules ?? whole?.rules;
  if (Array.isArray(list) && list.length > 0) return list;
  throw invalid(`${name} exports no rules: export a list named rules.`);
}

/** Optional properties of a rule with their defaults. */
const DEFAULTS = { since: "0.0.0", whenNot: "", sources: [], bad: [], good: [] };

/**
 * Turns a plain object into a rule as defineRule does; returns any other value unchanged. `docs` is the text of the page, and a message may
 * be a plain text.
 */
function defined(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || "messageIds" in value) return value;
  const { docs, messages, ...rest } = value as { readonly docs?: unknown; readonly messages?: unknown; readonly [key: string]: unknown };
  if (typeof messages !== "object" || messages === null) return value;
  const functions = Object.entries(messages).map(([id, text]) => [id, typeof text === "string" ? () => text : text]);
  if (functions.some(([, text]) => typeof text !== "function"))
    throw invalid(`${name}: a message is neither a string nor a function that returns one.`);
  if (typeof rest.check !== "function") throw invalid(`${name}: rule ${quote(String(rest.id))} has no check: add a function named check.`);
  // The schema checks the rule later, as for rules of defineRule.
  const whole = { ...DEFAULTS, why: docs ?? rest.summary, ...rest, messages: Object.fromEntries(functions) };
  return defineRule(whole as unknown as RuleDefinition<Record<string, () => string>, never, never>);
}

const ID = /^[a-z][a-z0-9-]*\/[a-z0-9]+(-[a-z0-9]+)*$/;

function checked(name: string, value: unknown, i: number): Rule {
  const { id } = (value ?? {}) as { readonly id?: unknown };
  if (typeof id === "string") {
    const [, word = "some-pattern"] = /([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(id) ?? [];
    if (!ID.test(id)) throw invalid(`${name}: "${id}" is not a valid rule id: write your own prefix and a name, such as acme/${word}.`);
    if (isBuiltInId(id)) throw invalid(`${name}: "${id}" has a prefix of vmlint's rules: write your own, such as acme/${word}.`);
  }
  const result = ruleSchema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const [property] = issue?.path.length === 1 ? issue.path : [];
    const hasOwn = (name: string): boolean => Object.hasOwn(value ?? {}, name);
    if (hasOwn("messageIds") && MADE.some((one) => one === property && !(one === "page" && hasOwn(one))))
      throw invalid(`${name}: rule "${id}" comes from another version of @vmlint/core. Build the plugin with version ${VERSION}.`);
    const where = issue && issue.path.length > 0 ? wordIssue(value, issue.path) : "it is not a rule";
    const which = typeof id === "string" ? `rule "${id}"` : `its rule number ${i + 1}`;
    throw invalid(`${name}: ${which} is not complete: ${where}${where.endsWith("?") ? "" : "."}`);
  }
  const rule = value as Rule;
  if (!rule.messageIds.length || rule.over === "text")
    throw invalid(`${name}: rule "${rule.id}" has no check: add a function named check.`);
  return rule;
}

/** Returns `its docsUrl is missing`, or the text of the value with the option that was probably meant. */
function wordIssue(given: unknown, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], given);
  // The definition of a plugin rule contains its page. A rule without a summary has no page.
  const [, ...part] = path[0] === "page" ? [...path, ...(path.length === 1 ? ["summary"] : [])] : ["", ...path];
  const its = `its ${part.map(String).join(".")}`;
  if (value === undefined) return `${its} is missing`;
  if (typeof value !== "string") return `${its} is not valid`;
  const meant = path[0] === "reads" ? hint(value, SETTINGS) : "";
  return `${its} is not valid: ${quote(value)}${meant && `.${meant}`}`;
}

const SETTINGS = Object.keys(NO_SETTINGS) as [SettingName, ...SettingName[]];

const method = z.custom<() => unknown>((value) => typeof value === "function");
const texts = z.union([z.string(), z.array(z.string())]);
const example = z.looseObject({
  title: z.string(),
  host: z.optional(z.union([z.string(), z.looseObject({ name: z.string() })])),
  otherHosts: z.optional(z.array(z.string())),
  vmx: z.optional(texts),
  yaml: z.optional(z.string()),
  json: z.optional(z.string()),
  ovf: z.optional(z.string()),
  log: z.optional(z.string()),
  terraform: z.optional(z.string()),
  xml: z.optional(z.string()),
  conf: z.optional(z.string()),
});

/** The properties that `defineRule` adds to each definition. */
const MADE = [
  ...(["over", "alsoInCluster", "messageIds", "refused", "page", "unless", "needs", "reads"] as const),
  ...(["applies", "check", "checkHost", "checkHostItself", "checkDescriptions", "checkImport", "word"] as const),
] satisfies readonly (keyof Rule)[];

/** The properties that the engine, reports and rule pages depend on. */
const ruleSchema = z.looseObject({
  id: z.string(),
  since: z.string(),
  docsUrl: z.optional(z.url({ protocol: /^https?$/ })),
  severity: z.enum(SEVERITIES),
  severities: z.optional(z.record(z.string(), z.enum(SEVERITIES))),
  optIn: z.optional(z.boolean()),
  ignorable: z.optional(z.boolean()),
  stability: z.optional(z.string()),
  history: z.optional(z.array(z.unknown())),
  onDesktop: z.optional(z.boolean()),
  alsoInCluster: z.boolean(),
  consequence: z.optional(z.looseObject({ word: z.custom<() => unknown>((one) => typeof one === "function") })),
  unless: z.array(z.string()),
  page: z.looseObject({
    summary: z.string(),
    why: z.string(),
    whenNot: z.string(),
    evidence: z.nullable(z.looseObject({ figure: z.string(), source: z.looseObject({ title: z.string() }) })),
    sources: z.array(z.looseObject({ title: z.string() })),
    bad: z.array(example),
    good: z.array(example),
  }),
  for: z.optional(z.union([z.literal("any"), z.array(z.enum(PLATFORMS))])),
  about: z.optional(z.union([z.enum(WORKLOAD_KINDS), z.array(z.enum(WORKLOAD_KINDS))])),
  presets: z.optional(z.array(z.enum(PRESETS))),
  needs: z.array(z.enum(["host", "topology", "workload"])),
  reads: z.array(z.enum(SETTINGS)),
  messageIds: z.array(z.string()),
  refused: z.array(z.string()),
  over: z.enum(["vm", "host", "descriptions", "text"]),
  on: z.optional(z.array(z.enum(["scsiControllers", "configured", "observed", "measured", "kvm", ...SETTINGS]))),
  onlyWiderThan: z.optional(z.enum(["node", "host"])),
  applies: method,
  check: method,
  checkHost: method,
  checkHostItself: method,
  checkDescriptions: method,
  checkImport: method,
  word: method,
} satisfies Record<keyof Rule, unknown>);

const FAILED: readonly MissingInput[] = [{ skip: "rule-failed" }];

/** Objects that are already frozen deeply. */
const frozen = new WeakSet<object>();

/** Freezes data that other rules share, so that a plugin rule cannot change it. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || frozen.has(value)) return value;
  frozen.add(Object.freeze(value));
  Object.values(value).forEach(freeze);
  return value;
}

/** Freezes the results of the functions of a record. */
const sealed = <T extends object>(record: T): T =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "function" ? (...given: readonly unknown[]) => freeze(value(...given)) : freeze(value),
    ]),
  ) as T;

/** Returns a rule that never throws and only returns findings that the engine can place. */
function guarded(rule: Rule, failed: (error: unknown) => void, run: <T>(check: () => T) => T): Rule {
  let isBroken = false;
  const fail = (error: unknown): readonly MissingInput[] => {
    if (!isBroken) failed(error);
    isBroken = true;
    return FAILED;
  };
  const together = (
    check: () => Iterable<FindingTogether | MissingInput>,
    shown: readonly RuleSubject[],
  ): readonly (FindingTogether | MissingInput)[] => {
    try {
      if (isBroken) return FAILED;
      return [...run(check)].map((finding) => {
        for (const { on } of "skip" in finding ? [] : [finding, ...finding.related])
          if (!shown.includes(on)) throw new TypeError("a finding is about a VM that the rule did not get");
        return placeable(finding, rule);
      });
    } catch (error) {
      return fail(error);
    }
  };
  return {
    ...rule,
    applies(vm, workload) {
      try {
        if (isBroken) return true;
        freeze(vm.settings);
        return run(() => rule.applies(vm, freeze(workload)));
      } catch (error) {
        fail(error);
        return true;
      }
    },
    check(facts) {
      try {
        if (isBroken) return FAILED;
        // Getters, which a copy lacks.
        const { workload, topology, onOtherHosts } = facts;
        const all = sealed({ ...facts, workload, topology, onOtherHosts, vm: sealed(facts.vm) });
        return run(() => rule.check(all)).map((finding) => placeable(finding, rule));
      } catch (error) {
        return fail(error);
      }
    },
    checkHost: (facts) => together(() => [...rule.checkHost(freeze(facts))], facts.vms),
    checkDescriptions: (facts) => together(() => [...rule.checkDescriptions(freeze(facts))], facts.descriptions),
  };
}

const range = z.tuple([z.int().check(z.nonnegative()), z.int().check(z.nonnegative())]).check(z.refine(([from, to]) => from <= to));
const whole = z.int().check(z.nonnegative());

/** Values that formats can write; nonsense shows when the fix is proven. */
const value = z.union([whole, z.boolean(), z.string()]);
const LISTS = ["cpuAffinity", "memoryAffinity", "numaNodeAffinity"] as const satisfies readonly SettingName[];
const COUNTS = ["vcpus", "coresPerSocket"] as const satisfies readonly SettingName[];
const OTHERS = SETTINGS.filter((name) => ![...LISTS, ...COUNTS].some((other) => other === name)) as [SettingName, ...SettingName[]];
const change = z.union([
  z.object({ setting: z.literal("scsiType"), controller: z.string(), value: z.string() }),
  z.object({ setting: z.enum(LISTS), value: z.union([z.array(whole), z.literal("all")]) }),
  z.object({ setting: z.enum(COUNTS), value: z.union([z.int().check(z.positive()), z.literal("auto")]) }),
  z.object({ setting: z.enum(OTHERS), value }),
]);
const fix = z.object({ title: z.string(), safety: z.enum(["safe", "unsafe"]), changes: z.array(change) });

const SKIPS = {
  "no-host": true,
  "no-esxi-version": true,
  "host-incomplete": true,
  "no-workload": true,
  "workload-incomplete": true,
  "unknown-value": true,
  "other-platform": true,
  "no-power-on": true,
  "layout-unknown": true,
  "placement-unknown": true,
  "rule-failed": true,
} as const satisfies Readonly<Record<SkipReason, true>>;

const skip = z.object({ skip: z.enum(Object.keys(SKIPS) as [SkipReason, ...SkipReason[]]), lacks: z.optional(z.array(z.string())) });
const finding = z.looseObject({
  messageId: z.string(),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
  at: range,
  related: z.array(z.union([z.looseObject({ message: z.string(), range }), z.looseObject({ message: z.string(), at: range })])),
  fixes: z.optional(z.array(fix)),
});

/** Returns the finding, or throws a TypeError with its problem. */
function placeable<F extends ReturnType<Rule["check"]>[number] | FindingTogether>(found: F, rule: Rule): F {
  const result = ("skip" in found ? skip : finding).safeParse(found);
  if (!result.success) throw new TypeError(`it yields an invalid finding at ${result.error.issues[0]?.path.join(".") || "the top level"}`);
  if ("skip" in found) return found;
  if (!rule.messageIds.includes(found.messageId)) throw new TypeError(`it has no message "${found.messageId}"`);
  // Data that JSON cannot hold would break the report of the whole run, and data that is not an object violates its schema.
  if (!JSON.stringify(found.data)?.startsWith("{")) throw new TypeError("it yields an invalid finding at data");
  return found;
}
