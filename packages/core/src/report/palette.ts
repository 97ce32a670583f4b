export type Paint = (text: string) => string;

/** Colours a terminal report uses; the caller decides whether they are real. */
export interface Palette {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
  readonly green: Paint;
  readonly underline: Paint;
}

const same: Paint = (text) => text;

export const PLAIN: Palette = { bold: same, dim: same, red: same, yellow: same, blue: same, cyan: same, green: same, underline: same };
