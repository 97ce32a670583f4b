import { Composer, type Document, type DocumentOptions, Lexer, type ParseOptions, Parser, type SchemaOptions, YAMLParseError } from "yaml";

/**
 * How many levels are read. The library composes them by recursion, which a text can take to the end of the stack: where V8 meets
 * that end while it compiles a regular expression, it ends the process, and no `catch` sees it.
 */
const DEEPEST = 200;

/** Keys that are there twice are for the caller to find: the library compares each with all before it. */
type Options = ParseOptions & DocumentOptions & SchemaOptions & { readonly uniqueKeys: false };

/** The documents of a text; of one that nests deeper than anybody writes, what stands before that. */
export function composeDocuments(text: string, options: Options): readonly Document.Parsed[] {
  const parser = new Parser();
  const composer = new Composer(options);
  const documents: Document.Parsed[] = [];
  let isDeep = false;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    isDeep = parser.stack.length > DEEPEST;
    if (isDeep) break;
  }
  const end = parser.offset;
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  const cut = documents.at(-1);
  if (isDeep && cut) {
    const message = `Nothing is read from here on: this lies in more than ${DEEPEST} levels of lists and mappings.`;
    // That everything is left open there is no mistake of its author.
    cut.errors = [...cut.errors.filter(({ pos }) => pos[0] < end), new YAMLParseError([end, end], "RESOURCE_EXHAUSTION", message)];
  }
  return documents;
}
