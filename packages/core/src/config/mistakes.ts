import { VmlintError } from "../model/errors.ts";
import type { Position } from "../model/source.ts";

/** What is wrong at one place of a configuration or of a file it extends. */
export interface Mistake {
  /** Of the file, as messages name it. */
  readonly path: string;
  /** The keys that lead there; none for a file that is no YAML. */
  readonly at: readonly PropertyKey[];
  readonly offset: number;
  readonly position: Position;
  readonly message: string;
}

/** File by file in the order they were read, and in each from its beginning; each once. */
export function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  const paths = [...new Set(mistakes.map(({ path }) => path))];
  const each = new Map(mistakes.map((mistake) => [`${mistake.offset} ${sentence(mistake)}`, mistake]));
  return [...each.values()].sort((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path) || a.offset - b.offset);
}

/** `path:line:column: message`. */
export const sentence = ({ path, position: { line, column }, message }: Mistake): string => `${path}:${line + 1}:${column + 1}: ${message}`;

/** Throws CONFIG_INVALID with all mistakes, one a line; returns where there is none. */
export function raise(mistakes: readonly Mistake[]): void {
  if (mistakes.length > 0) throw new VmlintError("CONFIG_INVALID", inOrder(mistakes).map(sentence).join("\n"));
}

/** Why a file that a configuration names was not read: the reason of whoever refused to, if it was refused. */
export const whyNotRead = (named: string, error: Error | undefined): string =>
  error?.name === "VmlintError" && error.cause === undefined
    ? error.message
    : `${named} cannot be read. The path is relative to this file.`;
