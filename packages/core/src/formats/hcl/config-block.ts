import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Range } from "../../model/source.ts";
import { type Block, type Expression, type ParsedHcl, rangeOf, typeRange } from "../../syntax/hcl/ast.ts";

/** A parsed file of a configuration. */
export interface ReadFile extends ParsedHcl {
  readonly file: SourceFile;
}

/** An expression with its file. */
export interface ExpressionInFile {
  readonly value: Expression;
  readonly file: SourceFile;
}

/** A block of a configuration, including merged overrides. */
export interface ConfigBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly block: Block;
  readonly file: SourceFile;
  readonly attributes: ReadonlyMap<string, ExpressionInFile>;
  readonly blocks: readonly PlacedBlock[];
}

export interface PlacedBlock {
  readonly block: Block;
  readonly file: SourceFile;
}

/** Returns a block without overrides. */
export function configBlock(block: Block, file: SourceFile): ConfigBlock {
  const attributes = new Map<string, ExpressionInFile>();
  for (const { name, value } of block.body.attributes) if (!attributes.has(name)) attributes.set(name, { value, file });
  const blocks = block.body.blocks.map((inner) => ({ block: inner, file }));
  return { type: block.type, labels: block.labels.map(({ value }) => value), block, file, attributes, blocks };
}

/** Returns the range of a block's name, for findings without a better range. */
export function headOf({ block, file }: PlacedBlock): Range {
  const label = block.labels.at(-1);
  return rangeIn(file, label ? rangeOf(label) : typeRange(block));
}
