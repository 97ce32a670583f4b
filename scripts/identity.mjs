// Writes the version and the identity of vmlint, which the root package.json states once, into the files that cannot read it there.
// `--check` only compares; `--release` also refuses an identity that is not filled in.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), "utf8");

/** The fields of the root package.json that a release needs. */
const FIELDS = ["repository", "homepage", "bugs", "author", "publisher"];

/** The version, and each field of the identity; a field that is not filled in is undefined. */
export function identity() {
  const root = JSON.parse(read("package.json"));
  return { version: root.version, ...Object.fromEntries(FIELDS.map((field) => [field, root[field] || undefined])) };
}

/** Says what keeps an identity from being released. */
export function problemsOf(identity) {
  const addresses = ["repository", "homepage", "bugs"].filter(
    (field) => !/^https:\/\/[\w.-]+\.[a-z]+(\/[\w./-]*[\w-])?$/.test(identity[field] ?? ""),
  );
  const missing = ["author", "publisher"].filter((field) => !identity[field]);
  return [
    ...addresses.map((field) => `package.json: "${field}" is not an https address without a slash at its end.`),
    ...missing.map((field) => `package.json: "${field}" is empty.`),
  ];
}

const PACKAGES = ["packages/core", "packages/cli", "packages/vscode-ext"];

/** The text of each file that repeats the identity, by path. */
export function stamped({ version, repository, homepage, bugs, author, publisher } = identity()) {
  const manifest = (folder) => {
    const { name, version: _, ...rest } = JSON.parse(read(`${folder}/package.json`));
    const isExtension = name === "vmlint-vscode";
    for (const field of FIELDS) delete rest[field];
    const where = repository && { repository: { type: "git", url: `git+${repository}.git`, directory: folder } };
    // Tests load the extension, which needs the name of a publisher.
    const who = { ...(author && { author }), ...(isExtension && { publisher: publisher ?? "vmlint" }) };
    const fields = { ...where, ...(homepage && { homepage }), ...(bugs && { bugs: { url: bugs } }), ...who };
    const linked = { ...rest };
    for (const kind of ["dependencies", "devDependencies"]) if (linked[kind]?.["@vmlint/core"]) linked[kind]["@vmlint/core"] = version;
    return `${JSON.stringify({ name, version, ...fields, ...linked }, null, 2)}\n`;
  };
  const code = [
    "// Written by `npm run gen` from the root package.json. Do not edit.",
    "/**",
    " * The one version of all packages.",
    " *",
    " * @example",
    " * console.log(`vmlint ${VERSION}`);",
    " */",
    `export const VERSION = ${JSON.stringify(version)};`,
    "/** The address of the site; undefined until the root package.json states it. */",
    `export const HOMEPAGE: string | undefined = ${homepage === undefined ? "undefined" : JSON.stringify(homepage)};`,
    "/** The address where bugs are reported; undefined until the root package.json states it. */",
    `export const BUGS: string | undefined = ${bugs === undefined ? "undefined" : JSON.stringify(bugs)};`,
    "/** The address of the sources; undefined until the root package.json states it. */",
    `export const REPOSITORY: string | undefined = ${repository === undefined ? "undefined" : JSON.stringify(repository)};`,
    "",
  ].join("\n");
  const citation = read("CITATION.cff")
    .replace(/^(version|repository-code|url): .*\n/gm, "")
    .replace(
      /\n*$/,
      `\nversion: ${version}\n${repository ? `repository-code: ${repository}\n` : ""}${homepage ? `url: ${homepage}\n` : ""}`,
    );
  const addresses = { ...(homepage && { Homepage: homepage }), ...(repository && { Source: repository }), ...(bugs && { Issues: bugs }) };
  const urls = Object.entries(addresses).map(([name, url]) => `${name} = ${JSON.stringify(url)}\n`);
  const python = read("integrations/python/pyproject.toml")
    .replace(/^version = .*$/m, `version = ${JSON.stringify(version)}`)
    .replace(/^authors = .*\n/m, "")
    .replace(/^keywords = /m, `${author ? `authors = [{ name = ${JSON.stringify(author)} }]\n` : ""}$&`)
    .replace(/\n\[project[.]urls\][^[]*$/, "")
    .replace(/\n*$/, `\n${urls.length > 0 ? `\n[project.urls]\n${urls.join("")}` : ""}`);
  const [owner] = repository ? new URL(repository).pathname.slice(1).split("/") : [];
  const major = version.split(".")[0];
  const action = repository ? `${new URL(repository).pathname.slice(1)}/integrations/github@v${major}` : "./vmlint/integrations/github";
  return new Map([
    ...PACKAGES.map((folder) => [`${folder}/package.json`, manifest(folder)]),
    ["packages/core/src/version.ts", code],
    ["CITATION.cff", citation],
    ["integrations/python/pyproject.toml", python],
    [".github/CODEOWNERS", `# Written by npm run gen from the root package.json.\n${owner ? `* @${owner}\n` : ""}`],
    ["docs/guide/ci.md", read("docs/guide/ci.md").replace(/^- uses: \S+( # the action of vmlint)$/m, `- uses: ${action}$1`)],
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = process.argv.includes("--release") ? problemsOf(identity()) : [];
  for (const [path, text] of stamped()) {
    if (read(path) === text) continue;
    if (process.argv.includes("--check") || process.argv.includes("--release"))
      wrong.push(`${path} does not have the identity of package.json: npm run gen.`);
    else writeFileSync(new URL(path, ROOT), text);
  }
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
