import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeVmx, lint, openWorkspace, rules } from "@vmlint/core";
import { parseConfig, readConfig } from "@vmlint/core/config";
import { openBaseline } from "@vmlint/core/editor";
import { formatsOf, isCrossVm, targetOf } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../site/playground/check.ts";
import { anySpecs, anyVmx } from "./support/arbitraries.ts";
import { checkThread } from "./support/check-thread.ts";
import { vmlint } from "./support/cli.ts";
import { editor } from "./support/editor.ts";
import { folder } from "./support/folder.ts";
import { type AnyVm, asOvf } from "./support/inventories.ts";

// The same text has the same findings, whichever way it is checked.

interface Found {
  readonly path: string;
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly vm: string | null;
  readonly range: { readonly start: { readonly offset: number }; readonly end: { readonly offset: number } };
}

const reportOf = (cwd: string, args: readonly string[]): readonly Found[] =>
  JSON.parse(vmlint(cwd, [...args, "--format", "json", "--fail-on", "never"]).out).diagnostics;

const said = (found: readonly Found[]) => found.map(({ path, ruleId, severity, vm }) => [path, ruleId, severity, vm]);

const HOST = "host: 2x12x2:256@8.0\n";
const vm = (name: string, vcpus: number | string, more = "") =>
  `resource "vsphere_virtual_machine" "${name}" {\n  name = "${name}"\n  num_cpus = ${vcpus}\n  num_cores_per_socket = 4\n  memory = 4096\n${more}}\n`;
const called = (source: string) => `module "m" {\n  source = "${source}"\n}\n`;
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

/** Returns the findings of an editor for the texts of a folder. */
async function inEditor(files: Readonly<Record<string, string>>, config = HOST) {
  const { type, check: checkOne } = editor(files, { config: parseConfig(config, "vmlint.yaml") });
  const found: (readonly [path: string, ruleId: string, severity: string, vm: string | null])[] = [];
  for (const path of Object.keys(files)) {
    await type(path);
    const checkup = await checkOne(path);
    for (const { ruleId, severity, vm: name } of checkup?.result.diagnostics ?? []) found.push([path.slice(1), ruleId, severity, name]);
    for (const [other, { diagnostics }] of checkup?.otherFiles ?? [])
      if (!(other in files)) found.push(...diagnostics.map((one) => [other.slice(1), one.ruleId, one.severity, one.vm] as const));
  }
  return found;
}

type Texts = Readonly<Record<string, string>>;

/** The texts below a folder. */
function textsIn(root: string): Texts {
  const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);
  const entries = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(root.length + 1).replaceAll("\\", "/"), decodeVmx(readFileSync(path), decode)]),
  );
}

type Row = readonly [path: string, start: number, end: number, ruleId: string, severity: string, message: string, vm: string | null];

const TODAY = new Date().toISOString().slice(0, 10);

const byCommand = (cwd: string): readonly Row[] =>
  reportOf(cwd, [".", "--no-gitignore"]).map(({ path, ruleId, severity, message, vm: name, range: { start, end } }) => [
    path,
    start.offset,
    end.offset,
    ruleId,
    severity,
    message,
    name,
  ]);

async function byLibrary(files: Texts, paths?: readonly string[]): Promise<readonly Row[]> {
  const { findings } = await openWorkspace({ files, today: TODAY }).check(paths);
  return findings.map(({ path, range: [start, end], ruleId, severity, message, vm: name }) => [
    path,
    start,
    end,
    ruleId,
    severity,
    message,
    name,
  ]);
}

