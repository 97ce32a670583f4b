import { ABSENT, type Located, mistyped, type Range, type Setting, unknown } from "../model/source.ts";
import { isTemplate } from "./template-marker.ts";
import type { Read } from "./values.ts";

/**
 * A value of a document, whichever language the document is in (JSON, YAML). What is absent or null is `undefined`, so that
 * a path reads `node?.get("config")?.get("hardware")`.
 */
export interface DataNode {
  readonly kind: "mapping" | "list" | "scalar";
  /** Where it stands; a text without the quotes around it. */
  readonly range: Range;
  /** A scalar as its author wrote it, without quotes and escapes. */
  readonly text: string | undefined;
  /** Why a scalar has none: something else decides it. */
  readonly unsure?: string;
  /** The value of a key; of a key that is set twice, the last. */
  readonly get: (key: string) => DataNode | undefined;
  /** The items of a list, without those that are null. */
  readonly items: () => readonly DataNode[];
}

/** A scalar, or a list of them, as a three-valued setting. */
export function settingOf<T>(node: DataNode | undefined, read: Read<T>): Setting<T> {
  if (!node) return ABSENT;
  if (node.unsure !== undefined) return unknown(node.unsure, node.range);
  const items = node.items().map(({ text }) => text);
  const text = items.length > 0 && !items.includes(undefined) ? items.join(",") : node.text;
  if (text === undefined) return mistyped("a single value", node.range);
  return isTemplate(text) ? unknown("a template fills it in", node.range) : read(text, node.range);
}

/** A text that stands somewhere else than in a tree. */
export const scalarOf = ({ value, range }: Located<string>): DataNode => ({
  kind: "scalar",
  range,
  text: value,
  get: () => undefined,
  items: () => [],
});
