import { type BinaryOperator, type Expression, missing, type ObjectItem } from "./ast.ts";
import * as char from "./characters.ts";
import { forIntro } from "./for-intro.ts";
import { numberLiteral } from "./number-literal.ts";
import type { Reader } from "./reader.ts";
import { heredoc, quoted } from "./templates.ts";

/** Reads a value; returns a `missing` expression and an error if there is none. */
export function expression(reader: Reader): Expression {
  const before = reader.descend();
  const condition = binary(reader, 1);
  const value = reader.take(char.QUESTION) ? conditional(reader, condition) : condition;
  reader.ascend(before);
  return value;
}

function conditional(reader: Reader, condition: Expression): Expression {
  const then = expression(reader);
  if (!reader.expect(char.COLON)) return missing(condition.start, reader.at);
  const otherwise = expression(reader);
  return { kind: "conditional", start: condition.start, end: otherwise.end, condition, then, otherwise };
}

/** The precedence of the binary operators (specification, "Operations"). */
const LEVELS: Readonly<Record<BinaryOperator, number>> = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};

/** Precedence climbing: reads operands joined by operators of at least one level, from left to right. */
function binary(reader: Reader, lowest: number): Expression {
  let left = unary(reader);
  for (;;) {
    const operator = operatorAt(reader);
    if (operator === undefined || LEVELS[operator] < lowest) return left;
    reader.at += operator.length;
    reader.deepen();
    const right = binary(reader, LEVELS[operator] + 1);
    left = { kind: "binary", start: left.start, end: right.end, operator, left, right };
  }
}

function operatorAt(reader: Reader): BinaryOperator | undefined {
  switch (reader.peek()) {
    case char.BAR:
      return reader.ahead() === char.BAR ? "||" : undefined;
    case char.AMPERSAND:
      return reader.ahead() === char.AMPERSAND ? "&&" : undefined;
    case char.EQUALS:
      return reader.ahead() === char.EQUALS ? "==" : undefined;
    case char.BANG:
      return reader.ahead() === char.EQUALS ? "!=" : undefined;
    case char.LESS:
      // "<<" opens a heredoc and never follows an operand.
      return reader.ahead() === char.EQUALS ? "<=" : reader.ahead() === char.LESS ? undefined : "<";
    case char.GREATER:
      return reader.ahead() === char.EQUALS ? ">=" : ">";
    case char.PLUS:
      return "+";
    case char.MINUS:
      return "-";
    case char.STAR:
      return "*";
    case char.SLASH:
      return "/";
    case char.PERCENT:
      return "%";
    default:
      return undefined;
  }
}

function unary(reader: Reader): Expression {
  const code = reader.peek();
  if (code !== char.MINUS && code !== char.BANG) return steps(reader, term(reader, code));
  const start = reader.at++;
  const before = reader.descend();
  const operand = unary(reader);
  reader.ascend(before);
  return { kind: "unary", start, end: operand.end, operator: code === char.MINUS ? "-" : "!", operand };
}

/** Reads the beginning of a value: a constant, a string, a name, a call or a bracket. */
function term(reader: Reader, code: number): Expression {
  switch (code) {
    case char.QUOTE:
      return quoted(reader, expression);
    case char.OPEN_PAREN:
      return parentheses(reader);
    case char.OPEN_BRACKET:
      return tuple(reader);
    case char.OPEN_BRACE:
      return object(reader);
    case char.LESS:
      if (reader.ahead() === char.LESS) return heredoc(reader, expression);
      break;
    default:
      if (char.isDigit(code)) return number(reader);
  }
  return named(reader);
}

function number(reader: Reader): Expression {
  const start = reader.at;
  reader.at = endOfDigits(reader, start);
  if (reader.ahead(0) === char.DOT && char.isDigit(reader.ahead())) reader.at = endOfDigits(reader, reader.at + 1);
  const mark = reader.ahead(0);
  if (mark === char.LOWER_E || mark === char.UPPER_E) {
    const hasSign = reader.ahead() === char.PLUS || reader.ahead() === char.MINUS;
    const digits = reader.at + (hasSign ? 2 : 1);
    if (char.isDigit(reader.text.charCodeAt(digits))) reader.at = endOfDigits(reader, digits);
  }
  if (reader.ahead(0) === char.DOT && char.isDigit(reader.ahead())) {
    reader.error("A number has one decimal point.");
    return missing(start, reader.at);
  }
  return numberLiteral(reader.text.slice(start, reader.at), start, reader.at);
}

