import { type HostModel, invalidHost, pinningOf } from "@vmlint/core";
import { importHost } from "@vmlint/core/hosts";
import { expect, test } from "vitest";
import { evenPinning } from "../../packages/core/src/topology/pinning.ts";
import { esxcliGlobal, esxcliList, machines } from "../hosts/dumps.ts";

const snc = machines["2x24x2-snc2"];
const read = (list: string) => importHost(list + esxcliGlobal(snc), { name: "snc", file: "dump" }).host;

test("CPUs lie on the nodes that the host itself says, and else on the first, second ... share", () => {
  const byRule = read(esxcliList(snc));
  const byHost = read(esxcliList(snc, ({ package: p, core }) => p * 2 + (core % 2)));
  const affinity = [0, 2, 4, 6, 48, 50];
  expect(pinningOf(affinity, byRule)).toMatchObject({ cores: 6, perNode: [4, 0, 2, 0] });
  expect(pinningOf(affinity, byHost)).toMatchObject({ cores: 6, perNode: [2, 2, 1, 1] });
});

test("a suggested list stays on the nodes it is meant for", () => {
  const byHost = read(esxcliList(snc, ({ package: p, core }) => p * 2 + (core % 2)));
  expect(evenPinning(4, byHost)).toEqual([0, 4, 8, 12]);
  expect(pinningOf(evenPinning(24, byHost) ?? [], byHost)).toMatchObject({ cores: 24, perNode: [12, 12, 0, 0], siblingPairs: 0 });
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
