import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { said, vmsOf, yamlVm } from "../support/yaml-vm.ts";

/** Ansible itself, where scripts/setup-integrations.sh has put it. */
const python = fileURLToPath(new URL("../../.integration-tools/bin/python", import.meta.url));
const script = fileURLToPath(new URL("ansible-expressions.py", import.meta.url));

function byAnsible(vars: unknown, expressions: readonly string[]): readonly unknown[] {
  const { stdout, stderr } = spawnSync(python, [script], { input: JSON.stringify({ vars, expressions }), encoding: "utf8" });
  expect(stdout, stderr).not.toBe("");
  return JSON.parse(stdout);
}

const VARS = {
  cpus: 6,
  few: 1,
  text: "4",
  empty: "",
  zero: 0,
  vm: { cpus: 8, name: "sql01" },
  more: { cpus: 12 },
  small: [{ name: "a", cpus: 2, on: true }],
  large: [
    { name: "b", cpus: 16, on: true },
    { name: "c", cpus: 24 },
  ],
  sizes: { s: { cpus: 2 }, l: { cpus: 32 } },
  one: { s: { cpus: 2 } },
};

const lines = (vars: Readonly<Record<string, unknown>>): string =>
  Object.entries(vars)
    .map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`)
    .join("");

const play = (value: string, more = ""): string =>
  `- hosts: localhost\n  vars:\n${lines(VARS)}  tasks:\n  - vmware_guest:\n      name: a\n      hardware: { num_cpus: ${JSON.stringify(value)}, memory_mb: 4096 }\n${more}`;

const operand = fc.constantFrom(
  "cpus",
  "few",
  "vm.cpus",
  "vm['cpus']",
  "more.cpus",
  "2",
  "3",
  "missing | default(5)",
  "none | default(5)",
  "text | int",
  "zero | default(7, true)",
  "text",
  "zero",
  "none",
);
const operator = fc.constantFrom("+", "-", "*", "/", "//", "%", "~");
const anyNumber = fc
  .tuple(operand, operator, operand, fc.option(fc.tuple(operator, operand)), fc.boolean(), fc.boolean())
  .map(([a, op, b, more, grouped, int]) => {
    const pair = grouped ? `(${a} ${op} ${b})` : `${a} ${op} ${b}`;
    const all = more ? `${pair} ${more[0]} ${more[1]}` : pair;
    return `{{ ${int ? `(${all}) | int` : all} }}`;
  });

test.skipIf(!existsSync(python))("arithmetic gives what Ansible gives, or is left to a run", () => {
  const expressions = [...new Set(fc.sample(anyNumber, 400))];
  const answers = byAnsible(VARS, expressions);
  let decided = 0;
  expressions.forEach((expression, i) => {
    const { vcpus } = said(yamlVm(play(expression)));
    if (typeof vcpus !== "number") return;
    decided++;
    expect(`${expression} = ${vcpus}`).toBe(`${expression} = ${answers[i]}`);
  });
  // Most of them divide, join texts or use an unset variable.
  expect(decided).toBeGreaterThan(expressions.length / 10);
});

const LISTS = [
  "{{ small + large }}",
  "{{ small }}",
  "{{ sizes | dict2items }}",
  "{{ query('dict', sizes) }}",
  "{{ lookup('dict', sizes) }}",
  "{{ lookup('ansible.builtin.dict', sizes) }}",
  "{{ (small + large) | selectattr('name', 'equalto', 'b') | list }}",
  "{{ (small + large) | rejectattr('name', '==', 'b') | list }}",
  "{{ large | selectattr('on', 'defined') }}",
  "{{ missing | default([]) + large }}",
  "{{ one | dict2items }}",
];

test.skipIf(!existsSync(python))("loops use the lists that Ansible uses", () => {
  const answers = byAnsible(VARS, LISTS);
  LISTS.forEach((list, i) => {
    const isPair = /dict/.test(list);
    const text = play(`{{ item.${isPair ? "value.cpus" : "cpus"} }}`, `    loop: ${JSON.stringify(list)}\n`);
    type Item = { readonly cpus: number; readonly value: { readonly cpus: number } };
    const expected = (answers[i] as readonly Item[]).map((item) => (isPair ? item.value.cpus : item.cpus));
    expect([list, vmsOf(text).map((vm) => said(vm).vcpus)]).toEqual([list, expected]);
  });
});

test("mappings over each other give the value of the last", () => {
  const text = play("{{ size.cpus }}", '    vars: { size: "{{ vm | combine(more) }}" }\n');
  expect(said(yamlVm(text)).vcpus).toBe(12);
});
