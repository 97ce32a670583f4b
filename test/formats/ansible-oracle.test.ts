import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { VmSpec } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filesOf } from "../support/text-files.ts";

/** Ansible itself, where scripts/setup-integrations.sh has put it. */
const tools = fileURLToPath(new URL("../../.integration-tools/bin/", import.meta.url));
const script = fileURLToPath(new URL("ansible-oracle.py", import.meta.url));

interface Layout {
  readonly files: Readonly<Record<string, string>>;
  readonly playbook: string;
  readonly inventory: readonly string[];
  readonly variable: string;
}

const GROUPS = ["a", "b", "c", "d"] as const;
const HOSTS = ["h1", "h2", "h3", "localhost"] as const;
const size = fc.option(fc.constantFrom(2, 4, 8), { nil: undefined, freq: 2 });

interface Group {
  readonly hosts: readonly string[];
  readonly children: readonly string[];
  readonly cpus: number | undefined;
}

const group = (i: number): fc.Arbitrary<Group> =>
  // Only later groups are inside of it: no circles.
  fc.record({ hosts: fc.subarray([...HOSTS]), children: fc.subarray(GROUPS.slice(i + 1)), cpus: size });

const anyInventory = fc.record({
  all: size,
  hosts: fc.record({ h1: size, h2: size, h3: size, localhost: size }),
  groups: fc.tuple(...GROUPS.map((_, i) => group(i))),
  quote: fc.constantFrom("", '"', "'"),
  // Ranges that include h1, h2 and h3.
  range: fc.constantFrom(undefined, "h[1:3]", "h[1:3:1]", "[h:h][1:3]"),
});
type AnyInventory = typeof anyInventory extends fc.Arbitrary<infer T> ? T : never;

/** Each host's line is at its first occurrence. */
const ofHost = ({ hosts }: AnyInventory, name: string) => hosts[name as keyof typeof hosts];

type Numbers = readonly number[];
const EVERY: Numbers = GROUPS.map((_, i) => i);

const ranges = ({ range }: AnyInventory, hosts: readonly string[]): readonly string[] =>
  range !== undefined && ["h1", "h2", "h3"].every((host) => hosts.includes(host)) ? [range] : [];

/** With some of its groups. */
function ini(all: AnyInventory, which = EVERY): string {
  const lines: string[] = [];
  const said = (value: number | undefined) => (value === undefined ? "" : ` cpus=${all.quote}${value}${all.quote} note=x # of the host`);
  all.groups.forEach(({ hosts, children, cpus }, i) => {
    if (!which.includes(i)) return;
    const some = hosts.filter((host) => ranges(all, hosts).length === 0 || ofHost(all, host) !== undefined || host === "localhost");
    lines.push(`[${GROUPS[i]}]`, ...ranges(all, hosts), ...some.map((host) => `${host}${said(ofHost(all, host))}`));
    if (children.length > 0) lines.push(`[${GROUPS[i]}:children]`, ...children);
    if (cpus !== undefined) lines.push(`[${GROUPS[i]}:vars]`, `cpus = ${cpus}`);
  });
  if (all.all !== undefined) lines.push("", "[all:vars]", `cpus=${all.all}`);
  return `${lines.join("\n")}\n`;
}

function yamlInventory(all: AnyInventory, which = EVERY): string {
  const lines = ["all:", ...(all.all === undefined ? [] : [`  vars: { cpus: ${all.all} }`]), "  children:"];
  all.groups.forEach(({ hosts, children, cpus }, i) => {
    if (!which.includes(i)) return;
    lines.push(`    ${GROUPS[i]}:`);
    const own = (host: string) => (ofHost(all, host) === undefined ? "" : ` { cpus: ${ofHost(all, host)} }`);
    const keys = [...ranges(all, hosts).map((range) => `"${range}":`), ...hosts.map((host) => `${host}:${own(host)}`)];
    if (hosts.length > 0) lines.push("      hosts:", ...keys.map((key) => `        ${key}`));
    if (children.length > 0) lines.push("      children:", ...children.map((child) => `        ${child}:`));
    if (cpus !== undefined) lines.push("      vars:", `        cpus: ${cpus}`);
  });
  return `${lines.join("\n")}\n`;
}

