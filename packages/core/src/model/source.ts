/**
 * Half-open `[start, end)` offsets in UTF-16 units, as in JS strings, LSP and VS Code.
 *
 * @example
 * const text = vmx.slice(...finding.range);
 */
export type Range = readonly [start: number, end: number];

/** Whether two ranges share a place, or meet. */
export const touches = ([start, end]: Range, [from, to]: Range): boolean => start <= to && from <= end;

/** Returns a range without the line ends at its end, because no column is after a line or between CR and LF. */
export function beforeLineEnd([start, end]: Range, text: string): Range {
  let last = end;
  while (last > start && (text[last - 1] === "\n" || text[last - 1] === "\r")) last--;
  const isBetween = last === start && text[start] === "\n" && text[start - 1] === "\r";
  return isBetween ? [start - 1, start - 1] : [start, last];
}

/** More rows and columns than any table has. */
const ROWS = 2 ** 26;
const COLUMNS = 2 ** 14;

/** Returns the range of a cell outside of the text of a file: in a workbook, or in the file of another sheet. Sheets count from 1. */
export function rangeOfCell(sheet: number, row: number, column: number): Range {
  const at = (sheet * ROWS + row) * COLUMNS + column;
  return [at, at + 1];
}

/** Returns the sheet, the row and the column of such a range; sheet 0 means that the range is one of the text. */
export const cellOfRange = ([at]: Range): readonly [sheet: number, row: number, column: number] => [
  Math.floor(at / ROWS / COLUMNS),
  Math.floor(at / COLUMNS) % ROWS,
  at % COLUMNS,
];

/** A value together with the exact text that set it. */
export interface Located<T> {
  readonly value: T;
  readonly range: Range;
}

/**
 * The value of a setting in a file. `absent` is not a default, because defaults depend on the ESXi version, and `unknown` is not `absent`:
 * a rule that needs an unknown value is skipped.
 *
 * @example
 * if (vm.settings.vcpus.state === "known") console.log(vm.settings.vcpus.value);
 */
export type Setting<T> =
  | { readonly state: "known"; readonly value: T; readonly range: Range }
  | {
      readonly state: "unknown";
      readonly reason: string;
      readonly range: Range;
      /** The only values that it can have, or values that it cannot have, if the text shows them. */
      readonly among?: readonly unknown[];
      readonly not?: readonly unknown[];
      /** Set if the value has the wrong type: a description of the right one. */
      readonly expected?: string;
      /** The key and the text of such a value, for messages. */
      readonly key?: string | undefined;
      readonly text?: string;
    }
  | { readonly state: "absent" };

export const ABSENT: { readonly state: "absent" } = { state: "absent" };

export const known = <T>(value: T, range: Range): Setting<T> => ({ state: "known", value, range });

export const unknown = (reason: string, range: Range, among?: readonly unknown[]): Setting<never> => ({
  state: "unknown",
  reason,
  range,
  ...(among && { among }),
});

/** A value of the wrong type; `expected` completes "must be ...". */
export const mistyped = (expected: string, range: Range): Setting<never> => ({
  state: "unknown",
  reason: `it is not ${expected}`,
  range,
  expected,
});

/** Returns a setting that names its key and its text if it has the wrong type. */
export const withText = <T>(setting: Setting<T>, names: { readonly key?: string | undefined; readonly text?: string }): Setting<T> =>
  setting.state === "unknown" && setting.expected !== undefined ? { ...names, ...setting } : setting;

/** Returns the value of a known setting; `undefined` if it is absent or unknown. */
export const valueIfKnown = <T>(setting: Setting<T>): T | undefined => (setting.state === "known" ? setting.value : undefined);

export interface Position {
  /** Zero-based. */
  readonly line: number;
  /** Zero-based, in UTF-16 units. */
  readonly column: number;
}

const LF = 10;
const CR = 13;

/**
 * Converts offsets to lines and columns, for reporters and editors; scans the text only up to the requested offset.
 *
 * @example
 * const { line, column } = new LineIndex(text).at(finding.range[0]); // both from 0
 */
export class LineIndex {
  readonly #text: string;
  /** Four bytes per line, because a text of a hundred megabytes has millions of lines. */
  #starts = new Int32Array(64);
  #lines = 1;
  #read = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** A plugin may pass an offset after the end. A cell has its row and column. */
  at(asked: number): Position {
    const [sheet, row, column] = cellOfRange([asked, asked]);
    if (sheet > 0) return { line: row - 1, column: column - 1 };
    const offset = Math.min(asked, this.#text.length);
    while (this.#read < offset) this.#readOn();
    let low = 0;
    let high = this.#lines;
    while (low + 1 < high) {
      const mid = (low + high) >> 1;
      if ((this.#starts[mid] ?? 0) <= offset) low = mid;
      else high = mid;
    }
    return { line: low, column: offset - (this.#starts[low] ?? 0) };
  }

  /** Returns the offset of a zero-based line. */
  start(line: number): number | undefined {
    while (this.#lines <= line && this.#read < this.#text.length) this.#readOn();
    return line < this.#lines ? this.#starts[line] : undefined;
  }

  /** Lines end at LF, CRLF or a lone CR, as in editors and in open-vm-tools' reader. */
  #readOn(): void {
    const c = this.#text.charCodeAt(this.#read++);
    if (c === LF || (c === CR && this.#text.charCodeAt(this.#read) !== LF)) this.#begin(this.#read);
  }

  #begin(start: number): void {
    if (this.#lines === this.#starts.length) {
      const larger = new Int32Array(this.#lines * 2);
      larger.set(this.#starts);
      this.#starts = larger;
    }
    this.#starts[this.#lines++] = start;
  }
}

/** Returns the offset of the line that an offset is in. */
export const startOfLine = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;

/** The longest compared text of a value. */
const LONGEST = 200;

/** Returns the text of a range in a normal form, which identifies a finding on any line. */
export const pointedAt = (text: string, [start, end]: Range): string =>
  text
    .slice(start, Math.min(end, start + LONGEST))
    .trim()
    .replace(/\s+/g, " ")
    .toLowerCase();

/**
 * A change of a text.
 *
 * @example
 * const edit: TextEdit = { range: [12, 13], newText: "8" };
 */
export interface TextEdit {
  /** The path of another file. */
  readonly path?: string;
  readonly range: Range;
  readonly newText: string;
}
