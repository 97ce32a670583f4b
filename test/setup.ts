import fc from "fast-check";
import { afterEach, expect, vi } from "vitest";

/** Random values are others at each run, and the same wherever a seed is given. */
const { VMLINT_SEED } = process.env;
if (VMLINT_SEED) fc.configureGlobal({ seed: Number(VMLINT_SEED) });

/** Nothing under test prints on its own: a stray console call fails the test that made it. */
const spies = (["log", "info", "warn", "error"] as const).map((method) => vi.spyOn(console, method));

afterEach(() => {
  for (const spy of spies) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockClear();
  }
});
