import { once } from "../../model/memoize.ts";
import type { Parsed } from "../../model/parsed.ts";
import { lastWhere } from "../../model/search.ts";
import { rangeOf } from "../../syntax/yaml/tree.ts";
import type { ReadVm } from "./kind.ts";

/** Returns for a range how many settings or VMs use it: a loop makes several VMs of one task. */
export function usageOf(vms: readonly ReadVm[]): Parsed["countUsers"] {
  const spans = countBy(vms.map(({ span }) => span[0]));
  if (spans.size === vms.length) return undefined;
  const starts = [...spans].sort(([a], [b]) => a - b);
  const spots = once(() =>
    countBy(
      vms.flatMap(({ place: { statedValues, scsi } }) =>
        [...statedValues.values(), ...scsi.values()].map(({ value }) => rangeOf(value)[0]),
      ),
    ),
  );
  return ([start, end]) => (end > start ? spots().get(start) : starts[lastWhere(starts, ([from]) => from <= start)]?.[1]) ?? 0;
}

function countBy(places: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  return counts;
}
