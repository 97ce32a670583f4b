import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputSchema } from "@vmlint/core/output-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const ENDINGS = [
  ".vmx",
  ".vmtx",
  ".tf",
  ".tf.json",
  ".tfvars",
  ".pkr.hcl",
  ".yaml",
  ".yml",
  ".json",
  ".tfstate",
  ".ovf",
  ".xml",
  ".ova",
  ".txt",
];
const SIGNS = [
  'virtualHW.version = "19"\nnumvcpus = "4"\nnumvcpus = "4"\n',
  'resource "vsphere_virtual_machine" "x" {\n  num_cpus = 4\n',
  '{"virtualMachines":[{"config":{"hardware":{"numCPU":4}}}]}',
  '{"terraform_version":"1.9.0","resources":[]}',
  "- vmware_guest: { name: a, hardware: { num_cpus: 4 } }\n",
  '<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1"><VirtualSystem/></Envelope>',
  "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec: { vcpus: 4 }\n",
  'module "m" {\n  source = "./m"\n}\n',
];

/** Contents of a file: bytes, valid text that is cut or mixed with bytes, deep nesting, a very long value. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.tuple(fc.constantFrom(...SIGNS), fc.uint8Array({ maxLength: 40 }), fc.nat(400)).map(([sign, bytes, at]) => {
    const text = Buffer.from(sign);
    return Buffer.concat([text.subarray(0, at), bytes, text.subarray(at)]);
  }),
  fc
    .tuple(fc.constantFrom("[", "{", '{"a":', "((", "${", "<a>", "- ", '"${', "a {\n", "!", "&a [*a,"), fc.constantFrom(10, 3_000, 60_000))
    .map(([open, times]) => open.repeat(times)),
  fc
    .tuple(fc.constantFrom(...SIGNS), fc.constantFrom("9", "a", "\n", '"', "\\", "é", "\u0000", "# "), fc.constantFrom(1_000, 300_000))
    .map(([sign, one, times]) => sign + one.repeat(times)),
  fc.constantFrom(...SIGNS).map((sign) => Buffer.from(`\ufeff${sign}`, "utf16le")),
);

/** Names a disk allows. */
const name = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        Buffer.from("a\nb"),
        Buffer.from([0xff, 0xfe, 0x61]),
        Buffer.from("-rf"),
        Buffer.from("--help"),
        Buffer.from("\u001b[31m"),
        Buffer.from(" "),
        Buffer.from("*"),
        Buffer.from("é"),
      ),
      fc.stringMatching(/^[a-z]{1,8}$/).map((text) => Buffer.from(text)),
    ),
    fc.constantFrom(...ENDINGS),
  )
  .map(([stem, ending]) => Buffer.concat([stem, Buffer.from(ending)]));

/** Names that have a meaning for vmlint. */
const speaking = fc
  .constantFrom("vmlint.yaml", ".gitignore", "package.json", "vmlint-baseline.json", "terraform.tfvars", ".git")
  .map((text) => Buffer.from(text));

const KINDS = ["file", "file", "file", "file", "file", "fifo", "loop", "dangling", "up", "folder", "device", "outside", "locked"] as const;
const thing = fc.record({
  name: fc.oneof({ weight: 300, arbitrary: name }, { weight: 1, arbitrary: speaking }),
  kind: fc.constantFrom(...KINDS),
  content,
});