function endOfDigits(reader: Reader, start: number): number {
  let at = start;
  while (char.isDigit(reader.text.charCodeAt(at))) at++;
  return at;
}

/** Returns the constant with this name. Comparisons are faster here than a map, which would hash every name. */
const constantOf = (name: string): boolean | null | undefined =>
  name === "true" ? true : name === "false" ? false : name === "null" ? null : undefined;

function named(reader: Reader): Expression {
  const start = reader.at;
  let name = reader.name();
  if (name === "") {
    reader.error("A value is missing here.");
    return missing(start, start);
  }
  let end = reader.at;
  const code = reader.peek();
  // Functions of a provider: provider::name::function(...)
  const isQualified = code === char.COLON && reader.ahead() === char.COLON;
  while (reader.peek() === char.COLON && reader.ahead() === char.COLON) {
    reader.at += 2;
    reader.peek();
    name += `::${reader.name()}`;
    end = reader.at;
  }
  if (isQualified || code === char.OPEN_PAREN) return call(reader, name, start);
  const constant = constantOf(name);
  if (constant !== undefined) return { kind: "literal", start, end, value: constant };
  return { kind: "variable", start, end, name };
}

function call(reader: Reader, name: string, start: number): Expression {
  if (reader.peek() !== char.OPEN_PAREN) {
    reader.error("( is missing here.");
    return missing(start, reader.at);
  }
  reader.open(1, true);
  const read = list(reader, char.CLOSE_PAREN, true);
  reader.close();
  if (!read) return missing(start, reader.at);
  return { kind: "call", start, end: reader.at, name, args: read.items, expand: read.expand };
}

function parentheses(reader: Reader): Expression {
  const start = reader.at;
  reader.open(1, true);
  const inner = expression(reader);
  const isClosed = reader.expect(char.CLOSE_PAREN);
  reader.close();
  return isClosed ? { kind: "parentheses", start, end: reader.at, inner } : missing(start, reader.at);
}

function tuple(reader: Reader): Expression {
  const start = reader.at;
  reader.open(1, true);
  const read = reader.isWord("for") ? forExpression(reader, start, char.CLOSE_BRACKET) : list(reader, char.CLOSE_BRACKET, false);
  reader.close();
  if (!read) return missing(start, reader.at);
  return "kind" in read ? read : { kind: "tuple", start, end: reader.at, items: read.items };
}

interface List {
  readonly items: readonly Expression[];
  /** Whether the last item ends with "...". */
  readonly expand: boolean;
}

/** Reads values between commas up to the closing bracket; undefined if the list is unfinished. */
function list(reader: Reader, closer: number, canExpand: boolean): List | undefined {
  const items: Expression[] = [];
  while (!reader.take(closer)) {
    items.push(expression(reader));
    const expand = canExpand && takeEllipsis(reader);
    if (expand || !reader.take(char.COMMA)) return reader.expect(closer) ? { items, expand } : undefined;
  }
  return { items, expand: false };
}

function takeEllipsis(reader: Reader): boolean {
  if (reader.peek() !== char.DOT || reader.ahead() !== char.DOT || reader.ahead(2) !== char.DOT) return false;
  reader.at += 3;
  return true;
}

function object(reader: Reader): Expression {
  const start = reader.at;
  if (reader.skipUnclear()) return missing(start, reader.at);
  reader.open(1, false);
  const isFor = reader.isWordBelow("for");
  if (isFor) reader.crossLines();
  const read = isFor ? forExpression(reader, start, char.CLOSE_BRACE) : objectItems(reader);
  reader.close();
  if (!read) return missing(start, reader.at);
  return "kind" in read ? read : { kind: "object", start, end: reader.at, items: read };
}

function objectItems(reader: Reader): readonly ObjectItem[] | undefined {
  const items: ObjectItem[] = [];
  for (;;) {
    const end = reader.takeCloser();
    if (end === "closed") return items;
    if (end === "unclosed") return undefined;
    if (end === "item") items.push(objectItem(reader));
  }
}

