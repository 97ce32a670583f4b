import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseConfig } from "@vmlint/core/config";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

type Files = Readonly<Record<string, string>>;

/** A kind of hint: an input that gets it, and values where the hint leaves them to the reader. */
interface Case {
  readonly kind: string;
  readonly files: Files;
  readonly args?: readonly string[];
  readonly hint: RegExp;
  /** Replaces VALUE, and examples that are not true of the input. */
  readonly values?: Readonly<Record<string, string>>;
  /** The files that a person writes, if the hint names a place or an export. */
  readonly written?: Files;
}

const HOST = ["--host", "2x8x2:256@8.0"];
const vmx = (more = "", name = "a") =>
  `displayName = "${name}"\nvirtualHW.version = "19"\nguestOS = "ubuntu-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "16384"\n${more}`;
const TWELVE = vmx().replaceAll('"8"', '"12"');
const LIMIT = 'sched.cpu.max = "20000"\n';
const HANA = "# vmlint: workload=hana\n";

const tf = (body: string, more = "") =>
  `${more}resource "vsphere_virtual_machine" "vm" {\n  name = "vm"\n  guest_id = "ubuntu64Guest"\n  firmware = "efi"\n  hardware_version = 19\n${body}}\n`;
const SIZE = "  num_cpus = 8\n  num_cores_per_socket = 8\n  memory = 16384\n";
const capv = (template: string, name = "worker", more = "") =>
  `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata: { name: ${name} }\nspec:\n  template:\n    spec:\n      template: ${template}\n      numCPUs: 8\n      numCoresPerSocket: 8\n      memoryMiB: 16384\n${more}`;
const task = (size: string, more = "") =>
  `- vmware_guest:\n    name: a\n    guest_id: ubuntu64Guest\n${more}    hardware: { ${size}, version: 19 }\n`;
const packer = (body: string, more = "") =>
  `${more}source "vsphere-iso" "a" {\n  vm_name = "a"\n  guest_os_type = "ubuntu64Guest"\n  vm_version = 19\n${body}}\n`;
const INFO = "VM,Powerstate,CPUs,Memory,Cores p/s,Sockets,HW version,Host,OS according to the configuration file\n";
const ROW = "a,poweredOn,8,16384,8,1,19,esx1,Ubuntu Linux (64-bit)\n";
const HOSTS = "Host,# CPU,Cores per CPU,# Cores,HT Available,HT Active,# Memory,ESX Version,Speed\n";
const ESX1 = "esx1,2,8,16,True,True,262144,VMware ESXi 8.0.2 build-1,2400\n";

