import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonNode, readJson } from "../../packages/core/src/syntax/json/json.ts";

/** Returns the value of a node as JSON.parse would, with each part read from its range. */
function plain(node: JsonNode | undefined, text: string): unknown {
  if (!node) return null;
  if (node.kind === "mapping") return Object.fromEntries(node.entries().map(({ key, value }) => [key, plain(value, text)]));
  if (node.kind === "list") return JSON.parse(text.slice(...node.range));
  const [start, end] = node.range;
  const quoted = text[start - 1] === '"' && text[end] === '"';
  expect(JSON.parse(quoted ? text.slice(start - 1, end + 1) : text.slice(start, end))).toEqual(
    quoted ? node.text : JSON.parse(node.text ?? ""),
  );
  return quoted ? node.text : JSON.parse(node.text ?? "");
}

const documentsOf = (text: string) => {
  const read = readJson(text);
  if ("message" in read) throw new Error(`${read.message} at ${read.offset}`);
  return read.documents;
};

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("the JSON reader", () => {
  test("reads the values of JSON.parse, and finds each in its place", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const [root] = documentsOf(text);
        expect(plain(root, text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("of a large text, too, without an index of the small parts", () => {
    const padding = " ".repeat(1 << 16);
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 5 }), fc.nat(5), (values, at) => {
        const texts = values.map((value) => JSON.stringify({ value, at }));
        const text = `{"before":[${texts.join()}],"large":[${padding}${texts.join()}]}`;
        const [root] = documentsOf(text);
        expect(plain(root, text)).toEqual(JSON.parse(text));
        // One after the other and back again, as of two parts only one is kept.
        const [before, large] = [root?.get("before")?.items() ?? [], root?.get("large")?.items() ?? []];
        before.forEach((node, i) => {
          expect(plain(node, text)).toEqual(plain(large[i], text));
        });
      }),
      { numRuns: 50 },
    );
  });

  test("takes for JSON exactly what JSON.parse does", () => {
    const part = fc.constantFrom(
      '"',
      "\\",
      "u00e9",
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      "1",
      "-",
      ".",
      "0",
      "e",
      "false",
      "true",
      " ",
      "\n",
      '"a"',
      '"a":',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const read = readJson(text);
        // Several documents, or none, are for the caller to judge.
        if (parses(text)) expect("message" in read).toBe(false);
        else if (!("message" in read)) expect(read.documents.length).not.toBe(1);
        else expect(read.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 5000 },
    );
  });

  test("finds a key by its name, escaped or not, and the last of two", () => {
    const [root] = documentsOf(String.raw`{"a": 1, "b": {"a": 2}, "\u0061": [3, null], "aa": 4}`);
    expect(
      root
        ?.get("a")
        ?.items()
        .map(({ text }) => text),
    ).toEqual(["3"]);
    expect(root?.get("b")?.get("a")?.text).toBe("2");
    expect(root?.get("c")).toBeUndefined();
    expect(root?.items()).toEqual([]);
  });

  test("reads several documents in a row", () => {
    expect(documentsOf('{"a":1}\n"b"{"a":2}').map((node) => node.get("a")?.text ?? node.text)).toEqual(["1", "b", "2"]);
  });

  test.each([
    ['{"a" 1}', '"1" where a ":" behind the key belongs', 5],
    ['{"a":1 "b":2}', '"\\"" where "," or "}" belongs', 7],
    ["[1,]", '"]" where a value belongs', 3],
    ['{"a":1,}', '"}" where a key in quotes belongs', 7],
    ["[1", "it ends with a bracket still open", 2],
    ['["a\nb"]', "a text that does not end on its line", 1],
    ['["a', "a text that does not end", 1],
    [String.raw`["\x"]`, "an escape that JSON does not have", 2],
    ["01", undefined, undefined],
  ])("%j is broken: %s", (text, message, offset) => {
    expect(readJson(text)).toMatchObject(message === undefined ? { documents: [{}, {}] } : { message, offset });
  });

  test("a million brackets are read like any other text", () => {
    const deep = "[".repeat(1_000_000);
    expect(readJson(deep)).toMatchObject({ offset: 1_000_000 });
    expect(documentsOf(deep + "]".repeat(1_000_000))).toHaveLength(1);
  });
});
