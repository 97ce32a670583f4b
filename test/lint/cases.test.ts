import { expect, test } from "vitest";
import { joinedMessage } from "../../packages/core/src/lint/cases.ts";

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
