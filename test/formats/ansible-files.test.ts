import { type Files, lint, requireHost } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filesOf, type Texts } from "../support/text-files.ts";
import { said } from "../support/yaml-vm.ts";

const guest = (indent: string) =>
  `${indent}- vmware_guest:\n${indent}    name: a\n${indent}    guest_id: g\n${indent}    hardware: { num_cpus: "{{ cpus }}", memory_mb: 4096 }\n`;
const play = (hosts = "localhost", more = "") => `- hosts: ${hosts}\n${more}  tasks:\n${guest("  ")}`;

/** The vCPUs of the one VM in a file. */
function vcpus(texts: Texts, path = "/p/site.yml"): unknown {
  const { vms } = yaml.parse(texts[path] ?? "", undefined, { path, files: filesOf(texts) });
  expect(vms.length).toBe(1);
  return vms[0] && said(vms[0]).vcpus;
}

const FILLED_IN = "? a template fills it in";
const differ = (...files: string[]) => `? ${files.join(" and ")} disagree about cpus`;

describe("a variable of a playbook has its value in", () => {
  test.each<[string, unknown, Texts]>([
    ["group_vars/all.yml", 4, { "group_vars/all.yml": "# sizes\ncpus: 4\n" }],
    ["group_vars/all without an ending", 4, { "group_vars/all": "cpus: 4" }],
    ["a folder group_vars/all, whose last file wins", 6, { "group_vars/all/a.yml": "cpus: 4", "group_vars/all/b.yml": "cpus: 6" }],
    ["host_vars of the host, before group_vars", 8, { "group_vars/all.yml": "cpus: 4", "host_vars/localhost.yml": "cpus: 8" }],
    ["a variable of another file", 8, { "group_vars/all.yml": 'cpus: "{{ base }}"', "host_vars/localhost.yml": "base: 8" }],
    ["no file at all", FILLED_IN, {}],
    ["files that say nothing of it", FILLED_IN, { "group_vars/all.yml": "# nothing\n", "group_vars/web.yml": "mem: 1" }],
    // Implicit localhost is in no group; in an inventory it is a host as any other.
    ["group_vars/all, whatever groups there are", 4, { "group_vars/all.yml": "cpus: 4", "group_vars/web.yml": "cpus: 8" }],
    [
      "two files, one of a group that localhost may be in",
      differ("group_vars/web.yml", "group_vars/all.yml"),
      { "group_vars/all.yml": "cpus: 4", "group_vars/web.yml": "cpus: 8", hosts: "[web]\nlocalhost\n" },
    ],
    [
      "an inventory that may set it",
      "? inventory.ini may set cpus",
      { "group_vars/all.yml": "cpus: 4", "inventory.ini": "localhost cpus=8\n" },
    ],
    [
      "an encrypted file",
      "? group_vars/all/vault.yml may set cpus",
      { "group_vars/all/vault.yml": "$ANSIBLE_VAULT;1.1;AES256\n62", "group_vars/all/a.yml": "cpus: 4" },
    ],
    ["a file that is no YAML", "? group_vars/all.yml may set cpus", { "group_vars/all.yml": "cpus: [" }],
    ["a file with branches", "? group_vars/all.yml may set cpus", { "group_vars/all.yml": "{% if x %}\ncpus: 4\n{% endif %}\n" }],
    ["group_vars beside the only inventory", 4, { "inventory/hosts.ini": "[web]\nx\n", "inventory/group_vars/all.yml": "cpus: 4" }],
    [
      "the playbook's before the inventory's",
      6,
      { "inventory/hosts": "x\n", "inventory/group_vars/all.yml": "cpus: 4", "group_vars/all.yml": "cpus: 6" },
    ],
    [
      "one of two inventories",
      "? it may come from inventories/a/group_vars/all.yml and inventories/b/group_vars/all.yml, or from none",
      {
        "inventories/a/hosts": "x\n",
        "inventories/a/group_vars/all.yml": "cpus: 4",
        "inventories/b/hosts": "x\n",
        "inventories/b/group_vars/all.yml": "cpus: 8",
      },
    ],
  ])("%s -> %s", (_, expected, files) => {
    const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/p/${path}`, text]));
    expect(vcpus({ "/p/site.yml": play(), ...texts })).toBe(expected);
  });

  test.each<[string, string, unknown, Texts]>([
    ["hosts: web", "web", 8, { "group_vars/all.yml": "cpus: 4", "group_vars/web.yml": "cpus: 8" }],
    ["hosts: [web]", "[web]", 8, { "group_vars/all.yml": "cpus: 4", "group_vars/web.yml": "cpus: 8" }],
    ["hosts: all", "all", 4, { "group_vars/all.yml": "cpus: 4" }],
    ["another group with the same value", "all", 4, { "group_vars/all.yml": "cpus: 4", "group_vars/web.yml": "cpus: 4" }],
    [
      "another group",
      "all",
      differ("group_vars/web.yml", "group_vars/all.yml"),
      { "group_vars/all.yml": "cpus: 4", "group_vars/web.yml": "cpus: 8" },
    ],
    [
      "a pattern",
      '"web:!db"',
      differ("group_vars/web.yml", "group_vars/all.yml"),
      { "group_vars/all.yml": "cpus: 4", "group_vars/web.yml": "cpus: 8" },
    ],
    [
      "a host of the group",
      "web",
      differ("host_vars/w1.yml", "group_vars/web.yml"),
      { "group_vars/web.yml": "cpus: 8", "host_vars/w1.yml": "cpus: 2" },
    ],
    ["a host", "w1", 2, { "group_vars/web.yml": "cpus: 8", "host_vars/w1.yml": "cpus: 2", "host_vars/w2.yml": "cpus: 4" }],
    ["another group alone", "db", "? it may come from group_vars/web.yml, or from none", { "group_vars/web.yml": "cpus: 8" }],
  ])("%s", (_, hosts, expected, files) => {
    const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/p/${path}`, text]));
    expect(vcpus({ "/p/site.yml": play(hosts), ...texts })).toBe(expected);
  });

  test.each<[string, string, unknown, Texts]>([
    ["vars_files before vars", "  vars: { cpus: 2 }\n  vars_files: [a.yml]\n", 4, { "a.yml": "cpus: 4" }],
    ["the last of them", "  vars_files: [a.yml, vars/b.yml]\n", 6, { "a.yml": "cpus: 4", "vars/b.yml": "cpus: 6" }],
    ["a folder vars first", "  vars_files: [a.yml]\n", 6, { "a.yml": "cpus: 4", "vars/a.yml": "cpus: 6" }],
    ["vars where they say nothing", "  vars: { cpus: 2 }\n  vars_files: [a.yml]\n", 2, { "a.yml": "mem: 4" }],
    ["vars before host_vars", "  vars: { cpus: 2 }\n", 2, { "host_vars/localhost.yml": "cpus: 4" }],
    ["one that is not there", "  vars: { cpus: 2 }\n  vars_files: [gone.yml]\n", "? gone.yml may set cpus", {}],
    [
      "one that a variable names",
      '  vars_files: ["{{ os }}.yml"]\n',
      "? {{ os }}.yml may set cpus",
      { "host_vars/localhost.yml": "cpus: 4" },
    ],
    ["the first of several", "  vars_files: [[a.yml, b.yml]]\n", "? a list in vars_files may set cpus", { "a.yml": "cpus: 4" }],
    [
      "a role's variables, which are stronger",
      "  vars: { cpus: 2 }\n  roles: [vm]\n",
      differ("roles/vm/vars/main.yml", "the play"),
      { "roles/vm/vars/main.yml": "cpus: 4" },
    ],
    [
      "a playbook that imports it with another value",
      "  vars: { cpus: 2 }\n",
      differ("all.yml", "the play"),
      { "all.yml": "- import_playbook: site.yml\n  vars: { cpus: 8 }\n", "other.yml": "- import_playbook: db.yml\n  vars: { cpus: 4 }\n" },
    ],
    ["a fact", "  pre_tasks: [{ set_fact: { cpus: 1 } }]\n", FILLED_IN, { "group_vars/all.yml": "cpus: 4" }],
  ])("%s", (_, more, expected, files) => {
    const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/p/${path}`, text]));
    expect(vcpus({ "/p/site.yml": play("localhost", more), ...texts })).toBe(expected);
  });

  test("the folder above playbooks", () => {
    const texts = { "/p/playbooks/site.yml": play("web"), "/p/hosts": "[web]\nx\n", "/p/group_vars/web.yml": "cpus: 8" };
    expect(vcpus(texts, "/p/playbooks/site.yml")).toBe(8);
  });
});

describe("a variable of a playbook is unknown that", () => {
  const at = (path: string, text: string) => ({ [`/p/${path}`]: text });
  const own = "  vars: { cpus: 4 }\n";
  test.each<[string, unknown, string, Texts]>([
    ["a role sets", "? roles/a/tasks/main.yml may set cpus", "  roles: [a]\n", at("roles/a/tasks/main.yml", "- set_fact: { cpus: 8 }\n")],
    [
      "a role of a role sets",
      "? roles/b/tasks/main.yml may set cpus",
      "  roles: [a]\n",
      {
        ...at("roles/a/meta/main.yml", "dependencies: [{ role: b }]\n"),
        ...at("roles/b/tasks/main.yml", "- shell: x\n  register: cpus\n"),
      },
    ],
    [
      "an included role of an included file sets",
      "? roles/a/handlers/main.yml may set cpus",
      "  pre_tasks: [{ import_tasks: more.yml }]\n",
      {
        ...at("more.yml", "- block:\n  - ansible.builtin.include_role: { name: a }\n"),
        ...at("roles/a/handlers/main.yml", "- set_fact: { cpus: 8 }\n"),
      },
    ],
    [
      "a role of a role always has",
      differ("roles/b/vars/main.yml", "the play"),
      "  roles: [a]\n",
      { ...at("roles/a/meta/main.yml", "dependencies: [b]\n"), ...at("roles/b/vars/main.yml", "cpus: 8") },
    ],
    [
      "a file of variables sets",
      "? roles/a/tasks/main.yml may set cpus",
      "  roles: [a]\n",
      {
        ...at("roles/a/tasks/main.yml", "- include_vars: sizes.yml\n"),
        ...at("roles/a/vars/sizes.yml", "cpus: 8"),
      },
    ],
    [
      "another file of a role's variables sets",
      FILLED_IN,
      "  pre_tasks: [{ import_role: { name: a, vars_from: big } }]\n",
      { ...at("roles/a/vars/main.yml", "memory: 8"), ...at("roles/a/vars/big.yml", "cpus: 16") },
    ],
    [
      "a file of variables sets that an action reads",
      FILLED_IN,
      "  pre_tasks: [action: include_vars sizes.yml]\n",
      at("sizes.yml", "cpus: 16"),
    ],
    ["a role sets whose name only a run knows", FILLED_IN, '  roles: ["{{ os }}"]\n', {}],
    ["a file sets whose name only a run knows", FILLED_IN, '  pre_tasks: [{ include_tasks: "{{ os }}.yml" }]\n', {}],
    [
      "an encrypted file may set",
      "? a.yml may set cpus",
      "  pre_tasks: [{ include_tasks: a.yml }]\n",
      at("a.yml", "$ANSIBLE_VAULT;1.1;AES256\n62"),
    ],
    [
      "a playbook sets that runs before",
      "? a.yml may set cpus",
      "",
      {
        ...at("all.yml", "- import_playbook: a.yml\n- import_playbook: site.yml\n"),
        ...at("a.yml", "- hosts: all\n  tasks: [{ set_fact: { cpus: 8 } }]\n"),
      },
    ],
    // None of these counts for it.
    [
      "is another's in a file of variables",
      4,
      "  roles: [a]\n",
      {
        ...at("roles/a/tasks/main.yml", "- include_vars: sizes.yml\n- include_vars: { file: none.yml, name: x }\n"),
        ...at("roles/a/vars/sizes.yml", "memory: 8"),
      },
    ],
    [
      "is not set in a role whose texts are templates",
      4,
      "  roles: [a]\n",
      at("roles/a/tasks/main.yml", "- copy:\n    content: |\n      {% if x %}\n      cpus: 8\n      {% endif %}\n    dest: /a\n"),
    ],
    [
      "is not set by another file of a role's variables",
      4,
      "  pre_tasks: [{ import_role: { name: a, vars_from: big } }]\n",
      at("roles/a/vars/big.yml", "memory: 16"),
    ],
    [
      "is not set by a file that an action reads",
      4,
      "  pre_tasks: [{ action: include_vars sizes.yml }, { action: include_tasks more.yml }]\n",
      { ...at("sizes.yml", "memory: 16"), ...at("more.yml", "- set_fact: { memory: 16 }\n") },
    ],
    ["is a role's parameter", 4, "  roles: [{ role: a, cpus: 8 }]\n  pre_tasks: [{ include_role: { name: a }, vars: { cpus: 8 } }]\n", {}],
    [
      "roles in a circle do not set",
      4,
      "  roles: [a]\n",
      {
        ...at("roles/a/meta/main.yml", "dependencies: [a, b]\n"),
        ...at("roles/b/tasks/main.yml", "- include_tasks: main.yml\n- include_role: { name: a }\n"),
      },
    ],
  ])("%s", (_, expected, more, files) => {
    expect(vcpus({ "/p/site.yml": play("localhost", own + more), ...files })).toBe(expected);
  });

  test("another play of the file sets", () => {
    const before = "- hosts: all\n  tasks: [{ set_fact: { cpus: 8 } }]\n";
    expect(vcpus({ "/p/site.yml": before + play("localhost", own) })).toBe(FILLED_IN);
  });
});

describe("a variable of a role", () => {
  const role = (files: Texts, path = "/p/roles/vm/tasks/main.yml") => vcpus({ [path]: guest(""), ...files }, path);
  test.each<[string, unknown, Texts]>([
    ["is its default", 4, { "/p/roles/vm/defaults/main.yml": "cpus: 4" }],
    ["is its own before its default", 6, { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/roles/vm/vars/main.yml": "cpus: 6" }],
    ["is the inventory's before its default", 8, { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/group_vars/all.yml": "cpus: 8" }],
    [
      "may be a group's",
      differ("group_vars/web.yml", "roles/vm/defaults/main.yml"),
      { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/group_vars/web.yml": "cpus: 8" },
    ],
    [
      "may be a parameter",
      "? site.yml may set cpus",
      { "/p/roles/vm/vars/main.yml": "cpus: 4", "/p/site.yml": "- hosts: all\n  roles: [{ role: vm, cpus: 8 }]\n" },
    ],
    [
      "is no other role's",
      4,
      { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/site.yml": "- hosts: all\n  roles: [{ role: db, cpus: 8 }]\n" },
    ],
    [
      "is set by a task of its own",
      "? roles/vm/tasks/size.yml may set cpus",
      { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/roles/vm/tasks/size.yml": "- set_fact: { cpus: 8 }\n" },
    ],
    [
      "is handed to its tasks",
      "? roles/vm/tasks/all.yml may set cpus",
      { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/roles/vm/tasks/all.yml": "- include_tasks: main.yml\n  vars: { cpus: 8 }\n" },
    ],
    ...["../../../tasks/{{ os }}.yml", "{{ playbook_dir }}/tasks/{{ os }}.yml"].map((file): [string, unknown, Texts] => [
      `may be set by a file outside of it, ${file}`,
      "? roles/vm/tasks/all.yml may set cpus",
      { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/roles/vm/tasks/all.yml": `- include_tasks: "${file}"\n` },
    ]),
    [
      "is not set by a file of its own that only a run knows",
      4,
      { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/roles/vm/tasks/all.yml": '- include_tasks: "{{ os }}.yml"\n' },
    ],
    ...[
      "include_tasks: main.yml\n  loop: [8, 16]\n  loop_control: { loop_var: cpus }",
      "import_tasks: main.yml\n  loop: [8, 16]\n  loop_control: { index_var: cpus }",
      "include_tasks: { file: main.yml, apply: { vars: { cpus: 8 } } }",
      "include_tasks: main.yml\n  args: { apply: { vars: { cpus: 8 } } }",
      "action: include_tasks main.yml\n  vars: { cpus: 8 }",
      "include: main.yml cpus=8",
    ].map((step): [string, unknown, Texts] => [
      `is handed to its tasks by ${step.replace(/\n */g, ", ")}`,
      "? roles/vm/tasks/all.yml may set cpus",
      { "/p/roles/vm/defaults/main.yml": "cpus: 4", "/p/roles/vm/tasks/all.yml": `- ${step}\n` },
    ]),
    ...[
      "include_role: { name: vm }\n    loop: [8, 16]\n    loop_control: { loop_var: cpus }",
      "include_role: { name: vm, apply: { vars: { cpus: 8 } } }",
      "include_role: { role: vm, defaults_from: big }",
      "import_role: { name: vm, vars_from: big }",
    ].map((step): [string, unknown, Texts] => [
      `may be another's by ${step.replace(/\n */g, ", ")}`,
      "? site.yml may set cpus",
      {
        "/p/roles/vm/defaults/main.yml": "cpus: 4",
        "/p/roles/vm/defaults/big.yml": "cpus: 16",
        "/p/roles/vm/vars/big.yml": "cpus: 16",
        "/p/site.yml": `- hosts: all\n  tasks:\n  - ${step}\n`,
      },
    ]),
    ...["plays", "playbooks/prod"].map((folder): [string, unknown, Texts] => [
      `may be a parameter in ${folder}`,
      `? ${folder}/site.yml may set cpus`,
      {
        "/p/roles/vm/vars/main.yml": "cpus: 4",
        [`/p/${folder}/site.yml`]: "- { hosts: all, roles: [{ role: vm, cpus: 8 }] }\n",
      },
    ]),
    [
      "may be a group's beside the playbook",
      differ("plays/group_vars/all.yml", "roles/vm/defaults/main.yml"),
      {
        "/p/roles/vm/defaults/main.yml": "cpus: 4",
        "/p/plays/group_vars/all.yml": "cpus: 8",
        "/p/plays/site.yml": "- hosts: all\n  roles: [vm]\n",
      },
    ],
    [
      "is none of a file that is no playbook, or of a playbook that does not run it",
      4,
      {
        "/p/roles/vm/defaults/main.yml": "cpus: 4",
        "/p/files/vm.yml": "cpus: 8\n",
        "/p/plays/db.yml": "- { hosts: all, roles: [{ role: db, cpus: 8 }] }\n",
        "/p/plays/group_vars/all.yml": "cpus: 8",
      },
    ],
    ["is nowhere", FILLED_IN, {}],
    [
      "may be a file's that the play reads",
      differ("x.yml", "roles/vm/defaults/main.yml"),
      {
        "/p/roles/vm/defaults/main.yml": "cpus: 4",
        "/p/x.yml": "cpus: 8",
        "/p/site.yml": "- hosts: all\n  vars_files: x.yml\n  roles: [vm]\n",
      },
    ],
    [
      "may be another role's of the play",
      differ("roles/a/vars/main.yml", "roles/vm/defaults/main.yml"),
      {
        "/p/roles/vm/defaults/main.yml": "cpus: 4",
        "/p/roles/a/vars/main.yml": "cpus: 8",
        "/p/site.yml": "- hosts: all\n  roles: [a, vm]\n",
      },
    ],
    [
      "is handed to it by the blocks of a role that runs it",
      "? roles/a/tasks/main.yml may set cpus",
      {
        "/p/roles/vm/defaults/main.yml": "cpus: 4",
        "/p/roles/a/tasks/main.yml": "- vars: { cpus: 8 }\n  block:\n  - include_role: { name: vm }\n",
        "/p/site.yml": "- hosts: all\n  roles: [a]\n",
      },
    ],
    [
      "is set by a task of a play that runs it",
      "? site.yml may set cpus",
      {
        "/p/roles/vm/defaults/main.yml": "cpus: 4",
        "/p/site.yml": "- hosts: all\n  pre_tasks: [{ set_fact: { cpus: 8 } }]\n  roles: [vm]\n",
      },
    ],
  ])("%s", (_, expected, files) => {
    expect(role(files)).toBe(expected);
  });
  test("in a repository of its own", () => {
    const path = "/vm/tasks/create.yml";
    expect(role({ "/vm/defaults/main.yml": "cpus: 4" }, path)).toBe(4);
    // A folder of tasks next to a playbook is not a role.
    expect(role({ "/vm/vars/main.yml": "cpus: 4" }, path)).toBe(FILLED_IN);
  });
});

