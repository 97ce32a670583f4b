import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate } from "../../../packages/core/src/syntax/hcl/evaluate.ts";
import { FUNCTIONS } from "../../../packages/core/src/syntax/hcl/functions/function-table.ts";
import { toJson } from "../../../packages/core/src/syntax/hcl/functions/json-functions.ts";
import { yamldecode } from "../../../packages/core/src/syntax/hcl/functions/yaml-functions.ts";
import { parseHcl } from "../../../packages/core/src/syntax/hcl/parse.ts";
import { realText } from "../../../packages/core/src/syntax/hcl/real.ts";
import { Meter, type Namespace } from "../../../packages/core/src/syntax/hcl/scope.ts";
import { hasLoose, unknownValue, type Value } from "../../../packages/core/src/syntax/hcl/value.ts";

/** Expressions and what Terraform 1.11.4 makes of them: scripts/terraform-values.mjs wrote it. */
const TABLE = JSON.parse(readFileSync(new URL("terraform-values.json", import.meta.url), "utf8")) as [string, string][];

const ALL = new Map([...FUNCTIONS, ["yamldecode", yamldecode]]);

function evaluated(text: string, names: ReadonlyMap<string, Value | Namespace> = new Map()): Value {
  const { body, errors } = parseHcl(`x = ${text}\n`);
  const [attribute] = body.attributes;
  if (!attribute || errors.length > 0) throw new Error(`${text}: ${errors[0]?.message}`);
  const name = (wanted: string) => names.get(wanted) ?? unknownValue(`${wanted} is not known`);
  return evaluate(attribute.value, { offset: 0, name, functions: ALL, meter: new Meter() });
}

/** As Terraform's `jsonencode` would print it. */
function shown(value: Value): string | undefined {
  if (value.kind === "unknown") return value.failed ? "ERROR" : undefined;
  return value.kind === "number" ? realText(value.value) : toJson(value);
}

describe("expressions have the value Terraform gives them, or are unknown", () => {
  test.each(TABLE)("%s", (expression, expected) => {
    expect([expected, undefined]).toContain(shown(evaluated(expression)));
  });

  test("nine of ten are known", () => {
    const known = TABLE.filter(([expression]) => shown(evaluated(expression)) !== undefined);
    expect(known.length).toBeGreaterThan(TABLE.length * 0.85);
  });
});

test.each([
  ["timestamp()", "timestamp() is not evaluated"],
  ["8 + data.x.cpus", "data is not known"],
  ["[for x in data.all : x]", "data is not known"],
  ['"a-${var.x}"', "var is not known"],
  ['format("%d", "a", null)', "null is formatted in Terraform's own way"],
  ['formatlist("%d", ["a"], null)', "null is formatted in Terraform's own way"],
])("%s is unknown with a reason", (expression, reason) => {
  expect(evaluated(expression)).toMatchObject({ kind: "unknown", reason, failed: false });
});

test.each([
  ["true || data.x", true],
  ["false && data.x", false],
  // Terraform 1.17.0-dev and OpenTofu 1.11; 1.11.4 refuses both.
  ["false && null", false],
  ["null && false", false],
])("%s depends on known values only", (expression, value) => {
  expect(evaluated(expression)).toMatchObject({ kind: "bool", value });
});

test("a part of a value is known if another part is unknown", () => {
  expect(evaluated("{ cpus = 8, image = data.image.id }.cpus")).toMatchObject({ kind: "number", value: 8 });
  expect(evaluated("merge({ cpus = 8 }, { image = data.image.id }).cpus")).toMatchObject({ kind: "number", value: 8 });
  expect(evaluated("merge({ cpus = 8 }, data.other).cpus")).toMatchObject({ kind: "unknown" });
});

/** Expressions with a hole in them, `data.hole`. */
const EXPRESSIONS = fc.letrec<{ readonly any: string; readonly leaf: string }>((tie) => ({
  leaf: fc.constantFrom("1", "2", "0", '"2"', '"a"', "true", "null", "data.hole", "[]", "{}"),
  any: fc.oneof(
    { maxDepth: 4 },
    tie("leaf"),
    fc.tuple(tie("any"), fc.constantFrom("+", "*", "==", "!=", "&&", "||", "<", "%"), tie("any")).map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc.tuple(tie("any"), tie("any"), tie("any")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        fc.constantFrom("coalesce", "try", "max", "concat", "tolist", "can", "merge", "toset", "length", "lookup"),
        fc.array(tie("any")),
      )
      .map(([name, args]) => `${name}(${args.join(", ")})`),
    fc.array(tie("any")).map((items) => `[${items.join(", ")}]`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `{ a = ${a}, b = ${b} }`),
    tie("any").map((item) => `[for x in [1, 2] : ${item} if x > 1]`),
    tie("any").map((item) => `"t-\${${item}}"`),
    tie("any").map((item) => `try(${item}.a, ${item}[0], 5)`),
  ),
})).any;

test("a value with an unknown part stays the same when the part becomes known", () => {
  fc.assert(
    fc.property(EXPRESSIONS, fc.constantFrom("1", "3", '"a"', "null", "[1]", "{ a = 1 }", "false"), (expression, filling) => {
      const value = evaluated(expression);
      const open = shown(value);
      // That something certainly fails matters to `try` and `can`, which are among the expressions.
      if (open === undefined || open === "ERROR") return;
      const filled = shown(evaluated(expression.replaceAll("data.hole", filling)));
      // A loose number or bool may also be a string with the same text.
      const plain = (text: string | undefined) => (hasLoose(value) ? text?.replaceAll('"', "") : text);
      // With another value it may still be refused.
      expect([plain(open), undefined, "ERROR"]).toContain(plain(filled));
    }),
    { numRuns: 3000 },
  );
});
