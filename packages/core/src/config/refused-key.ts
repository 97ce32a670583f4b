import { type Document, isMap, isPair, isScalar, isSeq, type Scalar } from "yaml";

/** A key that readers of plain objects silently drop. */
const UNUSABLE = "__proto__";

/** Returns the error for the first duplicate key, or for a key that no record can have. */
export function refusedKey(document: Document): { readonly at: number; readonly message: string } | undefined {
  const key = firstRefused(document);
  if (!key) return undefined;
  const message = key.value === UNUSABLE ? `${UNUSABLE} cannot be a name.` : `${key.value} is set twice: remove one of the two.`;
  return { at: key.range?.[0] ?? 0, message };
}

/** The check in the library compares each key with all earlier keys, which is quadratic. */
function firstRefused(document: Document): Scalar | undefined {
  let first: Scalar | undefined;
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.value, node.key);
    if (!isMap(node) && !isSeq(node)) continue;
    const visited = new Set<unknown>([UNUSABLE]);
    for (const item of node.items) {
      open.push(item);
      if (!isPair(item) || !isScalar(item.key)) continue;
      if (visited.has(item.key.value) && startOf(item.key) < startOf(first)) first = item.key;
      visited.add(item.key.value);
    }
  }
  return first;
}

const startOf = (node: Scalar | undefined): number => node?.range?.[0] ?? Infinity;
