import { coresPerNode, type HostModel } from "../../model/host.ts";
import { sequence } from "../../model/sequence.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { sockets } from "../topology-text.ts";
import { type Box, cells, type Fill, paragraph } from "./box.ts";
import type { Flaws } from "./flaws.ts";
import { cut, endsOf, range, starts } from "./groups.ts";
import { coreGroups } from "./machine.ts";
import { isFramed } from "./nodes.ts";
import { hue } from "./paint.ts";
import type { Placement } from "./placement.ts";

/** With more clients, only the sentence about them shows their sizes. */
export const LISTED_CLIENTS = 16;

/** Returns a chip for each client: its colour, its vCPUs and its node. */
export function clientList({ numaManaged, numaClients }: Topology, { nodeOf }: Placement, width: number): readonly Box[] {
  if (!numaManaged || numaClients.length > LISTED_CLIENTS) return [];
  return level(
    starts(numaClients).map(([first, size], client) => {
      const home = nodeOf[client];
      const text = `client ${client}: ${range(first, size, "vCPU")}${home === undefined ? "" : `, on NUMA node ${home}`}`;
      return swatch([hue(client)], text, width);
    }),
  );
}

/** Returns boxes of equal width, so that their rows form columns. */
function level(boxes: readonly Box[]): readonly Box[] {
  const width = Math.max(...boxes.map((box) => box.width));
  return boxes.map((box) => ({ ...box, width }));
}

export const swatch = (parts: readonly Fill[], text: string, width: number): Box => {
  const key = cells([{ parts }], 1, 12);
  const words = paragraph(text, width - 18, { size: 11 });
  return {
    width: 18 + words.width,
    height: words.height,
    draw: (x, y) => `<g class="key">${key.draw(x, y + 2)}${words.draw(x + 18, y)}</g>`,
  };
};

/** Returns an explanation of the marks in this picture. */
export function legend(host: HostModel, topology: Topology, { vcpuOn, waiting }: Placement, flaws: Flaws, width: number): readonly Box[] {
  const { pinning, vcpus, guestUsableVcpus, threads } = { ...topology, threads: host.threadsPerCore };
  const idle: Fill = { className: "idle" };
  const core = (first: Fill, other: Fill) => [first, ...sequence(threads - 1, () => other)];
  const halfFree = [...vcpuOn.keys()].some((cpu) => !vcpuOn.has(cpu % threads === 0 ? cpu + threads - 1 : cpu));
  const nodes = coreGroups(host);
  const ends = endsOf(sockets(topology));
  const virtualNodes = starts(topology.vnumaNodes).map(([first, size]) => cut(first, size, ends).map(([, length]) => ({ length })));
  const marks: readonly (readonly [occurs: boolean, mark: readonly Fill[], meaning: string])[] = [
    [threads > 1, core(idle, idle), `a core, its ${threads} threads side by side`],
    [flaws.has("shared-cores"), [{ className: "wrong" }], "a core that several vCPUs share"],
    [halfFree, core(hue(0), { className: "c0 tint" }), "a vCPU; the rest of its core is free for others"],
    [(pinning?.pcpus ?? 0) > 0, [{ className: "c0", over: "pin" }], "a logical CPU the VM is pinned to"],
    [
      Math.min(topology.usableVcpus ?? vcpus, vcpus) < guestUsableVcpus,
      [{ className: "off", over: "sql" }],
      "a vCPU SQL Server cannot use",
    ],
    [guestUsableVcpus < vcpus, [{ className: "off", over: "guest" }], "a vCPU the guest OS cannot use"],
    [waiting.size > 0, [{ className: "c0 wait" }], "a vCPU without a logical CPU of its own"],
    [virtualNodes.some(isFramed), [{ className: "solid" }], "frame in a virtual node: a virtual socket"],
    [host.coresPerL3 === undefined && nodes.some(isFramed), [{ className: "solid" }], "frame in a NUMA node: a socket"],
    [
      (host.coresPerL3 ?? coresPerNode(host)) < coresPerNode(host),
      [{ className: "dashed" }],
      `dashed: ${host.coresPerL3} cores that share an L3 cache`,
    ],
  ];
  return marks.flatMap(([occurs, mark, meaning]) => (occurs ? [swatch(mark, meaning, width)] : []));
}
