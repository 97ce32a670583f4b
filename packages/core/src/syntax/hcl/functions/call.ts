import { convert } from "../convert.ts";
import type { Scope } from "../scope.ts";
import { failure, isCompound, isKnown, reasonIn, sizeOf, type Unknown, unknownValue, type Value } from "../value.ts";
import type { Parameter } from "./define-function.ts";

/**
 * Calls a function by name. Returns unknown, with the name as reason, for a function that is not in the table or that depends on more than
 * its arguments.
 */
export function callFunction(name: string, args: readonly Value[], scope: Scope): Value {
  const definition = scope.functions.get(name.replace(/^core::/, ""));
  if (!definition) return unknownValue(`${name}() is not evaluated`);
  const { parameters, rest, least = parameters.length, call } = definition;
  if (args.length < least || (args.length > parameters.length && !rest)) return failure(`${name}() has the wrong number of arguments`);
  const work = args.reduce((sum, value) => sum + sizeOf(value), 0);
  if (!scope.meter.spend(work)) return unknownValue("it takes too much work to evaluate");
  const ready: Value[] = [];
  let unclear: Unknown | undefined;
  for (const [at, value] of args.entries()) {
    const parameter = parameters[at] ?? rest;
    if (!parameter) break;
    const argument = accepted(value, parameter, name);
    if (argument.kind === "unknown" && argument.failed) return argument;
    if (argument.kind === "unknown" && parameter.unknowns !== "all") unclear ??= argument;
    ready.push(argument);
  }
  const result = unclear ?? call(ready);
  if (result.kind === "unknown" && result.failed && !ready.every(isKnown)) return unknownValue(result.reason);
  return result;
}

function accepted(value: Value, { type, nulls, unknowns }: Parameter, name: string): Value {
  if (value.kind === "null" && !nulls) return failure(`${name}() is given null`);
  const converted = convert(value, type);
  if (unknowns !== undefined || !isCompound(converted) || converted.isKnown) return converted;
  return unknownValue(reasonIn([converted]) ?? `a part of the arguments of ${name}() is given is unknown`);
}
