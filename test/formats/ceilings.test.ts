import { readdirSync, readFileSync } from "node:fs";
import { formatHolding, formats } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { projectHolding } from "../../packages/core/src/formats/index.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const CPUS = "2147483648";
const spec = (numCPU: string) => `{"numCPU": ${numCPU}, "numCoresPerSocket": 3, "memoryMB": 4096}`;

/** A VM with 2^31 vCPUs in each format that states a count. */
const HUGE: Readonly<Record<string, string>> = {
  "a.vmx": `virtualHW.version = "19"\nnumvcpus = "${CPUS}"\ncpuid.coresPerSocket = "3"\nmemSize = "4096"\n`,
  "main.tf": `resource "vsphere_virtual_machine" "a" {\n  name = "a"\n  num_cpus = ${CPUS}\n  num_cores_per_socket = 3\n  memory = 4096\n}\n`,
  "a.pkr.hcl": `source "vsphere-iso" "a" {\n  CPUs = ${CPUS}\n  cpu_cores = 3\n  RAM = 4096\n}\n`,
  "play.yml": `- hosts: all\n  tasks:\n    - community.vmware.vmware_guest:\n        name: a\n        hardware: { num_cpus: ${CPUS}, num_cpu_cores_per_socket: 3, memory_mb: 4096 }\n`,
  "spec.yaml": `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: ${CPUS}\n  coresPerSocket: 3\n  memoryMiB: 4096\n`,
  "capv.yaml": `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata: { name: a }\nspec: { template: { spec: { numCPUs: ${CPUS}, numCoresPerSocket: 3, memoryMiB: 4096 } } }\n`,
  "a.ovf": `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf"><VirtualSystem><VirtualHardwareSection><Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>${CPUS}</rasd:VirtualQuantity><vmw:CoresPerSocket>3</vmw:CoresPerSocket></Item></VirtualHardwareSection></VirtualSystem></Envelope>`,
  "a.xml": `<domain type='kvm'><vcpu>${CPUS}</vcpu><cpu><topology sockets='1' cores='${CPUS}' threads='1'/></cpu></domain>`,
  "100.conf": `name: a\ncores: ${CPUS}\nmemory: 4096\n`,
  "vmware.log": `DICT --- CONFIGURATION\nDICT virtualHW.version = "19"\nDICT numvcpus = "${CPUS}"\nDICT cpuid.coresPerSocket = "3"\n`,
  "vm-info.json": `{"virtualMachines":[{"name":"a","config":{"name":"a","hardware":${spec(CPUS)}}}]}`,
};

/** These formats need a package or other files, so tests of their own read them. */
const ELSEWHERE = ["host-statistics", "ova", "plans", "powercli", "rvtools", "rvtools-csv", "rvtools-zip", "table"];

test("each format has such a VM", () => {
  const covered = Object.entries(HUGE).map(([name, text]) => (projectHolding(name, text) ?? formatHolding(name, text))?.name);
  expect([...new Set([...covered, ...ELSEWHERE])].sort()).toEqual(formats.map(({ name }) => name).sort());
});

describe("a number beyond any host", () => {
  test.each(Object.entries(HUGE))("in %s is a finding, and nothing is as long as it", (name, text) => {
    const { code, out, err } = vmlint(folder({ [name]: text }), ["--host", "2x24x2", "--format", "json", name]);
    const { diagnostics } = JSON.parse(out);
    expect(diagnostics.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain("spec/too-large");
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("2147483648 vCPUs are more than any ESXi host has. Set 4096 or fewer.");
  });

  test.each(Object.entries(HUGE))("in %s has no layout", (name, text) => {
    const { code, out } = vmlint(folder({ [name]: text }), ["topology", "--host", "2x24x2", "--format", "json", name]);
    expect(code).toBe(0);
    expect(JSON.parse(out).vms[0].topology).toBeNull();
  });
});

/** Places that allocate as much as a number in a variable says, with the bound of that number. */
const BOUNDED: Readonly<Record<string, string>> = {
  advice: "settings of a VM that are within model/ceilings.ts, or of a host that passed invalidHost",
  config: "columns of a text",
  esxi: "settings of a VM that are within model/ceilings.ts, or of a host that passed invalidHost",
  "formats/ansible/project.ts": "folders of a path",
  "formats/hcl": "MOST of scopes.ts, and columns of a text",
  "formats/packer": "items of a list in the text",
  "formats/terraform/modules.ts": "ways through the calls that were read",
  "hosts/coreinfo.ts": "a map with one character a CPU, which is in the text",
  "formats/vmx": "the size of the text, and counts of device kinds",
  limits: "sockets of a host that passed invalidHost",
  "model/host.ts": "CPUs of a host that passed invalidHost",
  "model/sequence.ts": "a million items",
  "model/source.ts": "lines of a text",
  report: "settings within model/ceilings.ts, hosts that passed invalidHost, columns of texts",
  rules: "examples",
  "workspace/units.ts": "folders of a path",
  size: "a wish of the command line, checked by size.ts, and hosts that passed invalidHost",
  "syntax/hcl": "MAX_RANGE, 1000 spaces, the parts of a call",
  "syntax/json/tape.ts": "the size of the text",
  "syntax/yaml/schema-language.ts": "columns of a text",
};

const SIZED = /Array\.from\(\{ length|new (?:Int|Uint|Float)?\d*Array\(|\.repeat\(/;
const HAS_BOUND = /\.length\b|Math\.min\(|Array\(\d*\)|length: \d+ /;

test("nothing is as long as a number of a file without a bound", () => {
  const src = new URL("../../packages/core/src/", import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const sized = files.filter((file) =>
    readFileSync(new URL(file, src), "utf8")
      .split("\n")
      .some((line) => SIZED.test(line) && !HAS_BOUND.test(line)),
  );
  const open = sized.filter((file) => !Object.keys(BOUNDED).some((known) => file === known || file.startsWith(`${known}/`)));
  expect(open, "name what bounds them in BOUNDED").toEqual([]);
});
