import { describe, expect, test } from "vitest";
import { at, rangeOf, readDocuments, textOf } from "../../packages/core/src/syntax/yaml/tree.ts";

const read = (text: string) => {
  const [tree] = readDocuments(text);
  return { value: tree?.root.document.toJS(), errors: tree?.errors.map(({ message }) => message) };
};

// What PyYAML 6.0.3 makes of the same texts.
describe("lines inside of quotes and brackets count at any indentation", () => {
  test.each([
    ['a:\n  k: "foo\n  bar"\n  l: 1\n', { a: { k: "foo bar", l: 1 } }],
    ['a:\n  k: "foo\nbar"\n  l: 1\n', { a: { k: "foo bar", l: 1 } }],
    ["a:\r\n  k: 'foo\r\n\r\n bar'\r\nb: 2\r\n", { a: { k: "foo\nbar" }, b: 2 }],
    ['- k: "a |\\\n  map(x)"\n  l: 2\n', [{ k: "a |map(x)", l: 2 }]],
    [
      'a:\n  k: [1,\n  2, "x\ny"\n]\n  l: 3\nb: {c: 1,\nd: 2}\ne: |\n  text\nf: 1\n',
      { a: { k: [1, 2, "x y"], l: 3 }, b: { c: 1, d: 2 }, e: "text\n", f: 1 },
    ],
    ["a:\n- [x,\ny, # c\n# d\nz]\n- b: 'p\nq'\n  c: 1\n", { a: [["x", "y", "z"], { b: "p q", c: 1 }] }],
    ['k: "foo\nbar"\n---\nl: 1\n', { k: "foo bar" }],
  ])("%j", (text, value) => {
    expect(read(text)).toEqual({ value, errors: [] });
  });

  test.each(['a: "foo\nb: "bar"\nc: 1\n', 'a:\n  k: "foo\n---\nbar"\n', "a: [1,\nb: 2\n", 'a: "foo\nb: 1\n', 'a:\n "foo\n bar": 1\n'])(
    "other text does not: %j",
    (text) => {
      expect(readDocuments(text).flatMap(({ errors }) => errors)).not.toEqual([]);
    },
  );

  test("the text after them keeps its position", () => {
    const text = 'a:\n  k: "foo\nbar"\n  l: [1,\n2]\n  m: here\n';
    const values = readDocuments(text).map(({ root }) => at(root, ["a", "m"]));
    expect(values.map((value) => [textOf(value), text.slice(...rangeOf(value))])).toEqual([["here", "here"]]);
  });

  test("an open quote is reported at the end of its line, and the text after it is read", () => {
    const [tree] = readDocuments('a: "foo\nb: 1\nc: "x"\n');
    expect(tree?.errors[0]).toEqual({ message: 'Missing closing "quote', range: [7, 7] });
    expect(tree?.root.document.toJS()).toMatchObject({ b: 1, c: "x" });
  });
});