/** Creates a hostile entry, unless the disk refuses it. */
function make(
  root: string,
  outside: string,
  { name: bytes, kind, content: said }: { name: Buffer; kind: (typeof KINDS)[number]; content: string | Uint8Array },
): void {
  const path = Buffer.concat([Buffer.from(`${root}/`), bytes]);
  const text = path.toString();
  try {
    // `wx` creates new files only, because writing into an existing pipe would wait for a reader.
    if (kind === "file") writeFileSync(path, said, { flag: "wx" });
    else if (kind === "fifo") spawnSync("mkfifo", [text]);
    else if (kind === "loop") symlinkSync(path, path);
    else if (kind === "dangling") symlinkSync("nowhere/at/all", path);
    else if (kind === "up") symlinkSync("..", path);
    else if (kind === "device") symlinkSync("/dev/zero", path);
    else if (kind === "outside") symlinkSync(join(outside, "theirs.vmx"), path);
    else if (kind === "folder") mkdirSync(path);
    else if (kind === "locked") {
      writeFileSync(path, said, { flag: "wx" });
      chmodSync(path, 0o000);
    }
  } catch {
    // The name exists already, or the disk does not allow it.
  }
}

/** Everything in a folder, links and modes included. */
function stateOf(root: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    const stats = lstatSync(join(root, entry));
    hash.update(`${entry} ${stats.mode} ${stats.mtimeMs} `);
    if (stats.isFile()) hash.update(readFileSync(join(root, entry)));
    if (stats.isSymbolicLink()) hash.update(readlinkSync(join(root, entry)));
  }
  return hash.digest("hex");
}

/** More time than any run takes without hanging. */
const TOO_LONG = 60_000;

const OPTIONS: readonly (readonly string[])[] = [
  ["--format", "json"],
  ["--format", "sarif", "--host", "4x10x2:256@8.0"],
  ["--format", "gitlab", "--together", "--host", "dl580g7"],
  ["--format", "json", "--fix", "--fix-unsafe", "--host", "dl580g7"],
  ["--format", "json"],
  ["topology", "--format", "json", "--host", "dl580g7"],
];

const isThere = (command: string) => spawnSync(command, ["--version"]).status === 0;

describe.skipIf(process.platform === "win32" || !isThere("mkfifo"))("a thousand hostile inputs", () => {
  test("none hangs the command, ends it other than by 0, 1 or 2, spoils its JSON, or is written outside of the folder", () => {
    const things = fc.array(thing, { minLength: 40, maxLength: 40 });
    const given = fc.record({ things, options: fc.constantFrom(...OPTIONS), named: fc.constantFrom("none", "files", "all") });
    fc.assert(
      fc.property(given, ({ things, options, named }) => {
        const base = folder({ "outside/theirs.vmx": SIGNS[0] ?? "", "in/deep/keep": "" });
        const [cwd, outside] = [join(base, "in"), join(base, "outside")];
        for (const one of things) make(cwd, outside, one);
        const before = stateOf(outside);
        // Hooks pass file names as arguments. Names that are not valid text cannot be passed.
        const names = readdirSync(cwd)
          .filter((entry) => named !== "none" && !entry.includes("\ufffd") && (named === "all" || lstatSync(join(cwd, entry)).isFile()))
          .map((entry) => `./${entry}`);
        const run = spawnSync(process.execPath, [COMMAND, ...options, ...names], {
          cwd,
          encoding: "utf8",
          timeout: TOO_LONG,
          maxBuffer: 1 << 28,
        });
        expect(run.signal, `it hangs or was ended: ${run.stderr}`).toBe(null);
        expect([0, 1, 2], run.stderr).toContain(run.status);
        expect(() => JSON.parse(run.stdout), run.stderr).not.toThrow();
        expect(stateOf(outside)).toBe(before);
        expect(readdirSync(base).sort()).toEqual(["in", "outside"]);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 600_000);

  test("a file with a name like a pipe does not make vmlint read the pipe", () => {
    const cwd = folder({});
    writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([0xff]), Buffer.from(".json")]), "{}");
    spawnSync("mkfifo", [join(cwd, "\ufffd.json")]);
    expect(vmlint(cwd, ["--allow-empty"])).toMatchObject({ code: 0 });
  });

  test("a name that is not UTF-8 is reported, and all other files are checked", () => {
    const cwd = folder({ "b.vmx": SIGNS[0] ?? "" });
    const bytes = (ending: string) => Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([0xff]), Buffer.from(ending)]);
    writeFileSync(bytes(".vmx"), "");
    mkdirSync(bytes("folder"));
    const { code, out, err } = vmlint(cwd, []);
    const told = [".vmx", "folder"].map((ending) => `vmlint: \ufffd${ending} is not checked: its name is not UTF-8.\n`);
    expect([code, err.split(/(?<=\n)/).sort()]).toEqual([2, told]);
    expect(out).toContain("b.vmx:3:1\n");
  });

  test("named devices, FIFOs and sockets are reported and not read", () => {
    const cwd = folder({});
    spawnSync("mkfifo", [join(cwd, "pipe.vmx")]);
    symlinkSync("/dev/zero", join(cwd, "zero.vmx"));
    for (const path of ["pipe.vmx", "zero.vmx"]) {
      const { code, err } = vmlint(cwd, [path]);
      expect([code, err]).toEqual([2, `vmlint: ${path} is neither a file nor a folder. Use - to read stdin.\n`]);
    }
    expect(vmlint(cwd, ["--allow-empty"]).code).toBe(0);
  });
});

