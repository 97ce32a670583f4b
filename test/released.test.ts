import { readFileSync } from "node:fs";
import { type Rule, rules, VERSION } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { current, fieldsOf, keysOf, type ReleaseRecord, rulesRecord, unannounced } from "./support/record.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const released: ReleaseRecord = JSON.parse(read("../packages/core/release.json"));
const changelog = read("../CHANGELOG.md");

test("changes since the last release are in the changelog and in the rules' history (npm run record-release at a release)", async () => {
  expect(unannounced(released, { ...(await current()), rules }, changelog)).toEqual([]);
  const parts = [
    Object.keys(released.data),
    released.names,
    released.options,
    Object.keys(released.json),
    Object.keys(released.configuration),
  ];
  expect(parts.filter((part) => part.length < 20)).toEqual([]);
});

test("an unreleased rule states the next version", () => {
  for (const { id, since } of rules) if (!(id in released.rules)) expect(since, id).toBe(VERSION);
});

test("every severity a rule had is in a version the changelog knows", () => {
  const versions = rules.flatMap(({ history = [] }) => history.map(({ until }) => until));
  expect(versions.filter((version) => !changelog.includes(`\n## ${version}\n`))).toEqual([]);
});

type Change = NonNullable<Rule["history"]>[number];

describe("a change without an event is found", () => {
  const rule = { id: "a/b", since: "1.0.0", severity: "warning", messageIds: ["one", "two"], severities: { two: "info" } } as const;
  const before: ReleaseRecord = {
    version: "1.0.0",
    rules: rulesRecord([rule]),
    data: ["a/b one nodes[]", "a/b one vcpus"],
    names: ["@vmlint/core lint"],
    options: ["host"],
    json: { "findings[].line": "number" },
    configuration: { host: "string", "hosts.*": "object | string" },
  };
  const now = { ...before, rules: [rule] };
  const LOG = "# Changelog\n\n## 1.0.0\n\n- Rule `a/b`.\n";
  const NEWS = "# Changelog\n\n## 1.1.0\n\n- `a/b` changed.\n\n## 1.0.0\n";

  test("an unchanged rule needs no entry, and neither does a new rule", () => {
    expect(before.rules).toEqual({ "a/b": { one: "warning", two: "info" } });
    expect(unannounced(before, { ...now, rules: [rule, { ...rule, id: "a/c" }] }, LOG)).toEqual([]);
  });
  test("a rule is gone or has another id", () => {
    expect(unannounced(before, { ...now, rules: [] }, LOG)).toEqual(["a/b is gone: the changelog above 1.0.0 does not name `a/b`"]);
    expect(unannounced(before, { ...now, rules: [] }, NEWS)).toEqual([]);
  });
  test("a message is gone", () => {
    const without = { ...rule, messageIds: ["one"] };
    expect(unannounced(before, { ...now, rules: [without] }, LOG)).toHaveLength(1);
    expect(unannounced(before, { ...now, rules: [without] }, NEWS)).toEqual([]);
  });
  test("a key of a finding's data is gone", () => {
    const without = { ...now, data: ["a/b one nodes[]"] };
    expect(unannounced(before, without, LOG)).toEqual([
      "vcpus in the data of one of a/b is gone: the changelog above 1.0.0 does not name `a/b`",
    ]);
    expect(unannounced(before, without, NEWS)).toEqual([]);
    expect(unannounced(before, { ...now, data: [...now.data, "a/b one cores"] }, LOG)).toEqual([]);
    expect(keysOf({ vcpus: 4, nodes: [{ id: 0 }] })).toEqual(["vcpus", "nodes", "nodes[]", "nodes[].id"]);
  });
  test("a severity changed", () => {
    const graver = { ...rule, severity: "error" } as const;
    const withHistory = (entry: Change) => ({ ...now, rules: [{ ...graver, history: [entry] }] });
    expect(unannounced(before, { ...now, rules: [graver] }, LOG)).toEqual([
      "one of a/b was warning and is error: the changelog above 1.0.0 does not name `a/b`",
      "one of a/b was warning until 1.0.0: its history does not say so",
    ]);
    expect(unannounced(before, { ...now, rules: [graver] }, NEWS)).toHaveLength(1);
    expect(unannounced(before, withHistory({ until: "1.0.0", severity: "warning" }), NEWS)).toEqual([]);
    expect(unannounced(before, withHistory({ until: "1.0.0", severity: "warning", messageId: "two" }), NEWS)).toHaveLength(1);
  });
  test("a public name or an option is gone", () => {
    expect(unannounced(before, { ...now, names: [], options: [] }, LOG)).toEqual([
      "@vmlint/core lint is gone: the changelog above 1.0.0 does not name `@vmlint/core lint`",
      "--host is gone: the changelog above 1.0.0 does not name `--host`",
    ]);
    expect(unannounced(before, { ...now, names: [...now.names, "@vmlint/core fix"] }, LOG)).toEqual([]);
  });
  test("a field of the JSON output is gone or has another type", () => {
    const gone = "the JSON field findings[].line is gone: the changelog above 1.0.0 does not name `findings[].line`";
    expect(unannounced(before, { ...now, json: {} }, LOG)).toEqual([gone]);
    expect(unannounced(before, { ...now, json: {} }, NEWS.replace("a/b", "findings[].line"))).toEqual([]);
    expect(unannounced(before, { ...now, json: { "findings[].line": "number | null" } }, LOG)).toHaveLength(1);
    expect(unannounced(before, { ...now, json: { ...now.json, "findings[].end": "number" } }, LOG)).toEqual([]);
  });
  test("a key of vmlint.yaml is gone or takes less", () => {
    expect(unannounced(before, { ...now, configuration: { "hosts.*": "object | string" } }, LOG)).toHaveLength(1);
    expect(unannounced(before, { ...now, configuration: { ...now.configuration, "hosts.*": "object" } }, LOG)).toHaveLength(1);
    expect(unannounced(before, { ...now, configuration: { ...now.configuration, host: "object | string" } }, LOG)).toEqual([]);
  });
  test("the fields of a schema are found in lists, choices, named parts and under any key", () => {
    const schema = {
      properties: {
        a: { anyOf: [{ type: "string" }, { type: "object", properties: { b: { const: 1 } } }] },
        c: { type: "array", items: { $ref: "#/$defs/d" } },
        e: { type: "object", additionalProperties: { type: "number" } },
      },
      $defs: { d: { type: "boolean" } },
    };
    expect(fieldsOf(schema)).toEqual({ a: "object | string", "a.b": "number", c: "array", "c[]": "boolean", e: "object", "e.*": "number" });
  });
});
