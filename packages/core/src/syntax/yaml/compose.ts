import {
  Composer,
  type Document,
  type DocumentOptions,
  isMap,
  Lexer,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  visit,
  YAMLParseError,
} from "yaml";
import { LooseLexer } from "./lexer.ts";

/**
 * How many levels are read. The library composes them by recursion, which a text can take to the end of the stack: where V8 meets
 * that end while it compiles a regular expression, it ends the process, and no `catch` sees it.
 */
const DEEPEST = 200;

/** Keys that are there twice are for the caller to find: the library compares each with all before it. */
type Options = ParseOptions & DocumentOptions & SchemaOptions & { readonly uniqueKeys: false };

/** The documents of a text; of one that nests deeper than anybody writes, what stands before that. */
export const composeDocuments = (text: string, options: Options): readonly Document.Parsed[] => composed(text, options, new Lexer());

/**
 * The same for a text that libyaml may take where the library does not. Only one without any error then is read so: after a quote that is
 * open, the other way finds more of what follows.
 */
export function composeLoosely(text: string, options: Options): readonly Document.Parsed[] {
  const documents = composeDocuments(text, options);
  if (documents.every(({ errors }) => errors.length === 0)) return documents;
  const loose = composed(text, options, new LooseLexer());
  if (loose.every(({ errors }) => errors.length === 0)) return loose;
  for (const document of documents) joinItems(document);
  return documents;
}

const NO_DASH = "Sequence item without - indicator";

/** Keys that stand a column off those of their item, which the library reads as an item without its dash: they belong to the one before. */
function joinItems(document: Document.Parsed): void {
  // The library points behind the item before.
  const behind = new Set(document.errors.flatMap(({ message, pos }) => (message === NO_DASH ? pos[0] : [])));
  if (behind.size === 0) return;
  visit(document, {
    Seq(_, list) {
      const items: ParsedNode[] = [];
      let end: number | undefined;
      for (const item of list.items as ParsedNode[]) {
        const before = items.at(-1);
        if (end !== undefined && behind.has(end) && isMap(before) && isMap(item)) for (const pair of item.items) before.items.push(pair);
        else items.push(item);
        end = item.range[2];
      }
      list.items = items;
    },
  });
}

function composed(text: string, options: Options, lexer: Pick<Lexer, "lex">): readonly Document.Parsed[] {
  const parser = new Parser();
  const composer = new Composer(options);
  const documents: Document.Parsed[] = [];
  let isDeep = false;
  for (const lexeme of lexer.lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    isDeep = parser.stack.length > DEEPEST;
    if (isDeep) break;
  }
  const end = parser.offset;
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  const cut = documents.at(-1);
  if (isDeep && cut) {
    const message = `Too deep; the rest is not read: more than ${DEEPEST} levels of lists and mappings.`;
    // That everything is left open there is no mistake of its author.
    cut.errors = [...cut.errors.filter(({ pos }) => pos[0] < end), new YAMLParseError([end, end], "RESOURCE_EXHAUSTION", message)];
  }
  return documents;
}
