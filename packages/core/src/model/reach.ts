/** Returns the starts and all items reachable from them, directly or indirectly. */
export function reachedFrom<T>(starts: Iterable<T>, next: (item: T) => Iterable<T>): ReadonlySet<T> {
  const reached = new Set(starts);
  // Iterating over a set includes elements that are added meanwhile.
  for (const node of reached) for (const neighbour of next(node)) reached.add(neighbour);
  return reached;
}
