import type { Expression } from "./ast.ts";
import * as char from "./characters.ts";
import type { Reader } from "./reader.ts";

/** Reads a value: templates and expressions hold each other, so what reads the one is handed what reads the other. */
export type ReadExpression = (reader: Reader) => Expression;

/** `for value in collection` or `for key, value in collection`, as it begins an expression and a template directive. */
export interface ForIntro {
  readonly keyName: string | null;
  readonly valueName: string;
  readonly collection: Expression;
}

/** Reads from the word "for" on; undefined, and an error, when a part is missing. */
export function forIntro(reader: Reader, expression: ReadExpression): ForIntro | undefined {
  reader.takeWord("for");
  reader.peek();
  const first = reader.name();
  const hasKey = reader.take(char.COMMA);
  reader.peek();
  const second = hasKey ? reader.name() : first;
  if (first === "" || second === "" || !reader.takeWord("in")) {
    reader.error('"for" is followed by one or two names and "in".');
    return undefined;
  }
  return { keyName: hasKey ? first : null, valueName: second, collection: expression(reader) };
}
