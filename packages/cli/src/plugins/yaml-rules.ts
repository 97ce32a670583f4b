import { Environment } from "@marcbachmann/cel-js";
import type { SettingName } from "@vmlint/core";
import { hint, parseWorkload, VmlintError } from "@vmlint/core/program";
import { isNode, isScalar, LineCounter, parseDocument } from "yaml";
import * as z from "zod/mini";
import { FACT_TYPES, SETTING_TYPES } from "./yaml-names.ts";

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
  for: z.optional(z.literal("any")),
  ignorable: z.optional(z.boolean()),
  bad: z.optional(z.array(bad)),
  good: z.optional(z.array(good)),
});
const file = z.strictObject({ rules: z.array(rule) });

type YamlRule = z.infer<typeof rule>;

type Need = keyof typeof FACT_TYPES;
const NEEDS = Object.keys(FACT_TYPES) as readonly Need[];

/** Some settings also have a value that is a word: `int or "auto"`. */
const typeOf = (name: string): readonly [type: string, word?: string] => (SETTING_TYPES[name as SettingName]?.split(" or ") ?? []) as never;
const isSetting = (name: string): boolean => Object.hasOwn(SETTING_TYPES, name);
const WORDED = Object.keys(SETTING_TYPES).filter((name) => typeOf(name)[1] !== undefined);

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

/** Knows all names with their types. `worded` is the type of a setting that has a word in place of a value. */
function environment(worded: (type: string) => string): Environment {
  const known = new Environment();
  for (const [sign, of] of Object.entries(OPERATORS))
    for (const sides of ["double ? int", "int ? double"])
      known.registerOperator(sides.replace("?", sign), (a, b) => of(Number(a), Number(b)));
  for (const name of Object.keys(SETTING_TYPES))
    known.registerVariable(name, WORDED.includes(name) ? worded(typeOf(name)[0]) : typeOf(name)[0]);
  for (const name of NEEDS) known.registerVariable({ name, schema: FACT_TYPES[name] as Readonly<Record<string, string>> });
  return known;
}

const running = environment(() => "dyn");
const strict = environment((type) => type);

interface Facts {
  readonly vm: Readonly<Record<string, { readonly value: unknown; readonly range: readonly [number, number] } | undefined>>;
  readonly [fact: string]: unknown;
}

/** Returns the rules of a YAML file as a plugin exports them. Throws PLUGIN_INVALID with the file, the line, the problem and the remedy. */
export function yamlRules(text: string, name: string): { readonly rules: readonly object[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors[0]) throw document.errors[0];
  const parsed = file.safeParse(document.toJS());
  /** The line where a value begins, or its mapping if it is missing. */
  const lineAt = (path: readonly PropertyKey[]): number => {
    const node = document.getIn(path, true);
    if (path.length > 0 && !(isNode(node) && node.range)) return lineAt(path.slice(0, -1));
    return lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line;
  };
  if (!parsed.success) {
    const { path, problem } = problemOf(parsed.error.issues);
    throw invalid(`${name}:${lineAt(path)}: ${problem}`);
  }
  return {
    rules: parsed.data.rules.map((one, i) =>
      compiled(one, (key, problem, line = 1) => {
        const node = document.getIn(["rules", i, key], true);
        const first = lineAt(["rules", i, key]) + (isScalar(node) && node.type?.startsWith("BLOCK") ? 1 : 0);
        throw invalid(`${name}:${first + line - 1}: rule "${one.id}": ${problem}`);
      }),
    ),
  };
}

/** Words the first problem; a misspelt key is also a missing one. */
function problemOf(issues: readonly z.core.$ZodIssue[]): { readonly path: readonly PropertyKey[]; readonly problem: string } {
  for (const { code, path, ...issue } of issues) {
    if (code !== "unrecognized_keys") continue;
    const { keys: [key = ""] = [] } = issue as { readonly keys?: readonly string[] };
    const keys = Object.keys(path.length === 0 ? file.shape : path.length === 2 ? rule.shape : bad.shape);
    return { path: [...path, key], problem: `there is no key "${[...path, key].map(String).join(".")}".${hint(key, keys)}` };
  }
  const path = issues[0]?.path ?? [];
  const place = path.map(String).join(".");
  return { path, problem: place === "" ? "it is not a mapping with a list of rules." : `${place} is missing or not a text.` };
}

const invalid = (message: string): VmlintError => new VmlintError("PLUGIN_INVALID", message);

/** Throws with a problem of a key of a rule, and its line in a text of several lines. */
type Wrong = (key: keyof YamlRule, problem: string, line?: number) => never;

