import type { Range } from "../../model/source.ts";
import type { DataNode } from "../../syntax/node.ts";

/**
 * A member of an object of the vSphere API. govc before 0.31 began the keys with a capital, and wrote what is not set as null
 * or an empty text: both are absent. A value of the type Any is wrapped to say which type it is.
 */
export function member(node: DataNode | undefined, key: string): DataNode | undefined {
  const found = node?.get(key) ?? node?.get(key.charAt(0).toUpperCase() + key.slice(1));
  const value = (found?.kind === "mapping" && found.get("_value")) || found;
  return value?.text === "" || (value?.kind === "list" && value.items().length === 0) ? undefined : value;
}

/** The same along a path: `hardware.numCPU`. */
export const memberAt = (node: DataNode | undefined, path: string): DataNode | undefined =>
  path.split(".").reduce<DataNode | undefined>((at, key) => member(at, key), node);

/** An object of which some properties are known, each by its path: `config.hardware.numCPU`. */
export function atPath(properties: ReadonlyMap<string, DataNode | undefined>, path: string, range: Range): DataNode {
  return {
    kind: "mapping",
    range,
    text: undefined,
    items: () => [],
    get: (key) => {
      const inner = path === "" ? key : `${path}.${key}`;
      const isPart = [...properties.keys()].some((name) => name.startsWith(`${inner}.`));
      return properties.get(inner) ?? (isPart ? atPath(properties, inner, range) : undefined);
    },
  };
}
