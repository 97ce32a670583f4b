/** Far more items than any VM, host or list in a file has. */
const MOST_ITEMS = 1_000_000;

/**
 * Returns a list with one item per index. Lists with a length from a file must come from here: a length of 2^31 would otherwise end the
 * process. Throws a RangeError for more than a million items.
 */
export function sequence<T>(length: number, make: (index: number) => T): T[] {
  if (length > MOST_ITEMS) throw new RangeError(`A list of ${length} items: more than the million that vmlint allows.`);
  const items: T[] = [];
  // Array.from takes several times as long.
  for (let index = 0; index + 1 <= length; index++) items.push(make(index));
  return items;
}

/** Returns groups of these sizes: 2 and 3 are the numbers 0, 1 and 2, 3, 4. */
export function consecutive(sizes: readonly number[]): readonly (readonly number[])[] {
  let first = 0;
  return sizes.map((size) => {
    const start = first;
    first += size;
    return sequence(size, (i) => start + i);
  });
}
