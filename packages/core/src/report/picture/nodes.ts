import { type Box, type Cell, cells, column, flawLine, flow, frame, line, paragraph } from "./box.ts";

export const GAP = 8;
export const PADDING = 8;

/** With more nodes, a box shows only its number. */
export const CAPTIONED_NODES = 24;

/** Room for a caption, because the CPU list of a node can be long. */
export const CAPTION_WIDTH = 200;

const CELL_SIZES = [24, 20, 16, 13, 10, 8];

/** Sizes for cores whose threads have numbers. */
export const NUMBERED_SIZES: readonly number[] = [44, 36, 30, ...CELL_SIZES];
const COLUMNS = [64, 48, 32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1];

/** A NUMA node of the host or of the guest. */
export interface PictureNode {
  /** The frame around a group of cells if there are several groups. */
  readonly kind: "solid" | "dashed";
  readonly captions: readonly string[];
  readonly groups: readonly (readonly Cell[])[];
  readonly below: Box;
  /** Short labels for its flaws. */
  readonly flaws: readonly string[];
}

/** Returns a function that draws a NUMA node, its captions and its cells in groups, with cells of a size in columns. */
export function nodeBox({
  kind,
  captions: [first = "", ...rest],
  groups,
  below,
  flaws,
}: PictureNode): (size: number, columns: number) => Box {
  const isPlain = rest.length === 0;
  const captions = column(
    [line(first, { size: 11, bold: true }), ...rest.map((text) => paragraph(text, CAPTION_WIDTH, { size: 11, dim: true }))],
    0,
  );
  const marks = column(isPlain ? [] : flaws.map((text) => flawLine(text, CAPTION_WIDTH)), 1);
  const framed = isFramed(groups);
  const drawn = framed ? groups : [groups.flat()].filter(({ length }) => length > 0);
  return (size, columns) => {
    const boxes = drawn.map((items) => {
      const box = cells(items, balanced(items.length, columns), size);
      return framed ? frame(box, 3, kind) : box;
    });
    const gap = 4;
    const widest = Math.max(0, ...boxes.map(({ width }) => width));
    const perRow = Math.max(1, Math.floor(columns / Math.max(...drawn.map(({ length }) => balanced(length, columns)))));
    const inner = column([captions, flow(boxes, perRow * (widest + gap), gap), below, marks], 4);
    return frame(inner, isPlain ? 4 : PADDING, flaws.length > 0 ? "node flawed" : "node");
  };
}

/** Whether groups of cells need frames to be distinguishable. */
export const isFramed = (groups: readonly { readonly length: number }[]): boolean =>
  groups.length > 1 && groups.some(({ length }) => length > 1);

/** Returns the number of columns for `count` cells in evenly filled rows of at most `most`. */
const balanced = (count: number, most: number): number => Math.ceil(count / Math.ceil(count / most));

/** Returns the picture with the largest cells that fits the height, in the fewest rows. */
export function fitted(
  width: number,
  height: number,
  build: (size: number, columns: number) => Box,
  sizes: readonly number[] = CELL_SIZES,
): Box {
  let best: Box | undefined;
  for (const size of sizes) {
    for (const columns of COLUMNS) {
      const box = build(size, columns);
      if (box.width <= width && (best === undefined || box.height < best.height)) best = box;
    }
    if (best && best.height <= height) return best;
  }
  return best ?? build(8, 1);
}
