import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { VERSION } from "@vmlint/core";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { git, ROOT } from "../support/checkout.ts";
import { buildah, hasContainerTools, removeContainers, runIn, startContainer } from "../support/container.ts";
import { BROUGHT } from "../support/core-dependencies.ts";
import { folder } from "../support/folder.ts";
import { hasReleaseTools, nodeFolder, PYTHON, type Registry, startRegistry, TOOLS, WHEELS } from "../support/registry.ts";

const PRE_COMMIT = join(ROOT, ".integration-tools/bin/pre-commit");
const NODES = [20, 22, 24];
const TARBALLS = [`vmlint-core-${VERSION}.tgz`, `vmlint-${VERSION}.tgz`];
const TYPES = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--types", ""];

/** As packages/cli/src/start.ts hands the compiled form to V8. */
const IS_REFUSED = `
  const { Script } = require("node:vm"), { readFileSync } = require("node:fs"), folder = "/opt/vmlint/";
  const cachedData = readFileSync(folder + "command.cache"), text = readFileSync(folder + "command.cjs", "utf8");
  const source = "(function (exports, require, module, __filename, __dirname) {" + text + "\\n})";
  console.log(new Script(source, { filename: folder + "command.cjs", cachedData }).cachedDataRejected);`;

describe.skipIf(!hasReleaseTools)("a release", { timeout: 240_000 }, () => {
  const at = mkdtempSync(join(tmpdir(), "vmlint-release-test-"));
  const out = join(at, "out");
  const binary = join(at, "vmlint");
  let registry: Registry;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, "scripts/release.mjs"), out, "--dry-run"], {
      env: { ...process.env, PYTHON },
      stdio: "pipe",
    });
    execFileSync(join(nodeFolder(24), "node"), [join(ROOT, "scripts/binary.mjs"), binary, join(TOOLS, "postject")], { stdio: "pipe" });
    registry = await startRegistry(join(at, "registry"));
    const folders = ["packages/core/node_modules", "node_modules"].map((path) => join(ROOT, path));
    const installed = (name: string) => folders.map((path) => join(path, name)).find((path) => existsSync(path)) ?? name;
    for (const name of BROUGHT) await registry.add(installed(name));
    for (const name of TARBALLS) registry.publish(join(out, name));
  }, 480_000);

  afterAll(() => {
    registry?.stop();
    rmSync(at, { recursive: true, force: true });
  }, 120_000);

  const environment = (major: number) => ({ ...registry.env, PATH: `${nodeFolder(major)}${delimiter}${process.env.PATH}` });

  /** Runs a program and returns what it prints. Throws if it fails. */
  const run = (cwd: string, major: number, program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd, env: environment(major), encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });

  test("has its checksums, and each manifest has the identity", () => {
    expect(spawnSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: out, encoding: "utf8" })).toMatchObject({ status: 0 });
    for (const name of TARBALLS) {
      const manifest = JSON.parse(execFileSync("tar", ["-xzOf", join(out, name), "package/package.json"], { encoding: "utf8" }));
      expect(manifest).toMatchObject({ version: VERSION, author: "Example", bugs: { url: "https://github.com/example/vmlint/issues" } });
    }
    const bills = readdirSync(out).filter((name) => name.endsWith(".cdx.json"));
    expect(bills.map((name) => JSON.parse(readFileSync(join(out, name), "utf8")).bomFormat)).toEqual(Array(3).fill("CycloneDX"));
  });

  test("has the schemas, and the entries that lead editors to them", () => {
    const entries: readonly { readonly url: string; readonly fileMatch: readonly string[] }[] = JSON.parse(
      readFileSync(join(out, "schemastore.json"), "utf8"),
    );
    const prefix = "https://github.com/example/vmlint/releases/latest/download/";
    for (const { url } of entries) expect(JSON.parse(readFileSync(join(out, url.replace(prefix, "")), "utf8"))).toHaveProperty("$schema");
    expect(entries.flatMap(({ fileMatch }) => fileMatch)).toEqual(expect.arrayContaining(["vmlint.yaml", "*.vm.yaml"]));
  });

  test("has an extension, which ovsx sends to a registry as it is", async () => {
    const vsix = readFileSync(join(out, `vmlint-vscode-${VERSION}.vsix`));
    expect(vsix.length).toBeLessThan(1_500_000);
    const files = unzipSync(vsix);
    const textOf = (name: string): string => new TextDecoder().decode(files[name]);
    expect(textOf("extension.vsixmanifest")).toMatch(/Publisher="example".*Links.Source" Value="https:\/\/github.com\/example\/vmlint/s);
    const raw = `https://github.com/example/vmlint/raw/v${VERSION}/packages/vscode-ext/images/`;
    expect(textOf("extension/readme.md").split(raw)).toHaveLength(4);

    const sent: Buffer[] = [];
    const server = createServer((request, response) => {
      const isPackage = request.url?.startsWith("/api/-/publish?token=none") ?? false;
      request.on("data", (part: Buffer) => isPackage && sent.push(part));
      request.on("end", () => response.end(JSON.stringify({ namespace: "example", name: "vmlint-vscode", version: VERSION })));
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
    const { port } = server.address() as AddressInfo;
    const words = [join(TOOLS, "ovsx/bin/ovsx"), "publish", join(out, `vmlint-vscode-${VERSION}.vsix`), "--pat", "none"];
    const { stdout } = await promisify(execFile)(join(nodeFolder(24), "node"), [...words, "--registryUrl", `http://127.0.0.1:${port}`]);
    expect(stdout).toContain(`Published example.vmlint-vscode v${VERSION}`);
    expect(Buffer.concat(sent).equals(vsix)).toBe(true);
  });

  test("has a Python package, which works where pip installs it", () => {
    const source = `vmlint_spark-${VERSION}`;
    const [wheel, archive] = [join(out, `${source}-py3-none-any.whl`), join(out, `${source}.tar.gz`)];
    const listed = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).split("\n");
    expect(listed).toEqual(expect.arrayContaining([`${source}/LICENSE`, `${source}/README.md`, `${source}/vmlint_spark/__init__.py`]));
    const cwd = mkdtempSync(join(at, "python-"));
    execFileSync(PYTHON, ["-m", "venv", join(cwd, "venv")]);
    const python = join(cwd, "venv/bin/python");
    execFileSync(python, ["-m", "pip", "install", "--quiet", "--no-index", "--find-links", WHEELS, wheel]);
    const program = `
import importlib.metadata, pandas, sys, vmlint_spark
about = importlib.metadata.metadata("vmlint-spark")
found = vmlint_spark.lint(pandas.DataFrame({"spec": [{"vcpus": 96}]}), host="2x20x2:768@8.0", command=sys.argv[1])
print(about["Version"], about["License-Expression"], *about.get_all("Project-URL"), *found["rule"], sep="\\n")`;
    const words = ["-c", program, binary];
    expect(execFileSync(python, words, { cwd, encoding: "utf8" }).trim().split("\n")).toEqual([
      VERSION,
      "MIT",
      "Homepage, https://example.github.io/vmlint",
      "Issues, https://github.com/example/vmlint/issues",
      "Source, https://github.com/example/vmlint",
      "cpu/exceeds-host-threads",
    ]);
  });

  describe.each(NODES)("on Node %d", (major) => {
    test.each([
      ["npm", ["npm", "install", "vmlint", "@vmlint/core"]],
      ["pnpm", [join(TOOLS, ".bin/pnpm"), "add", "vmlint", "@vmlint/core"]],
    ] as const)("%s installs the command and the library from the registry", (_, [program, ...args]) => {
      const cwd = folder({ "package.json": '{ "name": "user", "private": true, "type": "module" }' });
      run(cwd, major, program, ...args);
      expect(run(cwd, major, join(cwd, "node_modules/.bin/vmlint"), "--version")).toBe(`${VERSION}\n`);
      const script = 'console.log(process.versions.node.split(".")[0], (await import("@vmlint/core")).VERSION)';
      expect(run(cwd, major, "node", "--input-type=module", "-e", script)).toBe(`${major} ${VERSION}\n`);
      if (major !== 24) return;
      writeFileSync(
        join(cwd, "user.ts"),
        'import { lint } from "@vmlint/core";\nexport const count: number = lint("").diagnostics.length;\n',
      );
      const tsc = join(ROOT, "node_modules/.bin/tsc");
      expect(run(cwd, major, tsc, ...TYPES, "--module", "nodenext", "user.ts")).toBe("");
      expect(run(cwd, major, tsc, ...TYPES, "--module", "esnext", "--moduleResolution", "bundler", "user.ts")).toBe("");
    });
  });

  describe("prints the same findings for examples/", () => {
    let expected: string;

    /** A report without the addresses of pages: the executable file and the image are built from this checkout, which has no home page. */
    const withoutPages = (report: string): string => report.replace(/"docsUrl": "[^"]*"/g, '"docsUrl": ""');

    /** Copies the examples to a folder that another user can read. */
    function withExamples(): string {
      const cwd = mkdtempSync(join(at, "examples-"));
      cpSync(join(ROOT, "examples"), join(cwd, "examples"), { recursive: true });
      chmodSync(cwd, 0o755);
      return cwd;
    }

    const countOf = (severity: string): number =>
      JSON.parse(expected).diagnostics.filter((one: { readonly severity: string }) => one.severity === severity).length;

    beforeAll(() => {
      const words = ["--yes", "vmlint", "examples", "--format", "json", "--fail-on", "never"];
      expected = run(withExamples(), 22, "npx", ...words);
      expect(countOf("error")).toBeGreaterThan(0);
    });

    test("as one executable file without Node", () => {
      const env = { PATH: "/nowhere" };
      const words = ["examples", "--format", "json", "--fail-on", "never"];
      const report = execFileSync(binary, words, { cwd: withExamples(), env, encoding: "utf8", maxBuffer: 1 << 28 });
      expect(report).toBe(withoutPages(expected));
      expect(execFileSync(binary, ["explain", "numa/wide-uneven"], { env, encoding: "utf8" })).toContain("numa/wide-uneven");
    });

    test("as an action of GitHub", () => {
      const cwd = withExamples();
      mkdirSync(join(cwd, "action"));
      execFileSync("tar", ["-xzf", join(out, `vmlint-action-${VERSION}.tar.gz`), "-C", join(cwd, "action")]);
      const env = {
        ...environment(24),
        INPUT_PATHS: "examples",
        INPUT_ARGUMENTS: "--fail-on=never\n--format=json:report.json",
        GITHUB_STEP_SUMMARY: join(cwd, "summary.md"),
      };
      const words = [join(cwd, "action/github/action.cjs")];
      const printed = execFileSync("node", words, { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
      expect(readFileSync(join(cwd, "report.json"), "utf8")).toBe(expected);
      expect(printed.match(/^::error /gm)).toHaveLength(countOf("error"));
      expect(readFileSync(join(cwd, "summary.md"), "utf8")).toContain("numa/wide-uneven");
    });

    test.skipIf(!existsSync(PRE_COMMIT))("as a hook of pre-commit", () => {
      const cwd = withExamples();
      const hook = {
        id: "vmlint",
        name: "vmlint",
        language: "node",
        additional_dependencies: [`vmlint@${VERSION}`],
        pass_filenames: false,
      };
      const entry = "vmlint examples --fail-on never --format json:report.json";
      const config = { repos: [{ repo: "local", hooks: [{ ...hook, entry }] }] };
      writeFileSync(join(cwd, ".pre-commit-config.yaml"), JSON.stringify(config));
      git(cwd, "init", "--quiet");
      git(cwd, "add", "--all");
      const env = { ...environment(22), PRE_COMMIT_HOME: folder({}), SKIP: "" };
      const { status, stdout } = spawnSync(PRE_COMMIT, ["run", "--all-files", "--color=never"], { cwd, env, encoding: "utf8" });
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^vmlint\.+Passed$/m) });
      expect(readFileSync(join(cwd, "report.json"), "utf8")).toBe(expected);
    });

    test.skipIf(!hasContainerTools)("as a container, which is not root and starts compiled", { timeout: 240_000 }, () => {
      onTestFinished(removeContainers);
      const container = startContainer();
      const { config } = JSON.parse(buildah(["inspect", container]).stdout).OCIv1;
      expect(config).toMatchObject({ Entrypoint: ["vmlint"], WorkingDir: "/vms", User: "1000" });
      const vms = withExamples();
      expect(runIn(container, vms, "vmlint", "examples", "--format", "json", "--fail-on", "never")).toBe(withoutPages(expected));
      expect(runIn(container, vms, "sh", "-c", "exec node -p 'process.getuid()'")).toBe("1000\n");
      expect(runIn(container, vms, "node", "-e", IS_REFUSED)).toBe("false\n");
    });
  });
});
