import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { identity, problemsOf, stamped } from "../scripts/identity.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const FILLED = {
  version: "0.1.0",
  repository: "https://github.com/example/vmlint",
  homepage: "https://example.github.io/vmlint",
  bugs: "https://github.com/example/vmlint/issues",
  author: "Example",
  publisher: "example",
};

test("every file that repeats the identity has that of package.json (npm run gen)", () => {
  for (const [path, text] of stamped()) expect(readFileSync(`${root}${path}`, "utf8"), path).toBe(text);
});

test("no tracked file names a repository by a placeholder", () => {
  const placeholder = `${"OWN"}ER/`;
  const found = (): string => execFileSync("git", ["grep", "--files-with-matches", "-I", placeholder], { cwd: root, encoding: "utf8" });
  // git grep exits with 1 if it finds nothing.
  expect(found).toThrow(expect.objectContaining({ status: 1 }));
});

describe("a release", () => {
  test("is refused while a field is empty or an address is none", () => {
    expect(problemsOf(FILLED)).toEqual([]);
    for (const field of ["repository", "homepage", "bugs", "author", "publisher"])
      expect(problemsOf({ ...FILLED, [field]: undefined }), field).toEqual([expect.stringContaining(`"${field}"`)]);
    expect(problemsOf({ ...FILLED, homepage: "https://example.github.io/vmlint/" })).toHaveLength(1);
    expect(problemsOf({ ...FILLED, repository: "git@github.com:example/vmlint" })).toHaveLength(1);
  });

  test("has the identity in every package, in the code, the citation, the Python package and the guide", () => {
    const files = stamped({ ...identity(), ...FILLED });
    const manifests = ["core", "cli", "vscode-ext"].map((name) => JSON.parse(files.get(`packages/${name}/package.json`) ?? ""));
    for (const { repository, homepage, bugs, author } of manifests)
      expect({ url: repository.url, homepage, bugs, author }).toEqual({
        url: "git+https://github.com/example/vmlint.git",
        homepage: FILLED.homepage,
        bugs: { url: FILLED.bugs },
        author: "Example",
      });
    expect(manifests[2].publisher).toBe("example");
    expect(files.get("packages/core/src/version.ts")).toContain('HOMEPAGE: string | undefined = "https://example.github.io/vmlint"');
    expect(files.get("CITATION.cff")).toContain("\nrepository-code: https://github.com/example/vmlint\n");
    expect(files.get("docs/guide/ci.md")).toContain("- uses: example/vmlint/integrations/github@v0 # the action of vmlint");
    const python = files.get("integrations/python/pyproject.toml") ?? "";
    expect(python).toContain('\nauthors = [{ name = "Example" }]\n');
    expect(python).toContain(
      '\n[project.urls]\nHomepage = "https://example.github.io/vmlint"\nSource = "https://github.com/example/vmlint"\n',
    );
    expect(files.get(".github/CODEOWNERS")).toContain("* @example\n");
  });
});
