/**
 * A number in Terraform's precision: a binary float of 512 bits (cty, docs/types.md: "arbitrary-precision"; its ParseNumberVal requests
 * 512). A JavaScript number if that is exact, so that `8` is 8; otherwise mantissa x 2^exponent, as for 0.1 or a third.
 */
export type Real = number | WideNumber;

interface WideNumber {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const PRECISION = 512;
/** Smaller fractions are not supported: no size uses them, and their digits would only cost time. */
const MIN_EXPONENT = -1100;

const bits = (n: bigint): number => (n < 0n ? -n : n).toString(2).length;

/** Rounds to 512 bits, ties to even; `undefined` for a number outside of the supported range. */
function round(n: bigint, power: number): Real | undefined {
  let mantissa = n;
  let exponent = power;
  const excess = bits(n) - PRECISION;
  if (excess > 0) {
    const unit = 1n << BigInt(excess);
    const magnitude = n < 0n ? -n : n;
    const twice = (magnitude % unit) * 2n;
    let digits = magnitude >> BigInt(excess);
    if (twice > unit || (twice === unit && digits % 2n === 1n)) digits += 1n;
    mantissa = n < 0n ? -digits : digits;
    exponent += excess;
  }
  if (mantissa === 0n) return 0;
  const zeros = trailingZeros(mantissa);
  mantissa >>= BigInt(zeros);
  exponent += zeros;
  if (exponent < MIN_EXPONENT || exponent + bits(mantissa) > PRECISION) return undefined;
  if (bits(mantissa) <= 53 && exponent > -1000) return Number(mantissa) * 2 ** exponent;
  return { mantissa, exponent };
}

function trailingZeros(n: bigint): number {
  const lowest = n & -n;
  return bits(lowest) - 1;
}

function wide(real: Real): WideNumber {
  if (typeof real !== "number") return real;
  let scaled = real;
  let exponent = 0;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent--;
  }
  return { mantissa: BigInt(scaled), exponent };
}

/** Returns both mantissas at the lower exponent. */
function aligned(a: Real, b: Real): readonly [bigint, bigint, number] {
  const x = wide(a);
  const y = wide(b);
  const exponent = Math.min(x.exponent, y.exponent);
  return [x.mantissa << BigInt(x.exponent - exponent), y.mantissa << BigInt(y.exponent - exponent), exponent];
}

/** Returns the number closest to n / d. */
function ratio(n: bigint, d: bigint): Real | undefined {
  const shift = Math.max(0, PRECISION + 2 + bits(d) - bits(n));
  const scaled = n << BigInt(shift);
  const quotient = scaled / d;
  if (quotient * d === scaled) return round(quotient, -shift);
  // An extra bit marks a remainder of the division, so that it is not rounded as a tie.
  return round(quotient * 2n + (n < 0n === d < 0n ? 1n : -1n), -shift - 1);
}

const safe = (n: number): boolean => Number.isSafeInteger(n);

/** Returns the sum; `undefined` if it is too large. */
export function add(a: Real, b: Real): Real | undefined {
  if (typeof a === "number" && typeof b === "number" && safe(a) && safe(b) && safe(a + b)) return a + b;
  const [x, y, exponent] = aligned(a, b);
  return round(x + y, exponent);
}

/** Zero has a sign, which is visible (Go, math/big: Float). */
const isNegative = (a: Real): boolean => (typeof a === "number" ? a < 0 || Object.is(a, -0) : a.mantissa < 0n);

const zero = (a: Real, b: Real): number => (isNegative(a) === isNegative(b) ? 0 : -0);

export const negate = (a: Real): Real => (typeof a === "number" ? -a : { mantissa: -a.mantissa, exponent: a.exponent });

export const subtract = (a: Real, b: Real): Real | undefined => add(a, negate(b));

export function multiply(a: Real, b: Real): Real | undefined {
  if (typeof a === "number" && typeof b === "number" && safe(a) && safe(b) && safe(a * b)) return a * b;
  if (a === 0 || b === 0) return zero(a, b);
  const x = wide(a);
  const y = wide(b);
  return round(x.mantissa * y.mantissa, x.exponent + y.exponent);
}

