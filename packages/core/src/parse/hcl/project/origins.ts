import type { Range } from "../../../model/source.ts";
import type { Waypoint } from "../../../model/spec.ts";
import { stepText } from "../describe.ts";
import type { Value } from "../value.ts";

/** What a trace says of one value of a VM. */
export interface Origin {
  /** Where it was written for this VM. */
  readonly range: Range;
  readonly way: readonly Waypoint[];
  /** The literal that it is unchanged, if it is one. */
  readonly literal: Range | undefined;
}

/** What is looked up by the instance itself is written for that instance alone. */
const OF_INSTANCE = /\beach\.|\bcount\.index/;

/** A reference hands a value on as it is; a call or an operation may not. */
const REFERENCE = /^[\w.*"[\]-]+$/;
const LABEL = /^(?:default of variable|variable|local|argument) /;

const isInside = (inner: Range, outer: Range): boolean => outer[0] <= inner[0] && inner[1] <= outer[1];

/**
 * Where the value of an argument was written for one VM: in the resource, in the call of its module, or in the part of a collection that
 * is the VM's own. `blocks` are the resource's and those of the calls; `fallback` is where the argument itself stands.
 */
export function originOf(value: Value, blocks: readonly Range[], fallback: Range): Origin {
  const only = value.trace[0];
  // Nearly every value that is written in the resource itself.
  if (only && value.trace.length === 1) return { range: only.range, way: [], literal: only.range };
  const trace = value.trace.map((step): Place => ({ range: step.range, what: stepText(step) }));
  const first = trace[0];
  if (!first) return { range: fallback, way: [], literal: undefined };
  const isOwn = trace.some(({ what }) => OF_INSTANCE.test(what));
  const own = isOwn ? first : (trace.find(({ range }) => blocks.some((block) => isInside(range, block))) ?? trace.at(-1) ?? first);
  const range = wholeReference(own, trace);
  return { range, way: wayOf(trace, range), literal: isHandedOn(trace) ? first.range : undefined };
}

/** `var.sizes["a"].cpus` is found as `var.sizes` first. */
function wholeReference(place: Place, trace: Trace): Range {
  if (!REFERENCE.test(place.what)) return place.range;
  return trace.reduce((widest, { range, what }) => (REFERENCE.test(what) && isInside(widest, range) ? range : widest), place.range);
}

/** The places a value came through to the one where it is looked at. */
export const wayTo = ({ trace }: Value, place: Range): readonly Waypoint[] =>
  wayOf(
    trace.map((step) => ({ range: step.range, what: stepText(step) })),
    place,
  );

interface Place {
  readonly range: Range;
  readonly what: string;
}

type Trace = readonly Place[];

/** The other places, as the value passes them. */
function wayOf(trace: Trace, chosen: Range): readonly Waypoint[] {
  return trace
    .filter(({ range }) => !isInside(range, chosen) && !isInside(chosen, range))
    .map(({ range, what }) => ({ range, message: REFERENCE.test(what) ? `used as ${what}` : what }));
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

const isHandedOn = ([, ...rest]: Trace): boolean =>
  rest.every(({ what }) => REFERENCE.test(what) || LABEL.test(what) || what === "written here");
