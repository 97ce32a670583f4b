import { type Box, type Cell, cells, column, flow, frame, line, paragraph } from "./box.ts";

/** The most room a panel's contents may take. */
export const MOST = 912;

export const GAP = 8;
export const PADDING = 8;

/** Beyond this many nodes a box carries its number alone. */
export const CAPTIONED_NODES = 24;

/** Room for a caption: the CPUs of a node may be many numbers. */
const CAPTION_WIDTH = 200;

const CELL_SIZES = [24, 20, 16, 13, 10, 8];
const COLUMNS = [64, 48, 32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1];

/** A NUMA node, of the host or as the guest sees it. */
export interface PictureNode {
  /** How a group of cells is framed where there are several. */
  readonly kind: "solid" | "dashed";
  readonly captions: readonly string[];
  readonly groups: readonly (readonly Cell[])[];
  readonly below: Box;
}

/** A NUMA node: captions, and its cells in their groups. */
export function nodeBox({ kind, captions: [first = "", ...rest], groups, below }: PictureNode, size: number, columns: number): Box {
  const framed = isFramed(groups);
  const boxes = groups.map((items) => {
    const box = cells(items, balanced(items.length, columns), size);
    return framed ? frame(box, 3, kind) : box;
  });
  const gap = framed ? 4 : 2;
  const [widest = 0] = boxes.map(({ width }) => width).sort((a, b) => b - a);
  const beside = Math.max(1, Math.floor(columns / Math.max(...groups.map(({ length }) => balanced(length, columns)))));
  const captions = [line(first, { size: 11, bold: true }), ...rest.map((text) => paragraph(text, CAPTION_WIDTH, { size: 11, dim: true }))];
  const inner = column([column(captions, 0), flow(boxes, beside * (widest + gap), gap), below], 4);
  return frame(inner, captions.length > 1 ? PADDING : 4, "node");
}

/** Whether groups of cells get frames: where they could not be told apart without. */
export const isFramed = (groups: readonly { readonly length: number }[]): boolean =>
  groups.length > 1 && groups.some(({ length }) => length > 1);

/** Columns for `count` cells in rows of no more than `most` that are filled as evenly as can be. */
const balanced = (count: number, most: number): number => Math.ceil(count / Math.ceil(count / most));

/** The picture with the largest cells that is no higher than it should be, in the fewest rows that make it so. */
export function fitted(height: number, build: (size: number, columns: number) => Box): Box {
  let best: Box | undefined;
  for (const size of CELL_SIZES) {
    for (const columns of COLUMNS) {
      const box = build(size, columns);
      if (box.width <= MOST && (best === undefined || box.height < best.height)) best = box;
    }
    if (best && best.height <= height) return best;
  }
  return best ?? build(8, 1);
}
