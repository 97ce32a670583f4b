import { grouped } from "../../model/maps.ts";
import type { GuestView } from "../../model/topology.ts";
import { plural } from "../../model/words.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { nodesOf, socketsOf } from "../topology-text.ts";
import { type Box, type Cell, EMPTY, flow } from "./box.ts";
import type { Flaws } from "./flaws.ts";
import { runs, starts } from "./groups.ts";
import { CAPTIONED_NODES, fitted, GAP, nodeBox } from "./nodes.ts";
import type { Paint } from "./paint.ts";
import type { Sheet } from "./sheet.ts";

/** Draws the virtual NUMA nodes with their vCPUs. Without known nodes, all vCPUs are in one box. */
export function guestBox(view: Topology | GuestView, paint: Paint, flaws: Flaws, { width, guestHeight }: Sheet): Box {
  const bySocket = socketsOf(view);
  const socketOf = new Map(bySocket.flatMap((ids, socket) => ids.map((id) => [id, socket] as const)));
  const known = nodesOf(view);
  const nodes = known.length > 0 ? known : [bySocket.flat()];
  const plain = nodes.length > CAPTIONED_NODES;
  const isSocketEach = view.coresPerSocket === 1;
  const digits = String(Math.max(...nodes.flat())).length;
  const boxes = nodes.map((ids, node) => {
    const parts = [...grouped(ids, (id) => socketOf.get(id) ?? 0)];
    const title = known.length === 0 ? "nodes of its host CPUs" : nodes.length === 1 ? "1 NUMA node" : `virtual node ${node}`;
    const captions = [
      title,
      ids.length === 0 ? "no vCPU" : runs(ids, "vCPU"),
      ...(isSocketEach || ids.length === 0 ? [] : [socketWords(parts, bySocket)]),
    ];
    return {
      kind: "solid" as const,
      captions: plain ? [`${node}`] : captions,
      groups: parts.map(([, of]) => of.map((id): Cell => ({ parts: [paint(id)], text: String(id).padStart(digits, FIGURE_SPACE) }))),
      below: EMPTY,
      flaws: flawsOfNode(view, flaws, ids),
    };
  });
  const draws = boxes.map(nodeBox);
  return fitted(width, guestHeight, (size, columns) =>
    flow(
      draws.map((draw) => draw(size, columns)),
      width,
      GAP,
    ),
  );
}

/** Returns the sockets that a node touches: `socket 2`, `sockets 0–9`, `part of socket 0`. */
function socketWords(
  parts: readonly (readonly [socket: number, ids: readonly number[]])[],
  bySocket: readonly (readonly number[])[],
): string {
  const isWhole = parts.every(([socket, ids]) => ids.length === bySocket[socket]?.length);
  return `${isWhole ? "" : "part of "}${runs(
    parts.map(([socket]) => socket),
    "socket",
  )}`;
}

/** Returns what is wrong with a virtual node. */
function flawsOfNode(view: Topology | GuestView, flaws: Flaws, ids: readonly number[]): readonly string[] {
  const { vnumaNodes, vcpus, usableVcpus, guestUsableVcpus } = view;
  const most = Math.max(...vnumaNodes);
  const usable = Math.min(guestUsableVcpus, usableVcpus ?? vcpus);
  const unusable = ids.filter((id) => id >= usable).length;
  const clients = "numaClients" in view ? starts(view.numaClients).filter(([from]) => ids.includes(from)).length : 0;
  return [
    ...(flaws.has("uneven-nodes") && ids.length < most ? [`only ${plural(ids.length, "vCPU")}`] : []),
    ...(flaws.has("hidden-nodes") && clients > 1 ? [`on ${clients} nodes of the host`] : []),
    ...(flaws.has("unusable-vcpus") && unusable > 0 ? [`${unusable} unusable`] : []),
  ];
}

/** As wide as a digit. Padded numbers have equal width, so all of them fit their cells or none does. */
const FIGURE_SPACE = "\u2007";
