/** Far more items than any VM, host or list in a file has. */
const MOST_ITEMS = 1_000_000;

/**
 * Returns a list with one item per index. Lists with a length from a file must come from here: a length of 2^31 would otherwise end the
 * process. Throws a RangeError for more than a million items.
 */
export function sequence<T>(length: number, make: (index: number) => T): T[] {
  if (length > MOST_ITEMS) throw new RangeError(`A list of ${length} items: more than the million that vmlint allows.`);
  return Array.from({ length }, (_, index) => make(index));
}
