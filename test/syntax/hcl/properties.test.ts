import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameRange, rangeOf, type Span } from "../../../packages/core/src/syntax/hcl/ast.ts";
import { parseHcl } from "../../../packages/core/src/syntax/hcl/parse.ts";
import { attributesOf, misplaced, show, values } from "../../support/hcl.ts";

const name = fc.constantFrom("a", "num_cpus", "x-y", "größe", "for_each", "tru");
const blank = fc.constantFrom("", " ", "  ", " /* c */ ");
/** Blanks where newlines do not count. */
const gap = fc.oneof(blank, fc.constantFrom("\n", " # c\n ", "\n\n"));
const words = fc.constantFrom("", "web", "ä ", "$ ", "% ", "\\n", '\\"', "$${", "\\u00e9", "'", "<<EOT");

/** Expressions of every kind, as one writes them. */
const { expression } = fc.letrec<Record<"expression" | "operand" | "template" | "parts", string>>((tie) => ({
  parts: fc.oneof(
    { maxDepth: 3 },
    words,
    fc
      .tuple(words, gap, tie("expression"), fc.constantFrom("", "~"), words)
      .map(([a, g, e, trim, b]) => `${a}\${${trim}${g}${e}${g}${trim}}${b}`),
    fc.tuple(tie("expression"), tie("parts")).map(([e, parts]) => `%{ if ${e} }${parts}%{ else }x%{ endif }`),
    fc.tuple(name, tie("expression"), tie("parts")).map(([n, e, parts]) => `%{ for ${n} in ${e} ~}${parts}%{ endfor }`),
  ),
  template: tie("parts").map((parts) => `"${parts}"`),
  operand: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("1", "2.50", "1e3", "true", "null"),
    name,
    fc.tuple(name, blank, name).map(([a, b, c]) => `${a}${b}.${c}`),
    tie("template"),
    fc.tuple(tie("operand"), tie("expression")).map(([of, key]) => `${of}[${key}]`),
    fc.tuple(name, fc.constantFrom("[*]", ".*"), name).map(([of, splat, n]) => `${of}${splat}.${n}`),
    fc.tuple(name, gap, fc.array(tie("expression"), { maxLength: 3 })).map(([n, g, args]) => `${n}(${args.join(`,${g}`)})`),
    fc.tuple(gap, fc.array(tie("expression"), { maxLength: 3 })).map(([g, items]) => `[${g}${items.join(`${g},${g}`)}${g}]`),
    fc
      .array(fc.tuple(name, tie("expression")), { maxLength: 3 })
      .map((items) => `{ ${items.map(([key, value]) => `${key} = ${value}`).join(", ")} }`),
    fc.tuple(gap, tie("expression")).map(([g, e]) => `(${g}${e}${g})`),
    fc.tuple(name, gap, tie("expression"), tie("expression")).map(([n, g, c, e]) => `[for ${n} in ${c} :${g}${e} if ${n}]`),
  ),
  expression: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: tie("operand") },
    fc
      .tuple(tie("operand"), blank, fc.constantFrom("+", "-", "==", "&&", "<"), tie("operand"))
      .map(([a, b, operator, c]) => `${a} ${b}${operator}${b} ${c}`),
    fc.tuple(tie("operand"), tie("expression"), tie("expression")).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
    tie("operand").map((operand) => `!${operand}`),
  ),
}));

const heredoc = fc
  .tuple(fc.constantFrom("<<", "<<-"), fc.array(fc.constantFrom("x", "  y", "", `\${a}`, "EOTX"), { maxLength: 4 }))
  .map(([open, lines]) => [`${open}EOT`, ...lines, "  EOT"].join("\n"));

