/** Returns the value of a key, and creates it first if it is missing. */
export function getOrInsert<K, V>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = make();
  map.set(key, created);
  return created;
}

/** Appends an item to the list of its key. */
export const addTo = <K, T>(lists: Map<K, T[]>, key: K, item: T): number => getOrInsert(lists, key, () => []).push(item);

/** Groups items by key, in the order of first occurrence. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}
