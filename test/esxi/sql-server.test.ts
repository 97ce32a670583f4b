import type { Workload } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import {
  bufferPoolMiB,
  MOST_PARALLEL,
  mostMaxdop,
  nodeTrouble,
  softNumaNodes,
  sqlLimits,
  usableVcpus,
} from "../../packages/core/src/limits/sql-server.ts";

type Version = NonNullable<Workload["version"]>;
type Edition = NonNullable<Workload["edition"]>;

/** Microsoft, "Compute capacity limits by edition of SQL Server", by version: sockets and cores. */
const PUBLISHED: readonly (readonly [Version, Partial<Record<Edition, readonly [number, number]>>])[] = [
  ["2012", { standard: [4, 16], bi: [4, 16], web: [4, 16], express: [1, 4] }],
  ["2014", { standard: [4, 16], bi: [4, 16], web: [4, 16], express: [1, 4] }],
  ["2016", { standard: [4, 24], web: [4, 16], express: [1, 4] }],
  ["2017", { standard: [4, 24], web: [4, 16], express: [1, 4] }],
  ["2019", { standard: [4, 24], web: [4, 16], express: [1, 4] }],
  ["2022", { standard: [4, 24], web: [4, 16], express: [1, 4] }],
  ["2025", { standard: [4, 32], express: [1, 4] }],
];
const EDITIONS = ["standard", "bi", "web", "express"] as const;
const rows = PUBLISHED.flatMap(([version, editions]) => EDITIONS.map((edition) => [version, edition, editions[edition]] as const));

const mssql = (more: Partial<Workload>): Workload => ({ kind: "mssql", ...more });

test.each(rows)("SQL Server %s %s: %j", (version, edition, limit) => {
  const workload = mssql({ version, edition });
  expect(sqlLimits(workload).map(({ sockets, cores }) => [sockets, cores])).toEqual(limit ? [limit] : []);
  if (!limit) return;
  const [sockets, cores] = limit;
  // All cores in one socket, and all sockets with one core: at the limit, and one above.
  expect([cores, cores + 1].map((vcpus) => usableVcpus(workload, vcpus, vcpus))).toEqual([cores, cores]);
  expect([sockets, sockets + 1].map((vcpus) => usableVcpus(workload, vcpus, 1))).toEqual([sockets, sockets]);
});

describe("values that a declaration leaves unknown", () => {
  test.each<[string, Partial<Workload>, number | undefined]>([
    ["Standard of 2008 R2 takes the cores of 4 sockets", { edition: "standard", version: "2008r2" }, 40],
    ["Web of 2008 R2: no page was read", { edition: "web", version: "2008r2" }, undefined],
    ["no edition", {}, undefined],
    ["Standard of some version", { edition: "standard" }, undefined],
    ["Express of some version: all have 4", { edition: "express" }, 4],
    ["Enterprise by core", { edition: "enterprise", licensing: "core" }, 40],
    ["Enterprise with Server+CAL", { edition: "enterprise", licensing: "server-cal" }, 20],
    ["Enterprise of 2008 R2: no page was read", { edition: "enterprise", version: "2008r2" }, undefined],
    [
      "Enterprise of 2008 R2 with Server+CAL, before the limit of 2012",
      { edition: "enterprise", version: "2008r2", licensing: "server-cal" },
      undefined,
    ],
    ["Enterprise by either", { edition: "enterprise" }, undefined],
    ["Developer", { edition: "developer", version: "2022" }, 40],
    ["Developer of 2025, of Enterprise or Standard", { edition: "developer", version: "2025" }, undefined],
    ["Developer of some version", { edition: "developer" }, undefined],
  ])("%s", (_, workload, usable) => {
    expect(usableVcpus(mssql(workload), 40, 20)).toBe(usable);
  });

  test("up to the limit nothing is open", () => {
    expect([16, 17].map((vcpus) => usableVcpus(mssql({ edition: "standard" }), vcpus, vcpus))).toEqual([16, undefined]);
    expect([20, 21].map((vcpus) => usableVcpus(mssql({ edition: "enterprise" }), vcpus, vcpus))).toEqual([20, undefined]);
    expect([32, 33].map((vcpus) => usableVcpus(mssql({ edition: "developer" }), vcpus, vcpus))).toEqual([32, undefined]);
    expect([40, 41].map((vcpus) => usableVcpus({ kind: "oracle" }, vcpus, 1))).toEqual([40, 41]);
  });
});

/** "Editions and supported features of SQL Server", scale limits: the buffer pool of an instance. */
test.each<[Version, Edition, number | undefined]>([
  ["2008r2", "standard", 65_536],
  ["2008r2", "web", 65_536],
  ["2008r2", "express", 1024],
  ["2012", "standard", undefined],
  ["2014", "standard", 131_072],
  ["2014", "bi", 131_072],
  ["2014", "web", 65_536],
  ["2014", "express", 1024],
  ["2016", "standard", 131_072],
  ["2017", "web", 65_536],
  ["2019", "express", 1410],
  ["2022", "standard", 131_072],
  ["2022", "enterprise", undefined],
  ["2025", "standard", 262_144],
  ["2025", "express", 1410],
  ["2025", "web", undefined],
])("the buffer pool of SQL Server %s %s: %s MiB", (version, edition, most) => {
  expect(bufferPoolMiB(mssql({ version, edition }))).toBe(most);
});

test.each([
  [8, [8]],
  [9, [5, 4]],
  [16, [8, 8]],
  [17, [6, 6, 5]],
  [24, [8, 8, 8]],
])("a NUMA node of %i vCPUs has soft-NUMA nodes of %j", (size, parts) => {
  expect(softNumaNodes(size)).toEqual(parts);
});

/** Microsoft, "Configure the max degree of parallelism": from 2016 on by nodes, until 2014 at most 8. */
test.each<[readonly number[], Version, number]>([
  [[8], "2022", 8],
  [[9], "2022", 8],
  [[7], "2022", 7],
  [[15, 15], "2022", 15],
  [[16, 16], "2022", 16],
  [[17, 17], "2022", 8],
  [[18, 18], "2022", 9],
  [[34, 34], "2022", 16],
  [[20, 16], "2022", 10],
  [[16, 16], "2014", 8],
  [[4, 4], "2014", 4],
])("MAXDOP for nodes of %j with SQL Server %s: at most %i", (nodes, version, most) => {
  expect(mostMaxdop(nodes, version)).toBe(most);
  expect(MOST_PARALLEL).toBe(64);
});

/** "Limit number of logical cores per NUMA node to 64": refused by 2022 from cumulative update 11 on, and supported by no version from 2016 on. */
test.each<[Partial<Workload>, number, ReturnType<typeof nodeTrouble>]>([
  [{ version: "2022", update: 11 }, 64, undefined],
  [{ version: "2022", update: 11 }, 65, "refused"],
  [{ version: "2022", update: 10 }, 65, "unsupported"],
  [{ version: "2022" }, 65, "refused"],
  [{ version: "2025" }, 64, undefined],
  [{ version: "2025", update: 1 }, 65, "doubtful"],
  [{ version: "2019", update: 11 }, 65, "unsupported"],
  [{ version: "2016" }, 65, "unsupported"],
  [{ version: "2014" }, 65, undefined],
  [{}, 65, "unsupported"],
  [{}, 64, undefined],
])("%j with a node of %i: %s", (workload, size, trouble) => {
  expect(nodeTrouble(mssql(workload), size)).toBe(trouble);
  expect(nodeTrouble({ ...workload, kind: "general" }, size)).toBeUndefined();
});
