import { describe, expect, test } from "vitest";
import { LineIndex } from "../../../packages/core/src/model/source.ts";
import { rangeOf, type Span, typeRange } from "../../../packages/core/src/syntax/hcl/ast.ts";
import { parseHcl } from "../../../packages/core/src/syntax/hcl/parse.ts";
import { header, parsedValue, show, values } from "../../support/hcl.ts";

const strict = (text: string) => {
  const parsed = parseHcl(text);
  expect(parsed.errors).toEqual([]);
  return parsed;
};

// The productions of HashiCorp's native syntax specification (hclsyntax/spec.md), each with its cases.
describe("expressions", () => {
  test.each([
    ["number", "12", "12"],
    ["fraction", "1.50", "1.5"],
    ["exponent", "2e3", "2000"],
    ["signed exponent", "25E-1", "2.5"],
    ["more digits than a double holds", "9007199254740993", "9007199254740993"],
    ["a number too large for a double", "1e400", "1e400"],
    ["true", "true", "true"],
    ["false", "false", "false"],
    ["null", "null", "null"],
    ["variable", "var", "var"],
    ["a name with a dash", "a-b", "a-b"],
    ["a name that begins with a keyword", "trueish", "trueish"],
    ["Unicode name", "größe.名", "größe.名"],
    ["attribute access", "a.b.c", "a.b.c"],
    ["across blanks", "a . b [ 0 ]", "a.b[0]"],
    ["index", "a[0]", "a[0]"],
    ["index by string", 'a["k"]', 'a["k"]'],
    ["index by expression", "a[b.c + 1]", "a[(b.c + 1)]"],
    ["legacy index", "a.0.b", "a[0].b"],
    ["full splat", "a[*].b[0]", "a[*]{@.b[0]}"],
    ["full splat alone", "a[*]", "a[*]{@}"],
    ["attribute splat", "a.*.b.c", "a.*{@.b.c}"],
    ["an index after an attribute splat is of its result", "a.*.b[0]", "a.*{@.b}[0]"],
    ["call", "f()", "f()"],
    ["call with arguments", "f(1, a)", "f(1, a)"],
    ["call with a comma at the end", "f(1,)", "f(1)"],
    ["call that expands", "f(1, a...)", "f(1, a...)"],
    ["call over lines", "f(\n  1,\n  2\n)", "f(1, 2)"],
    ["a provider's function", "provider::x::f(1)", "provider::x::f(1)"],
    ["a step after a call", "f(a).b", "f(a).b"],
    ["tuple", "[1, a, [2]]", "[1, a, [2]]"],
    ["empty tuple", "[]", "[]"],
    ["tuple over lines, with comments", "[ # one\n  1, // a\n  /* b */ 2,\n]", "[1, 2]"],
    ["object", '{ a = 1, "b" : 2 }', '{"a" = 1, "b" = 2}'],
    ["empty object", "{}", "{}"],
    ["object over lines", "{\n  a = 1\n\n  b = 2,\n  c = 3\n}", '{"a" = 1, "b" = 2, "c" = 3}'],
    ["an object's key from an expression", "{ (a) = 1 }", "{(a) = 1}"],
    ["an object's key from a template", `{ "\${a}" = 1 }`, `{"\${a}" = 1}`],
    ["an object's keys that look like keywords", "{ true = 1, for_each = 2 }", '{"true" = 1, "for_each" = 2}'],
    ["a traversal as key is an expression", "{ a.b = 1 }", "{a.b = 1}"],
    ["for into a tuple", "[for v in c : v.x]", "<for _, v in c : v.x>"],
    ["for with key and condition", "[for k, v in c : k if v > 1]", "<for k, v in c : k if (v > 1)>"],
    ["for into an object", "{ for k, v in c : k => v }", "<for k, v in c : k => v>"],
    ["for that groups", "{ for v in c : v.k => v... if v.p }", "<for _, v in c : v.k => v... if v.p>"],
    ["for over lines", "{\n  for k, v in c :\n  k =>\n  v\n}", "<for k, v in c : k => v>"],
    ["conditional", "a ? b : c", "(a ? b : c)"],
    ["conditional in conditional", "a ? b ? 1 : 2 : c ? 3 : 4", "(a ? (b ? 1 : 2) : (c ? 3 : 4))"],
    ["precedence", "a || b && c == d < e + f * g", "(a || (b && (c == (d < (e + (f * g))))))"],
    ["precedence, the other way round", "a % b - c >= d != e && f || g", "((((((a % b) - c) >= d) != e) && f) || g)"],
    ["operators of one level from left to right", "a - b + c", "((a - b) + c)"],
    ["negation binds tighter than operators", "-a + !b", "((-a) + (!b))"],
    ["negation of a traversal", "-a.b", "(-a.b)"],
    ["negation twice", "!!a", "(!(!a))"],
    ["a negative number", "-1", "(-1)"],
    ["parentheses", "(a + b) * c", "(((a + b)) * c)"],
    ["parentheses cross lines", "(\n  a\n  + b\n)", "((a + b))"],
    ["a comment between", "a /* x */ + b // y", "(a + b)"],
  ])("%s: %s", (_, text, expected) => {
    expect(show(parsedValue(text))).toBe(expected);
  });

  test("numbers keep their text only where a double changes them", () => {
    expect(parsedValue("9007199254740993")).toMatchObject({ value: 9007199254740992, text: "9007199254740993" });
    expect(parsedValue("0.1000000000000000000")).not.toHaveProperty("text");
    expect(parsedValue("100000000000000000000")).not.toHaveProperty("text");
  });
});

