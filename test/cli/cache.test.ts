import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMAND, runCommand, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const vm = (vcpus: number, more = "") => `virtualHW.version = "19"\nnumvcpus = "${vcpus}"\nmemSize = "16384"\n${more}`;
const PINNED = 'sched.cpu.affinity = "0,1"\n';
const HIDDEN = "# vmlint-disable-file until=2999-01-01 -- later\n";
const tf = (body: string) =>
  `variable "cpus" {\n  default = 2\n}\nresource "vsphere_virtual_machine" "x" {\n  name = "x"\n  memory = 4096\n${body}}\n`;
const PLAY =
  "- hosts: localhost\n  tasks:\n  - vmware_guest: { name: sql01, guest_id: g, hardware: { num_cpus: '{{ cpus }}', memory_mb: 65536, version: 17 } }\n";
const HOST = "host: lab\nhosts: { lab: { esxi: '8.0', sockets: 2, coresPerSocket: 8, threadsPerCore: 2, memoryGiB: 64 } }\n";

/** The possible contents of each file; `undefined` is a missing file. */
const CHOICES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "a.vmx": [vm(6, 'cpuid.coresPerSocket = "4"\n'), vm(2, PINNED), vm(22, HIDDEN), `# vmlint: host=dl580g7\n${vm(22)}`, "no VM", undefined],
  "sub/b.vmx": [vm(2, PINNED), vm(20), `numvcpus = "2"\n${vm(4)}`, "", undefined],
  "vmlint.yaml": [
    undefined,
    "{}\n",
    HOST,
    `${HOST}overrides: [{ files: ["sub/**"], rules: { "vmx/duplicate-key": off } }]\n`,
    HOST.replace("memoryGiB: 64", 'memoryGiB: 64, runs: ["*"]'),
    "extends: [./base.yaml, all]\n",
    'suppress: [{ vm: "*", reason: known }]\n',
  ],
  "base.yaml": ["{}\n", HOST, "rules: { topo/many-single-core-sockets: error }\n"],
  "main.tf": [
    tf("  num_cpus = var.cpus\n  num_cores_per_socket = 4\n"),
    tf("  num_cpus = 6\n  num_cores_per_socket = 4 # vmlint-disable-line\n"),
    'module "m" {\n  source = "./m"\n  cpus = 6\n}\n',
    undefined,
  ],
  "m/main.tf": [tf("  num_cpus = var.cpus\n  num_cores_per_socket = 4\n"), tf("  num_cpus = 4\n"), undefined],
  "terraform.tfvars": ["cpus = 6\n", "cpus = 8\n", undefined],
  "site.yml": [PLAY, PLAY.replace("localhost", "web"), undefined],
  // Another that takes the same of the same files.
  "again.yml": [PLAY, PLAY.replace("localhost", "web"), undefined],
  hosts: [undefined, "[web]\nh1\n", "[web]\nh1 cpus=6\n"],
  "group_vars/all.yml": ["cpus: 22\n", "cpus: 4\n", "\ufeffcpus: 22\n", undefined],
  "group_vars/web.yml": ["cpus: 3\n", undefined],
  "vmlint-baseline.json": [undefined, '{ "schemaVersion": 1, "findings": [] }\n'],
};

/** As runs differ. */
const RUNS: readonly (readonly string[])[] = [
  [],
  ["--format", "json"],
  ["--format", "html"],
  ["--host", "4x10x2:256@8.0", "--format", "json"],
  ["--host", "2x8x1@7.0", "--together"],
  ["--no-inline-config", "--format", "json"],
  ["--var", "cpus=10"],
  ["sub", "main.tf"],
  ["--shard", "1/2"],
];

const write = (cwd: string, path: string, content: string | undefined) => {
  if (content === undefined) rmSync(join(cwd, path), { force: true });
  else writeFileSync(join(cwd, path), content);
};

