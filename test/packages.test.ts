import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { COMMAND } from "./support/cli.ts";
import { BROUGHT } from "./support/core-dependencies.ts";
import { folder } from "./support/folder.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });

/** The command's package from the build that all tests share. */
function commandPackage(): string {
  const copy = folder({});
  cpSync(path("../packages/cli/package.json"), join(copy, "package.json"));
  cpSync(dirname(COMMAND), join(copy, "dist"), { recursive: true });
  execFileSync(process.execPath, [path("../scripts/papers.mjs")], { cwd: copy });
  return copy;
}

/** Packs a package as it would be published, and installs that into an empty folder. */
function installed(name: "core" | "cli"): { readonly cwd: string; readonly tarball: string } {
  const cwd = folder({ "package.json": '{ "name": "user", "private": true, "type": "module" }' });
  // Its own build would be a second one.
  if (name === "cli") run(commandPackage(), "npm", "pack", "--silent", "--pack-destination", cwd, "--ignore-scripts");
  else run(path(".."), process.execPath, "scripts/pack-core.mjs", cwd);
  const tarball = join(cwd, readdirSync(cwd).find((file) => file.endsWith(".tgz")) ?? "no tarball");
  run(cwd, "npm", "install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", tarball);
  return { cwd, tarball };
}

/** One of the programs the workspace itself installs. */
const tool = (name: string): string => path(`../node_modules/.bin/${name}`);

/** Files that every package contains besides its code. */
const PAPERS = ["../LICENSE", "../README.md"].map((name) => readFileSync(path(name), "utf8"));

/** How little a program may ask of TypeScript. */
const TYPES = ["--noEmit", "--strict", "--target", "es2020", "--lib", "es2020,dom", "--types", ""];

/** How programs resolve packages: by Node, or by a bundler. */
const RESOLUTIONS = [
  ["--module", "nodenext", "--moduleResolution", "nodenext"],
  ["--module", "esnext", "--moduleResolution", "bundler"],
];

/** The packages in a folder, scopes written out. */
function modules(cwd: string): readonly string[] {
  const names = (folder: string) => readdirSync(join(cwd, "node_modules", folder)).filter((name) => !name.startsWith("."));
  return names(".").flatMap((name) => (name.startsWith("@") ? names(name).map((inner) => `${name}/${inner}`) : [name]));
}

/** A file of a bundle, and the files that it imports from the start. */
function startOf(folder: string, name: string, known = new Set<string>()): readonly string[] {
  known.add(name);
  const imports = readFileSync(join(folder, name), "utf8").matchAll(/(?:from|import)"\.\/([^"]+)"/g);
  for (const [, other = ""] of imports) if (!known.has(other)) startOf(folder, other, known);
  return [...known];
}

/** Calls of the library. The wrong ones are possible in JavaScript, where no type is checked. */
const CALLS = `
  import { lint, lintResource, lintVm, openWorkspace, type LintVmResult, type VmlintError } from "@vmlint/core";

  const vmx = 'numvcpus = "6"\\ncpuid.coresPerSocket = "4"\\n';
  const any = (value: unknown): never => value as never;
  const check = async (options: Parameters<typeof openWorkspace>[0], paths?: readonly string[]): Promise<string> => {
    const { findings, notChecked } = await openWorkspace(options).check(paths);
    return [...findings, ...notChecked].map(({ path }) => path).join();
  };
  const ids = ({ findings }: LintVmResult): string => findings.map(({ ruleId, path }) => [ruleId, ...path].join(" ")).join();
  const bytes: Uint8Array = new Uint8Array([...vmx].map((letter) => letter.charCodeAt(0)));
  const vm = { vcpus: 6, coresPerSocket: 4, hardwareVersion: 19 };

  export const codeOf = (error: unknown): string => (error as VmlintError).code;
  export const calls: readonly (() => unknown)[] = [
    () => check({ files: { "a.vmx": vmx }, config: "hosts: 1" }),
    () => check({ files: { "./x/a.vmx": vmx } }),
    () => check({ files: { "/x/a.vmx": vmx } }),
    () => check({ files: { "x\\\\a.vmx": vmx } }, ["zz", "./x"]),
    () => check({ files: { "a.vmx": bytes, "b.xlsx": bytes, "c.ova": bytes } }, ["a.vmx", "b.xlsx", "c.ova"]),
    () => check({ files: { "a.vmx": vmx }, workload: "mssql, standard", host: "2x Xeon Gold 6148:768@8.0" }),
    () => check(any({})),
    () => ids(lintVm(vm, { workload: "mssql", host: "2x Xeon Gold 6148:768@8.0" })),
    () => lintVm(vm, { workload: any({ kind: "sqlserver" }) }),
    () => lintVm(vm, { workload: any({ edition: "Std" }) }),
    () => lintVm(vm, { rules: any({}) }),
    () => lintVm(vm, { host: any({ sockets: 2 }) }),
    () => lintVm(vm, any({ hots: "2x20x2" })),
    () => ids(lintVm({ ...vm, coresPerSocket: 3, nics: [{ type: any(4) }] })),
    () => lint(bytes).diagnostics.map(({ ruleId }) => ruleId).join(),
    async () => ids(await lintResource({ type: "vsphere_virtual_machine", values: { num_cpus: 6, num_cores_per_socket: 4, memory: 4096 } })),
  ];
`;

