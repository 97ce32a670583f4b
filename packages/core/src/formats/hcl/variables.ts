import { nameOf, type SourceFile } from "../../model/files.ts";
import { unsetReason } from "../../model/unset-variable.ts";
import type { Expression } from "../../syntax/hcl/ast.ts";
import { convert, literalText, readType } from "../../syntax/hcl/convert.ts";
import { evaluate } from "../../syntax/hcl/evaluate.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import type { Meter, Scope } from "../../syntax/hcl/scope.ts";
import type { Type } from "../../syntax/hcl/value.ts";
import { isCompound, stringValue, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import { ANY, isScalar, typeOf, UNSURE } from "../../syntax/hcl/value-type.ts";
import type { ConfigBlock, ExpressionInFile, ReadFile } from "./config-block.ts";
import type { Input } from "./inputs.ts";
import { labelled } from "./scopes.ts";

/** Returns a scope without names, as for the default of a variable. */
const constantScope = (file: SourceFile, meter: Meter, functions: Scope["functions"] = new Map()): Scope => ({
  offset: file.start,
  name: (name) => unknownValue(`"${name}" cannot stand here`),
  functions,
  meter,
});

/** The type rules for variables of a language. */
interface Typing {
  /** Returns the type of a variable with a default but without a type, or with `any`. */
  readonly typeOf: (value: Value) => Type;
  /** Whether a value from the environment or the command line is plain text; otherwise it is an expression. */
  readonly isText: (type: Type, isTyped: boolean) => boolean;
}

/** Terraform, configs.VariableParsingMode. */
const TERRAFORM_TYPING: Typing = {
  typeOf: () => ANY,
  isText: (type, isTyped) => !isTyped || isScalar(type),
};

/**
 * Packer's hcl2template, decodeVariableBlock and expressionFromVariableDefinition: the default sets the type, except for an empty list or
 * object.
 */
export const PACKER_TYPING: Typing = {
  typeOf: (value) => (isCompound(value) && value.size === 1 ? ANY : value.kind === "unknown" ? UNSURE : typeOf(value)),
  isText: ({ kind }) => ["string", "number", "any", "none"].includes(kind),
};

/** How a language types variables, and the files that set a variable and that nothing loads. */
interface VariableRules {
  readonly typing?: Typing;
  readonly foundIn?: ((name: string) => readonly string[]) | undefined;
}

/** Returns the value of a variable: its input or its default, converted to its type. */
export function variableValue(
  name: string,
  variable: ConfigBlock,
  input: Value | Input | undefined,
  meter: Meter,
  { typing = TERRAFORM_TYPING, foundIn = () => [] }: VariableRules = {},
): Value {
  const constant = (located: ExpressionInFile): Value => evaluate(located.value, constantScope(located.file, meter));
  const { attributes } = variable;
  const declaredType = attributes.get("type");
  const defaults = attributes.get("default");
  const declared = declaredType ? (declaredTypeAt(declaredType, meter) ?? UNSURE) : ANY;
  const fallback = defaults && labelled(convert(constant(defaults), declared), defaults, `default of variable ${name}`);
  if (input === undefined) return fallback ?? unknownValue(unsetReason(name, foundIn(name)));
  const type = fallback && declared.kind === "any" ? typing.typeOf(fallback) : declared;
  const isText = typing.isText(type, declaredType !== undefined);
  const converted = convert("kind" in input ? input : inputValue(name, input, isText, meter), type);
  const nullable = attributes.get("nullable");
  if (converted.kind !== "null" || !nullable) return converted;
  const isNullable = constant(nullable);
  return isNullable.kind === "bool" && !isNullable.value ? (fallback ?? unknownValue(`variable ${name} is set to null`)) : converted;
}

/** Returns the value of a name without declaration, or with several. Only a folder that was read as a whole shows a mistake. */
export const refusedName = (kind: "variable" | "local" | "user variable", name: string, declarations: 0 | 2, isWhole: boolean): Value => ({
  ...unknownValue(declarations === 0 ? `there is no ${kind} ${name}` : `${kind} ${name} is declared twice`),
  ...(isWhole && { refused: { kind, name, declarations } }),
});

/** Sources of generated files: Terragrunt, Terramate and template engines make further files of a module. */
const MAKES_FILES =
  /^(?:terragrunt(?:\.stack)?\.hcl|cdktf\.json)$|\.tm\.hcl$|\.(?:tf|tofu|hcl)(?:\.json)?\.\w+$|\.(?:j2|tftpl|tmpl|gotmpl)$/;

/** Whether the files of a folder are all of its configuration, and each was read. */
export const isWholeFolder = (names: readonly string[], isPart: (name: string) => boolean, read: readonly ReadFile[]): boolean =>
  !names.some((name) => MAKES_FILES.test(name)) &&
  names.filter(isPart).length === read.length &&
  read.every(({ file, errors }) => errors.length === 0 && names.includes(nameOf(file.path)));

/** In JSON a type expression is a text (hcl/json, expression.ExprCall), like a name in Terraform 0.11. */
function declaredTypeAt({ value, file }: ExpressionInFile, meter: Meter): Type | undefined {
  const text = value.kind === "template" ? literalText(value) : undefined;
  if (text === undefined) return readType(value, (fallback) => evaluate(fallback, constantScope(file, meter)));
  const expression = expressionOf(text);
  return expression && readType(expression, (fallback) => evaluatedText(fallback, text, meter));
}

function inputValue(name: string, input: Input, isText: boolean, meter: Meter): Value {
  if ("expression" in input) {
    const { expression } = input;
    const value = evaluate(expression.value, constantScope(expression.file, meter));
    return labelled(value, expression, `variable ${name} in ${nameOf(expression.file.path)}`);
  }
  return isText ? stringValue(input.text) : fromText(name, input, meter);
}

function fromText(name: string, { text, from }: { text: string; from: string }, meter: Meter): Value {
  const expression = expressionOf(text);
  return expression ? evaluatedText(expression, text, meter) : unknownValue(`${from} gives variable ${name} a value that cannot be read`);
}

/** Parses a text outside of any file as an expression. */
function expressionOf(text: string): Expression | undefined {
  const { body, errors } = parseHcl(`x = ${text}\n`);
  return errors.length > 0 ? undefined : body.attributes[0]?.value;
}

const evaluatedText = (expression: Expression, text: string, meter: Meter): Value =>
  untraced(evaluate(expression, constantScope({ path: "", text, start: 0 }, meter)));

/** Returns a value without its trace. */
export function untraced(value: Value): Value {
  if ("items" in value) return { ...value, items: value.items.map(untraced), trace: [] };
  if ("entries" in value) return { ...value, entries: new Map([...value.entries].map(([key, item]) => [key, untraced(item)])), trace: [] };
  return withTrace(value, []);
}
