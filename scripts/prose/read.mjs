import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRetext from "remark-retext";
import retextEnglish from "retext-english";
import retextReadability from "retext-readability";
import retextSimplify from "retext-simplify";
import { unified } from "unified";
import { EXIT, SKIP, visit } from "unist-util-visit";
import { VFile } from "vfile";
import { familiesIn } from "./families.mjs";

/** A sentence above this length is reported wherever it stands; the medians are held to less. */
const LONGEST = 40;

/** Words of the field, and words as short as the replacement that retext-simplify proposes. */
const ALLOWED = [
  "accompany",
  "accurate",
  "additional",
  "address",
  "adjustment",
  "adjacent to",
  "allocate",
  "alternatively",
  "attempt",
  "capability",
  "caveat",
  "combined",
  "component",
  "comply with",
  "contains",
  "discontinue",
  "effect",
  "either",
  "equivalent",
  "equitable",
  "evident",
  "exclude",
  "exclusively",
  "expiration",
  "function",
  "however",
  "identical",
  "identify",
  "implement",
  "in addition",
  "in order to",
  "initial",
  "it is",
  "limited number",
  "maintain",
  "maximum",
  "method",
  "minimum",
  "modify",
  "monitor",
  "multiple",
  "option",
  "parameters",
  "portion",
  "previous",
  "previously",
  "provide",
  "provided that",
  "regarding",
  "request",
  "require",
  "requirement",
  "selection",
  "should",
  "similar to",
  "subsequent",
  "sufficient",
  "there are",
  "there is",
  "this machine",
  "type",
  "under the provisions of",
  "utilization",
  "validate",
  "whereas",
  "warrant",
  "whether or not",
  "witnessed",
  "in effect",
  "delete",
  "necessary",
  "determine",
  "evaluate",
  "notify",
  "submit",
  "transmit",
  "time period",
  "all of",
  "eliminate",
  "advise",
  "assist",
  "anticipate",
  "has no effect",
  "a number of",
  "very",
  "accordingly",
  "therefore",
  "remain",
  "relative to",
  "appropriate",
  "close proximity",
  "enable",
]; // prettier-ignore

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkFrontmatter)
  .use(() => withoutLists)
  .use(
    remarkRetext,
    unified()
      .use(retextEnglish)
      .use(retextSimplify, { ignore: ALLOWED })
      .use(retextReadability, { age: 22, threshold: 6 / 7 })
      .use(() => ownRules),
  );

/** Sources and rule ids are names, not sentences. */
function withoutLists(tree) {
  visit(tree, "heading", (heading, index, parent) => {
    if (heading.children[0]?.value === "Sources") {
      parent.children.length = index;
      return EXIT;
    }
  });
}

function ownRules(tree, file) {
  file.data.lengths ??= [];
  visit(tree, "ParagraphNode", (paragraph) => {
    for (const sentence of paragraph.children) {
      if (sentence.type !== "SentenceNode") continue;
      const text = file.value.slice(sentence.position?.start.offset ?? 0, sentence.position?.end.offset ?? 0).replaceAll("\n", " ");
      const words = wordsIn(sentence);
      const heading = /^#/.test(lineAt(file.value, sentence.position.start.offset));
      const cell = /^\s*\|/.test(lineAt(file.value, sentence.position.start.offset));
      if (!heading && !cell && words > 2) file.data.lengths.push(words);
      if (longestPart(sentence) > LONGEST)
        file.message(`Sentence of ${words} words: split it.`, { place: sentence.position, source: "vmlint", ruleId: "long" });
      for (const { name, advice, found } of familiesIn(text))
        file.message(`"${found}": ${name}. ${advice}`, { place: sentence.position, source: "vmlint", ruleId: "family" });
    }
  });
  return SKIP;
}

const isWord = ({ type }) => type === "WordNode" || type === "SourceNode";

/** Returns the number of words in a sentence, without the title of a source in brackets. */
function wordsIn({ children }) {
  let brackets = 0;
  return children.filter((node) => {
    if (node.value === "(") brackets++;
    if (node.value === ")") brackets--;
    return brackets <= 0 && isWord(node);
  }).length;
}

/** Words of the longest item, if a sentence lists several with semicolons. */
function longestPart({ children }) {
  const parts = [[]];
  for (const node of children) node.value === ";" ? parts.push([]) : parts.at(-1).push(node);
  return Math.max(...parts.map((part) => wordsIn({ children: part })));
}

const lineAt = (text, offset) => text.slice(text.lastIndexOf("\n", offset - 1) + 1, text.indexOf("\n", offset));

/** @returns problems and sentence lengths of a Markdown text; words in code are not read. */
export async function readMarkdown(path, text) {
  const file = new VFile({ path, value: text });
  await markdown.run(markdown.parse(file), file);
  return { problems: file.messages.map(({ line, reason }) => ({ path, line, reason })), lengths: file.data.lengths ?? [] };
}

/** @returns the value that a share of the sentences does not exceed. */
export function quantile(lengths, share) {
  const sorted = lengths.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
