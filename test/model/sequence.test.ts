import { expect, test } from "vitest";
import { sequence } from "../../packages/core/src/model/sequence.ts";

test("a list has an item per index, and no more than a million", () => {
  expect(sequence(3, (i) => i * 2)).toEqual([0, 2, 4]);
  expect(sequence(1_000_000, () => 0)).toHaveLength(1_000_000);
  expect(() => sequence(1_000_001, () => 0)).toThrow("A list of 1000001 items: more than the million that vmlint allows.");
});