describe("no control character of a configuration, a dump or a name reaches the terminal", () => {
  const cwd = () =>
    folder({
      "vmlint.yaml": String.raw`hosts: { "q\e[31m\nx": { esxi: "8.0", sockets: 2, coresPerSocket: 4, threadsPerCore: 2, cpu: "Xe\e[31mon" } }`,
      "key.yaml": String.raw`"k\e[31m": 1`,
      "from.yaml": String.raw`hosts: { lab: { from: "nope\e[31m.txt" } }`,
      "dump.txt": "CPU(s): 8\nThread(s) per core: 2\nCore(s) per socket: 4\nSocket(s): 1\nModel name: Xe\u001b[31mon\n",
      "a.vmx": 'virtualHW.version = "19"\nnumvcpus = "10"\nsched.cpu.affinity = "0-3"\n',
    });
  const lab = ["--host", "q\u001b[31m\nx"];
  test.each<[string, readonly string[]]>([
    ["a host, for people", ["topology", ...lab]],
    ["hosts side by side", ["topology", ...lab, "--host", "4x10x2@8.0"]],
    ["a host that is sized for", ["size", ...lab, "9"]],
    ["a host in a finding", [...lab]],
    ["a dump's processor", ["topology", "--host", "dump.txt@8.0"]],
    ["what is assumed of a host", ["--host", "\u001b[31m pack:2 core:4 pu:2@8.0"]],
    ["an unknown setting", ["--config", "key.yaml"]],
    ["a file that is not there", ["--config", "from.yaml"]],
    ["a host that nobody declares", ["--host", "\u001b[31m"]],
    ["a word that no option takes", ["--fail-on", "\u001b[31m"]],
    ["a path that is not there", ["\u001b[31m.vmx"]],
  ])("%s", (_, args) => {
    const { out, err } = vmlint(cwd(), args);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for control characters
    expect(`${out}${err}`).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(`${out}${err}`).toContain("\ufffd[31m");
  });

  test.skipIf(!existsSync("/usr/bin/script"))("in a diff, except its tabs and line ends; without a terminal every byte is printed", () => {
    const text = 'a\u001b[31m = "1"\r\nb\t= "2"\r\nnumvcpus = "4"\r\nnumvcpus = "4"\r\n';
    const at = folder({ "a.vmx": text });
    expect(vmlint(at, ["--diff"]).out).toContain("a\u001b[31m");
    const { stdout } = spawnSync("script", ["-qec", `${process.execPath} ${COMMAND} --diff`, "/dev/null"], {
      cwd: at,
      encoding: "utf8",
      env: { ...process.env, TERM: "xterm" },
    });
    // The terminal ends each line with a \r of its own.
    expect(stdout).toContain(' a\ufffd[31m = "1"\r\r\n b\t= "2"\r\r\n');
  });

  test("such as characters that reverse the direction of the text", () => {
    expect(vmlint(cwd(), ["\u202e\u2066a.vmx"]).err).toContain("\ufffd\ufffda.vmx");
  });
});

