// npm run release -- [OUT] [--dry-run]: makes every artefact of a release in OUT (default: release), without the network.
// --dry-run does it in a copy, with an identity that is made up.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { identity } from "./identity.mjs";
import { billOf, packagesOf } from "./sbom.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = resolve(process.argv.slice(2).find((word) => !word.startsWith("-")) ?? join(ROOT, "release"));
const run = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });

if (process.argv.includes("--dry-run")) rehearse();
else release();

function release() {
  const { version, repository } = identity();
  run(ROOT, process.execPath, "scripts/identity.mjs", "--release");
  const notes = notesOf(version);
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  run(ROOT, process.execPath, "scripts/pack-core.mjs", OUT);
  run(join(ROOT, "packages/cli"), "npm", "pack", "--silent", "--pack-destination", OUT);
  const extension = join(ROOT, "packages/vscode-ext");
  const folder = `v${version}/packages/vscode-ext`;
  const links = ["--baseContentUrl", `${repository}/blob/${folder}`, "--baseImagesUrl", `${repository}/raw/${folder}`];
  run(
    extension,
    join(ROOT, "node_modules/.bin/vsce"),
    "package",
    "--no-dependencies",
    ...links,
    "--out",
    join(OUT, `vmlint-vscode-${version}.vsix`),
  );
  // This Python has the tools that build it.
  const python = join(ROOT, "integrations/python");
  run(python, process.env.PYTHON ?? "python3", "-m", "build", "--no-isolation", "--outdir", OUT);
  run(ROOT, process.execPath, "scripts/action.mjs");
  run(ROOT, "tar", "-czf", join(OUT, `vmlint-action-${version}.tar.gz`), "-C", "integrations", "github");
  for (const folder of ["core", "cli", "vscode-ext"]) {
    const manifest = JSON.parse(readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8"));
    const notices = { cli: "dist/THIRD-PARTY.txt", "vscode-ext": "THIRD-PARTY.txt" }[folder];
    const bill = billOf(manifest, notices && packagesOf(readFileSync(join(ROOT, "packages", folder, notices), "utf8")));
    writeFileSync(join(OUT, `${manifest.name.replace("@vmlint/", "vmlint-")}-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  }
  for (const { url } of catalogue(repository)) cpSync(join(ROOT, "packages/core/schemas", basename(url)), join(OUT, basename(url)));
  writeFileSync(join(OUT, "schemastore.json"), `${JSON.stringify(catalogue(repository), null, 2)}\n`);
  writeFileSync(join(OUT, "SHA256SUMS"), sums(OUT));
  // No artefact: the text of the release.
  writeFileSync(join(OUT, "NOTES.md"), notes);
}

/** The entries for the catalogue of SchemaStore, where editors look for schemas. The schemas are files of each release. */
function catalogue(repository) {
  const url = (file) => `${repository}/releases/latest/download/${file}`;
  return [
    {
      name: "vmlint",
      description: "Configuration of vmlint, the linter for virtual-machine topology",
      fileMatch: ["vmlint.yaml", "vmlint.yml", "vmlint.json"],
      url: url("vmlint.schema.json"),
    },
    {
      name: "vmlint VM spec",
      description: "A virtual machine that vmlint checks before it exists",
      fileMatch: ["*.vm.yaml", "*.vm.yml", "*.vm.json"],
      url: url("vm-spec.schema.json"),
    },
  ];
}

/** The section of the changelog about a version. */
function notesOf(version) {
  const [, section = ""] = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8").split(`\n## ${version}\n`);
  const notes = section.split(/^## /m)[0].trim();
  if (notes === "") throw new Error(`CHANGELOG.md has nothing below "## ${version}".`);
  return `${notes}\n`;
}

/** As `sha256sum` prints and checks them. */
function sums(folder) {
  const sum = (name) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return readdirSync(folder)
    .sort()
    .map((name) => `${sum(name)}  ${name}\n`)
    .join("");
}

/** Makes the release of a copy of this checkout, which takes its installed packages from here. */
function rehearse() {
  const copy = mkdtempSync(join(tmpdir(), "vmlint-release-"));
  try {
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    for (const path of listed.split("\0").filter((path) => path !== "" && existsSync(join(ROOT, path)))) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(ROOT, path), join(copy, path));
    }
    link("node_modules", copy);
    for (const name of ["core", "cli", "vscode-ext"])
      if (existsSync(join(ROOT, `packages/${name}/node_modules`))) link(`packages/${name}/node_modules`, copy);
    const manifest = join(copy, "package.json");
    const example = "https://github.com/example/vmlint";
    const made = {
      repository: example,
      homepage: "https://example.github.io/vmlint",
      bugs: `${example}/issues`,
      author: "Example",
      publisher: "example",
    };
    writeFileSync(manifest, `${JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), ...made }, null, 2)}\n`);
    run(copy, process.execPath, "scripts/identity.mjs");
    run(copy, process.execPath, "scripts/release.mjs", OUT);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Links the installed packages of a folder. Workspace packages link to the copy. */
function link(folder, copy) {
  mkdirSync(join(copy, folder), { recursive: true });
  for (const name of readdirSync(join(ROOT, folder))) {
    const own = { "@vmlint": "packages", vmlint: "packages/cli", "vmlint-vscode": "packages/vscode-ext" }[name];
    symlinkSync(own === undefined ? join(ROOT, folder, name) : join(copy, own), join(copy, folder, name), "junction");
  }
}
