import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import jsTokens from "js-tokens";
import { globSync } from "tinyglobby";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") });
const filesOf = (...globs) =>
  globs
    .flatMap((glob) => globSync(glob, { cwd: root, ignore: ["**/node_modules/**", "**/dist/**"] }))
    .map((path) => path.replaceAll("\\", "/"));

/** @returns the Markdown pages by kind. */
export const pages = () => ({
  README: [read("README.md")],
  guides: filesOf("docs/**/*.md", "site/*.md", "site/rules/*.md").map(read),
  "rule pages": filesOf("packages/core/docs/rules/**/*.md").map(read),
  others: ["CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "packages/vscode-ext/README.md"].map(read),
});

const programs = () => filesOf("packages/*/src/**/*.ts").map(read);

/** @returns every text of the sources that reads like a sentence, with its place: help, messages, errors, titles. */
export const printedTexts = () => [...programs().flatMap(stringsOf), ...settingsTexts(read("packages/vscode-ext/package.json"))];

/** @returns every comment of sources, tests and scripts, with its place. */
export const comments = () =>
  filesOf("packages/*/src/**/*.ts", "scripts/**/*.mjs", "site/**/*.{ts,vue}", "test/**/*.ts")
    .map(read)
    .flatMap(
      ({ path, text }) =>
        [...jsTokens(text)].reduce(
          ({ line, found }, { type, value }) => ({
            line: line + value.split("\n").length - 1,
            found: type.endsWith("Comment") ? [...found, { path, line, text: plainComment(value) }] : found,
          }),
          { line: 1, found: [] },
        ).found,
    );

const plainComment = (value) =>
  value
    .replace(/^\/\*+|\*\/$|^\/\/\/?/g, "")
    .replace(/^\s*\* ?/gm, "")
    .trim();

/** True for four words or more that contain normal words, not only a path, pattern or key. */
const isSentence = (text) =>
  /[a-z]{2,} (?:\S+ )*[a-z]{2,}/.test(text) &&
  text.length < 3000 &&
  text.trim().split(/\s+/).length >= 4 &&
  !/^\s*[\w.:]+ ?= ?"/m.test(text);

function stringsOf({ path, text }) {
  const found = [];
  const open = [];
  let line = 1;
  for (const { type, value } of jsTokens(text)) {
    if (type === "StringLiteral" || type === "NoSubstitutionTemplate") found.push({ path, line, text: unquoted(value) });
    else if (type === "TemplateHead") open.push({ path, line, text: value.slice(1, -2) });
    else if (type === "TemplateMiddle") open.at(-1).text += `X${value.slice(1, -2)}`;
    else if (type === "TemplateTail") {
      const whole = open.pop();
      found.push({ ...whole, text: `${whole.text}X${value.slice(1, -1)}` });
    }
    line += value.split("\n").length - 1;
  }
  return found.filter((one) => isSentence(one.text));
}

const unquoted = (value) => value.slice(1, -1).replaceAll("\\n", "\n").replaceAll('\\"', '"').replaceAll("\\`", "`");

/** Titles and descriptions of an extension's commands and settings. */
function settingsTexts({ path, text }) {
  return [...text.matchAll(/"(?:title|description|markdownDescription)": "((?:[^"\\]|\\.)*)"/g)].map(({ 1: value, index }) => ({
    path,
    line: text.slice(0, index).split("\n").length,
    text: value.replaceAll("\\n", "\n"),
  }));
}