/** Opens each file in an editor. */
async function byEditor(files: Texts): Promise<readonly Row[]> {
  const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/${path}`, text]));
  const configOf = async (folder: string) => {
    const place = ["vmlint.yaml", folder.slice(1) && `${folder.slice(1)}/vmlint.yaml`].findLast((path) => path && path in files);
    const base = place?.includes("/") ? folder : "/";
    const config = await readConfig(files[place ?? ""] ?? "{}", place ?? "vmlint.yaml", {
      read: async (path) => texts[posix.join(base, path)] ?? "",
      plugins: "ignored",
    });
    const baseline = files["vmlint-baseline.json"];
    return {
      config,
      folder: base,
      relative: (path: string) => path.slice(base === "/" ? 1 : base.length + 1),
      ...(baseline !== undefined && { baseline: openBaseline(baseline, "/vmlint-baseline.json") }),
    };
  };
  const { check: checkOne } = editor(texts, { configOf });
  const found = new Map<string, Row>();
  for (const path of Object.keys(texts)) {
    const checkup = await checkOne(path);
    const others = Array.from(checkup?.otherFiles ?? [], ([other, { diagnostics }]) => [other, diagnostics] as const);
    for (const [at, diagnostics] of [[path, checkup?.result.diagnostics ?? []] as const, ...others])
      for (const { range, ruleId, severity, message, vm: name } of diagnostics) {
        const row: Row = [at.slice(1), ...range, ruleId, severity, message, name];
        found.set(JSON.stringify(row), row);
      }
  }
  return [...found.values()];
}

const startThread = checkThread();

/** Checks each file of a folder on the disk in the thread of VS Code's extension. */
async function byThread(root: string, files: Texts): Promise<readonly Row[]> {
  const paths = Object.keys(files).map((path) => posix.join(root, path));
  const { call } = startThread(paths);
  await call("begin", { folders: [root], isTrusted: true, open: new Map() });
  const found = new Map<string, Row>();
  const overviews = await Promise.all(paths.map(async (path) => [path, await call("overview", path)] as const));
  for (const [path, overview] of overviews) {
    if (!overview || "problems" in overview) continue;
    const others = Array.from(overview.otherFiles, ([other, { diagnostics }]) => [other, diagnostics] as const);
    for (const [at, diagnostics] of [[path, overview.findings] as const, ...others])
      for (const { range, ruleId, severity, message, vm: name } of diagnostics) {
        const row: Row = [posix.relative(root, at), ...range, ruleId, severity, message, name];
        found.set(JSON.stringify(row), row);
      }
  }
  return [...found.values()];
}

const TOGETHER = new Set(rules.flatMap((rule) => (isCrossVm(rule) ? rule.id : [])));

/** The findings that an editor has: it shows nothing about a configuration. */
const inTexts = (rows: readonly Row[]): readonly string[] =>
  rows
    .filter(([path]) => path !== "vmlint.yaml")
    .map((row) => JSON.stringify(row))
    .sort();

const self = (type: string, value: string) => ({ type, value });

/** A host with 32 threads, as the API shows it. */
const DUMPED = {
  self: self("HostSystem", "host-1"),
  name: "esx01",
  parent: self("ComputeResource", "domain-s1"),
  hardware: {
    cpuInfo: { numCpuPackages: 2, numCpuCores: 16, numCpuThreads: 32, hz: 2_400_000_000 },
    memorySize: 512 * 2 ** 30,
    numaInfo: { numNodes: 2, numaNode: [] },
  },
  config: { hyperThread: { active: true }, product: { name: "VMware ESXi", productLineId: "embeddedEsx", version: "8.0.2" } },
};

/** A VM on it. */
const dumped = ({ name, vcpus, memoryMiB }: { readonly name: string; readonly vcpus: number; readonly memoryMiB: number }) => ({
  self: self("VirtualMachine", "vm-1"),
  name,
  runtime: { powerState: "poweredOn", host: DUMPED.self },
  config: { name, version: "vmx-20", hardware: { numCPU: vcpus, memoryMB: memoryMiB, numCoresPerSocket: 1, device: [] } },
});

describe("the command, the library, the editor and the thread of VS Code's extension", () => {
  const examples = fileURLToPath(new URL("../examples", import.meta.url));
  const shown = readdirSync(examples).filter((name) => readdirSync(join(examples, name)).includes("vmlint.yaml"));

  test.each(shown)("examples/%s", async (name) => {
    const files = textsIn(join(examples, name));
    const found = await byLibrary(files);
    expect(found).toEqual(byCommand(join(examples, name)));
    expect(inTexts(await byEditor(files))).toEqual(inTexts(found));
    expect(inTexts(await byThread(join(examples, name), files))).toEqual(inTexts(found));
  });

  test("the well-shaped VMs are silent", async () => {
    const files = textsIn(fileURLToPath(new URL("well-shaped", import.meta.url)));
    expect(await byLibrary(files)).toEqual([]);
    expect(await byEditor(files)).toEqual([]);
  });

  const COMMENTS = ["", "# vmlint-disable-file cpu/cps-divides -- later\n", "# vmlint-disable-next-line -- later\n"];
  const CONFIGS = [
    "host: 2x12x2:256@8.0\n",
    "host: 2x12x2:256@8.0\nextends: [all]\n",
    'host: 2x12x2:256@8.0\nsuppress: [{ vm: "*", rule: numa/wide-uneven, reason: old }]\n',
    'hosts: { esx01: { sockets: 2, coresPerSocket: 12, threadsPerCore: 2, memoryGiB: 256, esxi: "8.0", runs: ["vm-*"] } }\nextends: [all]\n',
  ];
  const root = (vcpus: number, comment: string) =>
    `variable "cores" {}\n${comment}resource "vsphere_virtual_machine" "x" {\n  name = "x"\n  num_cpus = ${vcpus}\n  num_cores_per_socket = var.cores\n  memory = 4096\n}\n`;
  const anyFiles = fc
    .record({
      vmx: fc.array(anyVmx, { minLength: 1, maxLength: 3 }),
      specs: anySpecs,
      vcpus: fc.integer({ min: 1, max: 40 }),
      comment: fc.constantFrom(...COMMENTS),
      config: fc.constantFrom(...CONFIGS),
    })
    .map(({ vmx, specs, vcpus, comment, config }): Texts => {
      const machines = vmx.map((text, i) => [`${i}.vmx`, `${comment}displayName = "vm-${i}"\n${text}\n`]);
      const project = { "tf/main.tf": root(vcpus, comment), "tf/terraform.tfvars": "cores = 4\n" };
      return { ...Object.fromEntries(machines), "specs.yaml": specs, ...project, "vmlint.yaml": config };
    });

  const ESX01 = 'esx01: { sockets: 2, coresPerSocket: 12, threadsPerCore: 2, memoryGiB: 256, esxi: "8.0", runs: ["vm-*"] }';
  const SHARED = [
    `hosts: { ${ESX01} }\nextends: [all]\n`,
    `hosts: { ${ESX01} }\nsuppress: [{ vm: "vm-1", rule: affinity/overlap, reason: old }, { rule: spec/contradiction, vm: "vm-2", reason: old }]\n`,
    "host: 2x12x2:256@8.0\n",
    "extends: [all]\n",
  ];
  const anyName = fc.constantFrom("vm-0", "vm-1", "vm-2", "lone");
  const anyVm = fc.record({
    name: anyName,
    vcpus: fc.constantFrom(2, 4, 8, 24),
    memoryMiB: fc.constantFrom(4096, 131072),
    pins: fc.constantFrom("0,2,4,6,8,10,12,14", "16-23", "0-23"),
    comment: fc.constantFrom("", "", "# vmlint-disable-file affinity/overlap, spec/contradiction -- later\n"),
  });
  type Machine = typeof anyVm extends fc.Arbitrary<infer T> ? T : never;
  const hclVm = ({ name, vcpus, memoryMiB, pins }: Machine, label: string) =>
    `resource "vsphere_virtual_machine" "${label}" {\n  name = "${name}"\n  num_cpus = ${vcpus}\n  memory = ${memoryMiB}\n  extra_config = { for i in range(${vcpus}) : "sched.vcpu${"${i}"}.affinity" => "${pins}" }\n}\n`;
  const calling = ({ name, vcpus }: Machine) => `module "m" {\n  source = "../modules/vm"\n  name = "${name}"\n  cpus = ${vcpus}\n}\n`;
  const MODULE = `variable "name" {}\nvariable "cpus" {}\nresource "vsphere_virtual_machine" "m" {\n  name = var.name\n  num_cpus = var.cpus\n  memory = 8192\n  extra_config = { for i in range(var.cpus) : "sched.vcpu${"${i}"}.affinity" => "0-23" }\n}\n`;
  /** The same few VMs in files of several formats, which belong to each other or not. */
  const anyEstate = fc
    .record({
      vms: fc.array(anyVm, { minLength: 9, maxLength: 9 }),
      left: fc.subarray(["tf", "live", "vmx", "yaml", "dump"], { minLength: 1 }),
    })
    .chain(({ vms, left }) => fc.constantFrom(...SHARED).map((config) => ({ vms, left, config })))
    .map(({ vms, left, config }): Texts => {
      const [a, b, c, d, e, f, g, h, i] = vms as [Machine, Machine, Machine, Machine, Machine, Machine, Machine, Machine, Machine];
      const vmxOf = ({ name, vcpus, memoryMiB, pins, comment }: Machine) =>
        `${comment}displayName = "${name}"\nvirtualHW.version = "19"\nnumvcpus = "${vcpus}"\nmemSize = "${memoryMiB}"\nsched.cpu.affinity = "${pins}"\n`;
      const parts: Readonly<Record<string, Texts>> = {
        tf: {
          "tf/main.tf": `${a.comment}${hclVm(a, "a")}`,
          "tf/more.tf": `${hclVm(b, "b").replace(/num_cpus = \d+/, "num_cpus = var.c")}variable "c" {}\n`,
          "tf/terraform.tfvars": `c = ${b.vcpus}\n`,
        },
        live: { "live/main.tf": calling(c), "test/main.tf": calling(d), "modules/vm/main.tf": MODULE },
        vmx: { "vmx/e.vmx": vmxOf(e), "vmx/f.vmx": vmxOf(f) },
        yaml: {
          "play.yml": `- hosts: all\n  tasks:\n    - vmware_guest:\n        name: ${g.name}\n        hardware: { num_cpus: ${g.vcpus}, memory_mb: ${g.memoryMiB} }\n`,
          "spec.yaml": `${h.comment}apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: ${h.name} }\nspec: { vcpus: ${h.vcpus}, memoryMiB: ${h.memoryMiB}, advanced: { sched.cpu.affinity: "${h.pins}" } }\n`,
        },
        dump: { "dump.json": JSON.stringify({ hostSystems: [DUMPED], virtualMachines: [dumped(i)] }) },
      };
      return { ...Object.assign({}, ...left.map((part) => parts[part])), "vmlint.yaml": config };
    });

  /** Fixes files by the library until a check has nothing more to fix: a fix may let a check run that was skipped before. */
  const fixed = async (files: Texts, unsafe: boolean): Promise<Texts> => {
    const workspace = openWorkspace({ files, today: TODAY });
    const { texts } = await workspace.fix((await workspace.check()).findings, { unsafe });
    return texts.size === 0 ? files : fixed({ ...files, ...Object.fromEntries(texts) }, unsafe);
  };

  test("random workspaces: findings", async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, async (files) => {
        const found = await byLibrary(files);
        const cwd = folder(files);
        expect(found).toEqual(byCommand(cwd));
        expect(inTexts(await byEditor(files))).toEqual(inTexts(found));
        expect(inTexts(await byThread(cwd, files))).toEqual(inTexts(found));
      }),
      { numRuns: 10 },
    );
  });

  test("random workspaces: files about the same VMs and machines", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyEstate, async (files) => {
        const found = await byLibrary(files);
        for (const [, , , ruleId] of found) seen.add(ruleId);
        expect(inTexts(await byEditor(files))).toEqual(inTexts(found));
      }),
      { numRuns: 30 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(["affinity/overlap", "spec/contradiction"]));
  });

  test("random workspaces: a baseline, then the fixes", async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, fc.boolean(), async (files, unsafe) => {
        const cwd = folder(files);
        vmlint(cwd, ["tf", "--update-baseline"]);
        const known = textsIn(cwd);
        const found = await byLibrary(known);
        expect(found).toEqual(byCommand(cwd));
        expect(inTexts(await byEditor(known))).toEqual(inTexts(found));
        vmlint(cwd, [".", unsafe ? "--fix-unsafe" : "--fix"]);
        expect(await fixed(known, unsafe)).toEqual(textsIn(cwd));
      }),
      { numRuns: 6 },
    );
  });

  test("a fix that lies in terraform.tfvars", async () => {
    const files = { "main.tf": root(8, ""), "terraform.tfvars": "cores = 3\n", "vmlint.yaml": HOST };
    const workspace = openWorkspace({ files });
    const { texts, edits } = await workspace.fix((await workspace.check()).findings, { unsafe: true });
    const cwd = folder(files);
    vmlint(cwd, [".", "--fix-unsafe"]);
    expect([...texts]).toEqual([["terraform.tfvars", readFileSync(join(cwd, "terraform.tfvars"), "utf8")]]);
    expect(edits.get("terraform.tfvars")?.newText).toMatch(/^\d$/);
    const { check: checkOne } = editor({ "/main.tf": files["main.tf"], "/terraform.tfvars": files["terraform.tfvars"] });
    const offered = (await checkOne("/main.tf"))?.result.diagnostics.flatMap(({ fixes }) => fixes.flatMap((fix) => fix.edits));
    expect(offered?.map(({ path }) => path)).toContain("/terraform.tfvars");
  });

  const hana = (head: string) =>
    `${head}# vmlint: workload=hana environment=production\nresource "vsphere_virtual_machine" "a" {\n  name = "a"\n  num_cpus = var.cpus\n  num_cores_per_socket = 13\n  memory = 524288\n}\n`;
  const called = `module "m" {\n  source = "../m"\n  cpus   = 26\n}\n`;
  test.each<[what: string, files: Texts, paths: readonly string[], changed: readonly string[]]>([
    [
      "in two files",
      { "main.tf": hana('variable "cpus" {}\n'), "terraform.tfvars": "cpus = 26\n" },
      ["."],
      ["main.tf", "terraform.tfvars"],
    ],
    [
      "in a module and its caller",
      { "env/main.tf": called, "m/main.tf": hana('variable "cpus" {}\n') },
      ["."],
      ["env/main.tf", "m/main.tf"],
    ],
    ["in a module that was not asked for", { "env/main.tf": called, "m/main.tf": hana('variable "cpus" {}\n') }, ["env"], []],
  ])("a fix that lies %s", async (_, texts, paths, changed) => {
    const files = { ...texts, "vmlint.yaml": "host: 2x24x2:768@8.0\n" };
    const workspace = openWorkspace({ files });
    const { findings } = await workspace.check(paths);
    const fixed = await workspace.fix(findings, { unsafe: true, paths });
    const cwd = folder(files);
    vmlint(cwd, [...paths, "--fix-unsafe"]);
    expect([...fixed.texts.keys()].sort()).toEqual(changed);
    expect({ ...files, ...Object.fromEntries(fixed.texts) }).toEqual(textsIn(cwd));
  });

  test("VMs of one machine in one file", async () => {
    const spec = (name: string) => `  - { metadata: { name: ${name} }, spec: { vcpus: 4, advanced: { sched.cpu.affinity: "0,2,4,6" } } }\n`;
    const files = {
      "specs.yaml": `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n${spec("a")}${spec("b")}`,
      "vmlint.yaml": 'hosts: { esx01: { sockets: 2, coresPerSocket: 12, memoryGiB: 256, esxi: "8.0", runs: ["*"] } }\n',
    };
    const found = await byLibrary(files);
    expect(found.filter(([, , , ruleId]) => TOGETHER.has(ruleId))).not.toEqual([]);
    expect(await byEditor(files)).toEqual(found);
    expect(byCommand(folder(files))).toEqual(found);
    const target = targetOf(parseConfig(files["vmlint.yaml"], "vmlint.yaml"), undefined);
    expect(
      lint(files["specs.yaml"], { format: yaml, target: (spec) => target(spec, () => "specs.yaml") }).diagnostics.map(
        ({ ruleId, message }) => [ruleId, message],
      ),
    ).toEqual(found.map(([, , , ruleId, , message]) => [ruleId, message]));
  });
});

