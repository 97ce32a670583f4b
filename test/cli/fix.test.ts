import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { nameBeside, replaceFile, whyNotWritten } from "../../packages/cli/src/files/write-file.ts";
import { COMMAND, spawned, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { defineRuleModule, pluginOf } from "../support/plugin-module.ts";
import { hasTerminal, inTerminal } from "../support/terminal.ts";

const TWICE = `displayName = "sql01"\r\nnumvcpus = "4"\r\nnumvcpus = "4"\r\nmemSize = "1024"\r\n`;
const ONCE = `displayName = "sql01"\r\nnumvcpus = "4"\r\nmemSize = "1024"\r\n`;
const PINNED = `virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n`;
const APART = `virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0,2,4,6,8,10,12,14"\n`;
const resource = (name: string, cpus: string, cores: number) =>
  `resource "vsphere_virtual_machine" "${name}" {\n  num_cpus             = ${cpus}\n  num_cores_per_socket = ${cores}\n  memory = 4096\n}\n`;
/** Removes the count of fixes from the messages of a dry run. */
const uncounted = (err: string) => err.replace(/^vmlint: \d+ fix.*\n/m, "");
const SAID = "vmlint: a.vmx: fixed vmx/duplicate-key: Remove the second numvcpus.\n";

const read = (...path: string[]) => readFileSync(join(...path));
const text = (...path: string[]) => readFileSync(join(...path), "utf8");

describe("--fix", () => {
  test("applies what is safe; nothing is then found", () => {
    const cwd = folder({ "a.vmx": TWICE });
    expect(vmlint(cwd, []).code).toBe(1);
    const { code, out, err } = vmlint(cwd, ["--fix"]);
    expect([code, err]).toEqual([0, SAID]);
    expect(out).toMatch(/^Nothing found so far in 1 VM/);
    expect(text(cwd, "a.vmx")).toBe(ONCE);
    expect(readdirSync(cwd)).toEqual(["a.vmx"]);
    expect(vmlint(cwd, ["--fix"])).toMatchObject({ code: 0, err: "" });
  });

  test("leaves what reshapes a VM, which --fix-unsafe applies", () => {
    const cwd = folder({ "a.vmx": PINNED });
    expect(vmlint(cwd, ["--host", "dl580g7", "--fix"])).toMatchObject({ code: 1, err: "" });
    expect(text(cwd, "a.vmx")).toBe(PINNED);
    const { code, err } = vmlint(cwd, ["--host", "dl580g7", "--fix-unsafe"]);
    expect([code, err]).toEqual([0, "vmlint: a.vmx: fixed affinity/ht-siblings: Pin to 8 cores: 0,2,4,6,8,10,12,14.\n"]);
    expect(text(cwd, "a.vmx")).toBe(APART);
  });

  test("the report, also as JSON, lists the remaining findings", () => {
    const cwd = folder({ "a.vmx": `${TWICE}nonsense\r\n` });
    const { code, out, err } = vmlint(cwd, ["--fix", "--format", "json"]);
    expect([code, err]).toEqual([1, SAID]);
    expect(JSON.parse(out).diagnostics).toMatchObject([{ ruleId: "vmx/malformed-line", range: { start: { line: 4 } } }]);
  });

  test("a VM spec is fixed in place, comments and all", () => {
    const spec = (mhz: string) =>
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: x } # \u65e5\u672c\nspec:\n  vcpus: 4\n  hardwareVersion: 20\n  memoryMiB: 4096\n  latencySensitivity: high\n  cpuReservationMHz: ${mhz} # MHz\n  memoryReservationLocked: true\nworkload: { kind: latency }\n`;
    const cwd = folder({ "a.yaml": spec("100") });
    expect(vmlint(cwd, ["--host", "r640", "--fix-unsafe"]).code).toBe(0);
    expect(text(cwd, "a.yaml")).toMatch(/cpuReservationMHz: \d{4,} # MHz/);
    expect(text(cwd, "a.yaml").replace(/MHz: \d+/, "MHz: 100")).toBe(spec("100"));
  });

  test("a fix that causes another finding is dropped and reported", () => {
    const cwd = folder({
      "vmlint.yaml": "extends: [all]\n",
      "a.vmx": `virtualHW.version = "19"\nnumvcpus = "12"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"\n`,
    });
    const { err } = vmlint(cwd, ["--host", "2x20x2@8.0", "--fix-unsafe"]);
    expect(err).toMatch(/numa\/expose-hotadd-hw is not fixed: its fix would bring topo\/many-single-core-sockets/);
  });
});

test("a value that a loop uses for several VMs is not changed for a single VM, and this is reported", () => {
  const task = (loop: string) =>
    `- vmware_guest:\n    name: "{{ item.name }}"\n    guest_id: g\n    hardware: { num_cpus: "{{ item.n }}", num_cpu_cores_per_socket: 5, memory_mb: 4096 }\n  loop: [${loop}]\n`;
  const cwd = folder({ "a.yaml": task("{ name: a, n: 9 }, { name: b, n: 16 }") });
  const { err } = vmlint(cwd, ["a.yaml", "--fix-unsafe"]);
  expect(err).toBe("vmlint: a.yaml: cpu/cps-divides is not fixed: its fix would change other VMs, too.\n");
  expect(readFileSync(join(cwd, "a.yaml"), "utf8")).toContain("num_cpu_cores_per_socket: 5");
  expect(vmlint(folder({ "a.yaml": task("{ name: a, n: 12 }, { name: b, n: 12 }") }), ["--fix-unsafe"]).err).toContain(
    "fixed cpu/cps-divides",
  );
});

test("a safe fix that is held back is reported with --fix, even if an unsafe fix remains", () => {
  const own = `
  messages: { odd: () => "Odd." },
  bad: [{ title: "odd", vmx: 'numvcpus = "9"', expect: "odd" }],
  *check({ vm }) {
    if (!vm.vcpus || vm.vcpus.value % 2 === 0) return;
    const fixes = [
      { title: "One socket", safety: "safe", changes: [{ setting: "coresPerSocket", value: vm.vcpus.value }] },
      { title: "One less", safety: "unsafe", changes: [{ setting: "vcpus", value: vm.vcpus.value - 1 }] },
    ];
    yield { messageId: "odd", data: {}, at: vm.vcpus.range, fixes };
  }`;
  const task = `- vmware_guest:\n    name: "{{ item.name }}"\n    guest_id: g\n    hardware: { num_cpus: "{{ item.n }}", num_cpu_cores_per_socket: 1, memory_mb: 4096 }\n  loop: [{ name: a, n: 3 }, { name: b, n: 5 }]\n`;
  const cwd = folder({ "define.mjs": defineRuleModule(), "acme.mjs": pluginOf(own), "a.yaml": task });
  const told = "vmlint: a.yaml: acme/two is not fixed: its fix would change other VMs, too.\n";
  expect(spawned(cwd, ["a.yaml", "--plugin", "./acme.mjs", "--fix"]).err).toBe(told);
  expect(read(cwd, "a.yaml").toString()).toBe(task);
  const fixed = "vmlint: a.yaml: fixed acme/two: One less.\n";
  expect(spawned(cwd, ["a.yaml", "--plugin", "./acme.mjs", "--fix-unsafe"]).err).toBe(fixed + fixed);
  expect(read(cwd, "a.yaml").toString()).toBe(task.replace("n: 3", "n: 2").replace("n: 5", "n: 4"));
});

describe("files of one project", () => {
  const MAIN = `variable "cpus" {}
resource "vsphere_virtual_machine" "vm" {
  num_cpus             = var.cpus
  num_cores_per_socket = 2
  hardware_version     = 10
}
`;
  const args = ["--host", "dl580g7", "--fix-unsafe"];

  test("comments stay aligned after several fixes, except in files of values", () => {
    const main = (a: string, b: string) =>
      `locals {\n  a = ${a} # a\n  b = ${b} # b\n}\nvariable "c" {}\n${["local.a", "local.b", "var.c"]
        .map((memory, i) => `resource "vsphere_virtual_machine" "vm${i}" {\n  memory = ${memory}\n}\n`)
        .join("")}`;
    const cwd = folder({ "main.tf": main("9998 ", "99998"), "terraform.tfvars": 'c = 9998 # c\nd = "x"  # d\n' });
    expect(vmlint(cwd, ["--fix-unsafe", "--diff"]).out).toContain("\n-c = 9998 # c\n+c = 10000 # c\n");
    vmlint(cwd, ["--fix-unsafe"]);
    expect(text(cwd, "main.tf")).toBe(main("10000 ", "100000"));
    expect(text(cwd, "terraform.tfvars")).toBe('c = 10000 # c\nd = "x"  # d\n');
  });

  test("a fix in one file that requires a fix in another is followed up in the same run, and --diff shows both", () => {
    const cwd = folder({ "main.tf": MAIN, "terraform.tfvars": "cpus = 44\n", "vmlint.yaml": "extends: [all]\n" });
    const patched = folder({});
    cpSync(cwd, patched, { recursive: true });
    execFileSync("git", ["apply", "-p1", "-"], { cwd: patched, input: vmlint(cwd, [...args, "--diff"]).out });
    expect(text(cwd, "main.tf")).toBe(MAIN);
    expect(vmlint(cwd, args).err).toBe(
      "vmlint: terraform.tfvars: fixed cpu/exceeds-physical-cores: Use 40 vCPUs.\n" +
        "vmlint: main.tf: fixed numa/cps-defines-vnuma: Set 10 cores per socket.\n",
    );
    expect([text(cwd, "main.tf"), text(cwd, "terraform.tfvars")]).toEqual([MAIN.replace("= 2", "= 10"), "cpus = 40\n"]);
    expect([text(patched, "main.tf"), text(patched, "terraform.tfvars")]).toEqual([text(cwd, "main.tf"), text(cwd, "terraform.tfvars")]);
    expect(vmlint(cwd, args).err).toBe("");
  });

  const source = (name: string, cpus: string, cores: number) =>
    `source "vsphere-iso" "${name}" {\n  CPUs      = ${cpus}\n  cpu_cores = ${cores}\n}\nbuild {\n  sources = ["source.vsphere-iso.${name}"]\n}\n`;

  test.each([
    [".tf", "terraform.tfvars", resource],
    [".pkr.hcl", "vm.auto.pkrvars.hcl", source],
  ])("a file that links bring into several folders is fixed for the VMs of all: %s", (ending, values, vm) => {
    const name = `vm${ending}`;
    const text = `variable "n" {}\n${vm("v", "var.n", 7)}`;
    const cwd = folder({
      [`common/${name}`]: text,
      [`e1/${values}`]: "n = 8\n",
      [`e2/${values}`]: "n = 14\n",
      [`e1/a${ending}`]: vm("a", "8", 3),
    });
    for (const one of ["e1", "e2"]) symlinkSync(`../common/${name}`, join(cwd, one, name));
    const { err } = vmlint(cwd, ["--fix-unsafe"]);
    expect(err).toContain(`e1/a${ending}: fixed cpu/cps-divides`);
    expect(err).toMatch(/cpu\/cps-divides is not fixed: another value depends on the place in e1\/vm\.\S+ that it would change/);
    expect(readFileSync(join(cwd, "common", name), "utf8")).toBe(text);
    // An unshared module is fixed.
    rmSync(join(cwd, "e1", name));
    cpSync(join(cwd, "common", name), join(cwd, "e1", name));
    expect(vmlint(cwd, ["--fix-unsafe"]).err).toContain(`e1/${name}: fixed cpu/cps-divides`);
  });

  test("links and their file stay identical after a fix", () => {
    const text = `variable "n" {}\nvariable "m" {\n  default = 4097\n}\n${resource("v", "var.n", 5)}`.replace("4096", "var.m");
    const cwd = folder({ "base/vm.tf": text, "base/terraform.tfvars": "n = 12\n", "prod/terraform.tfvars": "n = 20\nm = 8192\n" });
    symlinkSync("../base/vm.tf", join(cwd, "prod", "vm.tf"));
    const { err } = vmlint(cwd, ["--fix-unsafe"]);
    expect(err).toContain("base/vm.tf: cpu/cps-divides is not fixed: another value depends on the place in base/vm.tf");
    expect(err).toContain("base/vm.tf: fixed mem/step-4mb");
    expect(readFileSync(join(cwd, "base", "vm.tf"), "utf8")).toBe(text.replace("4097", "4100"));
    expect(vmlint(cwd, ["--fix-unsafe"]).err).not.toContain(": fixed ");
  });

  describe("a fix is verified on its VM, even if the value is in another file", () => {
    const whole = (memory: string) =>
      resource("v", "4", 4).replace("4096", `${memory}\n  memory_reservation = 4098\n  memory_reservation_locked_to_max = true`);
    // Alone, the new memory would bring tf/dropped-argument.
    const JOINED = "fixed mem/step-4mb: Set memory to 4100, the memory reservation to 4100.";
    const variable = 'variable "v" {}\n';
    const call = (value: number) => `module "m" {\n  source = "./m"\n  v      = ${value}\n}\n`;
    test.each<[what: string, files: Record<string, string>, said: string]>([
      ["harm, of a literal", { "main.tf": whole("4098") }, `main.tf: ${JOINED}`],
      [
        "harm, of a variable",
        { "main.tf": variable + whole("var.v"), "terraform.tfvars": "v = 4098\n" },
        `terraform.tfvars and main.tf: ${JOINED}`,
      ],
      ["harm, of a module", { "main.tf": call(4098), "m/main.tf": variable + whole("var.v") }, `main.tf and m/main.tf: ${JOINED}`],
      ["none, of a literal", { "main.tf": resource("v", "12", 5) }, "main.tf: fixed cpu/cps-divides: Set 3 cores per socket."],
      [
        "none, of a variable",
        { "main.tf": variable + resource("v", "12", 5).replace("= 5", "= var.v"), "terraform.tfvars": "v = 5\n" },
        "terraform.tfvars: fixed cpu/cps-divides: Set 3 cores per socket.",
      ],
      [
        "none, of a check that then asks for more of the workload",
        {
          "main.tf": `${variable}# vmlint: workload=hana\n${resource("v", "var.v", 1).replace("4096", "524288")}`,
          "terraform.tfvars": "v = 27\n",
        },
        "terraform.tfvars: fixed cpu/exceeds-physical-cores: Use 20 vCPUs.",
      ],
    ])("%s", (_, files, said) => {
      const cwd = folder(files);
      expect(vmlint(cwd, ["--host", "2x10x2:512@7.0", "--fix-unsafe"]).err).toContain(`vmlint: ${said}`);
    });

    test("a fix that would bring an error is not offered", () => {
      const rule = `messages: { two: () => "2" },
        bad: [{ title: "two", vmx: 'numvcpus = "2"', expect: "two" }],
        *check({ vm }) {
          const fixes = [{ title: "Write 2000", safety: "unsafe", changes: [{ setting: "vcpus", value: 2000 }] }];
          if (vm.vcpus?.value === 2) yield { messageId: "two", data: {}, at: vm.vcpus.range, fixes };
        }`;
      const files = { "main.tf": variable + resource("v", "var.v", 1), "terraform.tfvars": "v = 2\n" };
      const cwd = folder({ ...files, "define.mjs": defineRuleModule(), "acme.mjs": pluginOf(rule) });
      const { out, err } = spawned(cwd, ["--plugin", "./acme.mjs", "--host", "2x10x2:512@7.0", "--fix-unsafe"]);
      expect(out).toContain("acme/two");
      expect([out, err].join("")).not.toMatch(/fixed acme|Write 2000/);
    });
  });

  test("files of one folder get the same fixes together as separately", () => {
    const shapes: readonly (readonly [cpus: number, cores: number])[] = [
      [8, 3],
      [13, 2],
      [16, 5],
      [24, 24],
      [44, 2],
      [44, 11],
      [64, 4],
      [7, 7],
      [90, 45],
    ];
    const texts = shapes.map(([cpus, cores], i): Readonly<Record<string, string>> => {
      const isGiven = i % 3 === 0;
      const vm = resource(`vm${i}`, isGiven ? `var.cpus${i}` : `${cpus}`, cores);
      const values = { [`v${i}.auto.tfvars`]: `cpus${i} = ${cpus}\n` };
      return { [`vm${i}.tf`]: isGiven ? `variable "cpus${i}" {}\n${vm}` : vm, ...(isGiven && values) };
    });
    const config = { "vmlint.yaml": "extends: [all]\n" };
    const together = folder({ ...Object.assign({}, ...texts), ...config });
    const said = vmlint(together, args).err;
    const alone = texts.map((files) => {
      const cwd = folder({ ...files, ...config });
      const { err } = vmlint(cwd, args);
      for (const name of Object.keys(files)) expect([name, text(together, name)]).toEqual([name, text(cwd, name)]);
      return err;
    });
    const lines = (all: string): readonly string[] => all.split("\n").sort();
    expect(lines(said)).toEqual(lines(alone.join("")));
    for (const file of ["vm1.tf", "v6.auto.tfvars", "vm6.tf"]) expect(said).toContain(`${file}: fixed `);
    expect(vmlint(together, args).err).not.toContain(": fixed ");
  });

  test("a hundred fixed files need memory for one at a time", () => {
    const vm = (i: number) => `resource "vsphere_virtual_machine" "vm${i}" {
  num_cpus            = 4
  memory              = 8192
  latency_sensitivity = "high"
${Array.from({ length: 15 }, (_, at) => `  disk {\n    label       = "disk${at}"\n    unit_number = ${at}\n  }\n`).join("")}}
`;
    const cwd = folder(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`vm-${i}.tf`, vm(i)])));
    const { code, err } = spawned(cwd, ["--fix-unsafe"], { NODE_OPTIONS: "--max-old-space-size=48" });
    expect(code).toBe(0);
    expect(err.split("fixed latency/high")).toHaveLength(101);
  });

  test("a file that another program changes during the check is left alone", () => {
    const main = MAIN.replace("var.cpus", "2");
    const theirs = `# theirs\n${main}`;
    const rule = `messages: { two: () => "2" },
      bad: [{ title: "two", vmx: 'numvcpus = "2"', expect: "two" }],
      *check({ vm }) {
        if (vm.vcpus?.value !== 2) return;
        writeFileSync("main.tf", ${JSON.stringify(theirs)});
        const fixes = [{ title: "Write 4", safety: "unsafe", changes: [{ setting: "vcpus", value: 4 }] }];
        yield { messageId: "two", data: {}, at: vm.vcpus.range, fixes };
      }`;
    const cwd = folder({
      "define.mjs": defineRuleModule(),
      "acme.mjs": `import { writeFileSync } from "node:fs";\n${pluginOf(rule)}`,
      "main.tf": main,
    });
    expect(spawned(cwd, ["--plugin", "./acme.mjs", ...args]).err).toContain("vmlint: main.tf: not written: it was changed meanwhile.\n");
    expect(text(cwd, "main.tf")).toBe(theirs);
  });
});

