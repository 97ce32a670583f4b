import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { globMatcher, globOf, nameMatcher } from "../../packages/core/src/config/globs.ts";

const matches = (pattern: string, name: string) => globMatcher([pattern])(name);

describe("a pattern of a configuration", () => {
  test.each([
    ["*.vmx", ["a.vmx", ".hidden.vmx", "ü.vmx"], ["x/a.vmx", "a.vmx/x", "A.VMX"]],
    ["**/*.vmx", ["a.vmx", "x/a.vmx", "x/.y/z/a.vmx"], ["a.tf"]],
    ["prod/**", ["prod", "prod/a", "prod/b/c"], ["q/prod/a", "production"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "ab"]],
    ["./a/*", ["a/b", "./a/b"], ["b/a/b"]],
    ["web-*-*", ["web-1-2", "web--", "web-a-b-c"], ["web-1"]],
    ["a*b*a", ["aba", "abba", "abaxbya"], ["ab", "abab"]],
    ["?at", ["cat", "🐈at"], ["at", "/at"]],
    ["db[0-9_]", ["db1", "db_"], ["dba", "db12", "db["]],
    ["[!a]*", ["b", "ba"], ["a", "ab", "x/y"]],
    ["[^a-c]", ["d"], ["b"]],
    ["[]a]", ["]", "a"], ["b"]],
    ["sql[01", ["sql[01"], ["sql0"]],
    ["{a,b}/*.{vmx,tf}", ["a/x.vmx", "b/y.tf"], ["c/x.vmx"]],
    ["db{1..3}", ["db1", "db3"], ["db4", "db{1..3}"]],
    ["{a,b", ["{a,b"], ["a"]],
    ["!sql-*", ["web-1"], ["sql-1"]],
    ["!!sql-*", ["sql-1"], ["web-1"]],
    ["a\\*b", ["a*b"], ["axb"]],
    // vCenter gives clones such names.
    ["web* (old)", ["web1 (old)"], ["web1 old"]],
    ["c++*|@(a)", ["c++ 1|@(a)"], ["c 1|a"]],
  ])("%s", (pattern, those, others) => {
    expect(those.filter((name) => !matches(pattern, name))).toEqual([]);
    expect(others.filter((name) => matches(pattern, name))).toEqual([]);
  });

  test("of names passes over slashes: a name has no folders", () => {
    const isVm = (pattern: string) => nameMatcher([pattern])('module.m["prod/sql01"].vm');
    expect(["module.m*", "*", "**", "!web*", '*"prod/sql??"*', "{web,module}*", "*[/]*"].filter((pattern) => !isVm(pattern))).toEqual([]);
    expect(["./module*", "!module*", "module.*/"].filter(isVm)).toEqual([]);
  });

  test("names made to be matched in years by a regular expression", () => {
    expect(matches(`${"*a".repeat(100)}b`, "a".repeat(255))).toBe(false);
    expect(matches(`${"*a".repeat(100)}`, "a".repeat(255))).toBe(true);
    expect(matches(`${"**/a/".repeat(90)}b`, "a/".repeat(2000))).toBe(false);
    expect(matches(`${"{a,aa}".repeat(9)}b`, "a".repeat(255))).toBe(false);
  });

  const written = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "[", "]", "!", "{", "}", ",", "\\", "-", "^", "(", "|", ".") });

  test("any text is a valid pattern, and any name can be escaped as one", () => {
    fc.assert(
      fc.property(written, written, (pattern, name) => {
        expect(matches(`!${pattern}`, name)).toBe(!matches(pattern, name));
        expect(matches(globOf(name), name)).toBe(true);
      }),
    );
  });
});