test("a VM on a host that an inventory lists, in the same file or in others", async () => {
  const machine = dumped({ name: "a", vcpus: 40, memoryMiB: 8192 });
  const one = { "all.json": JSON.stringify({ hostSystems: [DUMPED], virtualMachines: [machine] }) };
  const two = { "hosts.json": JSON.stringify({ hostSystems: [DUMPED] }), "vms.json": JSON.stringify({ virtualMachines: [machine] }) };
  const beside = { "hosts.json": two["hosts.json"], "tf/main.tf": vm("a", 40, '  host_system_id = "host-1"\n') };
  for (const files of [one, two, beside]) {
    const found = await byLibrary(files);
    expect(found.map(([, , , ruleId]) => ruleId)).toContain("cpu/exceeds-host-threads");
    expect(byCommand(folder(files))).toEqual(found);
    expect(await byEditor(files)).toEqual(found);
  }
});

test("a run with some of the rules knows the others in comments", async () => {
  const text = '# vmlint-disable-file cpu/cps-divides -- later\nvirtualHW.version = "19"\nnumvcpus = "4"\ncpuid.coresPerSocket = "3"\n';
  const some = rules.filter(({ id }) => id !== "cpu/cps-divides");
  expect(lint(text, { rules: some }).diagnostics).toEqual([]);
  expect((await openWorkspace({ files: { "a.vmx": text }, rules: some }).check()).findings).toEqual([]);
  expect(lint(text.replace("cpu/cps-divides ", ""), { rules: some }).diagnostics).toEqual([]);
});

