import { VmlintError } from "../model/errors.ts";
import type { Misspelling } from "../model/nearest.ts";
import type { Position } from "../model/source.ts";

/** An error in a configuration or in a file that it extends. */
export interface Mistake {
  /** The path of the file as messages show it. */
  readonly path: string;
  /** The keys that lead to the value; empty for invalid YAML. */
  readonly at: readonly PropertyKey[];
  readonly offset: number;
  readonly position: Position;
  readonly message: string;
  readonly misspelt?: Misspelling | undefined;
}

/** A message, with the misspelt name that it is about. */
export type WrongPart = Pick<Mistake, "message" | "misspelt">;

/** Returns errors in file order, then by position, without duplicates. */
export function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  const paths = [...new Set(mistakes.map(({ path }) => path))];
  const distinct = new Map(mistakes.map((mistake) => [`${mistake.offset} ${sentence(mistake)}`, mistake]));
  return [...distinct.values()].sort((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path) || a.offset - b.offset);
}

/** Returns `path:line:column: message`. */
export const sentence = ({ path, position: { line, column }, message }: Mistake): string => `${path}:${line + 1}:${column + 1}: ${message}`;

/** Sections that only select findings. The others decide the host, the workload or the values of a VM. */
const INDEPENDENT = ["rules", "suppress"];

/** Whether an error takes away only its own entry, and the rest of the configuration means what its author intends. */
export const losesItsEntry = ({ at: [section, , key] }: Mistake): boolean =>
  INDEPENDENT.includes(String(section)) || (section === "overrides" && key === "rules");

/** Throws CONFIG_INVALID with all errors, one per line, if there are any. */
export function raise(mistakes: readonly Mistake[]): void {
  if (mistakes.length > 0) throw new VmlintError("CONFIG_INVALID", inOrder(mistakes).map(sentence).join("\n"));
}

/** Returns why a file that a configuration names could not be read, with the reason of the reader if it refused the file. */
export const whyNotRead = (label: string, error: Error | undefined): string =>
  error?.name === "VmlintError" && error.cause === undefined
    ? error.message
    : `${label} cannot be read. The path is relative to this file.`;
