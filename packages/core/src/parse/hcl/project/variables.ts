import { type Files, joinPath, nameOf, type SourceFile, type Sources } from "../../../model/files.ts";
import type { Given } from "../../project.ts";
import { convert, readType } from "../convert.ts";
import { evaluate } from "../evaluate.ts";
import { parseHclJson } from "../json.ts";
import { parseHcl } from "../parse.ts";
import type { Meter, Scope } from "../scope.ts";
import { ANY, type Type, UNSURE } from "../type.ts";
import { stringValue, unknownValue, type Value, withTrace } from "../value.ts";
import type { Declared, Placed } from "./declared.ts";
import { labelled } from "./scopes.ts";

/** A value for a variable, not yet of its type. */
export type Input = { readonly placed: Placed } | { readonly text: string; readonly from: string };

/** Where a language looks for values by itself. */
export interface ValueFiles {
  /** Of environment variables. */
  readonly prefix: string;
  /** The files that are read unasked, of all names in the folder, in their order. */
  readonly automatic: (names: readonly string[]) => readonly string[];
}

/** Values by the names of variables. */
export type Inputs = ReadonlyMap<string, Input>;

/** The values that variables are given by the environment, which is slow to look through: once for all folders. */
export function environmentInputs({ environment }: Given, { prefix }: ValueFiles): Inputs {
  const inputs = new Map<string, Input>();
  for (const name of Object.keys(environment)) {
    const text = name.startsWith(prefix) ? environment[name] : undefined;
    if (text !== undefined) inputs.set(name.slice(prefix.length), { text, from: `the environment variable ${name}` });
  }
  return inputs;
}

/** The values the variables of a folder are given, later ones in place of earlier ones: environment, files, command line in its order. */
export function rootInputs(
  folder: string,
  files: Files,
  sources: Sources,
  { options }: Given,
  { automatic }: ValueFiles,
  environment: Inputs,
): Inputs {
  const inputs = new Map(environment);
  const read = (path: string): void => {
    for (const [name, placed] of readValues(path, files, sources)) inputs.set(name, { placed });
  };
  for (const name of automatic(files.list(folder))) read(joinPath(folder, name));
  for (const option of options) {
    if (option.kind === "file") read(option.path);
    else inputs.set(option.name, { text: option.text, from: "the command line" });
  }
  return inputs;
}

/** The values of a file of attributes alone. */
function readValues(path: string, files: Files, sources: Sources): ReadonlyMap<string, Placed> {
  const text = files.read(path);
  if (text === undefined) return new Map();
  const file = sources.add(path, text);
  const { body } = path.endsWith(".json") ? parseHclJson(text, {}) : parseHcl(text);
  return new Map(body.attributes.map(({ name, value }) => [name, { value, file }]));
}

/** A scope in which nothing has a name, as for a variable's default. */
export const constantScope = (file: SourceFile, meter: Meter, functions: Scope["functions"] = new Map()): Scope => ({
  offset: file.start,
  name: (name) => unknownValue(`"${name}" cannot stand here`),
  functions,
  meter,
});

/** The value of a variable: what it is given, or its default, converted to its type. */
export function variableValue(name: string, variable: Declared, input: Value | Input | undefined, meter: Meter): Value {
  const constant = (placed: Placed): Value => evaluate(placed.value, constantScope(placed.file, meter));
  const { attributes } = variable;
  const declaredType = attributes.get("type");
  const defaults = attributes.get("default");
  const type = declaredType
    ? (readType(declaredType.value, (fallback) => constant({ value: fallback, file: declaredType.file })) ?? UNSURE)
    : ANY;
  const fallback = defaults && labelled(convert(constant(defaults), type), defaults, `default of variable ${name}`);
  if (input === undefined) return fallback ?? unknownValue(`variable ${name} has no default and is given no value`);
  const given = convert("kind" in input ? input : inputValue(name, input, declaredType !== undefined, type, meter), type);
  const nullable = attributes.get("nullable");
  if (given.kind !== "null" || !nullable) return given;
  const isNullable = constant(nullable);
  return isNullable.kind === "bool" && !isNullable.value ? (fallback ?? unknownValue(`variable ${name} is given null`)) : given;
}

function inputValue(name: string, input: Input, isTyped: boolean, type: Type, meter: Meter): Value {
  if ("placed" in input) {
    const { placed } = input;
    const value = evaluate(placed.value, constantScope(placed.file, meter));
    return labelled(value, placed, `variable ${name} in ${nameOf(placed.file.path)}`);
  }
  // Text as it is for a simple type and where no type is declared, else an expression (Terraform, configs.VariableParsingMode).
  const isText = !isTyped || ["string", "number", "bool"].includes(type.kind);
  return isText ? stringValue(input.text) : fromText(name, input, meter);
}

function fromText(name: string, { text, from }: { text: string; from: string }, meter: Meter): Value {
  const { body, errors } = parseHcl(`x = ${text}\n`);
  const [attribute] = body.attributes;
  if (!attribute || errors.length > 0) return unknownValue(`${from} gives variable ${name} a value that cannot be read`);
  const scope = constantScope({ path: "", text, start: 0 }, meter);
  return untraced(evaluate(attribute.value, scope));
}

/** A value that stands in no file. */
export function untraced(value: Value): Value {
  if ("items" in value) return { ...value, items: value.items.map(untraced), trace: [] };
  if ("entries" in value) return { ...value, entries: new Map([...value.entries].map(([key, item]) => [key, untraced(item)])), trace: [] };
  return withTrace(value, []);
}
