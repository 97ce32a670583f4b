// Checks the prose: pages for sentence length and hard phrases, printed texts and comments for the phrases of prose/families.mjs.
// `npm run prose` prints each problem and the medians; `-- README.md ...` limits it to files with one of these words in their
// path.
import { familiesIn } from "./prose/families.mjs";
import { quantile, readMarkdown } from "./prose/read.mjs";
import { comments, pages, printedTexts } from "./prose/sources.mjs";

/** Words in the median sentence, and in the longest of nine in ten. */
const MEDIAN = 16;
const NINE_IN_TEN = 28;
/** Comments that may hold such a phrase: quotes and titles of sources. */
const COMMENTS_LEFT = 15;
const README_BYTES = 8192;

const wanted = process.argv.slice(2);
const isWanted = ({ path }) => wanted.length === 0 || wanted.some((word) => path.includes(word));
const problems = [];
const counts = [];

for (const [kind, all] of Object.entries(pages())) {
  const read = await Promise.all(all.filter(isWanted).map(({ path, text }) => readMarkdown(path, text)));
  const lengths = read.flatMap((page) => page.lengths);
  problems.push(...read.flatMap((page) => page.problems));
  const [median, most] = [quantile(lengths, 0.5), quantile(lengths, 0.9)];
  counts.push(`${kind}: ${lengths.length} sentences, median ${median} words, nine in ten at most ${most}`);
  if (median > MEDIAN || most > NINE_IN_TEN)
    problems.push({ path: kind, reason: `sentences are too long: median ${median}, nine in ten ${most}` });
  if (kind === "README" && all[0].text.length > README_BYTES)
    problems.push({ path: all[0].path, reason: `larger than ${README_BYTES} bytes` });
}

const phrases = (texts) =>
  texts.filter(isWanted).flatMap(({ path, line, text }) =>
    text
      .split(/(?<=[.!?;]) |\n/)
      .flatMap(familiesIn)
      .slice(0, 1)
      .map(({ name, found }) => ({ path, line, reason: `"${found}": ${name} in "${text.slice(0, 120).replaceAll("\n", " ")}"` })),
  );

const printed = phrases(printedTexts());
counts.push(`printed texts: ${printed.length} with a phrase that is hard to read`);
problems.push(...printed);

const commented = phrases(comments());
counts.push(`comments: ${commented.length} with such a phrase (at most ${COMMENTS_LEFT})`);
if (commented.length > COMMENTS_LEFT || wanted.length > 0) problems.push(...commented);

for (const { path, line = 1, reason } of problems) console.log(`${path}:${line}: ${reason}`);
console.log(counts.join("\n"));
process.exitCode = problems.length > 0 ? 1 : 0;
