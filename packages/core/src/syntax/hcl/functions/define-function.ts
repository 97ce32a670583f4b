import type { SourceFile } from "../../../model/files.ts";
import { wholeReal } from "../real.ts";
import type { Type } from "../value.ts";
import { type Bool, failure, type Num, type Str, type Unknown, unknownValue, type Value } from "../value.ts";

/** A parameter: the type for its argument, and whether the function accepts null or unknown values. */
export interface Parameter {
  readonly type: Type;
  /** Whether the function accepts `null`; otherwise it fails. */
  readonly nulls?: boolean;
  /** `parts`: a list or map may contain unknown values; `all`: the argument itself may be unknown. */
  readonly unknowns?: "parts" | "all";
}

/** A pure function of the Terraform language. Its arguments are already converted to the parameter types. */
export interface Definition {
  readonly parameters: readonly Parameter[];
  /** The type of further arguments; missing if there are none. */
  readonly rest?: Parameter;
  /** The number of required `parameters`; all if missing. */
  readonly least?: number;
  readonly call: (args: readonly Value[]) => Value;
}

export type FunctionTable = ReadonlyMap<string, Definition>;

/** Looks up functions by name, in one table or in several. */
export type Functions = Pick<FunctionTable, "get">;

const asText = (value: Value | undefined): string => (value as Str).value;
const asNumber = (value: Value | undefined): Num["value"] => (value as Num).value;
const asBool = (value: Value | undefined): boolean => (value as Bool).value;

/** Returns the file that a text is all of. */
export const fileOf = (value: Value | undefined): SourceFile | undefined => (value as Str).file?.();

/** Return the contents of a converted argument. */
export const holds = { text: asText, number: asNumber, bool: asBool };

/** Returns an argument as a position, length or size; unknown if it is not a whole number in range. */
export function wholeNumber(value: Value | undefined): number | Unknown {
  const number = asNumber(value);
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  return wholeReal(number) === undefined ? failure("a whole number is needed") : unknownValue("the number is too large to follow");
}
