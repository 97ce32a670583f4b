import { rules, type Setting } from "@vmlint/core";
import { lintProject } from "@vmlint/core/project";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Texts } from "../../support/text-files.ts";
import { parse, shown } from "./support.ts";

/** Pieces that make texts near to Terraform's. */
const PIECE = fc.oneof(
  fc.constantFrom(
    'resource "vsphere_virtual_machine" "vm" {\n',
    'module "m" {\n  source = "./m"\n',
    'variable "n" {\n',
    "locals {\n",
    "}\n",
    "  num_cpus = ",
    "  default = ",
    "  num_cores_per_socket = var.n\n",
    "  count = 2\n",
    "  for_each = { a = 1 }\n",
    '  dynamic "disk" {\n    for_each = [1]\n    content {\n      unit_number = disk.value\n    }\n  }\n',
    "  extra_config = { ",
    '"numa.vcpu.preferHT" = "TRUE" }\n',
    "var.n\n",
    "each.value\n",
    "local.x\n",
    "x = local.x\n",
    "4\n",
    '"high"\n',
    "null\n",
    "# vmlint: host=r640 workload=mssql\n",
    "${",
    '"',
    "<<EOT\n",
    "\u{1f600}",
  ),
  fc.string({ maxLength: 8 }),
);
const TEXT = fc.array(PIECE, { maxLength: 25 }).map((pieces) => pieces.join(""));

function check(files: Texts): void {
  const project = parse(files);
  for (const { path, text, diagnostics } of lintProject(project, { rules })) {
    const inside = (range: readonly [number, number], of = text) => {
      expect(range[0]).toBeGreaterThanOrEqual(0);
      expect(range[1]).toBeGreaterThanOrEqual(range[0]);
      expect(range[1]).toBeLessThanOrEqual(of.length);
    };
    for (const { range, related, fixes } of diagnostics) {
      inside(range);
      for (const one of [...related, ...fixes.flatMap(({ edits }) => edits)]) inside(one.range, files[one.path ?? path]);
    }
  }
}

test("any text is read, and every range lies inside of its file", () => {
  fc.assert(
    fc.property(TEXT, TEXT, TEXT, (main, module, values) => check({ "main.tf": main, "m/main.tf": module, "terraform.tfvars": values })),
    { numRuns: 500 },
  );
});

test("any JSON is read", () => {
  const texts = fc.oneof(
    fc.json().map((text) => text),
    fc.json().map((text) => `{"resource": {"vsphere_virtual_machine": {"vm": ${text}}}, "variable": ${text}}`),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, texts, (main, values) => check({ "main.tf.json": main, "terraform.tfvars.json": values })),
    { numRuns: 300 },
  );
});

/** Three variables. Each may have no value. */
const EXPRESSION = fc.letrec<{ readonly any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("var.a", "var.b", "var.c", "2", "local.sum", "module.m.n", 'each.key == "x" ? 1 : var.a'),
    fc.tuple(tie("any"), fc.constantFrom("+", "*"), tie("any")).map(([a, o, b]) => `(${a}) ${o} (${b})`),
    fc.tuple(tie("any"), tie("any"), tie("any")).map(([a, b, c]) => `(${a}) > 2 ? (${b}) : (${c})`),
    fc
      .tuple(fc.constantFrom("max", "min", "coalesce", "try"), fc.array(tie("any"), { minLength: 1, maxLength: 3 }))
      .map(([name, args]) => `${name}(${args.join(", ")})`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `lookup({ x = ${a} }, "x", ${b})`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `[${a}, ${b}][1]`),
    tie("any").map((a) => `length(range(${a}))`),
  ),
})).any;

const known = (setting: Setting<unknown>) => (setting.state === "known" ? shown(setting) : undefined);

test("a variable that is not known never changes a value that is", () => {
  const project = (cpus: string, memory: string, values: readonly (number | undefined)[]): Texts => ({
    "main.tf": [
      ...["a", "b", "c"].map((name, at) => `variable "${name}" {\n${values[at] === undefined ? "" : `  default = ${values[at]}\n`}}\n`),
      "locals {\n  sum = var.a + 1\n}\n",
      'module "m" {\n  source = "./m"\n  n = var.b\n}\n',
      `resource "vsphere_virtual_machine" "vm" {\n  for_each = toset(["x", "y"])\n  num_cpus = ${cpus}\n  memory = ${memory}\n}\n`,
    ].join(""),
    "m/main.tf": 'variable "n" {}\noutput "n" {\n  value = var.n * 2\n}\n',
  });
  const value = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(EXPRESSION, EXPRESSION, fc.tuple(value, value, value), fc.nat(2), (cpus, memory, values, hole) => {
      const whole = parse(project(cpus, memory, values)).vms;
      const open = parse(
        project(
          cpus,
          memory,
          values.map((one, at) => (at === hole ? undefined : one)),
        ),
      ).vms;
      expect(open.map(({ name }) => name)).toEqual(whole.map(({ name }) => name));
      open.forEach(({ settings }, at) => {
        for (const name of ["vcpus", "memoryMiB"] as const) {
          const found = known(settings[name]);
          if (found !== undefined) expect(found).toBe(known(whole[at]?.settings[name] ?? settings[name]));
        }
      });
    }),
    { numRuns: 300 },
  );
});
