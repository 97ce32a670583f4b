import type { Range as Offsets } from "@vmlint/core";
import { type Place, type Span, spansIn } from "@vmlint/core/editor";
import { Location, Range, type TextDocument, type Uri } from "vscode";

/** Finds a place; `undefined`: its file is not known. */
export type Locate = (place: Place) => Location | undefined;

/** Finds places in a file with a text, and in others. */
export function locator(uri: Uri, text: string, textOf: (path: string) => string | undefined, uriOf: (path: string) => Uri): Locate {
  const find = spansIn(text, textOf);
  return (place) => {
    const span = find(place);
    return span && new Location(span.path === undefined ? uri : uriOf(span.path), rangeAt(span));
  };
}

export const rangeAt = ({ start, end }: Span): Range => new Range(start.line, start.column, end.line, end.column);

export const rangeIn = (document: TextDocument, [start, end]: Offsets): Range =>
  new Range(document.positionAt(start), document.positionAt(end));
