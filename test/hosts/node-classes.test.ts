import { cpus } from "@vmlint/core/cpus";
import { expect, test } from "vitest";
import { classHosts, NODE_CLASSES, SMALLEST } from "../../packages/core/src/hosts/node-classes.ts";

/** The generations whose processors all came before 2016. */
const OLDER = /Westmere|Sandy Bridge|Ivy Bridge|Haswell/;

test("the classes are the nodes of the catalogue's processors since 2016, by default", () => {
  const classes = new Map<string, Set<number>>();
  for (const { family, cores, threadsPerCore, maxSockets = 2, nodesPerSocket: [nodes = 1] = [] } of cpus()) {
    // Three nodes of 42 and 43 cores are no equal ones.
    if (OLDER.test(family) || cores % nodes !== 0) continue;
    const key = `${cores / nodes}x${threadsPerCore}`;
    const counts = classes.get(key) ?? new Set();
    classes.set(key, counts);
    for (let sockets = 1; sockets <= maxSockets; sockets *= 2) counts.add(sockets * nodes);
  }
  const ascending = (a: number | undefined, b: number | undefined): number => (a ?? 0) - (b ?? 0);
  const rows = [...classes]
    .map(([key, counts]) => ({ key, order: key.split("x").map(Number), counts: [...counts].sort(ascending) }))
    .sort((a, b) => ascending(a.order[0], b.order[0]) || ascending(a.order[1], b.order[1]));
  expect(rows.map(({ key, counts }) => `${key} ${counts.join()}`)).toEqual(NODE_CLASSES.trim().split("\n"));
});

test("the smallest node has 2 cores (EPYC 7251), and the smallest host 4", () => {
  expect(SMALLEST()).toEqual({ node: 2, host: 4 });
  expect(classHosts().length).toBeGreaterThan(90);
});
