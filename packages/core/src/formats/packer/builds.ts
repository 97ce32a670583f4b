import { grouped } from "../../model/maps.ts";
import { isSequence, type Value } from "../../syntax/hcl/value.ts";
import { type ConfigBlock, configBlock, type PlacedBlock } from "../hcl/config-block.ts";
import { type MadeBlock, madeBlocks } from "../hcl/resource-instance.ts";
import { type ScopeIn, valueAt } from "../hcl/scopes.ts";
import type { Template } from "./template.ts";

/** A source as a build takes it. */
export interface Variant {
  readonly source: ConfigBlock;
  readonly scopeIn: ScopeIn;
}

/** Each source as it is written, and as each build that adds to it has it, which may be the only way that it is built. */
export function variants(template: Template, scopeIn: ScopeIn): readonly Variant[] {
  const uses = grouped(
    template.builds.flatMap((build) => usesOf(build, scopeIn)),
    ({ of }) => of,
  );
  // An addition that is not known to be of another source may be of any.
  const mayBe = uses.has(undefined);
  return template.sources.flatMap((source) => {
    const own = uses.get(source.labels.join(".")) ?? [];
    const added = own.flatMap(({ addition }) => addition ?? []);
    const isBuiltAsWritten = own.length > added.length || (own.length === 0 && !mayBe);
    return [...(isBuiltAsWritten ? [{ source, scopeIn }] : []), ...added.map((addition) => variantOf(source, addition))];
  });
}

function variantOf(source: ConfigBlock, { block, file, scopeIn }: MadeBlock): Variant {
  const addition = configBlock(block, file);
  const attributes = new Map([...source.attributes, ...addition.attributes]);
  return { source: { ...source, attributes, blocks: [...source.blocks, ...addition.blocks] }, scopeIn };
}

/** A source that a build takes: as it is, or with an addition; `of` is missing where it is not known which it is. */
interface Use {
  readonly of: string | undefined;
  readonly addition?: MadeBlock;
}

function usesOf({ attributes, blocks }: ConfigBlock, scopeIn: ScopeIn): readonly Use[] {
  const listed = attributes.get("sources");
  const named = listed && valueAt(listed, scopeIn);
  const plain = named && isSequence(named) ? named.items.flatMap((item) => sourceNamed(item) ?? []) : [];
  const { made, missing } = madeBlocks("source", blocks, scopeIn);
  const added = made.map((one): Use => {
    const { attributes, blocks } = one.block.body;
    const isMore = blocks.length > 0 || attributes.some(({ name }) => name !== "name");
    return { of: sourceNamed(one.labels[0]), ...(isMore && { addition: one }) };
  });
  return [...plain.map((of) => ({ of })), ...added, ...(missing === undefined ? [] : [{ of: undefined }])];
}

/** The type and name of a source: the last two parts, or those behind `source.` (Packer's hcl2template, sourceRefFromString). */
const sourceNamed = (value: Value | undefined): string | undefined =>
  value?.kind === "string" ? partsOf(value.value).join(".") : undefined;

function partsOf(reference: string): readonly string[] {
  const parts = reference.split(".");
  return parts.slice(parts.length > 2 ? 1 : 0).slice(0, 2);
}

/** The blocks of sources, and those by which builds add to them, each with the source's type. */
export const sourceBlocks = ({ sources, builds }: Template): readonly (PlacedBlock & { readonly type: string })[] => [
  ...sources.map(({ labels: [type = ""], block, file }) => ({ type, block, file })),
  ...builds.flatMap(({ blocks }) =>
    blocks.flatMap(({ block, file }) =>
      block.type === "source" ? block.labels.map(({ value }) => ({ type: partsOf(value)[0] ?? "", block, file })) : [],
    ),
  ),
];
