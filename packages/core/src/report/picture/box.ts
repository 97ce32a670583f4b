import { BOLD, clip, escapeXml, widthOf, wrap } from "./svg-text.ts";

/** An element of known size that can be drawn at any position. Pictures are composed of boxes. */
export interface Box {
  readonly width: number;
  readonly height: number;
  /** Returns SVG with its upper left corner at a point. */
  readonly draw: (x: number, y: number) => string;
  /** Returns a box of at least this height, to align it with its neighbours. */
  readonly grown?: (height: number) => Box;
}

export const EMPTY: Box = { width: 0, height: 0, draw: () => "" };

interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly dim?: boolean;
  /** In the colour of flaws. */
  readonly flaw?: boolean;
}

/** The size at which widths are measured. */
const measured = ({ size = 12, bold = false }: TextStyle): number => size * (bold ? BOLD : 1);

/** A line of text, cut off at `most` pixels. */
export function line(content: string, style: TextStyle = {}, maxWidth = Number.POSITIVE_INFINITY): Box {
  const { size = 12, bold, dim, flaw } = style;
  const text = clip(content, measured(style), maxWidth);
  const className = `t t${size}${bold ? " b" : ""}${dim ? " d" : ""}${flaw ? " f" : ""}`;
  return {
    width: widthOf(text, measured(style)),
    height: text ? Math.ceil(size * 1.4) : 0,
    draw: (x, y) => (text ? `<text class="${className}" x="${round(x)}" y="${round(y + size * 1.08)}">${escapeXml(text)}</text>` : ""),
  };
}

/** A text wrapped to a width, with at most `lines` lines. */
export const paragraph = (content: string, width: number, style: TextStyle = {}, lines = 4): Box =>
  column(
    wrap(content, measured(style), width, lines).map((text) => line(text, style)),
    0,
  );

/** Stacks boxes vertically; empty boxes use no space. */
export function column(boxes: readonly Box[], gap: number): Box {
  const shown = boxes.filter(({ height }) => height > 0);
  return {
    width: Math.max(0, ...shown.map(({ width }) => width)),
    height: Math.max(
      0,
      shown.reduce((sum, { height }) => sum + height + gap, -gap),
    ),
    draw: (x, y) => {
      let top = y;
      return shown
        .map((box) => {
          const svg = box.draw(x, top);
          top += box.height + gap;
          return svg;
        })
        .join("");
    },
  };
}

/** Arranges boxes in rows that fit a width. */
export function flow(boxes: readonly Box[], width: number, gap: number): Box {
  const rows: Box[][] = [];
  let left = 0;
  for (const box of boxes) {
    const last = rows.at(-1);
    if (last && left >= box.width + gap) {
      last.push(box);
      left -= box.width + gap;
    } else {
      rows.push([box]);
      left = width - box.width;
    }
  }
  return column(
    rows.map((row) => sideBySide(row, gap)),
    gap,
  );
}

function sideBySide(row: readonly Box[], gap: number): Box {
  const height = Math.max(...row.map((box) => box.height));
  const boxes = row.map((box) => box.grown?.(height) ?? box);
  return {
    width: boxes.reduce((sum, box) => sum + box.width + gap, -gap),
    height,
    draw: (x, y) => {
      let start = x;
      return boxes
        .map((box) => {
          const svg = box.draw(start, y);
          start += box.width + gap;
          return svg;
        })
        .join("");
    },
  };
}

/** A rounded rectangle around a box. */
export function frame(inner: Box, padding: number, className: string, least: Pick<Box, "width" | "height"> = EMPTY): Box {
  const width = Math.max(inner.width + 2 * padding, least.width);
  const height = Math.max(inner.height + 2 * padding, least.height);
  return {
    width,
    height,
    draw: (x, y) => {
      const size = `width="${round(width)}" height="${round(height)}" rx="${Math.min(6, padding)}"`;
      return `<rect class="${className}" x="${round(x)}" y="${round(y)}" ${size}/>${inner.draw(x + padding, y + padding)}`;
    },
    grown: (taller) => frame(inner, padding, className, { width, height: taller }),
  };
}

const BAR: Pick<Box, "width" | "height"> = { width: 130, height: 12 };

/** A bar that is full at a share of its length; the rest of it is too much. */
export const bar = (share: number): Box => ({
  ...BAR,
  draw: (x, y) => {
    const full = round(BAR.width * share);
    const piece = (className: string, from: number, width: number) =>
      `<path class="${className}" d="M${round(x + from)} ${round(y)}h${round(width)}v${BAR.height}h${round(-width)}z"/>`;
    const rest = BAR.width - full;
    return piece("c0", 0, full) + piece("off", full, rest) + piece("guest", full, rest) + piece("wrong", full, rest);
  },
});

