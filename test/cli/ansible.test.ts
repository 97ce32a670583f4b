import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const PLAY = `- hosts: localhost
  tasks:
  - vmware_guest:
      name: sql01
      guest_id: g
      hardware: { num_cpus: "{{ cpus }}", memory_mb: 65536, version: 17 }
`;

const vcpus = (cwd: string, ...args: readonly string[]): unknown =>
  JSON.parse(vmlint(cwd, ["topology", "--format", "json", ...args]).out).vms.map((vm: { spec: { vcpus: unknown } }) => vm.spec.vcpus);

test("a finding leads from the playbook to the file that sets its variable, in text and in JSON", () => {
  const cwd = folder({ "ops/site.yml": PLAY, "ops/group_vars/all.yml": "# sizes\ncpus: 22\n" });
  const { code, out, err } = vmlint(cwd, ["--host", "4x10x2@7.0"]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("info numa/wide-uneven ops/site.yml:6:30  sql01, host 4x10x2@7.0\n");
  expect(out).toContain("see: ops/group_vars/all.yml:2:7, cpus is set here\n");
  const [wide] = JSON.parse(vmlint(cwd, ["--host", "4x10x2@7.0", "--format", "json"]).out).diagnostics;
  expect(wide).toMatchObject({
    path: "ops/site.yml",
    related: [{ path: "ops/group_vars/all.yml", range: { start: { line: 2, column: 7 } } }],
  });
});

test("a role uses its defaults, and a playbook its inventory's variables, wherever the command is run", () => {
  const task = "- vmware_guest: { name: a, hardware: { num_cpus: '{{ cpus }}', memory_mb: 1 } }\n";
  const cwd = folder({
    "roles/vm/tasks/main.yml": task,
    "roles/vm/defaults/main.yml": "cpus: 4\n",
    "inventories/prod/hosts": "[web]\nw1\n",
    "inventories/prod/group_vars/web/sizes.yml": "cpus: 8\n",
    "playbooks/web.yml": PLAY.replace("localhost", "web"),
    "vmlint.yaml": "{}\n",
  });
  expect(vcpus(cwd, "playbooks")).toEqual([8]);
  // The role may be called for the hosts of that group.
  expect(vcpus(cwd, "roles")).toEqual([{ unknown: expect.stringContaining("defaults/main.yml") }]);
  const alone = folder({ "vm/tasks/main.yml": task, "vm/defaults/main.yml": "cpus: 4\n", "vmlint.yaml": "{}\n" });
  expect([vcpus(alone), vcpus(join(alone, "vm/tasks"))]).toEqual([[4], [4]]);
});

test("nothing is read outside of the folder that is checked, by no path and by no link", () => {
  const root = folder({ "secret.yml": "cpus: 8\n", "in/site.yml": PLAY.replace("  tasks", "  vars_files: [../secret.yml]\n  tasks") });
  const cwd = join(root, "in");
  expect(vcpus(cwd)).toEqual([{ unknown: "../secret.yml may set cpus" }]);
  expect(vcpus(root)).toEqual([8]);
  mkdirSync(join(cwd, "group_vars"));
  symlinkSync(join(root, "secret.yml"), join(cwd, "group_vars/all.yml"));
  writeFileSync(join(cwd, "site.yml"), PLAY);
  expect(vcpus(cwd)).toEqual([{ unknown: expect.any(String) }]);
  expect(vcpus(root)).toEqual([8]);
});

test("a VM and its class in one stream: the finding leads to the class", () => {
  const object = (kind: string, name: string, spec: string) =>
    `apiVersion: vmoperator.vmware.com/v1alpha3\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
  const cwd = folder({
    "vm.yaml": `${object("VirtualMachine", "db", "{ className: wide }")}---\n${object("VirtualMachineClass", "wide", "{ hardware: { cpus: 96 } }")}`,
  });
  const { out } = vmlint(cwd, ["--host", "4x10x2@7.0"]);
  expect(out).toContain("error cpu/exceeds-host-threads vm.yaml:4:20  db");
  expect(out).toContain("see: line 9, set by the class wide\n");
});

test("--fix leaves variables alone, and verifies its edits with their values", () => {
  const cwd = folder({ "site.yml": PLAY, "group_vars/all.yml": "cpus: 22\n" });
  const { code, out, err } = vmlint(cwd, ["--fix", "--fix-unsafe", "--host", "4x10x2@7.0"]);
  expect([code, err]).toEqual([0, "vmlint: site.yml: fixed numa/wide-uneven: Set preferHT.\n"]);
  expect(out).toContain("Nothing found so far");
});
