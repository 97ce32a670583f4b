import { wholeReal } from "../real.ts";
import type { Type } from "../value.ts";
import { type Bool, failure, type Num, type Str, type Unknown, unknownValue, type Value } from "../value.ts";

/** A parameter: the type its argument is converted to, and what else than wholly known values the function can work with. */
export interface Parameter {
  readonly type: Type;
  /** `null` is handed in, where others fail on it. */
  readonly nulls?: boolean;
  /** `parts`: a list or map may hold unknown values; `all`: the argument itself may be unknown. */
  readonly unknowns?: "parts" | "all";
}

/** A pure function of the Terraform language. It is called with arguments that are as its parameters say. */
export interface Definition {
  readonly parameters: readonly Parameter[];
  /** Further arguments; none without it. */
  readonly rest?: Parameter;
  /** How many of `parameters` must be there; all without it. */
  readonly least?: number;
  readonly call: (args: readonly Value[]) => Value;
}

export type FunctionTable = ReadonlyMap<string, Definition>;

/** Functions by their names: a table, or one with others before it. */
export type Functions = Pick<FunctionTable, "get">;

const asText = (value: Value | undefined): string => (value as Str).value;
const asNumber = (value: Value | undefined): Num["value"] => (value as Num).value;
const asBool = (value: Value | undefined): boolean => (value as Bool).value;

/** What an argument of a converted type holds: `parameters` has made sure of its kind. */
export const holds = { text: asText, number: asNumber, bool: asBool };

/** The whole number an argument is, if it is one that a position, length or size may be. */
export function wholeNumber(value: Value | undefined): number | Unknown {
  const number = asNumber(value);
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  return wholeReal(number) === undefined ? failure("a whole number is needed") : unknownValue("the number is too large to follow");
}