const edit = fc
  .constantFrom(...Object.keys(CHOICES))
  .chain((path) => fc.tuple(fc.constant(path), fc.constantFrom(...(CHOICES[path] ?? []))));
const step = fc.record({
  edits: fc.array(edit, { maxLength: 2 }),
  args: fc.constantFrom(...RUNS),
  env: fc.constantFrom({}, { TF_VAR_cpus: "12" }),
});

test("after any edit, a run with a cache gives the same result as a run without", () => {
  const start = Object.fromEntries(Object.entries(CHOICES).flatMap(([path, [first]]) => (first === undefined ? [] : [[path, first]])));
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) => {
      const cwd = folder({ ...start, "m/keep": "", "sub/keep": "" });
      for (const { edits, args, env } of steps) {
        for (const [path, content] of edits) write(cwd, path, content);
        const bare = vmlint(cwd, args, env);
        expect(vmlint(cwd, [...args, "--cache"], env)).toEqual(bare);
        expect(vmlint(cwd, [...args, "--cache"], env)).toEqual(bare);
      }
    }),
    { numRuns: 12 },
  );
}, 300_000);

/** The files in a cache. */
const filesIn = (cwd: string): readonly { readonly name: string; readonly stamp: readonly number[] | null }[] =>
  JSON.parse(readFileSync(join(cwd, ".vmlint-cache"), "utf8").split("\n")[1] ?? "").files;

/** Waits until the times of all files of a folder tell another change from the last. */
async function settled(cwd: string): Promise<void> {
  do {
    await new Promise((resume) => setTimeout(resume, 500));
    vmlint(cwd, ["--cache"]);
  } while (filesIn(cwd).some(({ stamp }) => stamp === null));
}

const hashOf = (content: string) => createHash("sha256").update(content).digest("base64").slice(0, 22);

/** Changes what a cache holds, as its writer would have written it. */
function rewrite(cwd: string, change: (content: string) => string, { name = ".vmlint-cache", head = hashOf } = {}) {
  const [first = "", content = ""] = readFileSync(join(cwd, name), "utf8").split("\n");
  const changed = change(content);
  expect(changed).not.toBe(content);
  writeFileSync(join(cwd, name), `${first.split(" ")[0]} ${head(changed)}\n${changed}`);
}

/** Changes the cached result of a file. */
const forge = (cwd: string, head = hashOf) => rewrite(cwd, (content) => content.replace("is set twice", "is forged"), { head });

const TWICE = `numvcpus = "4"\nnumvcpus = "4"\n`;