/** A valid file, as lines: attributes and blocks, indented or not, some with comments behind them. Tidy: no value stands further out than it begins. */
const fileWith = (indents: readonly string[], isTidy = false) =>
  fc
    .tuple(
      fc.constantFrom(...indents),
      fc.constantFrom("\n", "\r\n"),
      fc.array(fc.tuple(name, fc.oneof({ weight: 5, arbitrary: expression }, heredoc), fc.constantFrom("", " # c", " // }")), {
        minLength: 1,
        maxLength: 6,
      }),
    )
    .map(([indent, newline, attributes]) => {
      const lines = attributes.map(([n, value, comment], i) =>
        value.startsWith("<<")
          ? `${n}${i} = ${value}`
          : `${n}${i} = ${isTidy ? value.replaceAll("\n", `\n${indent}${indent}`) : value}${comment}`,
      );
      return [
        'resource "vm" x {',
        ...lines.map((line) => indent + line),
        `${indent}disk {`,
        `${indent}${indent}size = 1`,
        `${indent}}`,
        "}",
        "last = 2",
        "",
      ]
        .join("\n")
        .replaceAll("\n", newline);
    });

const file = fileWith(["", "  ", "\t"]);

/** What HCL is made of, in any order. */
const soup = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          "a",
          " = ",
          "{",
          "}",
          "[",
          "]",
          "(",
          ")",
          '"',
          "\n",
          "\n  ",
          "${",
          "%{",
          "~}",
          "<<EOT\n",
          "EOT",
          "for ",
          "in ",
          "if ",
        ),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ":",
          "=>",
          "...",
          ",",
          ".",
          "*",
          "?",
          "#",
          "/*",
          "*/",
          "//",
          "\\",
          "1",
          "1.",
          "1e",
          "-",
          "\r",
          "\u2028",
          "\ud800",
          "\0",
        ),
      },
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 60 },
  )
  .map((tokens) => tokens.join(""));

describe("any text", () => {
  test("is read, with every range inside of the text and of its parent", () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: "binary" })), (text) => {
        const parsed = parseHcl(text);
        expect(misplaced(parsed.body, [0, text.length])).toEqual([]);
        for (const [start, end] of [...parsed.comments, ...parsed.errors.map(({ range }) => range)]) {
          expect(0 <= start && start <= end && end <= text.length, `${start}-${end}`).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("a valid file", () => {
  test("is read without an error", () => {
    fc.assert(
      fc.property(file, (text) => {
        expect(parseHcl(text).errors).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("has its parts inside each other, and its comments one after another", () => {
    fc.assert(
      fc.property(file, (text) => {
        const { body, comments } = parseHcl(text);
        expect(misplaced(body, [0, text.length])).toEqual([]);
        for (const [i, [start]] of comments.entries()) expect(start).toBeGreaterThanOrEqual(comments[i - 1]?.[1] ?? 0);
      }),
      { numRuns: 300 },
    );
  });

  test("gives each attribute a range that is read as that attribute", () => {
    fc.assert(
      fc.property(file, (text) => {
        for (const [, attribute] of attributesOf(parseHcl(text).body)) {
          const again = parseHcl(text.slice(...rangeOf(attribute)));
          expect(again.errors).toEqual([]);
          expect(again.body.attributes.map(({ name, value }) => `${name} = ${show(value)}`)).toEqual([
            `${attribute.name} = ${show(attribute.value)}`,
          ]);
          expect(text.slice(...nameRange(attribute))).toBe(attribute.name);
        }
      }),
      { numRuns: 200 },
    );
  });

  /**
   * Whether a tree holds a quoted string of several lines, which occurs only by chance: in a text that is cut off, its lines look
   * like code.
   */
  const hasLongString = (node: unknown, text: string): boolean => {
    if (typeof node !== "object" || node === null) return false;
    const { kind, heredoc, start, end } = node as { kind?: string; heredoc?: boolean } & Partial<Span>;
    if (kind === "template" && !heredoc && text.slice(start, end).includes("\n")) return true;
    return Object.values(node).some((inner) => hasLongString(inner, text));
  };

  test("is read up to every place, and keeps the attributes that end on the lines before", () => {
    fc.assert(
      fc.property(fileWith(["  "], true), (text) => {
        const whole = [...attributesOf(parseHcl(text).body)];
        for (let end = 0; end <= text.length; end++) {
          const prefix = text.slice(0, end);
          const line = prefix.lastIndexOf("\n") + 1;
          const kept = new Set(values(parseHcl(prefix)));
          for (const [path, { end: last, value }] of whole) {
            if (last < line && !hasLongString(value, text)) expect(kept, prefix).toContain(`${path} = ${show(value)}`);
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});
