import { applyEdits, type TextEdit } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";

const TEXT = "abc";

test("edits that do not overlap replace their ranges, in any order", () => {
  const piece = fc.record({ kept: fc.string(), removed: fc.string(), newText: fc.string() });
  const pieceWithText = piece.filter(({ kept, removed }) => kept + removed !== "");
  fc.assert(
    fc.property(fc.array(pieceWithText), fc.string(), fc.infiniteStream(fc.nat()), (pieces, end, order) => {
      let at = 0;
      const edits = pieces.map(({ kept, removed, newText }): TextEdit => {
        const from = at + kept.length;
        at = from + removed.length;
        return { range: [from, at], newText };
      });
      const shuffled = edits.map((edit) => ({ edit, key: order.next().value })).sort((a, b) => Number(a.key) - Number(b.key));
      const text = pieces.map(({ kept, removed }) => kept + removed).join("") + end;
      const expected = pieces.map(({ kept, newText }) => kept + newText).join("") + end;
      expect(
        applyEdits(
          text,
          shuffled.map(({ edit }) => edit),
        ),
      ).toBe(expected);
    }),
  );
});

test("of two that insert at one place, the later one comes first", () => {
  const insert = (newText: string): TextEdit => ({ range: [1, 1], newText });
  expect(applyEdits(TEXT, [insert("1"), insert("2")])).toBe("a21bc");
});

test.each<[what: string, text: unknown, edits: unknown]>([
  ["no text", 5, []],
  ["no list", TEXT, {}],
  ["no edit", TEXT, [undefined]],
  ["an edit without a text", TEXT, [{ range: [0, 1] }]],
  ["an edit without a range", TEXT, [{ newText: "" }]],
  ["a range of three offsets", TEXT, [{ range: [0, 1, 2], newText: "" }]],
  ["a range of other values", TEXT, [{ range: [0, "1"], newText: "" }]],
])("%s is refused", (_, text, edits) => {
  expect(() => applyEdits(text as string, edits as readonly TextEdit[])).toThrow("applyEdits takes a text, and a list of edits");
});
