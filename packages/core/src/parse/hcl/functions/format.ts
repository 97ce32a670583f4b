import { convert } from "../convert.ts";
import { compareReal, realFixed, realText, wholeReal } from "../real.ts";
import { ANY, BOOL, NUMBER, STRING } from "../type.ts";
import { failure, hasLoose, isCompound, isSequence, sequenceValue, stringValue, type Unknown, unknownValue, type Value } from "../value.ts";
import type { Definition } from "./define.ts";
import { toJson } from "./json.ts";
import { graphemes } from "./text.ts";

/** `%[1]05.2f`: index, flags, width, precision, verb (Terraform, functions/format). */
const VERB = /%(?:\[(\d{1,4})\])?([-+ #0]*)(\d{1,4})?(?:\.(\d{1,3}))?([A-Za-z%])/y;

interface Verb {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

/** The text a format string makes of its arguments. */
function formatted(template: string, args: readonly Value[]): string | Unknown {
  let text = "";
  let next = 0;
  let used = 0;
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
    const [whole, index, flags = "", width = "0", precision, letter = ""] = match;
    at += whole.length;
    if (letter === "%") {
      if (whole !== "%%") return unknownValue("the format string is not read");
      text += "%";
      continue;
    }
    if (index !== undefined) next = Number(index) - 1;
    const value = args[next];
    next++;
    used = Math.max(used, next);
    if (!value) return failure("format() is given too few arguments");
    const verb = { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision), letter };
    const piece = formatOne(value, verb);
    if (typeof piece !== "string") return piece;
    text += piece;
    if (text.length > 1 << 16) return unknownValue("the text is too long to follow");
  }
  return used < args.length ? failure("format() is given too many arguments") : text;
}

const NOT_FORMATTED = "this format is not evaluated";

function formatOne(value: Value, verb: Verb): string | Unknown {
  if (value.kind === "unknown") return value;
  if (value.kind === "null") return unknownValue("null is formatted in Terraform's own way");
  switch (verb.letter) {
    case "v":
      return verb.flags.includes("#") ? unknownValue(NOT_FORMATTED) : formatAny(value, verb);
    case "s":
    case "q":
      return formatText(value, verb);
    case "t":
      return formatBool(value, verb);
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

function formatAny(value: Value, verb: Verb): string | Unknown {
  if (value.kind === "bool") return formatBool(value, verb);
  if (value.kind === "string") return formatText(value, { ...verb, letter: "s" });
  if (hasLoose(value)) return unknownValue("it is not known whether this is a number or text");
  if (value.kind === "number") return formatNumber(value, verb);
  const json = isCompound(value) ? toJson(value) : undefined;
  return json === undefined || verb.width > 0 || verb.precision !== undefined ? unknownValue(NOT_FORMATTED) : json;
}

/** `%v` of a number is Go's `%g`, which is plain digits in the middle of its range. */
function formatNumber(value: Extract<Value, { kind: "number" }>, verb: Verb): string | Unknown {
  const { value: number } = value;
  if (typeof number !== "number" || Math.abs(number) >= 1e15 || (number !== 0 && Math.abs(number) < 1e-3) || verb.precision !== undefined) {
    return unknownValue(NOT_FORMATTED);
  }
  return signedPadded(realText(number), verb);
}

function formatText(value: Value, verb: Verb): string | Unknown {
  const text = convert(value, STRING);
  if (text.kind !== "string") return text.kind === "unknown" ? text : failure("a text is needed");
  if (/[+# ]/.test(verb.flags)) return unknownValue(NOT_FORMATTED);
  const characters = graphemes(text.value);
  if (!characters)
    return verb.width === 0 && verb.precision === undefined && verb.letter === "s" ? text.value : unknownValue(NOT_FORMATTED);
  if (verb.letter === "q" && !/^[ -~]*$/.test(text.value)) return unknownValue(NOT_FORMATTED);
  const cut = verb.precision === undefined ? text.value : text.value.slice(0, verb.precision);
  return padded(verb.letter === "q" ? `"${cut.replace(/[\\"]/g, "\\$&")}"` : cut, verb);
}

function formatBool(value: Value, verb: Verb): string | Unknown {
  const bool = convert(value, BOOL);
  if (bool.kind !== "bool") return bool.kind === "unknown" ? bool : failure("a bool is needed");
  // Padding is left out for bools by some versions.
  return verb.width > 0 || verb.flags !== "" || verb.precision !== undefined ? unknownValue(NOT_FORMATTED) : String(bool.value);
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
  if (verb.flags.includes("#") || Object.is(number.value, -0)) return unknownValue(NOT_FORMATTED);
  const digits = realFixed(number.value, Math.min(verb.precision ?? 6, 100));
  return signedPadded(compareReal(number.value, 0) < 0 || !digits.startsWith("-") ? digits : digits.slice(1), verb);
}

function signedPadded(digits: string, verb: Verb): string {
  const plus = verb.flags.includes("+") ? "+" : verb.flags.includes(" ") ? " " : "";
  const sign = digits.startsWith("-") ? "-" : plus;
  const bare = digits.replace("-", "");
  if (verb.flags.includes("0") && !verb.flags.includes("-")) return sign + bare.padStart(verb.width - sign.length, "0");
  return padded(sign + bare, { ...verb, flags: verb.flags.replaceAll("0", "") });
}

const padded = (text: string, { flags, width }: Verb): string =>
  flags.includes("-") ? text.padEnd(width) : text.padStart(width, flags.includes("0") ? "0" : " ");

const asValue = (text: string | Unknown): Value => (typeof text === "string" ? stringValue(text) : text);

const format: Definition = {
  parameters: [{ type: STRING }],
  rest: { type: ANY, nulls: true },
  call: ([template, ...args]) => (template?.kind === "string" ? asValue(formatted(template.value, args)) : failure("a format is needed")),
};

/** Once for each element; what is no list is the same for all (Terraform, functions/formatlist). */
const formatList: Definition = {
  parameters: [{ type: STRING }],
  rest: { type: ANY, nulls: true },
  call: ([template, ...args]) => {
    if (template?.kind !== "string") return failure("a format is needed");
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
