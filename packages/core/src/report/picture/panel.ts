import { coresPerNode, type HostModel, threadsOf } from "../../model/host.ts";
import type { Topology } from "../../topology/derive.ts";
import { fill } from "../../topology/layout.ts";
import { headline, hostTitle, onHost, reasonLine, sockets } from "../topology-text.ts";
import { type Box, type Cell, cells, column, EMPTY, type Fill, flow, frame, group, line, paragraph } from "./box.ts";
import { clientsByVcpu, type Placement, place } from "./placement.ts";
import { HUES } from "./style.ts";

/** The room a panel's contents may take, and the least it is made to take. */
const MOST = 912;
const LEAST = 560;

const GAP = 8;
const PADDING = 8;

/** Cells are tried at these sizes, the largest first, until a part of the picture is no higher than this. */
const CELL_SIZES = [24, 20, 16, 13, 10, 8];
const GUEST_HEIGHT = 260;
const HOST_HEIGHT = 330;

/** Beyond this many nodes a box carries its number alone. */
const CAPTIONED_NODES = 24;
/** Beyond this many clients only the sentence about them says their sizes. */
const LISTED_CLIENTS = 16;
/** Beyond this many cores, or threads of a core, the host is drawn as numbers. */
const DRAWN_CORES = 1024;
const DRAWN_THREADS = 8;

/** What a panel is titled by. */
export interface Titles {
  /** The VM. */
  readonly name: string;
  /** The line above it: where the VM comes from. */
  readonly path: string;
}

/** A panel, and in words what it shows. */
export interface Panel {
  readonly box: Box;
  readonly words: readonly string[];
}

/** A VM that has no layout: why. */
export function emptyPanel(titles: Titles, about: string, why: readonly string[]): Panel {
  const rows = why.map((text) => paragraph(text, LEAST));
  const box = column([heading(titles, LEAST), paragraph(about, LEAST, { size: 14 }), ...rows], GAP);
  return { box: atLeastWide(box), words: [about, ...why] };
}

/** The guest's view above the host it runs on, joined by the colours of the NUMA clients. */
export function topologyPanel(host: HostModel, topology: Topology, titles: Titles, notes: readonly string[]): Panel {
  const placement = place(topology, host);
  const paint = painter(topology);
  const guest = group(guestBox(topology, paint), "guest");
  const machine = group(hostBox(host, topology, placement, paint), "host");
  const clients = clientList(topology, placement);
  const width = Math.max(LEAST, Math.min(MOST, Math.max(guest.width, machine.width)));
  const words = [...notes, ...onHost(topology, host).map(sentence), ...caveats(host, topology, placement)];
  const about = headline(titles.name, topology, host);
  const box = column(
    [
      heading(titles, width),
      paragraph(about, width, { size: 14 }),
      section("What the guest sees", "", width, guest),
      ...(clients.length > 0
        ? [section("NUMA clients", "Each keeps its vCPUs together on one physical node.", width, flow(clients, width, GAP))]
        : []),
      section(`On ${hostTitle(host)}`, choiceOf(host, topology), width, machine),
      flow(legend(host, topology, placement), width, GAP),
      column(
        words.map((text) => paragraph(text, width, { dim: true })),
        2,
      ),
      frame(
        column(
          [
            line(`Certainty: ${topology.certainty}`, { bold: true }),
            ...topology.reasons.map((reason) => paragraph(reasonLine(reason), width - 2 * PADDING, { size: 11, dim: true })),
          ],
          2,
        ),
        PADDING,
        topology.certainty,
        { width, height: 0 },
      ),
    ],
    18,
  );
  const nodes = topology.vnumaNodes.length === 1 ? [] : [`The guest's nodes: ${spans(topology.vnumaNodes, "node", "vCPU")}.`];
  return {
    box: atLeastWide(box),
    words: [
      `${about}.`,
      ...nodes,
      ...placementWords(topology, placement),
      choiceOf(host, topology),
      ...words,
      `Certainty: ${topology.certainty}.`,
    ],
  };
}