describe("--cache", () => {
  test("an unchanged file is not checked again, a changed file is", () => {
    const cwd = folder({ "a.vmx": TWICE, "b.vmx": vm(2) });
    const first = vmlint(cwd, ["--cache"]);
    expect([first.code, first.out]).toEqual([1, expect.stringContaining("is set twice")]);
    const written = statSync(join(cwd, ".vmlint-cache")).ino;
    expect(vmlint(cwd, ["--cache"])).toEqual(first);
    expect(statSync(join(cwd, ".vmlint-cache")).ino).toBe(written);
    forge(cwd);
    expect(vmlint(cwd, ["--cache"]).out).toContain("is forged");
    // A file of the same name elsewhere, another host, and a run without a cache have nothing to do with it.
    expect(vmlint(cwd, []).out).toBe(first.out);
    expect(vmlint(cwd, ["--cache", "--host", "2x8x1@7.0"]).out).not.toContain("forged");
    expect(readdirSync(cwd).sort()).toEqual([".vmlint-cache", "a.vmx", "b.vmx"]);
  });

  test("parts of many results are stored once", () => {
    const cwd = folder({ "a.yml": PLAY, "b.yml": PLAY, "c.yml": PLAY, "group_vars/all.yml": "cpus: 22\n" });
    vmlint(cwd, ["--cache"]);
    expect(filesIn(cwd)).toHaveLength(3);
    const text = readFileSync(join(cwd, ".vmlint-cache"), "utf8");
    expect(text.match(/"read","[^"]*group_vars\/all\.yml"/g)).toHaveLength(1);
    writeFileSync(join(cwd, "group_vars/all.yml"), "cpus: 23\n");
    expect(vmlint(cwd, ["--cache"])).toEqual(vmlint(cwd, []));
  });

  test("results that depend on the day are computed again: an expired suppression hides nothing", () => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const cwd = folder({ "a.vmx": `# vmlint-disable-file until=${day(-2)} -- soon\n${TWICE}` });
    vmlint(cwd, ["--cache"]);
    forge(cwd);
    expect(vmlint(cwd, ["--cache"]).out).toMatch(/is forged[\s\S]*suppression\/expired|suppression\/expired[\s\S]*is forged/);
  });

  test.each<[string, (cwd: string) => void]>([
    ["cut off", (cwd) => truncateSync(join(cwd, ".vmlint-cache"), 300)],
    ["empty", (cwd) => writeFileSync(join(cwd, ".vmlint-cache"), "")],
    ["another program's", (cwd) => writeFileSync(join(cwd, ".vmlint-cache"), '{"a.vmx":{}}\n')],
    ["binary", (cwd) => writeFileSync(join(cwd, ".vmlint-cache"), Buffer.from([0, 255, 10, 0]))],
    ["changed by hand", (cwd) => forge(cwd, () => "no longer its hash")],
    ["of another form", otherForm],
  ])("a cache file that is %s is ignored and written again", (_, spoil) => {
    const cwd = folder({ "a.vmx": TWICE });
    const first = vmlint(cwd, ["--cache"]);
    const whole = readFileSync(join(cwd, ".vmlint-cache"));
    spoil(cwd);
    expect(vmlint(cwd, ["--cache"])).toEqual(first);
    expect(readFileSync(join(cwd, ".vmlint-cache"))).toEqual(whole);
  });

  test("another build of vmlint, and another folder, take nothing from it", () => {
    const cwd = folder({ "a.vmx": TWICE });
    const first = vmlint(cwd, ["--cache"]);
    forge(cwd);
    const copy = join(folder({}), "dist");
    cpSync(dirname(COMMAND), copy, { recursive: true });
    writeFileSync(join(copy, "build.id"), "other rules");
    expect(runCommand(join(copy, "vmlint.cjs"), cwd, ["--cache"])).toEqual(first);
    const elsewhere = folder({ "a.vmx": TWICE });
    vmlint(cwd, ["--cache"]);
    forge(cwd);
    cpSync(join(cwd, ".vmlint-cache"), join(elsewhere, ".vmlint-cache"));
    expect(vmlint(elsewhere, ["--cache"])).toEqual(first);
  });

  test("--cache-location names a file, or a folder for several working directories", () => {
    const cwd = folder({ "a/a.vmx": TWICE, "b/b.vmx": TWICE });
    vmlint(cwd, ["--cache-location", "deep/er/cache"]);
    expect(readdirSync(join(cwd, "deep/er"))).toEqual(["cache"]);
    for (const name of ["a", "b"]) vmlint(join(cwd, name), ["--cache", "--cache-location", "../caches/"]);
    expect(readdirSync(join(cwd, "caches"))).toHaveLength(2);
    expect(readdirSync(join(cwd, "a"))).toEqual(["a.vmx"]);
  });

  test.each<[string, string]>([
    ["a VM definition", "a.vmx"],
    ["what is no file", "/dev/null"],
  ])("--cache-location never replaces %s", (_, location) => {
    const cwd = folder({ "a.vmx": TWICE });
    const { code, out, err } = vmlint(cwd, ["--cache-location", location]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^vmlint: --cache-location: \S+ exists and is not a cache of vmlint\. Name another file or a folder\.\n$/);
    expect(readFileSync(join(cwd, "a.vmx"), "utf8")).toBe(TWICE);
    expect(statSync("/dev/null").isFile()).toBe(false);
  });

  test("a cache that cannot be written is reported, and the run is unaffected", () => {
    const cwd = folder({ "a.vmx": TWICE, taken: "" });
    const { code, out, err } = vmlint(cwd, ["--cache-location", "taken/cache"]);
    expect({ code, out }).toEqual({ code: 1, out: vmlint(cwd, []).out });
    expect(err).toMatch(/^vmlint: taken\/cache is not written \((ENOTDIR|EEXIST)\): the next run checks everything again\.\n$/);
  });

  test.each([
    [".vmlint-cache", ["--cache"]],
    ["kept", ["--cache-location", "kept"]],
  ])("a cache in a listed folder, as %s, does not count as a change of the folder", (name, args) => {
    const cwd = folder({ "site.yml": PLAY.replace("'{{ cpus }}'", "6, num_cpu_cores_per_socket: 4") });
    const { code, out } = vmlint(cwd, args);
    expect([code, out]).toEqual([1, expect.stringContaining("site.yml")]);
    rewrite(cwd, (content) => content.replaceAll('"message":"', '"message":"forged: '), { name });
    expect(vmlint(cwd, args).out).toContain("forged: ");
  });

  test("--fix neither reads nor writes the cache", () => {
    const cwd = folder({ "a.vmx": TWICE });
    vmlint(cwd, ["--cache"]);
    forge(cwd);
    const before = readFileSync(join(cwd, ".vmlint-cache"));
    expect(vmlint(cwd, ["--cache", "--fix"])).toMatchObject({ code: 0, err: expect.stringContaining("fixed vmx/duplicate-key") });
    expect(readFileSync(join(cwd, ".vmlint-cache"))).toEqual(before);
    expect(vmlint(cwd, ["--cache"])).toEqual(vmlint(cwd, []));
  });

  test("entries of deleted files are removed, entries of files outside of the run stay", () => {
    const cwd = folder({ "a.vmx": TWICE, "b.vmx": vm(2), "sub/c.vmx": vm(2) });
    const names = () => filesIn(cwd).map(({ name }) => name);
    vmlint(cwd, ["--cache"]);
    rmSync(join(cwd, "b.vmx"));
    renameSync(join(cwd, "a.vmx"), join(cwd, "d.vmx"));
    vmlint(cwd, ["--cache", "d.vmx"]);
    expect(names().sort()).toEqual(["d.vmx", "sub/c.vmx"]);
  });
});

