import { requireHost, rules, type Target, type VmSpec } from "@vmlint/core";
import { type CheckedFile, checkAcrossVms } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { plans } from "../../packages/core/src/formats/plans/plans.ts";
import { govc } from "../../packages/core/src/formats/vi-json/govc.ts";
import { vmx } from "../../packages/core/src/formats/vmx/vmx.ts";
import { NOTHING_GIVEN, parse } from "../formats/terraform/support.ts";
import { filesOf, type Texts } from "../support/text-files.ts";
import { vmsOf } from "../support/yaml-vm.ts";

const OVERCOMMIT = rules.filter(({ id }) => id === "host/overcommit");

type Vms = Readonly<Record<string, readonly VmSpec[]>>;

/** Returns the totals that the rules report for VMs on one host of 40 cores, file by file: VMs, vCPUs and the shortage. */
function counted(vms: Vms, targetOf: (vm: VmSpec) => Target = () => ({})): readonly string[] {
  const target = { host: requireHost("dl580g7"), machine: "one", workload: { kind: "mssql" } } as const;
  const files = Object.entries(vms).map(([path, specs]): CheckedFile => {
    const hostedVms = specs.map((spec) => ({ spec, target: { ...target, ...targetOf(spec), host: target.host } }));
    return { path, diagnostics: [], skipped: [], hostedVms };
  });
  return checkAcrossVms(files, OVERCOMMIT).flatMap(({ diagnostics, skipped }) => [
    ...diagnostics.map(({ data }) => `${data.vms} VMs have ${data.atLeast ? "at least " : ""}${data.vcpus}`),
    ...skipped.map(({ reason }) => reason),
  ]);
}

const task = (name: string, more = "", before = "") =>
  `- ${before}vmware_guest: { name: "${name}", guest_id: g, hardware: { num_cpus: 30, memory_mb: 1024 } }\n${more}`;
const play = (tasks: string, hosts = "localhost") => vmsOf(`- hosts: ${hosts}\n  tasks:\n${tasks.replace(/^(?=.)/gm, "    ")}`);
const twoTasks = task("a") + task("b");

const resource = (label: string, ...lines: string[]) =>
  `resource "vsphere_virtual_machine" "${label}" {\n${["num_cpus = 30", ...lines].join("\n")}\n}\n`;
const declared = resource("a", 'name = "a"') + resource("b", 'name = "b"');
const terraform = (more: string, files = {}) => parse({ "main.tf": declared + more, ...files }).vms;
const MODULE = { "m/main.tf": resource("c", 'name = "c"') };
const VARS = 'variable "n" {}\n';

const operated = (name: string, state = "") =>
  `apiVersion: vmoperator.vmware.com/v1alpha6\nkind: VirtualMachine\nmetadata: { name: ${name} }\nspec:\n  resources: { size: { cpu: 30 } }\n${state}---\n`;

const known = ["2 VMs have 60"];
const more = ["3 VMs have 90"];
const open = ["2 VMs have at least 60", "unknown-value"];

test.each<[string, readonly VmSpec[], readonly string[]]>([
  ["a count that is known", terraform(resource("c", "count = 1")), more],
  ["an unknown count", terraform(VARS + resource("c", "count = var.n")), open],
  ["an unknown condition", terraform(VARS + resource("c", "count = var.n ? 1 : 0")), open],
  ["an unknown map", terraform(VARS + resource("c", "for_each = var.n")), open],
  ["enabled by what is unknown", terraform(VARS + resource("c", "lifecycle {\n enabled = var.n\n}")), open],
  ["a module", terraform('module "m" {\n source = "./m"\n}\n', MODULE), more],
  ["a module of unknown number", terraform(`${VARS}module "m" {\n source = "./m"\n count = var.n\n}\n`, MODULE), open],
  [
    "a module in one of unknown number",
    terraform(`${VARS}module "o" {\n source = "./o"\n for_each = var.n\n}\n`, {
      "o/main.tf": 'module "m" {\n source = "../m"\n}\n',
      ...MODULE,
    }),
    open,
  ],
  ["esxi_guest", terraform('resource "esxi_guest" "c" {\n numvcpus = "30"\n}\n'), more],
  ["power off", terraform('resource "esxi_guest" "c" {\n numvcpus = "30"\n power = "off"\n}\n'), known],
  ["power of a variable", terraform(`${VARS}resource "esxi_guest" "c" {\n numvcpus = "30"\n power = var.n\n}\n`), open],
  ["power_on", terraform('resource "vcd_vm" "c" {\n cpus = 30\n power_on = true\n}\n'), more],
  ["power_on = false", terraform('resource "vcd_vm" "c" {\n cpus = 30\n power_on = false\n}\n'), known],
  ["a loop that is written down", play(`${twoTasks}${task("{{ item }}", "  loop: [c]\n")}`), more],
  ["a loop that only a run knows", play(`${twoTasks}${task("{{ item }}", '  loop: "{{ vms }}"\n')}`), open],
  ["a condition", play(`${twoTasks}${task("c", "  when: make_c | bool\n")}`), open],
  ["a condition that always holds", play(`${twoTasks}${task("c", "  when: true\n")}`), more],
  ["a condition of a block", play(`${twoTasks}- when: make_c\n  block:\n  ${task("c")}`), open],
  ["what makes up for a failure", play(`${twoTasks}- block: []\n  rescue:\n  ${task("c")}`), open],
  ["a name that a run makes, once", play(`${twoTasks}${task("{{ c }}")}`), more],
  ["a name that each host may have another of", play(`${twoTasks}${task("{{ inventory_hostname }}")}`, "all"), open],
  [
    "a task that leaves it off, until another starts it",
    play(`${twoTasks}${task("c").replace("name:", "state: poweredoff, name:")}`),
    open,
  ],
  ["a state that a run decides", play(`${twoTasks}${task("c").replace("name:", 'state: "{{ s }}", name:')}`), open],
  ["a state in which it runs", play(`${twoTasks}${task("c").replace("name:", "state: poweredon, name:")}`), more],
  ["a template that repeats it", vmsOf(`${operated("a") + operated("b")}{{- range .Values.vms }}\n${operated("c")}{{- end }}\n`), open],
  ["a VM of VM Operator", vmsOf(operated("a") + operated("b") + operated("c")), more],
  ["PoweredOff", vmsOf(operated("a") + operated("b") + operated("c", "  powerState: PoweredOff\n")), known],
  ["Suspended", vmsOf(operated("a") + operated("b") + operated("c", "  powerState: Suspended\n")), known],
  ["PoweredOn", vmsOf(operated("a") + operated("b") + operated("c", "  powerState: PoweredOn\n")), more],
  ["a state that a template fills in", vmsOf(operated("a") + operated("b") + operated("c", '  powerState: "{{ .s }}"\n')), open],
])("next to two VMs of 30 vCPUs: %s", (_, vms, said) => {
  expect(counted({ "x.yml": vms })).toEqual(said);
});

