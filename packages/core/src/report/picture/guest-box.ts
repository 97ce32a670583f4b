import { plural } from "../../model/words.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { sockets } from "../topology-text.ts";
import { type Box, type Cell, EMPTY, flow } from "./box.ts";
import type { Flaws } from "./flaws.ts";
import { cut, endsOf, range, socketsOf, starts } from "./groups.ts";
import { CAPTIONED_NODES, fitted, GAP, nodeBox } from "./nodes.ts";
import type { Paint } from "./paint.ts";
import type { Sheet } from "./sheet.ts";

/** Draws the virtual NUMA nodes with their vCPUs. */
export function guestBox(topology: Topology, paint: Paint, flaws: Flaws, { width, guestHeight }: Sheet): Box {
  const { vnumaNodes } = topology;
  const plain = vnumaNodes.length > CAPTIONED_NODES;
  const ends = endsOf(sockets(topology));
  const isSocketEach = topology.coresPerSocket === 1;
  const digits = String(topology.vcpus - 1).length;
  const nodes = starts(vnumaNodes).map(([first, size], node) => {
    const parts = cut(first, size, ends);
    const title = vnumaNodes.length === 1 ? "1 NUMA node" : `virtual node ${node}`;
    return {
      kind: "solid" as const,
      captions: plain ? [`${node}`] : [title, range(first, size, "vCPU"), ...(isSocketEach ? [] : [socketsOf(first, size, ends)])],
      groups: parts.map(([from, count]) =>
        Array.from(
          { length: count },
          (_, i): Cell => ({ parts: [paint(from + i)], text: String(from + i).padStart(digits, FIGURE_SPACE) }),
        ),
      ),
      below: EMPTY,
      flaws: flawsOfNode(topology, flaws, first, size),
    };
  });
  const draws = nodes.map(nodeBox);
  return fitted(width, guestHeight, (size, columns) =>
    flow(
      draws.map((draw) => draw(size, columns)),
      width,
      GAP,
    ),
  );
}

/** Returns what is wrong with a virtual node. */
function flawsOfNode(
  { vnumaNodes, numaClients, vcpus, usableVcpus, guestUsableVcpus }: Topology,
  flaws: Flaws,
  first: number,
  size: number,
) {
  const most = Math.max(...vnumaNodes);
  const unusable = Math.min(size, first + size - Math.min(guestUsableVcpus, usableVcpus ?? vcpus));
  const clients = starts(numaClients).filter(([from]) => from >= first && from < first + size).length;
  return [
    ...(flaws.has("uneven-nodes") && size < most ? [`only ${plural(size, "vCPU")}`] : []),
    ...(flaws.has("hidden-nodes") && clients > 1 ? [`on ${clients} nodes of the host`] : []),
    ...(flaws.has("unusable-vcpus") && unusable > 0 ? [`${unusable} unusable`] : []),
  ];
}

/** As wide as a digit. Padded numbers have equal width, so all of them fit their cells or none does. */
const FIGURE_SPACE = "\u2007";
