/**
 * A cell of a table, as a spreadsheet program shows it.
 *
 * @example
 * const shown = ({ sheet, row, title, value }: Cell) => `${sheet}, row ${row}: ${title} = ${value}`;
 */
export interface Cell {
  /** The file of its sheet, if it differs from the file of the VM. */
  readonly path?: string;
  readonly sheet: string;
  /** Both from 1. */
  readonly row: number;
  readonly column: number;
  /** The title of its column, and its content. */
  readonly title: string;
  readonly value: string;
}

/** Returns the message of a finding with its cell, for programs that show the place of a finding in a text. */
export const messageInCell = ({ message, cell }: { readonly message: string; readonly cell?: Cell }): string =>
  cell ? `${cellReference(cell)}: ${message}` : message;

/** Returns the letters of a column: 28 is `AB`. */
export const columnLetters = (column: number): string =>
  column === 0 ? "" : columnLetters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));

/** Returns `vInfo!J9`, as the Go To dialog of spreadsheet programs takes it. */
export const cellReference = ({ sheet, row, column }: Cell): string =>
  `${/^[A-Za-z_]\w*$/.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`}!${columnLetters(column)}${row}`;
