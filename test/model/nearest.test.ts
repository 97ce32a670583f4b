import { expect, test } from "vitest";
import { nearest, similar } from "../../packages/core/src/model/nearest.ts";

test.each<[name: string, names: readonly string[], near: string | undefined]>([
  ["cpu", ["memory", "vcpus"], "vcpus"],
  ["standrad", ["enterprise", "standard"], "standard"],
  ["hostname", ["extends", "host"], "host"],
  ["cores", ["coresPerSocket", "scores"], "coresPerSocket"],
  ["HOSTS", ["host", "hosts"], "hosts"],
  ["numCpus", ["memoryGiB", "vcpus"], "vcpus"],
  ["ht_siblings", ["affinity/any", "affinity/ht-siblings"], "affinity/ht-siblings"],
  ["faultTolerance", ["imdg", "ft"], "ft"],
  ["sap hana", ["hana", "vdi"], "hana"],
  ["disk", ["size", "vcpus"], undefined],
  ["x", ["a", "b"], undefined],
  ["", ["a"], undefined],
  ["cpu", [], undefined],
  ["a".repeat(100_000), ["aaa"], undefined],
])("the name nearest to %.20j of %j is %j", (name, names, near) => {
  expect(nearest(name, names)).toBe(near);
});

test("the nearest names come first, and of typing errors only the smallest", () => {
  expect(similar("mem", ["memoryReservationMiB", "memory", "vcpus"])).toEqual(["memory", "memoryReservationMiB"]);
  expect(similar("hots", ["host", "hosts"])).toEqual(["hosts"]);
});
