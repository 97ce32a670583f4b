import { afterEach, describe, expect, test } from "vitest";
import { DEEPEST } from "../../../packages/core/src/syntax/extent.ts";
import { rangeOf } from "../../../packages/core/src/syntax/hcl/ast.ts";
import { parseHcl } from "../../../packages/core/src/syntax/hcl/parse.ts";
import { misplaced } from "../../support/hcl.ts";

describe("nesting", () => {
  const DEEP = 30_000;
  test.each<[what: string, text: string]>([
    ["lists", `a = ${"[".repeat(DEEP)}${"]".repeat(DEEP)}`],
    ["parentheses", `a = ${"(".repeat(DEEP)}1${")".repeat(DEEP)}`],
    ["objects", `a = ${"{ a = ".repeat(DEEP)}1${" }".repeat(DEEP)}`],
    ["blocks", `${"a {\n".repeat(DEEP)}${"}\n".repeat(DEEP)}`],
    ["templates", `a = ${'"${'.repeat(DEEP)}1${'}"'.repeat(DEEP)}`],
    ["directives", `a = "${"%{ if a }".repeat(DEEP)}${"%{ endif }".repeat(DEEP)}"`],
    ["calls", `a = ${"f(".repeat(DEEP)}${")".repeat(DEEP)}`],
    ["indexes", `a = ${"a[".repeat(DEEP)}1${"]".repeat(DEEP)}`],
    ["negations", `a = ${"!".repeat(DEEP)}b`],
    ["conditionals", `a = ${"b ? c : ".repeat(DEEP)}d`],
    ["splats", `a = b${"[*]".repeat(DEEP)}`],
    ["a chain of operators, which is a deep tree", `a = 1${" + 1".repeat(DEEP)}`],
    ["a chain of steps", `a = b${".c".repeat(DEEP)}`],
    ["for in for", `a = ${"[for b in ".repeat(DEEP)}`],
  ])("%s, 30,000 deep, are reported, and the tree can be walked", (_, text) => {
    const { body, errors } = parseHcl(text);
    expect(errors[0]?.message).toContain(`more than ${DEEPEST} levels`);
    expect(misplaced(body, [0, text.length])).toEqual([]);
  });

  test("texts in use are far from the limit", () => {
    const deep = 60;
    const text = `${"a {\n".repeat(deep)}b = ${"f([".repeat(deep)}1${"])".repeat(deep)}\n${"}\n".repeat(deep)}`;
    expect(parseHcl(text).errors).toEqual([]);
  });
});

/** Counts the characters that are read, searched, copied and matched during `run`. */
function workOf(run: () => void): number {
  let work = 0;
  const { charCodeAt, indexOf, slice, startsWith } = String.prototype;
  const { test: matches } = RegExp.prototype;
  restore = () => {
    Object.assign(String.prototype, { charCodeAt, indexOf, slice, startsWith });
    RegExp.prototype.test = matches;
  };
  String.prototype.charCodeAt = function (index) {
    work++;
    return charCodeAt.call(this, index);
  };
  String.prototype.startsWith = function (...args) {
    work++;
    return startsWith.apply(this, args);
  };
  String.prototype.indexOf = function (text, from = 0) {
    const found = indexOf.call(this, text, from);
    work += (found < 0 ? this.length : found) - from + 1;
    return found;
  };
  String.prototype.slice = function (...args) {
    const part = slice.apply(this, args);
    work += part.length + 1;
    return part;
  };
  RegExp.prototype.test = function (text) {
    const from = this.lastIndex;
    const found = matches.call(this, text);
    work += this.sticky ? Math.max(1, this.lastIndex - from) : text.length;
    return found;
  };
  run();
  restore();
  return work;
}
let restore = () => {};
afterEach(() => restore());

describe("a text that makes slow parsers hang", () => {
  const numbered = (lines: number, line: (i: number) => string) => Array.from({ length: lines }, (_, i) => line(i)).join("");
  const repeated = (unit: string) => (size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  const hostile: readonly (readonly [name: string, make: (size: number) => string])[] = [
    ...[
      "a",
      "=",
      "{",
      "[",
      "(",
      "}",
      "\n",
      '"',
      '"${',
      "a = <<A\n",
      "/*",
      "/* ",
      "#",
      "-",
      "a.",
      "$",
      "%{",
      "\\",
      "1",
      "1.",
      "a,",
      "é",
    ].map((unit) => [JSON.stringify(unit), repeated(unit)] as const),
    ...[
      "a {\n",
      "a = {\n",
      "a = {\n  b = 1\n",
      "a = [\n1,\n",
      "a = (\n",
      "a = f(\n",
      ' a = "${\n',
      "a\n",
      "}\n",
      "  }\n",
      "a {\n  b = {\n",
      "a = <<A\n${\n",
    ].map((unit) => [JSON.stringify(unit), repeated(unit)] as const),
    ["valid attributes and a broken one", (size) => `${repeated('  a = "b"\n')(size)}\n=`],
    ["a broken attribute and valid ones", (size) => `x =\n${repeated('a = "b"\n')(size)}`],
    ["a block with everything in it, not closed", (size) => `x {\n${repeated('  a = "b"\n')(size)}`],
    ["deeper and deeper lines", (size) => numbered(Math.sqrt(2 * size), (i) => `${" ".repeat(i)}a {\n`)],
    [
      "heredocs with markers of their own",
      (size) => numbered(size / 20, (i) => `a = <<A${i}\n`).repeat(2) + numbered(size / 20, (i) => `A${i}\n`),
    ],
    ["one long line of items", (size) => `a = [${repeated("1, ")(size)}`],
    ["one long string", (size) => `a = "${repeated("x$${")(size)}`],
    ["many interpolations", (size) => `a = "${repeated(`\${b}`)(size)}"`],
    ["a long flush heredoc", (size) => `a = <<-A\n${repeated(`  \${b} x\n`)(size)}A\n`],
  ];

  test.each(hostile)("%s: twice the text is at most twice the work", (_, make) => {
    const [small, large] = [make(15_000), make(30_000)];
    const once = workOf(() => parseHcl(small));
    const twice = workOf(() => parseHcl(large));
    expect(twice / once).toBeLessThan(2.3 * (large.length / small.length / 2));
  });

  test("1 MB of each sign is read", () => {
    for (const sign of ["{", "[", "(", '"', "/*", "$", "%{", "\\", ".", "é", " ", "\n"]) {
      const text = repeated(sign)(1_000_000);
      expect(rangeOf(parseHcl(text).body)).toEqual([0, text.length]);
    }
  });
});
