import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameRange, rangeOf } from "../../../packages/core/src/syntax/hcl/ast.ts";
import { type BlockTypes, parseHclJson } from "../../../packages/core/src/syntax/hcl/hcl-json.ts";
import { attributesOf, misplaced, parsedValue, show, values } from "../../support/hcl.ts";

const TYPES: BlockTypes = {
  resource: { labels: 2, blocks: { disk: { labels: 0, blocks: {} } } },
  variable: { labels: 1, blocks: {} },
  locals: { labels: 0, blocks: {} },
};
const read = (text: string) => parseHclJson(text, TYPES);
const whole = (text: string) => {
  const parsed = read(text);
  expect(parsed.errors).toEqual([]);
  return values(parsed);
};

// The examples of json/spec.md, "Structural Elements", in our terms.
describe("bodies", () => {
  test.each<[what: string, text: string, expected: readonly string[]]>([
    ["attributes", '{"a": 1, "b": [true, null]}', ["a = 1", "b = [true, null]"]],
    ["an array of objects is one body", '[{"a": 1}, {"b": 2}]', ["a = 1", "b = 2"]],
    ["a block", '{"locals": {"a": 1}}', ["locals/a = 1"]],
    ["several blocks", '{"locals": [{"a": 1}, {"b": 2}]}', ["locals/a = 1", "locals/b = 2"]],
    ["no block", '{"locals": []}', []],
    ["null is no block", '{"locals": null, "resource": {"vm": {"a": null}}}', []],
    ["labels", '{"resource": {"vm": {"a": {"x": 1}, "b": {"x": 2}}}}', ["resource.vm.a/x = 1", "resource.vm.b/x = 2"]],
    [
      "labels in arrays",
      '{"resource": [{"vm": [{"a": {"x": 1}}]}, {"vm": {"b": [{"x": 2}]}}]}',
      ["resource.vm.a/x = 1", "resource.vm.b/x = 2"],
    ],
    ["a property twice", '{"locals": {"a": 1}, "locals": {"a": 2}}', ["locals/a = 1", "locals/a = 2"]],
    ["blocks in blocks", '{"resource": {"vm": {"a": {"disk": [{"size": 1}, {}]}}}}', ["resource.vm.a/disk/size = 1"]],
    ["a comment", '{"//": "x", "a": {"//": 1}}', ['a = {"//" = 1}']],
    ["what only looks like a block type", '{"constructor": 1, "toString": 2}', ["constructor = 1", "toString = 2"]],
    ["byte order mark", '\ufeff{"a": 1}', ["a = 1"]],
  ])("%s", (_, text, expected) => {
    expect(whole(text)).toEqual(expected);
  });
});

describe("expressions", () => {
  test.each([
    ["numbers", "-1.5e1", "-15"],
    ["a large number keeps its text", "9007199254740993", "9007199254740993"],
    ["objects", '{"a b": 1}', '{"a b" = 1}'],
    ["a key is a template", `{"\${a}": 1}`, `{"\${a}" = 1}`],
    ["a string is a template", `"a\${var.x}b"`, `"a|\${var.x}|b"`],
    ["escapes come before the template", String.raw`"${"$"}{f(\"x\\n\")}\u00e4\ud83d\ude00"`, String.raw`"${"$"}{f("x\n")}|ä😀"`],
    ["a backslash that JSON escaped is itself", String.raw`"a\\nb${"$"}{c}"`, String.raw`"a\\nb|${"$"}{c}"`],
    ["escaped sequences", `"$\${a}"`, `"\${a}"`],
    ["directives", `"%{ if a }x%{ endif }"`, `"%if a<x>else<>"`],
    ["several lines", String.raw`"a\n\n${"$"}{b}"`, String.raw`"a\n\n|${"$"}{b}"`],
    ["empty", '""', '""'],
  ])("%s", (_, text, expected) => {
    expect(whole(`{"x": ${text}}`)).toEqual([`x = ${expected}`]);
  });

  test("ranges refer to the file, also after escapes", () => {
    const text = String.raw`{"x": "\"\u00e4${"$"}{var.size == \"L\" ? 1 : 2}"}`;
    const [[, attribute] = expect.fail("no attribute")] = [...attributesOf(read(text).body)];
    expect(text.slice(...nameRange(attribute))).toBe("x");
    const { value } = attribute;
    const inner = value.kind === "template" ? value.parts.at(-1) : undefined;
    const conditional = inner?.kind === "interpolation" ? inner.value : undefined;
    if (conditional?.kind !== "conditional") throw new Error("no conditional");
    expect(text.slice(...rangeOf(conditional.condition))).toBe(String.raw`var.size == \"L\"`);
    expect(text.slice(...rangeOf(conditional.otherwise))).toBe("2");
  });

  test("a string of JSON has the value of the same string in HCL", () => {
    const piece = fc.constantFrom("a", "$ ", "% ", `\${b.c}`, `\${f("x")}`, "$${", "%{ if d }e%{ endif }", "~}", "ä");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const string = pieces.join("");
        const json = read(JSON.stringify({ x: string }));
        expect(json.errors).toEqual([]);
        expect(values(json)).toEqual([`x = ${show(parsedValue(`"${string}"`))}`]);
      }),
    );
  });
});

describe("any text", () => {
  test("is read, with every range inside of the text and of its parent", () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      '"a"',
      '"locals"',
      '"resource"',
      `"\${a}"`,
      '"%{"',
      "\\",
      "1",
      "-",
      "null",
      " ",
      "\n",
      "é",
    );
    const text = fc.oneof(
      fc.json(),
      fc.array(token).map((tokens) => tokens.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(text, (text) => {
        const { body, errors } = read(text);
        expect(misplaced(body, [0, text.length])).toEqual([]);
        for (const { range } of errors) expect(range[1]).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  test("is accepted if and only if JSON.parse accepts it and it has no template", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom("", "x", ",", '"', "}", "]", "\\"), (json, at, extra) => {
        const text = `{"x":${json.slice(0, at % (json.length + 1))}${extra}${json.slice(at % (json.length + 1))}}`;
        if (/[$%]\{/.test(text)) return;
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(read(text).errors.length === 0).toBe(isJson);
      }),
      { numRuns: 1000 },
    );
  });

  test("keeps the text before the first error", () => {
    expect(values(read('{"a": 1, "b": "x", "c": , "d": 2}'))).toEqual(["a = 1", 'b = "x"', "c = ?"]);
    expect(values(read('{"a": "x'))).toEqual(["a = ?"]);
  });

  test.each(["[", '{"a":', '[{"a":'])("%s, 100,000 deep, is reported", (unit) => {
    expect(read(unit.repeat(100_000)).errors[0]?.message).toContain("more than 200 levels");
  });
});
