import type { Topology } from "@vmlint/core";
import { esxi } from "@vmlint/core/program";
import fc from "fast-check";
import { expect, test } from "vitest";
import { check, divisors, HOSTS, hardwareOf, MOST_VCPUS, type Point, RELEASES, violations } from "./invariants.ts";

const anyPoint: fc.Arbitrary<Point> = fc
  .tuple(fc.constantFrom(...RELEASES), fc.integer({ min: 1, max: MOST_VCPUS }))
  .chain(([esxi, vcpus]) =>
    fc.record({
      host: fc.constantFrom(...HOSTS),
      esxi: fc.constant(esxi),
      vcpus: fc.constant(vcpus),
      coresPerSocket: fc.constantFrom(undefined, ...divisors(vcpus)),
      cpuHotAdd: fc.boolean(),
      preferHt: fc.boolean(),
      hardwareVersion: fc.constantFrom(...hardwareOf(esxi)),
    }),
  );

test("a sample of all layouts has the properties of layouts (npm run modelcheck takes them all)", () => {
  let started = 0;
  fc.assert(
    fc.property(anyPoint, (point) => {
      const { topology, wrong } = check(point);
      expect(wrong).toEqual([]);
      if (topology) started++;
    }),
    { numRuns: 2000 },
  );
  expect(started).toBeGreaterThan(1000);
});

test("the check sees a wrong sum, a client that no node holds, and an uneven answer that no source shows", () => {
  const host = { name: "", sockets: 2, coresPerSocket: 10, threadsPerCore: 2, numaNodes: 2 };
  const point = { host, esxi: esxi(7, 0), vcpus: 16, coresPerSocket: 1, cpuHotAdd: false, preferHt: false, hardwareVersion: 19 };
  const { topology } = check(point);
  if (!topology) throw new Error("the VM starts");
  const wrong = (changes: Partial<Topology>) => violations(point, { ...topology, ...changes });
  expect(wrong({})).toEqual([]);
  expect(wrong({ numaClients: [8, 7] })).toEqual(["numaClients have 15 vCPUs"]);
  expect(wrong({ vnumaNodes: [8, 8.5, -0.5] })).toContain("vnumaNodes are no whole numbers");
  expect(wrong({ sockets: 3 })).toEqual(["3 sockets of 1"]);
  expect(wrong({ numaClients: [16] })).toEqual(["a client is larger than the 10 vCPUs of a node, and documented"]);
  expect(wrong({ numaClients: [10, 6] })).toEqual(["uneven clients are documented, and no source shows it"]);
  expect(wrong({ vnumaNodes: [9, 7] })).toEqual(["uneven nodes are documented, and no source shows it"]);
});
