import { at, get, textOf, type Value } from "../../syntax/yaml/tree.ts";

/** Objects of an API group and of one of some kinds. */
export interface ObjectKind {
  readonly group: string;
  readonly kinds: readonly string[];
}

/** The version behind an object's API group (`v1beta2`), when it is of that group and one of the kinds. */
export function versionOf(object: Value, { group, kinds }: ObjectKind): string | undefined {
  const apiVersion = textOf(get(object, "apiVersion")) ?? "";
  if (!apiVersion.startsWith(`${group}/`) || !kinds.includes(textOf(get(object, "kind")) ?? "")) return undefined;
  return apiVersion.slice(group.length + 1);
}

export const nameOf = (object: Value): Value => at(object, ["metadata", "name"]);
