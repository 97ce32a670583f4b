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
import { DEEPEST, excessOf, TOO_DEEP, tooLarge } from "../extent.ts";
import { LooseLexer } from "./lexer.ts";

/** Callers find duplicate keys: the library compares each key with all earlier ones. */
type Options = ParseOptions & DocumentOptions & SchemaOptions & { readonly uniqueKeys: false };

/** Returns the documents of a text; for a text with absurd nesting, the part before that. */
export const composeDocuments = (text: string, options: Options): readonly Document.Parsed[] => composed(text, options, new Lexer());

/**
 * Like composeDocuments, for a text that libyaml may accept although the library does not. It only applies if the loose result has no
 * error, because after an unclosed quote the strict result keeps more of the text.
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

/** Attaches keys with an indentation one off their item's keys to the previous item; the library reads them as an item without its dash. */
function joinItems(document: Document.Parsed): void {
  // The library points behind the previous item.
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

/** V8's number of stack frames in an error; other engines ignore it. */
const errors = Error as { stackTraceLimit?: number | undefined };

function composed(text: string, options: Options, lexer: Pick<Lexer, "lex">): readonly Document.Parsed[] {
  // The library creates an Error per mistake. In a text with 3,000 mistakes, half of the time goes into stack traces that no one reads.
  const { stackTraceLimit } = errors;
  errors.stackTraceLimit = 0;
  try {
    return composedBy(text, options, lexer);
  } finally {
    errors.stackTraceLimit = stackTraceLimit;
  }
}

function composedBy(text: string, options: Options, lexer: Pick<Lexer, "lex">): readonly Document.Parsed[] {
  const parser = new Parser();
  const composer = new Composer(options);
  const documents: Document.Parsed[] = [];
  let tokens = 0;
  let stopped: string | undefined;
  for (const lexeme of lexer.lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    // If V8 reaches the end of the stack while it compiles a regular expression, the process ends without a chance to `catch`.
    const excess = excessOf(++tokens, "YAML tokens");
    stopped = parser.stack.length > DEEPEST ? TOO_DEEP : excess && tooLarge(excess);
    if (stopped !== undefined) break;
  }
  const end = parser.offset;
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  const cut = documents.at(-1);
  if (stopped !== undefined && cut) {
    // The unclosed collections after it are not the author's mistake.
    cut.errors = [...cut.errors.filter(({ pos }) => pos[0] < end), new YAMLParseError([end, end], "RESOURCE_EXHAUSTION", stopped)];
  }
  return documents;
}