test("a comment that disables a rule counts for every caller", async () => {
  const text = '# vmlint-disable-file cpu/cps-divides -- later\nvirtualHW.version = "19"\nnumvcpus = "4"\ncpuid.coresPerSocket = "3"\n';
  expect(lint(text).diagnostics).toEqual([]);
  expect(lint(text).suppressed.map(({ diagnostic }) => diagnostic.ruleId)).toEqual(["cpu/cps-divides"]);
  expect((await openWorkspace({ files: { "a.vmx": text } }).check()).findings).toEqual([]);
  expect(reportOf(folder({ "a.vmx": text }), ["."])).toEqual([]);
  expect(await inEditor({ "/a.vmx": text }, "{}\n")).toEqual([]);
  const asked = { host: "", esxi: "", preset: "recommended", scheme: "light", today: "2026-01-01" } as const;
  expect((await check({ ...asked, text, file: "a.vmx" })).findings).toEqual([]);
});

describe("which format a text is of", () => {
  const resource = { x: { name: "x", num_cpus: 6, num_cores_per_socket: 4, memory: 4096 } };
  const words = { controlPlane: "vmware_guest, vmlint.dev/v1" };
  const terraform = JSON.stringify({ locals: words, resource: { vsphere_virtual_machine: resource } });
  const template = JSON.stringify({
    variables: words,
    builders: [{ type: "vsphere-iso", vm_name: "x", CPUs: 6, cpu_cores: 4, RAM: 4096 }],
  });

  test.each([
    ["main.tf.json", terraform],
    ["main.tofu.json", terraform],
    ["template.json", template],
  ])("%s is no YAML for a word in it", async (name, text) => {
    const cwd = folder({ [name]: text, "vmlint.yaml": HOST });
    const expected = [[name, "cpu/cps-divides"]];
    expect(reportOf(cwd, ["."]).map(({ path, ruleId }) => [path, ruleId])).toEqual(expected);
    expect(reportOf(cwd, [name]).map(({ path, ruleId }) => [path, ruleId])).toEqual(expected);
    expect((await inEditor({ [`/${name}`]: text })).map(([path, ruleId]) => [path, ruleId])).toEqual(expected);
  });

  const vmx = 'virtualHW.version = "19"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\nmemSize = "8192"\n';
  const table = "Name,CPUs,Memory MiB,Sockets of\nvm1,6,8192,4\n";
  const lines = '{"Name":"vm1","CPUs":6,"Memory MiB":8192,"Sockets of":4}\n';
  const dict = `2026-11-01T10:00:00.000Z In(05) vmx DICT --- CONFIGURATION /vmfs/a.vmx\n${vmx.replace(/^(.*) = (.*)$/gm, "2026-11-01T10:00:00.000Z In(05) vmx DICT $1 = $2")}`;
  const columns = 'columns: { name: Name, vcpus: CPUs, memoryMiB: Memory MiB, coresPerSocket: "Sockets of" }\n';

  test.each([
    ["table.csv", table],
    ["table.jsonl", lines],
    ["vmware.log", dict],
    ["notes.log", "nothing of a VM\n"],
    ["a.vmx", vmx],
    ["a.txt", vmx],
    ["main.tf", vm("x", 6)],
    ["none.tf", "locals {}\n"],
    ["a.tfvars", "x = 1\n"],
    ["plan.json", '{ "a": 1 }'],
    ["terraform.tfstate", "{}"],
    ["a.yaml", "a: 1\n"],
    ["template.json", template],
    ["a.ovf", "<Envelope/>"],
  ])("%s counts in a folder and by its name for the command and the library", async (name, text) => {
    const files = { [name]: text, "vmlint.yaml": columns };
    const cwd = folder(files);
    for (const path of [".", name]) {
      const { findings, vms } = await openWorkspace({ files }).check([path]);
      const { diagnostics, summary } = JSON.parse(vmlint(cwd, [path, "--format", "json", "--fail-on", "never"]).out);
      expect([path, vms.length, findings.map(({ ruleId }) => ruleId)]).toEqual([
        path,
        summary.vms,
        diagnostics.map(({ ruleId }: Found) => ruleId),
      ]);
    }
  });

  test("the longest ending counts", () => {
    expect(formatsOf("a.tf.json").map(({ name }) => name)).toEqual(["terraform"]);
    expect(formatsOf("a.pkr.json").map(({ name }) => name)).toEqual(["packer"]);
    expect(formatsOf("a.b.json").map(({ name }) => name)).toEqual(["plans", "yaml", "powercli", "govc"]);
  });
});

