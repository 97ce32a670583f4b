import { type Files, joinPath, nameOf, rangeIn, type SourceFile, type Sources } from "../../../model/files.ts";
import type { Problem } from "../../../model/parsed.ts";
import type { Given, GivenOption } from "../../project.ts";
import type { Expression, SyntaxError as Mistake } from "../ast.ts";
import { convert, literalText, readType } from "../convert.ts";
import { evaluate } from "../evaluate.ts";
import { parseHclJson } from "../json.ts";
import { parseHcl } from "../parse.ts";
import type { Meter, Scope } from "../scope.ts";
import { ANY, isScalar, type Type, typeOf, UNSURE } from "../type.ts";
import { isCompound, stringValue, unknownValue, type Value, withTrace } from "../value.ts";
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
  /** What the command line gives, in the order in which it counts; missing where that is its own. */
  readonly inOrder?: (options: readonly GivenOption[]) => readonly GivenOption[];
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

/** A file of values as it was read. */
export interface ValueFile {
  readonly file: SourceFile;
  readonly values: ReadonlyMap<string, Placed>;
  readonly errors: readonly Mistake[];
}

/** Reads a file of values; `undefined` where there is none. */
export type ReadValues = (path: string) => ValueFile | undefined;

/** Reads each file of values once for all folders. */
export function valueReader(files: Files, sources: Sources): ReadValues {
  const known = new Map<string, ValueFile | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, readValues(path, files, sources));
    return known.get(path);
  };
}

/** The values the variables of a folder are given, later ones in place of earlier ones: environment, files, command line. */
export function rootInputs(
  folder: string,
  files: Files,
  readValues: ReadValues,
  { options }: Given,
  { automatic, inOrder = (all) => all }: ValueFiles,
  environment: Inputs,
): { readonly inputs: Inputs; readonly valueFiles: readonly ValueFile[] } {
  const inputs = new Map(environment);
  const valueFiles: ValueFile[] = [];
  const read = (path: string): void => {
    const found = readValues(path);
    if (!found) return;
    valueFiles.push(found);
    for (const [name, placed] of found.values) inputs.set(name, { placed });
  };
  for (const name of automatic(files.list(folder))) read(joinPath(folder, name));
  for (const option of inOrder(options)) {
    if (option.kind === "file") read(option.path);
    else inputs.set(option.name, { text: option.text, from: "the command line" });
  }
  return { inputs, valueFiles };
}

/** Whether all folders take values from one file: it is on the command line. */
export const sharesValues = ({ options }: Given): boolean => options.some(({ kind }) => kind === "file");

/** What is wrong with the syntax of files of values, which Terraform and Packer refuse whole. */
export const problemsIn = (valueFiles: Iterable<ValueFile>): readonly Problem[] =>
  [...valueFiles].flatMap(({ file, errors }) =>
    errors.map(({ message, range }) => ({ ruleId: "spec/syntax", messageId: "syntax", data: { message }, range: rangeIn(file, range) })),
  );

/** Whether no line of a file is to be shown: what cannot be read in a file of values may be a password. */
export function secretAmong(valueFiles: Iterable<ValueFile>): (path: string) => boolean {
  const broken = new Set([...valueFiles].flatMap(({ file, errors }) => (errors.length > 0 ? file.path : [])));
  return (path) => broken.has(path);
}

/** Attributes alone (Terraform, values/variables, "Variable Definitions (.tfvars) Files"; Packer, variables, "Variable Definitions Files"). */
function readValues(path: string, files: Files, sources: Sources): ValueFile | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  const file = sources.add(path, text);
  const { body, errors } = path.endsWith(".json") ? parseHclJson(text, {}, "plain") : parseHcl(text);
  const blocks = body.blocks.map(({ start }) => ({
    message: "A file of values holds no blocks.",
    range: [start, start] as const,
  }));
  const values = new Map(body.attributes.map(({ name, value }) => [name, { value, file }]));
  return { file, values, errors: [...errors, ...blocks] };
}

/** A scope in which nothing has a name, as for a variable's default. */
const constantScope = (file: SourceFile, meter: Meter, functions: Scope["functions"] = new Map()): Scope => ({
  offset: file.start,
  name: (name) => unknownValue(`"${name}" cannot stand here`),
  functions,
  meter,
});

