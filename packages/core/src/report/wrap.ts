import { widthOf } from "./printable.ts";

/** Lines shorter than that are harder to read than long ones. */
const NARROWEST = 40;

/**
 * Wraps a line at its blanks to the width of a terminal. Further lines are indented to `hanging` columns. Without a width, or on a narrow
 * terminal, the line stays as it is.
 */
export function wrapped(line: string, width: number | undefined, hanging = indentOf(line)): readonly string[] {
  if (width === undefined || width < NARROWEST || widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = "";
  const indent = " ".repeat(hanging);
  for (const word of line.trimStart().split(" ")) {
    const start = lines.length === 0 ? " ".repeat(indentOf(line)) : indent;
    if (current === "") current = `${start}${word}`;
    else if (widthOf(current) + 1 + widthOf(word) <= width) current += ` ${word}`;
    else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current];
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
