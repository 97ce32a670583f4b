/** Returns the starts and all items reachable from them, directly or indirectly. */
export function reachedFrom<T>(starts: Iterable<T>, next: (one: T) => Iterable<T>): ReadonlySet<T> {
  const found = new Set(starts);
  // Iterating over a set includes elements that are added meanwhile.
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}