/** Writes other text with the same number of bytes and restores the times of the file. */
function sameSize(path: string, write: (path: string, content: string) => void): void {
  const { atime, mtime } = statSync(path);
  write(path, readFileSync(path, "utf8").replace('"4"', '"6"'));
  utimesSync(path, atime, mtime);
}

describe("a file that is not read again", () => {
  test("has the same size and times as before, even if its content differs", async () => {
    const names = ["in place", "replaced", "exchanged", "touched", "untouched"].map((name) => `${name}.vmx`);
    const cwd = folder(Object.fromEntries([...names, "spare"].map((name) => [name, name === "spare" ? vm(6) : TWICE])));
    const at = (name: string) => join(cwd, name);
    await settled(cwd);
    const written = statSync(at(".vmlint-cache")).ino;
    vmlint(cwd, ["--cache"]);
    expect(statSync(at(".vmlint-cache")).ino).toBe(written);
    const stamps = () => new Map(filesIn(cwd).map(({ name, stamp }) => [name, stamp]));
    const before = stamps();

    sameSize(at("in place.vmx"), writeFileSync);
    sameSize(at("replaced.vmx"), (path, content) => {
      writeFileSync(`${path}~`, content);
      renameSync(`${path}~`, path);
    });
    renameSync(at("spare"), at("exchanged.vmx"));
    utimesSync(at("touched.vmx"), 0, 0);
    expect(vmlint(cwd, ["--cache"])).toEqual(vmlint(cwd, []));
    // Their times will tell only a later run whether they are as they were.
    await settled(cwd);
    expect(names.filter((name) => String(stamps().get(name)) === String(before.get(name)))).toEqual(["untouched.vmx"]);

    // A file that is not read again is recognized only by its times.
    rewrite(cwd, (content) => content.replaceAll(/"content":"[^"]*"/g, '"content":"another"'));
    forge(cwd);
    expect(vmlint(cwd, ["--cache"]).out).toContain("is forged");
    expect(vmlint(cwd, ["--cache", "--host", "2x8x1@7.0"])).toEqual(vmlint(cwd, ["--host", "2x8x1@7.0"]));
  });

  test("is not trusted if it is recent, because a file can change twice within one tick of the clock", () => {
    const cwd = folder({ "a.vmx": TWICE });
    for (const vcpus of ["6", "8", "2", "4"]) {
      vmlint(cwd, ["--cache"]);
      expect(filesIn(cwd)).toMatchObject([{ stamp: null }]);
      writeFileSync(join(cwd, "a.vmx"), TWICE.replace('"4"', `"${vcpus}"`));
      expect(vmlint(cwd, ["--cache"])).toEqual(vmlint(cwd, []));
    }
  });
});

test("an unreachable file stays unreachable, even if a project has read it", () => {
  const play = "- hosts: localhost\n  vars_files: [../outside/vars.yml]\n";
  const root = folder({
    "work/site.yml": PLAY.replace("- hosts: localhost\n", play),
    "work/main.tf": tf("  num_cpus = 2\n"),
    "outside/vars.yml": "cpus: 22\n",
  });
  const cwd = join(root, "work");
  const args = ["site.yml", "main.tf", "--var-file", "../outside/vars.yml", "--format", "json"];
  const wide = vmlint(cwd, [...args, "../outside", "--cache"]);
  const bare = vmlint(cwd, args);
  expect(wide.out).not.toBe(bare.out);
  expect(vmlint(cwd, [...args, "--cache"])).toEqual(bare);
});

describe("files that are read as one", () => {
  const BODY = "  num_cpus = 22\n  num_cores_per_socket = 4\n";
  const MACHINE = "--host 2x8x1:64@8.0".split(" ");
  const HIDES = `suppress: [{ vm: "*", rule: mem/exceeds-host, reason: known }]\n`;
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["nothing else is asked", {}, []],
    ["their VMs have a host", {}, MACHINE],
    ["their VMs share a machine", {}, [...MACHINE, "--together"]],
    ["a comment hides findings", { "main.tf": `# vmlint-disable-file mem/exceeds-host -- known\n${tf(BODY)}` }, MACHINE],
    ["a configuration hides findings", { "vmlint.yaml": HIDES }, MACHINE],
    ["there is a baseline", { "vmlint-baseline.json": '{ "schemaVersion": 1, "findings": [] }\n' }, MACHINE],
    ["other files may describe the same VMs", { "a.vmx": vm(2), "vmlint.yaml": "extends: [strict]\n" }, []],
  ])("are taken from the cache where %s", (_, files, args) => {
    const cwd = folder({ "main.tf": tf(BODY), "more.tf": tf(BODY.replace("22", "6")).replaceAll(/"x"/g, '"y"'), ...files });
    const bare = vmlint(cwd, args);
    expect(vmlint(cwd, [...args, "--cache"])).toEqual(bare);
    expect(vmlint(cwd, [...args, "--cache"])).toEqual(bare);
    rewrite(cwd, (content) => content.replaceAll("cores per socket", "cores by forgery"));
    expect(vmlint(cwd, [...args, "--cache"])).toEqual({ ...bare, out: bare.out.replaceAll("cores per socket", "cores by forgery") });
  });
});

function otherForm(cwd: string): void {
  const path = join(cwd, ".vmlint-cache");
  const text = readFileSync(path, "utf8");
  const changed = text.replace(/^vmlint-cache-\d+/, "vmlint-cache-0");
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}