describe("templates", () => {
  test.each([
    ["empty", '""', '""'],
    ["escapes", String.raw`"\n\r\t\"\\\u00e4\U0001F600"`, String.raw`"\n\r\t\"\\ä😀"`],
    ["escaped sequences", `"$\${a} %%{b} $ % $$ {"`, `"\${a} %{b} $ % $$ {"`],
    ["a dollar before a sequence", `"$\${a}"`, `"\${a}"`],
    ["interpolation", `"a\${b}c"`, `"a|\${b}|c"`],
    ["one interpolation alone", `"\${b}"`, `"\${b}"`],
    ["strings within", `"\${f("x", "\${y}")}"`, `"\${f("x", "\${y}")}"`],
    ["an object within", `"\${{ a = 1 }.a}"`, `"\${{"a" = 1}.a}"`],
    ["trim marks", `"a  \${~ b ~}  c"`, `"a|\${b}|c"`],
    ["if", `"%{ if a }x%{ else }y%{ endif }"`, `"%if a<x>else<y>"`],
    ["if without else", `"%{ if a }x%{ endif }z"`, `"%if a<x>else<>|z"`],
    ["for", `"%{ for k, v in c }\${v},%{ endfor }"`, `"%for k, v in c<\${v}|,>"`],
    ["directives within directives", `"%{ for v in c }%{ if v }x%{ endif }%{ endfor }"`, `"%for _, v in c<%if v<x>else<>>"`],
    ["normal form C", '"a\u0308"', '"ä"'],
    ["heredoc", "<<EOT\na\n  b\nEOT", String.raw`"a\n  b\n"`],
    ["heredoc: a backslash is itself", "<<EOT\n\\n\nEOT", String.raw`"\\n\n"`],
    ["heredoc with its marker indented", "<<EOT\na\n  EOT", String.raw`"a\n"`],
    ["empty heredoc", "<<EOT\nEOT", '""'],
    ["flush heredoc", "<<-EOT\n    a\n      b\n\n    c\n  EOT", String.raw`"a\n  b\n\nc\n"`],
    ["flush heredoc that begins with an interpolation", `<<-EOT\n  \${a}\n  b\n  EOT`, `"|\${a}|\\nb\\n"`],
    ["heredoc with a quote", '<<EOT\n"a"\nEOT', String.raw`"\"a\"\n"`],
    ["heredoc: a line that only begins with the marker", "<<EOT\nEOTX\nEOT", String.raw`"EOTX\n"`],
  ])("%s", (_, text, expected) => {
    expect(show(parsedValue(text))).toBe(expected);
  });
});

