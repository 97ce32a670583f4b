import { Lexer } from "yaml";

type Pieces = Generator<string, string | undefined>;

/** Private members of the library's lexer in yaml 2.9. */
interface Parts {
  /** The least indentation of a continuation line. */
  indentNext: number;
  parseFlowCollection(): Pieces;
  parseQuotedScalar(): Pieces;
  lex(text: string): Generator<string, void>;
}

/**
 * Accepts any indentation inside of quotes and brackets, like libyaml, PyYAML and go-yaml (PyYAML 6.0, scanner.py: unwind_indent does
 * nothing inside of brackets, and scan_flow_scalar_breaks only ends at a document mark).
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