describe("a variable of a file of tasks that is in no role", () => {
  const path = "/p/tasks/create.yml";
  const step = (more: string) => `- hosts: all\n  tasks:\n  - include_tasks: tasks/create.yml\n${more}`;
  test.each<[string, unknown, Texts]>([
    ["is its own", 4, { "/p/site.yml": step("") }],
    ["may be handed to it", "? site.yml may set cpus", { "/p/site.yml": step("    vars: { cpus: 8 }\n") }],
    [
      "may be a loop's, of tasks beside it",
      "? all.yml may set cpus",
      { "/p/tasks/all.yml": "- include_tasks: create.yml\n  loop: [8]\n  loop_control: { loop_var: cpus }\n" },
    ],
    ["may be a fact", "? site.yml may set cpus", { "/p/site.yml": step("  pre_tasks: [{ set_fact: { cpus: 8 } }]\n") }],
    ["is none of a playbook that does not include it", 4, { "/p/site.yml": step("    vars: { cpus: 8 }\n").replace("create", "other") }],
  ])("%s", (_, expected, files) => {
    expect(vcpus({ [path]: `${guest("")}  vars: { cpus: 4 }\n`, ...files }, path)).toBe(expected);
  });
});

describe("an inventory that ansible.cfg names, or that is the only one of a group's", () => {
  const CFG = { "ansible.cfg": "[defaults]\n; where the hosts are\nInventory = envs/prod ; all of them\n[other]\ninventory = x\n" };
  const ALL = { "ansible.cfg": "[defaults]\ninventory = inv/\n" };
  const differs = (...files: string[]) => `? ${files.join(" and ")} disagree about cpus`;

  test.each<[string, string, unknown, Texts]>([
    ["a host's own", "localhost", 8, { ...CFG, "envs/prod": "localhost cpus=8 note='a b' # big\n" }],
    [
      "a group's, before that of all",
      "localhost",
      8,
      { ...CFG, "envs/prod": "[web]\nlocalhost\n[web:vars]\ncpus = 8\n[all:vars]\ncpus=4\n" },
    ],
    [
      "a child's before its parent's",
      "localhost",
      8,
      { ...CFG, "envs/prod": "[a]\nlocalhost\n[b:children]\na\n[a:vars]\ncpus=8\n[b:vars]\ncpus=4\n" },
    ],
    ["of no other group", "localhost", 4, { ...CFG, "envs/prod": "[web]\nh1\n[web:vars]\ncpus=8\n", "group_vars/all.yml": "cpus: 4" }],
    ["in YAML", "web", 8, { ...CFG, "envs/prod": "all:\n  children:\n    web:\n      hosts: { h1: , h2: }\n      vars: { cpus: 8 }\n" }],
    ["a file of variables beside it", "web", 8, { hosts: "[web]\nh1\n", "group_vars/web.yml": "cpus: 8", "group_vars/all.yml": "cpus: 4" }],
    ["two hosts that differ", "web", "? hosts disagree about cpus", { hosts: "[web]\nh1 cpus=8\nh2 cpus=4\n[web:vars]\ncpus=2\n" }],
    ["a literal of Python that is not plain", "h1", "? hosts may set cpus", { hosts: "h1 cpus=0x10\n[all:vars]\ncpus=4\n" }],
    ["a range of hosts", "web", 8, { hosts: "[web]\nh[1:3] cpus=8\n", "group_vars/all.yml": "cpus: 4" }],
    ["a range of hosts in YAML", "db-e.x", 8, { "hosts.yml": "web:\n  hosts:\n    db-[a:f:2].x: { cpus: 8 }\n" }],
    ["several ranges, and a port", "h09-b", 8, { hosts: "h[08:11]-[a:b]:22 cpus=8\n" }],
    ["a range, and one of its hosts", "web", "? hosts disagree about cpus", { hosts: "[web]\nh[1:3] cpus=8\nh2 cpus=4\n" }],
    ["one of a range, whose line comes last", "h2", 8, { hosts: "h2 cpus=4\nh[1:3] cpus=8\n" }],
    ["a range that leaves it out", "hb", "? hosts may set cpus", { hosts: "h[a:c:2] cpus=8\n" }],
    ["a program", "web", "? hosts may set cpus", { hosts: "#!/usr/bin/env python3\n", "group_vars/web.yml": "cpus: 8" }],
    [
      "a plugin",
      "web",
      "? envs/prod may set cpus",
      { ...CFG, "envs/prod": "plugin: x\ncompose: { cpus: 4 }\n", "group_vars/web.yml": "cpus: 8" },
    ],
    ["one that is not there", "web", "? envs/prod may set cpus", { ...CFG, hosts: "[web]\nh1 cpus=8\n" }],
    [
      "a folder, the last of its files first",
      "web",
      8,
      { ...ALL, "inv/1": "[web]\nh1 cpus=4\n", "inv/2.yml": "web: { hosts: { h1: { cpus: 8 } } }" },
    ],
    ["a group of an earlier file", "web", 8, { ...ALL, "inv/a": "[web]\nh1\n", "inv/b/x": "[sql:children]\nweb\n[sql:vars]\ncpus=8\n" }],
    [
      "a group of a later file",
      "web",
      "? inv/a may set cpus",
      { ...ALL, "inv/b": "[web]\nh1\n", "inv/a": "[sql:children]\nweb\n[sql:vars]\ncpus=8\n" },
    ],
    ["variables in the folder", "web", 8, { ...ALL, "inv/hosts": "[web]\nh1\n", "inv/group_vars/web.yml": "cpus: 8" }],
    [
      "not what the folder passes over",
      "h1",
      8,
      { ...ALL, "inv/hosts": "h1 cpus=8\n", "inv/hosts.bak": "h1 cpus=4\n", "inv/.old": "h1 cpus=2\n" },
    ],
    ["a file that only newer releases read", "h1", "? inv/1 may set cpus", { ...ALL, "inv/1": "h1 cpus=8\n", "inv/2.ini": "h1 cpus=4\n" }],
    [
      "files that settings pass over",
      "h1",
      "? inv/x may set cpus",
      { ...ALL, "ansible.cfg": "[defaults]\ninventory = inv\n[inventory]\nignore_patterns = ^x", "inv/x": "h1 cpus=8\n" },
    ],
    ["the last of two inventories", "h1", 8, { "ansible.cfg": "[defaults]\ninventory = a,b", a: "h1 cpus=4\n", b: "h1 cpus=8\n" }],
    ["groups in a circle", "a", "? hosts may set cpus", { hosts: "[a:children]\nb\n[b:children]\na\n[a:vars]\ncpus=8\n" }],
    [
      "a group that tasks may make",
      "web",
      differs("group_vars/made.yml", "hosts"),
      { hosts: "[web]\nh1\n[web:vars]\ncpus=8\n", "group_vars/made.yml": "cpus: 4" },
    ],
  ])("%s", (_, hosts, expected, files) => {
    const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/p/${path}`, text]));
    expect(vcpus({ "/p/site.yml": play(hosts), ...texts })).toBe(expected);
  });

  test("tasks that add hosts leave open what they are given", () => {
    const site = `${play("web")}- hosts: web\n  tasks: [{ add_host: { name: h9, groups: web, cpus: 2 } }]\n`;
    expect(vcpus({ "/p/site.yml": site, "/p/hosts": "[web]\nh1\n[web:vars]\ncpus=8\n" })).toBe("? hosts may set cpus");
  });

  test("mappings are merged if ansible.cfg requests it", () => {
    const hardware = (cfg: string, files: Texts, more = "") => {
      const texts = { "/p/ansible.cfg": `[defaults]\ninventory = hosts\n${cfg}`, "/p/hosts": "h1\n", ...files };
      const text = `- hosts: h1\n${more}  tasks:\n  - vmware_guest: { name: a, guest_id: g, hardware: "{{ hw }}" }\n`;
      const [vm] = yaml.parse(text, undefined, { path: "/p/site.yml", files: filesOf(texts) }).vms;
      return vm && [said(vm).vcpus, said(vm).coresPerSocket];
    };
    const all = { "/p/group_vars/all.yml": "hw: { num_cpus: 8, num_cpu_cores_per_socket: 4, memory_mb: 1 }" };
    const host = { "/p/host_vars/h1.yml": "hw: { num_cpus: 6, memory_mb: 1 }" };
    const own = "  vars: { hw: { num_cpus: 2, memory_mb: 1 } }\n";
    const merge = "hash_behaviour = merge\n";
    expect(hardware("", { ...all, ...host })).toEqual([6, undefined]);
    expect(hardware(merge, { ...all, ...host })).toEqual([FILLED_IN, FILLED_IN]);
    expect(hardware(merge, all, own)).toEqual([FILLED_IN, FILLED_IN]);
    expect(hardware(merge, all)).toEqual([8, 4]);
  });

  test("leads to the variable's own line", () => {
    const hosts = "[web]\nh1  memory=4  cpus=22\n";
    const { vms } = yaml.parse(play("h1"), undefined, { path: "/p/site.yml", files: filesOf({ "/p/hosts": hosts }) });
    const [vm] = vms;
    const setting = vm?.settings.vcpus;
    const [at] = (setting?.state === "known" && vm?.traceTo?.(setting.range)) || [];
    expect(at && [at.path, at.message, hosts.slice(...at.range)]).toEqual(["/p/hosts", "cpus is set here", "22"]);
  });

  test("roles in other folders", () => {
    const texts = {
      "/p/site.yml": play("localhost", "  roles: [vm]\n"),
      "/p/ansible.cfg": "[defaults]\nroles_path = ~/x:shared/roles\n",
      "/p/shared/roles/vm/defaults/main.yml": "cpus: 6",
    };
    expect(vcpus(texts)).toBe("? it may come from shared/roles/vm/defaults/main.yml, or from none");
  });

  test("ansible.cfg two folders above", () => {
    const path = "/p/playbooks/prod/site.yml";
    const texts = {
      [path]: play("localhost", "  vars: { cpus: 4 }\n  roles: [vm]\n"),
      "/p/ansible.cfg": "[defaults]\nroles_path = roles\n",
      "/p/roles/vm/tasks/main.yml": "- set_fact: { cpus: 8 }\n",
    };
    expect(vcpus(texts, path)).toBe("? ../../roles/vm/tasks/main.yml may set cpus");
  });

  test("any text is read without throwing", () => {
    const piece = fc.constantFrom(
      "[web]",
      "[a:children]",
      "[a:vars]",
      "h1",
      " cpus=4",
      "a",
      "\n",
      "cpus: 4",
      "all:",
      "  hosts:",
      " {",
      "}",
      "'",
      "# x",
      "[",
      ":",
    );
    const heap = fc.array(piece, { maxLength: 30 }).map((all) => all.join(""));
    fc.assert(
      fc.property(heap, fc.constantFrom("hosts", "hosts.yml"), fc.constantFrom("web", "all", "localhost", "h1"), (text, name, hosts) => {
        const files = { [`/p/${name}`]: text, "/p/ansible.cfg": `[defaults]\ninventory=${name}` };
        expect(() => vcpus({ "/p/site.yml": play(hosts), ...files })).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

test("a finding is at the use of the value, links to the file that sets it, and is never fixed there", () => {
  const files = filesOf({ "/p/group_vars/all.yml": "# sizes\ncpus: 22\n" });
  const text = play();
  const { diagnostics } = lint(text, {
    format: yaml,
    context: { path: "/p/site.yml", files },
    target: { host: requireHost("4x10x2@7.0") },
  });
  const wide = diagnostics.find(({ ruleId }) => ruleId === "numa/wide-uneven");
  expect(wide && text.slice(...wide.range)).toBe("{{ cpus }}");
  expect(wide?.related).toEqual([{ message: "cpus is set here", path: "/p/group_vars/all.yml", range: [14, 16] }]);
  expect(wide?.fixes.map(({ title }) => title)).toEqual(["Set preferHT"]);
});

test("a template that decides a value also decides it at the use", () => {
  const files = filesOf({ "/p/group_vars/all.yml": "cpus: 22\n" });
  const text =
    '- hosts: localhost\n  tasks:\n  - vmware_guest:\n      name: a\n      guest_id: g\n      hardware:\n{% if big %}\n        num_cpus: "{{ cpus }}"\n{% endif %}\n        memory_mb: 1\n';
  const [vm] = yaml.parse(text, undefined, { path: "/p/site.yml", files }).vms;
  expect(vm && said(vm).vcpus).toBe("? a template decides whether it is there");
});

test("any text next to a playbook is read without an exception, and every range is in the playbook", () => {
  const piece = fc.constantFrom(
    "cpus: ",
    "4",
    '"{{ cpus }}"',
    '"{{ b.c }}"',
    "b: ",
    "c: ",
    "\n",
    "  ",
    "- ",
    "&a ",
    "*a",
    "{",
    "}",
    "[",
    "<<: ",
    "{% if %}",
    "---\n",
    "\u0000",
  );
  const heap = fc.array(piece, { maxLength: 20 }).map((all) => all.join(""));
  fc.assert(
    fc.property(heap, heap, heap, (all, host, file) => {
      const text = play("localhost", "  vars_files: [a.yml]\n");
      const files = filesOf({ "/p/group_vars/all.yml": all, "/p/host_vars/localhost/x.yml": host, "/p/a.yml": file });
      for (const { settings } of yaml.parse(text, undefined, { path: "/p/site.yml", files }).vms) {
        const { vcpus: setting } = settings;
        if (setting.state !== "absent") expect(text.slice(...setting.range)).toBe("{{ cpus }}");
      }
    }),
    { numRuns: 500 },
  );
});

test("nothing is read where no variable asks for it", () => {
  const asked: string[] = [];
  const none = filesOf({});
  const ask =
    <T>(answer: (path: string) => T) =>
    (path: string) => {
      asked.push(path);
      return answer(path);
    };
  const files: Files = { read: ask(none.read), list: ask(none.list) };
  yaml.parse(play().replace('"{{ cpus }}"', "4"), undefined, { path: "/p/site.yml", files });
  expect(asked).toEqual([]);
});
