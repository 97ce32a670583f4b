import type { Located } from "../../model/source.ts";
import { readJson } from "../../syntax/json/json.ts";
import type { DataNode } from "../../syntax/node.ts";
import { brokenTable, type Table, type TableRow } from "./rows.ts";

/** Reads objects in JSON as rows: a list, one object a line, or the output of `ConvertTo-Json`. */
export function readJsonTable(text: string): Table {
  const result = readJson(text);
  if ("message" in result) return brokenTable(result.message);
  const rows = result.documents.flatMap(objectsIn);
  const [first] = rows;
  return { has: (column) => first?.get(column) !== undefined, rows: rows.map(rowOf) };
}

function objectsIn(node: DataNode): readonly DataNode[] {
  // Windows PowerShell 5.1 writes an array inside of an object as its elements and their count (PowerShell/PowerShell#3153).
  const list = node.get("Count") ? node.get("value") : node;
  if (list?.kind !== "list") return node.kind === "mapping" ? [node] : [];
  return list.items().filter(({ kind }) => kind === "mapping");
}

const rowOf = (node: DataNode): TableRow => ({
  range: node.range,
  cell: (...columns) => {
    const value = columns.map((column) => node.get(column)).find((child) => child !== undefined);
    return value && located(value);
  },
});

/** PowerCLI writes a related object, such as the host of a VM, with its name. */
function located(node: DataNode): Located<string> | undefined {
  const scalar = node.kind === "mapping" ? node.get("Name") : node;
  return scalar?.text === undefined || scalar.text.trim() === "" ? undefined : { value: scalar.text, range: scalar.range };
}
