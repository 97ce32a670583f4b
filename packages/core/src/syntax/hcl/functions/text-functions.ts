import { sequence } from "../../../model/sequence.ts";
import { boolValue, failure, isSequence, sequenceValue, stringValue, unknownValue, type Value } from "../value.ts";
import { listOf, NUMBER, STRING } from "../value-type.ts";
import { type Definition, holds, type Parameter, wholeNumber } from "./define-function.ts";
import { matches, regularExpression } from "./pattern.ts";

const TEXT: Parameter = { type: STRING };

/** Defines a function of texts. */
const ofTexts = (count: number, call: (...texts: readonly string[]) => Value): Definition => ({
  parameters: sequence(count, () => TEXT),
  call: (args) => call(...args.map(holds.text)),
});

const change = (count: number, call: (...texts: readonly string[]) => string): Definition =>
  ofTexts(count, (...texts) => stringValue(call(...texts)));

/** Go's filepath.Base, with slashes. */
function lastPart(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  if (end === 0) return path === "" ? "." : "/";
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

/** Go's filepath.Dir, which also removes dots and double slashes. */
function folderPart(path: string): Value {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  if (/\/\/|(?:^|\/)\.\.?\//.test(folder)) return unknownValue("its folder is not written plainly");
  return stringValue(folder === "" ? "." : folder === "/" ? folder : folder.slice(0, -1));
}

const OTHER_LETTERS = "letters outside of ASCII are changed by Go's tables";
const isAscii = (text: string): boolean => /^[\t\n\r -~]*$/.test(text);

const changeAscii = (call: (text: string) => string): Definition =>
  ofTexts(1, (text = "") => (isAscii(text) ? stringValue(call(text)) : unknownValue(OTHER_LETTERS)));

/**
 * Returns the user-visible characters of a text if each is one code unit: Latin, Greek and Cyrillic without combining marks; `undefined`
 * for other texts.
 */
export function graphemes(text: string): readonly string[] | undefined {
  return /^[\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0386\u0388-\u03ff\u0400-\u0482\u048a-\u04ff]*$/.test(text)
    ? text.split("")
    : undefined;
}

/**
 * A negative offset counts from the end, and a negative length means the rest (Terraform, functions/substr), as does a length of 0 after a
 * negative offset (go-cty, function/stdlib/string.go: SubstrFunc).
 */
function substring([text, from, count]: readonly Value[]): Value {
  const characters = graphemes(holds.text(text));
  const [offset, length] = [wholeNumber(from), wholeNumber(count)];
  if (typeof offset !== "number") return offset;
  if (typeof length !== "number") return length;
  if (!characters) return unknownValue("characters outside of plain Latin text are unsupported");
  const start = offset < 0 ? Math.max(0, offset + characters.length) : offset;
  const isRest = length < 0 || (length === 0 && offset < 0);
  return stringValue(characters.slice(start, isRest ? undefined : start + length).join(""));
}

function joinLists([separator, ...lists]: readonly Value[]): Value {
  const texts = lists.flatMap((list) => (isSequence(list) ? list.items : []));
  if (texts.some((text) => text.kind !== "string")) return failure("join() does not accept null");
  return stringValue(texts.map(holds.text).join(holds.text(separator)));
}

function split(separator = "", text = ""): Value {
  if (separator === "" && !isAscii(text)) return unknownValue("characters outside of ASCII are not split");
  const pieces = text.split(separator);
  if (pieces.length > 50_000) return unknownValue("the list is too long to follow");
  return sequenceValue("list", pieces.map(stringValue), STRING);
}

function replaceMatches(text: string, wanted: string, by: string): Value {
  const pattern = regularExpression(wanted, text);
  if (!(pattern instanceof RegExp)) return pattern;
  if (/\$(?!\d(?![\w])|\{\d\})/.test(by)) return unknownValue("this replacement is not evaluated");
  if (by.length * (text.length + 1) > 1 << 20) return unknownValue("the text is too long to follow");
  let replaced = "";
  let end = 0;
  for (const match of matches(pattern, text)) {
    const filled = by.replace(/\$(?:\d|\{\d\})/g, (group) => match[Number(group.replace(/\D/g, ""))] ?? "");
    replaced += text.slice(end, match.index) + filled;
    end = match.index + match[0].length;
  }
  return stringValue(replaced + text.slice(end));
}

/** Between slashes, the second argument is a regular expression, with `$1` for its groups (Terraform, functions/replace). */
function replace(text = "", pattern = "", by = ""): Value {
  if (pattern.length > 1 && pattern.startsWith("/") && pattern.endsWith("/")) {
    return replaceMatches(text, pattern.slice(1, -1), by);
  }
  if (pattern === "" && !isAscii(text)) return unknownValue("characters outside of ASCII are not split");
  if (by.length * (pattern === "" ? text.length + 1 : text.length / pattern.length) > 1 << 20)
    return unknownValue("the text is too long to follow");
  return stringValue(text.replaceAll(pattern, () => by));
}

/** Go's white space (unicode.IsSpace). */
const SPACE = "[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const AROUND = new RegExp(`^${SPACE}`);

function trimSpace(text: string): string {
  const start = text.replace(AROUND, "");
  let end = start.length;
  while (end > 0 && AROUND.test(start.charAt(end - 1))) end--;
  return start.slice(0, end);
}

function trimAll(text: string, characters: string): string {
  const set = new Set(characters);
  const all = [...text];
  const first = all.findIndex((character) => !set.has(character));
  return first < 0 ? "" : all.slice(first, all.findLastIndex((character) => !set.has(character)) + 1).join("");
}

/** Capitalises each letter that follows a character other than letters, digits and `_` (Go, strings/strings.go: isSeparator). */
const title = (text: string): string =>
  text.replace(/(^|[^A-Za-z0-9_])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

function indent([count, text]: readonly Value[]): Value {
  const spaces = holds.number(count);
  if (typeof spaces !== "number" || !Number.isInteger(spaces) || spaces < 0 || spaces > 1000)
    return unknownValue("this indent is not evaluated");
  return stringValue(holds.text(text).replaceAll("\n", `\n${" ".repeat(spaces)}`));
}

/** Terraform's "String Functions", by the page functions/NAME. */
export const textFunctions: readonly (readonly [string, Definition])[] = [
  ["join", { parameters: [TEXT], rest: { type: listOf(STRING) }, least: 1, call: joinLists }],
  ["split", ofTexts(2, split)],
  ["replace", ofTexts(3, replace)],
  ["substr", { parameters: [TEXT, { type: NUMBER }, { type: NUMBER }], call: substring }],
  ["trim", change(2, (text = "", characters = "") => trimAll(text, characters))],
  ["trimspace", change(1, (text = "") => trimSpace(text))],
  ["trimprefix", change(2, (text = "", prefix = "") => (text.startsWith(prefix) ? text.slice(prefix.length) : text))],
  ["trimsuffix", change(2, (text = "", suffix = "") => (suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text))],
  ["basename", change(1, (path = "") => lastPart(path))],
  ["dirname", ofTexts(1, (path = "") => folderPart(path))],
  ["chomp", change(1, (text = "") => text.replace(/(?<![\r\n])[\r\n]+$/, ""))],
  ["indent", { parameters: [{ type: NUMBER }, TEXT], call: indent }],
  ["title", changeAscii(title)],
  ["upper", changeAscii((text) => text.toUpperCase())],
  ["lower", changeAscii((text) => text.toLowerCase())],
  ["strrev", changeAscii((text) => (text.match(/\r\n|./gs) ?? []).toReversed().join(""))],
  ["startswith", ofTexts(2, (text = "", prefix = "") => boolValue(text.startsWith(prefix)))],
  ["endswith", ofTexts(2, (text = "", suffix = "") => boolValue(text.endsWith(suffix)))],
  ["strcontains", ofTexts(2, (text = "", part = "") => boolValue(text.includes(part)))],
];
