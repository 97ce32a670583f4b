import { type Paint, type Palette, PLAIN } from "@vmlint/core";

const sgr =
  (open: number, close: number): Paint =>
  (text) =>
    `\u001b[${open}m${text}\u001b[${close}m`;

/** Eight of the terminal's own colours. A library for them asks process.stdout, which is what bin.ts avoids loading. */
const COLOURS: Palette = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  underline: sgr(4, 24),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  blue: sgr(34, 39),
  cyan: sgr(36, 39),
};

export const palette = (coloured: boolean): Palette => (coloured ? COLOURS : PLAIN);
