import { expect, test } from "vitest";
import { cpus } from "../../packages/core/src/hosts/cpus.ts";
import { SLOWEST_MHZ } from "../../packages/core/src/rules/cpu/limit-lt-size.ts";

test("no processor in the table is slower than the message of the CPU limit says", () => {
  const frequencies = cpus().flatMap(({ mhz }) => mhz ?? []);
  expect(Math.min(...frequencies)).toBe(SLOWEST_MHZ);
});