interface Captured {
  readonly powerState?: string | number;
  readonly host?: string;
  readonly vcpus?: number;
}

const uuidOf = (name: string) => `5000000${name}-0000-0000-0000-000000000000`;
const captured = (vms: Readonly<Record<string, Captured>>) => {
  const virtualMachines = Object.entries(vms).map(([name, { powerState, host, vcpus = 30 }]) => ({
    name,
    config: {
      instanceUuid: uuidOf(name),
      hardware: { numCPU: vcpus, memoryMB: 1024 },
      cpuAllocation: {},
      memoryAllocation: {},
      version: "vmx-19",
    },
    runtime: { powerState, ...(host !== undefined && { host: { type: "HostSystem", value: host } }) },
  }));
  return govc.parse(JSON.stringify({ virtualMachines })).vms;
};

test.each<[string, Readonly<Record<string, Captured>>, readonly string[]]>([
  ["no state", { a: {}, b: {}, c: {} }, more],
  ["one is off", { a: {}, b: { powerState: "poweredOn" }, c: { powerState: "poweredOff" } }, known],
  ["one is suspended", { a: {}, b: {}, c: { powerState: "suspended" } }, known],
  ["one is off as PowerCLI writes it", { a: { powerState: 1 }, b: { powerState: 1 }, c: { powerState: 0 } }, known],
  ["one that runs", { a: {}, b: { powerState: "poweredOff" } }, []],
  ["all on one host", { a: { host: "host-1" }, b: { host: "host-1" }, c: { host: "host-1" } }, more],
  ["on two hosts", { a: { host: "host-1" }, b: { host: "host-1" }, c: { host: "host-2" } }, known],
  ["each on a host of its own", { a: { host: "host-1" }, b: { host: "host-2" } }, []],
  ["one of which the host is not known", { a: { host: "host-1" }, b: { host: "host-1" }, c: {} }, more],
  ["on two hosts, and one of which it is not known", { a: { host: "host-1" }, b: { host: "host-1" }, c: { host: "host-2" }, d: {} }, open],
  [
    "each on a host of its own, and one of which it is not known",
    { a: { host: "host-1" }, b: { host: "host-2" }, c: {} },
    ["unknown-value"],
  ],
])("from an inventory: %s", (_, vms, said) => {
  expect(counted({ "x.json": captured(vms) })).toEqual(said);
});

test("a VM that an inventory lists as off is not counted through its other description", () => {
  const spec = vmx.parse('displayName = "c"\nnumvcpus = "30"\n').vms;
  expect(counted({ "c.vmx": spec, "x.json": captured({ a: {}, b: {}, c: { powerState: "poweredOff" } }) })).toEqual(known);
});