function compiled({ when, message, at, bad: finds = [], good: passes = [], ...rest }: YamlRule, wrong: Wrong): object {
  const condition = compile(when, "when", wrong);
  if (!/^(bool|dyn)$/.test(condition.type)) wrong("when", `"${when}" is ${condition.type}, not a condition.`);
  const texts = message.split(/\{([^{}]*)\}/).map((part, i) => (i % 2 === 0 ? part : compile(part, "message", wrong)));
  const used = [condition, ...texts].flatMap((part) => (typeof part === "string" ? [] : [...part.names]));
  if (at !== undefined && !isSetting(at)) wrong("at", `there is no setting "${at}".${hint(at, Object.keys(SETTING_TYPES))}`);
  const place = at ?? used.find(isSetting);
  if (place === undefined) return wrong("when", "it points at no setting: add at: with the name of a setting.");
  const reads = [...new Set([...used.filter(isSetting), place])];
  const needs = NEEDS.filter((need) => used.includes(need));
  const exampleOf = (one: z.infer<typeof bad>, i: number, kind: "bad" | "good"): object => {
    const workload = one.workload === undefined ? undefined : parseWorkload(one.workload);
    if (typeof workload === "string") return wrong(kind, workload);
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
        ...reads.map((setting) => [setting, toCel(facts.vm[setting]?.value, "")]),
        ...needs.map((need) => [need, toCel(facts[need], FACT_TYPES[need])]),
      ]);
      try {
        if (condition.evaluate(values) !== true) return;
        const words = texts.map((part) => (typeof part === "string" ? part : String(part.evaluate(values))));
        yield { messageId: "finding", data: { text: words.join("") }, at: facts.vm[place]?.range };
      } catch (error) {
        // A fact that this host or VM does not have, or a word in place of a number.
        if (!/^no_such_(?:key|overload)$/.test((error as { readonly code?: string }).code ?? "")) throw error;
      }
    },
  };
}

interface Expression {
  readonly evaluate: (values: Record<string, unknown>) => unknown;
  readonly names: ReadonlySet<string>;
  readonly type: string;
}

function compile(expression: string, key: "when" | "message", wrong: Wrong): Expression {
  try {
    const { valid, error, type } = strict.check(strictText(expression));
    if (!valid) throw error;
    const evaluate = running.parse(expression);
    return { evaluate, names: namesIn(evaluate.ast), type: String(type) };
  } catch (error) {
    const [problem = "", ...excerpt] = String((error as Error).message).split("\n");
    const [, line = "1"] = /^>\s*(\d+) \|/m.exec(excerpt.join("\n")) ?? [];
    return wrong(key, `"${expression}" is not a valid CEL expression: ${problem}.${hintFor(problem, expression)}`, Number(line));
  }
}

/** Makes the checker see names in `has()`, and no words of settings. Types and places stay the same. */
function strictText(expression: string): string {
  const asTrue = (text: string): string => "true".padEnd(text.length);
  return WORDED.reduce((text, name) => {
    const word = typeOf(name)[1]?.replace(/"/g, "[\"']");
    return text.replace(new RegExp(`\\b${name}\\s*[!=]=\\s*${word}|${word}\\s*[!=]=\\s*${name}\\b`, "g"), asTrue);
  }, expression).replace(/\bhas(?=\s*\()/g, "dyn");
}

/** Suggests a name for the unknown one of an error. */
function hintFor(problem: string, expression: string): string {
  const [, kind, name = ""] = /^(Unknown variable|No such key): (\S+)$/.exec(problem) ?? [];
  const [, called = ""] = /overload for '(?:[^'(]*\.)?(\w+)\(/.exec(problem) ?? [];
  if (called)
    return hint(
      called,
      [...new Set(running.getDefinitions().functions.map((one) => one.name))].filter((one) => one !== called),
    );
  if (kind === "Unknown variable")
    return name === "vm" ? " Write a setting without vm." : hint(name, [...Object.keys(SETTING_TYPES), ...NEEDS]);
  const [, parent = ""] = new RegExp(`(\\w+)\\s*(?:\\.\\s*|\\[\\s*["'])${name}\\b`).exec(expression) ?? [];
  const fields = Object.entries(FACT_TYPES).flatMap(([fact, types]) => [[fact, types] as const, ...Object.entries(types)]);
  return hint(name, Object.keys(fields.find(([field]) => field === parent)?.[1] ?? {}));
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

/** Converts a value: CEL has a type for whole numbers. Skips parts without a type. */
function toCel(value: unknown, type: unknown): unknown {
  if (typeof value === "number") return type !== "double" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((one) => toCel(one, ""));
  if (typeof value !== "object" || value === null) return value;
  const parts = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(type as object).flatMap(([key, of]) => (parts[key] == null ? [] : [[key, toCel(parts[key], of)] as const])),
  );
}