const atLeastWide = (box: Box): Box => ({ ...box, width: Math.max(box.width, LEAST) });

const heading = ({ name, path }: Titles, width: number): Box =>
  column([line(name || "VM", { size: 18, bold: true }, width), line(path, { dim: true }, width)], 0);

const section = (title: string, about: string, width: number, box: Box): Box =>
  column([column([line(title, { size: 13, bold: true }, width), paragraph(about, width, { dim: true })], 0), box], 8);

/** How a vCPU is drawn: in the colour of its client, or greyed where nothing can use it. */
type Paint = (vcpu: number) => Fill & { readonly client: number };

function painter(topology: Topology): Paint {
  const { numaManaged, guestUsableVcpus, vcpus } = topology;
  const usable = topology.usableVcpus ?? vcpus;
  const client = clientsByVcpu(topology);
  return (vcpu) => {
    const own = numaManaged ? (client[vcpu] ?? 0) : 0;
    const { className, over } = hue(own);
    const greyed = vcpu >= guestUsableVcpus ? "guest" : vcpu >= usable ? "sql" : undefined;
    if (greyed) return { className: `vcpu off o${own % HUES}`, over: greyed, client: own };
    return { className: `vcpu ${className}`, over, client: own };
  };
}

const hue = (client: number): Fill => ({
  className: `c${client % HUES}`,
  over: Math.floor(client / HUES) % 2 === 1 ? "stripe" : undefined,
});

function guestBox(topology: Topology, paint: Paint): Box {
  const { vnumaNodes } = topology;
  const plain = vnumaNodes.length > CAPTIONED_NODES;
  const ends = endsOf(sockets(topology));
  const digits = String(topology.vcpus - 1).length;
  const nodes = starts(vnumaNodes).map(([first, size], node) => {
    const parts = cut(first, size, ends);
    const title = vnumaNodes.length === 1 ? "1 NUMA node" : `virtual node ${node}`;
    return {
      kind: "vsocket" as const,
      captions: plain ? [`${node}`] : [title, range(first, size, "vCPU"), socketsOf(first, size, ends)],
      groups: parts.map(([from, count]) =>
        Array.from(
          { length: count },
          (_, i): Cell => ({ parts: [paint(from + i)], text: String(from + i).padStart(digits, FIGURE_SPACE) }),
        ),
      ),
      below: EMPTY,
    };
  });
  return fitted(GUEST_HEIGHT, (size, columns) =>
    flow(
      nodes.map((node) => nodeBox(node, size, columns)),
      MOST,
      GAP,
    ),
  );
}

/** As wide as a digit: numbers padded with it find room in their cells all together or not at all. */
const FIGURE_SPACE = "\u2007";

interface Node {
  /** How a group of cells is framed where there are several. */
  readonly kind: "vsocket" | "l3";
  readonly captions: readonly string[];
  readonly groups: readonly (readonly Cell[])[];
  readonly below: Box;
}

/** A NUMA node: captions, and its cells in their groups. */
function nodeBox({ kind, captions: [first = "", ...rest], groups, below }: Node, size: number, columns: number): Box {
  const framed = isFramed(groups.map(({ length }) => length));
  const boxes = groups.map((items) => {
    const box = cells(items, balanced(items.length, columns), size);
    return framed ? frame(box, 3, kind) : box;
  });
  const gap = framed ? 4 : 2;
  const [widest = 0] = boxes.map(({ width }) => width).sort((a, b) => b - a);
  const beside = Math.max(1, Math.floor(columns / Math.max(...groups.map(({ length }) => balanced(length, columns)))));
  const captions = [line(first, { size: 11, bold: true }), ...rest.map((text) => line(text, { size: 11, dim: true }))];
  const inner = column([column(captions, 0), flow(boxes, beside * (widest + gap), gap), below], 4);
  return frame(inner, captions.length > 1 ? PADDING : 4, "node");
}

const isFramed = (groups: readonly number[]): boolean => groups.length > 1 && groups.some((size) => size > 1);

