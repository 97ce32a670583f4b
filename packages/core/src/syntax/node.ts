import { ABSENT, type Located, mistyped, type Range, type Setting, unknown, withText } from "../model/source.ts";
import { isTemplate } from "./template-marker.ts";
import type { Read } from "./values.ts";

/**
 * A value of a document in JSON or YAML. Absent and null values are `undefined`, so that a path reads
 * `node?.get("config")?.get("hardware")`.
 */
export interface DataNode {
  readonly kind: "mapping" | "list" | "scalar";
  /** Its range, for a text without the quotes. */
  readonly range: Range;
  /** A scalar as its author wrote it, without quotes and escapes. */
  readonly text: string | undefined;
  /** Why a scalar has no value: a template or an alias decides it. */
  readonly unsure?: string;
  /** Returns the value of a key; the last one for a duplicate key. */
  readonly get: (key: string) => DataNode | undefined;
  /** Returns the items of a list, without null. */
  readonly items: () => readonly DataNode[];
}

/** Reads a scalar, or a list of scalars, as a three-valued setting. Messages name it by its key. */
export function settingOf<T>(node: DataNode | undefined, read: Read<T>, key?: string): Setting<T> {
  if (!node) return ABSENT;
  if (node.unsure !== undefined) return unknown(node.unsure, node.range);
  const items = node.items().map(({ text }) => text);
  const text = items.length > 0 && !items.includes(undefined) ? items.join(",") : node.text;
  if (text === undefined) return withText(mistyped("a single value", node.range), { key });
  return isTemplate(text) ? unknown("a template fills it in", node.range) : withText(read(text, node.range), { key, text });
}

/** A text outside of a tree, or the reason why it is unknown. */
export const scalarOf = ({ value, range, unsure }: Located<string> & { readonly unsure?: string | undefined }): DataNode => ({
  kind: "scalar",
  range,
  text: value,
  ...(unsure !== undefined && { unsure }),
  get: () => undefined,
  items: () => [],
});
