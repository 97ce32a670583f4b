import { grouped } from "../../model/maps.ts";
import { isSequence, type Value } from "../../syntax/hcl/value.ts";
import { type ConfigBlock, configBlock, type PlacedBlock } from "../hcl/config-block.ts";
import { type MadeBlock, madeBlocks } from "../hcl/resource-instance.ts";
import { type ScopeIn, valueAt } from "../hcl/scopes.ts";
import type { Template } from "./template.ts";

/** A source as a build uses it. */
interface BuiltSource {
  readonly source: ConfigBlock;
  readonly scopeIn: ScopeIn;
}

interface BuiltSources {
  /** Each source alone and with the additions of each build, because a source may only be built with them. */
  readonly built: readonly BuiltSource[];
  /** Sources that may get unknown settings from a build. */
  readonly unclear: readonly ConfigBlock[];
}

export function builtSources(template: Template, scopeIn: ScopeIn): BuiltSources {
  const uses = grouped(
    template.builds.flatMap((build) => usesOf(build, scopeIn)),
    ({ of }) => of,
  );
  // An addition with an unknown source may belong to any source.
  const mayBe = uses.has(undefined);
  const built: BuiltSource[] = [];
  const unclear: ConfigBlock[] = [];
  for (const source of template.sources) {
    const sourceUses = uses.get(source.labels.join(".")) ?? [];
    const added = sourceUses.flatMap(({ addition }) => addition ?? []);
    if (sourceUses.length === 0 && mayBe) unclear.push(source);
    else if (sourceUses.length === 0 || sourceUses.length > added.length) built.push({ source, scopeIn });
    built.push(...added.map((addition) => withAddition(source, addition)));
  }
  return { built, unclear };
}

function withAddition(source: ConfigBlock, { block, file, scopeIn }: MadeBlock): BuiltSource {
  const addition = configBlock(block, file);
  const attributes = new Map([...source.attributes, ...addition.attributes]);
  return { source: { ...source, attributes, blocks: [...source.blocks, ...addition.blocks] }, scopeIn };
}

/** A source that a build uses, alone or with an addition; `of` is missing if the name is unknown. */
interface SourceUse {
  readonly of: string | undefined;
  readonly addition?: MadeBlock;
}

function usesOf({ attributes, blocks }: ConfigBlock, scopeIn: ScopeIn): readonly SourceUse[] {
  const list = attributes.get("sources");
  const names = list && valueAt(list, scopeIn);
  const plain = names && isSequence(names) ? names.items.flatMap((item) => sourceNamed(item) ?? []) : [];
  const { blocks: built, missing } = madeBlocks("source", blocks, scopeIn);
  const added = built.map((block): SourceUse => {
    const { attributes, blocks } = block.block.body;
    const isMore = blocks.length > 0 || attributes.some(({ name }) => name !== "name");
    return { of: sourceNamed(block.labels[0]), ...(isMore && { addition: block }) };
  });
  return [...plain.map((of) => ({ of })), ...added, ...(missing === undefined ? [] : [{ of: undefined }])];
}

/** Returns the type and name of a source: the last two parts, or the parts after `source.` (Packer's hcl2template, sourceRefFromString). */
const sourceNamed = (value: Value | undefined): string | undefined =>
  value?.kind === "string" ? partsOf(value.value).join(".") : undefined;

function partsOf(reference: string): readonly string[] {
  const parts = reference.split(".");
  return parts.slice(parts.length > 2 ? 1 : 0).slice(0, 2);
}

/** Returns the blocks of sources, and the blocks of builds that add to them, each with the type of the source. */
export const sourceBlocks = ({ sources, builds }: Template): readonly (PlacedBlock & { readonly type: string })[] => [
  ...sources.map(({ labels: [type = ""], block, file }) => ({ type, block, file })),
  ...builds.flatMap(({ blocks }) =>
    blocks.flatMap(({ block, file }) =>
      block.type === "source" ? block.labels.map(({ value }) => ({ type: partsOf(value)[0] ?? "", block, file })) : [],
    ),
  ),
];