describe("bodies", () => {
  test.each([
    ["attribute", "a = 1\n", ["a = 1"]],
    ["no newline at the end", "a = 1", ["a = 1"]],
    ["a comment at the end", "a = 1 # x", ["a = 1"]],
    ["block", "b {\n  a = 1\n}\n", ["b/a = 1"]],
    ["labels", 'b "x" y {\n  a = 1\n}\n', ["b.x.y/a = 1"]],
    ["an escape in a label", 'b "x\\"y" {\n  a = 1\n}\n', ['b.x"y/a = 1']],
    ["on one line", "b { a = 1 }\n", ["b/a = 1"]],
    ["blocks in blocks", "b {\n  c {\n    a = 1\n  }\n  a = 2\n}\n", ["b/a = 2", "b/c/a = 1"]],
    ["comments", "# x\n// y\n/* z\n*/ a = 1\n", ["a = 1"]],
    ["CRLF", "a = 1\r\nb {\r\n  c = 2\r\n}\r\n", ["a = 1", "b/c = 2"]],
    ["byte order mark", "\ufeffa = 1\n", ["a = 1"]],
    ["a heredoc as the last line of a block", "b {\n  a = <<X\nt\nX\n}\n", ['b/a = "t\\n"']],
    ["nothing", "", []],
  ])("%s", (_, text, expected) => {
    expect(values(strict(text))).toEqual(expected);
  });

  test("an empty block, with its ranges", () => {
    const text = 'resource "disk" x { }\n';
    const [block] = strict(text).body.blocks;
    if (!block) throw new Error("no block");
    const at = ({ start, end }: Span) => text.slice(start, end);
    expect(header(block)).toBe("resource.disk.x");
    expect([text.slice(...typeRange(block)), ...block.labels.map(at), at(block.body), at(block)]).toEqual([
      "resource",
      "disk",
      "x",
      " ",
      'resource "disk" x { }',
    ]);
  });

  test("every step of a traversal has its range", () => {
    const text = "x = module.vm[0].size";
    const [attribute] = strict(text).body.attributes;
    const seen: string[] = [];
    let value = attribute?.value;
    while (value && "of" in value) {
      seen.push(text.slice(...rangeOf(value)));
      value = value.of;
    }
    expect(seen).toEqual(["module.vm[0].size", "module.vm[0]", "module.vm"]);
  });

  test("comments, in their order", () => {
    const text = "# a\nx = [ // b\n  1, /* c */\n] # d\n";
    expect(strict(text).comments.map((range) => text.slice(...range))).toEqual(["# a", "// b", "/* c */", "# d"]);
  });
});

test.each(["a { b = 1, c = 2 }\n", "a { b = 1, c = 2, d = 3 }\n", "x = 0\na {\n  a { b = 1, c = 2 }\n}\n"])(
  "attributes with commas in a block on one line are one mistake, and all are read: %j",
  (text) => {
    const { body, errors } = parseHcl(text);
    expect(errors.map(({ message }) => message)).toEqual(["A block on one line holds one attribute at most, and ends there."]);
    const [outer] = body.blocks;
    const { attributes } = (outer?.body.blocks[0] ?? outer)?.body ?? { attributes: [] };
    expect(attributes.map(({ name }) => name).slice(0, 2)).toEqual(["b", "c"]);
  },
);

describe("texts that the specification forbids", () => {
  test.each([
    ["two attributes on one line", "a = 1 b = 2\n", "b"],
    ["no value", "a =\n", "\n"],
    ["a name alone", "a\n", "\n"],
    ["a block that is not closed", "a {\n", ""],
    ["two attributes in a block on one line", "a { b = 1, c = 2 }\n", ","],
    ["a brace too many", "}\n", "}"],
    ["a string over two lines", 'a = "b\nc"\n', "\nc"],
    ["an unknown escape", 'a = "\\q"\n', "\\q"],
    ["half a surrogate pair", 'a = "\\ud800"\n', "\\ud800"],
    ["something filled into a label", `a "\${b}" {\n}\n`, '"$'],
    ["a heredoc that is not closed", "a = <<X\nb\n", "<<X"],
    ["a heredoc without a name", "a = <<\nb\n", "\n"],
    ["a comment that is not closed", "a = 1 /* b\n", "/*"],
    ["two decimal points", "a = 1.2.3\n", ".3"],
    ["an operator at the end", "a = 1 +\n", "\n"],
    ["a conditional without its second half", "a = b ? c\n", "\n"],
    ["a directive that is not closed", 'a = "%{ if b }c"\n', "%{ if b }"],
    ["a directive that closes nothing", 'a = "%{ endif }"\n', "%{ endif }"],
    ["for without in", "a = [for b : c]\n", ": c"],
    ["a comma at an attribute's end", "a = 1,\n", ","],
  ])("%s", (_, text, place) => {
    const [error] = parseHcl(text).errors;
    expect(text.slice(error?.range[0]).startsWith(place), JSON.stringify(error)).toBe(true);
    const places = (of: string) => parseHcl(of).errors.map(({ range }) => range.map((offset) => new LineIndex(of).at(offset)));
    expect(places(text.replaceAll("\n", "\r\n"))).toEqual(places(text));
  });
});