/** Columns for `count` cells in rows of no more than `most` that are filled as evenly as can be. */
const balanced = (count: number, most: number): number => Math.ceil(count / Math.ceil(count / most));

/** The picture with the largest cells that is no higher than it should be, in the fewest rows that make it so. */
function fitted(height: number, build: (size: number, columns: number) => Box): Box {
  let best: Box | undefined;
  for (const size of CELL_SIZES) {
    for (const columns of [64, 48, 32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1]) {
      const box = build(size, columns);
      if (box.width <= MOST && (best === undefined || box.height < best.height)) best = box;
    }
    if (best && best.height <= height) return best;
  }
  return best ?? build(8, 1);
}

function hostBox(host: HostModel, topology: Topology, placement: Placement, paint: Paint): Box {
  const perNode = coresPerNode(host);
  const cores = host.sockets * host.coresPerSocket;
  if (cores > DRAWN_CORES || host.threadsPerCore > DRAWN_THREADS) {
    return line(`${host.sockets} sockets, ${host.numaNodes} NUMA nodes, ${cores} cores, ${threadsOf(host)} logical CPUs: too many to draw`);
  }
  const pinned = new Set(topology.pinning?.numbers);
  const plain = host.numaNodes > CAPTIONED_NODES;
  const nested = host.numaNodes % host.sockets === 0;
  const ends = endsOf(Array.from({ length: host.sockets }, () => host.coresPerSocket));
  const nodes = Array.from({ length: host.numaNodes }, (_, node): Node => {
    const first = node * perNode;
    const groups =
      host.coresPerL3 === undefined ? cut(first, perNode, ends) : cut(first, perNode, endsOf(fill(perNode, host.coresPerL3), first));
    const cpus = range(first * host.threadsPerCore, perNode * host.threadsPerCore, "CPU");
    const home = nested ? [] : [socketsOf(first, perNode, ends)];
    return {
      kind: "l3",
      captions: plain ? [`${node}`] : [`NUMA node ${node}`, cpus, ...home],
      groups: groups.map(([from, count]) => Array.from({ length: count }, (_, i) => coreCell(from + i, host, placement, pinned, paint))),
      below:
        plain || !topology.numaManaged ? EMPTY : column([residents(node, placement), waitingBox(placement.waiting.get(node), paint)], 4),
    };
  });
  const homeless = placement.waiting.get(undefined);
  const drawn = fitted(HOST_HEIGHT, (size, columns) => {
    const boxes = nodes.map((node) => nodeBox(node, size, columns));
    if (!nested) return flow(boxes, MOST, GAP);
    const each = host.numaNodes / host.sockets;
    const strip = Array.from({ length: host.sockets }, (_, socket) => {
      const inside = flow(boxes.slice(socket * each, (socket + 1) * each), MOST - 2 * PADDING, GAP);
      const title = line(plain ? `socket ${socket}` : `socket ${socket}: ${host.coresPerSocket} cores`, { size: 11, bold: true });
      return frame(column([title, inside], 4), PADDING, "socket");
    });
    return flow(strip, MOST, GAP);
  });
  const late = plain ? [...placement.waiting].flatMap(([node, vcpus]) => (node === undefined ? [] : vcpus)) : [];
  return column([drawn, waitingBox(late, paint), waitingBox(homeless, paint)], GAP);
}

/** A core, its threads side by side. Where one of them has a vCPU, the colour lies faintly over the others. */
function coreCell(core: number, host: HostModel, { vcpuOn }: Placement, pinned: ReadonlySet<number>, paint: Paint): Cell {
  const cpus = Array.from({ length: host.threadsPerCore }, (_, thread) => core * host.threadsPerCore + thread);
  const [tenant] = cpus.flatMap((cpu) => vcpuOn.get(cpu) ?? []);
  const parts = cpus.map((cpu): Fill => {
    const vcpu = vcpuOn.get(cpu);
    if (pinned.has(cpu)) return { className: "cpu pinned c0", over: "pin" };
    if (vcpu !== undefined) {
      const { className, over } = paint(vcpu);
      return { className: `cpu ${className}`, over };
    }
    if (tenant === undefined) return { className: "cpu idle" };
    return { className: `cpu tint ${hue(paint(tenant).client).className}` };
  });
  return { parts };
}