const anyLayout: fc.Arbitrary<Layout> = fc
  .record({
    inventory: anyInventory,
    form: fc.constantFrom("ini", "yaml", "folder"),
    // Groups that another file makes are there only if that was read before.
    order: fc.constantFrom(["1", "2"], ["1.yml", "2"], ["1", "2.yml"], ["2.yml", "1"], ["2", "1"]),
    folder: fc.constantFrom("", "inventory/"),
    settings: fc.boolean(),
    hosts: fc.constantFrom("all", "a", "b", "c", "ungrouped", "h1", "localhost"),
    vars: size,
    files: fc.dictionary(
      fc.constantFrom(
        ...["", "inventory/"].flatMap((place) =>
          [
            "group_vars/all",
            "group_vars/a",
            "group_vars/b",
            "group_vars/d",
            "group_vars/ungrouped",
            "host_vars/h1",
            "host_vars/localhost",
          ].map((file) => `${place}${file}.yml`),
        ),
      ),
      fc.constantFrom(16, 32),
      { maxKeys: 4 },
    ),
  })
  .map(({ inventory, form, order, folder, settings, hosts, vars, files }) => {
    const isFolder = form === "folder";
    const path = isFolder ? "inventory" : `${folder}hosts${form === "ini" ? "" : ".yml"}`;
    const list = (name: string, which = EVERY) => (name.endsWith(".yml") ? yamlInventory(inventory, which) : ini(inventory, which));
    const [first = "", second = ""] = order;
    const lists = isFolder
      ? { [`${path}/${first}`]: list(first, [2, 3]), [`${path}/${second}`]: list(second, [0, 1]) }
      : { [path]: list(path) };
    const play = [`- hosts: ${hosts}`, ...(vars === undefined ? [] : [`  vars: { cpus: ${vars} }`])];
    const task = "  - vmware_guest:\n      name: x\n      hardware: { num_cpus: '{{ cpus }}', memory_mb: 4096 }";
    return {
      files: {
        "site.yml": `${play.join("\n")}\n  tasks:\n${task}\n`,
        ...lists,
        ...(isFolder && { [`${path}/README.md`]: "# Hosts\n" }),
        ...Object.fromEntries(Object.entries(files).map(([file, value]) => [file, `cpus: ${value}\n`])),
        ...((settings || isFolder) && { "ansible.cfg": `[defaults]\nforks = 5\ninventory = ${path}\n` }),
      },
      playbook: "site.yml",
      inventory: [path],
      variable: "cpus",
    };
  });

const underRoot = (files: Layout["files"]) => Object.fromEntries(Object.entries(files).map(([path, text]) => [`/p/${path}`, text]));

const vmsIn = ({ files, playbook }: Layout) =>
  yaml.parse(files[playbook] ?? "", undefined, { path: `/p/${playbook}`, files: filesOf(underRoot(files)) }).vms;

const vcpusOf = (vm: VmSpec | undefined): string | undefined =>
  vm?.settings.vcpus.state === "known" ? String(vm.settings.vcpus.value) : undefined;

/** The vCPUs that vmlint reads; `undefined` if it does not know them. */
const knownVcpus = (layout: Layout): string | undefined => vcpusOf(vmsIn(layout)[0]);

/** The value that Ansible gives each host of a play. */
function byAnsible(layouts: readonly Layout[]): readonly (readonly (string | null)[])[] {
  // The collection itself is not needed to know its variables.
  const { stdout, stderr } = spawnSync(`${tools}python`, [script], {
    input: JSON.stringify(layouts).replaceAll("vmware_guest:", "debug:"),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  expect(stderr.includes("Traceback"), stderr).toBe(false);
  return JSON.parse(stdout);
}

describe.runIf(existsSync(`${tools}ansible-playbook`))("Ansible itself", () => {
  test("gives every host of a play its known values", () => {
    const layouts = fc.sample(anyLayout, 150);
    const answers = byAnsible(layouts);
    let known = 0;
    layouts.forEach((layout, i) => {
      const answer = answers[i] ?? [];
      const vcpus = knownVcpus(layout);
      if (vcpus === undefined || answer.length === 0) return;
      known++;
      expect(new Set(answer), JSON.stringify(layout.files, undefined, 1)).toEqual(new Set([vcpus]));
    });
    // Nearly every play whose hosts all have the same has been understood.
    const same = answers.filter((answer) => answer.length > 0 && answer[0] !== null && new Set(answer).size === 1).length;
    expect(known).toBeGreaterThan(same * 0.6);
  });

  test("has in hostvars what vmlint knows, for each host of a group", () => {
    const layouts = fc.sample(anyLayout, 100).flatMap((layout) => {
      const group = /^- hosts: (\w+)/.exec(layout.files["site.yml"] ?? "")?.[1] ?? "";
      if (group === "h1" || group === "localhost") return [];
      const loop = `    loop: "{{ groups['${group}'] }}"`;
      const task = `  - vmware_guest:\n      name: "{{ item }}"\n      hardware: { num_cpus: "{{ hostvars[item].cpus }}", memory_mb: 4096 }\n${loop}`;
      // A variable of the play is not in hostvars.
      const play = `- hosts: localhost\n  vars: { cpus: 64 }\n  tasks:\n${task}\n`;
      return [{ layout: { ...layout, files: { ...layout.files, "other.yml": play }, playbook: "other.yml" }, group }];
    });
    const plain = layouts.map(({ layout, group }) => ({
      ...layout,
      files: { ...layout.files, "site.yml": `- hosts: ${group}\n  tasks:\n  - vmware_guest:\n` },
      playbook: "site.yml",
    }));
    const answers = byAnsible(plain);
    let known = 0;
    layouts.forEach(({ layout }, i) => {
      const vms = vmsIn(layout);
      const answer = answers[i] ?? [];
      if (vms.length === 1 && vms[0]?.hasUnknownCount) return;
      known++;
      const found = vms.map(vcpusOf);
      // In any order: the hosts of a group come before the hosts of its children.
      expect(found.length, JSON.stringify(layout.files, undefined, 1)).toBe(answer.length);
      const rest = [...answer];
      for (const vcpus of found) if (vcpus !== undefined) expect(rest.splice(rest.indexOf(vcpus), 1)).toEqual([vcpus]);
    });
    expect(known).toBeGreaterThan(layouts.length * 0.2);
  });
});