const OUTCOMES = `
  process.on("unhandledRejection", (error) => console.log("a second rejection", error));
  for (const call of calls) await new Promise((resolve) => resolve(call())).then(console.log, ({ code }) => console.log(code));
  await new Promise((resolve) => setTimeout(resolve, 10));
`;

const EXPECTED = [
  "CONFIG_INVALID",
  "x/a.vmx",
  "/x/a.vmx",
  "x/a.vmx,zz",
  "a.vmx,b.xlsx,c.ova",
  "a.vmx",
  "USAGE",
  "cpu/cps-divides coresPerSocket",
  "USAGE",
  "USAGE",
  "USAGE",
  "HOST_UNKNOWN",
  "USAGE",
  "spec/type nics 0 type",
  "cpu/cps-divides",
  "cpu/cps-divides num_cores_per_socket",
];

/** A registry may keep a client waiting; an install that hangs is ended and tried again. */
const REGISTRY = { timeout: 240_000, retry: 2 };

describe("packages, installed from their tarballs", () => {
  test("vmlint: the command works without further packages", REGISTRY, () => {
    const { cwd, tarball } = installed("cli");
    expect(modules(cwd)).toEqual(["vmlint"]);
    const packed = join(cwd, "node_modules/vmlint");
    const sizes = readdirSync(packed, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(packed, name)));
    expect(sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0)).toBeLessThan(5 * 2 ** 20);
    expect(run(cwd, tool("publint"), "run", tarball, "--strict")).toContain("All good!");
    const vmlint = join(cwd, "node_modules/.bin/vmlint");
    expect(run(cwd, vmlint, "--version")).toBe("0.1.0\n");
    const paper = (name: string) => readFileSync(join(cwd, "node_modules/vmlint", name), "utf8");
    expect([paper("LICENSE"), paper("README.md")]).toEqual(PAPERS);
    const notices = paper("dist/THIRD-PARTY.txt").split(`${"-".repeat(80)}\n`);
    const bundled = notices.map((notice) => /^(\S+) \d/m.exec(notice)?.[1]);
    // A name twice is a package in two versions.
    expect(bundled).toEqual([...new Set(bundled)]);
    expect(notices.filter((notice) => notice.length < 500)).toEqual([]);
    expect(paper("dist/THIRD-PARTY.txt")).toMatch(/\nyaml \d[^\n]*, ISC, .*Permission to use, copy, modify/s);
    // Its package leaves the text out.
    expect(paper("dist/THIRD-PARTY.txt")).toMatch(/\nsaxes \d[^\n]*\n\nThe ISC License\n/);
    expect(run(cwd, vmlint, "explain", "numa/wide-uneven")).toContain("16+16+16+16");
    expect(run(cwd, vmlint, "schema", "output")).toContain("schemaVersion");
    expect(run(cwd, vmlint, "**/*.vmx", "--fail-on", "never", "--allow-empty")).toContain("No checks ran in 0 VMs");
  });

  test("examples/plugin: custom rules, made with the packed @vmlint/core and run by the packed command", REGISTRY, () => {
    const { cwd } = installed("core");
    const tarball = join(installed("cli").cwd, "vmlint-0.1.0.tgz");
    const example = path("../examples/plugin");
    run(cwd, "npm", "install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", "--install-links", tarball, example);
    cpSync(join(example, "acme.yaml"), join(cwd, "acme.yaml"));
    cpSync(join(example, "cache.vmx"), join(cwd, "cache.vmx"));
    const vmlint = join(cwd, "node_modules/.bin/vmlint");
    const report = run(cwd, vmlint, "--config", "acme.yaml", "--fail-on", "never");
    expect(report).toBe(readFileSync(join(example, "with-plugin.txt"), "utf8"));
    expect(run(cwd, vmlint, "--plugin", "vmlint-plugin-acme", "explain", "acme/memory-heavy")).toContain(
      "warning: 64 GiB for 2 vCPUs is 32 for each, and the hosts have 16: 4 vCPUs fit.",
    );
  });

  test("@vmlint/core: imports, types and pages are there", REGISTRY, async () => {
    const { cwd, tarball } = installed("core");
    expect(run(cwd, tool("publint"), "run", tarball, "--strict")).toContain("All good!");
    const { exports } = JSON.parse(readFileSync(join(cwd, "node_modules/@vmlint/core/package.json"), "utf8"));
    // ESM alone: what CommonJS and TypeScript's resolution of before Node 12 make of it is not asked.
    expect(() => run(cwd, tool("attw"), tarball, "--profile", "esm-only", "--quiet")).not.toThrow();
    const script = `
      import { deriveTopology, lint, requireHost } from "@vmlint/core";
      import { parseConfig, readConfig } from "@vmlint/core/config";
      import { reporters } from "@vmlint/core/reporters";
      const host = requireHost("lab", parseConfig("hosts: { lab: { esxi: 5.5, sockets: 4, coresPerSocket: 10, threadsPerCore: 2 } }", "vmlint.yaml"));
      const text = 'virtualHW.version = "10"\\nnumvcpus = "64"';
      const { topology } = deriveTopology(lint(text).vms[0].spec, host);
      console.log(topology.vnumaNodes.join("+"), lint(text, { target: { host } }).diagnostics.map((d) => d.ruleId).join());
      const { hosts } = await readConfig("hosts: { esx: { from: esx.txt } }", "vmlint.yaml", { read: async () => "pack:2 numa:2 core:12 pu:2" });
      console.log(hosts.get("esx").numaNodes);
      console.log(JSON.parse(reporters.sarif([], { tool: { name: "user", version: "1.0.0" }, failOn: "never" })).version);
    `;
    expect(run(cwd, process.execPath, "--input-type=module", "-e", script)).toBe(
      "10+10+10+10+10+10+4 cpu/exceeds-physical-cores,numa/wide-uneven\n4\n2.1.0\n",
    );
    const check = (...options: string[]) => RESOLUTIONS.map((how) => run(cwd, tool("tsc"), ...TYPES, ...how, ...options)).join("");
    // Each call has an error with a code, or a result about each named path, and a rejection comes once.
    writeFileSync(join(cwd, "calls.ts"), CALLS);
    expect(check("calls.ts")).toBe("");
    run(cwd, tool("tsc"), ...TYPES.filter((option) => option !== "--noEmit"), ...(RESOLUTIONS[0] ?? []), "--outDir", "out", "calls.ts");
    writeFileSync(join(cwd, "calls.js"), `import { calls } from "./out/calls.js";\n${OUTCOMES}`);
    expect(run(cwd, process.execPath, "calls.js").trim().split("\n")).toEqual(EXPECTED);

    const files = readdirSync(join(cwd, "node_modules/@vmlint/core"), { recursive: true, encoding: "utf8" });
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/index.d.ts", "docs/rules/numa/wide-uneven.md"]));

    expect(modules(cwd)).toEqual(["@vmlint/core", ...BROUGHT].sort());
    // In a browser, a format is loaded when a file needs it, and the error class of the parts is one.
    writeFileSync(
      join(cwd, "page.js"),
      'export { lint, openWorkspace, VmlintError } from "@vmlint/core";\nexport { readConfig } from "@vmlint/core/config";\n',
    );
    const bundle = (entry: string, outdir: string) =>
      build({ entryPoints: [join(cwd, entry)], bundle: true, splitting: true, format: "esm", platform: "browser", minify: true, outdir });
    writeFileSync(join(cwd, "lint.js"), 'export { lint } from "@vmlint/core";\n');
    await bundle("lint.js", join(cwd, "small"));
    const texts = startOf(join(cwd, "small"), "lint.js").map((name) => readFileSync(join(cwd, "small", name)));
    // Most of it are the rules, without their pages. The catalogue of processors is 9 kB: a host has one grammar, here too.
    expect(gzipSync(Buffer.concat(texts)).length).toBeLessThan(157_000);
    await bundle("page.js", join(cwd, "page"));
    const thrown = `
      import { openWorkspace, readConfig, VmlintError } from "./page/page.js";
      const errors = [readConfig("hosts: 1", "vmlint.yaml", {}), openWorkspace({ files: { "vmlint.yaml": "hosts: 1", "a.vmx": "" } }).check()];
      for (const { reason } of await Promise.allSettled(errors)) console.log(reason instanceof VmlintError);
    `;
    expect(run(cwd, process.execPath, "--input-type=module", "-e", thrown)).toBe("true\ntrue\n");
    // A plugin in JavaScript is checked by its comments.
    cpSync(path("../examples/plugin/rules.js"), join(cwd, "rules.js"));
    expect(check("--allowJs", "--checkJs", "rules.js")).toBe("");
    const entries = Object.keys(exports).map((entry) => `@vmlint/core${entry.slice(1)}`);
    const imports = entries.map((entry, index) => `export * as entry${index} from "${entry}";\n`).join("");
    const count = `console.log(Object.values(await import("./all.js")).filter((entry) => Object.keys(entry).length > 0).length)`;
    writeFileSync(join(cwd, "all.js"), imports);
    expect(run(cwd, process.execPath, "--input-type=module", "-e", count)).toBe(`${entries.length}\n`);
    // Their declarations too: they may import only packages that are installed with them. zod's declarations use URL, which is in
    // the DOM library.
    writeFileSync(join(cwd, "all.ts"), imports);
    expect(check("all.ts")).toBe("");
  });
});
