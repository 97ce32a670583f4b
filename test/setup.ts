import { afterEach, expect, vi } from "vitest";

/** Nothing under test prints on its own: a stray console call fails the test that made it. */
const spies = (["log", "info", "warn", "error"] as const).map((method) => vi.spyOn(console, method));

afterEach(() => {
  for (const spy of spies) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockClear();
  }
});
