import type { Range } from "../../model/source.ts";
import type { Waypoint } from "../../model/spec.ts";
import { stepText } from "../../syntax/hcl/describe.ts";
import type { Step, Trace, Value } from "../../syntax/hcl/value.ts";

/** What is looked up by the instance itself is written for that instance alone. */
const OF_INSTANCE = /\beach\.|\bcount\.index/;

/** A reference hands a value on as it is; a call or an operation may not. */
const REFERENCE = /^[\w.*"[\]-]+$/;
const LABEL = /^(?:default of variable|variable|local|argument) /;

const isReference = (step: Step): boolean => REFERENCE.test(stepText(step));

const isInside = (inner: Range, outer: Range): boolean => outer[0] <= inner[0] && inner[1] <= outer[1];

/**
 * Where the value of an argument was written for one VM: in the resource, in the call of its module, or in the part of a collection that
 * is the VM's own. `blocks` are the resource's and those of the calls; `fallback` is where the argument itself stands.
 */
export function rangeOf(trace: Trace, blocks: readonly Range[], fallback: Range): Range {
  const first = trace[0];
  if (!first) return fallback;
  // Nearly every value that is written in the resource itself.
  if (trace.length === 1) return first.range;
  const isOwn = trace.some((step) => OF_INSTANCE.test(stepText(step)));
  const own = isOwn ? first : (trace.find(({ range }) => blocks.some((block) => isInside(range, block))) ?? trace.at(-1) ?? first);
  return wholeReference(own, trace);
}

/** `var.sizes["a"].cpus` is found as `var.sizes` first. */
function wholeReference(own: Step, trace: Trace): Range {
  if (!isReference(own)) return own.range;
  return trace.reduce((widest, step) => (isInside(widest, step.range) && isReference(step) ? step.range : widest), own.range);
}

/** The places a value comes through to the one where it is looked at, and from there on. */
export const wayTo = (trace: Trace, place: Range): readonly Waypoint[] =>
  trace
    .filter(({ range }) => !isInside(range, place) && !isInside(place, range))
    .map((step) => ({ range: step.range, message: isReference(step) ? `used as ${stepText(step)}` : stepText(step) }));

/** The literal that a value is unchanged, if it is one. */
export function literalOf([first, ...rest]: Trace): Range | undefined {
  const isHandedOn = rest.every((step) => isReference(step) || LABEL.test(stepText(step)) || stepText(step) === "written here");
  return isHandedOn ? first?.range : undefined;
}

/** The names that a value comes through unchanged; none where something was made of it. */
export function namesOf({ trace }: Value): readonly string[] {
  const places = trace.map(stepText);
  const isUnchanged = places.every((what) => NAME.test(what) || LABEL.test(what) || NUMBER.test(what));
  return isUnchanged ? places.filter((what) => NAME.test(what)) : [];
}

/** A reference of steps, and no operation on one. */
const NAME = /^[a-z_][\w-]*(?:\.[\w-]+|\[(?:"[^"]*"|\d+)\])+$/i;
const NUMBER = /^(?:written here|"?\d+"?)$/;
