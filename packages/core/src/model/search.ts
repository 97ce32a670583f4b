/**
 * Binary search: returns the index of the last item that meets a condition, -1 if none does. The condition must hold for all items before
 * it.
 */
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
