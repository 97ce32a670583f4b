import { type Document, isMap, isPair, isScalar, isSeq, type Scalar } from "yaml";

/** The first key that its mapping has already. The library, asked for it, compares each key with all before it. */
export function repeatedKey(document: Document): Scalar | undefined {
  let first: Scalar | undefined;
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.value, node.key);
    if (!isMap(node) && !isSeq(node)) continue;
    const seen = new Set<unknown>();
    for (const item of node.items) {
      open.push(item);
      if (!isPair(item) || !isScalar(item.key)) continue;
      if (seen.has(item.key.value) && startOf(item.key) < startOf(first)) first = item.key;
      seen.add(item.key.value);
    }
  }
  return first;
}

const startOf = (node: Scalar | undefined): number => node?.range?.[0] ?? Infinity;