/** The clients drawn on a node. */
function residents(node: number, { nodeOf }: Placement): Box {
  const here = nodeOf.flatMap((home, client) => (home === node ? [client] : []));
  if (here.length === 0) return line("no client", { size: 11, dim: true });
  const shown = here.slice(0, 4).join(", ");
  const text = `client${here.length > 1 ? "s" : ""} ${shown}${here.length > 4 ? ` and ${here.length - 4} more` : ""}`;
  return line(text, { size: 11 });
}

/** vCPUs that find every logical CPU of their node taken. */
function waitingBox(vcpus: readonly number[] = [], paint: Paint): Box {
  if (vcpus.length === 0) return EMPTY;
  const items = vcpus.map((vcpu): Cell => ({ parts: [{ className: `${paint(vcpu).className} wait` }] }));
  return column([line(`${vcpus.length} more vCPU${vcpus.length === 1 ? "" : "s"}`, { size: 11 }), cells(items, 20, 8)], 2);
}

/** One chip for each client: its colour, its vCPUs, and the node it is drawn on. */
function clientList({ numaManaged, numaClients }: Topology, { nodeOf }: Placement): readonly Box[] {
  if (!numaManaged || numaClients.length > LISTED_CLIENTS) return [];
  return level(
    starts(numaClients).map(([first, size], client) => {
      const home = nodeOf[client];
      const text = `client ${client}: ${range(first, size, "vCPU")}${home === undefined ? "" : `, on NUMA node ${home}`}`;
      return swatch([hue(client)], text);
    }),
  );
}

/** Boxes of one width, so that rows of them make columns. */
function level(boxes: readonly Box[]): readonly Box[] {
  const width = Math.max(...boxes.map((box) => box.width));
  return boxes.map((box) => ({ ...box, width }));
}

const swatch = (parts: readonly Fill[], text: string): Box => {
  const key = cells([{ parts }], 1, 12);
  const words = line(text, { size: 11 });
  return {
    width: 18 + words.width,
    height: words.height,
    draw: (x, y) => `<g class="key">${key.draw(x, y + 2)}${words.draw(x + 18, y)}</g>`,
  };
};

/** What the marks mean, of those that occur. */
function legend(host: HostModel, topology: Topology, { vcpuOn, waiting }: Placement): readonly Box[] {
  const { pinning, vcpus, guestUsableVcpus, threads } = { ...topology, threads: host.threadsPerCore };
  const idle: Fill = { className: "idle" };
  const core = (first: Fill, other: Fill) => [first, ...Array.from({ length: threads - 1 }, () => other)];
  const halfFree = [...vcpuOn.keys()].some((cpu) => !vcpuOn.has(cpu % threads === 0 ? cpu + threads - 1 : cpu));
  const ends = endsOf(sockets(topology));
  const marks: readonly (readonly [occurs: boolean, mark: readonly Fill[], meaning: string])[] = [
    [threads > 1, core(idle, idle), `a core, its ${threads} threads side by side`],
    [halfFree, core(hue(0), { className: "c0 tint" }), "a vCPU; the rest of its core is free for others"],
    [(pinning?.pcpus ?? 0) > 0, [{ className: "c0", over: "pin" }], "a logical CPU the VM is pinned to"],
    [
      Math.min(topology.usableVcpus ?? vcpus, vcpus) < guestUsableVcpus,
      [{ className: "off", over: "sql" }],
      "a vCPU SQL Server cannot use",
    ],
    [guestUsableVcpus < vcpus, [{ className: "off", over: "guest" }], "a vCPU the guest OS cannot use"],
    [waiting.size > 0, [{ className: "c0 wait" }], "a vCPU without a logical CPU of its own"],
    [
      starts(topology.vnumaNodes).some(([first, size]) => isFramed(cut(first, size, ends).map(([, count]) => count))),
      [{ className: "vsocket" }],
      "frame in a virtual node: a virtual socket",
    ],
    [
      (host.coresPerL3 ?? coresPerNode(host)) < coresPerNode(host),
      [{ className: "l3" }],
      `dashed: ${host.coresPerL3} cores that share an L3 cache`,
    ],
  ];
  return marks.flatMap(([occurs, mark, meaning]) => (occurs ? [swatch(mark, meaning)] : []));
}