test("a descriptor that goes by the name of a package", async () => {
  const latency: AnyVm = { name: "a", vcpus: 8, memoryMiB: 4096, hardwareVersion: 19, latency: "high", advanced: {}, scsi: [], nics: [] };
  for (const text of [asOvf(latency), asOvf(latency).slice(0, -40), "no XML"]) {
    const found = said(reportOf(folder({ "a.ova": text, "vmlint.yaml": HOST }), ["."]));
    expect(found.length > 0).toBe(text !== "no XML");
    expect(await inEditor({ "/a.ova": text })).toEqual(found);
  }
});

test("comments of a text without a VM are not reported", async () => {
  const text = "# vmlint-disable-file no/such\nnotes: kept\n";
  const spec = `${text}see: vmlint.dev/\n`;
  const cwd = folder({ "a.vmx": text, "a.yaml": spec, "vmlint.yaml": "extends: [all]\n" });
  expect([reportOf(cwd, ["."]), reportOf(cwd, ["a.vmx", "a.yaml"])]).toEqual([[], []]);
  expect(await inEditor({ "/a.vmx": text, "/a.yaml": spec })).toEqual([]);
  const asked = { host: "", esxi: "", preset: "all", scheme: "light", today: "2026-01-01" } as const;
  expect((await check({ ...asked, text, file: "a.vmx" })).findings).toEqual([]);
});