/** Returns the quotient; `undefined` for a division by zero too. */
export function divide(a: Real, b: Real): Real | undefined {
  if (b === 0) return undefined;
  if (a === 0) return zero(a, b);
  const [x, y] = aligned(a, b);
  return ratio(x, y);
}

/** Returns the remainder with the sign of `a`, only for exact numbers, because Terraform computes it through a rounded quotient. */
export function remainder(a: Real, b: Real): Real | undefined {
  if (b === 0 || typeof a !== "number" || typeof b !== "number") return undefined;
  if (a === 0) return a - zero(0, b);
  const [x, y, exponent] = aligned(a, b);
  return round(x % y, exponent);
}

/** Returns a number below, equal to or above 0, as `a` is to `b`. */
export function compareReal(a: Real, b: Real): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  const [x, y] = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Returns the largest whole number that is not above; never -0, because Go's big.Int has none. */
export function floorReal(a: Real): Real | undefined {
  if (typeof a === "number") return Math.floor(a) || 0;
  if (a.exponent >= 0) return a;
  return round(a.mantissa >> BigInt(-a.exponent), 0);
}

export function ceilReal(a: Real): Real | undefined {
  const below = floorReal(negate(a));
  return below === undefined || below === 0 ? below : negate(below);
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Reads a decimal number; `undefined` for any other text, or a very long number. */
export function parseReal(text: string): Real | undefined {
  const match = text.length <= 400 ? DECIMAL.exec(text) : null;
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", power = "0"] = match;
  if (whole + fraction === "" || Math.abs(Number(power)) > 400) return undefined;
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  if (digits === 0n) return sign === "-" ? -0 : 0;
  const exponent = Number(power) - fraction.length;
  return exponent >= 0 ? round(digits * 10n ** BigInt(exponent), 0) : ratio(digits, 10n ** BigInt(-exponent));
}

/** Returns the shortest decimal that identifies this number. */
export function realText(real: Real): string {
  if (Object.is(real, -0)) return "-0";
  if (typeof real === "number" && Number.isInteger(real)) return BigInt(real).toString();
  const { mantissa, exponent } = wide(real);
  if (exponent >= 0) return (mantissa << BigInt(exponent)).toString();
  const shift = BigInt(PRECISION - bits(mantissa));
  const scaled = (mantissa < 0n ? -mantissa : mantissa) << shift;
  const power = BigInt(-exponent) + shift;
  const sign = mantissa < 0n ? "-" : "";
  for (let places = 0; ; places++) {
    const ten = 10n ** BigInt(places);
    const candidate = (scaled * ten * 2n + (1n << power)) >> (power + 1n);
    const off = (candidate << power) - scaled * ten;
    if ((off < 0n ? -off : off) * 2n <= ten) return sign + decimal(candidate, places);
  }
}

/** Returns exactly `places` decimals, ties to even, as Go's `%f`. */
export function realFixed(real: Real, places: number): string {
  const { mantissa, exponent } = wide(real);
  const magnitude = (mantissa < 0n ? -mantissa : mantissa) * 10n ** BigInt(places);
  const sign = mantissa < 0n ? "-" : "";
  if (exponent >= 0) return sign + decimal(magnitude << BigInt(exponent), places);
  const power = BigInt(-exponent);
  const whole = magnitude >> power;
  const twice = (magnitude - (whole << power)) * 2n;
  const unit = 1n << power;
  return sign + decimal(twice > unit || (twice === unit && whole % 2n === 1n) ? whole + 1n : whole, places);
}

function decimal(digits: bigint, places: number): string {
  if (places === 0) return digits.toString();
  const padded = digits.toString().padStart(places + 1, "0");
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

/** Returns a whole number, or `undefined`. */
export function wholeReal(real: Real): bigint | undefined {
  if (typeof real === "number") return Number.isInteger(real) ? BigInt(real) : undefined;
  return real.exponent >= 0 ? real.mantissa << BigInt(real.exponent) : undefined;
}
