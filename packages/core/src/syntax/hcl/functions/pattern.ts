import type { Type } from "../value.ts";
import { failure, nullValue, sequenceValue, stringValue, tupleValue, type Unknown, unknownValue, type Value } from "../value.ts";
import { STRING } from "../value-type.ts";
import { type Definition, holds } from "./define-function.ts";

/**
 * The common syntax of Go's RE2 and JavaScript: characters, classes, groups, anchors, alternatives and quantifiers of single characters.
 * Quantified groups are missing, because both captures and run time differ.
 */
const ITEM = /\\[dDwW]|\\[.\\+*?()|[\]{}^$/-]|\[\^?(?:\\[dwDW\\\].^$/-]|[^\\[\]&~])+\]|\(\?:|[()|^$.]|[A-Za-z0-9 _,:;=<>@!"'%&~#/`-]/y;
const QUANTIFIER = /[*+?]\??|\{\d{1,2}(?:,\d{0,2})?\}\??/y;

const NOT_SAFE = "this regular expression is not evaluated";
const MAX_WORK = 2_000_000;

/** Returns the pattern for JavaScript if it certainly matches like Go's, and fast, on this text; `undefined` otherwise. */
export function regularExpression(pattern: string, text: string): RegExp | Unknown {
  if (!/^[\t\n -~]*$/.test(text) || pattern.length > 500) return unknownValue(NOT_SAFE);
  let at = 0;
  let repeats = 0;
  const opened: number[] = [];
  while (at < pattern.length) {
    ITEM.lastIndex = at;
    const [item] = ITEM.exec(pattern) ?? [];
    if (item === undefined) return unknownValue(NOT_SAFE);
    at += item.length;
    QUANTIFIER.lastIndex = at;
    const [quantifier] = QUANTIFIER.exec(pattern) ?? [];
    if (item.startsWith("(")) opened.push(at);
    const group = item === ")" ? pattern.slice(opened.pop(), at - 1) : undefined;
    if (quantifier === undefined) continue;
    const optional = quantifier.startsWith("?");
    if (["(", "(?:", "|", "^", "$"].includes(item) || (item === ")" && quantifier !== "?")) return unknownValue(NOT_SAFE);
    if (group !== undefined && matchesNothing(group)) return unknownValue(NOT_SAFE);
    at += quantifier.length;
    if (!optional) repeats++;
  }
  const anchored = pattern.startsWith("^") && !pattern.includes("|");
  if ((text.length + 1) ** (repeats + (anchored ? 0 : 1)) * 2 ** (pattern.split("?").length - 1) > MAX_WORK) return unknownValue(NOT_SAFE);
  return compiled(pattern);
}

/** Go captures the empty text of an optional group that matches it; JavaScript captures nothing. */
function matchesNothing(group: string): boolean {
  const pattern = compiled(`^(?:${group})$`);
  return !(pattern instanceof RegExp) || pattern.test("");
}

function compiled(pattern: string): RegExp | Unknown {
  try {
    return new RegExp(pattern);
  } catch {
    return unknownValue(NOT_SAFE);
  }
}

/** Returns all matches, except empty ones directly after another match (Go, regexp/regexp.go: allMatches, replaceAll). */
export function matches(expression: RegExp, text: string): readonly RegExpExecArray[] {
  const all: RegExpExecArray[] = [];
  let end = -1;
  for (const match of text.matchAll(new RegExp(expression.source, "g"))) {
    if (match[0] !== "" || match.index !== end) all.push(match);
    end = match.index + match[0].length;
  }
  return all;
}

/** Returns the matching text, or a tuple of its groups. */
function captured(match: RegExpExecArray): Value {
  if (match.length === 1) return stringValue(match[0]);
  return tupleValue(
    Array.from(match.slice(1), (group: string | undefined) => (group === undefined ? nullValue(STRING) : stringValue(group))),
  );
}

function resultType({ source }: RegExp): Type {
  const groups = new RegExp(`${source}|`).exec("")?.slice(1) ?? [];
  return groups.length === 0 ? STRING : { kind: "tuple", items: groups.map(() => STRING) };
}

const PARAMETERS = [{ type: STRING }, { type: STRING }];

const find: Definition = {
  parameters: PARAMETERS,
  call: ([pattern, text]) => {
    const expression = regularExpression(holds.text(pattern), holds.text(text));
    if (!(expression instanceof RegExp)) return expression;
    const match = expression.exec(holds.text(text));
    return match ? captured(match) : failure("the regular expression does not match");
  },
};

const findAll: Definition = {
  parameters: PARAMETERS,
  call: ([pattern, text]) => {
    const expression = regularExpression(holds.text(pattern), holds.text(text));
    if (!(expression instanceof RegExp)) return expression;
    const all = matches(expression, holds.text(text));
    return sequenceValue("list", all.map(captured), all.length === 0 ? resultType(expression) : undefined);
  },
};

/** Terraform, functions/regex and functions/regexall. */
export const patternFunctions: readonly (readonly [string, Definition])[] = [
  ["regex", find],
  ["regexall", findAll],
];