describe("an error in one of several files", () => {
  const CONFIG = `${HOST}overrides:\n  - { files: ["b/**"], rules: { spec/syntax: info } }\n`;
  const files = {
    "a/main.tf": `${vm("x", 4)}x = = 1\n`,
    "b/main.tf": `${vm("y", 4)}x = = 1\n`,
    "b/values.tf": 'module "none" {\n  = = 1\n}\n',
  };

  test("concerns its own VM, as its own configuration says", async () => {
    const cwd = folder({ ...files, "vmlint.yaml": CONFIG });
    const expected = [
      ["a/main.tf", "spec/syntax", "error", "vsphere_virtual_machine.x"],
      ["b/main.tf", "spec/syntax", "info", "vsphere_virtual_machine.y"],
      ["b/values.tf", "spec/syntax", "info", null],
    ];
    expect(said(reportOf(cwd, ["."]))).toEqual(expected);
    for (const one of expected.slice(0, 2))
      expect(said(reportOf(cwd, [String(one[0])])).filter(([path]) => path === one[0])).toEqual([one]);
    const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/${path}`, text]));
    expect(await inEditor(texts, CONFIG)).toEqual(expected);
  });

  test.each([
    ["a.json", '{"numCPUs": 4, "virtualMachines": [', "inventory/unreadable"],
    ["a.ovf", '<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1"><a></Envelope>', "inventory/unreadable"],
  ])("%s without a VM follows its configuration, too", async (name, text, rule) => {
    const config = `rules: { ${rule}: off }\n`;
    expect(reportOf(folder({ [name]: text, "vmlint.yaml": "{}\n" }), ["."]).map(({ ruleId }) => ruleId)).toEqual([rule]);
    expect(reportOf(folder({ [name]: text, "vmlint.yaml": config }), ["."])).toEqual([]);
    expect(await inEditor({ [`/${name}`]: text }, config)).toEqual([]);
  });

  test("a suppression of an unchecked rule is not reported as unused, in any order of files", () => {
    const comment = "# vmlint-disable-file numa/wide-uneven -- later\n";
    const cwd = folder({ "a.tf": vm("x", 4), "b.tf": `${comment}${vm("y", 4)}` });
    expect(reportOf(cwd, ["b.tf"])).toEqual([]);
    expect(reportOf(cwd, ["."])).toEqual([]);
  });

  test("a module that two roots call by one name is reported once", () => {
    const cwd = folder({ "a/main.tf": called("../m"), "b/main.tf": called("../m"), "m/main.tf": vm("x", 6), "vmlint.yaml": HOST });
    expect(said(reportOf(cwd, ["."]))).toEqual([["m/main.tf", "cpu/cps-divides", "error", "module.m.vsphere_virtual_machine.x"]]);
  });
});

describe("encodings", () => {
  test("a byte order mark that the caller left in a text does not count as indentation", () => {
    const play = "- vmware_guest:\n    name: sql01\n    hardware: { num_cpus: 6, num_cpu_cores_per_socket: 4 }\n";
    const [plain, marked] = [play, `\ufeff${play}`].map((text) => lint(text, { format: yaml }).diagnostics);
    expect(plain?.map(({ ruleId }) => ruleId)).toEqual(["cpu/cps-divides"]);
    expect(marked?.map(({ ruleId, range: [start, end] }) => [ruleId, start - 1, end - 1])).toEqual(
      plain?.map(({ ruleId, range }) => [ruleId, ...range]),
    );
  });

  test("a sibling file is read in UTF-16, like the file itself", () => {
    const cwd = folder({
      "main.tf": utf16(`${vm("x", "var.c")}variable "c" {}\n`),
      "terraform.tfvars": utf16("c = 6\n"),
      "vmlint.yaml": HOST,
    });
    expect(said(reportOf(cwd, ["."]))).toEqual([["main.tf", "cpu/cps-divides", "error", "vsphere_virtual_machine.x"]]);
  });
});

describe("an editor", () => {
  test("skips ignored files around the open text", async () => {
    const files = { "/main.tf": vm("x", "local.c"), "/extra.tf": `locals {\n  c = 6\n}\n${vm("y", 10)}` };
    const config = `${HOST}ignore: [extra.tf]\n`;
    const cwd = folder({ "main.tf": files["/main.tf"], "extra.tf": files["/extra.tf"], "vmlint.yaml": config });
    const { check: checkOne } = editor(files, { config: parseConfig(config, "vmlint.yaml") });
    const open = await checkOne("/main.tf");
    expect(open?.result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(reportOf(cwd, ["."]).map(({ ruleId }) => ruleId));
    expect([...(open?.otherFiles.keys() ?? [])]).toEqual([]);
  });

  test("shows findings in an ignored module, because it is part of the VM that calls it, open or not", async () => {
    const files = { "/main.tf": called("./m"), "/m/main.tf": vm("x", 6) };
    const config = `${HOST}ignore: [m/**]\n`;
    const cwd = folder({ "main.tf": files["/main.tf"], "m/main.tf": files["/m/main.tf"], "vmlint.yaml": config });
    const expected = [["m/main.tf", "cpu/cps-divides", "error", "module.m.vsphere_virtual_machine.x"]];
    expect(said(reportOf(cwd, ["."]))).toEqual(expected);
    expect(await inEditor(files, config)).toEqual(expected);
    expect(await inEditor({ "/m/main.tf": files["/m/main.tf"] }, config)).toEqual([]);
  });

  test.each([
    ["in a comment", `# ${called("./m").replaceAll("\n", "\n# ")}\n`],
    ["in what cannot be read", `${called("./m").replace("}", "")}`.replace('"m" {', '"m" = = {')],
  ])("checks a module whose only call is %s", async (_, main) => {
    const cwd = folder({ "main.tf": main, "m/main.tf": vm("x", 6), "vmlint.yaml": HOST });
    const module = said(reportOf(cwd, ["."])).filter(([path]) => path === "m/main.tf");
    expect(module.length).toBeGreaterThan(0);
    const found = await inEditor({ "/main.tf": main, "/m/main.tf": vm("x", 6) });
    expect(found.filter(([path]) => path === "m/main.tf")).toEqual(module);
  });
});

/** Files other people wrote: see `corpus.test.ts`. */
const corpus = process.env.VMLINT_CORPUS;

describe.skipIf(!corpus)("files of public repositories", () => {
  test("have the same findings in an editor as by the command", async () => {
    const root = join(corpus ?? "", "files");
    const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => formatsOf(path).length > 0);
    const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);
    const texts = Object.fromEntries(paths.map((path) => [`/${path}`, decodeVmx(readFileSync(join(root, path)), decode)]));
    const config = "host: dl580g7\nextends: [all]\n";
    const { check: checkOne } = editor(texts, { config: parseConfig(config, "vmlint.yaml") });
    const found: unknown[] = [];
    for (const path of Object.keys(texts)) {
      const diagnostics = (await checkOne(path))?.result.diagnostics ?? [];
      found.push(...diagnostics.map(({ ruleId, message, range, vm: name }) => [path.slice(1), ruleId, message, ...range, name]));
    }
    const cwd = folder({ "vmlint.yaml": config });
    const report = reportOf(root, [".", "--no-gitignore", "--config", join(cwd, "vmlint.yaml")]).filter(
      ({ ruleId }) => !TOGETHER.has(ruleId),
    );
    const expected = report.map(({ path, ruleId, message, range, vm: name }) => [
      path,
      ruleId,
      message,
      range.start.offset,
      range.end.offset,
      name,
    ]);
    expect(expected.length).toBeGreaterThan(10);
    const sorted = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).sort();
    expect(sorted(found)).toEqual(sorted(expected));
  });
});

describe("vCPUs that are pinned one by one", () => {
  type Pins = Readonly<Record<string, string>>;
  const keys = (pins: Pins, item: (key: string, value: string) => string, between = ", "): string =>
    Object.entries(pins)
      .map(([key, value]) => item(key, value))
      .join(between);
  const options = (pins: Pins): string => keys(pins, (key, value) => JSON.stringify({ key, value }));
  const map = (pins: Pins): string => `{ ${keys(pins, (key, value) => `"${key}" = "${value}"`)} }`;
  const allocations = '"cpuAllocation":{"reservation":0,"limit":-1},"memoryAllocation":{"reservation":0,"limit":-1}';
  const texts: Readonly<Record<string, (pins: Pins) => string>> = {
    "a.vmx": (pins) => `virtualHW.version = "19"\nnumvcpus = "4"\n${keys(pins, (key, value) => `${key} = "${value}"\n`, "")}`,
    "a.json": (pins) =>
      `{"virtualMachines":[{"name":"a","config":{"version":"vmx-19",${allocations},"hardware":{"numCPU":4,"numCoresPerSocket":1,"memoryMB":4096},"extraConfig":[${options(pins)}]}}]}`,
    "a.ovf": (pins) => asOvf({ name: "a", vcpus: 4, memoryMiB: 4096, hardwareVersion: 19, advanced: pins, scsi: [], nics: [] }),
    "main.tf": (pins) => vm("a", 4, `  extra_config = ${map(pins)}\n`),
    "iso.pkr.hcl": (pins) => `source "vsphere-iso" "a" {\n  CPUs = 4\n  RAM = 4096\n  configuration_parameters = ${map(pins)}\n}\n`,
    "desktop.pkr.hcl": (pins) =>
      `source "vmware-iso" "a" {\n  cpus = 4\n  remote_type = "esx5"\n  vmx_data = ${map({ ...pins, "virtualhw.version": "19" })}\n}\n`,
    "spec.yaml": (pins) =>
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\nspec:\n  vcpus: 4\n  advanced: { ${keys(pins, (key, value) => `${key}: "${value}"`)} }\n`,
    "play.yaml": (pins) =>
      `- hosts: localhost\n  tasks:\n    - vmware_guest:\n        name: a\n        hardware: { num_cpus: 4, num_cpu_cores_per_socket: 1, memory_mb: 4096, version: 19 }\n        advanced_settings: [${options(pins)}]\n`,
  };
  const pinned = (values: readonly string[]): Pins =>
    Object.fromEntries(values.map((value, vcpu) => [`sched.vcpu${vcpu}.affinity`, value] as const));
  const HYPERTHREADS = pinned(["0", "1", "2", "3"]);
  const args = ["--host", "2x20x2:512@8.0"];

  test.each(Object.entries(texts))("%s", (name, textOf) => {
    const run = (pins: Pins) => {
      const cwd = folder({ [name]: textOf(pins) });
      const [vm] = JSON.parse(vmlint(cwd, ["topology", name, ...args, "--format", "json"]).out).vms;
      return { affinity: vm.spec.cpuAffinity, isManaged: vm.topology?.numaManaged ?? false, found: reportOf(cwd, [name, ...args]) };
    };
    const { affinity, isManaged, found } = run(HYPERTHREADS);
    expect([affinity, isManaged, found.map(({ ruleId }) => ruleId)]).toEqual([
      [0, 1, 2, 3],
      false,
      expect.arrayContaining(["affinity/ht-siblings"]),
    ]);
    // No option of them holds what a fix of the whole would write.
    const cwd = folder({ [name]: textOf(HYPERTHREADS) });
    expect(vmlint(cwd, [name, ...args, "--diff", "--fix-unsafe"]).out).not.toContain("affinity");
    const some = { unknown: "some of its vCPUs are pinned and some are not" };
    expect(run(pinned(["0", "1"])).affinity).toEqual(some);
    expect(run({ "sched.vcpu1.affinity": "1" }).affinity).toEqual(some);
    expect(run(pinned(["all", "all", "all", "all"])).affinity).toBeNull();
  });
});
