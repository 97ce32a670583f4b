import type { Range } from "../../model/source.ts";
import type { Waypoint } from "../../model/spec.ts";
import { stepText } from "../../syntax/hcl/step-text.ts";
import type { Step, Trace, Value } from "../../syntax/hcl/value.ts";

/** A lookup by the key of an instance belongs to this instance. */
const OF_INSTANCE = /\beach\.|\bcount\.index/;

/** A reference passes a value on unchanged; a call or an operation may not. */
const REFERENCE = /^[\w.*"[\]-]+$/;
const LABEL = /^(?:default of variable|variable|local|argument) /;

const isReference = (step: Step): boolean => REFERENCE.test(stepText(step));

const isInside = (inner: Range, outer: Range): boolean => outer[0] <= inner[0] && inner[1] <= outer[1];

/**
 * Returns the range where the value of an argument was written for one VM: in the resource, in a module call, or in the VM's element of a
 * collection. `blocks` are the ranges of the resource and the calls; `fallback` is the range of the argument.
 */
export function rangeOf(trace: Trace, blocks: readonly Range[], fallback: Range): Range {
  const first = trace[0];
  if (!first) return fallback;
  // Fast path: nearly every value is a literal in the resource itself.
  if (trace.length === 1) return first.range;
  const isOwn = trace.some((step) => OF_INSTANCE.test(stepText(step)));
  const ownStep = isOwn ? first : (trace.find(({ range }) => blocks.some((block) => isInside(range, block))) ?? trace.at(-1) ?? first);
  return wholeReference(ownStep, trace);
}

/** `var.sizes["a"].cpus` matches `var.sizes` first. */
function wholeReference(ownStep: Step, trace: Trace): Range {
  if (!isReference(ownStep)) return ownStep.range;
  return trace.reduce((widest, step) => (isInside(widest, step.range) && isReference(step) ? step.range : widest), ownStep.range);
}

/** Returns the steps of a trace from a range on. */
export const traceTo = (trace: Trace, place: Range): readonly Waypoint[] =>
  trace
    .filter(({ range }) => !isInside(range, place) && !isInside(place, range))
    .map((step) => ({ range: step.range, message: isReference(step) ? `used as ${stepText(step)}` : stepText(step) }));

/** Whether a value is the default of a variable. */
export const isDefault = (trace: Trace): boolean => trace.some((step) => stepText(step).startsWith("default of variable "));

/** The first words of the step for a value from a template. */
export const SET_BY = "set by ";

/** Returns the literal that the value is, unchanged, if there is one. */
export function literalOf([first, ...rest]: Trace): Range | undefined {
  // A template is not changed for one of its clones.
  if (first && stepText(first).startsWith(SET_BY)) return undefined;
  const isHandedOn = rest.every((step) => isReference(step) || LABEL.test(stepText(step)) || stepText(step) === "written here");
  return isHandedOn ? first?.range : undefined;
}

/** Returns the names that pass a value on unchanged; an empty list if an operation changed it. */
export function namesOf({ trace }: Value): readonly string[] {
  const places = trace.map(stepText);
  const isUnchanged = places.every((part) => NAME.test(part) || LABEL.test(part) || NUMBER.test(part));
  return isUnchanged ? places.filter((name) => NAME.test(name)) : [];
}

/** Whether an expression is only a reference. */
const NAME = /^[a-z_][\w-]*(?:\.[\w-]+|\[(?:"[^"]*"|\d+)\])+$/i;
const NUMBER = /^(?:written here|"?\d+"?)$/;
