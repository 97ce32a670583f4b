import {
  applyEdits,
  type Diagnostic,
  defineRule,
  type Format,
  lint,
  type Rule,
  requireHost,
  rules,
  SEVERITIES,
  type SettingName,
  type Severity,
  type Target,
  type TextEdit,
  type VmSpec,
} from "@vmlint/core";
import { fixFiles, fixText, MOST_PASSES, selectFixes } from "@vmlint/core/fix";
import { EMPTY_CONFIG, NOTHING_GIVEN, parseVmx, targetOf } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lintTexts } from "../formats/terraform/support.ts";
import { anyHost, anySpecs, anyVmx } from "../support/arbitraries.ts";
import { PAGE } from "../support/plugin-page.ts";
import { examplesOf } from "../support/rule-pages.ts";

const host = requireHost("4x10x2:1024@8.0");
const checkBy = (target: Target | ((vm: VmSpec) => Target), format?: Format, only?: readonly Rule[]) => (text: string) =>
  lint(text, { target, format, rules: only });

const keyOf = ({ ruleId, vm }: Diagnostic): string => `${ruleId} ${vm}`;

/** One that gets worse is one more of the severity it has then. */
const keysOf = (diagnostic: Diagnostic): readonly string[] =>
  SEVERITIES.slice(SEVERITIES.indexOf(diagnostic.severity)).map((severity) => `${keyOf(diagnostic)} ${severity}`);

