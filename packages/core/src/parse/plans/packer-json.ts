import type { VmSpec } from "../../model/spec.ts";
import type { Written } from "../hcl/project/written.ts";
import { isMapping, isSequence, objectValue, stringValue, tupleValue, unknownValue, type Value, withTrace } from "../hcl/value.ts";
import { SOURCE_TYPES } from "../packer/sources.ts";
import type { Given } from "../project.ts";
import { entriesOf, get, isThere, itemsOf, type Json, rangeOf, textOf, valueAt, writtenJson } from "./tree.ts";

/** The values of user variables: the template's own, then the command line's (Packer, templates/legacy_json_templates/user-variables). */
function variablesOf(root: Json, given: Given, read: (path: string) => Json | undefined): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  const add = (json: Json): void => {
    for (const [name, value] of entriesOf(json)) values.set(name, valueAt(value));
  };
  add(get(root, "variables"));
  for (const option of given.options) {
    if (option.kind === "value") values.set(option.name, stringValue(option.text));
    else {
      const file = read(option.path);
      if (file) add(file);
    }
  }
  return values;
}

const USER = /^\{\{\s*user\s+[`"]([\w-]+)[`"]\s*\}\}$/;

/** A text of Packer's own template language: one user variable as it is, anything else unknown. */
function filledIn(value: Value, variables: ReadonlyMap<string, Value>, depth = 0): Value {
  if (isSequence(value)) return withTrace(tupleValue(value.items.map((item) => filledIn(item, variables, depth))), value.trace);
  if (isMapping(value)) {
    return withTrace(objectValue([...value.entries].map(([key, item]) => [key, filledIn(item, variables, depth)] as const)), value.trace);
  }
  if (value.kind !== "string" || !value.value.includes("{{")) return value;
  const name = USER.exec(value.value.trim())?.[1];
  if (name === undefined || depth > 5) return unknownValue("Packer fills it in", value.trace);
  const found = variables.get(name);
  if (!found || found.kind === "null") return unknownValue(`user variable ${name} has no value`, value.trace);
  const [first, ...rest] = found.trace;
  const labelled = first
    ? withTrace(found, [{ ...first, what: `variable ${name}` }, ...rest, ...value.trace])
    : withTrace(found, value.trace);
  return filledIn(labelled, variables, depth + 1);
}

const filledWritten = (written: Written, variables: ReadonlyMap<string, Value>): Written => ({
  range: written.range,
  get: (argument) => filledIn(written.get(argument), variables),
  blocks(type) {
    const { items, missing } = written.blocks(type);
    return { items: items.map((item) => filledWritten(item, variables)), missing };
  },
});

export const isPackerTemplate = (root: Json): boolean => itemsOf(get(root, "builders")).length > 0;

/** The VMs of a template in Packer's older JSON. */
export function packerVms(root: Json, given: Given, read: (path: string) => Json | undefined): readonly VmSpec[] {
  const variables = variablesOf(root, given, read);
  const none: Json = { node: undefined, file: root.file };
  return itemsOf(get(root, "builders")).flatMap((builder) => {
    const name = textOf(get(builder, "type")) ?? "";
    const type = Object.hasOwn(SOURCE_TYPES, name) ? SOURCE_TYPES[name] : undefined;
    if (!type) return [];
    const written = filledWritten(writtenJson(builder, none, rangeOf(get(builder, "type"))), variables);
    const own = get(builder, "name");
    const address = isThere(own) ? (textOf(own) ?? name) : name;
    return type.vm({ address, format: "packer", written, own: [rangeOf(builder)], directive: new Map() }).vm;
  });
}