function objectItem(reader: Reader): ObjectItem {
  const start = reader.at;
  const key = itemKey(reader, expression(reader));
  const code = reader.peek();
  const hasValue = code === char.COLON || (code === char.EQUALS && reader.ahead() !== char.GREATER);
  if (!hasValue) {
    reader.error("= is missing here.");
    reader.recover(start);
    return { key: missing(key.start, key.end), value: missing(reader.at, reader.at), start, end: reader.at };
  }
  reader.at++;
  const value = expression(reader);
  const end = reader.peek();
  if (reader.take(char.COMMA) || end === char.LF || end === char.CLOSE_BRACE) return { key, value, start, end: value.end };
  reader.error("A comma or a new line is missing here.");
  reader.recover(start);
  return { key, value: missing(value.start, reader.at), start, end: reader.at };
}

/** A bare name is a key, not a variable. The same applies to true, false and null. */
function itemKey(reader: Reader, key: Expression): Expression {
  const isName = key.kind === "variable" || (key.kind === "literal" && typeof key.value !== "number");
  if (!isName) return key;
  const { start, end } = key;
  return { kind: "template", start, end, parts: [{ kind: "text", start, end, value: reader.text.slice(start, end) }], heredoc: false };
}

function forExpression(reader: Reader, start: number, closer: number): Expression | undefined {
  const intro = forIntro(reader, expression);
  if (!intro || !reader.expect(char.COLON)) return undefined;
  const first = expression(reader);
  const isObject = closer === char.CLOSE_BRACE;
  if (isObject && !takeArrow(reader)) return undefined;
  const value = isObject ? expression(reader) : first;
  const group = isObject && takeEllipsis(reader);
  const condition = reader.takeWord("if") ? expression(reader) : null;
  if (!reader.expect(closer)) return undefined;
  return { kind: "for", start, end: reader.at, ...intro, key: isObject ? first : null, value, condition, group };
}

function takeArrow(reader: Reader): boolean {
  const isArrow = reader.peek() === char.EQUALS && reader.ahead() === char.GREATER;
  if (isArrow) reader.at += 2;
  else reader.error("=> is missing here.");
  return isArrow;
}

/** Reads accessors after a value: .name, .0, [key], .* and [*]. */
function steps(reader: Reader, base: Expression): Expression {
  let of = base;
  for (;;) {
    const code = reader.peek();
    if (code === char.OPEN_BRACKET) of = bracketStep(reader, of);
    else if (code === char.DOT && reader.ahead() !== char.DOT) of = dotStep(reader, of);
    else return of;
    reader.deepen();
  }
}

function bracketStep(reader: Reader, of: Expression): Expression {
  const start = reader.at;
  reader.open(1, true);
  const isSplat = reader.take(char.STAR);
  const key = isSplat ? of : expression(reader);
  const isClosed = reader.expect(char.CLOSE_BRACKET);
  reader.close();
  if (!isClosed) return missing(of.start, reader.at);
  if (!isSplat) return { kind: "index", start: of.start, end: reader.at, of, key };
  const before = reader.descend();
  const each = steps(reader, { kind: "splat-item", start, end: reader.at });
  reader.ascend(before);
  return { kind: "splat", start: of.start, end: each.end, of, each, full: true };
}

function dotStep(reader: Reader, of: Expression): Expression {
  const start = reader.at++;
  if (!reader.take(char.STAR)) return attributeStep(reader, of);
  let each: Expression = { kind: "splat-item", start, end: reader.at };
  while (reader.peek() === char.DOT && reader.ahead() !== char.DOT) {
    reader.at++;
    each = attributeStep(reader, each);
    reader.deepen();
  }
  return { kind: "splat", start: of.start, end: each.end, of, each, full: false };
}

/** Reads a name after a dot, or an index as in old HIL. */
function attributeStep(reader: Reader, of: Expression): Expression {
  if (char.isDigit(reader.peek())) {
    const key = number(reader);
    return { kind: "index", start: of.start, end: key.end, of, key };
  }
  const start = reader.at;
  const name = reader.name();
  if (name !== "") return { kind: "attribute", start: of.start, end: reader.at, of, name };
  reader.error("A name is missing here.");
  return missing(of.start, start);
}
