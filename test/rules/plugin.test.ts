import { defineRule, lint, type Rule, requireHost, type Target, VERSION } from "@vmlint/core";
import { rulesOf } from "@vmlint/core/plugins";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PAGE } from "../support/plugin-page.ts";

const meta = {
  id: "acme/any",
  ...PAGE,
  severity: "warning",
  docsUrl: "https://acme.example/any",
  for: "any",
  messages: { any: () => "any" },
  *check() {},
} as const;

const guarded = (own: Partial<Rule>, failures: unknown[] = []): readonly Rule[] =>
  rulesOf([{ name: "acme", exports: { rules: [{ ...defineRule(meta), ...own }] } }], (_, __, error) => failures.push(error));

const TEXT = 'virtualHW.version = "10"\nnumvcpus = "4"\ncpuid.coresPerSocket = "2"\nnuma.vcpu.maxPerVirtualNode = "2"\n';
const target = { host: requireHost("dl580g7"), selects: () => true };

test("for any findings of a plugin rule, linting does not throw and the report is JSON", () => {
  const change = fc.record({ setting: fc.constantFrom("vcpus", "coresPerSocket", "numaNodeAffinity", "preferHt"), value: fc.anything() });
  const finding = fc.record(
    {
      messageId: fc.constantFrom("any", "other"),
      severity: fc.constantFrom("warning", "fatal"),
      message: fc.oneof(fc.string(), fc.anything()),
      data: fc.oneof(fc.dictionary(fc.string(), fc.anything()), fc.anything()),
      at: fc.oneof(fc.tuple(fc.integer(), fc.integer()), fc.constant([0, 3]), fc.anything()),
      related: fc.oneof(fc.constant([]), fc.anything()),
      fixes: fc.oneof(fc.constant([]), fc.array(fc.record({ title: fc.string(), safety: fc.constant("safe"), changes: fc.array(change) }))),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(finding, fc.anything())), (yielded) => {
      const rules = guarded({ check: () => yielded as ReturnType<Rule["check"]> });
      const { diagnostics, skipped } = lint(TEXT, { target, rules });
      expect(() => JSON.stringify(diagnostics)).not.toThrow();
      for (const { reason } of skipped) expect(reason).toMatch(/^[a-z-]+$/);
    }),
  );
});

test("a rule that threw once does not run again and is reported once", () => {
  const failures: unknown[] = [];
  let asked = 0;
  const check = () => {
    asked++;
    throw new Error("no");
  };
  const rules = guarded({ check }, failures);
  for (let vm = 0; vm < 5; vm++) expect(lint(TEXT, { target, rules }).skipped).toEqual([{ ruleId: "acme/any", reason: "rule-failed" }]);
  expect([asked, failures.length]).toEqual([1, 1]);
});

test.each<[string, () => unknown]>([
  ["a finding alone", () => ({ messageId: "any", at: [0, 3] })],
  ["a promise of findings", async function* () {}],
])("a check that returns %s gets advice", (_, check) => {
  const failures: unknown[] = [];
  const rules = guarded(defineRule({ ...meta, check: check as () => [] }), failures);
  expect(lint(TEXT, { target, rules }).diagnostics).toEqual([]);
  expect(String(failures[0])).toBe("TypeError: its check returns no findings to iterate over: write *check() with yield, without async");
});

test("a rule that throws in `appliesTo` has failed, too", () => {
  const failures: unknown[] = [];
  const rules = guarded({ applies: () => (undefined as unknown as () => boolean)() }, failures);
  expect(lint(TEXT, { target, rules }).skipped).toEqual([{ ruleId: "acme/any", reason: "rule-failed" }]);
  expect(failures).toHaveLength(1);
});

test("a message without data prints none", () => {
  const yields = defineRule({
    ...meta,
    messages: { any: () => "any", some: ({ n }: { n: number }) => `${n}` },
    *check({ vm: { range: at } }) {
      yield { messageId: "any", at };
      yield { messageId: "any", data: {}, at: [0, 1] };
      yield { messageId: "some", data: { n: 1 }, at };
    },
  });
  const rules = rulesOf([{ name: "acme", exports: { rules: [yields] } }], (_, __, error) => expect.fail(String(error)));
  const { diagnostics } = lint(TEXT, { target, rules });
  expect(diagnostics.map(({ message, data }) => [message, data])).toEqual([
    ["any", {}],
    ["any", {}],
    ["1", { n: 1 }],
  ]);
});

/** A rule may not change its arguments. */
type Hands = { -readonly [K in string]: Hands } & ((...given: unknown[]) => Hands);

test.each<[string, (facts: Hands) => void]>([
  ["a setting", ({ vm }) => Object.assign(vm?.vcpus ?? {}, { value: 99 })],
  ["the host", ({ host }) => Object.assign(host ?? {}, { sockets: 1 })],
  ["what the VM has", ({ vm }) => Object.assign(vm?.devices?.() ?? {}, { disks: [] })],
  ["the topology", ({ topology }) => Object.assign(topology?.reasons ?? {}, { length: 0 })],
  ["another host of the cluster", ({ onOtherHosts }) => Object.assign(onOtherHosts?.()["0"]?.host ?? {}, { sockets: 1 })],
])("%s is what the other rules see too: a rule cannot change it", (_, change) => {
  const failures: unknown[] = [];
  const reads = { reads: ["vcpus"], needs: ["topology"] } as const;
  const check: Rule["check"] = (facts) => {
    change(facts as unknown as Hands);
    return [];
  };
  const rules = guarded({ ...reads, check }, failures);
  lint(TEXT, { target: { ...target, otherHosts: [{ ...target.host }] }, rules });
  expect(failures.map(String)).toEqual([expect.stringMatching(/^TypeError: Cannot assign to read only property/)]);
});

test("an opt-in rule runs if it has a severity or a preset selects it", () => {
  const check = () => [{ messageId: "any", severity: "warning", message: "any", data: {}, at: [0, 1], related: [], fixes: [] } as const];
  const rules = guarded({ optIn: true, check });
  const found = (more: Target) => lint(TEXT, { target: { host: target.host, ...more }, rules }).diagnostics.length;
  expect([found({}), found({ selects: () => true }), found({ severities: { "acme/any": "error" } })]).toEqual([0, 1, 1]);
});

test.each(["acme", "acme/", "/any", "acme/Any", "Acme/any", "acme/any/more", "acme/-any", "ac me/any"])(
  "%s is not a valid rule id",
  (id) => {
    expect(() => guarded({ id })).toThrow(`acme: "${id}" is not a valid rule id`);
  },
);

test.each(
  Object.entries(defineRule(meta)).flatMap(([name, value]) =>
    value == null || (name in meta && name !== "check") || name === "messageIds" ? [] : name,
  ),
)("a rule without %s comes from a defineRule of another version", (name) => {
  const { [name]: _, ...rest } = { ...defineRule(meta) } as Record<string, unknown>;
  expect(() => rulesOf([{ name: "acme", exports: { rules: [rest] } }], () => {})).toThrow(
    `acme: rule "acme/any" comes from another version of @vmlint/core. Build the plugin with version ${VERSION}.`,
  );
});
