import { readFileSync } from "node:fs";
import { rules, VERSION } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { type RulesRecord, recordOf, unannounced } from "./support/record.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const released: RulesRecord = JSON.parse(read("../packages/core/rules.json"));
const changelog = read("../CHANGELOG.md");

test("changes since the last release are in the changelog and in the rules' history (npm run record-rules at a release)", () => {
  expect(unannounced(released, rules, changelog)).toEqual([]);
});

test("a rule that was not released says the version in the making", () => {
  for (const { id, since } of rules) if (!(id in released.rules)) expect(since, id).toBe(VERSION);
});

test("every severity a rule had is in a version the changelog knows", () => {
  const versions = rules.flatMap(({ history = [] }) => history.map(({ until }) => until));
  expect(versions.filter((version) => !changelog.includes(`\n## ${version}\n`))).toEqual([]);
});

describe("a change that is not announced is found", () => {
  const rule = { id: "a/b", since: "1.0.0", severity: "warning", messageIds: ["one", "two"], severities: { two: "info" } } as const;
  const before = recordOf("1.0.0", [rule]);
  const LOG = "# Changelog\n\n## 1.0.0\n\n- Rule `a/b`.\n";
  const NEWS = "# Changelog\n\n## 1.1.0\n\n- `a/b` changed.\n\n## 1.0.0\n";

  test("an unchanged rule needs no entry, and neither does a new rule", () => {
    expect(before.rules).toEqual({ "a/b": { one: "warning", two: "info" } });
    expect(unannounced(before, [rule, { ...rule, id: "a/c" }], LOG)).toEqual([]);
  });
  test("a rule is gone or has another id", () => {
    expect(unannounced(before, [], LOG)).toEqual(["a/b is gone: the changelog above 1.0.0 does not name `a/b`"]);
    expect(unannounced(before, [], NEWS)).toEqual([]);
  });
  test("a message is gone", () => {
    const without = { ...rule, messageIds: ["one"] };
    expect(unannounced(before, [without], LOG)).toHaveLength(1);
    expect(unannounced(before, [without], NEWS)).toEqual([]);
  });
  test("a severity changed", () => {
    const graver = { ...rule, severity: "error" } as const;
    expect(unannounced(before, [graver], LOG)).toEqual([
      "one of a/b was warning and is error: the changelog above 1.0.0 does not name `a/b`",
      "one of a/b was warning until 1.0.0: its history does not say so",
    ]);
    expect(unannounced(before, [graver], NEWS)).toHaveLength(1);
    expect(unannounced(before, [{ ...graver, history: [{ until: "1.0.0", severity: "warning" }] }], NEWS)).toEqual([]);
    expect(unannounced(before, [{ ...graver, history: [{ until: "1.0.0", severity: "warning", messageId: "two" }] }], NEWS)).toHaveLength(
      1,
    );
  });
});
