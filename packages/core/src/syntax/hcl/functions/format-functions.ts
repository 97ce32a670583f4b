import { convert } from "../convert.ts";
import { realFixed, realText, wholeReal } from "../real.ts";
import { failure, hasLoose, isSequence, type Num, sequenceValue, stringValue, type Unknown, unknownValue, type Value } from "../value.ts";
import { ANY, BOOL, NUMBER, STRING } from "../value-type.ts";
import type { Definition } from "./define-function.ts";
import { jsonText, toJson } from "./json-functions.ts";
import { graphemes } from "./text-functions.ts";

/** `%05.2[1]f`: flags, width, precision, index, verb (go-cty, function/stdlib/format_fsm.rl). */
const VERB = /%([-+ #0]*)([1-9]\d{0,3})?(?:\.(\d{0,3}))?(?:\[([1-9]\d{0,3})\])?([A-Za-z%])/y;

interface Verb {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

/** Returns the formatted text. */
function formatted(template: string, args: readonly Value[]): string | Unknown {
  let text = "";
  let next = 0;
  let count = 0;
  for (let at = 0; at < template.length; ) {
    if (template[at] !== "%") {
      const end = template.indexOf("%", at);
      text += template.slice(at, end < 0 ? undefined : end);
      at = end < 0 ? template.length : end;
      continue;
    }
    VERB.lastIndex = at;
    const match = VERB.exec(template);
    if (!match) return unknownValue("the format string is not read");
    const [whole, flags = "", width = "0", precision, index, letter = ""] = match;
    at += whole.length;
    if (letter === "%") {
      if (whole !== "%%") return unknownValue("the format string is not read");
      text += "%";
      continue;
    }
    if (index !== undefined) next = Number(index) - 1;
    const value = args[next];
    next++;
    count = Math.max(count, next);
    if (!value) return failure("format() is given too few arguments");
    const verb = { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision), letter };
    const piece = formatOne(value, verb);
    if (typeof piece !== "string") return piece;
    text += piece;
    if (text.length > 1 << 16) return unknownValue("the text is too long to follow");
  }
  return count < args.length ? failure("format() is given too many arguments") : text;
}

const NOT_FORMATTED = "this format is not evaluated";
const NULL_FORMATTED = unknownValue("null is formatted in Terraform's own way");

/** With a literal `null` argument, Terraform 1.11 treats the result as unknown, even if it would fail. */
const hasUntypedNull = (args: readonly Value[]): boolean => args.some((value) => value.kind === "null" && value.type === undefined);

function formatOne(value: Value, verb: Verb): string | Unknown {
  if (value.kind === "unknown") return value;
  if (value.kind === "null") return NULL_FORMATTED;
  switch (verb.letter) {
    case "v":
      return formatAny(value, verb);
    case "s":
    case "q":
      return formatText(value, verb);
    case "t":
      return formatBool(value);
    case "d":
    case "x":
    case "X":
    case "o":
    case "b":
      return formatWhole(value, verb);
    case "f":
      return formatFraction(value, verb);
    default:
      return unknownValue(NOT_FORMATTED);
  }
}

/**
 * Formats text and numbers unchanged and other values as JSON; `+`, blanks and precision have no effect (go-cty,
 * function/stdlib/format.go).
 */
function formatAny(value: Value, verb: Verb): string | Unknown {
  if (hasLoose(value)) return unknownValue("it is not known whether this is a number or text");
  const isPlain = !verb.flags.includes("#");
  if (isPlain && value.kind === "string") return padded(value.value, verb);
  const text = isPlain && value.kind === "number" ? shortest(value) : toJson(value);
  return text === undefined ? unknownValue(NOT_FORMATTED) : padded(text, verb);
}

/** Decimals up to this many digits stay distinct as doubles (DBL_DIG of IEEE 754 binary64). */
const DOUBLE_DIGITS = 15;

/** Go's shortest `%g`: with an exponent from 1e+06 on, and below 0.0001 (math/big, ftoa.go: "eprec = 6"). */
function shortest({ value, short }: Num): string | undefined {
  const text = realText(value);
  const digits = text.replace(/[-.]/g, "").replace(/^0+|0+$/g, "");
  if (short && digits.length > DOUBLE_DIGITS) return undefined;
  const first = text.search(/[1-9]/);
  const point = text.includes(".") ? text.indexOf(".") : text.length;
  const exponent = point > first ? point - first - 1 : point - first;
  if (first < 0 || (exponent >= -4 && exponent < 6)) return text;
  const mantissa = digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  const sign = text.startsWith("-") ? "-" : "";
  return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** A precision of 0 has no effect; `padded` handles the flags (go-cty, function/stdlib/format.go: formatAppendString). */
function formatText(value: Value, verb: Verb): string | Unknown {
  const text = convert(value, STRING);
  if (text.kind !== "string") return text.kind === "unknown" ? text : failure("a text is needed");
  const cut = verb.precision ? graphemes(text.value)?.slice(0, verb.precision).join("") : text.value;
  if (cut === undefined) return unknownValue(NOT_FORMATTED);
  return padded(verb.letter === "q" ? jsonText(cut) : cut, verb);
}

/** Without padding (go-cty, function/stdlib/format.go: formatAppendBool). */
function formatBool(value: Value): string | Unknown {
  const bool = convert(value, BOOL);
  return bool.kind === "bool" ? String(bool.value) : bool.kind === "unknown" ? bool : failure("a bool is needed");
}

const BASES: { readonly [letter: string]: number } = { d: 10, x: 16, X: 16, o: 8, b: 2 };

function formatWhole(value: Value, verb: Verb): string | Unknown {
  const number = convert(value, NUMBER);
  if (number.kind !== "number") return number.kind === "unknown" ? number : failure("a number is needed");
  const whole = wholeReal(number.value);
  if (whole === undefined) return failure(`%${verb.letter} takes a whole number`);
  if (verb.precision !== undefined || verb.flags.includes("#")) return unknownValue(NOT_FORMATTED);
  const digits = whole.toString(BASES[verb.letter] ?? 10);
  return signedPadded(verb.letter === "X" ? digits.toUpperCase() : digits, verb);
}

function formatFraction(value: Value, verb: Verb): string | Unknown {
  const number = convert(value, NUMBER);
  if (number.kind !== "number") return number.kind === "unknown" ? number : failure("a number is needed");
  const { flags: allFlags, precision = 6 } = verb;
  if (allFlags.includes("#") || precision > 100) return unknownValue(NOT_FORMATTED);
  const digits = realFixed(number.value, precision);
  const sign = Object.is(number.value, -0) ? "-" : "";
  // With both flags, `0` takes priority over `-` for a fraction (Go, math/big/ftoa.go: Format), and `-` over `0` for a whole number.
  const flags = allFlags.includes("0") ? allFlags.replaceAll("-", "") : allFlags;
  return signedPadded(sign + digits, { ...verb, flags });
}

function signedPadded(digits: string, { flags, width }: Verb): string {
  const plus = flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const sign = digits.startsWith("-") ? "-" : plus;
  const bare = digits.replace("-", "");
  if (flags.includes("-")) return (sign + bare).padEnd(width);
  return flags.includes("0") ? sign + bare.padStart(width - sign.length, "0") : (sign + bare).padStart(width);
}

/** Pads one side, also with zeros (go-cty, function/stdlib/format.go: formatPadWidth). */
function padded(text: string, { flags, width }: Verb): string | Unknown {
  if (width === 0) return text;
  if (!graphemes(text)) return unknownValue(NOT_FORMATTED);
  const fill = flags.includes("0") ? "0" : " ";
  return flags.includes("-") ? text.padEnd(width, fill) : text.padStart(width, fill);
}

const asValue = (text: string | Unknown): Value => (typeof text === "string" ? stringValue(text) : text);

const format: Definition = {
  parameters: [{ type: STRING }],
  rest: { type: ANY, nulls: true },
  call: ([template, ...args]) => {
    if (template?.kind !== "string") return failure("a format is needed");
    return hasUntypedNull(args) ? NULL_FORMATTED : asValue(formatted(template.value, args));
  },
};

/** Formats once per element; arguments that are not lists repeat (Terraform, functions/formatlist). */
const formatList: Definition = {
  parameters: [{ type: STRING }],
  rest: { type: ANY, nulls: true },
  call: ([template, ...args]) => {
    if (template?.kind !== "string") return failure("a format is needed");
    if (hasUntypedNull(args)) return NULL_FORMATTED;
    const lists = args.filter(isSequence);
    if (lists.some((list) => !list.ordered)) return unknownValue("the order of a set of objects is Terraform's own");
    const lengths = new Set(lists.map((list) => list.items.length));
    if (lengths.size > 1) return failure("formatlist() is given lists of different lengths");
    const [length = 1] = lengths;
    if (length * template.value.length > 1 << 20) return unknownValue("the list is too long to follow");
    const items: Value[] = [];
    for (let at = 0; at < length; at++) {
      const row = args.map((value) => (isSequence(value) ? (value.items[at] ?? value) : value));
      const item = asValue(formatted(template.value, row));
      if (item.kind === "unknown") return item;
      items.push(item);
    }
    return sequenceValue("list", items, STRING);
  },
};

export const formatFunctions: readonly (readonly [string, Definition])[] = [
  ["format", format],
  ["formatlist", formatList],
];
