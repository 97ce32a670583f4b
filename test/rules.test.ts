import { rules } from "@vmlint/core";
import { lintExample } from "@vmlint/core/docs";
import { describe, expect, test } from "vitest";

for (const rule of rules) {
  describe(rule.id, () => {
    test.each(rule.bad)("bad: $title", async (example) => {
      expect(await lintExample(rule, example)).toMatchObject([{ ruleId: rule.id, messageId: example.expect }]);
    });

    test.each(rule.good)("good: $title", async (example) => {
      expect(await lintExample(rule, example)).toEqual([]);
    });

    test("every message has a bad example", () => {
      expect(new Set(rule.bad.map(({ expect: messageId }) => messageId))).toEqual(new Set(rule.messageIds));
    });
  });
}