test.each<[string, Vms, readonly string[]]>([
  ["of an inventory", { "monday.json": captured({ a: {}, b: {} }), "tuesday.json": captured({ a: {}, b: {} }) }, known],
  [
    "that disagree",
    { "monday.json": captured({ a: {}, b: {}, c: {} }), "tuesday.json": captured({ a: {}, b: {}, c: { vcpus: 8 } }) },
    open,
  ],
  [
    "on other hosts leave it open where it is",
    {
      "monday.json": captured({ a: { host: "h1" }, b: { host: "h1" }, c: { host: "h1" } }),
      "tuesday.json": captured({ a: { host: "h1" }, b: { host: "h1" }, c: { host: "h2" } }),
    },
    open,
  ],
  [
    "on other hosts leave it open whether two are on one",
    { "monday.json": captured({ a: { host: "h1" }, b: { host: "h1" } }), "tuesday.json": captured({ a: { host: "h2" } }) },
    ["unknown-value"],
  ],
  [
    "on other hosts, where it is the only VM",
    { "monday.json": captured({ a: { host: "h1" } }), "tuesday.json": captured({ a: { host: "h2" } }) },
    [],
  ],
  [
    "of a .vmx and its copy",
    Object.fromEntries(
      ["1", "2", "3"].map((i) => [
        `${i}.vmx`,
        vmx.parse(`vc.uuid = "50 00 00 00 00 00 00 00-00 00 00 00 00 00 00 0${i === "3" ? 1 : 0}"\nnumvcpus = "30"\n`).vms,
      ]),
    ),
    known,
  ],
  [
    "but no copies with one BIOS UUID",
    Object.fromEntries(
      ["1", "2"].map((i) => [
        `${i}.vmx`,
        vmx.parse('uuid.bios = "50 00 00 00 00 00 00 00-00 00 00 00 00 00 00 00"\nnumvcpus = "30"\n').vms,
      ]),
    ),
    known,
  ],
])("captures of one VM are one: %s", (_, vms, said) => {
  expect(counted(vms)).toEqual(said);
});

test("a plan and its configuration count once, also if the VM's name is unknown", () => {
  const planned = (name: string, address: string) => ({
    address,
    mode: "managed",
    type: "vsphere_virtual_machine",
    name: "vm",
    values: { name, num_cpus: 30 },
  });
  const plan = (folder: string, ...resources: object[]) => {
    const document = { format_version: "1.2", terraform_version: "1.5.7", planned_values: { root_module: { resources } } };
    return { [`${folder}/plan.json`]: JSON.stringify(document) };
  };
  const unnamed = (label: string) => resource(label, `name = "\${var.n}-${label}"`);
  const [a, b] = ["a", "b"].map((name) => planned(`x-${name}`, `vsphere_virtual_machine.${name}`)) as [object, object];
  const texts = { "p/main.tf": VARS + unnamed("a") + unnamed("b"), "q/main.tf": VARS + unnamed("a"), ...plan("p", a, b) };
  const all = (of: Texts, ...paths: string[]): Vms => ({
    "main.tf": parse(of, {}, paths).vms,
    "plan.json": plans.read({ paths: ["p/plan.json"], files: filesOf(of), inputs: NOTHING_GIVEN }).vms,
  });
  expect(counted(all(texts, "p/main.tf"))).toEqual(known);
  expect(counted(all(texts, "p/main.tf", "q/main.tf"))).toEqual(more);
  const repeated = { "p/main.tf": VARS + resource("a", "for_each = var.n", `name = "\${each.key}"`) + unnamed("b") };
  const one = { ...repeated, ...plan("p", planned("x", 'vsphere_virtual_machine.a["x"]'), b) };
  expect(counted(all(one, "p/main.tf"))).toEqual(known);
  const [x, y] = ["x", "y"].map((key) => planned(key, `vsphere_virtual_machine.a["${key}"]`)) as [object, object];
  expect(counted(all({ ...repeated, ...plan("p", x, y, b) }, "p/main.tf"))).toEqual(more);
});

test("VMs that a state has as off or on another host do not count", () => {
  const vm = (name: string, power_state: string, host_system_id = "host-1") => ({
    address: `vsphere_virtual_machine.${name}`,
    mode: "managed",
    type: "vsphere_virtual_machine",
    name,
    values: { name, num_cpus: 30, power_state, host_system_id },
  });
  const resources = [vm("a", "on"), vm("b", "on"), vm("c", "off"), vm("d", "suspended"), vm("e", "on", "host-2")];
  const state = { format_version: "1.0", terraform_version: "1.5.7", values: { root_module: { resources } } };
  expect(
    counted({
      "s.json": plans.read({ paths: ["s.json"], files: filesOf({ "s.json": JSON.stringify(state) }), inputs: NOTHING_GIVEN }).vms,
    }),
  ).toEqual(known);
});

test("a VM on an unknown host is not skipped for a rule that does not apply to it", () => {
  const off = ({ name }: VmSpec): Target => (name === "c" ? { severities: { "host/overcommit": "off" } } : {});
  expect(counted({ "x.json": captured({ a: { host: "h1" }, b: { host: "h2" }, c: {} }) }, off)).toEqual([]);
});

test("a VM with the rule turned off is not added, and the sum is then a minimum", () => {
  const off = ({ name }: VmSpec): Target => (name === "c" ? { severities: { "host/overcommit": "off" } } : {});
  expect(counted({ "x.json": captured({ a: {}, b: {}, c: {} }) }, off)).toEqual(["2 VMs have at least 60"]);
  expect(counted({ "x.json": captured({ a: {}, c: {} }) }, off)).toEqual([]);
});
