import { LineIndex, type Position } from "../model/source.ts";
import type { Place } from "./document.ts";

/** A range by lines and columns. */
export interface Span {
  /** The path of another file. */
  readonly path: string | undefined;
  readonly start: Position;
  readonly end: Position;
}

/** Returns a function that converts ranges of a text, and of other files; `undefined` for a file without known text. */
export function spansIn(text: string, textOf: (path: string) => string | undefined = () => undefined): (place: Place) => Span | undefined {
  const indexes = new Map<string | undefined, LineIndex | undefined>([[undefined, new LineIndex(text)]]);
  return ({ path, range: [start, end] }) => {
    if (path !== undefined && !indexes.has(path)) {
      const other = textOf(path);
      indexes.set(path, other === undefined ? undefined : new LineIndex(other));
    }
    const lines = indexes.get(path);
    return lines && { path, start: lines.at(start), end: lines.at(end) };
  };
}
