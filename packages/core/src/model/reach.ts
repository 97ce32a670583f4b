/** What is reached from a start, from what is reached there, and so on; the starts first. */
export function reachedFrom<T>(starts: Iterable<T>, next: (one: T) => Iterable<T>): ReadonlySet<T> {
  const found = new Set(starts);
  // A set is walked with what is added on the way.
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}
