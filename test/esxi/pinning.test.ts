import { type HostModel, requireHost } from "@vmlint/core";
import { importHost } from "@vmlint/core/hosts";
import { invalidHost, pinningOf } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { evenPinning } from "../../packages/core/src/platforms/esxi/pinning.ts";
import { esxcliGlobal, esxcliList, machines } from "../hosts/dumps.ts";

const snc = machines["2x24x2-snc2"];
const read = (list: string) => importHost(list + esxcliGlobal(snc), { name: "snc", file: "dump" }).host;

test("the host's own numbers assign CPUs to nodes; without them, nodes get equal shares in order", () => {
  const byRule = read(esxcliList(snc));
  const byHost = read(esxcliList(snc, ({ package: p, core }) => p * 2 + (core % 2)));
  const affinity = [0, 2, 4, 6, 48, 50];
  expect(pinningOf(affinity, byRule)).toMatchObject({ cores: 6, perNode: [4, 0, 2, 0] });
  expect(pinningOf(affinity, byHost)).toMatchObject({ cores: 6, perNode: [2, 2, 1, 1] });
});

test("a suggested list stays on the nodes it is meant for", () => {
  const byHost = read(esxcliList(snc, ({ package: p, core }) => p * 2 + (core % 2)));
  const free = pinningOf([], byHost);
  expect(evenPinning(4, byHost, free)).toEqual([0, 4, 8, 12]);
  expect(pinningOf(evenPinning(24, byHost, free) ?? [], byHost)).toMatchObject({ cores: 24, perNode: [12, 12, 0, 0], siblingPairs: 0 });
  expect(evenPinning(4, byHost, pinningOf([2, 3, 6, 7], byHost))).toEqual([2, 6, 10, 14]);
});

test("a suggested list keeps to the nodes of the list before it, and takes its cores first", () => {
  const two = requireHost("2x10x2@7.0");
  const instead = (cores: number, list: readonly number[], memory?: readonly number[] | "all", host = two) =>
    evenPinning(cores, host, pinningOf(list, host), memory);
  expect(instead(4, [20, 21, 22, 23])).toEqual([20, 22, 24, 26]);
  expect(instead(30, [])).toBeUndefined();
  expect(instead(4, [8, 9, 10, 11])).toEqual([0, 2, 8, 10]);
  expect(instead(4, [30, 31, 38, 39])).toEqual([20, 22, 30, 38]);
  expect(instead(4, [0, 20, 22])).toEqual([20, 22, 24, 26]);
  expect(instead(12, [21, 23])).toEqual([0, 2, 4, 6, 8, 10, 20, 22, 24, 26, 28, 30]);
  // Memory that is kept on another node would be remote.
  expect(instead(4, [0, 1, 2, 3], [1])).toEqual([20, 22, 24, 26]);
  expect(instead(4, [0, 1, 2, 3], [0])).toEqual([0, 2, 4, 6]);
  expect(instead(4, [0, 1, 2, 3], "all")).toEqual([0, 2, 4, 6]);
  expect(instead(12, [0, 1, 2, 3], [0])).toBeUndefined();
  expect(instead(12, [0, 1, 2, 3], [0, 1])).toHaveLength(12);
  const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  expect(instead(20, upTo(11, 30), [0, 1], requireHost("4x10x1@7.0"))).toEqual(upTo(0, 19));
  expect(instead(12, upTo(0, 11), [0], requireHost("2x10x1@7.0"))).toBeUndefined();
  // As remote as it was.
  expect(instead(12, upTo(0, 10), [1], requireHost("2x6x1@7.0"))).toEqual(upTo(0, 11));
});

const host: HostModel = { name: "two", sockets: 1, coresPerSocket: 4, threadsPerCore: 1, numaNodes: 2 };
test.each([
  [
    [
      [0, 2],
      [1, 3],
    ],
    undefined,
  ],
  [[[0, 2]], "its NUMA nodes must have 2 logical CPUs each"],
  [[[0, 2], [1]], "its NUMA nodes must have 2 logical CPUs each"],
  [
    [
      [0, 2],
      [1, 4],
    ],
    "its NUMA nodes must hold every logical CPU once",
  ],
  [
    [
      [0, 2],
      [2, 3],
    ],
    "its NUMA nodes must hold every logical CPU once",
  ],
])("nodes %j", (pcpusOfNode, expected) => {
  expect(invalidHost({ ...host, pcpusOfNode })).toBe(expected);
});
