import { sequence } from "../../../model/sequence.ts";
import { ceilReal, compareReal, floorReal, negate, type Real } from "../real.ts";
import { countValue, failure, type Num, numberValue, sequenceValue, unknownValue, type Value } from "../value.ts";
import { ANY, NUMBER } from "../value-type.ts";
import { type Definition, holds, wholeNumber } from "./define-function.ts";

const NUMBERS = { type: NUMBER };

/** Of one number. */
const ofNumber = (compute: (number: Real) => Value): Definition => ({
  parameters: [NUMBERS],
  call: ([a]) => compute(holds.number(a)),
});

const best = (order: number): Definition => ({
  parameters: [NUMBERS],
  rest: NUMBERS,
  call: (args) => args.reduce((a, b) => (Math.sign(compareReal(holds.number(b), holds.number(a))) === order ? b : a)),
});

/** Terraform computes powers and logarithms with doubles. Only exact results are known here. */
function power([a, b]: readonly Value[]): Value {
  const [base, exponent] = [holds.number(a), holds.number(b)];
  if (typeof base !== "number" || typeof exponent !== "number" || !Number.isInteger(exponent) || exponent < -60 || exponent > 60) {
    return countValue(undefined);
  }
  const whole = Number.isInteger(base) && exponent >= 0;
  const binary = base === 2;
  const result = base ** exponent;
  if (whole && Math.abs(result) <= Number.MAX_SAFE_INTEGER) return countValue(result);
  return binary && Math.abs(exponent) <= 40 ? countValue(result) : countValue(undefined);
}

function logarithm([a, b]: readonly Value[]): Value {
  const [number, base] = [holds.number(a), holds.number(b)];
  if (number === 1 && typeof base === "number" && base > 1) return countValue(0);
  if (base === 2 && typeof number === "number" && number > 1 && number <= 2 ** 28) {
    const exponent = Math.round(Math.log2(number));
    if (2 ** exponent === number) return countValue(exponent);
  }
  return unknownValue("Terraform rounds this logarithm in its own way");
}

function parseInteger([a, b]: readonly Value[]): Value {
  if (a?.kind !== "string") return failure("parseint() takes a text");
  const [text, base] = [a.value, holds.number(b)];
  if (typeof base !== "number" || !Number.isInteger(base) || base < 2 || base > 62) return failure("the base is not from 2 to 62");
  if (base > 36) return unknownValue("parseint() with a base above 36 is not evaluated");
  const digits = text.replace(/^[+-]/, "").toLowerCase();
  if (digits === "" || [...digits].some((digit) => !/[0-9a-z]/.test(digit) || Number.parseInt(digit, 36) >= base)) {
    return failure(`"${text.slice(0, 40)}" is not a whole number of base ${base}`);
  }
  const value = Number.parseInt(text, base) || 0;
  return Number.isSafeInteger(value) ? countValue(value) : countValue(undefined);
}

const MAX_RANGE = 1024;

/** Up to 1,024 numbers (Terraform, functions/range). */
function range(args: readonly Value[]): Value {
  const numbers = args.map(holds.number);
  const [first = 0, second = 0, third] = numbers;
  const [start, limit] = numbers.length === 1 ? [0, first] : [first, second];
  const step = third ?? (compareReal(limit, start) < 0 ? -1 : 1);
  if (typeof start !== "number" || typeof limit !== "number" || typeof step !== "number") return countValue(undefined);
  if (step === 0) return failure("range() with a step of 0");
  if ((step > 0 && limit < start) || (step < 0 && limit > start)) return failure("range() steps away from its limit");
  if (![start, limit, step].every((number) => Number.isSafeInteger(number * 1024))) return countValue(undefined);
  const length = Math.ceil((limit - start) / step);
  if (length > MAX_RANGE) return failure(`range() makes more than ${MAX_RANGE} numbers`);
  return sequenceValue(
    "list",
    sequence(length, (at) => countValue(at === 0 ? start : start + at * step)),
    NUMBER,
  );
}

function sign([a]: readonly Value[]): Value {
  const whole = wholeNumber(a);
  return typeof whole === "number" ? countValue(Math.sign(whole) || 0) : whole;
}

/** Terraform, functions/abs and the like: "Numeric Functions". */
export const numberFunctions: readonly (readonly [string, Definition])[] = [
  ["abs", { parameters: [NUMBERS], call: ([a]) => absolute(a as Num) }],
  ["ceil", ofNumber((number) => countValue(ceilReal(number)))],
  ["floor", ofNumber((number) => countValue(floorReal(number)))],
  ["signum", { parameters: [NUMBERS], call: sign }],
  ["max", best(1)],
  ["min", best(-1)],
  ["pow", { parameters: [NUMBERS, NUMBERS], call: power }],
  ["log", { parameters: [NUMBERS, NUMBERS], call: logarithm }],
  ["parseint", { parameters: [{ type: ANY }, NUMBERS], call: parseInteger }],
  ["range", { parameters: [NUMBERS, NUMBERS, NUMBERS], least: 1, call: range }],
];

function absolute({ value, short }: Num): Value {
  if (value === 0) return numberValue(0, short);
  return numberValue(compareReal(value, 0) < 0 ? negate(value) : value, short);
}
