import { ABSENT } from "../../model/source.ts";
import type { DataNode } from "../node.ts";
import { text as asWritten } from "../values.ts";
import { get, isMapping, isNothing, itemsOf, rangeOf, settingOf, textOf, type Value } from "./tree.ts";

/** Converts a YAML value to a data node, like one of JSON; `undefined` for an empty value. */
export function nodeOf(value: Value): DataNode | undefined {
  if (isNothing(value)) return undefined;
  const text = textOf(value);
  const setting = text === undefined ? ABSENT : settingOf(value, asWritten);
  return {
    kind: isMapping(value) ? "mapping" : text === undefined ? "list" : "scalar",
    range: rangeOf(value),
    text: setting.state === "known" ? text : undefined,
    ...(setting.state === "unknown" && { unsure: setting.reason }),
    get: (key) => nodeOf(get(value, key)),
    items: () => itemsOf(value).flatMap((item) => nodeOf(item) ?? []),
  };
}
