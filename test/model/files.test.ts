import fc from "fast-check";
import { expect, test } from "vitest";
import { folderOf, joinPath, pathFrom } from "../../packages/core/src/model/files.ts";

test.each([
  ["a", "."],
  ["a/b", "a"],
  ["/", "/"],
  ["/a", "/"],
  ["//a", "/"],
  ["/a/b", "/a"],
  ["C:/main.tf", "C:/"],
  ["C:/", "C:/"],
  ["C:/a/main.tf", "C:/a"],
  ["//server/share", "//server/share"],
  ["//server/share/main.tf", "//server/share"],
  ["//server/share/a/main.tf", "//server/share/a"],
])("the folder of %s is %s", (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

test.each([
  [".", ".", "."],
  ["a", "../..", ".."],
  ["a/b", "./c/../d", "a/b/d"],
  ["/", "a", "/a"],
  ["/", "server/share/a", "/server/share/a"],
  ["/a", "../../b", "/b"],
  ["/a", "/b//c/", "/b/c"],
  ["C:/", "a", "C:/a"],
  ["C:/a", "../../b", "C:/b"],
  ["C:/a", "D:/b/./c", "D:/b/c"],
  ["C:/a", "//server/share/b", "//server/share/b"],
  ["//server/share", "..", "//server/share"],
  ["//server/share/a", "../b", "//server/share/b"],
  ["//server/share/a", "../../../b", "//server/share/b"],
])("in %s, %s is %s", (folder, relative, path) => {
  expect(joinPath(folder, relative)).toBe(path);
});

const anyPath = fc.array(fc.constantFrom("a", "b", "ab", ".", ""), { minLength: 1, maxLength: 6 }).map((names) => `/r/${names.join("/")}`);

test("a path from a folder leads to the path again, however both are written", () => {
  fc.assert(
    fc.property(anyPath, anyPath, fc.boolean(), (folder, other, isBelow) => {
      const path = isBelow ? `${folder}${other.slice(2)}` : other;
      expect(joinPath(folder, pathFrom(folder, path))).toBe(joinPath("/", path));
    }),
  );
});
