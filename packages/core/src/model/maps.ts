/** What a map holds for a key; made, and held from then on, where there is nothing yet. */
export function getOrInsert<K, V>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Puts an item behind the others of its key. */
export const addTo = <K, T>(lists: Map<K, T[]>, key: K, item: T): number => getOrInsert(lists, key, () => []).push(item);

/** Items by their key, in the order in which each key was first met. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}
