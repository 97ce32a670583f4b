import type { BinaryOperator } from "./ast.ts";
import { convert } from "./convert.ts";
import { add, compareReal, divide, multiply, negate, type Real, remainder, subtract } from "./real.ts";
import type { Meter } from "./scope.ts";
import { boolValue, failure, numberValue, type Unknown, unknownOf, unknownValue, type Value } from "./value.ts";
import { BOOL, equal, NUMBER } from "./value-type.ts";

export function truth(value: Value): boolean | Unknown {
  if (value.kind === "null") return failure("a condition is null");
  const bool = convert(value, BOOL);
  return bool.kind === "bool" ? bool.value : (unknownOf(bool) ?? failure("a condition is true or false"));
}

/** Applies a unary operator. */
export function applied(operator: "-" | "!", operand: Value): Value {
  if (operand.kind === "null") return failure("null cannot be computed with");
  const value = convert(operand, operator === "!" ? BOOL : NUMBER);
  if (value.kind === "bool") return boolValue(!value.value);
  return value.kind === "number" ? numberValue(negate(value.value), value.short) : (unknownOf(value) ?? failure("a number is needed"));
}

/** Applies a binary operator. */
export function combined(operator: BinaryOperator, left: Value, right: Value, meter: Meter): Value {
  if (operator === "&&" || operator === "||") return logic(operator, left, right, meter);
  return operator === "==" || operator === "!=" ? equality(operator, left, right) : arithmetic(operator, left, right);
}

/**
 * `false && x` and `x && false` are false for every x. Terraform before 1.12 still fails if x fails, so `try` around it must not rely on
 * the result: it is recorded as unknown.
 */
function logic(operator: "&&" | "||", left: Value, right: Value, meter: Meter): Value {
  const deciding = operator === "||";
  const [a, b] = [truth(left), truth(right)];
  if (a === deciding || b === deciding) {
    if (typeof a !== "boolean" || typeof b !== "boolean") meter.unknowns++;
    return boolValue(deciding);
  }
  if (typeof a !== "boolean") return a;
  return typeof b === "boolean" ? boolValue(!deciding) : b;
}

function equality(operator: "==" | "!=", left: Value, right: Value): Value {
  const unknown = unknownOf(left, right);
  if (unknown?.failed) return unknown;
  const same = equal(left, right);
  if (same === undefined) return unknown ?? unknownValue("it is not known whether the two are equal");
  return boolValue(same === (operator === "=="));
}

type Arithmetic = Exclude<BinaryOperator, "&&" | "||" | "==" | "!=">;

const COMPUTE: { readonly [O in Arithmetic]: (a: Real, b: Real) => Real | boolean | undefined } = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
  "<": (a, b) => compareReal(a, b) < 0,
  "<=": (a, b) => compareReal(a, b) <= 0,
  ">": (a, b) => compareReal(a, b) > 0,
  ">=": (a, b) => compareReal(a, b) >= 0,
};

function arithmetic(operator: Arithmetic, left: Value, right: Value): Value {
  const unknown = unknownOf(left, right);
  if (unknown) return unknown;
  if (left.kind === "null" || right.kind === "null") return failure("null cannot be computed with");
  const [a, b] = [convert(left, NUMBER), convert(right, NUMBER)];
  if (a.kind !== "number" || b.kind !== "number") return unknownOf(a, b) ?? failure("a number is needed");
  const result = COMPUTE[operator](a.value, b.value);
  return typeof result === "boolean" ? boolValue(result) : numberValue(result, a.short && b.short);
}
