import { Lexer } from "yaml";

type Pieces = Generator<string, string | undefined>;

/** What the library's lexer keeps to itself, of yaml 2.9. */
interface Parts {
  /** How far in a line must begin to be part of what the last one left open. */
  indentNext: number;
  parseFlowCollection(): Pieces;
  parseQuotedScalar(): Pieces;
  lex(text: string): Generator<string, void>;
}

/**
 * Takes lines inside of quotes and brackets at any indentation, as libyaml does and what is made of it: PyYAML, go-yaml (PyYAML 6.0,
 * scanner.py: unwind_indent does nothing inside of brackets, and scan_flow_scalar_breaks ends at a document's mark alone).
 */
export class LooseLexer extends (Lexer as unknown as new () => Parts) {
  override *parseFlowCollection(): Pieces {
    return yield* this.#atAnyIndentation(super.parseFlowCollection());
  }

  override *parseQuotedScalar(): Pieces {
    return yield* this.#atAnyIndentation(super.parseQuotedScalar());
  }

  *#atAnyIndentation(pieces: Pieces): Pieces {
    const { indentNext } = this;
    this.indentNext = 0;
    const next = yield* pieces;
    this.indentNext = indentNext;
    return next;
  }
}
