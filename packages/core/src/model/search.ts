/** The index of the last item of which something is true; it is true of all items before it, and -1 of none. */
export function lastWhere<T>(items: readonly T[], isTrue: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
