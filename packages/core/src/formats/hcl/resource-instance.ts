import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Range } from "../../model/source.ts";
import { type Block, type Expression, typeRange } from "../../syntax/hcl/ast.ts";
import { literalText } from "../../syntax/hcl/convert.ts";
import { elements, evaluate } from "../../syntax/hcl/evaluate.ts";
import { namespace } from "../../syntax/hcl/scope.ts";
import { isSequence, nullValue, stringValue, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import type { ConfigBlock, ExpressionInFile, PlacedBlock } from "./config-block.ts";
import { inLifecycle, placeOf, type ScopeIn, scopesWith, valueAt } from "./scopes.ts";

/** One instance of a resource, or of a nested block. Missing arguments are null. */
export interface ResourceInstance {
  /** The range for findings about a missing argument. */
  readonly range: Range;
  readonly get: (argument: string) => Value;
  /** Returns the reference that an argument consists of: `vsphere_virtual_machine.sql.id`. */
  readonly reference?: (argument: string) => string | undefined;
  /** Returns all arguments with their places, if their names are exact. */
  readonly written?: () => readonly { readonly name: string; readonly range: Range }[];
  /** Returns the nested blocks of a type, including `dynamic` ones. */
  readonly blocks: (type: string) => InstanceBlocks;
  /** Returns why an argument keeps its value or default of the existing VM; `undefined` if Terraform resets it. */
  readonly keeps?: ((argument: string) => string | undefined) | undefined;
}

export interface InstanceBlocks {
  readonly items: readonly ResourceInstance[];
  /** Why there may be more of them. */
  readonly missing: string | undefined;
}

/** A resource with the scope of its names. */
export function resourceInstance(resource: ConfigBlock, range: Range, scopeIn: ScopeIn): ResourceInstance {
  return {
    range,
    get: (argument) => argumentOf(resource.attributes.get(argument), scopeIn),
    reference: (argument) => nameIn(resource.attributes.get(argument)?.value),
    written: () => [...resource.attributes].map(([name, expression]) => ({ name, range: placeOf(expression) })),
    blocks(type) {
      const { items, missing } = blocksOf(type, resource.blocks, scopeIn);
      // Some arguments accept a list of blocks (Terraform, language/attr-as-blocks), which is not supported here.
      return {
        items,
        missing: missing ?? (resource.attributes.has(type) ? `vmlint does not follow the list that ${type} is set to` : undefined),
      };
    },
    keeps: keptIn(resource.blocks),
  };
}

function nameIn(expression: Expression | undefined): string | undefined {
  if (expression?.kind === "variable") return expression.name;
  const of = expression?.kind === "attribute" ? nameIn(expression.of) : undefined;
  return expression?.kind === "attribute" && of !== undefined ? `${of}.${expression.name}` : undefined;
}

/** Returns the arguments that `lifecycle` ignores after the first apply (Terraform, meta-arguments/lifecycle, `ignore_changes`). */
function keptIn(blocks: readonly PlacedBlock[]): ResourceInstance["keeps"] {
  const ignored = inLifecycle("ignore_changes", blocks).map(({ value }) => value);
  if (ignored.length === 0) return undefined;
  // `all`, or a list of arguments, as texts in JSON. An override file replaces a list if its own is not empty, and cannot revoke `all`
  // (Terraform, configs.Resource.merge).
  const isAll = ignored.some((item) => literalText(item) === "all");
  const lists = ignored.flatMap((value) => (value.kind === "tuple" && value.items.length > 0 ? [value.items] : []));
  const names = lists.at(-1)?.map(literalText) ?? [];
  return (argument) => (isAll || names.includes(argument) ? "lifecycle ignores its changes: the VM keeps its first value" : undefined);
}

const argumentOf = (placedBlock: ExpressionInFile | undefined, scopeIn: ScopeIn): Value =>
  placedBlock ? valueAt(placedBlock, scopeIn) : nullValue();

function writtenBlock({ block, file, scopeIn }: MadeBlock): ResourceInstance {
  const inner = block.body.blocks.map((inner) => ({ block: inner, file }));
  const range = rangeIn(file, typeRange(block));
  return {
    range,
    get: (argument) => {
      const attribute = block.body.attributes.find(({ name }) => name === argument);
      return argumentOf(attribute && { value: attribute.value, file }, scopeIn);
    },
    blocks: (type) => blocksOf(type, inner, scopeIn),
  };
}

function blocksOf(type: string, placedBlock: readonly PlacedBlock[], scopeIn: ScopeIn): InstanceBlocks {
  const { blocks, missing } = madeBlocks(type, placedBlock, scopeIn);
  return { items: blocks.map(writtenBlock), missing };
}

/** A literal or `dynamic` block with the scope of its names. */
export interface MadeBlock extends PlacedBlock {
  /** The labels of a `dynamic` block are expressions. */
  readonly labels: readonly Value[];
  readonly scopeIn: ScopeIn;
}

interface MadeBlocks {
  readonly blocks: readonly MadeBlock[];
  /** Why there may be more of them. */
  readonly missing: string | undefined;
}

/** Returns the blocks of a type, including `dynamic` ones. */
export function madeBlocks(type: string, placedBlock: readonly PlacedBlock[], scopeIn: ScopeIn): MadeBlocks {
  const result: MadeBlock[] = [];
  let missing: string | undefined;
  for (const { block, file } of placedBlock) {
    if (block.type === type) result.push({ block, file, scopeIn, labels: block.labels.map(({ value }) => stringValue(value)) });
    else if (block.type === "dynamic" && block.labels[0]?.value === type) {
      const dynamic = dynamicBlocks(type, block, file, scopeIn);
      for (const inner of dynamic.blocks) result.push(inner);
      missing ??= dynamic.missing;
    }
  }
  return { blocks: result, missing };
}

/** Expands a `dynamic` block (Terraform, expressions/dynamic-blocks). */
function dynamicBlocks(type: string, block: Block, file: SourceFile, scopeIn: ScopeIn): MadeBlocks {
  const attribute = (attributeName: string) => block.body.attributes.find(({ name }) => name === attributeName)?.value;
  const forEach = attribute("for_each");
  const content = block.body.blocks.find((inner) => inner.type === "content");
  if (!forEach || !content) return { blocks: [], missing: undefined };
  const collection = evaluate(forEach, scopeIn(file));
  const rounds = elements(collection);
  if (!Array.isArray(rounds)) return { blocks: [], missing: rounds.reason };
  const iterator = attribute("iterator");
  const name = (iterator && literalText(iterator)) ?? type;
  const labels = attribute("labels");
  const built = rounds.map(([key, value]): MadeBlock => {
    const members: Readonly<Record<string, Value>> = { key: withTrace(key, value.trace), value };
    const names = new Map([[name, namespace(name, (member) => members[member] ?? unknownValue(`${name} has no ${member}`))]]);
    const scopes = scopesWith(scopeIn, names);
    const labelled = labels && evaluate(labels, scopes(file));
    return { block: content, file, scopeIn: scopes, labels: labelled && isSequence(labelled) ? labelled.items : [] };
  });
  return { blocks: built, missing: undefined };
}
