import type { Range } from "../model/source.ts";
import { valueWords } from "../model/words.ts";
import { refuse } from "./arguments.ts";

/** Keys and indexes that lead to a value. */
export type ValuePath = readonly (string | number)[];

/** Values as JSON, with the range of each. */
export interface WrittenValues {
  readonly text: string;
  /** The same with `true` for each unknown value, and `false` for all others. */
  readonly later: string;
  /** Returns the path of the value at a range; empty for the whole. */
  readonly pathAt: (range: Range) => ValuePath;
}

interface Notation {
  /** Writes an unknown value. */
  readonly unknown: string;
  readonly isLater?: ((text: string) => boolean) | undefined;
}

/** Deeper than any resource, and no circle. */
const DEEPEST = 64;

/** Writes values as JSON from an offset on. Throws USAGE for a value that no JSON has, such as a function. */
export function writtenValues(values: unknown, at: string, offset: number, { unknown, isLater }: Notation): WrittenValues {
  const places: { readonly range: Range; readonly path: ValuePath }[] = [];
  let text = "";
  const isUnknown = (value: unknown): boolean =>
    (typeof value === "object" &&
      value !== null &&
      Object.keys(value).join() === "unknown" &&
      typeof Object.values(value)[0] === "string") ||
    (typeof value === "string" && isLater?.(value) === true);
  const members = (value: object): readonly (readonly [key: string, value: unknown])[] =>
    Object.entries(value).filter(([, one]) => one !== undefined);
  const later = (value: unknown): unknown => {
    if (isUnknown(value)) return true;
    if (Array.isArray(value)) return value.map(later);
    return typeof value === "object" && value !== null ? Object.fromEntries(members(value).map(([key, one]) => [key, later(one)])) : false;
  };
  const write = (value: unknown, path: ValuePath): void => {
    const place = [at, ...path].join(".");
    if (path.length > DEEPEST) refuse(`${place.slice(0, 80)}... is nested too deeply.`);
    if (isUnknown(value)) text += unknown;
    else if (Array.isArray(value)) between("[", "]", value, (one, i) => placed([...path, i], () => write(one, [...path, i])));
    else if (typeof value === "object" && value !== null)
      between("{", "}", members(value), ([key, one]) =>
        placed([...path, key], () => {
          text += `${JSON.stringify(key)}: `;
          write(one, [...path, key]);
        }),
      );
    // JSON has no such number: its text is a mistyped value.
    else if (typeof value === "number" && !Number.isFinite(value)) text += `"${value}"`;
    else if (value === null || ["string", "number", "boolean"].includes(typeof value)) text += JSON.stringify(value);
    else refuse(`${place} must be a value of JSON, not ${valueWords(value)}.`);
  };
  const between = <T>(open: string, close: string, items: readonly T[], each: (item: T, index: number) => void): void => {
    text += open;
    items.forEach((item, i) => {
      if (i > 0) text += ", ";
      each(item, i);
    });
    text += close;
  };
  const placed = (path: ValuePath, writes: () => void): void => {
    const start = offset + text.length;
    writes();
    places.push({ range: [start, offset + text.length], path });
  };
  write(values, []);
  return {
    text,
    later: JSON.stringify(later(values)),
    // An inner value is written before its outer one.
    pathAt: ([start, end]) => places.find(({ range }) => range[0] <= start && range[1] >= end)?.path ?? [],
  };
}
