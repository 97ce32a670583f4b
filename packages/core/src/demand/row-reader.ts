import type { CellText, Collection } from "./collect.ts";

/** Reads the rows of one kind of export into a collection. */
export interface RowReader {
  /** Takes a row; the row of titles has the number 1. Returns why the file is not read. */
  readonly take: (cell: CellText, row: number) => string | undefined;
}

/** Recognises a kind of export by its titles. Returns the reader of its rows, why it is not read, or nothing for other kinds. */
export type KindOfExport = (titles: readonly string[], collection: Collection) => RowReader | { readonly refused: string } | undefined;
