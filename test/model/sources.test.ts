import { expect, test } from "vitest";
import { Sources } from "../../packages/core/src/model/files.ts";

test("each path has one text, and each offset belongs to one file", () => {
  const sources = new Sources();
  const first = sources.add("a", "one");
  const other = sources.add("b", "two");
  expect(sources.add("a", "more")).toBe(first);
  expect([first.start, other.start, sources.files]).toEqual([0, 4, [first, other]]);
  expect([0, 3, 4, 7].map((offset) => sources.at(offset)?.path)).toEqual(["a", "a", "b", "b"]);
});