function counts(diagnostics: readonly Diagnostic[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const key of diagnostics.flatMap(keysOf)) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

test("a fix changes several files, or none of them", () => {
  const text = 'virtualHW.version = "19"\nnumvcpus = "four"\n';
  const [found] = lint(text, { target: { host } }).diagnostics;
  if (!found) throw new Error("nothing is found");
  const edit = (path?: string) => ({ range: [0, 3] as const, newText: "8", ...(path !== undefined && { path }) });
  const by = (...edits: ReturnType<typeof edit>[]) => {
    const fixes = [{ title: "Write 8", safety: "safe" as const, edits }];
    const texts = new Map([
      ["main.tf", text],
      ["a.tfvars", text],
    ]);
    const fixed = fixFiles({
      texts,
      check: (now) => [
        {
          path: "main.tf",
          diagnostics: now.get("main.tf") === text && now.get("a.tfvars") === text ? [{ ...found, fixes }] : [],
          skipped: [],
        },
      ],
    });
    return [...fixed.texts.keys()];
  };
  expect([by(edit()), by(edit("a.tfvars")), by(edit(), edit("a.tfvars")), by(edit(), edit("other.tfvars"))]).toEqual([
    ["main.tf"],
    ["a.tfvars"],
    ["main.tf", "a.tfvars"],
    [],
  ]);
});

test("more of them than a call can have arguments", () => {
  const fixed = fixText('numvcpus = "4"\n'.repeat(200_000), checkBy({}));
  expect([fixed.text, fixed.applied.length]).toEqual(['numvcpus = "4"\n', 199_999]);
});

/** Checks properties of every fixed text. */
function expectFixed(text: string, check: ReturnType<typeof checkBy>, format?: Format): ReturnType<typeof fixText> {
  const fixed = fixText(text, check, { unsafe: true });
  const again = fixText(fixed.text, check, { unsafe: true });
  expect([again.text, again.applied]).toEqual([fixed.text, []]);
  // Each fixed finding is gone, and nothing has come that could be seen before.
  const [before, after] = [check(text), check(fixed.text)];
  const most = counts(before.diagnostics);
  for (const key of fixed.applied.flatMap(({ diagnostic }) => keysOf(diagnostic)))
    if (most.has(key)) most.set(key, (most.get(key) ?? 0) - 1);
  const skipped = new Set(before.skipped.map(({ ruleId }) => ruleId));
  for (const [key, count] of counts(after.diagnostics.filter(({ ruleId }) => !skipped.has(ruleId)))) {
    expect(count, key).toBeLessThanOrEqual(most.get(key) ?? 0);
  }
  // The passes lead to the text, and a setting that no edit touches keeps its value.
  let at = text;
  for (const edits of fixed.passes) {
    const next = applyEdits(at, edits);
    expectOthersKept(at, next, edits, format);
    at = next;
  }
  expect(at).toBe(fixed.text);
  return fixed;
}

function expectOthersKept(before: string, after: string, edits: readonly TextEdit[], format?: Format): void {
  const parse = (of: string) => format?.read({ paths: ["a"], text: of, inputs: NOTHING_GIVEN }) ?? parseVmx(of);
  const [old, now] = [parse(before).vms, parse(after).vms];
  expect(now.map(({ name }) => name)).toEqual(old.map(({ name }) => name));
  const touches = (start: number, end: number) => edits.some(({ range }) => range[0] <= end && start <= range[1]);
  for (const [i, vm] of old.entries()) {
    for (const name of Object.keys(vm.settings) as SettingName[]) {
      const [was, is] = [vm.settings[name], now[i]?.settings[name]];
      const isWritten = was.state === "absent" ? edits.some(({ newText }) => /[=:]/.test(newText)) : touches(...was.range);
      if (!isWritten) expect([name, is && { ...is, range: 0 }]).toEqual([name, { ...was, range: 0 }]);
    }
  }
}

describe("a fixed text has no findings, a second fix does not change it, and other text is untouched", () => {
  const examples = rules.flatMap((rule) =>
    examplesOf(rule).flatMap((example) =>
      [example.yaml ?? example.vmx ?? []].flat().map((text) => ({ id: rule.id, title: example.title, example, text })),
    ),
  );
  test.each(examples)("$id: $title", ({ example, text }) => {
    const by = targetOf(EMPTY_CONFIG, typeof example.host === "string" ? requireHost(example.host) : example.host);
    const target = (vm: VmSpec) => ({
      ...by(vm, () => "example"),
      selects: () => true,
      ...(example.workload && { workload: example.workload }),
    });
    const format = example.yaml === undefined ? undefined : yaml;
    expectFixed(text, checkBy(target, format), format);
  });

  const workload = fc.constantFrom(
    undefined,
    { kind: "mssql", edition: "standard", version: "2022" } as const,
    { kind: "mssql", edition: "enterprise", version: "2012", licensing: "server-cal" } as const,
    { kind: "postgresql" } as const,
  );

  test("any .vmx on any host", () => {
    let fixes = 0;
    fc.assert(
      fc.property(anyVmx, anyHost, workload, fc.constantFrom("\n", "\r\n", "\r"), (lines, on, kind, eol) => {
        const text = lines.replaceAll("\n", eol);
        fixes += expectFixed(text, checkBy({ host: on, workload: kind })).applied.length;
      }),
      { numRuns: 100 },
    );
    expect(fixes).toBeGreaterThan(15);
  });

  test("any VM specs on any host", () => {
    let fixes = 0;
    fc.assert(
      fc.property(anySpecs, anyHost, workload, (text, on, kind) => {
        fixes += expectFixed(text, checkBy({ host: { ...on, mhz: 2400, memoryGiB: 512 }, workload: kind }, yaml), yaml).applied.length;
      }),
      { numRuns: 100 },
    );
    expect(fixes).toBeGreaterThan(15);
  });
});

describe("a fix affects only the VMs it is proposed for", () => {
  const spec = fc.record(
    {
      vcpus: fc.constantFrom(4, 6, 12, 20, 22, 64),
      coresPerSocket: fc.constantFrom(1, 2, 3, 5, 8),
      memoryMiB: fc.constantFrom(4096, 4097),
      hardwareVersion: fc.constantFrom(13, 19, 21),
      cpuHotAdd: fc.constant(true),
      latencySensitivity: fc.constant("high"),
    },
    { requiredKeys: ["vcpus"] },
  );
  const lines = (settings: object, indent: string) =>
    Object.entries(settings)
      .map(([key, value]) => `${indent}${key}: ${value}\n`)
      .join("");
  const kin = fc.tuple(spec, fc.array(fc.tuple(fc.boolean(), spec), { minLength: 1, maxLength: 3 })).map(([first, others]) => {
    const other = ([isKin, settings]: (typeof others)[number], i: number) =>
      `- metadata: { name: vm${i} }\n  spec:\n${isKin ? "    <<: *first\n" : ""}${lines(settings, "    ")}`;
    const head = "apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n- metadata: { name: vm }\n  spec: &first\n";
    return head + lines(first, "    ") + others.map(other).join("");
  });
  const loop = fc
    .tuple(spec, fc.array(fc.constantFrom("12", "20", "64", "'{{ size }}'"), { minLength: 1, maxLength: 3 }))
    .map(([{ coresPerSocket = 1, memoryMiB = 4096 }, counts]) => {
      const hardware = `num_cpus: "{{ item.n }}"\n      num_cpu_cores_per_socket: ${coresPerSocket}\n      memory_mb: ${memoryMiB}\n`;
      const items = counts.map((count, i) => `  - { name: vm${i}, n: ${count} }\n`).join("");
      return `- vmware_guest:\n    name: "{{ item.name }}"\n    guest_id: g\n    hardware:\n      ${hardware}  loop:\n${items}`;
    });
  test.each([
    ["one that others take values of", kin],
    ["one of several that a task makes", loop],
  ])("%s", (_, texts) => {
    let fixes = 0;
    const settingsIn = (text: string) =>
      new Map(
        yaml
          .parse(text)
          .vms.map(({ name, settings }) => [name, Object.values(settings).map((one) => (one.state === "known" ? one.value : one.state))]),
      );
    fc.assert(
      fc.property(texts, (text) => {
        const { diagnostics } = lint(text, { target: { host: { ...host, mhz: 2400 }, selects: () => true }, format: yaml });
        const before = settingsIn(text);
        for (const { ruleId, fixes: own } of diagnostics) {
          for (const { title, edits } of own) {
            fixes++;
            const after = settingsIn(applyEdits(text, edits));
            const isSame = (fix: Diagnostic["fixes"][number]) => fix.title === title && JSON.stringify(fix.edits) === JSON.stringify(edits);
            const wanting = new Set(
              diagnostics
                .filter((one) => one.ruleId === ruleId && one.fixes.some(isSame))
                .flatMap(({ vm, vms = [] }): (string | null)[] => [vm, ...vms]),
            );
            for (const [name, settings] of before) if (!wanting.has(name)) expect([name, after.get(name)]).toEqual([name, settings]);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(fixes).toBeGreaterThan(20);
  });
});

/** A rule that wants another count than the one it meets. */
const wants = (id: string, bad: number, good: number, severity: Severity = "warning"): Rule =>
  defineRule({
    id,
    ...PAGE,
    severity,
    for: "any",
    reads: ["vcpus"],
    messages: { found: (d: { vcpus: number }) => `${d.vcpus} vCPUs` },
    *check({ vm }) {
      if (vm.vcpus?.value !== bad) return;
      const fixes = [{ title: `Use ${good}`, safety: "unsafe", changes: [{ setting: "vcpus", value: good }] }] as const;
      yield { messageId: "found", data: { vcpus: bad }, at: vm.vcpus.range, fixes };
    },
  });

describe("fixes that undo each other", () => {
  test("a fix that raises a finding at least as grave is not offered", () => {
    const fixed = fixText('numvcpus = "4"\n', checkBy({}, undefined, [wants("test/a", 4, 8), wants("test/b", 8, 4)]), { unsafe: true });
    expect(fixed).toMatchObject({ text: 'numvcpus = "4"\n', applied: [], rejected: [], finished: true });
  });

  test("two rules that undo each other: neither is followed, and each is named", () => {
    const check = checkBy({}, undefined, [wants("test/a", 4, 8, "error"), wants("test/b", 8, 4)]);
    const fixed = fixText('numvcpus = "4"\n', check, { unsafe: true });
    expect(fixed).toMatchObject({ text: 'numvcpus = "4"\n', applied: [], finished: true });
    expect(fixed.rejected.map(({ diagnostic, newFindings }) => [diagnostic.ruleId, newFindings])).toEqual([["test/a", ["test/b"]]]);
  });

  test("a fix that does not settle its finding is refused", () => {
    const check = checkBy({}, undefined, [wants("test/a", 4, 4)]);
    expect(fixText('numvcpus = "4"', check, { unsafe: true }).rejected).toMatchObject([{ newFindings: ["test/a"] }]);
  });

  test("a fix that worsens another finding is rejected, a fix that improves it is accepted", () => {
    const text = 'numvcpus = "4"\n';
    const check = (from: Severity, to: Severity) => (file: string) => {
      const result = checkBy({}, undefined, [wants("test/a", 4, 8), wants("test/b", 4, 4), wants("test/b", 8, 8)])(file);
      const severity = file === text ? from : to;
      return {
        ...result,
        diagnostics: result.diagnostics.map((one) => (one.ruleId === "test/b" ? { ...one, severity, fixes: [] } : one)),
      };
    };
    expect(fixText(text, check("warning", "error"), { unsafe: true })).toMatchObject({
      applied: [],
      rejected: [{ newFindings: ["test/b"] }],
    });
    expect(fixText(text, check("warning", "warning"), { unsafe: true }).text).toBe('numvcpus = "8"\n');
    expect(fixText(text, check("error", "info"), { unsafe: true }).text).toBe('numvcpus = "8"\n');
  });

  test("a rule that throws during the verification of a fix rejects only its own fixes", () => {
    const fails = (id: string, bad: number, good: number): Rule => {
      const rule = wants(id, bad, good);
      const isTried = ({ vm }: Parameters<Rule["check"]>[0]) => vm.vcpus?.value === 6;
      return { ...rule, check: (facts) => (isTried(facts) ? [{ skip: "rule-failed" }] : rule.check(facts)) };
    };
    const others = fixText('numvcpus = "4"\n', checkBy({}, undefined, [wants("test/a", 4, 6), fails("test/b", 1, 2)]), { unsafe: true });
    expect([others.text, others.rejected]).toEqual(['numvcpus = "6"\n', []]);
    const own = fixText('numvcpus = "4"\n', checkBy({}, undefined, [fails("test/a", 4, 6)]), { unsafe: true });
    expect(own).toMatchObject({ applied: [], rejected: [{ skipped: ["test/a"] }] });
  });

  test("a fix that prevents another check is rejected", () => {
    const wide = rules.filter(({ id }) => id === "numa/wide-uneven");
    const text = 'virtualHW.version = "19"\nnumvcpus = "8"\n';
    const check = checkBy({ host }, undefined, [wants("test/a", 8, 2000), ...wide]);
    expect(fixText(text, check, { unsafe: true }).rejected).toMatchObject([{ newFindings: [], skipped: ["numa/wide-uneven"] }]);
  });

  test("fixes of several VMs in a file are verified together, each on its own VM", () => {
    const only = [wants("test/a", 4, 8), wants("test/b", 6, 7, "error"), wants("test/c", 7, 6), wants("test/d", 5, 5)];
    const file = (count: (i: number) => number) =>
      Array.from({ length: 90 }, (_, i) => {
        const spec = `spec: { hardwareVersion: 19, vcpus: ${count(i)} }`;
        return `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: vm${i} }\n${spec}\n`;
      }).join("---\n");
    let checks = 0;
    const check = (text: string) => {
      checks++;
      return checkBy({}, yaml, only)(text);
    };
    const fixed = fixText(
      file((i) => 4 + (i % 3)),
      check,
      { unsafe: true },
    );
    expect(fixed.text).toBe(file((i) => [8, 5, 6][i % 3] ?? 0));
    expect(fixed.rejected.map(({ diagnostic: { ruleId, vm }, newFindings }) => [vm, ruleId, ...newFindings])).toEqual(
      Array.from({ length: 90 }, (_, i) => [[], [`vm${i}`, "test/d", "test/d"], [`vm${i}`, "test/b", "test/c"]][i % 3] ?? []).filter(
        ({ length }) => length > 0,
      ),
    );
    expect(checks).toBeLessThan(10);
  });

  test("the second alternative is taken where the first does harm", () => {
    const two = wants("test/a", 4, 8);
    const check = (text: string) => {
      const result = lint(text, { rules: [two, wants("test/b", 8, 4)] });
      const other: TextEdit[] = [{ range: [12, 13], newText: "6" }];
      const add = (d: Diagnostic) =>
        d.ruleId === "test/a" ? { ...d, fixes: [...d.fixes, { title: "6", safety: "unsafe" as const, edits: other }] } : d;
      return { ...result, diagnostics: result.diagnostics.map(add) };
    };
    expect(fixText('numvcpus = "4"\n', check, { unsafe: true }).text).toBe('numvcpus = "6"\n');
  });

  test(`after ${MOST_PASSES} passes it stops and reports unfinished work`, () => {
    // All of them write at the end of the file, so each pass has room for one.
    const keys = Array.from({ length: MOST_PASSES + 1 }, (_, i) => `key${i}`);
    const check = (text: string) => ({
      skipped: [],
      diagnostics: keys
        .filter((key) => !text.includes(key))
        .map((key): Diagnostic => {
          const edits = [{ range: [text.length, text.length] as const, newText: `${key}.` }];
          const rest = {
            messageId: "",
            message: "",
            severity: "info",
            data: {},
            range: [0, 0],
            vm: "",
            host: null,
            evidence: null,
          } as const;
          return { ...rest, ruleId: key, related: [], docsUrl: "", fixes: [{ title: key, safety: "safe", edits }] };
        }),
    });
    const fixed = fixText("", check);
    expect([fixed.passes.length, fixed.finished]).toEqual([MOST_PASSES, false]);
    expect(fixText(fixed.text, check)).toMatchObject({ finished: true, text: keys.map((key) => `${key}.`).join("") });
  });
});

test("an option that is documented with 0 and 1 is turned off with 0, in each format", () => {
  const only = rules.filter(({ id }) => id === "numa/followcps");
  const target = { host: requireHost("2x20x2@7.0") };
  const off = (text: string, format?: Format) => {
    const fixed = fixText(text, checkBy(target, format, only), { unsafe: true });
    return fixed.passes.flatMap((edits) => edits.map(({ newText }) => newText));
  };
  const key = "numa.vcpu.followcorespersocket";
  expect(off(`virtualHW.version = "17"\nnumvcpus = "28"\ncpuid.coresPerSocket = "2"\n${key} = "TRUE"\n`)).toEqual(["0"]);
  const spec = `spec: { hardwareVersion: 17, vcpus: 28, coresPerSocket: 2, advanced: { ${key}: "1" } }`;
  expect(off(`apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\n${spec}\n`, yaml)).toEqual(["0"]);
  const texts = {
    "main.tf": `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = 28\n  num_cores_per_socket = 2\n  hardware_version = 17\n  extra_config = { "${key}" = "true" }\n}\n`,
  };
  const found = lintTexts(texts, only, target).flatMap(({ diagnostics }) => diagnostics.flatMap(({ fixes }) => fixes));
  expect(found.flatMap(({ edits }) => edits.map(({ newText }) => newText))).toEqual(["0"]);
});

describe("the shape is changed as a whole", () => {
  test.each([
    [
      'numvcpus = "64"\ncpuid.coresPerSocket = "16"\nnuma.vcpu.coresPerNode = "16"',
      "Use 40 vCPUs, 10 cores per socket, NUMA nodes by ESXi",
    ],
    ['numvcpus = "64"\ncpuid.coresPerSocket = "32"\nnuma.vcpu.coresPerNode = "32"', "Use 40 vCPUs, 20 cores per socket, NUMA nodes of 20"],
    ['numvcpus = "64"\ncpuid.coresPerSocket = "8"\nnuma.vcpu.coresPerNode = "32"', "Use 40 vCPUs, NUMA nodes by ESXi"],
    ['numvcpus = "64"\ncpuid.coresPerSocket = "8"', "Use 40 vCPUs"],
    ['numvcpus = "64"', "Use 40 vCPUs"],
  ])("%s", (settings, title) => {
    const only = rules.filter(({ id }) => id === "cpu/exceeds-physical-cores");
    const { diagnostics } = lint(`virtualHW.version = "20"\n${settings}\n`, { target: { host }, rules: only });
    const [fix] = diagnostics[0]?.fixes ?? [];
    expect([fix?.title, fix?.edits.length]).toEqual([title, title.split(",").length]);
  });
});

describe("one pass", () => {
  const select = (diagnostics: readonly Diagnostic[], options = {}) =>
    selectFixes(
      diagnostics.map((one) => ({ ...one, path: "" })),
      options,
    );
  const twice = 'numvcpus = "4"\nnumvcpus = "4"\nnumvcpus = "4"\n';

  test("applies what is safe, and leaves the rest", () => {
    const { diagnostics } = lint(twice);
    const edits = select(diagnostics).flatMap(({ fix }) => fix.edits);
    expect([edits.length, applyEdits(twice, edits)]).toEqual([2, 'numvcpus = "4"\n']);
    const pinned = 'virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n';
    const found = lint(pinned, { target: { host: requireHost("dl580g7") } }).diagnostics;
    expect(select(found)).toEqual([]);
    expect(select(found, { unsafe: true })).toHaveLength(1);
  });

  test("applies the first of overlapping fixes, in any order", () => {
    const place = fc.tuple(fc.nat(20), fc.nat(3)).map(([start, length]): TextEdit["range"] => [start, start + length]);
    const meet = ([a, b]: TextEdit["range"], [c, d]: TextEdit["range"]) => (a === b || c === d ? a <= d && c <= b : a < d && c < b);
    fc.assert(
      fc.property(fc.array(place), (places) => {
        const first: TextEdit["range"][] = [];
        for (const one of places) if (!first.some((other) => meet(one, other))) first.push(one);
        const found = lint('numvcpus = "4"\nnumvcpus = "4"\n').diagnostics[0] as Diagnostic;
        const all = places.map(
          (range): Diagnostic => ({ ...found, fixes: [{ title: "", safety: "safe", edits: [{ range, newText: "x" }] }] }),
        );
        expect(select(all).map(({ fix }) => fix.edits[0]?.range)).toEqual(first);
      }),
    );
  });

  test("the second of two unsafe fixes of a VM waits for the next pass", () => {
    const text = 'virtualHW.version = "19"\nnumvcpus = "22"\nsched.cpu.affinity = "0-21"\n';
    const { diagnostics } = lint(text, { target: { host } });
    expect(diagnostics.filter(({ fixes }) => fixes.length > 0).length).toBeGreaterThan(1);
    expect(select(diagnostics, { unsafe: true })).toHaveLength(1);
  });
});

test.each<[string, unknown, unknown]>([
  ["no text", 1, []],
  ["no list", "a", {}],
  ["no edit", "a", [null]],
  ["no object", "a", ["b"]],
  ["no range", "a", [{ newText: "" }]],
  ["a range of words", "a", [{ range: "01", newText: "" }]],
  ["a range of one offset", "a", [{ range: [0], newText: "" }]],
  ["a range of three", "a", [{ range: [0, 1, 1], newText: "" }]],
  ["half an offset", "a", [{ range: [0, 0.5], newText: "" }]],
  ["no new text", "a", [{ range: [0, 1], newText: 1 }]],
])("edits of a text are refused with %s", (_, text, edits) => {
  expect(() => applyEdits(text as string, edits as [])).toThrow(expect.objectContaining({ code: "USAGE" }));
});
