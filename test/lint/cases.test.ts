import { expect, test } from "vitest";
import { joinedMessage } from "../../packages/core/src/lint/cases.ts";
import { combinations } from "../../packages/core/src/lint/combinations.ts";

test("each choice of one item from each list is a combination, up to 64", () => {
  expect(combinations<unknown>([["a", "b"], ["c"], [1, 2]])?.map((one) => one.join(""))).toEqual(["ac1", "ac2", "bc1", "bc2"]);
  const lists = (...lengths: readonly number[]) => lengths.map((length) => Array.from({ length }, (_, i) => i));
  expect([combinations(lists(8, 8))?.length, combinations(lists(5, 13)), combinations([])]).toEqual([64, undefined, [[]]]);
});

const never = () => undefined;

test("messages of several cases are one text, without what they share", () => {
  expect(joinedMessage(["It is wide.", "It is wide."], "It is wide.", never)).toBe("It is wide.");
  expect(joinedMessage(["Split 8+7: use 16.", "Split 8+6: use 16."], "Split 8+6: use 16.", never)).toBe("Split 8+6 or 8+7: use 16.");
  const [plain, hotAdd] = ["A socket is wide. Set 8 cores.", "A socket is wide. Set 8 cores, and turn hot add off."];
  expect(joinedMessage([plain, hotAdd], plain, never)).toBe(`${plain} Or: Set 8 cores, and turn hot add off.`);
  const when = (message: string) => (message === hotAdd ? "If cpuHotAdd is true:" : undefined);
  expect(joinedMessage([plain, hotAdd], plain, when)).toBe(`${plain} If cpuHotAdd is true: Set 8 cores, and turn hot add off.`);
  expect(joinedMessage(["A.", "B.", "C."], "B.", never)).toBe("In one of 3 possible cases: B.");
});