/** A sentence about a flaw, behind a warning sign. */
export function flawLine(content: string, width: number, size = 11): Box {
  const words = paragraph(content, width - size - 6, { size, bold: true, flaw: true });
  return {
    width: words.width + size + 6,
    height: words.height,
    draw: (x, y) => `${sign(x, y + size * 0.16, size)}${words.draw(x + size + 6, y)}`,
  };
}

/** A triangle with an exclamation mark, which needs no colour to be seen. */
function sign(x: number, y: number, size: number): string {
  const middle = round(x + size / 2);
  return (
    `<path class="sign" d="M${middle} ${round(y)}L${round(x + size)} ${round(y + size)}H${round(x)}z"/>` +
    `<path class="on" d="M${middle} ${round(y + size * 0.36)}v${round(size * 0.3)}M${middle} ${round(y + size * 0.76)}v${round(size * 0.13)}"/>`
  );
}

/** Wraps a box in an SVG group of its own. */
export const group = (inner: Box, className: string): Box => ({
  ...inner,
  draw: (x, y) => `<g class="${className}">${inner.draw(x, y)}</g>`,
});

/** A square of one or more vertical strips, each drawn with its classes. */
export interface Cell {
  readonly parts: readonly Fill[];
  /** Drawn in the middle if it fits. */
  readonly text?: string;
  /** A flaw: a thick outline, and in a large cell this number on a disc. */
  readonly flaw?: number;
}

/** The classes of a strip and of its overlay. */
export interface Fill {
  readonly className: string;
  readonly over?: string | undefined;
  /** Drawn in the middle of the strip if it fits. */
  readonly text?: string | undefined;
}

const CELL_GAP = 2;
const NUMBER_SIZE = 11;

/** Squares in a grid. Squares of the same look share one path, so that a picture of 1,000 CPUs stays small. */
export function cells(items: readonly Cell[], columns: number, size: number): Box {
  const step = size + CELL_GAP;
  const rows = Math.ceil(items.length / columns);
  const draw = (x: number, y: number) => {
    const paths = new Map<string, string>();
    const numbers: string[] = [];
    const digits = new Map<string, string>();
    const starts = new Map<string, readonly [x: number, y: number]>();
    /** Adds a figure that ends at its start, relative to the one before it. */
    const add = (style: string, x: number, y: number, lines: string) => {
      const [startX, startY] = starts.get(style) ?? [0, 0];
      const at = [round(round(x) - startX), round(round(y) - startY)];
      paths.set(style, `${paths.get(style) ?? ""}${starts.has(style) ? "m" : "M"}${at[0]} ${at[1]}${lines}z`);
      starts.set(style, [round(x), round(y)]);
    };
    for (const [i, { parts, text, flaw }] of items.entries()) {
      const left = x + (i % columns) * step;
      const top = y + Math.floor(i / columns) * step;
      const width = size / parts.length;
      const addText = (text: string, first: number, most: number, fill: string) => {
        if (size < 20 || widthOf(text, NUMBER_SIZE) > most - 2) return;
        const ink = fill.includes("off") ? "n-off" : "n";
        const number = `<text x="${round(first + most / 2)}" y="${round(top + size / 2 + 4)}">${text.trim()}</text>`;
        digits.set(ink, (digits.get(ink) ?? "") + number);
      };
      for (const [part, { className, over, text: own }] of parts.entries()) {
        for (const style of over === undefined ? [className] : [className, over])
          add(style, left + part * width, top, `h${round(width)}v${size}h${round(-width)}`);
        if (own !== undefined && flaw === undefined) addText(own, left + part * width, width, className);
      }
      if (parts.length > 1) {
        add("core", left, top, `h${size}v${size}h${-size}`);
        for (const [i] of parts.slice(1).entries()) add("halves", left + (i + 1) * width, top, `v${size}`);
      }
      if (flaw !== undefined) {
        add("wrong", left, top, `h${size}v${size}h${-size}`);
        if (size >= 16) {
          const [x, y] = [round(left + size / 2), round(top + size / 2)];
          numbers.push(
            `<circle class="disc" cx="${x}" cy="${y}" r="7.5"/><text class="t t${NUMBER_SIZE} b n" x="${x}" y="${round(y + 4)}">${flaw}</text>`,
          );
        }
      }
      if (text !== undefined) addText(text, left, size, parts[0]?.className ?? "");
    }
    // Outlines come last, so that no neighbour covers them.
    const outlines = ["core", "halves", "wrong"].flatMap((name) => {
      const path = paths.get(name);
      paths.delete(name);
      return path ? [[name, path] as const] : [];
    });
    const drawn = [...paths, ...outlines].map(([style, d]) => `<path class="${style}" d="${d}"/>`);
    const named = [...digits].map(([ink, numbers]) => `<g class="t t${NUMBER_SIZE} ${ink}">${numbers}</g>`);
    return [...drawn, ...named, ...numbers].join("");
  };
  return { width: Math.min(columns, items.length) * step - CELL_GAP, height: rows * step - CELL_GAP, draw };
}

const round = (value: number): number => Math.round(value * 100) / 100;