test.skipIf(process.platform === "win32")(
  "a report that is longer than a text can be is refused in one sentence",
  () => {
    // Each finding has the path. Windows has no paths of this length.
    const path = `${`${"x".repeat(200)}/`.repeat(15)}a.vmx`;
    const cwd = folder({ [path]: `virtualHW.version = "19"\n${"?\n".repeat(180_000)}`, "out.json": "an earlier one" });
    const { code, out, err } = vmlint(cwd, ["--format", "json:out.json"]);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(/^vmlint: The report is too long\. Check fewer files .*\n$/)]);
    expect(JSON.parse(readFileSync(join(cwd, "out.json"), "utf8")).error.message).toMatch(/^The report is too long/);
  },
  120_000,
);

describe("the error as JSON on stdout", () => {
  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ["an unknown option", ["--hosst", "x"]],
    ["an unknown host", ["--host", "dl850g7"]],
    ["a path that is not there", ["nowhere.vmx"]],
    ["a broken configuration", ["--config", "broken.yaml"]],
    ["an unknown severity", ["--fail-on", "x"]],
  ];
  const run = (format: string, args: readonly string[]) =>
    vmlint(folder({ "a.vmx": "", "broken.yaml": "hots: 1\n" }), [...args, "--format", format]);

  test.each(wrong)("%s", (_, args) => {
    const bare = run("text", args);
    expect([bare.code, bare.out]).toEqual([2, ""]);
    const message = bare.err.slice("vmlint: ".length, -1);
    const json = run("json", args);
    expect([json.code, json.err]).toEqual([2, bare.err]);
    const said = JSON.parse(json.out);
    expect(said).toMatchObject({ schemaVersion: 2, tool: { name: "vmlint" }, error: { message } });
    // Who looks for findings must not see an empty list of them.
    expect(said).not.toHaveProperty("diagnostics");
    expect(new Ajv2020({ strict: false }).validate(outputSchema as object, said)).toBe(true);
    const [log] = JSON.parse(run("sarif", args).out).runs;
    expect(log.invocations).toMatchObject([
      { executionSuccessful: false, exitCode: 2, toolExecutionNotifications: [{ message: { text: message } }] },
    ]);
    expect(JSON.parse(run("gitlab", args).out)).toMatchObject([{ description: message, severity: "blocker", location: { path: "." } }]);
    const lines = run("ndjson", args)
      .out.trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{ type: "run" }, { type: "error", message }]);
  });

  test.each(["json", "ndjson", "sarif", "gitlab"])("a %s report in a file is replaced by the error", (format) => {
    const cwd = folder({ "a.vmx": "", out: "an earlier one" });
    expect(vmlint(cwd, ["--host", "nope", "--format", `${format}:out`])).toMatchObject({ code: 2, out: "" });
    expect(readFileSync(join(cwd, "out"), "utf8")).toBe(vmlint(cwd, ["--host", "nope", "--format", format]).out);
  });

  test("a text report stays as it was, and all files stay after an error in a report name", () => {
    const cwd = folder({ "a.vmx": "", "out.html": "an earlier one", "out.json": "another" });
    expect(vmlint(cwd, ["--host", "nope", "--format", "html:out.html"]).code).toBe(2);
    expect(vmlint(cwd, ["--format", "json:out.json", "--format", "sarif:./out.json"]).code).toBe(2);
    expect(vmlint(cwd, ["topology", "--format", "json:out.json"]).code).toBe(2);
    expect([readFileSync(join(cwd, "out.html"), "utf8"), readFileSync(join(cwd, "out.json"), "utf8")]).toEqual([
      "an earlier one",
      "another",
    ]);
  });
});
