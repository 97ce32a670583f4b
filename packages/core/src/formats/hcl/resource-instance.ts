import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Range } from "../../model/source.ts";
import { type Block, typeRange } from "../../syntax/hcl/ast.ts";
import { literalText } from "../../syntax/hcl/convert.ts";
import { elements, evaluate } from "../../syntax/hcl/evaluate.ts";
import { namespace } from "../../syntax/hcl/scope.ts";
import { isSequence, nullValue, stringValue, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import type { ConfigBlock, ExpressionInFile, PlacedBlock } from "./config-block.ts";
import { inLifecycle, type ScopeIn, scopesWith, valueAt } from "./scopes.ts";

/** One instance of a resource, or a block inside of it, as it is written: what is left out is null. */
export interface ResourceInstance {
  /** Where to point when an argument is left out. */
  readonly range: Range;
  readonly get: (argument: string) => Value;
  /** The nested blocks of a type, those that `dynamic` makes too. */
  readonly blocks: (type: string) => InstanceBlocks;
  /** Why an argument is not brought back to what it is here, or to its default, once the VM is made; `undefined` where it is. */
  readonly keeps?: ((argument: string) => string | undefined) | undefined;
}

export interface InstanceBlocks {
  readonly items: readonly ResourceInstance[];
  /** Why there may be more of them. */
  readonly missing: string | undefined;
}

/** A resource with the names that mean something in it. */
export function resourceInstance(resource: ConfigBlock, range: Range, scopeIn: ScopeIn): ResourceInstance {
  return {
    range,
    get: (argument) => argumentOf(resource.attributes.get(argument), scopeIn),
    blocks(type) {
      const { items, missing } = blocksOf(type, resource.blocks, scopeIn);
      // Some take a list of blocks as one argument (Terraform, language/attr-as-blocks); that is not followed.
      return { items, missing: missing ?? (resource.attributes.has(type) ? `the list that ${type} is set to is not followed` : undefined) };
    },
    keeps: keptIn(resource.blocks),
  };
}

/** What `lifecycle` leaves alone after the first apply (Terraform, meta-arguments/lifecycle, `ignore_changes`). */
function keptIn(blocks: readonly PlacedBlock[]): ResourceInstance["keeps"] {
  const ignored = inLifecycle("ignore_changes", blocks).map(({ value }) => value);
  if (ignored.length === 0) return undefined;
  // `all`, or a list of arguments; in JSON they are texts. An override file replaces a list with one that is not empty, and nothing takes
  // `all` back (Terraform, configs.Resource.merge).
  const isAll = ignored.some((one) => literalText(one) === "all");
  const lists = ignored.flatMap((one) => (one.kind === "tuple" && one.items.length > 0 ? [one.items] : []));
  const named = lists.at(-1)?.map(literalText) ?? [];
  return (argument) => (isAll || named.includes(argument) ? "lifecycle ignores changes of it: it stays what it was made to be" : undefined);
}

const argumentOf = (placed: ExpressionInFile | undefined, scopeIn: ScopeIn): Value => (placed ? valueAt(placed, scopeIn) : nullValue());

function writtenBlock({ block, file, scopeIn }: MadeBlock): ResourceInstance {
  const inner = block.body.blocks.map((one) => ({ block: one, file }));
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

function blocksOf(type: string, placed: readonly PlacedBlock[], scopeIn: ScopeIn): InstanceBlocks {
  const { made, missing } = madeBlocks(type, placed, scopeIn);
  return { items: made.map(writtenBlock), missing };
}

/** A block that is written out, or one of those that a `dynamic` block makes, with what names mean in it. */
export interface MadeBlock extends PlacedBlock {
  /** Those of a block that `dynamic` makes are expressions. */
  readonly labels: readonly Value[];
  readonly scopeIn: ScopeIn;
}

interface MadeBlocks {
  readonly made: readonly MadeBlock[];
  /** Why there may be more of them. */
  readonly missing: string | undefined;
}

/** The blocks of a type, those that `dynamic` makes too. */
export function madeBlocks(type: string, placed: readonly PlacedBlock[], scopeIn: ScopeIn): MadeBlocks {
  const all: MadeBlock[] = [];
  let missing: string | undefined;
  for (const { block, file } of placed) {
    if (block.type === type) all.push({ block, file, scopeIn, labels: block.labels.map(({ value }) => stringValue(value)) });
    else if (block.type === "dynamic" && block.labels[0]?.value === type) {
      const dynamic = dynamicBlocks(type, block, file, scopeIn);
      for (const one of dynamic.made) all.push(one);
      missing ??= dynamic.missing;
    }
  }
  return { made: all, missing };
}

/** What a `dynamic` block makes (Terraform, expressions/dynamic-blocks). */
function dynamicBlocks(type: string, block: Block, file: SourceFile, scopeIn: ScopeIn): MadeBlocks {
  const attribute = (wanted: string) => block.body.attributes.find(({ name }) => name === wanted)?.value;
  const forEach = attribute("for_each");
  const content = block.body.blocks.find((inner) => inner.type === "content");
  if (!forEach || !content) return { made: [], missing: undefined };
  const collection = evaluate(forEach, scopeIn(file));
  const rounds = elements(collection);
  if (!Array.isArray(rounds)) return { made: [], missing: rounds.reason };
  const iterator = attribute("iterator");
  const name = (iterator && literalText(iterator)) ?? type;
  const labels = attribute("labels");
  const made = rounds.map(([key, value]): MadeBlock => {
    const members: Readonly<Record<string, Value>> = { key: withTrace(key, value.trace), value };
    const names = new Map([[name, namespace(name, (member) => members[member] ?? unknownValue(`${name} has no ${member}`))]]);
    const scopes = scopesWith(scopeIn, names);
    const labelled = labels && evaluate(labels, scopes(file));
    return { block: content, file, scopeIn: scopes, labels: labelled && isSequence(labelled) ? labelled.items : [] };
  });
  return { made, missing: undefined };
}
