import { rules } from "@vmlint/core";
import { lintExample, pageOf } from "@vmlint/core/docs";
import { describe, expect, test } from "vitest";

for (const rule of rules) {
  const { bad, good } = pageOf(rule);
  describe(rule.id, () => {
    test.each(bad)("bad: $title", async (example) => {
      expect(await lintExample(rule, example)).toMatchObject([{ ruleId: rule.id, messageId: example.expect }]);
    });

    test.each(good)("good: $title", async (example) => {
      expect(await lintExample(rule, example)).toEqual([]);
    });

    test("every message has a bad example", () => {
      expect(new Set(bad.map(({ expect: messageId }) => messageId))).toEqual(new Set(rule.messageIds));
    });
  });
}
