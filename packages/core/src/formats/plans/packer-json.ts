import { type Files, folderOf, nameOf } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import { onlySlip } from "../../model/nearest.ts";
import type { Range } from "../../model/source.ts";
import type { VmSpec } from "../../model/spec.ts";
import { unsetReason } from "../../model/unset-variable.ts";
import {
  isMapping,
  isSequence,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
  withTrace,
} from "../../syntax/hcl/value.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import { refusedName } from "../hcl/variables.ts";
import { unloadedValues } from "../hcl/variants.ts";
import { SOURCE_TYPES } from "../packer/source-types.ts";
import { valuesLast } from "../packer/value-files.ts";
import type { ProjectInputs } from "../project.ts";
import { entriesOf, get, isThere, itemsOf, type Json, rangeOf, textOf, valueAt } from "./json-tree.ts";

/**
 * Returns the values of user variables: from the template, then from the command line (Packer,
 * templates/legacy_json_templates/user-variables).
 */
function variablesOf(root: Json, inputs: ProjectInputs, readFile: (path: string) => Json | undefined): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  const add = (json: Json, what: string): void => {
    for (const [name, value] of entriesOf(json)) values.set(name, labelled(valueAt(value), `${what} ${name}`));
  };
  add(get(root, "variables"), "default of variable");
  for (const option of valuesLast(inputs.options)) {
    if (option.kind === "value") values.set(option.name, stringValue(option.text));
    else {
      const file = readFile(option.path);
      if (file) add(file, "variable");
    }
  }
  return values;
}

/** Names the place of a value. */
function labelled(value: Value, what: string): Value {
  const [first, ...rest] = value.trace;
  return first ? withTrace(value, [{ ...first, what }, ...rest]) : value;
}

const USER = /^\{\{\s*user\s+[`"]([\w-]+)[`"]\s*\}\}$/;

/** The values of user variables. */
interface Variables {
  readonly values: ReadonlyMap<string, Value>;
  /** Returns the files that set a variable and that nothing loads. */
  readonly foundIn: (name: string) => readonly string[];
}

/** Evaluates a text of Packer's legacy template language: a single user variable; other expressions are unknown. */
function filledIn(value: Value, variables: Variables, depth = 0): Value {
  if (isSequence(value)) return withTrace(tupleValue(value.items.map((item) => filledIn(item, variables, depth))), value.trace);
  if (isMapping(value)) {
    return withTrace(objectValue([...value.entries].map(([key, item]) => [key, filledIn(item, variables, depth)] as const)), value.trace);
  }
  if (value.kind !== "string" || !value.value.includes("{{")) return value;
  const name = USER.exec(value.value.trim())?.[1];
  if (name === undefined || depth > 5) return unknownValue("Packer fills it in", value.trace);
  const override = variables.values.get(name);
  if (!override || override.kind === "null") {
    const found = variables.foundIn(name);
    // A file of values may set a variable that no template declares (packer-plugin-sdk, template/interpolate/funcs.go).
    const isSlip = !override && found.length === 0 && onlySlip([...variables.values.keys()])(name) !== undefined;
    return isSlip
      ? withTrace(refusedName("user variable", name, 0, true), value.trace)
      : unknownValue(unsetReason(name, found), value.trace);
  }
  return filledIn(withTrace(override, [...override.trace, ...value.trace]), variables, depth + 1);
}

/** Packer ignores the case of keys, but prefers an exact match (mapstructure v1.5.0, decodeStructFromMap). */
function member(json: Json, key: string): Json {
  const exact = get(json, key);
  if (exact.node) return exact;
  return entriesOf(json).findLast(([name]) => name.toLowerCase() === key.toLowerCase())?.[1] ?? exact;
}

/** Arguments that are lists of single values (packer-plugin-vsphere's StorageConfig, packer-plugin-vmware's DiskConfig). */
const LISTS: ReadonlySet<string> = new Set(["disk_controller_type", "disk_additional_size"]);

/** A single value is a list of one, and a text is a comma-separated list (packer-plugin-sdk, template/config/decode.go). */
function asList(value: Value): Value {
  if (value.kind === "string") {
    const parts = value.value === "" ? [] : value.value.split(",");
    return tupleValue(parts.map((part) => withTrace(stringValue(part), value.trace)));
  }
  return value.kind === "number" || value.kind === "bool" ? tupleValue([value]) : value;
}

/** Returns the blocks of a type; a single object is a list of one, an empty object an empty list (mapstructure v1.5.0, decodeSlice). */
function blocksIn(json: Json): readonly Json[] {
  if (json.node?.kind !== "object") return itemsOf(json);
  return entriesOf(json).length > 0 ? [json] : [];
}

const writtenIn = (json: Json, range: Range, variables: Variables): ResourceInstance => ({
  range,
  get(argument) {
    const value = filledIn(valueAt(member(json, argument)), variables);
    return LISTS.has(argument) ? asList(value) : value;
  },
  blocks: (type) => ({
    items: blocksIn(member(json, type)).map((block) => writtenIn(block, rangeOf(block), variables)),
    missing: undefined,
  }),
});

export const isPackerTemplate = (root: Json): boolean => itemsOf(get(root, "builders")).length > 0;

/** Returns the VMs of a Packer template in legacy JSON. */
export function packerVms(
  root: Json,
  inputs: ProjectInputs,
  readFile: (path: string) => Json | undefined,
  files: Files,
): readonly VmSpec[] {
  const { path } = root.file;
  const unloaded = once(() => unloadedValues(folderOf(path), [], (name) => name.endsWith(".json") && name !== nameOf(path), files));
  const variables: Variables = { values: variablesOf(root, inputs, readFile), foundIn: (name) => unloaded().foundIn(name) };
  return itemsOf(get(root, "builders")).flatMap((builder) => {
    const name = textOf(member(builder, "type")) ?? "";
    const type = Object.hasOwn(SOURCE_TYPES, name) ? SOURCE_TYPES[name] : undefined;
    if (!type) return [];
    const resource = writtenIn(builder, rangeOf(member(builder, "type")), variables);
    const nameNode = member(builder, "name");
    const address = isThere(nameNode) ? (textOf(nameNode) ?? name) : name;
    return type.vm({ address, format: "packer", resourceInstance: resource, ownBlocks: [rangeOf(builder)], directive: new Map() }).vm;
  });
}
