export type Paint = (text: string) => string;

/** A page, or a file relative to the working directory. */
export type LinkTarget = { readonly url: string } | { readonly path: string };

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
  /** The width of the terminal in columns; missing without a terminal. */
  readonly width?: number | undefined;
  /** Makes a text a link; missing if the terminal shows none. */
  readonly link?: ((text: string, to: LinkTarget) => string) | undefined;
}

const same: Paint = (text) => text;

export const PLAIN: Palette = { bold: same, dim: same, red: same, yellow: same, blue: same, cyan: same, green: same, underline: same };
