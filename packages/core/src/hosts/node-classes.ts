import { coresOf, coresPerNode, type HostModel } from "../model/host.ts";
import { once } from "../model/memoize.ts";

/**
 * The NUMA nodes of the catalogue's processors since 2016 (Xeon E5 v4, E7 v4 and EPYC 7001), with default firmware settings: cores of a
 * node x threads of a core, and the NUMA nodes of servers with 1, 2, 4 and 8 processors, if the processor allows so many. A test computes
 * the list: few runs load the catalogue, which is much larger.
 */
export const NODE_CLASSES = `
2x2 4,8
4x2 1,2,4,8
6x1 1,2
6x2 1,2,4,8
8x1 1,2
8x2 1,2,4,8
10x1 1,2,4
10x2 1,2,4,8
12x2 1,2,4,8
14x2 1,2,4
16x2 1,2,4,8
18x2 1,2,4,8
20x2 1,2,4,8
22x2 1,2,4,8
24x2 1,2,3,4,6,8
26x2 1,2,4,8
28x2 1,2,4,8
32x2 1,2,3,4,6,8
36x2 1,2
38x2 1,2
40x2 1,2,3,4,6,8
43x2 2,4
44x2 1,2
48x2 1,2,4,8
52x2 1,2
56x2 1,2
60x2 1,2,4,8
64x1 1,2
64x2 1,2
72x2 1,2
84x2 1,2
96x1 1,2
96x2 1,2
112x1 1,2
112x2 1,2
128x1 1,2
128x2 1,2
144x1 1,2
144x2 1,2
160x2 1,2
192x2 1,2`;

/** Returns a host for each class and each number of nodes, the smallest nodes first. None states its memory or its release. */
export const classHosts: () => readonly HostModel[] = once(() =>
  NODE_CLASSES.trim()
    .split("\n")
    .flatMap((row) => {
      const [coresPerSocket = 0, threadsPerCore = 0, ...counts] = row.split(/[x ,]/).map(Number);
      return counts.map((count) => ({
        name: `${count}x${coresPerSocket}x${threadsPerCore}`,
        sockets: count,
        coresPerSocket,
        threadsPerCore,
        numaNodes: count,
      }));
    }),
);

/** The fewest cores of a NUMA node and of a host. */
export const SMALLEST: () => Readonly<Record<"node" | "host", number>> = once(() => ({
  node: Math.min(...classHosts().map(coresPerNode)),
  host: Math.min(...classHosts().map(coresOf)),
}));
