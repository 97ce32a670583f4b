import type { Node } from "../node.ts";
import { get, isMapping, isNothing, itemsOf, rangeOf, textOf, type Value } from "./tree.ts";

/** A YAML value for readers of a data model that other languages write too; `undefined` where nothing is written. */
export function nodeOf(value: Value): Node | undefined {
  if (isNothing(value)) return undefined;
  const text = textOf(value);
  return {
    kind: isMapping(value) ? "mapping" : text === undefined ? "list" : "scalar",
    range: rangeOf(value),
    text,
    get: (key) => nodeOf(get(value, key)),
    items: () => itemsOf(value).flatMap((item) => nodeOf(item) ?? []),
  };
}
