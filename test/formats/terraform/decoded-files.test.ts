import { expect, test } from "vitest";
import { openWorkspace } from "../../../packages/core/src/index.ts";

const each = (decoded: string): string => `locals {
  vms = ${decoded}
}
resource "vsphere_virtual_machine" "vm" {
  for_each             = { for one in local.vms : one.name => one }
  name                 = each.key
  memory               = each.value.memory
  num_cpus             = each.value.cpus
  num_cores_per_socket = each.value.cores
}
`;

test.each<[name: string, decoded: string, text: string, place: string]>([
  [
    "vms.json",
    'jsondecode(file("vms.json"))',
    '[\n  { "name": "a", "memory": 4096, "cpus": 4, "cores": 2 },\n  { "name": "b", "memory": 4096, "cpus": 13, "cores": 2 }\n]\n',
    "vms.json:3:55",
  ],
  [
    "vms.yaml",
    'yamldecode(file("vms.yaml"))',
    "- { name: a, memory: 4096, cpus: 4, cores: 2 }\n- name: b\n  memory: 4096\n  cpus: 13\n  cores: 2\n",
    "vms.yaml:5:10",
  ],
  ["vms.csv", 'csvdecode(file("vms.csv"))', "name,memory,cpus,cores\na,4096,4,2\nb,4096,13,2\n", "vms.csv:3:11"],
])("a finding stands at the value in %s, with the way of its own setting", async (name, decoded, text, place) => {
  const workspace = openWorkspace({ files: { "main.tf": each(decoded), [name]: text } });
  const { findings } = await workspace.check(["main.tf"]);
  const found = findings.find(({ ruleId }) => ruleId === "cpu/cps-divides");
  expect(found && `${found.path}:${found.line}:${found.column}`).toBe(place);
  const steps = found?.related.map(({ message }) => message) ?? [];
  expect(steps).toContain("used as each.value.cores");
  expect(steps.join()).not.toContain("memory");
});

test("a finding in a module names the call of its root", async () => {
  const call = 'module "sql" {\n  source = "../vm"\n}\n';
  const files = {
    "vm/main.tf": 'resource "vsphere_virtual_machine" "vm" {\n  num_cpus             = 13\n  num_cores_per_socket = 2\n}\n',
    "dev/main.tf": call,
    "prod/main.tf": `# production\n${call}`,
  };
  const { findings } = await openWorkspace({ files }).check(Object.keys(files));
  const related = findings.filter(({ ruleId }) => ruleId === "cpu/cps-divides").flatMap((one) => one.related);
  const calls = related.flatMap(({ message, path }) => (message === "called as module sql" ? (path ?? []) : []));
  expect(calls.toSorted()).toEqual(["dev/main.tf", "prod/main.tf"]);
});