/** What about the drawn placement is ESXi's to choose. */
function choiceOf(host: HostModel, { numaManaged, pinning }: Topology): string {
  if (pinning) return "The vCPUs share the logical CPUs they are pinned to; none is kept on a NUMA node.";
  if (!numaManaged) return "A memory affinity takes the VM out of NUMA scheduling: its vCPUs may run on any logical CPU.";
  return `ESXi chooses the ${host.numaNodes > 1 ? "nodes and " : ""}cores at run time: this is one of several equal placements.`;
}

/** What the picture cannot show and must not be taken for. */
function caveats(host: HostModel, topology: Topology, { waiting }: Placement): readonly string[] {
  const { numaManaged, vcpus, numaClients, guestUsableVcpus } = topology;
  const usable = Math.min(topology.usableVcpus ?? vcpus, guestUsableVcpus);
  const late = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
  return [
    ...(numaManaged && numaClients.length > host.numaNodes ? [`${numaClients.length} clients share ${host.numaNodes} nodes.`] : []),
    ...(late > 0
      ? [`${late} vCPU${late === 1 ? " has" : "s have"} no logical CPU of ${late === 1 ? "its" : "their"} own on the node.`]
      : []),
    ...(usable < vcpus ? ["Which vCPUs stay unused is not published: the last ones are greyed."] : []),
  ];
}

function placementWords(topology: Topology, { nodeOf }: Placement): readonly string[] {
  if (!topology.numaManaged) return [];
  const homes = starts(topology.numaClients)
    .slice(0, LISTED_CLIENTS)
    .map(([first, size], client) => `client ${client} (${range(first, size, "vCPU")}) on NUMA node ${nodeOf[client] ?? "none"}`);
  const more = topology.numaClients.length - homes.length;
  return [`Drawn: ${homes.join(", ")}${more > 0 ? `, and ${more} more` : ""}.`];
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** First member and size of each group in turn. */
function starts(groups: readonly number[]): readonly (readonly [first: number, size: number])[] {
  let next = 0;
  return groups.map((size) => {
    next += size;
    return [next - size, size];
  });
}

const endsOf = (groups: readonly number[], from = 0): readonly number[] => starts(groups).map(([first, size]) => from + first + size);

/** The stretch from `first` on, cut wherever a group of the other kind ends. */
function cut(first: number, size: number, ends: readonly number[]): readonly (readonly [first: number, size: number])[] {
  const marks = [...new Set([first, ...ends.filter((end) => end > first && end < first + size), first + size])];
  return marks.slice(1).map((end, i) => [marks[i] ?? first, end - (marks[i] ?? first)]);
}

/** `socket 2`, `sockets 0-9`, `part of socket 0`: which sockets a stretch lies on. */
function socketsOf(first: number, size: number, ends: readonly number[]): string {
  const from = ends.findIndex((end) => end > first);
  const to = ends.findIndex((end) => end >= first + size);
  const start = from > 0 ? (ends[from - 1] ?? 0) : 0;
  const whole = start === first && ends[to] === first + size;
  return `${whole ? "" : "part of "}${from === to ? `socket ${from}` : `sockets ${from}–${to}`}`;
}

const range = (first: number, size: number, word: string): string =>
  size === 1 ? `${word} ${first}` : `${word}s ${first}–${first + size - 1}`;

const spans = (groups: readonly number[], name: string, word: string): string =>
  starts(groups)
    .slice(0, LISTED_CLIENTS)
    .map(([first, size], i) => `${name} ${i} has ${range(first, size, word)}`)
    .join(", ") + (groups.length > LISTED_CLIENTS ? `, and ${groups.length - LISTED_CLIENTS} more` : "");
