import { rangeIn, type SourceFile } from "../../../model/files.ts";
import type { Range } from "../../../model/source.ts";
import { type Block, typeRange } from "../ast.ts";
import { literalText } from "../convert.ts";
import { elements, evaluate } from "../evaluate.ts";
import { namespace } from "../scope.ts";
import { nullValue, unknownValue, type Value, withTrace } from "../value.ts";
import type { Declared, Placed, PlacedBlock } from "./declared.ts";
import { type ScopeIn, scopesWith, valueAt } from "./scopes.ts";

/** One instance of a resource, or a block inside of it, as it is written: what is left out is null. */
export interface Written {
  /** Where to point when an argument is left out. */
  readonly range: Range;
  readonly get: (argument: string) => Value;
  /** The nested blocks of a type, those that `dynamic` makes too. */
  readonly blocks: (type: string) => WrittenBlocks;
  /** Why an argument is not brought back to what it is here, or to its default, once the VM is made; `undefined` where it is. */
  readonly keeps?: ((argument: string) => string | undefined) | undefined;
}

export interface WrittenBlocks {
  readonly items: readonly Written[];
  /** Why there may be more of them. */
  readonly missing: string | undefined;
}

/** A resource with the names that mean something in it. */
export function writtenResource(resource: Declared, range: Range, scopeIn: ScopeIn): Written {
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
function keptIn(blocks: readonly PlacedBlock[]): Written["keeps"] {
  const ignored = blocks.flatMap(({ block: { type, body } }) =>
    type === "lifecycle" ? body.attributes.flatMap(({ name, value }) => (name === "ignore_changes" ? value : [])) : [],
  );
  // That of an override file, where there are several.
  const last = ignored.at(-1);
  if (!last) return undefined;
  // `all`, or a list of arguments; in JSON they are texts.
  const named = last.kind === "tuple" ? last.items.map(literalText) : [];
  const isAll = literalText(last) === "all";
  return (argument) => (isAll || named.includes(argument) ? "lifecycle ignores changes of it: it stays what it was made to be" : undefined);
}

const argumentOf = (placed: Placed | undefined, scopeIn: ScopeIn): Value => (placed ? valueAt(placed, scopeIn) : nullValue());

function writtenBlock(block: Block, file: SourceFile, scopeIn: ScopeIn): Written {
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

function blocksOf(type: string, placed: readonly PlacedBlock[], scopeIn: ScopeIn): WrittenBlocks {
  const items: Written[] = [];
  let missing: string | undefined;
  for (const { block, file } of placed) {
    if (block.type === type) items.push(writtenBlock(block, file, scopeIn));
    else if (block.type === "dynamic" && block.labels[0]?.value === type) {
      const made = dynamicBlocks(type, block, file, scopeIn);
      for (const item of made.items) items.push(item);
      missing ??= made.missing;
    }
  }
  return { items, missing };
}

/** What a `dynamic` block makes (Terraform, expressions/dynamic-blocks). */
function dynamicBlocks(type: string, block: Block, file: SourceFile, scopeIn: ScopeIn): WrittenBlocks {
  const attribute = (wanted: string) => block.body.attributes.find(({ name }) => name === wanted)?.value;
  const forEach = attribute("for_each");
  const content = block.body.blocks.find((inner) => inner.type === "content");
  if (!forEach || !content) return { items: [], missing: undefined };
  const collection = evaluate(forEach, scopeIn(file));
  const rounds = elements(collection);
  if (!Array.isArray(rounds)) return { items: [], missing: rounds.reason };
  const iterator = attribute("iterator");
  const name = (iterator && literalText(iterator)) ?? type;
  const items = rounds.map(([key, value]) => {
    const members: Readonly<Record<string, Value>> = { key: withTrace(key, value.trace), value };
    const names = new Map([[name, namespace(name, (member) => members[member] ?? unknownValue(`${name} has no ${member}`))]]);
    return writtenBlock(content, file, scopesWith(scopeIn, names));
  });
  return { items, missing: undefined };
}
