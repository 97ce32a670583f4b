import type { Range } from "../../model/source.ts";
import type { DataNode } from "../../syntax/node.ts";

/**
 * Returns a member of an object of the vSphere API. govc before 0.31 capitalised keys and wrote unset values as null or an empty text,
 * which both mean absent. A value of the type Any is wrapped with its type.
 */
export function member(node: DataNode | undefined, key: string): DataNode | undefined {
  const child = node?.get(key) ?? node?.get(key.charAt(0).toUpperCase() + key.slice(1));
  const value = (child?.kind === "mapping" && child.get("_value")) || child;
  return value?.text === "" || (value?.kind === "list" && value.items().length === 0) ? undefined : value;
}

/** The same along a path: `hardware.numCPU`. */
export const memberAt = (node: DataNode | undefined, path: string): DataNode | undefined =>
  path.split(".").reduce<DataNode | undefined>((at, key) => member(at, key), node);

/** Returns an object with properties by path: `config.hardware.numCPU`. */
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
