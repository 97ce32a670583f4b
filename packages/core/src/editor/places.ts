import { LineIndex, type Position } from "../model/source.ts";
import type { Place } from "./document.ts";

/** A place by lines and columns. */
export interface Span {
  /** The file, where that is not the document itself. */
  readonly path: string | undefined;
  readonly start: Position;
  readonly end: Position;
}

/** Finds places in a text, and in others that it leads to: `undefined` for one whose text is not known. */
export function spansIn(text: string, textOf: (path: string) => string | undefined = () => undefined): (place: Place) => Span | undefined {
  const known = new Map<string | undefined, LineIndex | undefined>([[undefined, new LineIndex(text)]]);
  return ({ path, range: [start, end] }) => {
    if (path !== undefined && !known.has(path)) {
      const other = textOf(path);
      known.set(path, other === undefined ? undefined : new LineIndex(other));
    }
    const lines = known.get(path);
    return lines && { path, start: lines.at(start), end: lines.at(end) };
  };
}