/** What a language makes of the type of a variable. */
export interface Typing {
  /** The type of a variable that has a default and none, or `any`. */
  readonly byDefault: (value: Value) => Type;
  /** Whether what the environment or the command line says is text as it is, else it is an expression. */
  readonly isText: (type: Type, isTyped: boolean) => boolean;
}

/** Terraform, configs.VariableParsingMode. */
const TERRAFORM_TYPING: Typing = {
  byDefault: () => ANY,
  isText: (type, isTyped) => !isTyped || isScalar(type),
};

/**
 * Packer's hcl2template, decodeVariableBlock and expressionFromVariableDefinition: a variable is of the type of its default, but for an
 * empty list or object.
 */
export const PACKER_TYPING: Typing = {
  byDefault: (value) => (isCompound(value) && value.size === 1 ? ANY : value.kind === "unknown" ? UNSURE : typeOf(value)),
  isText: ({ kind }) => ["string", "number", "any", "none"].includes(kind),
};

/** The value of a variable: what it is given, or its default, converted to its type. */
export function variableValue(
  name: string,
  variable: Declared,
  input: Value | Input | undefined,
  meter: Meter,
  typing = TERRAFORM_TYPING,
): Value {
  const constant = (placed: Placed): Value => evaluate(placed.value, constantScope(placed.file, meter));
  const { attributes } = variable;
  const declaredType = attributes.get("type");
  const defaults = attributes.get("default");
  const declared = declaredType ? (declaredTypeAt(declaredType, meter) ?? UNSURE) : ANY;
  const fallback = defaults && labelled(convert(constant(defaults), declared), defaults, `default of variable ${name}`);
  if (input === undefined) return fallback ?? unknownValue(`variable ${name} has no default and is given no value`);
  const type = fallback && declared.kind === "any" ? typing.byDefault(fallback) : declared;
  const isText = typing.isText(type, declaredType !== undefined);
  const given = convert("kind" in input ? input : inputValue(name, input, isText, meter), type);
  const nullable = attributes.get("nullable");
  if (given.kind !== "null" || !nullable) return given;
  const isNullable = constant(nullable);
  return isNullable.kind === "bool" && !isNullable.value ? (fallback ?? unknownValue(`variable ${name} is given null`)) : given;
}

/** In JSON the expression of a type is a text (hcl/json, expression.ExprCall), as a name was in Terraform 0.11. */
function declaredTypeAt({ value, file }: Placed, meter: Meter): Type | undefined {
  const text = value.kind === "template" ? literalText(value) : undefined;
  if (text === undefined) return readType(value, (fallback) => evaluate(fallback, constantScope(file, meter)));
  const expression = expressionOf(text);
  return expression && readType(expression, (fallback) => evaluatedText(fallback, text, meter));
}

function inputValue(name: string, input: Input, isText: boolean, meter: Meter): Value {
  if ("placed" in input) {
    const { placed } = input;
    const value = evaluate(placed.value, constantScope(placed.file, meter));
    return labelled(value, placed, `variable ${name} in ${nameOf(placed.file.path)}`);
  }
  return isText ? stringValue(input.text) : fromText(name, input, meter);
}

function fromText(name: string, { text, from }: { text: string; from: string }, meter: Meter): Value {
  const expression = expressionOf(text);
  return expression ? evaluatedText(expression, text, meter) : unknownValue(`${from} gives variable ${name} a value that cannot be read`);
}

/** The expression that a text is which stands in no file of its own. */
function expressionOf(text: string): Expression | undefined {
  const { body, errors } = parseHcl(`x = ${text}\n`);
  return errors.length > 0 ? undefined : body.attributes[0]?.value;
}

const evaluatedText = (expression: Expression, text: string, meter: Meter): Value =>
  untraced(evaluate(expression, constantScope({ path: "", text, start: 0 }, meter)));

/** A value that stands in no file. */
export function untraced(value: Value): Value {
  if ("items" in value) return { ...value, items: value.items.map(untraced), trace: [] };
  if ("entries" in value) return { ...value, entries: new Map([...value.entries].map(([key, item]) => [key, untraced(item)])), trace: [] };
  return withTrace(value, []);
}
