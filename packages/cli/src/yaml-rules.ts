import { Environment } from "@marcbachmann/cel-js";
import { NO_SETTINGS, parseWorkload, VmlintError } from "@vmlint/core";
import { parse } from "yaml";
import * as z from "zod/mini";

/** A VM that a rule is tried on. */
const example = {
  title: z.optional(z.string()),
  host: z.optional(z.string()),
  workload: z.optional(z.string()),
  vmx: z.optional(z.string()),
  yaml: z.optional(z.string()),
  json: z.optional(z.string()),
  ovf: z.optional(z.string()),
  log: z.optional(z.string()),
  terraform: z.optional(z.string()),
};
const good = z.strictObject(example);
const bad = z.strictObject({ ...example, message: z.optional(z.string()) });

/** A rule without code: a condition over the settings of a VM, in the Common Expression Language. */
const rule = z.strictObject({
  id: z.string(),
  severity: z.string(),
  summary: z.string(),
  docs: z.optional(z.string()),
  docsUrl: z.optional(z.string()),
  when: z.string(),
  message: z.string(),
  at: z.optional(z.string()),
  anyPlatform: z.optional(z.boolean()),
  ignorable: z.optional(z.boolean()),
  bad: z.optional(z.array(bad)),
  good: z.optional(z.array(good)),
});
const file = z.strictObject({ rules: z.array(rule) });

type YamlRule = z.infer<typeof rule>;

/** The facts besides the settings, each by the name of its need. */
const FACTS = ["host", "topology", "workload"] as const;

/** Knows the names of all settings and facts. Their values depend on the VM. */
const environment = [...Object.keys(NO_SETTINGS), ...FACTS].reduce((known, name) => known.registerVariable(name, "dyn"), new Environment());

interface Facts {
  readonly vm: Readonly<Record<string, { readonly value: unknown; readonly range: readonly [number, number] } | undefined>>;
  readonly [fact: string]: unknown;
}

/** Returns the rules of a YAML file as a plugin exports them. Throws PLUGIN_INVALID with the file, the problem and the remedy. */
export function yamlRules(text: string, name: string): { readonly rules: readonly object[] } {
  const parsed = file.safeParse(parse(text));
  if (!parsed.success) throw invalid(`${name}: ${problemOf(parsed.error.issues)}.`);
  return { rules: parsed.data.rules.map((one) => compiled(one, name)) };
}

/** Words the first problem; a misspelt key is also a missing one. */
function problemOf(issues: readonly z.core.$ZodIssue[]): string {
  for (const issue of issues)
    if (issue.code === "unrecognized_keys") return `there is no key "${[...issue.path, issue.keys[0]].map(String).join(".")}"`;
  const place = issues[0]?.path.map(String).join(".") ?? "";
  return place === "" ? "it is not a mapping with a list of rules" : `${place} is missing or not a text`;
}

const invalid = (message: string): VmlintError => new VmlintError("PLUGIN_INVALID", message);

function compiled({ when, message, at, bad: finds = [], good: passes = [], ...rest }: YamlRule, name: string): object {
  const wrong = (problem: string): never => {
    throw invalid(`${name}: rule "${rest.id}": ${problem}.`);
  };
  const condition = compile(when, wrong);
  const texts = message.split(/\{([^{}]*)\}/).map((part, i) => (i % 2 === 0 ? part : compile(part, wrong)));
  const used = [condition, ...texts].flatMap((part) => (typeof part === "string" ? [] : [...part.names]));
  const place = at ?? used.find(isSetting);
  if (place === undefined || !isSetting(place)) return wrong("it points at no setting: add at: with the name of a setting");
  const reads = [...new Set([...used.filter(isSetting), place])];
  const needs = FACTS.filter((fact) => used.includes(fact));
  const exampleOf = (one: z.infer<typeof bad>, i: number, kind: string): object => {
    const workload = one.workload === undefined ? undefined : parseWorkload(one.workload);
    if (typeof workload === "string") return wrong(workload.replace(/[.]$/, ""));
    return { title: `${kind} example ${i + 1}`, ...one, workload };
  };
  return {
    ...rest,
    bad: finds.map((one, i) => ({ ...exampleOf(one, i, "bad"), expect: "finding" })),
    good: passes.map((one, i) => exampleOf(one, i, "good")),
    reads,
    needs,
    messages: { finding: ({ text }: { readonly text: string }) => text },
    *check(facts: Facts) {
      // The expressions need a value of each setting.
      if (reads.some((setting) => facts.vm[setting] === undefined)) return;
      const values = Object.fromEntries([
        ...reads.map((setting) => [setting, toCel(facts.vm[setting]?.value)]),
        ...needs.map((need) => [need, toCel(facts[need])]),
      ]);
      if (condition.evaluate(values) !== true) return;
      const words = texts.map((part) => (typeof part === "string" ? part : String(part.evaluate(values))));
      yield { messageId: "finding", data: { text: words.join("") }, at: facts.vm[place]?.range };
    },
  };
}

interface Expression {
  readonly evaluate: (values: Record<string, unknown>) => unknown;
  readonly names: ReadonlySet<string>;
}

function compile(expression: string, wrong: (problem: string) => never): Expression {
  const program = programOf(expression);
  return typeof program === "string" ? wrong(`"${expression}" is not a valid CEL expression: ${program}`) : program;
}

/** Returns the compiled expression, or its first error. */
function programOf(expression: string): Expression | string {
  const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
  try {
    const evaluate = environment.parse(expression);
    const { valid, error } = evaluate.check();
    return valid ? { evaluate, names: namesIn(evaluate.ast) } : firstLine(error);
  } catch (error) {
    return firstLine(error);
  }
}

/** The variables of an expression. */
function namesIn(node: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const part of node) namesIn(part, names);
  else if (typeof node === "object" && node !== null && "op" in node && "args" in node) {
    if (node.op === "id" && typeof node.args === "string") names.add(node.args);
    else namesIn(node.args, names);
  }
  return names;
}

const isSetting = (name: string): boolean => Object.hasOwn(NO_SETTINGS, name);

/** CEL has whole numbers of its own. */
function toCel(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, part]) => (typeof part === "function" ? [] : [[key, toCel(part)] as const])),
    );
  return value ?? null;
}
