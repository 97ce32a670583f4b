import { expect, test } from "vitest";
import { nearest } from "../../packages/core/src/model/nearest.ts";

test.each<[name: string, names: readonly string[], near: string | undefined]>([
  ["cpu", ["memory", "vcpus"], "vcpus"],
  ["standrad", ["enterprise", "standard"], "standard"],
  ["hostname", ["extends", "host"], "host"],
  ["cores", ["coresPerSocket", "scores"], "coresPerSocket"],
  ["HOSTS", ["host", "hosts"], "hosts"],
  ["disk", ["size", "vcpus"], undefined],
  ["x", ["a", "b"], undefined],
  ["", ["a"], undefined],
  ["cpu", [], undefined],
])("the name nearest to %j of %j is %j", (name, names, near) => {
  expect(nearest(name, names)).toBe(near);
});
