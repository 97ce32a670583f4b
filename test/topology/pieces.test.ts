import { pinningOf, requireHost } from "@vmlint/core";
import { expect, test } from "vitest";
import type { Change } from "../../packages/core/src/model/change.ts";
import { isAligned, nearest } from "../../packages/core/src/topology/aligned.ts";
import { jointly } from "../../packages/core/src/topology/joint.ts";
import { isSameLayout } from "../../packages/core/src/topology/layout.ts";
import { topologyOf, vmOf } from "../support/vm.ts";

const wide = topologyOf('virtualHW.version = "17"\nnumvcpus = "12"', "2x10x2@7.0");

test("aligned are equal nodes and equal clients, no more than the host has nodes, each no larger than one", () => {
  const aligned = (vnumaNodes: number[], numaClients: number[], vcpus = 12) => isAligned({ ...wide, vcpus, vnumaNodes, numaClients }, 2);
  expect(aligned([6, 6], [6, 6])).toBe(true);
  expect(aligned([7, 5], [6, 6])).toBe(false);
  expect(aligned([6, 6], [7, 5])).toBe(false);
  expect([aligned([10], [10], 10), aligned([11], [11], 11), aligned([9], [9], 9)]).toEqual([true, false, true]);
  expect(aligned([4, 4, 4], [6, 6])).toBe(false);
});

test("two layouts are the same with the same nodes and the same clients", () => {
  const of = (vnumaNodes: number[], numaClients: number[]) => ({ vnumaNodes, numaClients });
  expect(isSameLayout(of([12], [6, 6]), of([12], [6, 6]))).toBe(true);
  expect(isSameLayout(of([12], [6, 6]), of([12], [12]))).toBe(false);
  expect(isSameLayout(of([6, 6], [6, 6]), of([12], [6, 6]))).toBe(false);
});

test("the nearest counts reach down to 1 and up to the most", () => {
  expect(nearest(4, 8, (count) => count === 1 || count === 8)).toEqual({ below: 1, above: 8 });
  expect(nearest(4, 8, (count) => count === 0 || count === 9)).toEqual({ below: null, above: null });
});

test.each<[string, readonly Change[], readonly Change[]]>([
  ['numvcpus = "12"\ncpuid.coresPerSocket = "5"', [{ setting: "memoryMiB", value: 4096 }], []],
  ['numvcpus = "12"\ncpuid.coresPerSocket = "6"', [{ setting: "vcpus", value: 8 }], [{ setting: "coresPerSocket", value: 4 }]],
  ['numvcpus = "12"\ncpuid.coresPerSocket = "4"', [{ setting: "vcpus", value: 8 }], []],
  ['numvcpus = "12"\nnuma.vcpu.coresPerNode = "6"', [{ setting: "vcpus", value: 8 }], [{ setting: "coresPerNumaNode", value: 4 }]],
  [
    'numvcpus = "12"\nnuma.vcpu.coresPerNode = "6"',
    [
      { setting: "vcpus", value: 8 },
      { setting: "coresPerNumaNode", value: 8 },
    ],
    [],
  ],
  [
    'numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"',
    [{ setting: "coresPerSocket", value: 4 }],
    [{ setting: "coresPerNumaNode", value: 4 }],
  ],
  ['numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"', [{ setting: "coresPerSocket", value: 3 }], []],
])("%s with %j takes %j", (text, changes, added) => {
  expect(jointly(changes, vmOf(text))).toEqual(added);
});

test("one vCPU is one socket of one, and sockets at power-on are told in words", () => {
  expect(topologyOf('virtualHW.version = "13"\nnumvcpus = "1"\ncpuid.coresPerSocket = "2"', "2x10x2@6.5")).toMatchObject({
    sockets: 1,
    coresPerSocket: 1,
  });
  const words = (vcpus: number) =>
    topologyOf(`virtualHW.version = "20"\nnumvcpus = "${vcpus}"`, "2x10x2@8.0").reasons.map(({ text }) => text);
  expect(words(4)).toContain("ESXi chooses 1 socket of 4 at power-on, one for each virtual NUMA node");
  expect(words(20)).toContain("ESXi chooses 2 sockets of 10 at power-on, one for each virtual NUMA node");
});

test("a list counts the logical CPUs that the host has", () => {
  expect(pinningOf([38, 39, 40], requireHost("2x10x2"))).toMatchObject({ numbers: [38, 39], pcpus: 2, cores: 1, outOfRange: [40] });
});