describe("--diff and --fix-dry-run", () => {
  test.each(["--diff", "--fix-dry-run"])("%s writes nothing; patch makes of its output what --fix makes of the file", (flag) => {
    const cwd = folder({ "my prod/a 1.vmx": TWICE, "b.vmx": PINNED, "c.vmx": `${ONCE}${'x = "1"\r\n'.repeat(9)}numvcpus = "4"` });
    const { code, out, err } = vmlint(cwd, ["--host", "dl580g7", flag, "--fix-unsafe"]);
    expect([code, uncounted(err)]).toEqual([1, ""]);
    expect(out).toMatch(/^# affinity.*\n#.*\n--- a\/b\.vmx\n\+\+\+ b\/b\.vmx\n@@ -1,3 \+1,3 @@\n/);
    expect(text(cwd, "my prod/a 1.vmx")).toBe(TWICE);
    const patched = folder({});
    cpSync(cwd, patched, { recursive: true });
    execFileSync("git", ["apply", "-p1", "-"], { cwd: patched, input: out });
    vmlint(cwd, ["--host", "dl580g7", "--fix-unsafe"]);
    for (const file of ["my prod/a 1.vmx", "b.vmx", "c.vmx"]) expect(read(patched, file)).toEqual(read(cwd, file));
    expect(text(cwd, "b.vmx")).toBe(APART);
  });

  describe("shows no other value of a file of values", () => {
    const main = 'variable "cores" {}\nvariable "o" {}\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus             = 6\n';
    const other = '"S3cret"';
    const NOT_SHOWN = "the diff is not shown, because these lines contain other values";
    test.each<[what: string, name: string, values: string, reference: string, isShown: boolean]>([
      ["beside it", "terraform.tfvars", `a = ${other}\ncores = 4\nb = ${other}\n`, "var.cores", true],
      ["beside it, of texts", "terraform.tfvars", `a = ${other}\ncores = "4"\nb = ${other}`, "var.cores", true],
      ["beside it, at the start", "terraform.tfvars", `cores = 4\nb = ${other}\n`, "var.cores", true],
      ["in its line", "terraform.tfvars", `o = { cores = 4, b = ${other} }\n`, "var.o.cores", false],
      ["in its line before it", "terraform.tfvars", `o = { b = ${other}, cores = "4" }\n`, "var.o.cores", false],
      ["in another line of its object", "terraform.tfvars", `o = {\n  cores = 4,\n  b = ${other}\n}\n`, "var.o.cores", true],
      ["beside it in JSON", "a.auto.tfvars.json", `{"a": ${other},\n"o": {"n": 1, "cores": 4},\n"b": ${other}}`, "var.o.cores", true],
      ["in its line of JSON", "a.auto.tfvars.json", `{"cores": 4, "a": ${other}}`, "var.cores", false],
    ])("%s", (_, name, values, reference, isShown) => {
      const texts = { "main.tf": `${main}  num_cores_per_socket = ${reference}\n}\n`, [name]: values };
      const cwd = folder(texts);
      const patched = [folder(texts), folder(texts)] as const;
      const args = ["--host", "2x24x2:512@8.0", "--fix-unsafe"];
      const { out, err } = vmlint(cwd, [...args, "--diff"]);
      expect(out).not.toContain("S3cret");
      expect([out !== "", uncounted(err)]).toEqual(isShown ? [true, ""] : [false, `vmlint: ${name}: ${NOT_SHOWN}.\n`]);
      vmlint(cwd, args);
      expect(text(cwd, name)).toBe(values.replace("4", "3"));
      if (!isShown) return;
      execFileSync("git", ["apply", "-p1", "--unidiff-zero", "-"], { cwd: patched[0], input: out });
      execFileSync("patch", ["-p1", "--quiet"], { cwd: patched[1], input: out });
      for (const one of patched) expect(text(one, name)).toBe(text(cwd, name));
    });

    test("in a file with any name", () => {
      const cwd = folder({ "main.tf": `${main}  num_cores_per_socket = var.cores\n}\n`, "prod.hcl": `a = ${other}\ncores = 4\n` });
      const { out } = vmlint(cwd, ["--host", "2x24x2:512@8.0", "--fix-unsafe", "--diff", "--var-file", "prod.hcl"]);
      expect(out).toBe(
        "# cpu/cps-divides: Set 3 cores per socket (changes how the VM runs)\n--- a/prod.hcl\n+++ b/prod.hcl\n@@ -2,1 +2,1 @@\n-cores = 4\n+cores = 3\n",
      );
    });
  });

  test.each(["--fix", "--fix-unsafe", "--diff"])("%s reports that standard input cannot be fixed", (flag) => {
    const cwd = folder({ "a.vmx": ONCE });
    const err = "vmlint: --fix and --diff need files or folders; stdin cannot be changed.\n";
    expect(spawned(cwd, ["-", "--stdin-filename", "a.vmx", flag], {}, TWICE)).toEqual({ code: 2, out: "", err });
  });

  test("a file with a byte order mark is changed by its diff, too", () => {
    const cwd = folder({ "a.vmx": `\ufeff${ONCE.replace("1024", "1022")}`, "b.tf": `\ufeff${resource("v", "12", 5)}` });
    const { out, err } = vmlint(cwd, ["--fix-unsafe", "--diff"]);
    expect(uncounted(err)).toBe("");
    execFileSync("git", ["apply", "-p1", "-"], { cwd, input: out });
    expect(text(cwd, "a.vmx")).toBe(`\ufeff${ONCE}`);
    expect(text(cwd, "b.tf")).toBe(`\ufeff${resource("v", "12", 4)}`);
  });

  test.each<[what: string, bytes: Buffer]>([
    ["UTF-16", Buffer.from(`\ufeff${TWICE}`, "utf16le")],
    ["Shift_JIS", Buffer.concat([Buffer.from('.encoding = "Shift_JIS"\r\n# '), Buffer.from([0x93, 0xfa]), Buffer.from(`\r\n${TWICE}`)])],
  ])("a note for a file in %s explains that the diff is of its text", (_, bytes) => {
    const { out, err } = vmlint(folder({ "a.vmx": bytes }), ["--fix", "--diff"]);
    expect(uncounted(err)).toBe("vmlint: a.vmx: its diff cannot be applied, because the file is not UTF-8.\n");
    expect(out).toContain('\n-numvcpus = "4"');
  });

  test("a file behind several links is changed once, under its own name", () => {
    const cwd = folder({ "b.vmx": TWICE });
    for (const name of ["a.vmx", "c.vmx"]) symlinkSync("b.vmx", join(cwd, name));
    const { out } = vmlint(cwd, ["--fix", "--diff"]);
    expect(vmlint(cwd, ["--fix", "--diff", "c.vmx"]).out).toBe(out);
    execFileSync("git", ["apply", "-p1", "-"], { cwd, input: out });
    expect(text(cwd, "b.vmx")).toBe(ONCE);
  });

  test("nothing to change prints nothing", () => {
    expect(vmlint(folder({ "a.vmx": ONCE }), ["--diff"])).toEqual({ code: 0, out: "", err: "" });
  });
});

describe("fixes are counted and shown", () => {
  const COUNTED = "changes how the VM runs: --diff shows it, --fix-unsafe applies it.";
  const args = ["--host", "dl580g7"];

  test("the last line counts them: for the check, after --fix, and below a summary", () => {
    const cwd = folder({ "a.vmx": PINNED });
    for (const more of [[], ["--fix"], ["--format", "summary"], ["--format", "text"]])
      expect(
        vmlint(cwd, [...args, ...more])
          .out.trimEnd()
          .split("\n")
          .at(-1),
      ).toBe(`1 fix ${COUNTED}`);
    expect(vmlint(cwd, [...args, "--fix", "--format", "json"]).err).toBe(`vmlint: 1 fix ${COUNTED}\n`);
    expect(vmlint(cwd, [...args, "--format", "json"]).err).toBe("");
    for (const format of ["text", "md", "html", "summary"]) {
      const again = folder({ "a.vmx": PINNED });
      vmlint(again, [...args, "--format", `${format}:report`, "--fix-unsafe"]);
      expect(text(again, "report"), format).not.toMatch(/--fix(-unsafe)? applies/);
    }
    expect(vmlint(cwd, [...args, "--fix-unsafe"]).out).not.toContain("--fix-unsafe applies");
    expect(vmlint(cwd, args).out).not.toContain("--fix-unsafe applies");
  });

  test("--diff shows every fix and names it; --fix --diff shows what --fix applies", () => {
    const cwd = folder({ "a.vmx": PINNED, "b.vmx": TWICE });
    const { out, err } = vmlint(cwd, [...args, "--diff"]);
    expect(out).toMatch(
      /^# affinity\/ht-siblings: Pin to 8 cores: \S+ \(changes how the VM runs\)\n# {3}or: .+ \(changes how the VM runs\)\n--- a\/a\.vmx\n/,
    );
    expect(out).toMatch(/\n# vmx\/duplicate-key: [^()\n]+\n--- a\/b\.vmx\n/);
    expect(err).toBe("vmlint: 2 fixes, and 1 of them changes how the VM runs: --fix applies the other one, --fix-unsafe applies all.\n");
    const safe = vmlint(cwd, [...args, "--fix", "--diff"]).out;
    expect(safe).toContain("--- a/b.vmx\n");
    expect(safe).not.toContain("a.vmx");
    execFileSync("git", ["apply", "-p1", "-"], { cwd, input: out });
    expect([text(cwd, "a.vmx"), text(cwd, "b.vmx")]).toEqual([APART, ONCE]);
  });

  test("patch takes the comments, too", () => {
    const cwd = folder({ "a.vmx": PINNED, "b.vmx": TWICE });
    execFileSync("patch", ["-p1", "--quiet"], { cwd, input: vmlint(cwd, [...args, "--diff"]).out });
    expect([text(cwd, "a.vmx"), text(cwd, "b.vmx")]).toEqual([APART, ONCE]);
  });

  test.skipIf(!hasTerminal)("a terminal gets colours", async () => {
    const { stdout } = await inTerminal(folder({ "a.vmx": PINNED }), "--host dl580g7 --diff", []);
    expect(stdout).toContain("\u001b[31m-sched");
    expect(stdout).toContain("\u001b[32m+sched");
  });
});

describe("written files", () => {
  test("keeps mode, owner, byte order mark, line ends and every byte of another encoding", () => {
    const name = Buffer.from([0x93, 0xfa, 0x83, 0x5c, 0xff]);
    const bytes = (middle: string) =>
      Buffer.concat([
        Buffer.from('.encoding = "Shift_JIS"\r\ndisplayName = "'),
        name,
        Buffer.from(`"\r\nnumvcpus = "4"\r\n${middle}memSize = "4" # `),
        name,
      ]);
    const cwd = folder({
      "a.vmx": bytes('numvcpus = "4"\r\n'),
      "b.vmx": `\ufeff${TWICE}`,
      "c.vmx": Buffer.from(`\ufeff${TWICE}`, "utf16le"),
    });
    chmodSync(join(cwd, "a.vmx"), 0o640);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(join(cwd, "a.vmx"), 1234, 2345);
    expect(vmlint(cwd, ["--fix"]).code).toBe(0);
    expect(read(cwd, "a.vmx")).toEqual(bytes(""));
    expect(read(cwd, "b.vmx")).toEqual(Buffer.from(`\ufeff${ONCE}`));
    expect(read(cwd, "c.vmx")).toEqual(Buffer.from(`\ufeff${ONCE}`, "utf16le"));
    const { mode, uid, gid } = statSync(join(cwd, "a.vmx"));
    expect(mode & 0o7777).toBe(0o640);
    if (isRoot) expect([uid, gid]).toEqual([1234, 2345]);
  });

  test("a file's name may be as long as the system lets one be, and so may a report's", () => {
    const [name, report] = [".vmx", ".json"].map((ending) => ending.padStart(255, "n")) as [string, string];
    const cwd = folder({ [name]: TWICE });
    const { code, err } = vmlint(cwd, ["--fix", "--format", `json:${report}`]);
    expect([code, err]).toEqual([0, SAID.replace("a.vmx", name)]);
    expect(text(cwd, name)).toBe(ONCE);
    expect(readdirSync(cwd).sort()).toEqual([name, report].sort());
  });

  test("follows a link inside of the folder, but not out of it", () => {
    const outside = folder({ "b.vmx": TWICE });
    const cwd = folder({ "real/a.vmx": TWICE, "real/vmlint.yaml": "" });
    symlinkSync("real/a.vmx", join(cwd, "a.vmx"));
    symlinkSync(join(outside, "b.vmx"), join(cwd, "b.vmx"));
    const { code, err } = vmlint(cwd, ["a.vmx", "b.vmx", "--fix"]);
    expect([code, err]).toEqual([1, `${SAID}vmlint: b.vmx: not written: it is a link that leads out of the folder.\n`]);
    expect(lstatSync(join(cwd, "a.vmx")).isSymbolicLink()).toBe(true);
    expect([text(cwd, "real/a.vmx"), text(outside, "b.vmx")]).toEqual([ONCE, TWICE]);
    // vmlint edits files in a folder that is an argument.
    expect(vmlint(cwd, [outside, "b.vmx", "--fix"]).code).toBe(0);
    expect([text(outside, "b.vmx"), lstatSync(join(cwd, "b.vmx")).isSymbolicLink()]).toEqual([ONCE, true]);
  });

  test("a file with a second hard link is not changed, because the other link would keep the old text", () => {
    const cwd = folder({ "a.vmx": TWICE });
    linkSync(join(cwd, "a.vmx"), join(cwd, "a.bak"));
    expect(vmlint(cwd, ["--fix"])).toMatchObject({
      code: 1,
      err: "vmlint: a.vmx: not written: it has a second name (a hard link) that would keep the old text.\n",
    });
    expect([text(cwd, "a.vmx"), text(cwd, "a.bak")]).toEqual([TWICE, TWICE]);
  });

  test("a fix of two files is not made if one of them cannot be written; others are", () => {
    const main = `variable "cpus" {}\n# vmlint: workload=hana environment=production\n${resource("a", "var.cpus", 13).replace("4096", "524288\n  memory_reservation = 524288")}`;
    const texts = { "main.tf": main, "terraform.tfvars": "cpus = 26\n", "other.tf": resource("b", "12", 5) };
    const cwd = folder(texts);
    linkSync(join(cwd, "terraform.tfvars"), join(cwd, "kept"));
    const { err } = vmlint(cwd, ["--host", "2x24x2:768@8.0", "--fix-unsafe"]);
    expect(err).toContain("vmlint: terraform.tfvars: not written: it has a second name (a hard link) that would keep the old text.\n");
    expect(err).not.toContain("fixed hana/half-or-full-socket");
    expect([text(cwd, "main.tf"), text(cwd, "terraform.tfvars")]).toEqual([main, "cpus = 26\n"]);
    expect([text(cwd, "other.tf"), readdirSync(cwd).sort()]).toEqual([
      texts["other.tf"].replace("= 5", "= 4"),
      [...Object.keys(texts), "kept"].sort(),
    ]);
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a read-only file stays as it is, also in a folder that may be written",
    () => {
      const cwd = folder({ "a.vmx": TWICE });
      chmodSync(join(cwd, "a.vmx"), 0o444);
      expect(vmlint(cwd, ["--fix"])).toMatchObject({ code: 1, err: "vmlint: a.vmx: not written: it may not be written (EACCES).\n" });
    },
  );

  test("a file that changed or disappeared after reading is left alone", () => {
    const cwd = folder({ "a.vmx": "new" });
    const replace = (name: string) => replaceFile(join(cwd, name), Buffer.from("fixed"), Buffer.from("old"), [cwd]);
    expect([replace("a.vmx"), replace("b.vmx")]).toEqual(["it was changed meanwhile", "it is no longer there"]);
    expect([readdirSync(cwd), text(cwd, "a.vmx")]).toEqual([["a.vmx"], "new"]);
  });
});

test("a file that disappears during the check is named, and the rest is fixed", () => {
  const going = pluginOf(`bad: [], messages: { two: () => "" }, *check() { rmSync("a.vmx", { force: true }); }`);
  const plugin = { "define.mjs": defineRuleModule(), "p.mjs": `import { rmSync } from "node:fs";\n${going}` };
  const cwd = folder({ ...plugin, "a.vmx": TWICE, "b.vmx": TWICE });
  const { code, err } = spawned(cwd, ["--plugin", "./p.mjs", "--fix"]);
  expect(err).toBe(`vmlint: a.vmx: not written: it does not exist.\n${SAID.replace("a.vmx", "b.vmx")}`);
  expect([code, text(cwd, "b.vmx")]).toEqual([1, ONCE]);
});

test("two writers in one folder use different names, even if both are process 1 of a container", () => {
  expect(nameBeside("a.vmx")).not.toBe(nameBeside("a.vmx"));
});

/** How often a run is killed. */
const KILLS = Number(process.env.VMLINT_KILLS ?? 24);

test(`killed at any moment (${KILLS} times), it leaves each file old or new, never half`, { timeout: KILLS * 10_000 }, async () => {
  const lines = Array.from({ length: 50 }, (_, i) => `vmotion.svga.setting${i} = "${"7".repeat(4000)}"\r\n`);
  const old = Buffer.from(TWICE + lines.join(""));
  const fixed = Buffer.from(ONCE + lines.join(""));
  const files = Array.from({ length: 30 }, (_, i) => `vm-${String(i).padStart(2, "0")}.vmx`);
  const cwd = folder({});
  const inode = (name: string) => statSync(join(cwd, name)).ino;
  const seen = { old: 0, partly: 0, new: 0 };
  for (let i = 0; i < KILLS; i++) {
    for (const name of readdirSync(cwd)) rmSync(join(cwd, name));
    for (const name of files) writeFileSync(join(cwd, name), old);
    const before = inode("vm-00.vmx");
    const child = spawn(process.execPath, [COMMAND, "--fix"], { cwd, stdio: "ignore" });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    // Most are killed while files are being written, which the first new one shows; some before.
    if (i % 6 === 0) await setTimeout(Math.random() * 60);
    else while (child.exitCode === null && inode("vm-00.vmx") === before) await setImmediate();
    await setTimeout(Math.random() * 20 * (i % 6));
    child.kill("SIGKILL");
    await ended;
    const now = files.map((name) => read(cwd, name));
    expect(now.findIndex((bytes) => !bytes.equals(old) && !bytes.equals(fixed))).toBe(-1);
    const done = now.filter((bytes) => bytes.equals(fixed)).length;
    seen[done === 0 ? "old" : done === files.length ? "new" : "partly"]++;
    // A killed run may leave temporary files, but none with the name of a VM file.
    for (const name of readdirSync(cwd)) if (!files.includes(name)) expect(name).toMatch(/^\.\d+-\w+\.vmlint-tmp$/);
  }
  if (process.env.VMLINT_KILLS) process.stdout.write(`killed ${KILLS} times: ${JSON.stringify(seen)}\n`);
  expect(seen.partly).toBeGreaterThan(0);
  expect(vmlint(cwd, ["--fix"]).code).toBe(0);
  expect(files.filter((name) => !read(cwd, name).equals(fixed))).toEqual([]);
});

test.each([
  [["topology", "--fix"], "--fix only works with vmlint [PATH...] --fix."],
  [["--diff", "--format", "json"], "--diff excludes --format, --quiet, --max-warnings and --stats."],
])("vmlint %j is refused", (args, message) => {
  expect(vmlint(folder({}), args)).toEqual({
    code: 2,
    out: expect.stringMatching(/^$|"error"|"executionSuccessful": false/),
    err: `vmlint: ${message}\n`,
  });
});

test.each([
  ["EPERM", "linux", "its owner or mode cannot be kept (EPERM)"],
  ["EPERM", "win32", "it is read-only, or open in another program (EPERM)"],
  ["EACCES", "win32", "it is read-only, or open in another program (EACCES)"],
  ["EBUSY", "win32", "it is read-only, or open in another program (EBUSY)"],
  ["ENOSPC", "win32", "the disk is full"],
  ["EIO", "linux", "EIO"],
])("%s on %s gives the reason why a file is not written", (code, platform, reason) => {
  expect(whyNotWritten(code, platform)).toBe(reason);
});