const CASES: readonly Case[] = [
  { kind: "no host: .vmx", files: { "a.vmx": vmx() }, hint: /name the host/ },
  { kind: "no host: Terraform", files: { "main.tf": tf(SIZE) }, hint: /name the host/ },
  {
    kind: "no host: Ansible",
    files: { "a.yaml": task("num_cpus: 8, num_cpu_cores_per_socket: 8, memory_mb: 16384") },
    hint: /name the host/,
  },
  {
    kind: "no host: libvirt",
    files: {
      "a.xml":
        "<domain type='kvm'><name>a</name><memory unit='GiB'>8</memory><vcpu>2</vcpu><cputune><vcpupin vcpu='0' cpuset='0'/><vcpupin vcpu='1' cpuset='2'/></cputune><os><type>hvm</type></os></domain>",
      "node.txt": `# CPU,Core,Socket,Node\n${[0, 1, 2, 3, 4, 5, 6, 7].map((cpu) => `${cpu},${cpu >> 1},0,0\n`).join("")}`,
    },
    args: ["a.xml"],
    hint: /virsh capabilities .* --host node\.txt/,
  },
  { kind: "no host: Cluster API", files: { "a.yaml": capv("t") }, hint: /name the host/ },
  { kind: "no host: Packer", files: { "a.pkr.hcl": packer("  CPUs = 8\n  cpu_cores = 8\n  RAM = 16384\n") }, hint: /name the host/ },
  {
    kind: "no host: a VM spec",
    files: {
      "a.yaml":
        "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\nspec: { vcpus: 8, coresPerSocket: 8, memoryMiB: 16384, hardwareVersion: 19 }\n",
    },
    hint: /name the host/,
  },
  {
    kind: "no host: RVTools",
    files: { "R_tabvInfo.csv": INFO + ROW },
    args: ["R_tabvInfo.csv"],
    hint: /export the hosts, too \(the sheet vHost/,
    written: { "R_tabvHost.csv": HOSTS + ESX1 },
  },
  {
    kind: "no ESXi release: short form",
    files: { "a.vmx": vmx() },
    args: ["--host", "2x8x2:256"],
    hint: /state the ESXi version of host 2x8x2:256: --host 2x8x2:256@8.0/,
  },
  {
    kind: "no ESXi release: a host of vmlint.yaml",
    files: {
      "a.vmx": vmx(),
      "vmlint.yaml": "host: esx\nhosts: { esx: { sockets: 2, coresPerSocket: 8, threadsPerCore: 2, memoryGiB: 256 } }\n",
    },
    hint: /hosts: \{ esx: \{ .*esxi: "8.0"/,
  },
  { kind: "no memory: short form", files: { "a.vmx": vmx() }, args: ["--host", "2x8x2@8.0"], hint: /state the memory of host 2x8x2@8.0/ },
  {
    kind: "no memory: a host of vmlint.yaml",
    files: {
      "a.vmx": vmx(),
      "vmlint.yaml": "host: esx\nhosts: { esx: { sockets: 2, coresPerSocket: 8, threadsPerCore: 2, esxi: '8.0' } }\n",
    },
    hint: /memoryGiB: 512/,
  },
  { kind: "no clock: short form", files: { "a.vmx": vmx(LIMIT) }, args: HOST, hint: /state the clock of host/ },
  { kind: "no clock: Terraform", files: { "main.tf": tf(`${SIZE}  cpu_limit = 20000\n`) }, args: HOST, hint: /state the clock of host/ },
  {
    kind: "no clock and no memory",
    files: { "a.vmx": vmx(LIMIT) },
    args: ["--host", "2x8x2@8.0"],
    hint: /state the (clock and the memory|memory and the clock) of/,
  },
  {
    kind: "no host: a table of one's own",
    files: {
      "a.csv": "Server;Cores;RAM;HW\na;8;16;19\n",
      "vmlint.yaml": "columns: { name: Server, vcpus: Cores, memoryGiB: RAM, hardwareVersion: HW }\n",
    },
    args: ["a.csv"],
    hint: /or name the host of all VMs: --host/,
  },
  {
    kind: "HANA without its environment, in a comment",
    files: { "a.vmx": HANA + TWELVE },
    args: HOST,
    hint: /add environment .* its comment: vmlint: workload=hana environment=tier-1/,
    values: { "environment=tier-1": "environment=test" },
  },
  {
    kind: "HANA without its environment, in vmlint.yaml",
    files: { "a.vmx": TWELVE, "vmlint.yaml": "workload: { kind: hana }\n" },
    args: HOST,
    hint: /workload: \{ kind: hana, environment: tier-1 \}/,
    values: { "environment: tier-1": "environment: test" },
  },
  {
    kind: "SQL Server without its edition",
    files: { "a.vmx": vmx().replace('numvcpus = "8"', 'numvcpus = "32"'), "vmlint.yaml": "workload: { kind: mssql }\n" },
    args: ["--host", "2x32x2:256@8.0"],
    hint: /add edition .*workload: \{ kind: mssql, edition: enterprise/,
  },
  {
    kind: "Standard without its version",
    files: {
      "a.vmx": vmx().replace('numvcpus = "8"', 'numvcpus = "24"').replace('"8"\nmem', '"24"\nmem'),
      "vmlint.yaml": "workload: { kind: mssql, edition: standard }\n",
    },
    args: ["--host", "2x32x2:256@8.0"],
    hint: /add version /,
    values: { "2008r2": "2022" },
  },
  {
    kind: "Enterprise without its licensing",
    files: {
      "a.vmx": vmx().replace('numvcpus = "8"', 'numvcpus = "24"').replace('"8"\nmem', '"24"\nmem'),
      "vmlint.yaml": "workload: { kind: mssql, edition: enterprise }\n",
    },
    args: ["--host", "2x32x2:256@8.0"],
    hint: /add licensing \(core or server-cal\)/,
  },
  {
    kind: "a variable without a value",
    files: { "main.tf": tf("  num_cpus = var.n\n  num_cores_per_socket = 4\n  memory = 16384\n", 'variable "n" {}\n') },
    args: HOST,
    hint: /set var.n: --var n=VALUE/,
    values: { VALUE: "8" },
  },
  {
    kind: "several variables without a value",
    files: { "main.tf": tf("  num_cpus = var.n\n  memory = var.m\n", 'variable "n" {}\nvariable "m" {}\n') },
    args: HOST,
    hint: /set var.n and var.m: --var n=VALUE --var m=VALUE/,
    values: { "n=VALUE": "n=8", "m=VALUE": "m=16384" },
  },
  {
    kind: "a variable that a file sets",
    files: {
      "main.tf": tf("  num_cpus = var.n\n  num_cores_per_socket = 4\n  memory = 16384\n", 'variable "n" {}\n'),
      "terraform.tfvars.example": "n = 8\n",
    },
    args: HOST,
    hint: /--var-file terraform.tfvars.example/,
  },
  {
    kind: "a variable of Packer",
    files: { "a.pkr.hcl": packer("  CPUs = var.n\n  RAM = 16384\n", 'variable "n" { type = number }\n') },
    args: HOST,
    hint: /set var.n: --var n=VALUE/,
    values: { VALUE: "8" },
  },
  {
    kind: "a mistyped value: .vmx",
    files: { "a.vmx": vmx().replace('"16384"', '"lots"') },
    args: HOST,
    hint: /correct memory: a finding names the place/,
    written: { "a.vmx": vmx() },
  },
  {
    kind: "a mistyped value: Terraform",
    files: { "main.tf": tf(SIZE.replace("16384", '"lots"')) },
    args: HOST,
    hint: /correct memory/,
    written: { "main.tf": tf(SIZE) },
  },
  {
    kind: "a mistyped value: Ansible",
    files: { "a.yaml": task("num_cpus: 8, memory_mb: lots") },
    args: HOST,
    hint: /correct memory/,
    written: { "a.yaml": task("num_cpus: 8, memory_mb: 16384") },
  },
  {
    kind: "the template of a clone: Cluster API",
    files: { "a.yaml": capv("ubuntu-24.04") },
    args: HOST,
    hint: /unknown settings of the template, as in vmlint.yaml: templates: \{ "ubuntu-24.04": \{/,
  },
  {
    kind: "the template of a clone: Ansible",
    files: { "a.yaml": task("num_cpus: 8, memory_mb: 16384", "    template: ubuntu\n") },
    args: HOST,
    hint: /templates: \{ ubuntu: \{/,
  },
  {
    kind: "several templates",
    files: { "a.yaml": `${capv("t-1")}---\n${capv("t-2", "other")}` },
    args: HOST,
    hint: /unknown settings of 2 templates, as in vmlint.yaml: templates: \{ t-1: \{.*, t-2: \{/,
  },
  {
    kind: "a template of a template engine",
    files: { "a.yaml": capv("t").replace("numCPUs: 8", "numCPUs: ${CPUS}") },
    args: HOST,
    hint: /assume: \{ .*vcpus: 8/,
  },
  {
    kind: "a data source, one VM",
    files: { "main.tf": tf(SIZE.replace("16384", "data.x.y.n"), 'data "x" "y" {}\n') },
    args: HOST,
    hint: /assume: \{ memoryMiB: 16384 \}/,
  },
  {
    kind: "a data source, several VMs",
    files: { "main.tf": tf(SIZE.replace("16384", "data.x.y.n"), 'data "x" "y" {}\n').replace('"vm" {', '"vm" {\n  count = 2') },
    args: HOST,
    hint: /state memory in main.tf/,
    written: { "main.tf": tf(SIZE).replace('"vm" {', '"vm" {\n  count = 2') },
  },
  {
    kind: "the guest of a data source",
    files: { "main.tf": tf(SIZE).replace('"ubuntu64Guest"', "data.x.y.guest") + 'data "x" "y" {}\n' },
    args: HOST,
    hint: /assume: \{ .*guestOs: ubuntu-64/,
  },
  {
    kind: "an expression of Ansible",
    files: { "a.yaml": task("num_cpus: '{{ n }}', memory_mb: 16384") },
    args: HOST,
    hint: /assume: \{ .*vcpus: 8/,
  },
  {
    kind: "VMs that may share a machine",
    files: {
      "a.vmx": vmx("", "a").replaceAll('"8"', '"12"'),
      "b.vmx": vmx("", "b").replaceAll('"8"', '"12"'),
      "vmlint.yaml": "workload: { kind: postgresql }\n",
    },
    args: ["--host", "1x16x2:256@8.0"],
    hint: /capacity check.?: add --together/,
  },
  {
    kind: "VMs that may share a machine, one by one",
    files: {
      "a.vmx": vmx("", "a").replaceAll('"8"', '"12"'),
      "b.vmx": vmx("", "b").replaceAll('"8"', '"12"'),
      "vmlint.yaml": "workload: { kind: postgresql }\nhost: 1x16x2:256@8.0\n",
    },
    hint: /hosts: \{ lab: \{ .* runs: \[a, b\] \} \}/,
  },
  {
    kind: "no workload",
    files: { "a.vmx": vmx("", "app-1") },
    args: HOST,
    hint: /overrides: \[\{ vms: \[sql-\*\], workload: \{ kind: mssql \} \}\]/,
    values: { "sql-*": "app-*" },
  },
  {
    kind: "no ESXi release: RVTools",
    files: { "R_tabvInfo.csv": INFO + ROW, "R_tabvHost.csv": (HOSTS + ESX1).replace("VMware ESXi 8.0.2 build-1", "") },
    args: ["."],
    hint: /export the ESXi version of the hosts, too/,
    written: { "R_tabvHost.csv": HOSTS + ESX1 },
  },
  {
    kind: "no memory of a host: RVTools",
    files: { "R_tabvInfo.csv": INFO + ROW, "R_tabvHost.csv": (HOSTS + ESX1).replace("262144", "") },
    args: ["."],
    hint: /export the memory of the hosts, too/,
    written: { "R_tabvHost.csv": HOSTS + ESX1 },
  },
];

/** Runs the command and returns its report and its steps. */
function run(cwd: string, args: readonly string[]) {
  const { code, out, err } = vmlint(cwd, [...args, "--format", "json"]);
  expect(code, err).toBeLessThan(2);
  const text = vmlint(cwd, args).out;
  const { diagnostics, skipped } = JSON.parse(out) as {
    diagnostics: { ruleId: string; severity: string; holds?: string }[];
    skipped: { count: number }[];
  };
  const grave = diagnostics.filter(({ severity, holds }) => (severity === "error" || severity === "warning") && holds === undefined);
  return {
    steps: text.split("\n").filter((line) => /^ {2}\d+ (?:capacity )?checks?: /.test(line)),
    skipped: skipped.reduce((sum, { count }) => sum + count, 0),
    grave: grave.map(({ ruleId }) => ruleId),
  };
}

/** Follows a hint. Returns the options of the next run. */
function follow(step: string, { files, args = [], values = {}, written }: Case, cwd: string): readonly string[] {
  if (written) {
    for (const [name, text] of Object.entries(written)) writeFileSync(join(cwd, name), text);
    return args.length === 1 ? ["."] : args;
  }
  const said = Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), step);
  const [, yaml, use] = / vmlint\.yaml: (.+?)(?: and (host: \w+))?\.$/.exec(said) ?? [];
  const [, comment] = /its comment: (vmlint: .+)\.$/.exec(said) ?? [];
  if (comment !== undefined) {
    const [[name = "", text = ""] = []] = Object.entries(files);
    writeFileSync(join(cwd, name), text.replace(/^# vmlint: .+/, `# ${comment}`));
    return args;
  }
  if (yaml !== undefined) {
    const config = `${stringify({ ...parse(files["vmlint.yaml"] ?? "{}"), ...parse(yaml), ...(use && parse(use)) })}`;
    parseConfig(config, "vmlint.yaml");
    writeFileSync(join(cwd, "vmlint.yaml"), config);
    const isOfHost = use !== undefined || /runs:/.test(yaml);
    return isOfHost ? args.filter((arg, i) => arg !== "--host" && args[i - 1] !== "--host") : args;
  }
  const options = said.match(/--(?:host|var|var-file) [^\s,;]+/g)?.flatMap((option) => option.replace(/\.$/, "").split(" ")) ?? [];
  const rest = options.includes("--host") ? args.filter((arg, i) => arg !== "--host" && args[i - 1] !== "--host") : args;
  return [...rest, ...(options.length > 0 ? options : ["--together"])];
}

test("an export is never told to assume what its rows differ in, nor to append a text", () => {
  const rows = Array.from(
    { length: 90 },
    (_, i) => `vm${i},poweredOn,${4 + (i % 9) * 2},16384,2,${2 + (i % 9)},${18 + (i % 4)},esx${i},\n`,
  );
  const cwd = folder({ "R_tabvInfo.csv": INFO + rows.join(""), "R_tabvHost.csv": `${HOSTS}esx1,,,,,,,,\n` });
  for (const args of [["."], [".", ...HOST]]) {
    const { out, err } = vmlint(cwd, args);
    expect(out + err).not.toMatch(/assume:|append|and \d+ more\.|data source/);
    expect(out).toMatch(/checks skipped: the export does not contain /);
  }
});

test("there are 41 kinds, and each has an input of its own", () => {
  expect(new Set(CASES.map(({ kind }) => kind)).size).toBe(41);
});

test.each(CASES.map((one) => [one.kind, one] as const))("%s: followed, its checks run, without a new finding", (_, one) => {
  const cwd = folder(one.files);
  const before = run(cwd, one.args ?? []);
  expect(before.steps.length).toBeLessThanOrEqual(5);
  const step = before.steps.find((line) => one.hint.test(line));
  expect(step, before.steps.join("\n")).toBeDefined();
  const after = run(cwd, follow(step ?? "", one, cwd));
  const named = Number(/\d+/.exec(step ?? "")?.[0]);
  expect(after.steps.find((line) => line === step)).toBeUndefined();
  expect(after.skipped).toBeLessThan(before.skipped);
  expect(named).toBeGreaterThan(0);
  const expected = /may share/.test(one.kind) ? ["host/overcommit"] : [];
  expect(after.grave.filter((rule) => !before.grave.includes(rule) && !expected.includes(rule))).toEqual([]);
});

test.each([
  [[2], "writes it down. The VM fits one NUMA node of every server since 2016."],
  [[2, 1], "writes it down. All 2 VMs fit one NUMA node of every server since 2016."],
  [[2, 2, 8], "2 of 3 VMs fit one NUMA node of every server since 2016; the host decides the layout of the other: 2.vmx."],
  [
    [2, 8, 8, 8, 8, 8],
    "1 of 6 VMs fits one NUMA node of every server since 2016; the host decides the layout of the other 5: 1.vmx, 2.vmx, 3.vmx and 2 more.",
  ],
  [[2, "{{ n }}"], "1 of 2 VMs fits one NUMA node of every server since 2016; the other has unknown settings."],
  [
    [2, 8, "{{ n }}"],
    "1 of 3 VMs fits one NUMA node of every server since 2016; the host decides the layout of 1: 1.vmx; 1 has unknown settings.",
  ],
  [[8], "vmlint init writes it down."],
])("the step for the host counts VMs that fit every node: %j", (sizes, end) => {
  const files = Object.fromEntries(sizes.map((vcpus, i) => [`${i}.vmx`, vmx("", `vm${i}`).replaceAll('"8"', `"${vcpus}"`)]));
  const { out } = vmlint(folder(files), []);
  expect(
    out
      .split("\n")
      .find((line) => line.includes("name the host"))
      ?.endsWith(end),
    out,
  ).toBe(true);
});
